/* SPDX-License-Identifier: MIT
 *
 * Words to fields and back, against recorded encodings, and the registers that
 * the specification's examples say are read and written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "maxwell/isa/isa.h"

static const uint64_t vectors[] = {
#define MAXWELL_RECORD(word, control, text) word,
#define MAXWELL_WORKED(word, control, text) word,
#include "vectors.def"
};

static void
vectors_go_through_fields(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
      struct maxwell_instruction instruction;

      assert_true(maxwell_isa_decode(vectors[i], &instruction));
      assert_true(maxwell_isa_encode(&instruction) == vectors[i]);
   }
}

/* Fields of a form overlap neither each other nor the bits that name it, and
 * no word is two forms. */
static void
forms_are_apart(void **state)
{
   (void)state;
   for (unsigned form = 0; form < MAXWELL_NUM_FORMS; form++) {
      uint64_t claimed = maxwell_forms[form].bits;

      assert_true((maxwell_forms[form].value & ~claimed) == 0);
      for (unsigned i = 0; i < MAXWELL_NUM_FIELDS; i++) {
         struct maxwell_bits bits = maxwell_fields[form][i];
         uint64_t mask = ((UINT64_C(1) << bits.width) - 1) << bits.lsb;

         assert_true((claimed & mask) == 0);
         claimed |= mask;
      }
      for (unsigned other = 0; other < form; other++) {
         uint64_t both = maxwell_forms[form].bits & maxwell_forms[other].bits;

         assert_true((maxwell_forms[form].value & both) !=
                     (maxwell_forms[other].value & both));
      }
   }
   assert_true(maxwell_forms[MAXWELL_FORM_TEXS].bits == 0xf600000000000000);
}

static struct maxwell_instruction
decode(uint64_t word)
{
   struct maxwell_instruction instruction;

   assert_true(maxwell_isa_decode(word, &instruction));
   return instruction;
}

static void
expect_group(const struct maxwell_group *group, unsigned base, unsigned count,
             const uint8_t *content)
{
   assert_int_equal(group->base, base);
   assert_int_equal(group->count, count);
   if (count)
      assert_memory_equal(group->content, content, count);
}

/* TEXS.DC R4, R0, R8, R19, 0x2, 2D, RGBA reads R8, R9 and R19; writes R4, R5,
 * R0 and R1. */
static void
registers_of_a_comparison(void **state)
{
   static const uint8_t st[] = {MAXWELL_OPERAND_S, MAXWELL_OPERAND_T};
   static const uint8_t dc[] = {MAXWELL_OPERAND_DC};
   static const uint8_t rg[] = {1, 2}, ba[] = {3, 4};
   struct maxwell_instruction instruction = decode(0xd890002041370800);
   struct maxwell_group sources[2], results[2];

   (void)state;
   assert_true(maxwell_source_registers(&instruction, sources));
   assert_true(maxwell_result_registers(&instruction, results));
   expect_group(&sources[0], 8, 2, st);
   expect_group(&sources[1], 19, 1, dc);
   expect_group(&results[0], 0, 2, rg);
   expect_group(&results[1], 4, 2, ba);
}

/* @!P0 TEXS.F16.LZ.NODEP RZ, R5, R7, R9, 0x10, 2D, GA: both halves of R5. */
static void
registers_of_halves(void **state)
{
   static const uint8_t s[] = {MAXWELL_OPERAND_S}, t[] = {MAXWELL_OPERAND_T};
   static const uint8_t ga[] = {2 | 4 << 4};
   struct maxwell_instruction instruction = decode(0xd05a010ff0980705);
   struct maxwell_group sources[2], results[2];

   (void)state;
   assert_true(maxwell_isa_is_half(&instruction));
   assert_int_equal(instruction.pred, 0);
   assert_int_equal(instruction.pnot, 1);
   assert_int_equal(instruction.nodep, 1);
   assert_int_equal(instruction.index, 0x10);
   assert_true(maxwell_source_registers(&instruction, sources));
   assert_true(maxwell_result_registers(&instruction, results));
   expect_group(&sources[0], 7, 1, s);
   expect_group(&sources[1], 9, 1, t);
   expect_group(&results[0], 5, 1, ga);
   expect_group(&results[1], MAXWELL_RZ, 0, NULL);
}

/* TEX.AOFFI P2, R4, R4, R3, 0x17, CUBE, 0x3 writes R and G to R4 and R5. */
static void
registers_of_a_full_form(void **state)
{
   static const uint8_t str[] = {MAXWELL_OPERAND_S, MAXWELL_OPERAND_T,
                                 MAXWELL_OPERAND_R};
   static const uint8_t offset[] = {MAXWELL_OPERAND_OFFSET};
   static const uint8_t rg[] = {1, 2};
   struct maxwell_instruction instruction = decode(0xc0500171e0370404);
   struct maxwell_group sources[2], results[2];

   (void)state;
   assert_int_equal(instruction.dpred, 2);
   assert_true(maxwell_source_registers(&instruction, sources));
   assert_true(maxwell_result_registers(&instruction, results));
   expect_group(&sources[0], 4, 3, str);
   expect_group(&sources[1], 3, 1, offset);
   expect_group(&results[0], 4, 2, rg);
   expect_group(&results[1], MAXWELL_RZ, 0, NULL);
}

