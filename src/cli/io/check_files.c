/* SPDX-License-Identifier: MIT
 *
 * Files checked one after the other.
 */
#include "cli/io/check_files.h"

#include "cli/io/progress.h"
#include "cli/io/standard_output.h"

int
cli_check_files(struct cli_call *call,
                int (*check)(struct cli_call *call, const char *path))
{
   struct cli_progress progress;
   int status = CLI_OK;

   cli_progress_begin(&progress);
   for (int i = 0; i < call->num_operands; i++) {
      cli_progress_report(&progress, (double)i / call->num_operands);
      if (check(call, call->operands[i]) != CLI_OK)
         status = CLI_FAILED;
   }
   cli_progress_end();
   if (!call->options.json)
      return status;

   if (!cli_output_json(tg_diagnostics_json(call->diagnostics)))
      status = CLI_FAILED;
   tg_diagnostics_clear(call->diagnostics);
   return status;
}
