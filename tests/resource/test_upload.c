/* SPDX-License-Identifier: MIT
 *
 * Suballocation: pieces do not overlap, are zero and aligned, and stay as long
 * as their references do.
 */
#include "../sweep.h"
#include "resource/upload.h"

#include <string.h>

enum { NUM_PIECES = 500 };

static size_t
size_of(unsigned i)
{
   return i % 9 == 8 ? 5000 : i * 7 % 1025;
}

static void
expect_filled(const unsigned char *piece, size_t size, int byte)
{
   for (size_t i = 0; i < size; i++)
      assert_int_equal(piece[i], byte);
}

static enum tg_result
make_pieces(const struct tg_allocator *allocator)
{
   struct resource_block *blocks[NUM_PIECES] = {NULL};
   unsigned char *pieces[NUM_PIECES] = {NULL};
   struct resource_upload upload = {0};
   enum tg_result result = TG_OK;
   unsigned count = 0;

   for (; count < NUM_PIECES && result == TG_OK; count++) {
      pieces[count] = resource_upload_alloc(&upload, allocator, size_of(count),
                                            &blocks[count]);
      if (!pieces[count]) {
         assert_null(blocks[count]);
         result = TG_ERROR_MEMORY;
         break;
      }
      assert_int_equal((uintptr_t)pieces[count] % 16, 0);
      expect_filled(pieces[count], size_of(count), 0);
      memset(pieces[count], (int)(count % 255) + 1, size_of(count));
   }
   resource_upload_finish(&upload);
   for (unsigned i = 0; i < count; i++) {
      expect_filled(pieces[i], size_of(i), (int)(i % 255) + 1);
      resource_block_drop(blocks[i]);
   }
   return result;
}

static void
pieces_stay_until_they_are_dropped(void **state)
{
   struct counter counter = {0};
   const struct tg_allocator allocator = {count, &counter};
   (void)state;

   assert_int_equal(make_pieces(&allocator), TG_OK);
   assert_int_equal(counter.in_use, 0);
}

/* The block that is being filled is the only one that nobody else needs. */
static void
what_is_dropped_goes(void **state)
{
   struct counter counter = {0};
   const struct tg_allocator allocator = {count, &counter};
   struct resource_upload upload = {0};
   struct resource_block *block;
   size_t one = 0;
   (void)state;

   for (unsigned i = 0; i < NUM_PIECES; i++) {
      assert_non_null(resource_upload_alloc(&upload, &allocator, 64, &block));
      resource_block_drop(block);
      if (!i)
         one = counter.in_use;
      assert_int_equal(counter.in_use, one);
   }
   assert_true(counter.calls < NUM_PIECES / 100);
   resource_upload_finish(&upload);
   assert_int_equal(counter.in_use, 0);
}

static void
memory_may_run_out(void **state)
{
   (void)state;
   sweep(make_pieces);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_stay_until_they_are_dropped),
      cmocka_unit_test(what_is_dropped_goes),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
