/* SPDX-License-Identifier: MIT
 *
 * The handlers of the subcommands: cmd_<name>() in commands/cmd_<name>.c, that of
 * a group's cmd_<group>_<name>() in <group>/cmd_<name>.c. Each is called with a
 * command line that has been read, and returns an enum cli_status.
 */
#ifndef TG_CLI_TABLE_HANDLERS_H
#define TG_CLI_TABLE_HANDLERS_H

#include "cli/table/commands.h"
#include "tungsten/base.h"
#include "tungsten/code_cache.h"

struct cli_call {
   struct cli_options options;
   char **operands;
   int num_operands; /* as many as the row of the command allows */
   struct tg_code_cache *code_cache; /* or NULL */
   /* Printed on standard error when the handler has returned. */
   struct tg_diagnostics *diagnostics;
};

#define CLI_COMMAND(name, ...) int cmd_##name(struct cli_call *call);
#include "cli/table/subcommands.def"

#endif
