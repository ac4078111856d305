/* SPDX-License-Identifier: MIT
 *
 * Option parsing: from the words of a command line to struct cli_options.
 */
#ifndef TG_CLI_OPTIONS_H
#define TG_CLI_OPTIONS_H

#include "cli/table/commands.h"

/* Reads what follows the name of the subcommand, argv[0]. The operands are
 * moved after the options; `*first_operand_out` is the index of the first.
 * False, with a sentence on standard error, when the command line is wrong.
 * Options point into argv; finish with cli_options_finish() in any case. */
bool
cli_parse_options(const struct cli_command_info *command, int argc, char **argv,
                  struct cli_options *options, int *first_operand_out);

/* Parses a number of bytes, with K, M or G after them for units of 1024. False
 * when the word is none or more than `greatest`. */
bool
cli_read_size_option(const char *word, uint64_t greatest, uint64_t *size_out);

void
cli_options_finish(struct cli_options *options);

#endif
