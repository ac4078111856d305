/* SPDX-License-Identifier: MIT
 *
 * Diagnostics and complaints on standard error, and what they mean for the exit
 * status.
 */
#include "cli/io/diagnostics.h"

#include <stdarg.h>
#include <stdio.h>

#include "cli/io/color.h"
#include "cli/io/progress.h"
#include "cli/table/commands.h"

void
cli_complain(const char *format, ...)
{
   va_list args;

   cli_progress_hide();
   fflush(stdout);
   fputs("tungsten: ", stderr);
   va_start(args, format);
   vfprintf(stderr, format, args);
   va_end(args);
   fputc('\n', stderr);
}

int
cli_diagnostics_status(enum tg_result result)
{
   if (result == TG_OK)
      return CLI_OK;
   if (result == TG_ERROR_MEMORY)
      cli_complain("%s", tg_result_name(result));
   return CLI_FAILED;
}

void
cli_print_diagnostics(const struct tg_diagnostics *diagnostics,
                      const struct cli_options *options)
{
   if (!tg_diagnostics_count(diagnostics))
      return;

   char *text =
      tg_diagnostics_styled_text(diagnostics, cli_message_colors(options));
   fflush(stdout);
   fputs(text ? text : "tungsten: out of memory\n", stderr);
   tg_string_free(text);
}
