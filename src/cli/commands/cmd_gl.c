/* SPDX-License-Identifier: MIT
 *
 * tungsten gl PROGRAM [ARGUMENT]...
 */
#include "cli/commands/frame.h"
#include "cli/commands/profiling.h"
#include "cli/commands/serving.h"
#include "cli/io/diagnostics.h"
#include "cli/table/handlers.h"
#include "virgl/virgl.h"
#include "vtest/frames.h"
#include "vtest/launch.h"

/* The program ran: what is wrong with the picture is said, and its status is
 * the program's. */
static void
write_screenshot(const char *path, struct vtest_frames *frames)
{
   struct virgl_frame frame;

   if (vtest_frames_get(frames, &frame))
      cli_write_frame(path, &frame);
   else
      cli_complain("cannot write '%s': no frame was shown", path);
}

int
cmd_gl(struct cli_call *call)
{
   struct vtest_server_options options;
   char sentence[256] = "";

   if (!cli_can_profile(&call->options))
      return CLI_USAGE;
   if (!cli_take_serving(call, &options))
      return CLI_FAILED;
   /* Standard error is the program's. */
   if (!call->options.log)
      options.log = -1;
   if (call->options.screenshot && !(options.frames = vtest_frames_create())) {
      cli_complain("no memory for a frame");
      return CLI_FAILED;
   }
   const int status =
      vtest_launch(call->operands, &options, sentence, sizeof(sentence));
   if (sentence[0])
      cli_complain("%s", sentence);
   if (options.frames)
      write_screenshot(call->options.screenshot, options.frames);
   vtest_frames_destroy(options.frames);
   return status;
}
