/* SPDX-License-Identifier: MIT
 *
 * tungsten maxwell as FILE
 */
#include "cli/maxwell_file.h"

int
cmd_maxwell_as(struct cli_call *call)
{
   struct tg_maxwell_program *program =
      cli_load_maxwell(call, call->operands[0], CLI_MAXWELL_TEXT);
   if (!program)
      return CLI_FAILED;

   int status = cli_write_maxwell_words(
      call, program, (enum cli_maxwell_words_form)call->options.words_form);
   tg_maxwell_program_destroy(program);
   return status;
}
