/* SPDX-License-Identifier: MIT
 *
 * Runs of loads, on each executor: words that are inside of the bounds, and 0
 * for those that are not, each by itself, however lanes look at them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness.h"
#include "lir/passes.h"

enum { NUM_WORDS = 40, MAX_BOUND = NUM_WORDS - 8 };

/* None is 0, and those that are outside of the bounds are there all the same.
 */
static uint32_t memory[NUM_WORDS];

/* What is loaded: words from index, or index and `offset`, on; a word of its
 * own before and after them, which a JIT may load together. The sum of the last
 * two takes them from wherever the interpreter carries them. */
struct subject {
   enum lir_space space;
   unsigned num_words;
   uint32_t offset;
   bool has_barrier; /* between loads and stores */

   struct harness harness;
   struct compiled compiled;
   uint32_t index[LIR_LANES];
};

/* ---- modules ------------------------------------------------------------- */

static lir_value
load_at(struct subject *subject, lir_value index, uint32_t offset)
{
   struct lir_builder *b = &subject->harness.b;

   if (offset != 0) {
      const lir_value constant = lir_const32(b, offset);
      index = lir_iadd(b, index, constant);
   }
   return lir_load32(b, subject->space, 0, index);
}

static void
write_module(struct subject *subject)
{
   struct lir_module *module = &subject->harness.module;
   struct lir_builder *b = &subject->harness.b;
   lir_value word[LIR_MAX_RUN + 3];
   bool changed = false;
   unsigned count = 0, num_marks = 0;

   begin(&subject->harness);
   const lir_value zero = lir_const32(b, 0);
   const lir_value index = lir_load32(b, LIR_SPACE_INPUT, 0, zero);
   const lir_value other = lir_inot(b, index);
   word[count++] = load_at(subject, other, 0);
   for (unsigned i = 0; i < subject->num_words; i++)
      word[count++] = load_at(subject, index, subject->offset + i);
   const lir_value sum = lir_iadd(b, word[count - 2], word[count - 1]);
   word[count++] = load_at(subject, other, 2);
   word[count++] = sum;
   if (subject->has_barrier)
      lir_build(b, LIR_OP_barrier, NULL, 0);
   for (unsigned i = 0; i < count; i++)
      give(&subject->harness, i, word[i]);
   assert_int_equal(lir_pass_uniformity(module, &changed), TG_OK);
   assert_int_equal(lir_pass_vectorize(module, &changed), TG_OK);
   assert_null(lir_verify(module));
   for (uint32_t i = 0; i < module->functions[0].num_insts; i++)
      num_marks +=
         module->functions[0].insts[i].num_words == subject->num_words;
   assert_int_equal(num_marks, 1);
}

/* ---- waves --------------------------------------------------------------- */

static uint32_t
word_at(uint32_t index, uint32_t num_words)
{
   return index < num_words ? memory[index] : 0;
}

static void
expect_words(const struct subject *subject, uint32_t output, bool inverted,
             uint32_t offset, uint32_t num_words)
{
   uint32_t expected[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++) {
      const uint32_t index = subject->index[i];

      expected[i] = word_at((inverted ? ~index : index) + offset, num_words);
   }
   expect(&subject->harness, output, expected);
}

static void
expect_sums(const struct subject *subject, uint32_t num_words)
{
   const uint32_t last = subject->offset + subject->num_words - 1;
   uint32_t expected[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++)
      expected[i] = word_at(subject->index[i] + last - 1, num_words) +
                    word_at(subject->index[i] + last, num_words);
   expect(&subject->harness, subject->num_words + 2, expected);
}

/* Runs a wave in memory of so many words. */
static void
check_wave(struct subject *subject, uint32_t num_words)
{
   struct harness *harness = &subject->harness;
   const struct exec_memory bound = {memory, num_words * sizeof(memory[0])};
   struct exec_wave wave = harness->wave;

   memset(harness->output, 0xa5, sizeof(harness->output));
   wave.memory[subject->space] = &bound;
   wave.num_memories[subject->space] = 1;
   wave.input.data = &subject->index;
   wave.input.num_words = 1;
   wave.stops_at_barriers = subject->has_barrier;
   enum tg_result result = subject->compiled.executor->run(
      subject->compiled.program, &wave, subject->compiled.scratch,
      &harness->fault);
   assert_int_equal(wave.wait.lanes, subject->has_barrier ? 0xffff : 0);
   if (subject->has_barrier)
      result = subject->compiled.executor->resume(
         subject->compiled.program, &wave, subject->compiled.scratch,
         &harness->fault);
   assert_int_equal(result, TG_OK);

   expect_words(subject, 0, true, 0, num_words);
   for (unsigned i = 0; i < subject->num_words; i++)
      expect_words(subject, i + 1, false, subject->offset + i, num_words);
   expect_words(subject, subject->num_words + 1, true, 2, num_words);
   expect_sums(subject, num_words);
}

