/* SPDX-License-Identifier: MIT
 *
 * Handles: a table against an array that knows better.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>

#include "virgl/core/handles.h"

enum { NUM_HANDLES = 400, NUM_STEPS = 20000 };

/* Spread out, so that some share a place. */
static uint32_t
number_of(uint32_t i)
{
   return i * 977 + 1;
}

static void
check_all(struct virgl_handles *handles, const uint32_t *type)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < NUM_HANDLES; i++) {
      const struct virgl_handle *handle =
         virgl_handles_find(handles, number_of(i));

      assert_int_equal(handle != NULL, type[i] != 0);
      count += type[i] != 0;
      if (handle)
         assert_int_equal(handle->type, type[i]);
   }
   assert_int_equal(handles->count, count);
}

static void
what_is_added_is_found_until_it_is_removed(void **test)
{
   struct virgl_handles handles = {0};
   uint32_t type[NUM_HANDLES] = {0};
   uint32_t random = 1;
   (void)test;

   for (uint32_t step = 1; step <= NUM_STEPS; step++) {
      random = random * 1664525 + 1013904223;
      const uint32_t i = (random >> 16) % NUM_HANDLES;

      if (type[i]) {
         virgl_handles_remove(&handles,
                              virgl_handles_find(&handles, number_of(i)));
         type[i] = 0;
      } else {
         assert_true(virgl_handles_add(&handles, number_of(i), step, type));
         type[i] = step;
      }
      if (step % 100 == 0)
         check_all(&handles, type);
   }
   virgl_handles_finish(&handles);
   assert_null(virgl_handles_find(&handles, number_of(0)));
}

static void
handle_0_is_none(void **test)
{
   struct virgl_handles handles = {0};
   (void)test;

   assert_null(virgl_handles_find(&handles, 0));
   assert_true(virgl_handles_add(&handles, 5, 1, &handles));
   assert_null(virgl_handles_find(&handles, 0));
   virgl_handles_finish(&handles);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_added_is_found_until_it_is_removed),
      cmocka_unit_test(handle_0_is_none),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
