/* SPDX-License-Identifier: MIT
 *
 * Fields out of words and back, against instructions with known words, and the
 * tables against what the specification says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tegra/isa/isa.h"

struct words {
   uint32_t words[TG_TEGRA_WORDS];
};

static const struct words vectors[] = {
#define TEGRA_TEXT(text, ...) {{__VA_ARGS__}},
#define TEGRA_DRIVER(...) {{__VA_ARGS__}},
#include "vectors.def"
};

static void
vectors_go_through_fields(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
      union tegra_instruction instruction = tegra_isa_decode(vectors[i].words);
      uint32_t words[TG_TEGRA_WORDS];

      tegra_isa_encode(&instruction, words);
      assert_memory_equal(words, vectors[i].words, sizeof(words));
   }
}

/* A multiplicative generator; what it gives need not be good, only varied. */
static uint32_t
next_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (uint32_t)(*state >> 32);
}

static void
any_word_goes_through_fields(void **state)
{
   uint64_t seed = 1;

   (void)state;
   for (unsigned i = 0; i < 100000; i++) {
      uint32_t words[TG_TEGRA_WORDS], again[TG_TEGRA_WORDS];
      for (unsigned j = 0; j < TG_TEGRA_WORDS; j++)
         words[j] = next_random(&seed);
      union tegra_instruction instruction = tegra_isa_decode(words);

      tegra_isa_encode(&instruction, again);
      assert_memory_equal(words, again, sizeof(words));
   }
}

/* DP3v r3.x, r1, c[1] beside RCPs r0.x, c[1].w, field by field. */
static void
fields_of_a_pair(void **state)
{
   static const uint32_t words[] = {0x0001806c, 0x1140100d, 0x8286c0df,
                                    0xe071007c};
   union tegra_instruction instruction = tegra_isa_decode(words);

   (void)state;
   assert_int_equal(instruction.end, 0);
   assert_int_equal(instruction.export_index, 31);
   assert_int_equal(instruction.s_rd, 0);
   assert_int_equal(instruction.s_mask, 8);
   assert_int_equal(instruction.v_rd, 3);
   assert_int_equal(instruction.v_mask, 8);
   assert_int_equal(instruction.rc_type, TEGRA_CONSTANT);
   assert_int_equal(instruction.rc_swz, 0xff);
   assert_int_equal(instruction.rb_type, TEGRA_CONSTANT);
   assert_int_equal(instruction.rb_swz, TEGRA_IDENTITY);
   assert_int_equal(instruction.ra_type, TEGRA_TEMPORARY);
   assert_int_equal(instruction.ra_index, 1);
   assert_int_equal(instruction.ra_swz, TEGRA_IDENTITY);
   assert_int_equal(instruction.const_index, 1);
   assert_int_equal(instruction.v_op, TEGRA_VECTOR_DP3);
   assert_int_equal(instruction.s_op, TEGRA_SCALAR_RCP);
   assert_int_equal(instruction.p_swz, TEGRA_IDENTITY);
}

/* MOVs r63, c[A0.w + 100] exported to A0.w + 9. */
static void
fields_of_relative_indices(void **state)
{
   static const uint32_t words[] = {0x101f806f, 0x0806400d, 0x8006c003,
                                    0x607e1fa6};
   union tegra_instruction instruction = tegra_isa_decode(words);
   struct tegra_operand c = tegra_isa_get_source(&instruction, TEGRA_RC);

   (void)state;
   assert_int_equal(instruction.export_index, 9);
   assert_int_equal(instruction.export_rel, 1);
   assert_int_equal(instruction.export_vec, 0);
   assert_int_equal(instruction.a_sel, 3);
   assert_int_equal(instruction.s_rd, TEGRA_NO_REGISTER);
   assert_int_equal(instruction.v_rd, TEGRA_NO_REGISTER);
   assert_int_equal(instruction.s_mask, TEGRA_MASK_XYZW);
   assert_int_equal(c.file, TEGRA_CONSTANT);
   assert_int_equal(c.index, 100);
   assert_true(c.relative);
   assert_int_equal(c.swizzle, TEGRA_IDENTITY);
   assert_false(c.negate || c.absolute);
}

