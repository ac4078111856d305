/* SPDX-License-Identifier: MIT
 *
 * tungsten check FILE...
 */
#include <stdio.h>

#include "cli/files.h"
#include "cli/handlers.h"
#include "cli/shader.h"

static int
check_file(struct cli_call *call, const char *path)
{
   struct tg_shader *shader = cli_load_shader(call, path);
   if (!shader)
      return CLI_FAILED;

   int status = cli_status_of(tg_shader_validate(shader, call->diagnostics));
   tg_shader_destroy(shader);
   return status;
}

int
cmd_check(struct cli_call *call)
{
   int status = CLI_OK;

   for (int i = 0; i < call->num_operands; i++) {
      if (check_file(call, call->operands[i]) != CLI_OK)
         status = CLI_FAILED;
   }
   if (!call->options.json)
      return status;

   if (!cli_put_json(tg_diagnostics_json(call->diagnostics)))
      status = CLI_FAILED;
   tg_diagnostics_clear(call->diagnostics);
   return status;
}
