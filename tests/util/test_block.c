/* SPDX-License-Identifier: MIT
 *
 * Blocks that remember their allocator.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../sweep.h"
#include "util/block.h"

/* It grows and shrinks, keeps what was in it, and goes back to where it came
 * from, though nobody says where that was. */
static void
remembers(void **state)
{
   struct counter counter = {0};
   char *block;

   (void)state;
   {
      const struct tg_allocator allocator = {count, &counter};

      block = tg_block_resize(&allocator, NULL, 5);
      assert_non_null(block);
   }
   assert_int_equal((uintptr_t)block % _Alignof(max_align_t), 0);
   memcpy(block, "abcd", 5);
   block = tg_block_resize(NULL, block, 5000);
   memset(block + 5, 'x', 4995);
   block = tg_block_resize(NULL, block, 5);
   assert_string_equal(block, "abcd");
   assert_true(counter.in_use > 5 && counter.in_use < 100);
   tg_block_free(block);
   assert_int_equal(counter.in_use, 0);
   assert_int_equal(counter.calls, 2);
}

static void
takes_nothing(void **state)
{
   (void)state;
   tg_block_free(NULL);
   tg_block_free(tg_block_resize(NULL, NULL, 1));
   assert_null(tg_block_resize(NULL, NULL, SIZE_MAX));
   assert_null(tg_block_resize(NULL, NULL, SIZE_MAX - 8));
}

/* What cannot grow stays as it was. */
static enum tg_result
grow(const struct tg_allocator *allocator)
{
   char *block = tg_block_resize(allocator, NULL, 2);
   if (!block)
      return TG_ERROR_MEMORY;

   strcpy(block, "a");
   char *larger = tg_block_resize(allocator, block, 200);
   assert_string_equal(larger ? larger : block, "a");
   tg_block_free(larger ? larger : block);
   return larger ? TG_OK : TG_ERROR_MEMORY;
}

static void
fails_whole(void **state)
{
   (void)state;
   sweep(grow);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(remembers),
      cmocka_unit_test(takes_nothing),
      cmocka_unit_test(fails_whole),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