static void
opcodes_are_found_by_name(void **state)
{
   (void)state;
   assert_int_equal(tegra_isa_find_opcode(TEGRA_VECTOR, "mad", 3), 4);
   assert_int_equal(tegra_isa_find_opcode(TEGRA_VECTOR, "MVA", 3), 24);
   assert_int_equal(tegra_isa_find_opcode(TEGRA_SCALAR, "BRI", 3), 9);
   assert_int_equal(tegra_isa_find_opcode(TEGRA_SCALAR, "MAD", 3), -1);
   assert_int_equal(tegra_isa_find_opcode(TEGRA_SCALAR, "PUSHAX", 6), -1);
   assert_int_equal(tegra_isa_find_field("RC_SWZ", 6), TEGRA_FIELD_rc_swz);
   assert_int_equal(tegra_isa_find_field("rc_swzz", 7), -1);
}

/* 28 vector and 21 scalar opcodes have rows, nothing is known of the rest. */
static void
rows_are_as_many_as_the_specification_has(void **state)
{
   unsigned count[TEGRA_NUM_UNITS] = {0};

   (void)state;
   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      for (unsigned i = 0; i < TEGRA_NUM_OPCODES; i++) {
         const struct tegra_opcode_info *info = &tegra_opcodes[unit][i];

         count[unit] += info->name != NULL;
         assert_true(info->name || info->effect == TEGRA_EFFECT_UNKNOWN);
      }
   }
   assert_int_equal(count[TEGRA_VECTOR], 28);
   assert_int_equal(count[TEGRA_SCALAR], 21);
}

/* Sizes that are no program. */
static void
odd_sizes_are_refused(void **state)
{
   static const size_t sizes[] = {0, 1, 3, 5, 1023, 1028};
   static const uint32_t words[1028];

   (void)state;
   for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
      struct tg_tegra_program *program = NULL;

      assert_int_equal(
         tg_tegra_decode(NULL, "t", words, sizes[i], NULL, &program),
         TG_ERROR_INPUT);
      assert_null(program);
   }
}

static void
a_program_keeps_its_words(void **state)
{
   static const uint32_t words[1024] = {[0] = 1, [1023] = 0xffffffff};
   struct tg_tegra_program *program = NULL;

   (void)state;
   assert_int_equal(tg_tegra_decode(NULL, "t", words, 1024, NULL, &program),
                    TG_OK);
   assert_int_equal(tg_tegra_num_instructions(program), 256);
   assert_memory_equal(tg_tegra_words(program), words, sizeof(words));
   assert_null(tg_tegra_name(program, TG_TEGRA_ATTRIBUTE, 16));
   tg_tegra_program_destroy(program);
}

/* Words of two instructions with exports 0 and 7, and one with export[A0.y]. */
static void
exports_that_instructions_name(void **state)
{
   static const uint32_t words[3][TG_TEGRA_WORDS] = {
      {0x401f806c, 0x0040000d, 0x8106c003, 0x6001ff80},
      {0x4000006c, 0x0046400d, 0x8186c003, 0x60019f9c},
      {0x581f806d, 0x0040030d, 0x8106c003, 0x6001ff80},
   };
   static const uint32_t expected[3] = {1u << 0, 1u << 0 | 1u << 7, 0xffff};

   (void)state;
   for (size_t i = 0; i < 3; i++) {
      struct tg_tegra_program *program = NULL;

      assert_int_equal(tg_tegra_decode(NULL, "t", words[0],
                                       (i + 1) * TG_TEGRA_WORDS, NULL,
                                       &program),
                       TG_OK);
      assert_int_equal(tg_tegra_exports(program), expected[i]);
      tg_tegra_program_destroy(program);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectors_go_through_fields),
      cmocka_unit_test(any_word_goes_through_fields),
      cmocka_unit_test(fields_of_a_pair),
      cmocka_unit_test(fields_of_relative_indices),
      cmocka_unit_test(opcodes_are_found_by_name),
      cmocka_unit_test(rows_are_as_many_as_the_specification_has),
      cmocka_unit_test(odd_sizes_are_refused),
      cmocka_unit_test(a_program_keeps_its_words),
      cmocka_unit_test(exports_that_instructions_name),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
