/* SPDX-License-Identifier: MIT
 *
 * Whether messages have colors, and which.
 */
#ifndef TG_CLI_IO_COLOR_H
#define TG_CLI_IO_COLOR_H

#include "cli/table/commands.h"
#include "util/diagnostics.h"

/* The style of diagnostics on standard error: in colors if --color=always asks
 * for them, or where standard error is a terminal that has them and the variable
 * NO_COLOR is empty or not set. */
const struct tg_text_style *
cli_message_colors(const struct cli_options *options);

#endif
