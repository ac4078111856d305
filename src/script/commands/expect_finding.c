/* SPDX-License-Identifier: MIT
 *
 * The command `expect finding`.
 */
#include <string.h>

#include "script/commands/commands.h"

bool
script_read_expect_finding(struct script_cursor *cursor,
                           const struct script *script,
                           struct script_command *command)
{
   (void)script;
   command->finding.code = cursor_read_word(cursor);
   if (command->finding.code.length == 0)
      return cursor_complain(cursor, "expected the code of a finding");
   if (!cursor_accept_words(cursor, "line"))
      return cursor_complain(cursor, "expected 'line'");
   return cursor_read_number(cursor, 1, UINT32_MAX, "a line of the shader",
                             &command->finding.line) &&
          cursor_read_string(cursor, "a part of the finding",
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
