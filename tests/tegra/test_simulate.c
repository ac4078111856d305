/* SPDX-License-Identifier: MIT
 *
 * Programs that run: those whose results were measured on hardware, waves whose
 * lanes part, limits, and random programs.
 */
#include <stdio.h>
#include <string.h>

#include "simulate_run.h"
#include "util/bits.h"

/* ---- results measured on hardware ---------------------------------------- */

static void
attributes_pass_through(void **state)
{
   static const uint32_t words[][4] = {
      {0x4000006c, 0x0040000d, 0x8106c003, 0x6001ff80},
      {0x4000006c, 0x0040010d, 0x8106c003, 0x6001ff9d},
   };
   struct run run;

   (void)state;
   begin(&run, 1);
   execute_cleanly(&run, words, sizeof(words));
   expect_attributes(&run);
}

static void
exports_are_built_of_constants(void **state)
{
   static const uint32_t words[][4] = {
      {0x4000006c, 0x0040000d, 0x8106c003, 0x6001ff80},
      {0x4000006c, 0x0046400d, 0x8186c003, 0x60019f9c},
      {0x4000006c, 0x0048700d, 0x8186c003, 0x60007f9d},
   };
   struct run run;

   (void)state;
   begin(&run, 1);
   set(run.constants[100], 0.1f, 0.2f, 0, 0);
   set(run.constants[135], 0, 0, 0.3f, 0.4f);
   execute_cleanly(&run, words, sizeof(words));
   expect(run.exports[0][7], 0.1f, 0.2f, 0.3f, 0.4f);
}

static void
branches_are_taken(void **state)
{
   static const uint32_t words[][4] = {
      {0x0000086c, 0x4800000d, 0x8006c000, 0x60001ffc},
      {0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffd},
      {0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffd},
      {0x401f886c, 0x4840000d, 0x8106c000, 0xe001ff80},
      {0x401f806c, 0x0040000d, 0x8186c003, 0x6001ff81},
      {0x401f806c, 0x0040000d, 0x8186c003, 0x6001ff81},
      {0x401f806c, 0x0040000d, 0x8186c003, 0x6001ff81},
      {0x401f806c, 0x0040010d, 0x8106c003, 0x6001e01d},
      {0x401f806c, 0x0040000d, 0x8186c003, 0x6001ff81},
   };
   struct run run;

   (void)state;
   begin(&run, 1);
   set(run.constants[0], 1, 1, 1, 1);
   execute_cleanly(&run, words, sizeof(words));
   expect_attributes(&run);
}

static void
calls_return(void **state)
{
   static const uint32_t words[][4] = {
      {0x0000086c, 0x5b44d00d, 0x8186c000, 0x40019ffc},
      {0x481f806c, 0x0040020d, 0x8106c003, 0x6001e001},
      {0x481f886d, 0x6040050d, 0x8106c003, 0x6001ff9c},
      {0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffd},
   };
   struct run run;

   (void)state;
   begin(&run, 1);
   set(run.constants[77], -1.5f, -3.3f, 0, 0);
   execute_cleanly(&run, words, sizeof(words));
   expect_attributes(&run);
}

static void
the_stack_keeps_addresses(void **state)
{
   static const uint32_t words[][4] = {
      {0x0000006c, 0x0344d00d, 0x8186c003, 0x6001807c},
      {0x0000006c, 0x0680000d, 0x8006c003, 0x6000007c},
      {0x0000086c, 0x5800000d, 0x8006c000, 0xc0001ffc},
      {0x0000006c, 0xa000000d, 0x8006c003, 0x6000007c},
      {0x481f806c, 0x0040020d, 0x8106c003, 0x6001e000},
      {0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffd},
      {0x0000006c, 0x0347b02a, 0x8186c003, 0x6001e07c},
      {0x481f886c, 0x6040050d, 0x8106c003, 0x6001ff9c},
      {0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffd},
   };
   struct run run;

   (void)state;
   begin(&run, 1);
   set(run.constants[77], -1.5f, 0, 0, 0);
   set(run.constants[123], 0, -3.3f, 0, 0);
   execute_cleanly(&run, words, sizeof(words));
   expect_attributes(&run);
}

static void
constants_are_found_through_addresses(void **state)
{
   static const uint32_t words[][4] = {
      {0x401f806c, 0x0040000d, 0x8106c003, 0x6001ff80},
      {0x0000006c, 0x034d302a, 0x8186c003, 0x60011ffc},
      {0x0000006c, 0x05cd3055, 0x0186c003, 0x60003ffc},
      {0x401f806c, 0x0045500d, 0x8186c003, 0x60019f9e},
      {0x401f806f, 0x0049b00d, 0x8186c003, 0x60007f9f},
   };
   struct run run;

   (void)state;
   begin(&run, 1);
   set(run.constants[100], 0.1f, 0.2f, 0, 0);
   set(run.constants[135], 0, 0, 0.3f, 0.4f);
   set(run.constants[211], 0, 15.9f, -19.7f, 0);
   execute_cleanly(&run, words, sizeof(words));
   expect(run.exports[0][7], 0.1f, 0.2f, 0.3f, 0.4f);
}

