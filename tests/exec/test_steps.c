/* SPDX-License-Identifier: MIT
 *
 * What waves cost, and where they pause, or pay instead. Steps are instructions
 * that were run: the tests compare modules that differ by a known number of
 * them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec/block.h"
#include "exec/interp/steps.h"
#include "harness.h"
#include "lir/passes.h"

enum { ROUNDS = 10, MAX_PAUSES = 1000 };

/* A run from pause to pause, or from payment to payment. */
struct trip {
   uint64_t steps;
   unsigned num_pauses;
   uint64_t longest; /* steps without a pause */
};

static void
note_steps(struct trip *trip, const struct exec_wave *wave)
{
   trip->steps += wave->steps;
   if (trip->longest < wave->steps)
      trip->longest = wave->steps;
}

static bool
note_payment(void *payer, const struct exec_wave *wave)
{
   struct trip *trip = payer;

   note_steps(trip, wave);
   assert_true(++trip->num_pauses < MAX_PAUSES);
   return true;
}

static struct trip
travel(struct harness *harness, const struct exec_executor *executor,
       uint64_t slice)
{
   struct exec_wave wave = harness->wave;
   struct exec_program *program;
   struct exec_fault fault;
   struct trip trip = {0};

   assert_false(harness->b.failed);
   assert_null(lir_verify(&harness->module));
   memset(harness->output, 0, sizeof(harness->output));
   assert_int_equal(executor->compile(NULL, &harness->module, &program), TG_OK);
   void *scratch = make_scratch(executor, program);
   wave.slice = slice;
   wave.pay = note_payment;
   wave.payer = &trip;
   assert_int_equal(executor->run(program, &wave, scratch, &fault), TG_OK);
   for (;;) {
      note_steps(&trip, &wave);
      if (!wave.is_paused)
         break;
      assert_int_equal(wave.wait.lanes, 0);
      assert_true(++trip.num_pauses < MAX_PAUSES);
      assert_int_equal(executor->resume(program, &wave, scratch, &fault),
                       TG_OK);
   }
   free(scratch);
   executor->destroy(program);
   return trip;
}

/* So many instructions that compute, one from the other, and all are needed. */
static void
add_chain(struct harness *harness, uint32_t var, unsigned length)
{
   struct lir_builder *b = &harness->b;
   lir_value value = lir_getvar(b, var);

   for (unsigned i = 0; i < length; i++)
      value = lir_iadd(b, value, lir_lane(b));
   lir_setvar(b, var, value);
}

/* Rounds of a loop that each run a chain of `length`, and in the first `lanes`
 * lanes one of `more`. */
static void
build_rounds(struct harness *harness, unsigned rounds, unsigned length,
             uint32_t lanes, unsigned more)
{
   struct lir_builder *b = &harness->b;
   uint32_t round = lir_module_add_var(&harness->module, LIR_TYPE_B32, "round");
   uint32_t sum = lir_module_add_var(&harness->module, LIR_TYPE_B32, "sum");

   uint32_t outside = lir_begin_block(b);
   lir_begin_loop(b);
   add_chain(harness, sum, length);
   lir_value lane = lir_lane(b);
   lir_begin_if(b, lir_ult(b, lane, lir_const32(b, lanes)));
   add_chain(harness, sum, more);
   lir_end(b);
   lir_value next = lir_getvar(b, round);
   next = lir_iadd(b, next, lir_const32(b, 1));
   lir_setvar(b, round, next);
   lir_begin_if(b, lir_ieq(b, next, lir_const32(b, rounds)));
   lir_br(b, outside);
   lir_end(b);
   lir_end(b);
   lir_end(b);
   give(harness, 0, lir_getvar(b, sum));
}

static uint64_t
cost_of_rounds(const struct exec_executor *executor, unsigned rounds,
               unsigned length, uint32_t lanes, unsigned more)
{
   struct harness harness;

   begin(&harness);
   build_rounds(&harness, rounds, length, lanes, more);
   const struct trip trip = travel(&harness, executor, 0);
   assert_int_equal(trip.num_pauses, 0);
   end(&harness);
   return trip.steps;
}

