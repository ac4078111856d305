/* SPDX-License-Identifier: MIT
 *
 * The commands that run one shader on lanes: lanes, loop budget, set, run.
 */
#include "script/commands/check.h"

bool
script_read_run_lanes(struct script_cursor *cursor, const struct script *script,
                      struct script_command *command)
{
   uint32_t number;

   (void)script;
   if (!cursor_read_number(cursor, 1, TG_MAX_LANES, "a number of lanes",
                           &number))
      return false;
   command->number = number;
   return true;
}

enum tg_result
script_do_run_lanes(struct script_runner *runner,
                    const struct script_command *command)
{
   runner->num_lanes = (unsigned)command->number;
   return TG_OK;
}

bool
script_read_run_loop_budget(struct script_cursor *cursor,
                            const struct script *script,
                            struct script_command *command)
{
   uint32_t number;

   (void)script;
   if (!cursor_read_number(cursor, 1, SCRIPT_MAX_TURNS, "a number of turns",
                           &number))
      return false;
   command->number = number;
   return true;
}

enum tg_result
script_do_run_loop_budget(struct script_runner *runner,
                          const struct script_command *command)
{
   runner->loop_budget = command->number;
   return TG_OK;
}

bool
script_read_run_set(struct script_cursor *cursor, const struct script *script,
                    struct script_command *command)
{
   (void)script;
   command->stage = script_model_accept_stage(cursor);
   if (!script_read_setting(cursor, SCRIPT_PLAIN_INTEGER, &command->setting))
      return false;
   const struct script_setting *setting = &command->setting;
   if (command->stage == SCRIPT_STAGE_ALONE)
      return true;
   if (setting->reg.file != SCRIPT_CONST || setting->lane != SCRIPT_ALL_LANES)
      return cursor_complain(cursor, "for a draw only constants are set");
   return setting->reg.dimension < TG_MAX_CONSTANT_BUFFERS ||
          cursor_complain(cursor, "there is no such constant buffer");
}

enum tg_result
script_do_run_set(struct script_runner *runner,
                  const struct script_command *command)
{
   struct script_settings *settings = &runner->settings[command->stage];

   if (!tg_arena_reserve(&runner->arena, (void **)&settings->items,
                         &settings->capacity, settings->count,
                         sizeof(*settings->items)))
      return TG_ERROR_MEMORY;
   settings->items[settings->count++] = command->setting;
   if (command->stage != SCRIPT_STAGE_ALONE)
      runner->drawing.stages[command->stage].has_constants = false;
   return TG_OK;
}

enum tg_result
script_run_compile(struct script_runner *runner,
                   struct tg_diagnostics *diagnostics)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   struct script_program *program = &runner->program;
   enum tg_result result = TG_OK;

   options.check = runner->is_checked;
   options.work = &runner->work;
   options.executor = runner->limits->executor;
   options.code_cache = runner->limits->code_cache;
   options.profile = runner->limits->profile;
   options.verify_each = runner->limits->verify_each;
   options.print_kernel = runner->limits->print_kernel;
   options.print_user = runner->limits->print_user;
   if (!program->shader)
      result = script_runner_parse_shader(runner, runner->shader, diagnostics,
                                          &program->shader);
   if (result == TG_OK && !program->program)
      result = tg_program_create(runner->allocator, program->shader, &options,
                                 diagnostics, &program->program);
   return result;
}

/* The run of another number of lanes begins afresh. */
static enum tg_result
begin_run(struct script_runner *runner)
{
   if (runner->run && runner->run_lanes == runner->num_lanes)
      return TG_OK;
   script_shader_forget_run(runner);
   runner->run_lanes = runner->num_lanes;
   return tg_run_create(runner->program.program, runner->num_lanes,
                        &runner->run);
}

/* Gives the run the values that were set since it was last run. */
static enum tg_result
apply_settings(struct script_runner *runner, struct tg_diagnostics *diagnostics)
{
   const struct script_settings *settings =
      &runner->settings[SCRIPT_STAGE_ALONE];

   for (; runner->num_applied < settings->count; runner->num_applied++) {
      enum tg_result result = script_apply_setting(
         &settings->items[runner->num_applied], &runner->script->source,
         runner->num_lanes, runner->run, diagnostics);

      if (result != TG_OK)
         return result;
   }
   return TG_OK;
}

uint64_t
script_run_loop_budget(const struct script_runner *runner)
{
   const uint64_t budget = runner->loop_budget;
   const uint64_t most = runner->limits->max_turns;

   return most && (!budget || budget > most) ? most : budget;
}

/* Compiles and runs the shader with the values that were set so far. What is
 * said of the run itself goes to `said`. */
static enum tg_result
run_shader(struct script_runner *runner, const struct script_command *command,
           struct tg_diagnostics *diagnostics, struct tg_diagnostics *said)
{
   (void)command;
   runner->has_outputs = false;
   enum tg_result result = script_run_compile(runner, diagnostics);
   if (result == TG_OK)
      result = begin_run(runner);
   if (result == TG_OK)
      result = apply_settings(runner, diagnostics);
   if (result == TG_OK)
      result = script_bound_update(runner);
   if (result != TG_OK)
      return result;

   tg_run_set_bindings(runner->run, runner->bound.bindings);
   if (script_run_loop_budget(runner))
      tg_run_set_loop_budget(runner->run, script_run_loop_budget(runner));
   script_emitted_listen(&runner->emitted, runner->allocator, runner->run);
   result = tg_run_execute(runner->run, said);
   if (result == TG_OK && runner->emitted.out_of_memory)
      result = TG_ERROR_MEMORY;
   runner->has_outputs = result == TG_OK;
   return result;
}

bool
script_read_run(struct script_cursor *cursor, const struct script *script,
                struct script_command *command)
{
   (void)command;
   return script->num_shaders ||
          cursor_complain(cursor, "there is no shader above");
}

enum tg_result
script_do_run(struct script_runner *runner,
              const struct script_command *command)
{
   return script_check_execution(runner, command, run_shader,
                                 "the shader did not run");
}
