/* SPDX-License-Identifier: MIT
 *
 * The command `expect error`: a command that must fail.
 */
#include <string.h>

#include "script/commands/commands.h"

/* expect error "TEXT", of `run`, or expect error "TEXT" COMMAND ... */
bool
script_read_expect_error(struct script_cursor *cursor,
                         const struct script *script,
                         struct script_command *command)
{
   if (!cursor_read_string(cursor, "a part of the error", &command->error))
      return false;
   struct script_cursor before = *cursor;
   command->tried = cursor_at_end(cursor)
                       ? script_find_command_rule("run")
                       : script_find_command(cursor, SCRIPT_COMMAND_TRIED);
   if (!command->tried)
      return cursor_complain(&before, "there is no such command that may fail");
   return command->tried->read(cursor, script, command);
}

/* Whether one of the errors contains a text. */
static bool
has_error(const struct tg_diagnostics *diagnostics, struct script_word text)
{
   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      const struct tg_diagnostic *diagnostic =
         tg_diagnostics_get(diagnostics, i);

      if (diagnostic->severity == TG_SEVERITY_ERROR &&
          memmem(diagnostic->message, strlen(diagnostic->message), text.text,
                 text.length))
         return true;
   }
   return false;
}

/* Its message, or NULL; warnings may come before it. */
static const char *
first_error(const struct tg_diagnostics *diagnostics)
{
   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      const struct tg_diagnostic *diagnostic =
         tg_diagnostics_get(diagnostics, i);

      if (diagnostic->severity == TG_SEVERITY_ERROR)
         return diagnostic->message;
   }
   return NULL;
}

/* Carries the command out, to the end of what it draws; what it complains of
 * goes to `errors`. */
static enum tg_result
try_command(struct script_runner *runner, const struct script_command *command,
            struct tg_diagnostics *errors)
{
   struct tg_diagnostics *diagnostics = runner->diagnostics;

   runner->diagnostics = errors;
   runner->is_trying = true;
   enum tg_result result = command->tried->carry_out(runner, command);
   if (result == TG_OK)
      result = script_drawing_wait(runner);
   runner->diagnostics = diagnostics;
   runner->is_trying = false;
   runner->has_given_up = false;
   return result;
}

enum tg_result
script_do_expect_error(struct script_runner *runner,
                       const struct script_command *command)
{
   struct tg_diagnostics *errors = tg_diagnostics_create(runner->allocator);
   if (!errors)
      return TG_ERROR_MEMORY;

   enum tg_result result = try_command(runner, command, errors);
   if (tg_work_has_ended(&runner->work)) {
      result = TG_ERROR_LIMIT;
   } else if (result == TG_OK) {
      result = script_fail(runner, command, "this goes well, without an error");
   } else if (result != TG_ERROR_MEMORY) {
      const char *message = first_error(errors);

      result =
         has_error(errors, command->error)
            ? TG_OK
            : script_fail(runner, command, "no error says so; the first is: %s",
                          message ? message : tg_result_name(result));
   }
   tg_diagnostics_destroy(errors);
   return result;
}
