/* SPDX-License-Identifier: MIT
 *
 * tungsten fmt [FILE]...
 */
#include <string.h>

#include "cli/files.h"
#include "cli/handlers.h"
#include "cli/shader.h"

static int
format_file(struct cli_call *call, const char *path)
{
   struct tg_shader *shader = cli_load_shader(call, path);
   if (!shader)
      return CLI_FAILED;

   int status = cli_print_shader(shader, &call->options,
                                 call->options.in_place ? path : NULL);
   tg_shader_destroy(shader);
   return status;
}

/* What is written in place must be files. */
static bool
has_places(const struct cli_call *call)
{
   if (!call->num_operands) {
      cli_complain("--in-place wants FILE...");
      return false;
   }
   for (int i = 0; i < call->num_operands; i++) {
      if (strcmp(call->operands[i], "-") == 0) {
         cli_complain("standard input cannot be written in place");
         return false;
      }
   }
   return true;
}

int
cmd_fmt(struct cli_call *call)
{
   if (call->options.in_place && !has_places(call))
      return CLI_USAGE;
   if (!call->num_operands)
      return format_file(call, "-");

   int status = CLI_OK;
   for (int i = 0; i < call->num_operands; i++) {
      if (format_file(call, call->operands[i]) != CLI_OK)
         status = CLI_FAILED;
   }
   return status;
}
