/* SPDX-License-Identifier: MIT
 *
 * tungsten tegra check FILE...
 */
#include "cli/io/check_files.h"
#include "cli/io/diagnostics.h"
#include "cli/tegra/program.h"

static int
check_file(struct cli_call *call, const char *path)
{
   struct tg_tegra_program *program = cli_load_tegra_program(
      call, path, (enum cli_tegra_form)call->options.tegra_program, 0);
   if (!program)
      return CLI_FAILED;

   int status =
      cli_diagnostics_status(tg_tegra_check(program, call->diagnostics));
   tg_tegra_program_destroy(program);
   return status;
}

int
cmd_tegra_check(struct cli_call *call)
{
   return cli_check_files(call, check_file);
}
