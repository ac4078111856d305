/* SPDX-License-Identifier: MIT
 *
 * Limits of work and time, as --work and --time give them.
 */
#ifndef TG_CLI_IO_WORK_H
#define TG_CLI_IO_WORK_H

#include "cli/table/commands.h"
#include "tungsten/work.h"

/* The usual limits where an option was not given. */
struct tg_work_options
cli_work_options(const struct cli_options *options);

#endif
