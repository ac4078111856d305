/* SPDX-License-Identifier: MIT
 *
 * Loads from constants of a declared size, on each executor: words that are
 * bound, and 0 for those that are not, however many the binding has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness.h"
#include "lir/passes.h"
#include "util/length.h"

enum {
   OTHER = 2,
   TABLE,
   NUM_BINDINGS,
   NUM_FIRST = 40, /* indices of the first lane */
   NUM_WORDS = LIR_MAX_SIZE_WORDS + 8,
};

/* None is 0, and those that are outside of the bounds are there all the same.
 */
static uint32_t memory[NUM_WORDS];
static uint32_t other_memory[] = {70, 71, 72};

/* What is looked up, in this order of outputs. */
enum lookup {
   VARYING,                      /* at the first index of each lane */
   RUN,                          /* three from there */
   PAIR = RUN + 3,               /* two from the second index */
   BITS = PAIR + 2,              /* at 1 or 2, by bits of the first index, */
   OTHER_BITS = BITS + 3,        /* and of the second, */
   OTHER_TABLE = OTHER_BITS + 2, /* and of the first, in another table */
   SUM = OTHER_TABLE + 2, /* at 0, 1 or 2, by bits of the first and third */
   UNIFORM,               /* at an index that is the same in all */
   CONSTANT,              /* at 1 */
   MIXED, /* two, of which only the first is proven to be inside */
   CHECKED = MIXED + 2, /* at one that may be outside of the declared size, */
   CHECKED_UNIFORM,     /* and is the same in all */
   SIZE,                /* bytes that are bound */
   NUM_LOOKUPS,
};

/* How many of these are proven to be inside. */
enum { NUM_INSIDE = CHECKED - VARYING - 1 };

struct subject {
   uint32_t declared; /* words */
   struct harness harness;
   struct compiled compiled;
   lir_value word[NUM_LOOKUPS];
   uint32_t index[3][LIR_LANES];
   uint32_t uniform_index;
};

/* ---- modules ------------------------------------------------------------- */

/* An index that `ahead` words after are inside, too. */
static lir_value
clamp(struct subject *subject, lir_value index, uint32_t ahead)
{
   struct lir_builder *b = &subject->harness.b;
   const lir_value last = lir_const32(b, subject->declared - 1 - ahead);

   return lir_umin(b, index, last);
}

static void
look_up_in(struct subject *subject, uint32_t table, enum lookup lookup,
           lir_value index)
{
   subject->word[lookup] =
      lir_load32(&subject->harness.b, LIR_SPACE_CONST, table, index);
}

static void
look_up(struct subject *subject, enum lookup lookup, lir_value index)
{
   look_up_in(subject, TABLE, lookup, index);
}

static void
look_up_run(struct subject *subject, enum lookup lookup, lir_value at,
            uint32_t num_words)
{
   struct lir_builder *b = &subject->harness.b;

   for (uint32_t i = 0; i < num_words; i++) {
      const lir_value offset = lir_const32(b, i);
      const lir_value sum = i > 0 ? lir_iadd(b, at, offset) : at;

      look_up(subject, lookup + i, sum);
   }
}

static void
look_up_bits(struct subject *subject, uint32_t table, enum lookup lookup,
             lir_value index, uint32_t num_bits)
{
   struct lir_builder *b = &subject->harness.b;
   const lir_value one = lir_const32(b, 1);

   for (uint32_t i = 0; i < num_bits; i++) {
      const lir_value number = lir_const32(b, i);
      const lir_value shifted = lir_ushr(b, index, number);
      const lir_value bit = lir_iand(b, shifted, one);
      const lir_value at = lir_iadd(b, bit, one);

      look_up_in(subject, table, lookup + i, at);
   }
}

static void
look_up_sum(struct subject *subject, lir_value a, lir_value b)
{
   struct lir_builder *builder = &subject->harness.b;
   const lir_value one = lir_const32(builder, 1);
   const lir_value bit_of_a = lir_iand(builder, a, one);
   const lir_value bit_of_b = lir_iand(builder, b, one);

   look_up(subject, SUM, lir_iadd(builder, bit_of_a, bit_of_b));
}

static void
check_marks(const struct lir_function *function)
{
   unsigned num_inside = 0, num_runs = 0;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      num_inside += function->insts[i].is_inside;
      num_runs += function->insts[i].num_words > 1;
   }
   assert_int_equal(num_inside, NUM_INSIDE);
   assert_int_equal(num_runs, 3);
}

