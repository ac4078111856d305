/* SPDX-License-Identifier: MIT
 *
 * The progress bar: see progress.h.
 */
#include "cli/io/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "util/clock.h"

enum { WIDTH = 40 };

/* That of the work at hand, whose bar may be shown. */
static struct cli_progress *current;

static const double patience = 1.0, interval = 0.1; /* seconds */

static double
now(void)
{
   return 1e-9 * (double)tg_clock_now();
}

void
cli_progress_begin(struct cli_progress *progress)
{
   *progress = (struct cli_progress){
      .begin = now(),
      .is_wanted = isatty(STDERR_FILENO) != 0,
   };
   current = progress;
}

bool
cli_progress_report(void *user, double fraction)
{
   struct cli_progress *progress = user;
   double time = progress->is_wanted ? now() : 0;
   char bar[WIDTH + 1];

   if (time - progress->begin < patience || time - progress->last < interval)
      return false;
   for (int i = 0; i < WIDTH; i++)
      bar[i] = (i + 0.5) / WIDTH < fraction ? '#' : '.';
   bar[WIDTH] = '\0';
   fprintf(stderr, "\r[%s] %3d%%", bar, (int)(fraction * 100));
   progress->last = time;
   progress->is_shown = true;
   return false;
}

void
cli_progress_hide(void)
{
   if (current && current->is_shown)
      fprintf(stderr, "\r%*s\r", WIDTH + 7, "");
   if (current)
      current->is_shown = false;
}

void
cli_progress_end(void)
{
   cli_progress_hide();
   current = NULL;
}
