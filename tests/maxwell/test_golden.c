/* SPDX-License-Identifier: MIT
 *
 * Assembly with mistakes: all that the assembler says, beside it.
 */
#include "../golden.h"

#include "tungsten/maxwell.h"

static void
answer(const char *name, const char *text, size_t length, char *out,
       size_t size)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_maxwell_program *program = NULL;
   enum tg_result result =
      tg_maxwell_assemble(NULL, name, text, length, diagnostics, &program);

   if ((result == TG_OK) != (program != NULL) ||
       (result == TG_OK) != (tg_diagnostics_num_errors(diagnostics) == 0))
      abort();
   golden_said(diagnostics, text, out, size);
   tg_maxwell_program_destroy(program);
   tg_diagnostics_destroy(diagnostics);
}

int
main(int argc, char **argv)
{
   return golden_main(argc, argv, ".s", answer);
}
