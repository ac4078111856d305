/* SPDX-License-Identifier: MIT
 *
 * tungsten render FILE
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands/heat.h"
#include "cli/commands/profiling.h"
#include "cli/commands/statistics.h"
#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/script.h"
#include "cli/io/standard_output.h"
#include "file/picture.h"

/* The test that --test names, or the first; -1 when there is none. */
static long
find_test(const struct script *script, const char *name)
{
   for (size_t i = 0; i < script_model_num_tests(script); i++) {
      if (!name || strcmp(script_model_test_name(script, i), name) == 0)
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

/* ---- what is written ----------------------------------------------------- */

/* The picture, then its maps. */
enum { MAX_FILES = 1 + SCRIPT_NUM_MAPS };

struct product {
   struct tg_strbuf path, png;
   struct tg_strbuf legend; /* of a map; or why there is no picture */
};

static enum tg_result
make_picture(const struct cli_options *options,
             const struct script_rendering *rendering, struct product *product)
{
   const struct script_picture *picture = &rendering->picture;

   tg_strbuf_add(&product->path, options->picture);
   return file_encode_picture(NULL, picture->width, picture->height,
                              picture->rgba, &product->png, &product->legend);
}

static enum tg_result
make_map(const struct cli_options *options,
         const struct script_rendering *rendering, enum script_map map,
         struct product *product)
{
   script_expect_picture_beside(&product->path, options->picture,
                                cli_heat_name(map));
   return cli_add_heat(rendering, map, &product->png, &product->legend);
}

/* Makes all of them; how many in `*count_out`. */
static enum tg_result
make_products(const struct cli_options *options,
              const struct script_rendering *rendering,
              struct product products[MAX_FILES], unsigned *count_out)
{
   unsigned count = 1;
   enum tg_result result = make_picture(options, rendering, &products[0]);

   for (unsigned i = 0; i < SCRIPT_NUM_MAPS && result == TG_OK; i++) {
      if (rendering->maps[i])
         result = make_map(options, rendering, (enum script_map)i,
                           &products[count++]);
   }
   for (unsigned i = 0; i < count && result == TG_OK; i++) {
      if (products[i].path.failed || products[i].legend.failed)
         result = TG_ERROR_MEMORY;
   }
   *count_out = count;
   return result;
}

static bool
write_products(const struct product *products, unsigned count)
{
   struct file_output outputs[MAX_FILES];

   if (cli_is_stdio(products[0].path.data))
      return cli_write_file("-", products[0].png.data, products[0].png.length);
   for (unsigned i = 0; i < count; i++)
      outputs[i] = (struct file_output){
         .path = products[i].path.data,
         .data = products[i].png.data,
         .size = products[i].png.length,
      };
   if (!cli_write_files(outputs, count))
      return false;
   for (unsigned i = 1; i < count; i++)
      fprintf(stderr, "%s: %s\n", products[i].path.data,
              products[i].legend.data);
   return true;
}

/* Writes the picture, and prints what else was asked for. */
static int
put(struct cli_call *call, const struct script_rendering *rendering)
{
   struct product products[MAX_FILES] = {0};
   unsigned count;
   int status = cli_diagnostics_status(
      make_products(&call->options, rendering, products, &count));

   if (status == CLI_OK && !write_products(products, count))
      status = CLI_FAILED;
   if (status == CLI_OK && call->options.stats &&
       !cli_put_statistics(&(struct cli_statistics){rendering->statistics,
                                                    rendering->code, NULL},
                           call->options.json))
      status = CLI_FAILED;
   for (unsigned i = 0; i < count; i++) {
      tg_strbuf_finish(&products[i].path);
      tg_strbuf_finish(&products[i].png);
      tg_strbuf_finish(&products[i].legend);
   }
   return status;
}

/* ---- the command --------------------------------------------------------- */

static int
render(struct cli_call *call, const struct script *script)
{
   struct script_rendering rendering;
   long test = find_test(script, call->options.test);

   if (test < 0) {
      cli_complain("'%s' has no such test", call->operands[0]);
      return CLI_FAILED;
   }
   int status = cli_diagnostics_status(
      script_test_render(script, (size_t)test, wanted_maps(&call->options),
                         call->diagnostics, &rendering));
   if (rendering.picture.rgba) {
      const int written = put(call, &rendering);

      status = status == CLI_OK ? written : status;
   }
   script_test_rendering_finish(&rendering);
   return status;
}

/* What is profiled is over when it has been drawn. */
static int
render_profiled(struct cli_call *call, const struct script *script,
                struct tg_profile *profile)
{
   const int status = render(call, script);

   return cli_put_profile(&call->options, profile) || status != CLI_OK
             ? status
             : CLI_FAILED;
}

/* False with a sentence when the options do not go together. */
static bool
check_options(const struct cli_options *options)
{
   if (!options->picture)
      cli_complain("render wants --output=PNG");
   else if (options->json && !options->stats)
      cli_complain("--json is for --stats");
   else if (cli_is_stdio(options->picture) &&
            (options->stats || options->profile || wanted_maps(options)))
      cli_complain("a picture on standard output goes alone, without --stats, "
                   "--profile and maps");
   else
      return true;
   return false;
}

int
cmd_render(struct cli_call *call)
{
   if (!check_options(&call->options))
      return CLI_USAGE;

   struct cli_kernels kernels;
   struct tg_profile *profile;
   struct script *script = NULL;
   if (!cli_kernels_init(&kernels, &call->options) ||
       !cli_create_profile(&call->options, &profile))
      return CLI_USAGE;
   int status = cli_diagnostics_status(
      cli_load_script(call, call->operands[0], &kernels, profile, &script));
   if (status == CLI_OK)
      status =
         cli_kernels_status(&kernels, render_profiled(call, script, profile));
   script_destroy(script);
   tg_profile_destroy(profile);
   return status;
}
