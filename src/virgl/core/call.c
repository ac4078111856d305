/* SPDX-License-Identifier: MIT
 *
 * Refusal of a command: its diagnostic.
 */
#include "virgl/core/call.h"

#include <stdarg.h>
#include <stdio.h>

#include "util/diagnostics.h"

enum tg_result
virgl_refuse_call(const struct virgl_call *call, const char *format, ...)
{
   char text[160];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   return tg_complain(call->diagnostics, TG_ERROR_INPUT, "virgl", "%s", text);
}
