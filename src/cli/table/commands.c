/* SPDX-License-Identifier: MIT
 *
 * Tables of the command line: the rows of subcommands.def and options.def.
 * Linked into the program and into the one that makes its manual pages at build
 * time.
 */
#include "cli/table/commands.h"

#include <stddef.h>
#include <string.h>

#include "util/work.h"

/* A number as help texts say it. */
#define TEXT_OF(macro) TEXT_OF_(macro)
#define TEXT_OF_(number) #number

const struct cli_option_info cli_options_info[CLI_NUM_OPTIONS] = {
#define CLI_OPTION(id, letter_, name_, kind_, argument_, least_, greatest_,    \
                   help_)                                                      \
   [OPTION_##id] = {                                                           \
      .name = name_,                                                           \
      .argument = argument_,                                                   \
      .help = help_,                                                           \
      .least = least_,                                                         \
      .greatest = greatest_,                                                   \
      .offset = offsetof(struct cli_options, id),                              \
      .kind = CLI_##kind_,                                                     \
      .letter = letter_,                                                       \
   },
#include "cli/table/options.def"
};

/* The column of options, which are in parentheses. */
#define OPTION(id) OPTION_##id,
#define OPTIONS(...)                                                           \
   (const enum cli_option_id[])                                                \
   {                                                                           \
      __VA_ARGS__ OPTION_color, OPTION_help                                    \
   }

#define COMMAND_ROW(group_, name_, word_, operands_, least_, greatest_,        \
                    options_, summary_, details_, example_)                    \
   {                                                                           \
      .name = name_, .word = word_, .group = group_, .operands = operands_,    \
      .summary = summary_, .details = details_, .example = example_,           \
      .least = least_, .greatest = greatest_, .options = OPTIONS options_,     \
      .num_options = sizeof(OPTIONS options_) / sizeof(enum cli_option_id),    \
   }

const struct cli_command_info cli_commands[CLI_NUM_COMMANDS] = {
#define CLI_COMMAND(name, ...)                                                 \
   [COMMAND_##name] = COMMAND_ROW(CLI_NO_GROUP, #name, #name, __VA_ARGS__),
#define CLI_SUBCOMMAND(group, name, ...)                                       \
   [COMMAND_##group##_##name] =                                                \
      COMMAND_ROW(COMMAND_##group, #group " " #name, #name, __VA_ARGS__),
#define CLI_GROUP(name_, summary_, details_)                                   \
   [COMMAND_##name_] = {                                                       \
      .name = #name_,                                                          \
      .word = #name_,                                                          \
      .group = CLI_NO_GROUP,                                                   \
      .is_group = true,                                                        \
      .operands = "[FILE]...",                                                 \
      .summary = summary_,                                                     \
      .details = details_,                                                     \
   },
#include "cli/table/subcommands.def"
};

int
cli_next_command(int group, int previous)
{
   for (int i = previous + 1; i < CLI_NUM_COMMANDS; i++) {
      if (cli_commands[i].group == group)
         return i;
   }
   return -1;
}

int
cli_command_find(int group, const char *word)
{
   int id = cli_next_command(group, -1);

   while (id >= 0 && strcmp(cli_commands[id].word, word) != 0)
      id = cli_next_command(group, id);
   return id;
}

int
cli_first_command_choice(const char *words, const char **rest)
{
   size_t length = strcspn(words, "|");

   *rest = words[length] ? words + length + 1 : NULL;
   return (int)length;
}
