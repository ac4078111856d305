/* SPDX-License-Identifier: MIT
 *
 * The command that a word of the command line names.
 */
#ifndef TG_CLI_OPTIONS_LOOKUP_H
#define TG_CLI_OPTIONS_LOOKUP_H

/* The number of the command of a group, CLI_NO_GROUP being none; -1, with a
 * sentence, when the group has no such command. */
int
cli_lookup_command(int group, const char *word);

#endif
