/* SPDX-License-Identifier: MIT
 *
 * Shaders with their expected answer beside them: what the parser says,
 * followed by what the printer makes of the shader if there is one.
 */
#include "../golden.h"

#include "tungsten/tgsi.h"

static void
answer(const char *name, const char *text, size_t length, char *out,
       size_t size)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;
   char *printed = NULL;

   tg_shader_parse(NULL, name, text, length, TG_DIALECT_2019, diagnostics,
                   &shader);
   char *said = tg_diagnostics_text(diagnostics);
   if (shader)
      printed = tg_shader_print(shader, 0);
   snprintf(out, size, "%s%s", said ? said : "out of memory\n",
            printed ? printed : "");
   tg_string_free(printed);
   tg_string_free(said);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
}

int
main(int argc, char **argv)
{
   return golden_main(argc, argv, ".tgsi", answer);
}