/* 14 rows of TEXS, each found by its own properties; two lists of masks. */
static void
rows_are_as_many_as_the_specification_has(void **state)
{
   unsigned count = 0;

   (void)state;
   for (unsigned i = 0; i < maxwell_num_rows; i++) {
      const struct maxwell_row *row = &maxwell_rows[i];

      count += row->form == MAXWELL_FORM_TEXS;
      assert_ptr_equal(
         maxwell_isa_row_for(row->form, row->dim, row->lod, row->extra), row);
   }
   assert_int_equal(count, 14);
   assert_null(maxwell_isa_row_for(MAXWELL_FORM_TEXS, MAXWELL_DIM_3D,
                                   MAXWELL_LOD_LL, MAXWELL_EXTRA_NONE));
   assert_null(maxwell_isa_mask_for(5));
   assert_null(maxwell_isa_mask_for(6));
   assert_int_equal(maxwell_isa_mask_for(13)->code, 2);
}

/* A cubin's word of control bits: 0x0207b1, 0x0407bf, 0x0007e1. */
static void
control_bits_come_out_of_bundles(void **state)
{
   static const uint64_t code[] = {0x001f8480f7e207b1, 0xd820056ff0470907,
                                   0xd820057ff0870908, 0};
   struct tg_maxwell_program *program = NULL;

   (void)state;
   assert_int_equal(tg_maxwell_decode_code(NULL, "t", code, 4, NULL, &program),
                    TG_OK);
   assert_int_equal(tg_maxwell_num_instructions(program), 3);
   assert_int_equal(tg_maxwell_controls(program)[0], 0x0207b1);
   assert_int_equal(tg_maxwell_controls(program)[1], 0x0407bf);
   assert_int_equal(tg_maxwell_controls(program)[2], 0x0007e1);
   assert_true(tg_maxwell_words(program)[1] == code[2]);

   union maxwell_control control = maxwell_isa_decode_control(0x0207b1);
   assert_int_equal(control.stall, 1);
   assert_int_equal(control.yield, 1);
   assert_int_equal(control.write, 5);
   assert_int_equal(control.read, 7);
   assert_int_equal(control.wait, 0);
   assert_int_equal(control.t, 1);
   assert_int_equal(control.p, 0);
   assert_int_equal(maxwell_isa_encode_control(&control), 0x0207b1);
   tg_maxwell_program_destroy(program);
}

/* The same bundle comes back, and two NOPs behind what one more instruction
 * makes of it. */
static void
control_bits_go_into_bundles(void **state)
{
   static const uint64_t code[] = {0x001f8480f7e207b1, 0xd820056ff0470907,
                                   0xd820057ff0870908, 0x50b0000000070f00};
   static const uint64_t words[] = {
      0xd820056ff0470907,
      0xd820057ff0870908,
      0x50b0000000070f00,
      0xd830001ff1d71300,
   };
   static const uint32_t controls[] = {0x0207b1, 0x0407bf, 0x0007e1, 0x0007ff};
   static const uint64_t rest[] = {0x001f8000fc0007ff, 0xd830001ff1d71300,
                                   0x50b0000000070f00, 0x50b0000000070f00};
   struct tg_maxwell_program *program = NULL;
   uint64_t written[8];

   (void)state;
   assert_int_equal(
      tg_maxwell_decode(NULL, "t", words, controls, 4, NULL, &program), TG_OK);
   assert_int_equal(tg_maxwell_num_code_words(program), 8);
   tg_maxwell_encode_code(program, written);
   assert_memory_equal(written, code, sizeof(code));
   assert_memory_equal(written + 4, rest, sizeof(rest));
   tg_maxwell_program_destroy(program);
}

static void
what_is_no_code_is_refused(void **state)
{
   static const uint64_t words[4] = {UINT64_C(1) << 63};
   static const uint32_t controls[1] = {1u << 21};
   struct tg_maxwell_program *program = NULL;

   (void)state;
   assert_int_equal(tg_maxwell_decode_code(NULL, "t", words, 4, NULL, &program),
                    TG_ERROR_INPUT);
   assert_int_equal(tg_maxwell_decode_code(NULL, "t", words, 3, NULL, &program),
                    TG_ERROR_INPUT);
   assert_int_equal(
      tg_maxwell_decode(NULL, "t", words, NULL, 0, NULL, &program),
      TG_ERROR_INPUT);
   assert_int_equal(
      tg_maxwell_decode(NULL, "t", words, controls, 1, NULL, &program),
      TG_ERROR_INPUT);
   assert_null(program);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectors_go_through_fields),
      cmocka_unit_test(forms_are_apart),
      cmocka_unit_test(registers_of_a_comparison),
      cmocka_unit_test(registers_of_halves),
      cmocka_unit_test(registers_of_a_full_form),
      cmocka_unit_test(rows_are_as_many_as_the_specification_has),
      cmocka_unit_test(control_bits_come_out_of_bundles),
      cmocka_unit_test(control_bits_go_into_bundles),
      cmocka_unit_test(what_is_no_code_is_refused),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
