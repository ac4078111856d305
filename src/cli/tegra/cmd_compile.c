/* SPDX-License-Identifier: MIT
 *
 * tungsten tegra compile FILE
 */
#include <stdio.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/shader.h"
#include "cli/io/standard_output.h"
#include "cli/tegra/program.h"

enum { TEXT }; /* of the words of --format; after it come those of words */

static int
write(struct cli_call *call, const struct tg_tegra_program *program)
{
   const struct cli_options *options = &call->options;

   if (options->passes && cli_is_stdio(options->output))
      putchar('\n');
   if (options->tegra_output == TEXT)
      return cli_write_string_file(
         call->options.output,
         tg_tegra_print(program, cli_tegra_program_print_flags(options)));
   return cli_write_tegra_program(
      call, program,
      (enum cli_tegra_words_form)(options->tegra_output - TEXT - 1));
}

/* `user` counts the steps: empty lines are between them. */
static void
print_step(void *user, const struct tg_tegra_compile_step *step)
{
   unsigned *num_steps = user;

   printf("%s%s", (*num_steps)++ ? "\n" : "", step->stage);
   if (step->round)
      printf(" in round %u", step->round);
   printf(": %u operation%s", step->num_operations,
          step->num_operations == 1 ? "" : "s");
   if (step->num_instructions < step->num_operations)
      printf(" in %u instruction%s", step->num_instructions,
             step->num_instructions == 1 ? "" : "s");
   printf("\n%s", step->listing);
}

static enum tg_result
compile(struct cli_call *call, const struct tg_shader *shader,
        struct tg_tegra_program **program_out)
{
   static const unsigned levels[] = {2, 0}; /* the words of --optimize */
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   unsigned num_steps = 0;

   options.optimize = levels[call->options.optimize];
   options.reduce_angles = call->options.reduce_angles;
   options.exact = call->options.exact;
   options.single_issue = call->options.single_issue;
   options.trace = call->options.passes ? print_step : NULL;
   options.user = &num_steps;
   return tg_tegra_compile(NULL, shader, &options, call->diagnostics,
                           program_out);
}

int
cmd_tegra_compile(struct cli_call *call)
{
   const struct cli_options *options = &call->options;
   struct tg_tegra_program *program = NULL;

   if (options->passes && options->tegra_output != TEXT &&
       cli_is_stdio(options->output)) {
      cli_complain("--passes prints text; in other forms it wants "
                   "--output=FILE");
      return CLI_USAGE;
   }

   struct tg_shader *shader = cli_load_shader(call, call->operands[0]);
   if (!shader)
      return CLI_FAILED;

   int status = cli_diagnostics_status(compile(call, shader, &program));
   tg_shader_destroy(shader);
   if (status == CLI_OK)
      status = write(call, program);
   tg_tegra_program_destroy(program);
   return status;
}
