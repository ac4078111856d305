/* SPDX-License-Identifier: MIT
 *
 * The background thread: what is hot gets code, which is published whole; jobs
 * may go while they wait, while they run and after.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../exec/harness.h"
#include "exec/jit/tier.h"

enum { PLENTY_OF_WAVES = 1 << 16, NUM_JOBS = 12, MAX_SECONDS = 100 };

static const struct jit_set this_machine;
/* Of all jobs, which have the same module; those that run read it. */
static struct jit_shape shape;
static bool has_shape;

/* A job for what gives each lane three times its number, which has a function
 * already, or NULL. */
static void
begin_job_with(struct jit_job *job, jit_function function)
{
   struct harness harness;

   begin(&harness);
   lir_value lane = lir_lane(&harness.b);
   give(&harness, 0, lir_imul(&harness.b, lane, lir_const32(&harness.b, 3)));
   *job = (struct jit_job){
      .request.set = &this_machine,
      .shape = &shape,
      .function = function,
   };
   has_shape = has_shape || jit_survey(&harness.module, &shape);
   assert_true(has_shape);
   assert_int_equal(jit_tier_compile_later(job, &harness.module), TG_OK);
   end(&harness); /* the job has a copy */
}

static void
begin_job(struct jit_job *job)
{
   begin_job_with(job, NULL);
}

static void
make_hot(struct jit_job *job)
{
   for (unsigned i = 0; i < PLENTY_OF_WAVES; i++)
      jit_tier_note_steps(job, 1000);
}

/* Waits for another function than that. */
static jit_function
wait_for_other(struct jit_job *job, jit_function before)
{
   const struct timespec pause = {.tv_nsec = 1000000};

   for (unsigned i = 0; i < MAX_SECONDS * 1000; i++) {
      const jit_function function = atomic_load(&job->function);

      if (function != before)
         return function;
      nanosleep(&pause, NULL);
   }
   fail_msg("nothing was compiled");
   return NULL;
}

static jit_function
wait_for(struct jit_job *job)
{
   return wait_for_other(job, NULL);
}

static void
check_function(jit_function function)
{
   uint32_t output[MAX_OUTPUTS][LIR_LANES] = {0};
   struct exec_round round = {
      .launched = 0xffff,
      .live = 0xffff,
      .output = output,
   };
   struct jit_frame frame = {
      .rounds = &round,
      .num_rounds = 1,
      .num_output = MAX_OUTPUTS,
   };

   assert_int_equal(function(&frame), JIT_END_OK);
   assert_int_equal(frame.num_run, 1);
   for (uint32_t i = 0; i < LIR_LANES; i++)
      assert_int_equal(output[0][i], 3 * i);
}

static void
test_hot_jobs_are_compiled(void **state)
{
   struct jit_job hot, cold;

   (void)state;
   begin_job(&hot);
   begin_job(&cold);
   jit_tier_note_steps(&cold, 1000);
   make_hot(&hot);
   check_function(wait_for(&hot));
   assert_null(atomic_load(&cold.function));
   jit_tier_finish_job(&hot);
   jit_tier_finish_job(&cold);
}

/* What generates code at once. */
static uint32_t
quick(struct jit_frame *frame)
{
   (void)frame;
   return JIT_END_OK;
}

/* Steps that are a lot for the interpreter are few for code. */
static void
test_code_is_hot_later(void **state)
{
   enum { STEPS = 1 << 16 };
   struct jit_job interpreted, has_code;

   (void)state;
   begin_job(&interpreted);
   begin_job_with(&has_code, quick);
   jit_tier_note_steps(&has_code, STEPS);
   jit_tier_note_steps(&interpreted, STEPS);
   check_function(wait_for(&interpreted));
   assert_true(atomic_load(&has_code.function) == quick);
   make_hot(&has_code);
   check_function(wait_for_other(&has_code, quick));
   jit_tier_finish_job(&interpreted);
   jit_tier_finish_job(&has_code);
}

static void
test_jobs_go(void **state)
{
   struct jit_job jobs[NUM_JOBS];

   (void)state;
   for (unsigned i = 0; i < NUM_JOBS; i++) {
      begin_job(&jobs[i]);
      make_hot(&jobs[i]);
   }
   /* From the middle of the queue, its end, and whatever is running. */
   jit_tier_finish_job(&jobs[NUM_JOBS / 2]);
   jit_tier_finish_job(&jobs[NUM_JOBS - 1]);
   jit_tier_finish_job(&jobs[0]);
   begin_job(&jobs[NUM_JOBS - 1]);
   make_hot(&jobs[NUM_JOBS - 1]);
   /* The last one may share the code of one before it, and not wait for all. */
   check_function(wait_for(&jobs[NUM_JOBS - 1]));
   for (unsigned i = 1; i < NUM_JOBS; i++) {
      if (i == NUM_JOBS / 2)
         continue;
      check_function(wait_for(&jobs[i]));
      jit_tier_finish_job(&jobs[i]);
   }
}

/* A child has no thread until it starts one. */
static void
test_a_child_starts_its_own(void **state)
{
   int status;

   (void)state;
   const pid_t child = fork();
   assert_true(child >= 0);
   if (child == 0) {
      struct jit_job job;

      alarm(MAX_SECONDS);
      begin_job(&job);
      make_hot(&job); /* nobody takes it */
      jit_tier_finish_job(&job);
      begin_job(&job);
      if (!jit_tier_start_thread())
         _exit(2);
      make_hot(&job);
      check_function(wait_for(&job));
      jit_tier_finish_job(&job);
      _exit(0);
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hot_jobs_are_compiled),
      cmocka_unit_test(test_code_is_hot_later),
      cmocka_unit_test(test_jobs_go),
      cmocka_unit_test(test_a_child_starts_its_own),
   };

   if (!jit_load_llvm_for_code() || !jit_tier_start_thread())
      return 77; /* skipped: it was built with LLVM, and runs without */
   return cmocka_run_group_tests_name("jit: tier", tests, NULL, NULL);
}
