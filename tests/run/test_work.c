/* SPDX-License-Identifier: MIT
 *
 * Limits of work and time of programs, and waves of a block that take turns.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tungsten/run.h"

/* A program with BUFFER[0], and what pays for it. */
struct session {
   struct tg_work *work;
   struct tg_diagnostics *diagnostics;
   struct tg_shader *shader;
   struct tg_program *program;
   struct tg_resource *buffer;
   struct tg_bindings *bindings;
   uint32_t *words;
};

enum { NUM_WORDS = 1024 };

/* NULL is the usual executor. */
static enum tg_result
try_to_open(struct session *session, const char *executor, const char *text,
            uint64_t max_work, double max_seconds)
{
   const struct tg_work_options limits = {sizeof(limits), max_work, max_seconds,
                                          NULL};
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;

   desc.target = TG_TEXTURE_BUFFER;
   desc.width = NUM_WORDS * 4;
   *session = (struct session){.diagnostics = tg_diagnostics_create(NULL)};
   assert_int_equal(tg_work_create(NULL, &limits, &session->work), TG_OK);
   options.work = session->work;
   options.executor = executor;
   assert_int_equal(tg_shader_parse(NULL, "test", text, strlen(text),
                                    TG_DIALECT_2019, session->diagnostics,
                                    &session->shader),
                    TG_OK);
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &session->buffer),
                    TG_OK);
   session->words = tg_resource_map_buffer(session->buffer);
   assert_int_equal(tg_bindings_create(NULL, &session->bindings), TG_OK);
   assert_int_equal(tg_bindings_set_buffer(session->bindings, TG_BUFFER_SHADER,
                                           0, session->buffer, 0, NUM_WORDS * 4,
                                           NULL),
                    TG_OK);
   return tg_program_create(NULL, session->shader, &options,
                            session->diagnostics, &session->program);
}

static void
open(struct session *session, const char *text, uint64_t max_work,
     double max_seconds)
{
   assert_int_equal(try_to_open(session, NULL, text, max_work, max_seconds),
                    TG_OK);
}

static void
close(struct session *session)
{
   tg_bindings_destroy(session->bindings);
   tg_resource_destroy(session->buffer);
   tg_program_destroy(session->program);
   tg_shader_destroy(session->shader);
   tg_diagnostics_destroy(session->diagnostics);
   tg_work_destroy(session->work);
}

static enum tg_result
dispatch(struct session *session, uint32_t block, uint64_t num_blocks,
         unsigned num_threads)
{
   struct tg_grid grid = TG_GRID_INIT;

   grid.block[0] = block;
   grid.grid[0] = num_blocks;
   grid.num_threads = num_threads;
   grid.loop_budget = UINT64_C(1) << 50;
   tg_diagnostics_clear(session->diagnostics);
   return tg_dispatch(session->program, session->bindings, &grid,
                      session->diagnostics);
}

static void
expect_message(const struct session *session, const char *message)
{
   assert_int_equal(tg_diagnostics_count(session->diagnostics), 1);
   assert_string_equal(tg_diagnostics_get(session->diagnostics, 0)->message,
                       message);
}

/* ---- texts --------------------------------------------------------------- */

static const char empty[] = "COMP\nEND\n";

static const char endless[] = "COMP\nBGNLOOP\nENDLOOP\nEND\n";

static const char multiply[] = "UMUL TEMP[1].x, TEMP[1].xxxx, TEMP[1].xxxx\n";

/* A loop of `turns` with a line `length` times in a row. */
static const char *
loop_of(char *text, size_t size, unsigned turns, unsigned length,
        const char *line)
{
   int used =
      snprintf(text, size,
               "COMP\nDCL TEMP[0..1]\nDCL BUFFER[0]\nDCL SV[0], THREAD_ID\n"
               "IMM[0] UINT32 {0, 1, %u, 0}\n"
               "MOV TEMP[0].x, IMM[0].xxxx\nMOV TEMP[1].x, SV[0].xxxx\n"
               "BGNLOOP\nUSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\n"
               "UIF TEMP[0].yyyy\nBRK\nENDIF\n"
               "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n",
               turns);
   for (unsigned i = 0; i < length; i++)
      used += snprintf(text + used, size - (size_t)used, "%s", line);
   snprintf(text + used, size - (size_t)used,
            "ENDLOOP\nSTORE BUFFER[0].x, IMM[0].xxxx, TEMP[1].xxxx\nEND\n");
   return text;
}

