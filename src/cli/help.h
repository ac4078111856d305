/* SPDX-License-Identifier: MIT
 *
 * The rows of the command line as text: help, manual pages, completion.
 */
#ifndef TG_CLI_HELP_H
#define TG_CLI_HELP_H

#include <stdio.h>

#include "cli/commands.h"

/* What `tungsten --help` prints. */
void
cli_print_overview(FILE *out);

/* What `tungsten NAME --help` prints. */
void
cli_print_help(FILE *out, const struct cli_command_info *command);

/* A manual page in man(7) format; of the whole program when `command` is
 * NULL. */
void
cli_print_man(FILE *out, const struct cli_command_info *command);

/* A completion script for bash. */
void
cli_print_completion(FILE *out);

#endif
