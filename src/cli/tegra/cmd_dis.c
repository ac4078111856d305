/* SPDX-License-Identifier: MIT
 *
 * tungsten tegra dis FILE
 */
#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/tegra/program.h"

static int
write_tgsi(struct cli_call *call, const struct tg_tegra_program *program)
{
   char *text = NULL;
   int status = cli_diagnostics_status(
      tg_tegra_decompile(NULL, program, call->diagnostics, &text));

   return status == CLI_OK ? cli_write_string_file(call->options.output, text)
                           : status;
}

int
cmd_tegra_dis(struct cli_call *call)
{
   const struct cli_options *options = &call->options;
   struct tg_tegra_program *program = cli_load_tegra_program(
      call, call->operands[0], (enum cli_tegra_form)options->tegra_program, 0);
   if (!program)
      return CLI_FAILED;

   int status =
      options->tgsi
         ? write_tgsi(call, program)
         : cli_write_string_file(
              call->options.output,
              tg_tegra_print(program, cli_tegra_program_print_flags(options)));
   tg_tegra_program_destroy(program);
   return status;
}
