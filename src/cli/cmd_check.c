/* SPDX-License-Identifier: MIT
 *
 * tungsten check FILE...
 */
#include "cli/check_files.h"
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
   return cli_check_files(call, check_file);
}
