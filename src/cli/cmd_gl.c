/* SPDX-License-Identifier: MIT
 *
 * tungsten gl PROGRAM [ARGUMENT]...
 */
#include "cli/files.h"
#include "cli/handlers.h"
#include "cli/serving.h"
#include "vtest/launch.h"

int
cmd_gl(struct cli_call *call)
{
   struct vtest_server_options options;
   char sentence[256] = "";

   if (!cli_take_serving(&call->options, &options))
      return CLI_FAILED;
   /* Standard error is the program's. */
   if (!call->options.log)
      options.log = -1;
   const int status =
      vtest_launch(call->operands, &options, sentence, sizeof(sentence));
   if (sentence[0])
      cli_complain("%s", sentence);
   return status;
}
