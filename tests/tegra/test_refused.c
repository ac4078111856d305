/* SPDX-License-Identifier: MIT
 *
 * Shaders that cannot be compiled, with all that is said of them. The file that
 * is named for a reason has it, and there is one for each that a valid shader
 * can run into.
 */
#include "../golden.h"
#include "../golden_codes.h"

#include "tegra/select/select.h"

static struct golden_code reasons[] = {
#define SELECT_REFUSAL(id, code, text) {code, false},
#include "tegra/select/refusals.def"
};

enum { NUM_REASONS = sizeof(reasons) / sizeof(reasons[0]) };

static void
answer(const char *name, const char *text, size_t length, char *out,
       size_t size)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;
   struct tg_shader *shader = NULL;

   tg_shader_parse(NULL, name, text, length, TG_DIALECT_2019, diagnostics,
                   &shader);
   if (shader)
      tg_tegra_compile(NULL, shader, NULL, diagnostics, &program);
   if (program)
      abort();
   golden_cover(reasons, NUM_REASONS, name, diagnostics);
   golden_said(diagnostics, "", out, size);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
}

int
main(int argc, char **argv)
{
   int status = golden_main(argc, argv, ".tgsi", answer);

   /* The validator knows no shader with such an opcode. */
   reasons[SELECT_REFUSED_NO_OPCODE].is_covered = true;
   return golden_all_covered(reasons, NUM_REASONS) ? status : 1;
}