static const char *
counting_loop(char *text, size_t size, unsigned turns, unsigned length)
{
   return loop_of(text, size, turns, length, multiply);
}

/* A lock that each thread of a block takes, adds 1 to a word after it that is
 * neither read nor written atomically, and gives back. One lane of a wave at a
 * time tries, as shaders do: `done` says which have been there. */
static const char spin_lock[] =
   "COMP\n"
   "DCL BUFFER[0]\n"
   "DCL TEMP[0..3]\n"
   "IMM[0] UINT32 {0, 1, 4, 0}\n"
   "MOV TEMP[3].x, IMM[0].xxxx\n"
   "BGNLOOP\n"
   "UIF TEMP[3].xxxx\n"
   "BRK\n"
   "ENDIF\n"
   "ATOMCAS TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].xxxx, IMM[0].yyyy\n"
   "USEQ TEMP[0].y, TEMP[0].xxxx, IMM[0].xxxx\n"
   "UIF TEMP[0].yyyy\n"
   "LOAD TEMP[1].x, BUFFER[0], IMM[0].zzzz\n"
   "UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n"
   "STORE BUFFER[0].x, IMM[0].zzzz, TEMP[1].xxxx\n"
   "MOV TEMP[3].x, IMM[0].yyyy\n"
   "ATOMXCHG TEMP[2].x, BUFFER[0], IMM[0].xxxx, IMM[0].xxxx\n"
   "ENDIF\n"
   "ENDLOOP\n"
   "END\n";

/* The first wave waits for a word that the last wave writes; no barrier. */
static const char first_waits_for_last[] =
   "COMP\n"
   "DCL SV[0], THREAD_ID\n"
   "DCL BUFFER[0]\n"
   "DCL TEMP[0..1]\n"
   "IMM[0] UINT32 {0, 1, 48, 4}\n"
   "USGE TEMP[0].x, SV[0].xxxx, IMM[0].zzzz\n"
   "UIF TEMP[0].xxxx\n"
   "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\n"
   "ELSE\n"
   "BGNLOOP\n"
   "LOAD TEMP[1].x, BUFFER[0], IMM[0].xxxx\n"
   "UIF TEMP[1].xxxx\n"
   "BRK\n"
   "ENDIF\n"
   "ENDLOOP\n"
   "ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].wwww, IMM[0].yyyy\n"
   "ENDIF\n"
   "END\n";

/* ---- limits -------------------------------------------------------------- */

static void
test_endless_dispatch(void **state)
{
   (void)state;
   for (unsigned threads = 1; threads <= 3; threads++) {
      struct session session;

      open(&session, endless, 10000000, 0);
      assert_int_equal(dispatch(&session, 64, 100, threads), TG_ERROR_LIMIT);
      expect_message(&session,
                     "the limit of 10000000 units of work is reached");
      assert_true(tg_work_get_spent(session.work) < 11000000);
      assert_int_equal(dispatch(&session, 1, 1, threads), TG_ERROR_LIMIT);
      close(&session);
   }
}

