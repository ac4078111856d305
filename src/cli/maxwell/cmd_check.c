/* SPDX-License-Identifier: MIT
 *
 * tungsten maxwell check FILE...
 */
#include "cli/io/check_files.h"
#include "cli/io/diagnostics.h"
#include "cli/maxwell/input.h"

static int
check_file(struct cli_call *call, const char *path)
{
   const struct cli_options *options = &call->options;
   struct cli_maxwell_input input;
   bool good = cli_maxwell_input_read(
      call, path, (enum cli_maxwell_form)options->program_form, &input);

   for (uint32_t i = input.first; i < input.end; i++) {
      const struct tg_maxwell_program *program =
         cli_maxwell_input_program(&input, i);

      good &= cli_diagnostics_status(
                 tg_maxwell_check(program, cli_maxwell_input_version(options),
                                  call->diagnostics)) == CLI_OK;
   }
   cli_maxwell_input_finish(&input);
   return good ? CLI_OK : CLI_FAILED;
}

int
cmd_maxwell_check(struct cli_call *call)
{
   return cli_check_files(call, check_file);
}
