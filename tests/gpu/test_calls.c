/* SPDX-License-Identifier: MIT
 *
 * Calls that are made in slabs: each is by itself, and memory goes with the
 * last of a slab, whoever made it.
 */
#include "../sweep.h"
#include "gpu/core/call.h"

enum { NUM_CALLS = 70 };

static enum tg_result
make_and_drop(const struct tg_allocator *allocator)
{
   struct gpu_call *made[NUM_CALLS] = {NULL};
   struct gpu_calls calls;
   struct tg_work work;
   const struct tg_work_options limits = TG_WORK_OPTIONS_INIT;
   enum tg_result result = TG_OK;

   tg_work_init(&work, &limits);
   gpu_calls_init(&calls, allocator);
   for (uint64_t i = 0; i < NUM_CALLS && result == TG_OK; i++) {
      const struct gpu_call_name name = {TG_CALL_DRAW, i};

      made[i] = gpu_call_create(&calls, name, &work, i % 2 ? 1000 : 0);
      if (!made[i])
         result = TG_ERROR_MEMORY;
   }
   gpu_calls_finish(&calls);
   for (uint64_t i = 0; i < NUM_CALLS && made[i]; i++)
      assert_int_equal(made[i]->name.number, i);
   for (uint64_t i = 0; i < NUM_CALLS; i++) {
      gpu_call_destroy(gpu_call_ref(made[i]));
      if (made[i])
         assert_int_equal(made[i]->name.number, i);
      gpu_call_destroy(made[i]);
   }
   return result;
}

static void
memory_goes_with_the_last(void **state)
{
   struct counter counter = {0};
   const struct tg_allocator allocator = {count, &counter};
   (void)state;

   assert_int_equal(make_and_drop(&allocator), TG_OK);
   assert_int_equal(counter.in_use, 0);
   assert_true(counter.calls < NUM_CALLS / 10);
}

static void
memory_may_run_out(void **state)
{
   (void)state;
   sweep(make_and_drop);
}

/* Nothing was made of a slab but one call, or nothing at all. */
static void
few_leave_nothing(void **state)
{
   struct counter counter = {0};
   const struct tg_allocator allocator = {count, &counter};
   const struct gpu_call_name name = {TG_CALL_DRAW, 1};
   const struct tg_work_options limits = TG_WORK_OPTIONS_INIT;
   struct gpu_calls calls;
   struct tg_work work;
   (void)state;

   tg_work_init(&work, &limits);
   gpu_calls_init(&calls, &allocator);
   gpu_calls_finish(&calls);
   gpu_call_destroy(gpu_call_create(&calls, name, &work, 0));
   assert_true(counter.in_use > 0);
   gpu_calls_finish(&calls);
   assert_int_equal(counter.in_use, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_goes_with_the_last),
      cmocka_unit_test(memory_may_run_out),
      cmocka_unit_test(few_leave_nothing),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
