/* SPDX-License-Identifier: MIT
 *
 * tungsten tegra as FILE
 */
#include "cli/tegra/program.h"

int
cmd_tegra_as(struct cli_call *call)
{
   const unsigned flags = call->options.strict ? TG_TEGRA_STRICT : 0;
   struct tg_tegra_program *program =
      cli_load_tegra_program(call, call->operands[0], CLI_TEGRA_TEXT, flags);
   if (!program)
      return CLI_FAILED;

   int status = cli_write_tegra_program(
      call, program, (enum cli_tegra_words_form)call->options.tegra_words);
   tg_tegra_program_destroy(program);
   return status;
}