static void
write_module(struct subject *subject)
{
   struct lir_module *module = &subject->harness.module;
   struct lir_builder *b = &subject->harness.b;
   bool changed = false;

   begin(&subject->harness);
   assert_true(lir_module_declare_size(module, TABLE, subject->declared));
   assert_true(lir_module_declare_size(module, OTHER, TG_LENGTH(other_memory)));
   const lir_value zero = lir_const32(b, 0);
   const lir_value one = lir_const32(b, 1);
   const lir_value index = lir_load32(b, LIR_SPACE_INPUT, 0, zero);
   const lir_value other = lir_load32(b, LIR_SPACE_INPUT, 0, one);
   const lir_value two = lir_const32(b, 2);
   const lir_value third = lir_load32(b, LIR_SPACE_INPUT, 0, two);
   const lir_value same = lir_load32(b, LIR_SPACE_CONST, 0, zero);

   look_up(subject, VARYING, clamp(subject, index, 0));
   look_up_run(subject, RUN, clamp(subject, index, 2), 3);
   look_up_run(subject, PAIR, clamp(subject, other, 1), 2);
   look_up_bits(subject, TABLE, BITS, index, 3);
   look_up_bits(subject, OTHER, OTHER_TABLE, index, 2);
   look_up_bits(subject, TABLE, OTHER_BITS, other, 2);
   look_up(subject, UNIFORM, clamp(subject, same, 0));
   look_up_sum(subject, index, third);
   look_up_run(subject, MIXED, clamp(subject, other, 0), 2);
   look_up(subject, CONSTANT, one);
   look_up(subject, CHECKED, index);
   look_up(subject, CHECKED_UNIFORM, same);
   subject->word[SIZE] = lir_memsize(b, LIR_SPACE_CONST, TABLE);
   for (uint32_t i = 0; i < NUM_LOOKUPS; i++)
      give(&subject->harness, i, subject->word[i]);
   assert_int_equal(lir_pass_bounds(module, &changed), TG_OK);
   assert_int_equal(lir_pass_uniformity(module, &changed), TG_OK);
   assert_int_equal(lir_pass_vectorize(module, &changed), TG_OK);
   assert_null(lir_verify(module));
   check_marks(&module->functions[0]);
}

/* ---- waves --------------------------------------------------------------- */

static uint32_t
clamped(const struct subject *subject, uint32_t index, uint32_t ahead)
{
   const uint32_t last = subject->declared - 1 - ahead;

   return index < last ? index : last;
}

static void
expect_words(const struct subject *subject, enum lookup lookup,
             const uint32_t index[LIR_LANES], uint32_t num_words)
{
   uint32_t expected[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++)
      expected[i] = index[i] < num_words ? memory[index[i]] : 0;
   expect(&subject->harness, lookup, expected);
}

static void
expect_run(const struct subject *subject, enum lookup lookup,
           const uint32_t index[LIR_LANES], uint32_t count, uint32_t num_words)
{
   uint32_t at[LIR_LANES];

   for (uint32_t k = 0; k < count; k++) {
      for (unsigned i = 0; i < LIR_LANES; i++)
         at[i] = clamped(subject, index[i], count - 1) + k;
      expect_words(subject, lookup + k, at, num_words);
   }
}

static void
expect_bits(const struct subject *subject, enum lookup lookup,
            const uint32_t index[LIR_LANES], uint32_t count, uint32_t num_words)
{
   uint32_t at[LIR_LANES];

   for (uint32_t k = 0; k < count; k++) {
      for (unsigned i = 0; i < LIR_LANES; i++)
         at[i] = (index[i] >> k & 1) + 1;
      expect_words(subject, lookup + k, at, num_words);
   }
}

static void
expect_other_table(const struct subject *subject)
{
   uint32_t expected[LIR_LANES];

   for (uint32_t k = 0; k < 2; k++) {
      for (unsigned i = 0; i < LIR_LANES; i++)
         expected[i] = other_memory[(subject->index[0][i] >> k & 1) + 1];
      expect(&subject->harness, OTHER_TABLE + k, expected);
   }
}

