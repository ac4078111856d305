/* SPDX-License-Identifier: MIT
 *
 * A progress bar on standard error for work that takes more than a second,
 * where that is a terminal. Elsewhere nothing is ever printed.
 */
#ifndef TG_CLI_IO_PROGRESS_H
#define TG_CLI_IO_PROGRESS_H

#include <stdbool.h>

struct cli_progress {
   double begin, last; /* seconds: of the work, and of the bar */
   bool is_wanted, is_shown;
};

/* Begins a progress bar, of which there is one at a time. The struct must live
 * until its end. */
void
cli_progress_begin(struct cli_progress *progress);

/* A tg_grid's progress function; `user` is the struct. */
bool
cli_progress_report(void *user, double fraction);

/* Takes the bar away, if one is shown, until the next report: before something
 * else is printed. */
void
cli_progress_hide(void);

void
cli_progress_end(void);

#endif
