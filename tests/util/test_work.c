/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <time.h>

#include "util/work.h"

static struct tg_work_options
limits(uint64_t max_work, double max_seconds)
{
   return (struct tg_work_options){sizeof(struct tg_work_options), max_work,
                                   max_seconds, "a note"};
}

static void
test_units(void **state)
{
   const struct tg_work_options options = limits(100, 0);
   struct tg_work *work;

   (void)state;
   assert_int_equal(tg_work_create(NULL, &options, &work), TG_OK);
   assert_true(tg_work_pay(work, 60));
   assert_true(tg_work_pay(work, 40));
   assert_int_equal(tg_work_get_end(work), TG_WORK_GOES_ON);
   assert_false(tg_work_pay(work, 1));
   assert_int_equal(tg_work_get_end(work), TG_WORK_SPENT);
   assert_false(tg_work_pay(work, 0));
   assert_int_equal(tg_work_get_spent(work), 101);
   tg_work_refill(work);
   assert_true(tg_work_pay(work, 100));
   assert_false(tg_work_pay(work, UINT64_MAX));
   tg_work_destroy(work);
}

/* The clock is looked at once in 2^18 units. */
static void
test_time(void **state)
{
   const struct tg_work_options options = limits(0, 0.02);
   const struct timespec pause = {.tv_nsec = 30000000};
   struct tg_work *work;

   (void)state;
   assert_int_equal(tg_work_create(NULL, &options, &work), TG_OK);
   assert_true(tg_work_pay(work, 1 << 18));
   nanosleep(&pause, NULL);
   assert_true(tg_work_pay(work, 1));
   assert_false(tg_work_pay(work, 1 << 18));
   assert_int_equal(tg_work_get_end(work), TG_WORK_LATE);
   tg_work_refill(work);
   assert_true(tg_work_pay(work, 1 << 18));
   tg_work_destroy(work);
}

/* The time of a part begins with the first look at the clock. */
static void
test_time_of_a_part(void **state)
{
   const struct tg_work_options options = limits(0, 0);
   const struct timespec pause = {.tv_nsec = 30000000};
   struct tg_work work, part, timeless;

   (void)state;
   tg_work_init(&work, &options);
   tg_work_init_part(&part, &work, 0.02);
   tg_work_init_part(&timeless, &part, 0);
   assert_true(tg_work_pay(&timeless, (1 << 18) - 1));
   nanosleep(&pause, NULL);
   assert_true(tg_work_pay(&timeless, 1));
   nanosleep(&pause, NULL);
   assert_true(tg_work_pay(&timeless, 1));
   assert_false(tg_work_pay(&timeless, 1 << 18));
   assert_int_equal(tg_work_get_end(&part), TG_WORK_LATE);
   assert_int_equal(tg_work_get_end(&work), TG_WORK_GOES_ON);
   assert_int_equal(tg_work_get_spent(&work), 1 << 18 | 1);
}

static void
test_cancel(void **state)
{
   struct tg_work *work;

   (void)state;
   assert_int_equal(tg_work_create(NULL, NULL, &work), TG_OK);
   for (int i = 0; i < 1000; i++)
      assert_true(tg_work_pay(work, UINT64_C(1) << 53));
   tg_work_cancel(work);
   assert_false(tg_work_pay(work, 0));
   assert_int_equal(tg_work_get_end(work), TG_WORK_CANCELLED);
   tg_work_destroy(work);
   tg_work_destroy(NULL);
}

/* A purse owes a share of the limit at most, and hears of an end when it
 * settles. */