static void
attributes_are_found_through_addresses(void **state)
{
   static const uint32_t words[][4] = {
      {0x4000006c, 0x0040000d, 0x8106c003, 0x6001ff80},
      {0x0000006c, 0x0345f02a, 0x8186c003, 0x60011ffc},
      {0x0000006c, 0x05c5f055, 0x0186c003, 0x60003ffc},
      {0x481f806c, 0x0040000d, 0x8106c003, 0x60019f9c},
      {0x481f806f, 0x00400f0d, 0x8106c003, 0x60007f9d},
   };
   struct run run;

   (void)state;
   begin(&run, 1);
   set(run.constants[95], 0, 1.3f, -14.3f, 0);
   execute_cleanly(&run, words, sizeof(words));
   expect_attributes(&run);
}

/* ---- lanes that part ----------------------------------------------------- */

static void
loops_end_by_themselves_in_each_lane(void **state)
{
   union tegra_instruction sum[SUM_LENGTH];
   uint32_t words[SUM_LENGTH][4];
   struct run run;

   (void)state;
   make_sum(sum);
   begin_sum(&run, 37);
   execute_cleanly(&run, words, encode(sum, SUM_LENGTH, words));
   for (uint32_t i = 0; i < 37; i++) {
      float count = (float)(1 + i * 7 % 37);
      float total = count * (count + 1) / 2;

      expect(run.exports[i][3], total, total, total, total);
   }
}

/* Two instructions, three for each turn. */
static void
steps_are_counted_in_each_lane(void **state)
{
   union tegra_instruction sum[SUM_LENGTH];
   uint32_t words[SUM_LENGTH][4];
   struct run run;

   (void)state;
   make_sum(sum);
   begin_sum(&run, 37);
   run.batch.max_steps = 2 + 3 * 20;
   char *text = execute(&run, words, encode(sum, SUM_LENGTH, words));
   assert_string_equal(text, "t: warning: instruction 2: no steps are left "
                             "(vertex 3 and 16 others)\n");
   tg_string_free(text);
   for (uint32_t i = 0; i < 37; i++) {
      uint32_t count = 1 + i * 7 % 37;

      assert_int_equal(run.ends[i],
                       count <= 20 ? TG_TEGRA_ENDED : TG_TEGRA_OUT_OF_STEPS);
   }
}

/* ---- random programs ----------------------------------------------------- */

static uint32_t
next_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (uint32_t)(*state >> 32);
}

static uint16_t
random_below(uint64_t *seed, unsigned bound)
{
   return (uint16_t)(next_random(seed) % bound);
}

/* Anything in the fields, but mostly registers that exist and jumps that stay
 * inside. */
static union tegra_instruction
random_instruction(uint64_t *seed, unsigned length)
{
   union tegra_instruction instruction;

   for (unsigned i = 0; i < TEGRA_NUM_FIELDS; i++)
      instruction.field[i] =
         (uint16_t)(next_random(seed) & ((1u << tegra_fields[i].width) - 1));
   if (next_random(seed) % 64 != 0) {
      instruction.v_rd = random_below(seed, 4);
      instruction.s_rd = random_below(seed, 4);
      instruction.ra_index = random_below(seed, 4);
      instruction.rb_index = random_below(seed, 4);
      instruction.rc_index = random_below(seed, 4);
      instruction.export_index = random_below(seed, TG_TEGRA_NUM_EXPORTS);
      instruction.v_op = random_below(seed, TEGRA_VECTOR_ARA + 1);
      instruction.s_op = random_below(seed, TEGRA_SCALAR_RSQ + 1);
   }
   switch (next_random(seed) % 16) {
   case 0: instruction.s_op = TEGRA_SCALAR_BRA; break;
   case 1: instruction.s_op = TEGRA_SCALAR_CAL; break;
   case 2: instruction.s_op = TEGRA_SCALAR_RET; break;
   case 3: instruction.v_op = TEGRA_VECTOR_PUSHA; break;
   case 4: instruction.v_op = TEGRA_VECTOR_POPA; break;
   default: break;
   }
   if (tegra_opcodes[TEGRA_SCALAR][instruction.s_op].operands ==
       TEGRA_OPERANDS_TARGET)
      instruction.rc_swz = random_below(seed, length + 1);
   instruction.end = next_random(seed) % 8 == 0;
   instruction.const_index = random_below(seed, 260);
   return instruction;
}

enum { RANDOM_LENGTH = 16 };

static void
make_random(union tegra_instruction *instructions, uint64_t *seed)
{
   for (unsigned i = 0; i < RANDOM_LENGTH; i++)
      instructions[i] = random_instruction(seed, RANDOM_LENGTH);
}

