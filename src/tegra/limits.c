/* SPDX-License-Identifier: MIT
 *
 * How the stages behind selection say that a program is too large.
 */
#include "tegra/compile.h"

#include <stdio.h>

/* Is the shader small enough when its arithmetic is not exact? */
static bool
fits_inexactly(const struct compile *compile, const struct mir *mir)
{
   struct tg_tegra_compile_options options = *compile->options;
   struct tg_tegra_program *program = NULL;

   options.exact = false;
   options.trace = NULL;
   enum tg_result result = tg_tegra_compile(mir->arena.allocator, mir->shader,
                                            &options, NULL, &program);
   tg_tegra_program_destroy(program);
   return result == TG_OK;
}

enum tg_result
compile_limit(const struct compile *compile, const struct mir *mir,
              uint32_t origin, const char *note, const char *format, ...)
{
   const struct tg_shader *shader = mir->shader;
   struct tg_position position = {0};
   char longer_note[128];
   va_list args;

   if (mir->has_grown)
      return TG_ERROR_LIMIT; /* the shader itself may fit */
   if (origin < shader->num_instructions)
      position = shader->instructions[origin].position;
   if (note && compile->options->exact && fits_inexactly(compile, mir)) {
      snprintf(longer_note, sizeof(longer_note),
               "%s; without exact arithmetic this one fits", note);
      note = longer_note;
   }
   va_start(args, format);
   tg_vdiagnose(compile->diagnostics, TG_SEVERITY_ERROR, "tegra-limit",
                &shader->source, position, note, format, args);
   va_end(args);
   return TG_ERROR_LIMIT;
}
