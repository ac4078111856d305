/* SPDX-License-Identifier: MIT
 *
 * The table of the command line: within a command each name and each letter
 * of an option stands for one thing.
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

int
main(void)
{
   unsigned num_clashes = 0;

   for (int i = 0; i < CLI_NUM_COMMANDS; i++) {
      const struct cli_command_info *command = &cli_commands[i];

      for (unsigned a = 0; a < command->num_options; a++) {
         for (unsigned b = 0; b < a; b++)
            num_clashes += clash(command, b, a);
      }
   }
   return num_clashes != 0;
}
