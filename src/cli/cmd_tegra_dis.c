/* SPDX-License-Identifier: MIT
 *
 * tungsten tegra dis FILE
 */
#include "cli/tegra_file.h"

int
cmd_tegra_dis(struct cli_call *call)
{
   const struct cli_options *options = &call->options;
   struct tg_tegra_program *program = cli_load_tegra(
      call, call->operands[0], (enum cli_tegra_form)options->program_form, 0);
   if (!program)
      return CLI_FAILED;

   int status = cli_write_tegra_text(
      call, tg_tegra_print(program, cli_tegra_print_flags(options)));
   tg_tegra_program_destroy(program);
   return status;
}
