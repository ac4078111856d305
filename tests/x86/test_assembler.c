/* SPDX-License-Identifier: MIT
 *
 * Instructions as bytes: those of the manual, as another assembler has them.
 * Between them the cases have each form of an operand, each length of VEX, and
 * each general instruction.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "exec/x86/assembler.h"

enum { MAX_BYTES = 4096 };

static struct tg_arena arena;
static struct x86_assembler a;

static int
begin(void **state)
{
   (void)state;
   tg_arena_init(&arena, NULL);
   x86_asm_init(&a, &arena);
   return 0;
}

static int
end(void **state)
{
   (void)state;
   tg_arena_finish(&arena);
   return 0;
}

/* All that was assembled, in hexadecimal. */
static void
expect(const char *expected)
{
   static uint8_t bytes[MAX_BYTES];
   static char text[3 * MAX_BYTES + 1];
   const uint32_t size = x86_asm_size(&a);

   assert_false(a.failed);
   assert_true(size <= sizeof(bytes));
   x86_asm_copy(&a, bytes);
   text[0] = '\0';
   for (uint32_t i = 0; i < a.num_bytes; i++)
      sprintf(text + 3 * i, "%02x ", bytes[i]);
   assert_string_equal(text, expected);
   a.num_bytes = a.num_fixups = 0;
}

#define REG x86_register
#define AT x86_at
#define AT_INDEX x86_at_index

/* vaddps, vpmulld and others, by registers. */
static void
test_registers(void **state)
{
   (void)state;
   x86_asm_vector(&a, X86_vaddps, 1, 2, REG(3));
   expect("c5 ec 58 cb ");
   x86_asm_vector(&a, X86_vaddps, 9, 2, REG(3));
   expect("c5 6c 58 cb ");
   x86_asm_vector(&a, X86_vaddps, 1, 10, REG(3));
   expect("c5 ac 58 cb ");
   x86_asm_vector(&a, X86_vaddps, 1, 2, REG(11));
   expect("c4 c1 6c 58 cb ");
   x86_asm_vector(&a, X86_vfmadd231pd, 1, 2, REG(3));
   expect("c4 e2 ed b8 cb ");
   x86_asm_vector_imm(&a, X86_vpermq, 8, 0, REG(9), 0xd8);
   expect("c4 43 fd 00 c1 d8 ");
   x86_asm_vector_imm(&a, X86_vblendvps, 1, 2, REG(3), 0x40);
   expect("c4 e3 6d 4a cb 40 ");
   x86_asm_vector(&a, X86_vmovd_store, 9, 0, REG(X86_RDX));
   expect("c5 79 7e ca ");
   x86_asm_vector(&a, X86_vmovd_load, 9, 0, REG(X86_RDX));
   expect("c5 79 6e ca ");
   x86_asm_vector_imm(&a, X86_vpshiftd_imm, 6, 3, REG(12), 5);
   expect("c4 c1 65 72 f4 05 ");
   x86_asm_vector(&a, X86_vmovmskps, X86_R9, 0, REG(1));
   expect("c5 7c 50 c9 ");
   x86_asm_forget_upper(&a);
   expect("c5 f8 77 ");
}

