/* SPDX-License-Identifier: MIT
 *
 * tungsten help [COMMAND]
 */
#include "cli/files.h"
#include "cli/handlers.h"
#include "cli/help.h"

int
cmd_help(struct cli_call *call)
{
   const struct cli_command_info *command = NULL;

   if (call->options.completion) {
      cli_print_completion(stdout);
      return CLI_OK;
   }
   if (call->num_operands) {
      int id = cli_command_find(call->operands[0]);
      if (id < 0) {
         cli_complain("there is no command '%s'", call->operands[0]);
         return CLI_USAGE;
      }
      command = &cli_commands[id];
   }
   if (call->options.man)
      cli_print_man(stdout, command);
   else if (command)
      cli_print_help(stdout, command);
   else
      cli_print_overview(stdout);
   return CLI_OK;
}
