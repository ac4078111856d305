/* SPDX-License-Identifier: MIT
 *
 * Test files: whatever can be read can be run to its end, and a file that is
 * refused or a test that fails says why.
 */
#include "fuzz.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>

#include "script/script.h"

/* Numbers of five digits and more can ask for many turns and vertices, which
 * is legal and slow. Digits of a fraction do not count. */
static bool
has_large_number(const uint8_t *data, size_t size)
{
   unsigned num_digits = 0;
   bool in_fraction = false;

   for (size_t i = 0; i < size; i++) {
      if (!isdigit(data[i])) {
         num_digits = 0;
         in_fraction = data[i] == '.';
      } else if (!in_fraction && ++num_digits == 5) {
         return true;
      }
   }
   return false;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct script *script = NULL;

   if (!diagnostics)
      abort();
   enum tg_result result = script_parse(NULL, "fuzz", (const char *)data, size,
                                        diagnostics, &script);
   if ((result == TG_OK) == (tg_diagnostics_num_errors(diagnostics) > 0))
      abort();
   const bool is_slow = has_large_number(data, size);
   for (size_t i = 0; script && !is_slow && i < script_num_tests(script); i++) {
      tg_diagnostics_clear(diagnostics);
      result = script_run_test(script, i, diagnostics);
      if ((result == TG_OK) == (tg_diagnostics_num_errors(diagnostics) > 0))
         abort();
   }
   script_destroy(script);
   tg_diagnostics_destroy(diagnostics);
   return 0;
}
