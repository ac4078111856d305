/* SPDX-License-Identifier: MIT
 *
 * The diagnostics of a running test: what failed, and what is to blame.
 */
#include <stdarg.h>

#include "script/run/runner.h"

static void
complain(struct script_runner *runner, struct tg_position position,
         const char *format, va_list args)
{
   tg_vdiagnose(runner->diagnostics, TG_SEVERITY_ERROR, "test-failed",
                &runner->script->source, position, NULL, format, args);
}

enum tg_result
script_fail(struct script_runner *runner, const struct script_command *command,
            const char *format, ...)
{
   va_list args;

   if (tg_work_has_ended(&runner->work))
      return TG_ERROR_LIMIT;
   va_start(args, format);
   complain(runner, command->position, format, args);
   va_end(args);
   return TG_ERROR_INPUT;
}

enum tg_result
script_blame(struct script_runner *runner, struct tg_position position,
             enum tg_result result, const char *format, ...)
{
   va_list args;

   runner->has_given_up = true;
   if (tg_work_has_ended(&runner->work))
      return TG_ERROR_LIMIT;
   va_start(args, format);
   complain(runner, position, format, args);
   va_end(args);
   return result;
}

struct tg_diagnostics *
script_errors(struct script_runner *runner)
{
   if (!runner->errors)
      runner->errors = tg_diagnostics_create(runner->allocator);
   if (runner->errors)
      tg_diagnostics_clear(runner->errors);
   return runner->errors;
}

const char *
script_first_error(const struct script_runner *runner)
{
   const struct tg_diagnostic *first = tg_diagnostics_get(runner->errors, 0);

   return first ? first->message : "something is wrong";
}
