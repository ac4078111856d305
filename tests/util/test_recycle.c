/* SPDX-License-Identifier: MIT
 *
 * Recycled memory against an allocator that counts: what is freed is given out
 * again, no more is kept than is allowed, and all sizes keep their bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "util/recycle.h"

/* What lies below. */
struct counted {
   size_t held;
   size_t most; /* it refuses more */
   unsigned num_calls;
};

static void *
resize_counted(void *user, void *memory, size_t old_size, size_t new_size)
{
   struct counted *counted = user;

   assert_true(old_size <= counted->held);
   if (counted->held - old_size + new_size > counted->most)
      return NULL;
   counted->held = counted->held - old_size + new_size;
   counted->num_calls++;
   if (new_size)
      return realloc(memory, new_size);
   free(memory);
   return NULL;
}

static void *
resize(struct tg_recycler *recycler, void *memory, size_t old_size,
       size_t new_size)
{
   const struct tg_allocator *allocator = &recycler->allocator;

   return allocator->resize(allocator->user, memory, old_size, new_size);
}

static void
freed_memory_is_given_out_again(void **state)
{
   struct counted counted = {.most = SIZE_MAX};
   const struct tg_allocator below = {resize_counted, &counted};
   struct tg_recycler recycler;
   (void)state;

   tg_recycler_init(&recycler, &below, 1 << 20);
   void *first = resize(&recycler, NULL, 0, 100000);
   resize(&recycler, first, 100000, 0);
   assert_true(counted.held >= 100000);
   const unsigned before = counted.num_calls;
   /* 100,000 is up to 7 / 4 of 65,536, which is 114,688. */
   void *second = resize(&recycler, NULL, 0, 114688);
   assert_ptr_equal(second, first);
   assert_ptr_equal(resize(&recycler, second, 114688, 98305), first);
   assert_int_equal(counted.num_calls, before);
   void *larger = resize(&recycler, second, 98305, 114689);
   assert_ptr_not_equal(larger, first);
   assert_ptr_equal(resize(&recycler, NULL, 0, 110000), first);
   resize(&recycler, first, 110000, 0);
   resize(&recycler, larger, 114689, 0);
   tg_recycler_finish(&recycler);
   assert_int_equal(counted.held, 0);
}

/* A piece of a class is at most a quarter larger than what was asked for. */
static void
pieces_are_not_much_larger(void **state)
{
   struct counted counted = {.most = SIZE_MAX};
   const struct tg_allocator below = {resize_counted, &counted};
   struct tg_recycler recycler;
   (void)state;

   tg_recycler_init(&recycler, &below, 0);
   for (size_t size = 1; size < (size_t)1 << 28; size += size / 7 + 1) {
      void *memory = resize(&recycler, NULL, 0, size);
      assert_true(counted.held >= size && counted.held <= size + size / 4 + 1);
      resize(&recycler, memory, size, 0);
      assert_int_equal(counted.held, 0);
   }
   tg_recycler_finish(&recycler);
}

static void
no_more_is_kept_than_allowed(void **state)
{
   struct counted counted = {.most = SIZE_MAX};
   const struct tg_allocator below = {resize_counted, &counted};
   struct tg_recycler recycler;
   void *pieces[10];
   (void)state;

   tg_recycler_init(&recycler, &below, 8192 * 3);
   for (int i = 0; i < 10; i++)
      pieces[i] = resize(&recycler, NULL, 0, 8192);
   for (int i = 0; i < 10; i++)
      resize(&recycler, pieces[i], 8192, 0);
   assert_int_equal(counted.held, 8192 * 3);
   tg_recycler_finish(&recycler);
   assert_int_equal(counted.held, 0);
}

static void
running_out_changes_nothing(void **state)
{
   struct counted counted = {.most = 100000};
   const struct tg_allocator below = {resize_counted, &counted};
   struct tg_recycler recycler;
   (void)state;

   tg_recycler_init(&recycler, &below, SIZE_MAX);
   uint8_t *memory = resize(&recycler, NULL, 0, 65536);
   memory[65535] = 7;
   assert_null(resize(&recycler, NULL, 0, 65536));
   assert_null(resize(&recycler, memory, 65536, 131072));
   assert_int_equal(memory[65535], 7);
   resize(&recycler, memory, 65536, 0);
   tg_recycler_finish(&recycler);
   assert_int_equal(counted.held, 0);
}

/* Each piece has its number in its first and last byte, up to the lesser size.
 */
static void
bytes_stay(void **state)
{
   enum { NUM = 40, TURNS = 20000 };
   static uint8_t *pieces[NUM];
   static size_t sizes[NUM];
   struct counted counted = {.most = SIZE_MAX};
   const struct tg_allocator below = {resize_counted, &counted};
   struct tg_recycler recycler;
   uint32_t seed = 1;
   (void)state;

   tg_recycler_init(&recycler, &below, 1 << 19);
   for (int turn = 0; turn < TURNS; turn++) {
      seed = seed * 1664525 + 1013904223;
      const unsigned i = (seed >> 16) % NUM;
      const size_t size =
         turn % 5 == 0 ? 0 : (size_t)(seed >> 12) >> ((seed >> 3) % 20);
      if (sizes[i] && size) {
         const size_t less = sizes[i] < size ? sizes[i] : size;
         pieces[i][less - 1] = (uint8_t)~i;
         pieces[i] = resize(&recycler, pieces[i], sizes[i], size);
         assert_int_equal(pieces[i][less - 1], (uint8_t)~i);
      } else {
         pieces[i] = resize(&recycler, pieces[i], sizes[i], size);
      }
      sizes[i] = size;
      if (size)
         memset(pieces[i], (int)i, size);
      for (int k = 0; k < NUM; k++)
         assert_true(!sizes[k] ||
                     (pieces[k][0] == k && pieces[k][sizes[k] - 1] == k));
   }
   for (int i = 0; i < NUM; i++)
      resize(&recycler, pieces[i], sizes[i], 0);
   tg_recycler_finish(&recycler);
   assert_int_equal(counted.held, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(freed_memory_is_given_out_again),
      cmocka_unit_test(pieces_are_not_much_larger),
      cmocka_unit_test(no_more_is_kept_than_allowed),
      cmocka_unit_test(running_out_changes_nothing),
      cmocka_unit_test(bytes_stay),
   };
   return cmocka_run_group_tests_name("util: recycle", tests, NULL, NULL);
}
