/* SPDX-License-Identifier: MIT
 *
 * Diagnostics and complaints on standard error, and the status of a result.
 */
#ifndef TG_CLI_IO_DIAGNOSTICS_H
#define TG_CLI_IO_DIAGNOSTICS_H

#include "tungsten/base.h"

/* Prints "tungsten: SENTENCE" on standard error. */
void
cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Translates the result of a library function to a status; memory and limits
 * get a sentence, as there is no diagnostic of them. */
int
cli_diagnostics_status(enum tg_result result);

struct cli_options;

/* Prints what was diagnosed, if anything, on standard error, in colors as the
 * options ask. */
void
cli_print_diagnostics(const struct tg_diagnostics *diagnostics,
                      const struct cli_options *options);

#endif
