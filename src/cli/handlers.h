/* SPDX-License-Identifier: MIT
 *
 * The handlers of the subcommands: cmd_<name>() in cmd_<name>.c, with its group
 * before the name: cmd_<group>_<name>() in cmd_<group>_<name>.c. Each is called
 * with a command line that has been read, and returning an enum cli_status.
 */
#ifndef TG_CLI_HANDLERS_H
#define TG_CLI_HANDLERS_H

#include "cli/commands.h"
#include "tungsten/base.h"

struct cli_call {
   struct cli_options options;
   char **operands;
   int num_operands; /* as many as the row of the command allows */
   /* Printed on standard error when the handler has returned. */
   struct tg_diagnostics *diagnostics;
};

#define CLI_COMMAND(name, ...) int cmd_##name(struct cli_call *call);
#include "cli/subcommands.def"

#endif