/* What the lanes look at: alone or all of them at an index, the others where
 * all words are inside of the bounds if they can be. */
static void
check_index(struct subject *subject, uint32_t num_words, uint32_t index)
{
   static const uint32_t groups[] = {0x0001, 0x0020, 0x8000,
                                     0x7fff, 0xfffe, 0xffff};

   for (unsigned k = 0; k < sizeof(groups) / sizeof(groups[0]); k++) {
      for (unsigned differ = 0; differ < 2; differ++) {
         for (uint32_t i = 0; i < LIR_LANES; i++)
            subject->index[i] = groups[k] >> i & 1 ? index
                                : differ           ? i - subject->offset
                                                   : 3 - subject->offset;
         check_wave(subject, num_words);
      }
   }
}

static void
check_bound(struct subject *subject, uint32_t num_words)
{
   for (uint32_t i = 0; i < 8; i++) {
      check_index(subject, num_words, num_words - i);
      check_index(subject, num_words, num_words - i - subject->offset);
      check_index(subject, num_words, UINT32_MAX - i);
      check_index(subject, num_words, i);
   }
   for (uint32_t i = 0; i < LIR_LANES; i++)
      subject->index[i] = num_words - i;
   check_wave(subject, num_words);
   for (uint32_t i = 0; i < LIR_LANES; i++)
      subject->index[i] = UINT32_MAX / 2 + 4 - i;
   check_wave(subject, num_words);
}

static void
check_subject(struct subject subject)
{
   static const uint32_t bounds[] = {0, 1, 2, 3, 4, 5, 20, MAX_BOUND};
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned count = all_executors(executors);

   for (uint32_t i = 0; i < NUM_WORDS; i++)
      memory[i] = 1000 + i;
   write_module(&subject);
   for (unsigned k = 0; k < count; k++) {
      open_compiled(&subject.compiled, executors[k], &subject.harness.module);
      for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
         check_bound(&subject, bounds[i]);
      close_compiled(&subject.compiled);
   }
   end(&subject.harness);
}

/* ---- what it costs ------------------------------------------------------- */

/* More than caches hold, which accesses are charged for. */
enum { MANY_WORDS = 1 << 19 };

static uint64_t
count_steps(struct harness *harness, const struct exec_executor *executor)
{
   static uint32_t many[MANY_WORDS], index[LIR_LANES];
   const struct exec_memory bound = {many, sizeof(many)};
   struct exec_wave wave = harness->wave;
   struct compiled compiled;

   wave.memory[LIR_SPACE_CONST] = &bound;
   wave.num_memories[LIR_SPACE_CONST] = 1;
   wave.input.data = &index;
   wave.input.num_words = 1;
   open_compiled(&compiled, executor, &harness->module);
   assert_int_equal(
      executor->run(compiled.program, &wave, compiled.scratch, &harness->fault),
      TG_OK);
   close_compiled(&compiled);
   return wave.steps;
}

/* A wave pays as much as for loads by themselves. */
static void
test_steps(void **state)
{
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned count = all_executors(executors);
   struct subject subject = {.space = LIR_SPACE_CONST, .num_words = 4};
   struct lir_module *module = &subject.harness.module;
   uint64_t steps[MAX_EXECUTORS];

   (void)state;
   write_module(&subject);
   for (unsigned k = 0; k < count; k++)
      steps[k] = count_steps(&subject.harness, executors[k]);
   for (uint32_t i = 0; i < module->functions[0].num_insts; i++)
      module->functions[0].insts[i].num_words = 0;
   for (unsigned k = 0; k < count; k++)
      assert_int_equal(steps[k], count_steps(&subject.harness, executors[k]));
   end(&subject.harness);
}

/* ---- tests --------------------------------------------------------------- */

static void
check_space(enum lir_space space)
{
   for (unsigned num_words = 2; num_words <= LIR_MAX_RUN; num_words++) {
      check_subject((struct subject){.space = space, .num_words = num_words});
      check_subject((struct subject){
         .space = space,
         .num_words = num_words,
         .offset = num_words == 3 ? UINT32_MAX : 2,
      });
   }
   check_subject((struct subject){
      .space = space,
      .num_words = 3,
      .has_barrier = true,
   });
}

static void
test_constants(void **state)
{
   (void)state;
   check_space(LIR_SPACE_CONST);
}

static void
test_textures(void **state)
{
   (void)state;
   check_space(LIR_SPACE_TEXTURE);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_textures),
      cmocka_unit_test(test_steps),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