/* A base of RSP's number takes an index, one of RBP's a displacement. */
static void
test_memory(void **state)
{
   (void)state;
   x86_asm_vector(&a, X86_vpaddd, 4, 5, AT(X86_RSP, 0));
   expect("c5 d5 fe 24 24 ");
   x86_asm_vector(&a, X86_vpaddd, 4, 5, AT(X86_RSP, 64));
   expect("c5 d5 fe 64 24 40 ");
   x86_asm_vector(&a, X86_vpaddd, 4, 5, AT(X86_RBP, 0));
   expect("c5 d5 fe 65 00 ");
   x86_asm_vector(&a, X86_vpaddd, 4, 5, AT(X86_R13, 0));
   expect("c4 c1 55 fe 65 00 ");
   x86_asm_vector(&a, X86_vpaddd, 4, 5, AT(X86_R12, 4096));
   expect("c4 c1 55 fe a4 24 00 10 00 00 ");
   x86_asm_vector(&a, X86_vpaddd, 4, 5, AT(X86_RAX, -128));
   expect("c5 d5 fe 60 80 ");
   x86_asm_vector(&a, X86_vpmulld, 15, 14, AT_INDEX(X86_RBX, X86_RCX, 2, 8));
   expect("c4 62 0d 40 7c 8b 08 ");
   x86_asm_vector(&a, X86_vpmulld, 0, 0, AT_INDEX(X86_R8, X86_R9, 3, 0));
   expect("c4 82 7d 40 04 c8 ");
   x86_asm_vector_imm(&a, X86_vcmpps, 1, 2, AT(X86_RAX, 0), 0x1d);
   expect("c5 ec c2 08 1d ");
   x86_asm_vector_imm(&a, X86_vextractf128, 10, 0, AT(X86_RDI, 0), 1);
   expect("c4 63 7d 19 17 01 ");
   x86_asm_vector(&a, X86_vpgatherdd, 1, 2, AT_INDEX(X86_RAX, 12, 2, 0));
   expect("c4 a2 6d 90 0c a0 ");
   x86_asm_vector(&a, X86_vmovups_store4, 3, 0, AT(X86_RSI, 0));
   expect("c5 f8 11 1e ");
   x86_asm_vector(&a, X86_vmovaps_store, 3, 0, AT(X86_RSP, 32));
   expect("c5 fc 29 5c 24 20 ");
}

static void
test_moves(void **state)
{
   (void)state;
   x86_asm_load(&a, X86_PAIR, X86_RAX, AT(X86_RBX, 24));
   expect("48 8b 43 18 ");
   x86_asm_load(&a, X86_PAIR, X86_R12, REG(X86_RAX));
   expect("4c 8b e0 ");
   x86_asm_store(&a, X86_PAIR, AT(X86_RSP, 384), X86_RAX);
   expect("48 89 84 24 80 01 00 00 ");
   x86_asm_store(&a, X86_WORD, AT_INDEX(X86_RAX, X86_RSI, 2, 0), X86_RDI);
   expect("89 3c b0 ");
   x86_asm_store_imm(&a, X86_WORD, AT(X86_R12, 8), 7);
   expect("41 c7 44 24 08 07 00 00 00 ");
   x86_asm_store_imm(&a, X86_PAIR, AT(X86_RBX, 0), 0);
   expect("48 c7 03 00 00 00 00 ");
   x86_asm_load_part(&a, 8, X86_RAX, AT(X86_RDX, 0));
   expect("0f b6 02 ");
   x86_asm_load_part(&a, 16, X86_R9, AT_INDEX(X86_RDX, X86_RCX, 1, 0));
   expect("44 0f b7 0c 4a ");
   x86_asm_store_part(&a, 8, AT_INDEX(X86_RAX, X86_RSI, 0, 0), X86_RDI);
   expect("40 88 3c 30 ");
   x86_asm_store_part(&a, 16, AT_INDEX(X86_RAX, X86_RSI, 1, 0), X86_RDI);
   expect("66 89 3c 70 ");
   x86_asm_set(&a, X86_R8, 1000);
   expect("41 b8 e8 03 00 00 ");
   x86_asm_lea(&a, X86_RDX, AT_INDEX(X86_RAX, X86_RCX, 2, 0));
   expect("48 8d 14 88 ");
   x86_asm_lea(&a, X86_R9, AT_INDEX(X86_RDX, X86_R8, 0, 3));
   expect("4e 8d 4c 02 03 ");
   x86_asm_move_if(&a, X86_ABOVE, X86_PAIR, X86_RDX, X86_RSI);
   expect("48 0f 47 d6 ");
   x86_asm_move_if(&a, X86_BELOW, X86_WORD, X86_RAX, X86_RCX);
   expect("0f 42 c1 ");
   x86_asm_push(&a, X86_RBP);
   x86_asm_push(&a, X86_R12);
   x86_asm_pop(&a, X86_R15);
   expect("55 41 54 41 5f ");
}

