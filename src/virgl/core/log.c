/* SPDX-License-Identifier: MIT
 *
 * The log of a host: lines of a client, bounded in length and number.
 */
#include "virgl/core/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "virgl/core/host.h"

enum { MAX_LINE = 512 }; /* bytes */

/* What a client wrote is quoted by diagnostics alone, which hide controls. */
static void
log_line(struct virgl_host *host, const char *line)
{
   const uint32_t most = host->options.max_log_lines;

   if (!host->options.log || host->num_log_lines > most)
      return;
   if (host->num_log_lines++ == most) {
      host->options.log(host->options.user,
                        "this client has had enough lines; no more of it");
      return;
   }
   host->options.log(host->options.user, line);
}

void
virgl_log(struct virgl_host *host, const char *format, ...)
{
   char line[MAX_LINE];
   va_list args;

   va_start(args, format);
   vsnprintf(line, sizeof(line), format, args);
   va_end(args);
   log_line(host, line);
}

/* The first that is an error, or NULL. */
static const struct tg_diagnostic *
first_error(const struct tg_diagnostics *diagnostics)
{
   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      const struct tg_diagnostic *diagnostic =
         tg_diagnostics_get(diagnostics, i);

      if (diagnostic->severity == TG_SEVERITY_ERROR)
         return diagnostic;
   }
   return NULL;
}

void
virgl_log_failure(struct virgl_host *host, enum tg_result result,
                  const char *format, ...)
{
   const struct tg_diagnostic *error = first_error(host->diagnostics);
   char about[64];
   va_list args;

   va_start(args, format);
   vsnprintf(about, sizeof(about), format, args);
   va_end(args);
   if (!error)
      virgl_log(host, "%s: %s", about, tg_result_name(result));
   else if (error->line && error->source_line)
      virgl_log(host, "%s: line %u: %s: %s", about, error->line, error->message,
                error->source_line);
   else
      virgl_log(host, "%s: %s", about, error->message);
   tg_diagnostics_clear(host->diagnostics);
}
