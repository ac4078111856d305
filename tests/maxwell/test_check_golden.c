/* SPDX-License-Identifier: MIT
 *
 * Programs with what the checker says of them beside them; of those without it
 * says nothing. The file that is named for a finding has it, and there is one
 * for each.
 */
#include "../golden.h"

#include "tungsten/maxwell.h"

static const char *const codes[] = {
#define MAXWELL_FINDING(id, severity, code, title, note) code,
#include "maxwell/findings.def"
};

enum { NUM_FINDINGS = sizeof(codes) / sizeof(codes[0]) };

/* Those whose own file has them. */
static bool is_covered[NUM_FINDINGS];

static void
note_findings(const char *name, const struct tg_diagnostics *diagnostics)
{
   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      const char *code = tg_diagnostics_get(diagnostics, i)->code;
      size_t length = strlen(code);

      for (size_t j = 0; j < NUM_FINDINGS; j++) {
         if (strcmp(codes[j], code) == 0 && strncmp(name, code, length) == 0 &&
             name[length] == '.')
            is_covered[j] = true;
      }
   }
}

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
      note_findings(name, diagnostics);
   }
   char *said = tg_diagnostics_text(diagnostics);
   snprintf(out, size, "%s", said && *said ? said : text);
   tg_string_free(said);
   tg_maxwell_program_destroy(program);
   tg_diagnostics_destroy(diagnostics);
}

int
main(int argc, char **argv)
{
   int status = golden_main(argc, argv, ".s", answer);

   for (size_t i = 0; i < NUM_FINDINGS; i++) {
      if (is_covered[i])
         continue;
      printf("no file has the finding that it is named for: %s\n", codes[i]);
      status = 1;
   }
   return status;
}
