/* SPDX-License-Identifier: MIT
 *
 * What the commands share that check files.
 */
#ifndef TG_CLI_IO_CHECK_FILES_H
#define TG_CLI_IO_CHECK_FILES_H

#include "cli/table/handlers.h"

/* Calls a function for each operand, which returns an enum cli_status; with
 * --json the complaints of all are printed as JSON. Returns the status of
 * all. */
int
cli_check_files(struct cli_call *call,
                int (*check)(struct cli_call *call, const char *path));

#endif
