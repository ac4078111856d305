/* SPDX-License-Identifier: MIT
 *
 * Diagnostics of a lowering.
 */
#include "lower/operands/context.h"

#include <stdarg.h>
#include <stdio.h>

void
lower_fail(struct lower_context *context, enum tg_result result)
{
   if (context->result == TG_OK)
      context->result = result;
}

void
lower_error(struct lower_context *context, enum tg_result result,
            const char *code, const char *format, ...)
{
   char message[160];
   va_list args;

   va_start(args, format);
   vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   lower_fail(context, result);
   tg_diagnose(context->diagnostics, TG_SEVERITY_ERROR, code,
               &context->shader->source, context->instruction->position, NULL,
               "%s", message);
}