static double
seconds(void)
{
   struct timespec time;

   clock_gettime(CLOCK_MONOTONIC, &time);
   return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void
test_time(void **state)
{
   struct session session;

   (void)state;
   open(&session, endless, 0, 0.05);
   const double begin = seconds();
   assert_int_equal(dispatch(&session, 64, 100, 2), TG_ERROR_LIMIT);
   assert_true(seconds() - begin < 2.05);
   expect_message(&session, "the limit of 0.05 seconds is reached");
   close(&session);
}

/* 2^60 blocks that do nothing. */
static void
test_empty_blocks(void **state)
{
   struct session session;

   (void)state;
   open(&session, empty, 1000000, 0);
   assert_int_equal(dispatch(&session, 1, UINT64_C(1) << 32, 2),
                    TG_ERROR_LIMIT);
   expect_message(&session, "the limit of 1000000 units of work is reached");
   close(&session);
}

static void *
cancel_soon(void *work)
{
   const struct timespec pause = {.tv_nsec = 20000000};

   nanosleep(&pause, NULL);
   tg_work_cancel(work);
   return NULL;
}

static void
test_cancel(void **state)
{
   struct session session;
   pthread_t thread;

   (void)state;
   open(&session, endless, 0, 0);
   assert_int_equal(pthread_create(&thread, NULL, cancel_soon, session.work),
                    0);
   assert_int_equal(dispatch(&session, 64, 100, 2), TG_ERROR_LIMIT);
   expect_message(&session, "the work was cancelled");
   pthread_join(thread, NULL);
   close(&session);
}

static void
test_single_run(void **state)
{
   struct session session;
   struct tg_run *run;

   (void)state;
   open(&session, endless, 1000000, 0);
   assert_int_equal(tg_run_create(session.program, 16, &run), TG_OK);
   tg_run_set_loop_budget(run, UINT64_C(1) << 50);
   tg_diagnostics_clear(session.diagnostics); /* of warnings */
   assert_int_equal(tg_run_execute(run, session.diagnostics), TG_ERROR_LIMIT);
   expect_message(&session, "the limit of 1000000 units of work is reached");
   assert_int_equal(tg_diagnostics_get(session.diagnostics, 0)->line, 3);
   tg_work_refill(session.work);
   assert_int_equal(tg_run_execute(run, NULL), TG_ERROR_LIMIT);
   tg_run_destroy(run);
   close(&session);
}

static void
test_compiling_costs(void **state)
{
   static char text[1 << 16];
   struct session session;
   uint64_t spent[2];

   (void)state;
   for (unsigned i = 0; i < 2; i++) {
      counting_loop(text, sizeof(text), 1, 100 + 400 * i);
      open(&session, text, 0, 0);
      spent[i] = tg_work_get_spent(session.work);
      close(&session);
   }
   assert_true(spent[1] > 2 * spent[0]);
   assert_int_equal(try_to_open(&session, NULL, text, spent[0], 0),
                    TG_ERROR_LIMIT);
   assert_int_equal(tg_diagnostics_num_errors(session.diagnostics), 1);
   close(&session);
}

/* Lowering costs, too, where nothing is optimised. */
static void
test_lowering_costs(void **state)
{
   static char text[1 << 16];
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   struct tg_program *program;
   struct session session;

   (void)state;
   open(&session, counting_loop(text, sizeof(text), 1, 100), 0, 0);
   tg_work_refill(session.work);
   options.optimize = false;
   options.work = session.work;
   assert_int_equal(tg_program_create(NULL, session.shader, &options,
                                      session.diagnostics, &program),
                    TG_OK);
   assert_true(tg_work_get_spent(session.work) >= 100 * 512);
   tg_program_destroy(program);
   close(&session);
}

/* What a dispatch costs beside the compilation. */
static uint64_t
cost_of_dispatch(unsigned turns, unsigned length, uint32_t block,
                 uint64_t num_blocks)
{
   static char text[1 << 16];
   struct session session;

   open(&session, counting_loop(text, sizeof(text), turns, length), 0, 0);
   tg_work_refill(session.work);
   assert_int_equal(dispatch(&session, block, num_blocks, 1), TG_OK);
   const uint64_t spent = tg_work_get_spent(session.work);
   close(&session);
   return spent;
}

/* Within a few waves; at the end no thread owes anything. */
static bool
is_about(uint64_t cost, uint64_t expected)
{
   return cost + 1024 >= expected && cost <= expected + 1024;
}

/* 100 multiplications more in each of 50 turns of each of 2 times 10 waves. */
static void
test_bodies_of_loops_cost(void **state)
{
   (void)state;
   const uint64_t short_body = cost_of_dispatch(50, 10, 32, 10);
   const uint64_t long_body = cost_of_dispatch(50, 110, 32, 10);

   assert_true(is_about(long_body - short_body, 50 * 100 * 2 * 10));
   assert_true(is_about(cost_of_dispatch(50, 110, 32, 20), 2 * long_body));
   assert_true(is_about(cost_of_dispatch(50, 110, 64, 10), 2 * long_body));
}

/* A dispatch with as much to spend as it costs, or a unit less, which is missed
 * when all is done. */
static void
test_all_is_paid_at_the_end(void **state)
{
   const uint64_t cost = cost_of_dispatch(50, 110, 32, 1000);
   static char text[1 << 16];

   (void)state;
   counting_loop(text, sizeof(text), 50, 110);
   for (unsigned missing = 0; missing < 2; missing++) {
      struct session session;

      open(&session, text, cost - missing, 0);
      tg_work_refill(session.work);
      assert_int_equal(dispatch(&session, 32, 1000, 1),
                       missing ? TG_ERROR_LIMIT : TG_OK);
      close(&session);
   }
}

/* To begin a wave, to have it go on and to end it are 96 units, whatever runs
 * it and however many at once. */
static void
test_waves_cost(void **state)
{
   const uint64_t num_waves = 64 * 1000;
   const char *executor;

   (void)state;
   for (unsigned i = 0; (executor = tg_executor_name(i)); i++) {
      struct session session;

      assert_int_equal(try_to_open(&session, executor, empty, 0, 0), TG_OK);
      tg_work_refill(session.work);
      assert_int_equal(dispatch(&session, 1024, 1000, 1), TG_OK);
      if (tg_work_get_spent(session.work) + 4096 < num_waves * 96)
         fail_msg("%s: %" PRIu64, executor, tg_work_get_spent(session.work));
      close(&session);
   }
}

/* What 10,000 of a line cost a wave of the interpreter, with a buffer of so
 * many bytes. */
static uint64_t
cost_of_line(const char *line, uint32_t num_bytes)
{
   static char text[1 << 16];
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   struct tg_resource *buffer;
   struct session session;

   desc.target = TG_TEXTURE_BUFFER;
   desc.width = num_bytes;
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &buffer), TG_OK);
   loop_of(text, sizeof(text), 100, 100, line);
   assert_int_equal(try_to_open(&session, "interp", text, 0, 0), TG_OK);
   assert_int_equal(tg_bindings_set_buffer(session.bindings, TG_BUFFER_SHADER,
                                           0, buffer, 0, num_bytes, NULL),
                    TG_OK);
   tg_work_refill(session.work);
   assert_int_equal(dispatch(&session, 16, 1, 1), TG_OK);
   const uint64_t spent = tg_work_get_spent(session.work);
   close(&session);
   tg_resource_destroy(buffer);
   return spent;
}

