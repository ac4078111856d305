/* SPDX-License-Identifier: MIT
 *
 * The rows of the command line as text: help, manual pages, completion.
 */
#ifndef TG_CLI_TABLE_HELP_H
#define TG_CLI_TABLE_HELP_H

#include <stdio.h>

#include "cli/table/commands.h"

/* Each takes the number of a command or group, and CLI_NO_GROUP for the whole
 * program. */

/* Prints the help of a subcommand: `tungsten NAME --help`. */
void
cli_print_help(FILE *out, int command);

/* Prints what a CHOICE is unless given, in parentheses; of others nothing. */
void
cli_print_help_default(FILE *out, const struct cli_option_info *option);

/* The name of a manual page without its section, "tungsten-tegra-run". */
enum { CLI_PAGE_NAME_SIZE = 64 };
void
cli_man_page_name(int command, char name[CLI_PAGE_NAME_SIZE]);

/* Prints a manual page in man(7) format. */
void
cli_print_man(FILE *out, int command);

/* Prints a completion script for bash. */
void
cli_print_completion(FILE *out);

#endif
