/* SPDX-License-Identifier: MIT
 *
 * tungsten maxwell check FILE...
 */
#include "cli/check_files.h"
#include "cli/files.h"
#include "cli/maxwell_file.h"

static int
check_file(struct cli_call *call, const char *path)
{
   const struct cli_options *options = &call->options;
   struct tg_maxwell_program *program = cli_load_maxwell(
      call, path, (enum cli_maxwell_form)options->program_form);
   if (!program)
      return CLI_FAILED;

   int status = cli_status_of(tg_maxwell_check(
      program, cli_maxwell_version(options), call->diagnostics));
   tg_maxwell_program_destroy(program);
   return status;
}

int
cmd_maxwell_check(struct cli_call *call)
{
   return cli_check_files(call, check_file);
}
