/* SPDX-License-Identifier: MIT
 *
 * The tables of the command line: within a command each name and each letter
 * of an option stands for one thing, and what does not go together is of kinds
 * that can be told apart from what was not given.
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"

static unsigned
clash(const struct cli_command_info *command, unsigned first, unsigned second)
{
   const struct cli_option_info *a = &cli_options_info[command->options[first]];
   const struct cli_option_info *b =
      &cli_options_info[command->options[second]];

   if (strcmp(a->name, b->name) != 0 && !(a->letter && a->letter == b->letter))
      return 0;
   printf("%s: --%s and --%s clash\n", command->name, a->name, b->name);
   return 1;
}

static unsigned
is_no_conflict(enum cli_option_id flag, enum cli_option_id other, unsigned from)
{
   const struct cli_option_info *a = &cli_options_info[flag];
   const struct cli_option_info *b = &cli_options_info[other];

   if (a->kind == CLI_FLAG && from &&
       (b->kind == CLI_CHOICE || (b->kind == CLI_FLAG && from == 1)))
      return 0;
   printf("--%s and --%s cannot be compared\n", a->name, b->name);
   return 1;
}

int
main(void)
{
   unsigned num_bad = 0;

#define CLI_CONFLICT(flag, other, from)                                        \
   num_bad += is_no_conflict(OPTION_##flag, OPTION_##other, from);
#include "cli/options.def"

   for (int i = 0; i < CLI_NUM_COMMANDS; i++) {
      const struct cli_command_info *command = &cli_commands[i];

      for (unsigned a = 0; a < command->num_options; a++) {
         for (unsigned b = 0; b < a; b++)
            num_bad += clash(command, b, a);
      }
   }
   return num_bad != 0;
}