/* Mostly instructions that only compute, over four registers that hold
 * something, which are exported in the end. */
static void
make_calm(union tegra_instruction *instructions, uint64_t *seed)
{
   for (unsigned i = 0; i < 4; i++) {
      instructions[i] = mov_attribute(i, i);
      instructions[RANDOM_LENGTH - 4 + i] = export_temporary(i, i);
      instructions[RANDOM_LENGTH - 4 + i].end = i == 3;
   }
   for (unsigned i = 4; i < RANDOM_LENGTH - 4; i++) {
      union tegra_instruction *instruction = &instructions[i];
      bool is_odd = next_random(seed) % 16 == 0;

      *instruction = random_instruction(seed, RANDOM_LENGTH);
      instruction->end = 0;
      instruction->cc &= is_odd;
      instruction->cs &= is_odd;
      instruction->sat &= is_odd;
      instruction->attr_rel &= is_odd;
      instruction->const_rel &= is_odd;
      instruction->export_rel &= is_odd;
      instruction->const_index %= TG_TEGRA_NUM_CONSTANTS;
      if (tegra_opcodes[TEGRA_SCALAR][instruction->s_op].effect !=
             TEGRA_EFFECT_NONE &&
          !is_odd)
         instruction->s_op = TEGRA_SCALAR_MOV;
      if (tegra_opcodes[TEGRA_VECTOR][instruction->v_op].effect !=
             TEGRA_EFFECT_NONE &&
          !is_odd)
         instruction->v_op = TEGRA_VECTOR_MAD;
   }
}

static void
fill_in(struct run *run, uint64_t *seed)
{
   begin(run, 37);
   for (uint32_t i = 0; i < 37; i++) {
      for (unsigned k = 0; k < 64; k++) {
         float value = (float)(next_random(seed) % 64) / 8 - 4;

         run->attributes[i][k / 4][k % 4] = tg_bits_of_float(value);
      }
   }
   for (unsigned i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++)
      set(run->constants[i], (float)i - 8, -1, 0.5f, 2);
   run->batch.max_steps = 100;
}

static void
hear_nothing(void *user, const struct tg_tegra_change *change)
{
   (void)user;
   (void)change;
}

/* One NaN counts as any other. */
static void
unify_nans(struct run *run)
{
   uint32_t *words = run->exports[0][0];

   for (size_t i = 0; i < sizeof(run->exports) / sizeof(*words); i++) {
      if ((words[i] & 0x7fffffff) > 0x7f800000)
         words[i] = 0x7fc00000;
   }
}

static bool
is_there(const char *set)
{
   return exec_interpreter_for(set) != NULL;
}

/* A traced vertex is a wave of its own. With whatever instruction set. */
static void
waves_are_as_vertices_one_by_one(void **state)
{
   static const char *const sets[] = {"baseline", "avx2", "avx512"};
   static struct run together, alone;
   uint64_t seed = 1;
   unsigned num_ended = 0;

   (void)state;
   fill_in(&together, &seed);
   alone = together;
   alone.batch.attributes = alone.attributes[0][0];
   alone.batch.constants = alone.constants[0];
   alone.batch.exports = alone.exports[0][0];
   alone.batch.ends = alone.ends;
   alone.batch.trace = hear_nothing;
   for (unsigned i = 0; i < 20000; i++) {
      union tegra_instruction instructions[RANDOM_LENGTH];
      uint32_t words[RANDOM_LENGTH][4];

      if (i % 2 == 0)
         make_random(instructions, &seed);
      else
         make_calm(instructions, &seed);
      size_t size = encode(instructions, RANDOM_LENGTH, words);
      const char *set = is_there(sets[i % 3]) ? sets[i % 3] : NULL;
      char *text = execute_with(set, &together, words, size);
      char *text_alone = execute(&alone, words, size);
      assert_string_equal(text, text_alone);
      tg_string_free(text);
      tg_string_free(text_alone);
      assert_memory_equal(together.ends, alone.ends, sizeof(alone.ends));
      unify_nans(&together);
      unify_nans(&alone);
      assert_memory_equal(together.exports, alone.exports,
                          sizeof(alone.exports));
      for (unsigned k = 0; k < 37; k++)
         num_ended += together.ends[k] == TG_TEGRA_ENDED;
   }
   /* Otherwise they would say little. */
   assert_true(num_ended > 20000 * 37 / 4);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(attributes_pass_through),
      cmocka_unit_test(exports_are_built_of_constants),
      cmocka_unit_test(branches_are_taken),
      cmocka_unit_test(calls_return),
      cmocka_unit_test(the_stack_keeps_addresses),
      cmocka_unit_test(constants_are_found_through_addresses),
      cmocka_unit_test(attributes_are_found_through_addresses),
      cmocka_unit_test(loops_end_by_themselves_in_each_lane),
      cmocka_unit_test(steps_are_counted_in_each_lane),
      cmocka_unit_test(waves_are_as_vertices_one_by_one),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
