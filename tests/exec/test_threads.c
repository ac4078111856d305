/* SPDX-License-Identifier: MIT
 *
 * One program, run by several threads at once with waves and scratch of their
 * own.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "harness.h"

enum { NUM_THREADS = 4, NUM_RUNS = 200 };

struct worker {
   const struct exec_executor *executor;
   const struct exec_program *program;
   void *scratch;
   uint32_t seed;
   unsigned num_wrong;
   pthread_t thread;
};

/* Rounds of a linear congruential generator. */
static uint32_t
expected_word(uint32_t word)
{
   for (unsigned i = 0; i < 10; i++)
      word = word * 1664525 + 1013904223;
   return word;
}

static void *
work(void *user)
{
   struct worker *worker = user;
   uint32_t input[1][LIR_LANES];
   uint32_t output[1][LIR_LANES];
   struct exec_fault fault;

   for (unsigned run = 0; run < NUM_RUNS; run++) {
      struct exec_wave wave = {
         .launched = 0xffff,
         .live = 0xffff,
         .loop_budget = 1000,
         .input = {input, 1},
         .output = {output, 1},
      };

      for (unsigned i = 0; i < LIR_LANES; i++)
         input[0][i] = worker->seed + run * LIR_LANES + i;
      if (worker->executor->run(worker->program, &wave, worker->scratch,
                                &fault) != TG_OK)
         worker->num_wrong++;
      for (unsigned i = 0; i < LIR_LANES; i++)
         worker->num_wrong += output[0][i] != expected_word(input[0][i]);
   }
   return NULL;
}

static void
build(struct harness *harness)
{
   struct lir_builder *b = &harness->b;
   uint32_t word = lir_module_add_var(&harness->module, LIR_TYPE_B32, "word");
   uint32_t count = lir_module_add_var(&harness->module, LIR_TYPE_B32, "count");
   lir_value zero = lir_const32(b, 0);
   lir_value one = lir_const32(b, 1);
   lir_value ten = lir_const32(b, 10);
   lir_value factor = lir_const32(b, 1664525);
   lir_value addend = lir_const32(b, 1013904223);
   lir_value first = lir_load32(b, LIR_SPACE_INPUT, 0, zero);

   lir_setvar(b, word, first);
   uint32_t loop = lir_begin_loop(b);
   lir_value done = lir_getvar(b, count);
   lir_begin_if(b, lir_uge(b, done, ten));
   lir_br(b, loop);
   lir_end(b);
   lir_value next = lir_iadd(b, done, one);
   lir_setvar(b, count, next);
   lir_value old = lir_getvar(b, word);
   lir_value product = lir_imul(b, old, factor);
   lir_value sum = lir_iadd(b, product, addend);
   lir_setvar(b, word, sum);
   lir_end(b);
   give(harness, 0, lir_getvar(b, word));
}

static void
run_threads(const struct exec_executor *executor,
            const struct exec_program *program)
{
   struct worker workers[NUM_THREADS];

   for (unsigned i = 0; i < NUM_THREADS; i++) {
      workers[i] = (struct worker){
         .executor = executor,
         .program = program,
         .scratch = make_scratch(executor, program),
         .seed = i * 12345,
      };
      assert_int_equal(
         pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
   }
   for (unsigned i = 0; i < NUM_THREADS; i++) {
      pthread_join(workers[i].thread, NULL);
      assert_int_equal(workers[i].num_wrong, 0);
      free(workers[i].scratch);
   }
}

static void
test_one_program(void **state)
{
   const struct exec_executor *executors[MAX_EXECUTORS];
   unsigned count = all_executors(executors);
   struct harness harness;

   (void)state;
   begin(&harness);
   build(&harness);
   for (unsigned i = 0; i < count; i++) {
      struct exec_program *program;

      assert_int_equal(executors[i]->compile(NULL, &harness.module, &program),
                       TG_OK);
      run_threads(executors[i], program);
      executors[i]->destroy(program);
   }
   end(&harness);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_program),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
