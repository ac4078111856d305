/* SPDX-License-Identifier: MIT
 *
 * tungsten help [COMMAND]...
 */
#include "cli/options/lookup.h"
#include "cli/table/handlers.h"
#include "cli/table/help.h"

/* The command or group that operands name, CLI_NO_GROUP being the program; in
 * `*id_out`. */
static bool
find(const struct cli_call *call, int *id_out)
{
   *id_out = CLI_NO_GROUP;
   for (int i = 0; i < call->num_operands; i++) {
      *id_out = cli_lookup_command(*id_out, call->operands[i]);
      if (*id_out < 0)
         return false;
   }
   return true;
}

int
cmd_help(struct cli_call *call)
{
   int id;

   if (call->options.completion) {
      cli_print_completion(stdout);
      return CLI_OK;
   }
   if (!find(call, &id))
      return CLI_USAGE;
   if (call->options.man)
      cli_print_man(stdout, id);
   else
      cli_print_help(stdout, id);
   return CLI_OK;
}