/* The interpreter does a division lane by lane; a large memory is in no cache,
 * one of a MiB is. */
static void
test_slow_instructions_cost(void **state)
{
   static const char divide[] = "UDIV TEMP[1].x, TEMP[1].xxxx, SV[0].xxxx\n";
   static const char load[] = "LOAD TEMP[1].x, BUFFER[0], TEMP[1].xxxx\n";
   static const char store[] = "STORE BUFFER[0].x, SV[0].xxxx, SV[0].xxxx\n";
   static const char add[] =
      "ATOMUADD TEMP[1].x, BUFFER[0], TEMP[1].xxxx, SV[0].xxxx\n";
   const uint32_t small = 1 << 20, large = small + 4;

   (void)state;
   assert_true(is_about(cost_of_line(divide, small),
                        cost_of_line(multiply, small) + 10000 * 8));
   assert_true(is_about(cost_of_line(load, large),
                        cost_of_line(load, small) + 10000 * 96));
   assert_true(is_about(cost_of_line(store, large),
                        cost_of_line(store, small) + 10000 * 96));
   assert_true(is_about(cost_of_line(add, small),
                        cost_of_line(load, small) + 10000 * 64));
}

/* ---- turns --------------------------------------------------------------- */

/* A block of threads that wait for each other, with every executor. */
static void
check_turns(const char *text, uint32_t block, unsigned threads, uint32_t first,
            uint32_t second)
{
   const char *executor;

   for (unsigned i = 0; (executor = tg_executor_name(i)); i++) {
      struct session session;

      assert_int_equal(
         try_to_open(&session, executor, text, UINT64_C(1) << 31, 0), TG_OK);
      memset(session.words, 0, NUM_WORDS * 4);
      assert_int_equal(dispatch(&session, block, 1, threads), TG_OK);
      assert_int_equal(session.words[0], first);
      assert_int_equal(session.words[1], second);
      close(&session);
   }
}

static void
test_spin_lock(void **state)
{
   (void)state;
   for (unsigned threads = 1; threads <= 2; threads++)
      check_turns(spin_lock, 256, threads, 0, 256);
}

static void
test_first_waits_for_last(void **state)
{
   (void)state;
   check_turns(first_waits_for_last, 64, 1, 1, 48);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_endless_dispatch),
      cmocka_unit_test(test_time),
      cmocka_unit_test(test_empty_blocks),
      cmocka_unit_test(test_cancel),
      cmocka_unit_test(test_single_run),
      cmocka_unit_test(test_compiling_costs),
      cmocka_unit_test(test_lowering_costs),
      cmocka_unit_test(test_bodies_of_loops_cost),
      cmocka_unit_test(test_all_is_paid_at_the_end),
      cmocka_unit_test(test_waves_cost),
      cmocka_unit_test(test_slow_instructions_cost),
      cmocka_unit_test(test_spin_lock),
      cmocka_unit_test(test_first_waits_for_last),
   };
   return cmocka_run_group_tests_name("run: work", tests, NULL, NULL);
}
