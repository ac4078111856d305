/* SPDX-License-Identifier: MIT
 *
 * Diagnostics of programs that are too large for the unit, for the stages after
 * selection.
 */
#include "tegra/mir/compile.h"

#include <stdio.h>

/* Where the program would fit without exact arithmetic the note says so. */
static bool
fits_inexactly(const struct compile *compile, const struct mir *mir)
{
   return compile->options->exact && compile->fits_inexactly &&
          compile->fits_inexactly(compile, mir->shader, mir->arena.allocator);
}

enum tg_result
mir_limit(const struct compile *compile, const struct mir *mir, uint32_t origin,
          const char *note, const char *format, ...)
{
   const struct tg_shader *shader = mir->shader;
   struct tg_position position = {0};
   char longer_note[128];
   va_list args;

   if (mir->has_grown)
      return TG_ERROR_LIMIT; /* the shader itself may fit */
   if (origin < shader->num_instructions)
      position = shader->instructions[origin].position;
   if (note && fits_inexactly(compile, mir)) {
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
