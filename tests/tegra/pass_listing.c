/* SPDX-License-Identifier: MIT
 *
 * Listings are read, rewritten and compared as text.
 */
#include "pass_listing.h"

#include <stdio.h>

enum { MAX_TEXT = 1024 };

void
check_listing(pass run, const char *before, const char *after)
{
   struct mir mir;
   bool changed = false;

   mir_read(&mir, before);
   assert_int_equal(run(&mir, &changed), TG_OK);
   assert_mir(&mir, after);
   mir_finish(&mir);
}

void
leave_listing(pass run, const char *listing)
{
   check_listing(run, listing, listing);
}

void
check(pass run, const char *before, const char *after)
{
   char texts[2][MAX_TEXT];

   snprintf(texts[0], MAX_TEXT, "block 0, the end\n%s", before);
   snprintf(texts[1], MAX_TEXT, "block 0, the end\n%s", after);
   check_listing(run, texts[0], texts[1]);
}

void
leave(pass run, const char *operations)
{
   check(run, operations, operations);
}

void
leave_each(pass run, const char *before, const char *const parts[],
           size_t count, const char *behind)
{
   for (size_t i = 0; i < count; i++) {
      char text[MAX_TEXT];

      snprintf(text, sizeof(text), "%s%s%s", before, parts[i], behind);
      leave_listing(run, text);
   }
}
