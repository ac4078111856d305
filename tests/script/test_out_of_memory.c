/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out while a test file is read and run: the first allocation
 * fails, the second, ... until none does. Each time that is the result, and
 * all memory is given back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "script/script.h"

/* An allocator that counts, and says no once. */
struct counter {
   size_t calls;  /* that asked for more memory */
   size_t fails;  /* the call that is refused, from 1 */
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

static const char text[] = "[require]\n"
                           "dialect 2019\n"
                           "[vertex shader]\n"
                           "VERT\n"
                           "DCL IN[0]\n"
                           "DCL OUT[0], POSITION\n"
                           "DCL CONST[0][0]\n"
                           "  0: ADD OUT[0], IN[0], CONST[0][0]\n"
                           "  1: END\n"
                           "[fragment shader]\n"
                           "FRAG\n"
                           "DCL OUT[0], COLOR\n"
                           "DCL SAMP[0]\n"
                           "DCL SVIEW[0], 2D, FLOAT\n"
                           "IMM[0] FLT32 {0.5, 0.5, 0.0, 1.0}\n"
                           "  0: TEX OUT[0], IMM[0], SAMP[0], 2D\n"
                           "  1: END\n"
                           "[vertex data]\n"
                           "IN[0] float 2\n"
                           "-1 -1\n"
                           "1 -1\n"
                           "-1 1\n"
                           "[index data]\n"
                           "0 1 2\n"
                           "[texture 0]\n"
                           "texels 1x1\n"
                           "ff0000ff\n"
                           "mipmaps\n"
                           "[state]\n"
                           "size 4x4\n"
                           "[test]\n"
                           "set IN[0] = 1.0, 0, 0, 0\n"
                           "run\n"
                           "expect OUT[0] = 1.0, 0, 0, 0\n"
                           "set vertex CONST[0] = 0, 0, 0, 0\n"
                           "draw indexed triangles 0 3\n"
                           "expect pixel 0 0 rgba 1 0 0 1\n";

static enum tg_result
read_and_run(const struct tg_allocator *allocator,
             struct tg_diagnostics *diagnostics)
{
   struct script *script = NULL;
   enum tg_result result = script_parse(allocator, "memory", text, strlen(text),
                                        diagnostics, &script);

   if (result == TG_OK)
      result = script_run_test(script, 0, NULL, diagnostics);
   script_destroy(script);
   return result;
}

static void
test_sweep(void **state)
{
   enum { PLENTY = 100000 };

   (void)state;
   for (size_t fails = 1; fails < PLENTY; fails++) {
      struct counter counter = {.fails = fails};
      const struct tg_allocator allocator = {count, &counter};
      struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
      enum tg_result result = read_and_run(&allocator, diagnostics);

      tg_diagnostics_destroy(diagnostics);
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sweep),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
