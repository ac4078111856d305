/* SPDX-License-Identifier: MIT
 *
 * tungsten maxwell dis FILE
 */
#include "cli/files.h"
#include "cli/maxwell_file.h"

static unsigned
print_flags(const struct cli_options *options)
{
   return (options->short_form ? TG_MAXWELL_PRINT_SHORT : 0) |
          (options->prefix ? TG_MAXWELL_PRINT_PREFIX : 0) |
          (options->with_words ? TG_MAXWELL_PRINT_WORDS : 0) |
          (options->with_fields ? TG_MAXWELL_PRINT_FIELDS : 0) |
          (options->addresses ? TG_MAXWELL_PRINT_ADDRESSES : 0) |
          (options->align ? TG_MAXWELL_PRINT_ALIGN : 0) |
          (options->registers ? TG_MAXWELL_PRINT_REGISTERS : 0);
}

int
cmd_maxwell_dis(struct cli_call *call)
{
   const struct cli_options *options = &call->options;
   struct tg_maxwell_program *program = cli_load_maxwell(
      call, call->operands[0], (enum cli_maxwell_form)options->program_form);
   if (!program)
      return CLI_FAILED;

   int status = cli_write_string(
      options->output, tg_maxwell_print(program, print_flags(options)));
   tg_maxwell_program_destroy(program);
   return status;
}
