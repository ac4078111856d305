/* SPDX-License-Identifier: MIT
 *
 * Assembly with the expected answer beside it: what the assembler says,
 * followed by the program if there is one. Files named strict-* are read
 * strictly.
 */
#include "../golden.h"

#include "tungsten/tegra.h"

static void
answer(const char *name, const char *text, size_t length, char *out,
       size_t size)
{
   unsigned flags = strncmp(name, "strict-", 7) == 0 ? TG_TEGRA_STRICT : 0;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;
   char *printed = NULL;

   tg_tegra_assemble(NULL, name, text, length, flags, diagnostics, &program);
   char *said = tg_diagnostics_text(diagnostics);
   if (program)
      printed = tg_tegra_print(program, 0);
   snprintf(out, size, "%s%s", said ? said : "out of memory\n",
            printed ? printed : "");
   tg_string_free(printed);
   tg_string_free(said);
   tg_tegra_program_destroy(program);
   tg_diagnostics_destroy(diagnostics);
}

int
main(int argc, char **argv)
{
   return golden_main(argc, argv, ".s", answer);
}