static void
expect_lookups(const struct subject *subject, uint32_t num_bytes)
{
   const uint32_t num_words = num_bytes / sizeof(memory[0]);
   uint32_t at[LIR_LANES];

   expect_run(subject, VARYING, subject->index[0], 1, num_words);
   expect_run(subject, RUN, subject->index[0], 3, num_words);
   expect_run(subject, PAIR, subject->index[1], 2, num_words);
   expect_bits(subject, BITS, subject->index[0], 3, num_words);
   expect_bits(subject, OTHER_BITS, subject->index[1], 2, num_words);
   for (unsigned i = 0; i < LIR_LANES; i++)
      at[i] = subject->uniform_index;
   expect_words(subject, CHECKED_UNIFORM, at, num_words);
   expect_run(subject, UNIFORM, at, 1, num_words);
   for (unsigned i = 0; i < LIR_LANES; i++)
      at[i] = (subject->index[0][i] & 1) + (subject->index[2][i] & 1);
   expect_words(subject, SUM, at, num_words);
   for (unsigned i = 0; i < LIR_LANES; i++)
      at[i] = 1;
   expect_words(subject, CONSTANT, at, num_words);
   for (unsigned i = 0; i < LIR_LANES; i++)
      at[i] = clamped(subject, subject->index[1][i], 0);
   expect_words(subject, MIXED, at, num_words);
   for (unsigned i = 0; i < LIR_LANES; i++)
      at[i]++;
   expect_words(subject, MIXED + 1, at, num_words);
   expect_words(subject, CHECKED, subject->index[0], num_words);
   expect_other_table(subject);
   expect_all(&subject->harness, SIZE, num_bytes);
}

/* Runs a wave with so many bytes of the table. */
static void
check_wave(struct subject *subject, uint32_t num_bytes)
{
   struct harness *harness = &subject->harness;
   const struct exec_memory bound[NUM_BINDINGS] = {
      [0] = {&subject->uniform_index, sizeof(subject->uniform_index)},
      [OTHER] = {other_memory, sizeof(other_memory)},
      [TABLE] = {num_bytes ? memory : NULL, num_bytes},
   };
   struct exec_wave wave = harness->wave;

   memset(harness->output, 0xa5, sizeof(harness->output));
   wave.memory[LIR_SPACE_CONST] = bound;
   wave.num_memories[LIR_SPACE_CONST] = num_bytes ? NUM_BINDINGS : TABLE;
   wave.input.data = subject->index;
   wave.input.num_words = 3;
   assert_int_equal(subject->compiled.executor->run(
                       subject->compiled.program, &wave,
                       subject->compiled.scratch, &harness->fault),
                    TG_OK);
   expect_lookups(subject, num_bytes);
}

/* Lanes look at the same or not, by a bit of `differ` for each index. */
static void
check_bound(struct subject *subject, uint32_t num_bytes)
{
   for (uint32_t first = 0; first < NUM_FIRST; first++) {
      for (uint32_t differ = 0; differ < 8; differ++) {
         for (uint32_t i = 0; i < LIR_LANES; i++) {
            subject->index[0][i] = first + i * 5 * (differ & 1) % NUM_FIRST;
            subject->index[1][i] =
               first + i * 7 * (differ >> 1 & 1) % NUM_FIRST;
            subject->index[2][i] = first + i * 3 * (differ >> 2) % NUM_FIRST;
         }
         subject->uniform_index = first;
         check_wave(subject, num_bytes);
      }
   }
   for (uint32_t i = 0; i < LIR_LANES; i++)
      subject->index[0][i] = subject->index[1][i] = subject->index[2][i] =
         UINT32_MAX - i;
   subject->uniform_index = UINT32_MAX;
   check_wave(subject, num_bytes);
}

/* With none bound, fewer words than are declared, as many, and more. */
static void
check_program(struct subject *subject)
{
   check_bound(subject, 0);
   for (uint32_t i = 1; i < sizeof(memory[0]); i++)
      check_bound(subject, i);
   check_bound(subject, sizeof(memory[0]));
   for (uint32_t i = 0; i < 3 * sizeof(memory[0]); i++)
      check_bound(subject,
                  (subject->declared - 1) * (uint32_t)sizeof(memory[0]) + i);
   check_bound(subject, sizeof(memory));
}

static void
check_size(uint32_t declared)
{
   struct subject subject = {.declared = declared};
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned count = all_executors(executors);

   for (uint32_t i = 0; i < NUM_WORDS; i++)
      memory[i] = 1000 + i;
   write_module(&subject);
   for (unsigned k = 0; k < count; k++) {
      open_compiled(&subject.compiled, executors[k], &subject.harness.module);
      check_program(&subject);
      close_compiled(&subject.compiled);
   }
   end(&subject.harness);
}

/* ---- tests --------------------------------------------------------------- */

static void
test_sizes(void **state)
{
   static const uint32_t sizes[] = {3, 4, 16, 17, 23, LIR_MAX_SIZE_WORDS};

   (void)state;
   for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
      check_size(sizes[i]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sizes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
