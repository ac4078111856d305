/* SPDX-License-Identifier: MIT
 *
 * The state of draws: the rows of run/state.def.
 */
#include "script/commands/commands.h"

bool
script_read_state(struct script_cursor *cursor, const struct script *script,
                  struct script_command *command)
{
   (void)script;
   return script_state_read(cursor, &command->change);
}

enum tg_result
script_do_state(struct script_runner *runner,
                const struct script_command *command)
{
   struct script_drawing *drawing = &runner->drawing;

   script_apply_rule(&command->change, &drawing->state);
   drawing->has_state = false;
   if (script_state_changes_framebuffer(&command->change))
      drawing->has_framebuffer = false;
   return TG_OK;
}
