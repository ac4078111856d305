/* SPDX-License-Identifier: MIT
 *
 * Test files: whatever can be read can be run to its end, and a file that is
 * refused or a test that fails says why.
 */
#include "fuzz.h"

#include <stdlib.h>

#include "script/script.h"

/* Little of everything, and nothing from outside of the input. */
static const struct script_limits limits = {
   .no_files = true,
   .max_size = 64,
   .memory = 16 << 20,
   .max_turns = 1000,
   .work = 1 << 22,
   .pixels = 100000,
   .threads = 4096,
   .one_processor = true,
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct script *script = NULL;

   if (!diagnostics)
      abort();
   enum tg_result result = script_parse(
      NULL, &limits, "fuzz", (const char *)data, size, diagnostics, &script);
   if ((result == TG_OK) == (tg_diagnostics_num_errors(diagnostics) > 0))
      abort();
   for (size_t i = 0; script && i < script_model_num_tests(script); i++) {
      tg_diagnostics_clear(diagnostics);
      result = script_run_test(script, i, diagnostics);
      if ((result == TG_OK) == (tg_diagnostics_num_errors(diagnostics) > 0))
         abort();
   }
   script_destroy(script);
   tg_diagnostics_destroy(diagnostics);
   return 0;
}