/* A chain's link is two instructions, the lane's number and the sum. */
static void
body_counts_in_each_turn(const struct exec_executor *executor)
{
   const uint64_t once = cost_of_rounds(executor, ROUNDS, 1, 0, 0);

   assert_int_equal(cost_of_rounds(executor, ROUNDS, 101, 0, 0),
                    once + ROUNDS * 100 * 2);
   assert_int_equal(2 * cost_of_rounds(executor, 3, 5, 0, 0),
                    cost_of_rounds(executor, 2, 5, 0, 0) +
                       cost_of_rounds(executor, 4, 5, 0, 0));
}

/* What no lane enters is not run. */
static void
skipped_code_is_free(const struct exec_executor *executor)
{
   const uint64_t short_if = cost_of_rounds(executor, ROUNDS, 3, 0, 1);

   assert_int_equal(cost_of_rounds(executor, ROUNDS, 3, 0, 51), short_if);
   const uint64_t entered = cost_of_rounds(executor, ROUNDS, 3, 4, 1);
   assert_int_equal(cost_of_rounds(executor, ROUNDS, 3, 4, 51),
                    entered + ROUNDS * 50 * 2);
}

static uint64_t
cost_of_calls(const struct exec_executor *executor, unsigned calls,
              unsigned length)
{
   struct harness harness;

   begin(&harness);
   uint32_t sum = lir_module_add_var(&harness.module, LIR_TYPE_B32, "sum");
   uint32_t function = lir_module_add_function(&harness.module, "chain");
   for (unsigned i = 0; i < calls; i++)
      lir_call(&harness.b, function);
   give(&harness, 0, lir_getvar(&harness.b, sum));
   lir_builder_init(&harness.b, &harness.module, function);
   add_chain(&harness, sum, length);
   const struct trip trip = travel(&harness, executor, 0);
   end(&harness);
   return trip.steps;
}

static void
functions_count_in_each_call(const struct exec_executor *executor)
{
   const uint64_t once = cost_of_calls(executor, 3, 10);

   assert_int_equal(cost_of_calls(executor, 3, 30), once + 3 * 20 * 2);
}

/* A wave pauses soon after its slice, costs the same, and gives the same. */
static void
pauses_change_nothing(const struct exec_executor *executor)
{
   uint32_t expected[LIR_LANES];
   struct harness harness;

   begin(&harness);
   build_rounds(&harness, ROUNDS, 20, 8, 20);
   for (unsigned i = 0; i < LIR_LANES; i++)
      expected[i] = i * ROUNDS * (i < 8 ? 40 : 20);
   const struct trip whole = travel(&harness, executor, 0);
   expect(&harness, 0, expected);
   const uint64_t turn = whole.steps / ROUNDS;
   static const unsigned slices[] = {1, 100, 200};
   for (unsigned i = 0; i < sizeof(slices) / sizeof(*slices); i++) {
      const struct trip trip = travel(&harness, executor, slices[i]);
      expect(&harness, 0, expected);
      assert_true(trip.longest < slices[i] + 2 * turn);
      assert_int_equal(trip.steps, whole.steps);
   }
   assert_int_equal(travel(&harness, executor, 1).num_pauses, ROUNDS - 1);
   end(&harness);
}

/* 16 KiB of an array are zeroed before the wave begins. */
static void
memory_costs_too(const struct exec_executor *executor)
{
   struct harness harness;
   uint64_t steps[2];

   for (unsigned i = 0; i < 2; i++) {
      begin(&harness);
      uint32_t array = lir_module_add_array(&harness.module, 1 + i * 256, "a");
      lir_value at = lir_const32(&harness.b, 0);
      give(&harness, 0, lir_load32(&harness.b, LIR_SPACE_ARRAY, array, at));
      steps[i] = travel(&harness, executor, 0).steps;
      end(&harness);
   }
   assert_int_equal(steps[1] - steps[0], 256);
}

