/* SPDX-License-Identifier: MIT
 *
 * tungsten info FILE
 */
#include "cli/files.h"
#include "cli/handlers.h"
#include "cli/shader.h"

int
cmd_info(struct cli_call *call)
{
   struct tg_shader *shader = cli_load_shader(call, call->operands[0]);
   if (!shader)
      return CLI_FAILED;

   bool good = call->options.json ? cli_put_json(tg_shader_info_json(shader))
                                  : cli_put_string(tg_shader_info_text(shader));
   tg_shader_destroy(shader);
   return good ? CLI_OK : CLI_FAILED;
}
