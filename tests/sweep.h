/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out, for tests: something that takes an allocator is run
 * with the first allocation failing, the second, ... until none does.
 */
#ifndef TESTS_SWEEP_H
#define TESTS_SWEEP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "tungsten/base.h"

/* An allocator that counts, and says no once. */
struct counter {
   size_t calls;  /* that asked for more memory */
   size_t fails;  /* the call that is refused, from 1; 0: none */
   size_t in_use; /* bytes */
};

static void *
count(void *user, void *ptr, size_t old_size, size_t new_size)
{
   struct counter *counter = user;

   if (new_size > old_size && ++counter->calls == counter->fails)
      return NULL;
   void *moved = NULL;
   if (new_size) {
      moved = realloc(ptr, new_size);
      assert_non_null(moved);
   } else {
      free(ptr);
   }
   counter->in_use += new_size;
   counter->in_use -= old_size;
   return moved;
}

/* Runs `body` until it no longer fails; TG_ERROR_MEMORY each time before. */
static void sweep(enum tg_result (*body)(const struct tg_allocator *allocator))
{
   enum { PLENTY = 100000 };

   for (size_t fails = 1; fails < PLENTY; fails++) {
      struct counter counter = {.fails = fails};
      const struct tg_allocator allocator = {count, &counter};
      enum tg_result result = body(&allocator);

      assert_int_equal(counter.in_use, 0);
      if (counter.calls < fails) {
         assert_int_equal(result, TG_OK);
         assert_true(fails > 1);
         return;
      }
      assert_int_equal(result, TG_ERROR_MEMORY);
   }
   fail();
}

#endif
