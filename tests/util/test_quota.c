/* SPDX-License-Identifier: MIT
 *
 * Memory within a bound: what is held counts, what is given back does not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/quota.h"

static void *
resize(struct tg_quota *quota, void *ptr, size_t old_size, size_t new_size)
{
   return quota->allocator.resize(quota->allocator.user, ptr, old_size,
                                  new_size);
}

static void
test_bound(void **state)
{
   struct tg_quota quota;

   (void)state;
   tg_quota_init(&quota, NULL, 100);
   void *a = resize(&quota, NULL, 0, 60);
   assert_non_null(a);
   assert_null(resize(&quota, NULL, 0, 41));
   assert_true(quota.refused);
   void *b = resize(&quota, NULL, 0, 40);
   assert_non_null(b);
   assert_null(resize(&quota, b, 40, 41));
   b = resize(&quota, b, 40, 1);
   a = resize(&quota, a, 60, 99);
   assert_non_null(a);
   assert_int_equal(quota.held, 100);
   resize(&quota, a, 99, 0);
   resize(&quota, b, 1, 0);
   assert_int_equal(quota.held, 0);
   assert_null(resize(&quota, NULL, 0, SIZE_MAX));
}

static void *
refuse(void *user, void *ptr, size_t old_size, size_t new_size)
{
   (void)user;
   (void)ptr;
   (void)old_size;
   (void)new_size;
   return NULL;
}

/* What the allocator below refuses does not count, nor as a refusal here. */
static void
test_below(void **state)
{
   const struct tg_allocator none = {refuse, NULL};
   struct tg_quota quota;

   (void)state;
   tg_quota_init(&quota, &none, 100);
   assert_null(resize(&quota, NULL, 0, 10));
   assert_int_equal(quota.held, 0);
   assert_false(quota.refused);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bound),
      cmocka_unit_test(test_below),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
