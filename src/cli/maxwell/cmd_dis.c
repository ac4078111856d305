/* SPDX-License-Identifier: MIT
 *
 * tungsten maxwell dis FILE
 */
#include "cli/io/files.h"
#include "cli/maxwell/input.h"
#include "util/strbuf.h"

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

/* The text of a program, after the name of its section if it has one. */
static void
add_program(struct tg_strbuf *out, const struct cli_maxwell_input *input,
            uint32_t number, unsigned flags)
{
   char *text =
      tg_maxwell_print(cli_maxwell_input_program(input, number), flags);

   if (input->cubin)
      tg_strbuf_printf(out, "# %s\n",
                       tg_maxwell_cubin_section_name(input->cubin, number));
   if (text)
      tg_strbuf_add(out, text);
   else
      out->failed = true;
   tg_string_free(text);
}

int
cmd_maxwell_dis(struct cli_call *call)
{
   const struct cli_options *options = &call->options;
   struct cli_maxwell_input input;
   struct tg_strbuf out = {0};
   int status = CLI_FAILED;

   if (cli_maxwell_input_read(call, call->operands[0],
                              (enum cli_maxwell_form)options->program_form,
                              &input)) {
      for (uint32_t i = input.first; i < input.end; i++)
         add_program(&out, &input, i, print_flags(options));
      status = cli_write_string_file(options->output, tg_strbuf_take(&out));
   }
   cli_maxwell_input_finish(&input);
   return status;
}
