/* SPDX-License-Identifier: MIT
 *
 * tungsten tegra compile FILE
 */
#include "cli/files.h"
#include "cli/shader.h"
#include "cli/tegra_file.h"

enum { TEXT }; /* of the words of --format; behind it come those of words */

static int
write(struct cli_call *call, const struct tg_tegra_program *program)
{
   const struct cli_options *options = &call->options;

   if (options->compile_form == TEXT)
      return cli_write_string(
         call->options.output,
         tg_tegra_print(program, cli_tegra_print_flags(options)));
   return cli_write_tegra_words(
      call, program,
      (enum cli_tegra_words_form)(options->compile_form - TEXT - 1));
}

static enum tg_result
compile(struct cli_call *call, const struct tg_shader *shader,
        struct tg_tegra_program **program_out)
{
   static const unsigned levels[] = {2, 0}; /* the words of --optimize */
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;

   options.optimize = levels[call->options.optimize];
   options.reduce_angles = call->options.reduce_angles;
   options.single_issue = call->options.single_issue;
   return tg_tegra_compile(NULL, shader, &options, call->diagnostics,
                           program_out);
}

int
cmd_tegra_compile(struct cli_call *call)
{
   struct tg_tegra_program *program = NULL;
   struct tg_shader *shader = cli_load_shader(call, call->operands[0]);
   if (!shader)
      return CLI_FAILED;

   int status = cli_status_of(compile(call, shader, &program));
   tg_shader_destroy(shader);
   if (status == CLI_OK)
      status = write(call, program);
   tg_tegra_program_destroy(program);
   return status;
}
