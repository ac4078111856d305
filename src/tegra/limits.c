/* SPDX-License-Identifier: MIT
 *
 * How the stages behind selection say that a program is too large.
 */
#include "tegra/compile.h"

enum tg_result
compile_limit(const struct compile *compile, const struct mir *mir,
              uint32_t origin, const char *note, const char *format, ...)
{
   const struct tg_shader *shader = mir->shader;
   struct tg_position position = {0};
   va_list args;

   if (origin < shader->num_instructions)
      position = shader->instructions[origin].position;
   va_start(args, format);
   tg_vdiagnose(compile->diagnostics, TG_SEVERITY_ERROR, "tegra-limit",
                &shader->source, position, note, format, args);
   va_end(args);
   return TG_ERROR_LIMIT;
}
