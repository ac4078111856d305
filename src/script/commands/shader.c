/* SPDX-License-Identifier: MIT
 *
 * The shader that is run, and those of the stages of draws.
 */
#include "script/commands/commands.h"

void
script_shader_forget_run(struct script_runner *runner)
{
   tg_run_destroy(runner->run);
   runner->run = NULL;
   runner->num_applied = 0;
   runner->has_outputs = false;
}

void
script_shader_forget_program(struct script_runner *runner)
{
   script_shader_forget_run(runner);
   tg_program_destroy(runner->program.program);
   tg_shader_destroy(runner->program.shader);
   runner->program = (struct script_program){0};
}

bool
script_read_shader(struct script_cursor *cursor, const struct script *script,
                   struct script_command *command)
{
   return script_model_read_shader_name(cursor, script, &command->shader);
}

enum tg_result
script_do_shader(struct script_runner *runner,
                 const struct script_command *command)
{
   script_shader_forget_program(runner);
   runner->shader = &runner->script->shaders[command->shader];
   return TG_OK;
}

/* ---- STAGE shader NAME --------------------------------------------------- */

bool
script_read_shader_stage(struct script_cursor *cursor,
                         const struct script *script,
                         struct script_command *command)
{
   struct script_cursor words = *cursor;

   words.at = script->source.text + command->position.offset;
   command->shader_stage = script_model_accept_stage(&words);
   command->shader = SCRIPT_NO_SHADER;
   return cursor_accept_words(cursor, "none") ||
          script_model_read_shader_name(cursor, script, &command->shader);
}

enum tg_result
script_do_shader_stage(struct script_runner *runner,
                       const struct script_command *command)
{
   runner->drawing.stages[command->shader_stage].shader = command->shader;
   return TG_OK;
}
