/* SPDX-License-Identifier: MIT
 *
 * Shaders that cannot be compiled, with all that is said of them. The file that
 * is named for a reason has it, and there is one for each that a valid shader
 * can run into.
 */
#include "../golden.h"

#include "tegra/select.h"

struct reason {
   const char *code;
   bool is_covered;
};

static struct reason reasons[] = {
#define SELECT_REFUSAL(id, code, text) {code, false},
#include "tegra/refusals.def"
};

enum { NUM_REASONS = sizeof(reasons) / sizeof(reasons[0]) };

static void
note_reasons(const char *name, const struct tg_diagnostics *diagnostics)
{
   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      const char *code = tg_diagnostics_get(diagnostics, i)->code;
      size_t length = strlen(code);

      for (size_t j = 0; j < NUM_REASONS; j++) {
         if (strcmp(reasons[j].code, code) == 0 &&
             strncmp(name, code, length) == 0 && name[length] == '.')
            reasons[j].is_covered = true;
      }
   }
}

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
   note_reasons(name, diagnostics);
   char *said = tg_diagnostics_text(diagnostics);
   snprintf(out, size, "%s", said ? said : "");
   tg_string_free(said);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
}

int
main(int argc, char **argv)
{
   int status = golden_main(argc, argv, ".tgsi", answer);

   for (size_t i = 0; i < NUM_REASONS; i++) {
      /* The validator knows no shader with such an opcode. */
      if (reasons[i].is_covered || i == SELECT_REFUSED_NO_OPCODE)
         continue;
      printf("no file has the reason that it is named for: %s\n",
             reasons[i].code);
      status = 1;
   }
   return status;
}