/* A word of each lane is loaded, and one is stored there. */
static uint64_t
cost_of_access(const struct exec_executor *executor, enum lir_space space,
               size_t num_bytes, const uint32_t index[LIR_LANES])
{
   static uint32_t words[INTERP_CACHED_BYTES / sizeof(uint32_t) + 1];
   const struct exec_memory memory = {words, num_bytes};
   struct harness harness;

   assert_true(num_bytes <= sizeof(words));
   begin(&harness);
   struct lir_builder *b = &harness.b;
   const lir_value first = lir_const32(b, 0);
   const lir_value at = lir_load32(b, LIR_SPACE_INPUT, 0, first);
   const lir_value word = lir_load32(b, space, 0, at);
   lir_store32(b, space, 0, at, lir_iadd(b, word, at));
   harness.wave.memory[space] = &memory;
   harness.wave.num_memories[space] = 1;
   harness.wave.input.data = (void *)index;
   harness.wave.input.num_words = 1;
   const struct trip trip = travel(&harness, executor, 0);
   end(&harness);
   return trip.steps;
}

/* What no cache holds costs the interpreter more: buffers, and surfaces whether
 * lanes are a block or not. */
static void
large_memory_costs_more(const struct exec_executor *executor)
{
   const size_t cached = INTERP_CACHED_BYTES;
   uint32_t block[LIR_LANES], line[LIR_LANES];

   for (uint32_t i = 0; i < LIR_LANES; i++) {
      line[i] = i * 3;
      block[i] = exec_block_column[i] + (exec_block_odd[i] & 100) +
                 (exec_block_lower[i] & 200);
   }
   const uint64_t least =
      cost_of_access(executor, LIR_SPACE_BUFFER, cached, line);
   const uint64_t most =
      cost_of_access(executor, LIR_SPACE_BUFFER, cached + 4, line);
   if (executor == exec_find_executor("interp"))
      assert_int_equal(most - least, 2 * INTERP_ACCESS_STEPS);
   const uint32_t *const indices[] = {line, block};
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(
         cost_of_access(executor, LIR_SPACE_SURFACE, cached, indices[i]),
         least);
      assert_int_equal(
         cost_of_access(executor, LIR_SPACE_SURFACE, cached + 4, indices[i]),
         most);
   }
}

static bool
refuse_payment(void *payer, const struct exec_wave *wave)
{
   assert_true(wave->steps > 0);
   ++*(unsigned *)payer;
   return false;
}

/* A wave that can not pay ends where it is, if its executor lets it pay. */
static void
who_can_not_pay_ends(const struct exec_executor *executor)
{
   struct harness harness;
   unsigned num_refusals = 0;

   begin(&harness);
   build_rounds(&harness, ROUNDS, 20, 8, 20);
   harness.wave.slice = 1;
   harness.wave.pay = refuse_payment;
   harness.wave.payer = &num_refusals;
   run_on(&harness, executor);
   assert_int_equal(harness.result, num_refusals ? TG_ERROR_LIMIT : TG_OK);
   assert_true(num_refusals <= 1);
   if (num_refusals)
      assert_null(harness.fault.what);
   end(&harness);
}

static void
on_each(void (*test)(const struct exec_executor *executor))
{
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned count = all_executors(executors);

   for (unsigned i = 0; i < count; i++)
      test(executors[i]);
}

#define TEST(name)                                                             \
   static void test_##name(void **state)                                       \
   {                                                                           \
      (void)state;                                                             \
      on_each(name);                                                           \
   }
TEST(body_counts_in_each_turn)
TEST(skipped_code_is_free)
TEST(functions_count_in_each_call)
TEST(pauses_change_nothing)
TEST(memory_costs_too)
TEST(large_memory_costs_more)
TEST(who_can_not_pay_ends)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_body_counts_in_each_turn),
      cmocka_unit_test(test_skipped_code_is_free),
      cmocka_unit_test(test_functions_count_in_each_call),
      cmocka_unit_test(test_pauses_change_nothing),
      cmocka_unit_test(test_memory_costs_too),
      cmocka_unit_test(test_large_memory_costs_more),
      cmocka_unit_test(test_who_can_not_pay_ends),
   };
   return cmocka_run_group_tests_name("exec: steps", tests, NULL, NULL);
}
