/* SPDX-License-Identifier: MIT
 *
 * What programs are decompiled to, whole: of each FILE.s of a folder the text
 * or the complaint is that of FILE.expected. The text is a valid shader that
 * gives the same outputs.
 *
 *    test_decompile_golden [--rebase] FOLDER
 */
#include "../golden.h"

#include "decompiled.h"

static void
take(char *from, char *out, size_t size)
{
   snprintf(out, size, "%s", from ? from : "nothing\n");
   tg_string_free(from);
}

static void
answer(const char *name, const char *text, size_t length, char *out,
       size_t size)
{
   struct decompiled_random random = {1};
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;
   char *made = NULL;

   if (tg_tegra_assemble(NULL, name, text, length, 0, diagnostics, &program) !=
          TG_OK ||
       tg_tegra_decompile(NULL, program, diagnostics, &made) != TG_OK)
      take(tg_diagnostics_text(diagnostics), out, size);
   else if (decompiled_compare(program, &random, false) != DECOMPILED_SAME)
      snprintf(out, size, "the shader does something else\n");
   else
      take(made, out, size), made = NULL;
   tg_string_free(made);
   tg_tegra_program_destroy(program);
   tg_diagnostics_destroy(diagnostics);
}

int
main(int argc, char **argv)
{
   return golden_main(argc, argv, ".s", answer);
}
