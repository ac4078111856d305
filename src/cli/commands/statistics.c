/* SPDX-License-Identifier: MIT
 *
 * The counters of draws in the order of the pipeline.
 */
#include "cli/commands/statistics.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/io/standard_output.h"
#include "util/json.h"

#define COUNTER(name, label)                                                   \
   {                                                                           \
#name, label, offsetof(struct cli_statistics, gpu.name)                  \
   }
#define STAGE(name, label)                                                     \
   {                                                                           \
#name, label, offsetof(struct cli_statistics, gpu.pipeline.name)         \
   }
#define CODE(name, label)                                                      \
   {                                                                           \
      "code_" #name, label, offsetof(struct cli_statistics, code.name)         \
   }

static const struct counter {
   const char *name, *label;
   size_t offset;
} counters[] = {
   COUNTER(draws, "draws"),
   COUNTER(kernels, "kernels compiled"),
   CODE(compiled, "kernels made machine code"),
   CODE(loaded, "kernels found in the code cache"),
   CODE(shared, "kernels with the code of others"),
   CODE(refused, "kernels that LLVM made no code of"),
   STAGE(ia_vertices, "vertices assembled"),
   STAGE(ia_primitives, "primitives assembled"),
   STAGE(vs_invocations, "vertex shader invocations"),
   STAGE(hs_invocations, "tessellation control invocations"),
   STAGE(ds_invocations, "tessellation evaluation invocations"),
   STAGE(gs_invocations, "geometry shader invocations"),
   STAGE(gs_primitives, "geometry shader primitives"),
   COUNTER(vertex_waves, "waves before fragments"),
   STAGE(c_invocations, "primitives to clip"),
   STAGE(c_primitives, "primitives clipped"),
   COUNTER(triangles, "triangles set up"),
   COUNTER(lines, "lines set up"),
   COUNTER(points, "points set up"),
   COUNTER(tiles, "tiles drawn"),
   COUNTER(hidden_blocks, "blocks hidden by depth"),
   COUNTER(fragments, "fragments shaded"),
   STAGE(ps_invocations, "fragment shader invocations"),
   COUNTER(fragment_waves, "waves of fragments"),
   COUNTER(samples_passed, "samples passed"),
   STAGE(cs_invocations, "compute shader invocations"),
};

static uint64_t
get(const struct cli_statistics *statistics, const struct counter *counter)
{
   uint64_t value;

   memcpy(&value, (const char *)statistics + counter->offset, sizeof(value));
   return value;
}

static bool
put_json(const struct cli_statistics *statistics)
{
   struct tg_json json;

   tg_json_init_object(&json, NULL);
   for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++)
      tg_json_number(&json, json.root, counters[i].name,
                     (double)get(statistics, &counters[i]));
   return cli_output_json(tg_json_take(&json));
}

static void
add_profile(struct tg_profile *profile, struct tg_strbuf *out)
{
   char *text = tg_profile_text(profile);

   out->failed |= !text;
   if (text) {
      tg_strbuf_add_char(out, '\n');
      tg_strbuf_add(out, text);
   }
   tg_string_free(text);
}

void
cli_add_statistics(const struct cli_statistics *statistics,
                   struct tg_strbuf *out)
{
   for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++)
      tg_strbuf_printf(out, "%-36s %12" PRIu64 "\n", counters[i].label,
                       get(statistics, &counters[i]));
   if (statistics->profile)
      add_profile(statistics->profile, out);
}

bool
cli_put_statistics(const struct cli_statistics *statistics, bool as_json)
{
   struct tg_strbuf text = {0};

   if (as_json)
      return put_json(statistics);
   cli_add_statistics(statistics, &text);
   return cli_output_string(tg_strbuf_take(&text));
}
