/* SPDX-License-Identifier: MIT
 *
 * tungsten maxwell lower FILE
 */
#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/shader.h"
#include "cli/maxwell/input.h"
#include "cli/maxwell/words.h"

enum { TEXT }; /* of the words of --format; after it come those of words */

static int
write_lowering(const struct cli_call *call,
               const struct tg_maxwell_lowering *lowering)
{
   const struct tg_maxwell_program *program =
      tg_maxwell_lowering_program(lowering);
   const struct cli_options *options = &call->options;

   if (options->json)
      return cli_write_json_file(options->output,
                                 tg_maxwell_lowering_json(lowering));
   if (options->compile_form == TEXT)
      return cli_write_string_file(options->output,
                                   tg_maxwell_lowering_print(lowering));
   if (tg_maxwell_num_instructions(program) == 0) {
      cli_complain("'%s' has no texture instruction to write words of",
                   call->operands[0]);
      return CLI_FAILED;
   }
   return cli_write_maxwell_words(
      call, program,
      (enum cli_maxwell_words_form)(options->compile_form - TEXT - 1));
}

static enum tg_result
lower(struct cli_call *call, const struct tg_shader *shader,
      struct tg_maxwell_lowering **lowering_out)
{
   struct tg_maxwell_lower_options options = TG_MAXWELL_LOWER_OPTIONS_INIT;

   options.version = cli_maxwell_input_version(&call->options);
   options.half = call->options.half;
   options.full_only = call->options.full_only;
   options.first_index = (uint32_t)call->options.first_index;
   return tg_maxwell_lower(NULL, shader, &options, call->diagnostics,
                           lowering_out);
}

int
cmd_maxwell_lower(struct cli_call *call)
{
   struct tg_maxwell_lowering *lowering = NULL;
   struct tg_shader *shader = cli_load_shader(call, call->operands[0]);
   if (!shader)
      return CLI_FAILED;

   int status = cli_diagnostics_status(lower(call, shader, &lowering));
   if (status == CLI_OK)
      status = write_lowering(call, lowering);
   tg_maxwell_lowering_destroy(lowering);
   tg_shader_destroy(shader);
   return status;
}