static void
test_arithmetic(void **state)
{
   (void)state;
   x86_asm_compute(&a, X86_ADD, X86_PAIR, X86_RAX, AT(X86_RBX, 16));
   expect("48 03 43 10 ");
   x86_asm_compute(&a, X86_SUB, X86_WORD, X86_R8, REG(X86_RDX));
   expect("44 2b c2 ");
   x86_asm_compute(&a, X86_OR, X86_WORD, X86_RCX, REG(X86_RCX));
   expect("0b c9 ");
   x86_asm_compute_imm(&a, X86_AND, X86_PAIR, REG(X86_RSP), -64);
   expect("48 83 e4 c0 ");
   x86_asm_compute_imm(&a, X86_ADD, X86_PAIR, AT(X86_RBX, 24), 61);
   expect("48 83 43 18 3d ");
   x86_asm_compute_imm(&a, X86_CMP, X86_PAIR, AT(X86_RBX, 40), 1000);
   expect("48 81 7b 28 e8 03 00 00 ");
   x86_asm_multiply_imm(&a, X86_RAX, REG(X86_RAX), 0x12345678);
   expect("48 69 c0 78 56 34 12 ");
   x86_asm_shift(&a, X86_PAIR, X86_RAX, -2);
   expect("48 c1 e8 02 ");
   x86_asm_shift(&a, X86_WORD, X86_RCX, 8);
   expect("c1 e1 08 ");
   x86_asm_count_trailing_zeros(&a, X86_RDX, X86_RCX);
   expect("f3 0f bc d1 ");
   x86_asm_count_ones(&a, X86_RAX, X86_RAX);
   expect("f3 0f b8 c0 ");
   x86_asm_clear_lowest(&a, X86_RCX, X86_RCX);
   expect("c4 e2 70 f3 c9 ");
   x86_asm_clear_lowest(&a, X86_R9, X86_R10);
   expect("c4 c2 30 f3 ca ");
}

static void
test_control(void **state)
{
   (void)state;
   const uint32_t on = x86_asm_label(&a), back = x86_asm_label(&a);
   x86_asm_place(&a, back);
   x86_asm_jump(&a, on);
   x86_asm_return(&a);
   x86_asm_place(&a, on);
   x86_asm_jump_if(&a, X86_BELOW, back);
   expect("e9 01 00 00 00 c3 0f 82 f4 ff ff ff ");
   x86_asm_call(&a, AT(X86_RAX, 104));
   expect("ff 50 68 ");
   x86_asm_fence(&a);
   expect("0f ae f0 ");
   const uint32_t place = x86_asm_take_stack(&a);
   x86_asm_fill_in(&a, place, 0x12345678);
   expect("48 81 ec 78 56 34 12 ");
}

/* They begin at the next multiple of 32; equal ones are one. Distances are from
 * the ends of instructions. */
static void
test_constants(void **state)
{
   static const uint32_t ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
   static const uint32_t twos[8] = {2, 2, 2, 2, 2, 2, 2, 2};
   uint8_t bytes[96];

   (void)state;
   x86_asm_vector(&a, X86_vaddps, 1, 2, x86_asm_constant(&a, ones));
   x86_asm_vector_imm(&a, X86_vcmpps, 1, 2, x86_asm_constant(&a, twos), 2);
   x86_asm_vector(&a, X86_vaddps, 1, 2, x86_asm_constant(&a, ones));
   assert_int_equal(x86_asm_size(&a), 96);
   x86_asm_copy(&a, bytes);
   assert_memory_equal(bytes + 32, ones, 32);
   assert_memory_equal(bytes + 64, twos, 32);
   expect("c5 ec 58 0d 18 00 00 00 "
          "c5 ec c2 0d 2f 00 00 00 02 "
          "c5 ec 58 0d 07 00 00 00 ");
}

/* More than there are buckets, each found again. */
static void
test_many_constants(void **state)
{
   enum { NUM = 300 };

   (void)state;
   for (uint32_t i = 0; i < NUM; i++) {
      const uint32_t words[8] = {i, i * i, 7};

      assert_int_equal(x86_asm_constant(&a, words).constant, i);
   }
   for (uint32_t i = 0; i < 200; i++) {
      const uint32_t words[8] = {i, i * i, 7};

      assert_int_equal(x86_asm_constant(&a, words).constant, i);
   }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
   const struct CMUnitTest tests[] = {
      TEST(test_registers),      TEST(test_memory),  TEST(test_moves),
      TEST(test_arithmetic),     TEST(test_control), TEST(test_constants),
      TEST(test_many_constants),
   };
#undef TEST
   return cmocka_run_group_tests_name("x86: assembler", tests, NULL, NULL);
}
