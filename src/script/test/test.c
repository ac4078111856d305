/* SPDX-License-Identifier: MIT
 *
 * Execution of a test: its commands one after the other, each of which may find
 * something wrong.
 */
#include <assert.h>
#include <string.h>

#include "script/commands/check.h"
#include "util/block.h"

/* Units of work of a command, besides what it does. */
enum { COMMAND_WORK = 256 };

static enum tg_result
fail_for_memory(struct script_runner *runner,
                const struct script_command *command)
{
   script_fail(runner, command, SCRIPT_BEYOND_QUOTA,
               (unsigned long long)runner->limits->memory);
   return TG_ERROR_LIMIT;
}

static bool
is_expectation(const struct script_command_rule *rule)
{
   return strncmp(rule->words, "expect", strlen("expect")) == 0;
}

/* Says that the work has ended; nothing more of the test is carried out. */
static enum tg_result
explain_end(struct script_runner *runner, const struct script_command *command)
{
   runner->has_given_up = true;
   runner->is_incomplete = true;
   runner->is_end_explained = true;
   return tg_work_explain(&runner->work, runner->diagnostics,
                          &runner->script->source, command->position);
}

/* A command that waits does nothing where a draw before it has a fault. */
static enum tg_result
carry_out(struct script_runner *runner, const struct script_command *command)
{
   enum tg_result result = TG_OK;

   if (!tg_work_pay(&runner->work, COMMAND_WORK))
      return TG_ERROR_LIMIT;

   if (command->rule->flags & SCRIPT_COMMAND_WAITS)
      result = script_drawing_wait(runner);
   runner->is_incomplete |= result != TG_OK;
   if (result != TG_OK)
      return result;
   result = command->rule->carry_out(runner, command);
   runner->is_incomplete |= result != TG_OK && !is_expectation(command->rule);
   return result;
}

/* Carries out commands to the end, also after one that failed. */
static enum tg_result
run_commands(struct script_runner *runner,
             const struct script_commands *commands)
{
   enum tg_result result = TG_OK;

   for (uint32_t i = 0; i < commands->count; i++) {
      const struct script_command *command = &commands->items[i];
      enum tg_result done = carry_out(runner, command);

      if (done == TG_ERROR_MEMORY)
         return runner->quota.refused ? fail_for_memory(runner, command)
                                      : TG_ERROR_MEMORY;
      if (done != TG_OK)
         result = done;
      if (done != TG_OK && tg_work_has_ended(&runner->work))
         return explain_end(runner, command);
      if (runner->has_given_up)
         break;
   }
   return result;
}

/* Waits for the last draws; a fault fails the test, whatever it expects. */
static enum tg_result
finish_draws(struct script_runner *runner)
{
   enum tg_result result = script_drawing_wait(runner);

   if (result != TG_OK && tg_work_has_ended(&runner->work))
      return explain_end(runner, runner->drawing.last_draw);
   return result == TG_ERROR_MEMORY && runner->quota.refused
             ? fail_for_memory(runner, runner->drawing.last_draw)
             : result;
}

/* Runs a test in a runner that is all zero; it is to be finished in any
 * case. */
static enum tg_result
run_test(struct script_runner *runner, const struct script *script, size_t test,
         struct tg_diagnostics *diagnostics)
{
   assert(test < script->num_tests);
   enum tg_result result = script_runner_init(runner, script, diagnostics);

   if (result == TG_OK)
      result = run_commands(runner, &script->state);
   if (result == TG_OK)
      result = run_commands(runner, &script->tests[test].commands);
   if (result != TG_ERROR_MEMORY && !runner->is_end_explained) {
      const enum tg_result drawn = finish_draws(runner);

      runner->is_incomplete |= drawn != TG_OK;
      result = result == TG_OK ? drawn : result;
   }
   if (script_check_report_findings(runner) != TG_OK && result == TG_OK)
      result = TG_ERROR_INPUT;
   return result;
}

enum tg_result
script_run_test(const struct script *script, size_t test,
                struct tg_diagnostics *diagnostics)
{
   struct script_runner runner = {0};
   enum tg_result result = run_test(&runner, script, test, diagnostics);

   script_runner_finish(&runner);
   return result;
}

/* Did no more than expectations fail? */
static bool
has_drawn_all(const struct script_runner *runner, enum tg_result result)
{
   return result == TG_ERROR_INPUT && !runner->is_incomplete &&
          !runner->has_given_up && script_has_picture(runner);
}

/* Says that there was no work left for the picture. */
static void
explain_end_of_test(const struct script_runner *runner, size_t test)
{
   const struct tg_position position = {
      .line = runner->script->tests[test].line,
      .column = 1,
   };

   tg_work_explain(&runner->work, runner->diagnostics, &runner->script->source,
                   position);
}

static void
copy_statistics(const struct script_runner *runner,
                struct script_rendering *rendering)
{
   const struct tg_device *device = tg_context_get_device(runner->drawing.gpu);

   tg_context_get_statistics(runner->drawing.gpu, &rendering->statistics);
   tg_device_get_code_statistics(device, &rendering->code);
}

/* All that is wanted, or no picture. */
static enum tg_result
copy_rendering(struct script_runner *runner, uint32_t line,
               unsigned wanted_maps, struct script_rendering *rendering)
{
   enum tg_result result =
      script_picture_of_test(runner, line, &rendering->picture);

   if (result == TG_OK)
      result = script_maps_copy(runner, line, wanted_maps, rendering->maps);
   if (result == TG_OK)
      copy_statistics(runner, rendering);
   else
      script_test_rendering_finish(rendering);
   return result;
}

enum tg_result
script_test_render(const struct script *script, size_t test,
                   unsigned wanted_maps, struct tg_diagnostics *diagnostics,
                   struct script_rendering *rendering_out)
{
   struct script_runner runner = {.drawing.wanted_maps = wanted_maps};
   enum tg_result result = run_test(&runner, script, test, diagnostics);

   *rendering_out = (struct script_rendering){
      .statistics = TG_CONTEXT_STATISTICS_INIT,
      .code = TG_CODE_STATISTICS_INIT,
   };
   if (result == TG_OK || has_drawn_all(&runner, result)) {
      assert(test < script->num_tests);
      const enum tg_result copied = copy_rendering(
         &runner, script->tests[test].line, wanted_maps, rendering_out);

      if (copied == TG_ERROR_LIMIT && tg_work_has_ended(&runner.work))
         explain_end_of_test(&runner, test);
      result = result == TG_OK ? copied : result;
   }
   script_runner_finish(&runner);
   return result;
}

void
script_test_rendering_finish(struct script_rendering *rendering)
{
   tg_block_free(rendering->picture.rgba);
   for (unsigned i = 0; i < SCRIPT_NUM_MAPS; i++)
      tg_block_free(rendering->maps[i]);
   *rendering = (struct script_rendering){0};
}
