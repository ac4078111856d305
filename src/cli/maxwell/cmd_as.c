/* SPDX-License-Identifier: MIT
 *
 * tungsten maxwell as FILE
 */
#include "cli/maxwell/input.h"
#include "cli/maxwell/words.h"

int
cmd_maxwell_as(struct cli_call *call)
{
   struct cli_maxwell_input input;
   int status = CLI_FAILED;

   if (cli_maxwell_input_read(call, call->operands[0], CLI_MAXWELL_TEXT,
                              &input))
      status = cli_write_maxwell_words(
         call, input.program,
         (enum cli_maxwell_words_form)call->options.words_form);
   cli_maxwell_input_finish(&input);
   return status;
}
