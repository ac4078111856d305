/* SPDX-License-Identifier: MIT
 *
 * Checked runs: the command `check`, and what was found and nobody expected.
 */
#include "script/commands/check.h"

#include <string.h>

static void
repeat(struct script_runner *runner, const struct tg_diagnostic *found)
{
   const struct tg_position position = {found->line, found->column, 0};
   const struct tg_source source = {.name = found->file};

   tg_diagnose(runner->diagnostics, found->severity, found->code, &source,
               position, found->note, "%s", found->message);
}

enum tg_result
script_check_report_findings(struct script_runner *runner)
{
   struct script_findings *findings = &runner->findings;
   enum tg_result result = TG_OK;

   if (!findings->list)
      return TG_OK;

   size_t count = tg_diagnostics_count(findings->list);
   for (size_t i = 0; i < count; i++) {
      const struct tg_diagnostic *found = tg_diagnostics_get(findings->list, i);

      if (found->severity != TG_SEVERITY_ERROR ||
          (i < SCRIPT_MAX_FINDINGS && findings->is_expected[i]))
         continue;
      repeat(runner, found);
      result = TG_ERROR_INPUT;
   }
   memset(findings->is_expected, 0, sizeof(findings->is_expected));
   tg_diagnostics_clear(findings->list);
   return result;
}

/* Before a checked run: what the last one found and nobody expected fails the
 * test. */
static enum tg_result
begin_findings(struct script_runner *runner)
{
   struct script_findings *findings = &runner->findings;

   if (!findings->list)
      findings->list = tg_diagnostics_create(runner->allocator);
   return findings->list ? script_check_report_findings(runner)
                         : TG_ERROR_MEMORY;
}

enum tg_result
script_check_execution(struct script_runner *runner,
                       const struct script_command *command,
                       script_run_function run, const char *failure)
{
   struct tg_diagnostics *said = runner->diagnostics;
   enum tg_result before = TG_OK;

   if (runner->is_checked && !runner->is_trying) {
      before = begin_findings(runner);
      said = runner->findings.list;
   }
   if (before == TG_ERROR_MEMORY)
      return before;

   enum tg_result result = run(runner, command, runner->diagnostics, said);
   if (result == TG_OK ||
       (result != TG_ERROR_MEMORY && said != runner->diagnostics &&
        tg_diagnostics_num_errors(said)))
      return before;
   if (result == TG_ERROR_MEMORY || runner->has_given_up)
      return result;
   return script_fail(runner, command, "%s: %s", failure,
                      tg_result_name(result));
}

bool
script_read_check(struct script_cursor *cursor, const struct script *script,
                  struct script_command *command)
{
   (void)cursor, (void)script, (void)command;
   return true;
}

enum tg_result
script_do_check(struct script_runner *runner,
                const struct script_command *command)
{
   if (runner->drawing.gpu && !runner->is_checked)
      return script_fail(runner, command,
                         "what is drawn is checked from the start or not");
   if (!runner->is_checked)
      script_shader_forget_program(runner);
   runner->is_checked = true;
   return TG_OK;
}
