/* SPDX-License-Identifier: MIT
 *
 * See findings.h; and the commands `check` and `expect finding`.
 */
#include "script/commands/findings.h"

#include <string.h>

/* ---- what was found ------------------------------------------------------ */

static void
repeat(struct script_runner *runner, const struct tg_diagnostic *found)
{
   const struct tg_position position = {found->line, found->column, 0};
   const struct tg_source source = {.name = found->file};

   tg_diagnose(runner->diagnostics, found->severity, found->code, &source,
               position, found->note, "%s", found->message);
}

enum tg_result
script_report_findings(struct script_runner *runner)
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
   return findings->list ? script_report_findings(runner) : TG_ERROR_MEMORY;
}

enum tg_result
script_execute(struct script_runner *runner,
               const struct script_command *command, script_run_function run,
               const char *failure)
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

/* ---- check --------------------------------------------------------------- */

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
      script_forget_program(runner);
   runner->is_checked = true;
   return TG_OK;
}

/* ---- expect finding ------------------------------------------------------ */

bool
script_read_expect_finding(struct script_cursor *cursor,
                           const struct script *script,
                           struct script_command *command)
{
   (void)script;
   command->finding.code = script_read_word(cursor);
   if (command->finding.code.length == 0)
      return script_complain(cursor, "expected the code of a finding");
   if (!script_accept_words(cursor, "line"))
      return script_complain(cursor, "expected 'line'");
   return script_read_number(cursor, 1, UINT32_MAX, "a line of the shader",
                             &command->finding.line) &&
          script_read_string(cursor, "a part of the finding",
                             &command->finding.text);
}

static bool
is_as_expected(const struct tg_diagnostic *found,
               const struct script_finding *expected)
{
   return found->line == expected->line &&
          strlen(found->code) == expected->code.length &&
          !memcmp(found->code, expected->code.text, expected->code.length) &&
          memmem(found->message, strlen(found->message), expected->text.text,
                 expected->text.length);
}

enum tg_result
script_do_expect_finding(struct script_runner *runner,
                         const struct script_command *command)
{
   struct script_findings *findings = &runner->findings;
   size_t count = findings->list ? tg_diagnostics_count(findings->list) : 0;

   for (size_t i = 0; i < count && i < SCRIPT_MAX_FINDINGS; i++) {
      if (findings->is_expected[i] ||
          !is_as_expected(tg_diagnostics_get(findings->list, i),
                          &command->finding))
         continue;
      findings->is_expected[i] = true;
      return TG_OK;
   }
   return script_fail(runner, command, "nothing of the kind was found%s",
                      runner->is_checked ? "" : "; the test has no 'check'");
}
