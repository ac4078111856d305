/* SPDX-License-Identifier: MIT
 *
 * tungsten check FILE...
 */
#include "cli/io/check_files.h"
#include "cli/io/diagnostics.h"
#include "cli/io/shader.h"
#include "cli/table/handlers.h"

static int
check_shader(struct cli_call *call, const struct cli_shader_input *input,
             uint32_t number)
{
   struct tg_shader *shader = cli_shader_input_parse(call, input, number);
   if (!shader)
      return CLI_FAILED;

   enum tg_result result =
      call->options.strict
         ? tg_shader_validate_strictly(shader, call->diagnostics)
         : tg_shader_validate(shader, call->diagnostics);
   int status = cli_diagnostics_status(result);
   tg_shader_destroy(shader);
   return status;
}

static int
check_file(struct cli_call *call, const char *path)
{
   struct cli_shader_input input;
   int status = CLI_FAILED;

   if (cli_shader_input_read(call, path, &input)) {
      status = CLI_OK;
      for (uint32_t i = 0; i < cli_shader_input_count(&input); i++) {
         if (check_shader(call, &input, i) != CLI_OK)
            status = CLI_FAILED;
      }
   }
   cli_shader_input_finish(&input);
   return status;
}

int
cmd_check(struct cli_call *call)
{
   return cli_check_files(call, check_file);
}
