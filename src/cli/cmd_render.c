/* SPDX-License-Identifier: MIT
 *
 * tungsten render FILE
 */
#include <string.h>

#include "cli/files.h"
#include "cli/heat.h"
#include "cli/script.h"
#include "cli/statistics.h"
#include "util/picture.h"

/* The test that --test names, or the first; -1 when there is none. */
static long
find_test(const struct script *script, const char *name)
{
   for (size_t i = 0; i < script_num_tests(script); i++) {
      if (!name || strcmp(script_test_name(script, i), name) == 0)
         return (long)i;
   }
   return -1;
}

/* The maps that were asked for: bit i, enum script_map. */
static unsigned
wanted_maps(const struct cli_options *options)
{
   return (unsigned)options->overdraw << SCRIPT_MAP_OVERDRAW |
          (unsigned)options->instructions << SCRIPT_MAP_INSTRUCTIONS |
          (unsigned)options->depth << SCRIPT_MAP_DEPTH;
}

/* Writes the picture, and prints what else was asked for. */
static int
put(struct cli_call *call, const struct script_rendering *rendering)
{
   const struct script_picture *picture = &rendering->picture;
   int status = cli_status_of(
      tg_picture_write(call->options.picture, picture->width, picture->height,
                       picture->rgba, call->diagnostics));

   for (unsigned i = 0; i < SCRIPT_NUM_MAPS; i++) {
      if (status == CLI_OK && rendering->maps[i])
         status = cli_put_heat(call, rendering, (enum script_map)i);
   }
   if (status == CLI_OK && call->options.stats &&
       !cli_put_statistics(&rendering->statistics, call->options.json))
      status = CLI_FAILED;
   return status;
}

static int
render(struct cli_call *call, const struct script *script)
{
   struct script_rendering rendering;
   long test = find_test(script, call->options.test);

   if (test < 0) {
      cli_complain("'%s' has no such test", call->operands[0]);
      return CLI_FAILED;
   }
   int status = cli_status_of(script_render(script, (size_t)test,
                                            wanted_maps(&call->options),
                                            call->diagnostics, &rendering));
   if (rendering.picture.rgba) {
      const int written = put(call, &rendering);

      status = status == CLI_OK ? written : status;
   }
   script_rendering_finish(&rendering);
   return status;
}

int
cmd_render(struct cli_call *call)
{
   if (!call->options.picture) {
      cli_complain("render wants --output=PNG");
      return CLI_USAGE;
   }
   if (call->options.json && !call->options.stats) {
      cli_complain("--json is for --stats");
      return CLI_USAGE;
   }
   struct script *script = NULL;
   int status =
      cli_status_of(cli_load_script(call, call->operands[0], &script));
   if (status == CLI_OK)
      status = render(call, script);
   script_destroy(script);
   return status;
}
