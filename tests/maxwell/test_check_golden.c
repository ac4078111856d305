/* SPDX-License-Identifier: MIT
 *
 * Programs with what the checker says of them beside them; of those without it
 * says nothing. The file that is named for a finding has it, and there is one
 * for each.
 */
#include "../golden.h"
#include "../golden_codes.h"

#include "tungsten/maxwell.h"

static struct golden_code findings[] = {
#define MAXWELL_FINDING(id, severity, code, title, note) {code, false},
#include "maxwell/check/findings.def"
};

enum { NUM_FINDINGS = sizeof(findings) / sizeof(findings[0]) };

/* The complaints, or the text itself when there are none. */
static void
answer(const char *name, const char *text, size_t length, char *out,
       size_t size)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_maxwell_program *program = NULL;

   tg_maxwell_assemble(NULL, name, text, length, diagnostics, &program);
   if (program) {
      tg_diagnostics_clear(diagnostics);
      enum tg_result result =
         tg_maxwell_check(program, TG_MAXWELL_ANY, diagnostics);
      if ((result == TG_OK) != (tg_diagnostics_num_errors(diagnostics) == 0))
         abort();
      golden_cover(findings, NUM_FINDINGS, name, diagnostics);
   }
   golden_said(diagnostics, text, out, size);
   tg_maxwell_program_destroy(program);
   tg_diagnostics_destroy(diagnostics);
}

int
main(int argc, char **argv)
{
   int status = golden_main(argc, argv, ".s", answer);

   return golden_all_covered(findings, NUM_FINDINGS) ? status : 1;
}
