/* SPDX-License-Identifier: MIT
 *
 * The command `copy`.
 */
#include "script/commands/sides.h"

bool
script_read_copy(struct script_cursor *cursor, const struct script *script,
                 struct script_command *command)
{
   return script_read_sides(cursor, script, &command->transfer);
}

enum tg_result
script_do_copy(struct script_runner *runner,
               const struct script_command *command)
{
   struct script_transfer transfer = command->transfer;
   struct script_side *src = &transfer.src, *dst = &transfer.dst;
   struct tg_resource *from, *to;
   enum tg_result result =
      script_find_sides(runner, command, &transfer, &from, &to);
   if (result != TG_OK)
      return result;

   const struct tg_box box = script_side_box(src->box);
   result =
      script_runner_touch_pixels(runner, command, script_side_texels(src->box));
   if (result != TG_OK)
      return result;
   result = tg_context_copy(runner->drawing.gpu, to, dst->level,
                            (uint32_t)dst->box[0], (uint32_t)dst->box[1],
                            (uint32_t)dst->box[2], from, src->level, &box,
                            runner->diagnostics);
   return script_drawing_result(runner, command, result, "nothing was copied");
}