static void
test_purses(void **state)
{
   const struct tg_work_options options = limits(1024 * 10, 0);
   struct tg_work work;

   (void)state;
   tg_work_init(&work, &options);
   struct tg_purse purse = tg_purse_of(&work);
   assert_true(tg_purse_pay(&purse, 10));
   assert_int_equal(tg_work_get_spent(&work), 0);
   assert_true(tg_purse_pay(&purse, 1));
   assert_int_equal(tg_work_get_spent(&work), 11);
   tg_work_cancel(&work);
   assert_true(tg_purse_pay(&purse, 10));
   assert_false(tg_purse_pay(&purse, 1));

   /* What a part's purse pays its work has at once, and the other purse owes.
    */
   struct tg_work part;
   tg_work_refill(&work);
   tg_work_init_part(&part, &work, 1.0);
   struct tg_purse outer = tg_purse_of(&work);
   struct tg_purse inner = tg_purse_within(&part, &outer);
   assert_true(tg_purse_pay(&inner, 4));
   assert_true(tg_work_settle_purse(&inner));
   assert_int_equal(part.spent, 4);
   assert_int_equal(tg_work_get_spent(&work), 0);
   assert_true(tg_purse_pay(&inner, 6));
   assert_true(tg_work_settle_purse(&inner));
   assert_int_equal(tg_work_get_spent(&work), 0);
   assert_true(tg_purse_pay(&inner, 1));
   assert_true(tg_work_settle_purse(&inner));
   assert_int_equal(part.spent, 11);
   assert_int_equal(tg_work_get_spent(&work), 11);
   tg_work_cancel(&work);
   assert_false(tg_purse_pay(&inner, 11));
   tg_work_refill(&work);
   tg_work_end(&part, TG_WORK_LATE);
   assert_false(tg_purse_pay(&inner, 11));
   assert_int_equal(tg_work_get_spent(&work), 11);

   struct tg_purse without = tg_purse_of(NULL);
   assert_true(tg_purse_pay(&without, UINT64_C(1) << 60));
   assert_true(tg_work_pay(NULL, 1));
}

static void
expect_message(struct tg_work *work, const char *message, const char *note)
{
   const struct tg_source source = {.name = "scene"};
   const struct tg_position position = {.line = 7, .column = 2};
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   assert_int_equal(tg_work_diagnose(work, diagnostics, &source, position),
                    TG_ERROR_LIMIT);
   const struct tg_diagnostic *said = tg_diagnostics_get(diagnostics, 0);
   assert_string_equal(said->message, message);
   assert_string_equal(said->file, "scene");
   assert_int_equal(said->line, 7);
   if (note)
      assert_string_equal(said->note, note);
   else
      assert_null(said->note);
   tg_diagnostics_destroy(diagnostics);
}

static void
test_messages(void **state)
{
   const struct tg_work_options options = limits(100, 0.5);
   struct tg_work work;

   (void)state;
   tg_work_init(&work, &options);
   tg_work_pay(&work, 101);
   expect_message(&work, "the limit of 100 units of work is reached", "a note");
   atomic_store(&work.end, TG_WORK_LATE);
   expect_message(&work, "the limit of 0.5 seconds is reached", "a note");
   tg_work_refill(&work);
   tg_work_cancel(&work);
   expect_message(&work, "the work was cancelled", NULL);
}

/* Where the owner explains the end, those who work say nothing of it. */
static void
test_explained(void **state)
{
   const struct tg_work_options options = limits(100, 0);
   const struct tg_source source = {.name = "scene"};
   const struct tg_position nowhere = {0};
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_work work;

   (void)state;
   tg_work_init(&work, &options);
   work.is_explained = true;
   tg_work_pay(&work, 101);
   assert_int_equal(tg_work_diagnose(&work, diagnostics, &source, nowhere),
                    TG_ERROR_LIMIT);
   assert_int_equal(tg_diagnostics_count(diagnostics), 0);
   assert_int_equal(tg_work_explain(&work, diagnostics, &source, nowhere),
                    TG_ERROR_LIMIT);
   assert_int_equal(tg_diagnostics_count(diagnostics), 1);
   tg_diagnostics_destroy(diagnostics);
}

static void
test_refused(void **state)
{
   struct tg_work_options options = limits(0, -1);
   struct tg_work *work = NULL;

   (void)state;
   assert_int_equal(tg_work_create(NULL, &options, &work), TG_ERROR_INPUT);
   options.max_seconds = (double)NAN;
   assert_int_equal(tg_work_create(NULL, &options, &work), TG_ERROR_INPUT);
   options = limits(0, 0);
   options.size = 8;
   assert_int_equal(tg_work_create(NULL, &options, &work), TG_ERROR_INPUT);
   assert_null(work);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_units),          cmocka_unit_test(test_time),
      cmocka_unit_test(test_time_of_a_part), cmocka_unit_test(test_cancel),
      cmocka_unit_test(test_purses),         cmocka_unit_test(test_messages),
      cmocka_unit_test(test_explained),      cmocka_unit_test(test_refused),
   };
   return cmocka_run_group_tests_name("util: work", tests, NULL, NULL);
}
