/* SPDX-License-Identifier: MIT
 *
 * Assembly for Maxwell: whatever assembles prints as something that assembles
 * to the same words and control bits and prints the same, and it can be checked
 * and run.
 */
#include "fuzz.h"

#include "maxwell_use.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_maxwell_program *program = NULL;

   if (!diagnostics)
      abort();
   enum tg_result result = tg_maxwell_assemble(NULL, "fuzz", (const char *)data,
                                               size, diagnostics, &program);
   if ((result == TG_OK) != (tg_diagnostics_num_errors(diagnostics) == 0) ||
       (result == TG_OK) != (program != NULL))
      abort();
   tg_string_free(tg_diagnostics_text(diagnostics));
   if (program) {
      maxwell_go_through_text(program, size % MAXWELL_FLAGS);
      maxwell_go_through_code(program);
      maxwell_use(program);
   }
   tg_maxwell_program_destroy(program);
   tg_diagnostics_destroy(diagnostics);
   return 0;
}
