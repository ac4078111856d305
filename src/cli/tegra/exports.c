/* SPDX-License-Identifier: MIT
 *
 * The exports of vertices as text, as a file of values, and as JSON.
 */
#include "cli/tegra/exports.h"

#include "cli/io/standard_output.h"
#include "script/text/values.h"
#include "util/json.h"

/* The exports of a vertex, by number. */
typedef const uint32_t (*exports_of_vertex)[4];

static exports_of_vertex
exports_of(const struct tg_tegra_batch *batch, uint32_t vertex)
{
   return (exports_of_vertex)(batch->exports +
                              (size_t)vertex * TG_TEGRA_NUM_EXPORTS * 4);
}

static void
add_text(struct tg_strbuf *out, unsigned number, uint32_t vertex,
         const uint32_t words[4])
{
   static const uint8_t floats[4] = {SCRIPT_FLOAT, SCRIPT_FLOAT, SCRIPT_FLOAT,
                                     SCRIPT_FLOAT};

   tg_strbuf_printf(out, "export[%u] vertex %u = ", number, vertex);
   script_format_values(out, words, floats, 4);
   tg_strbuf_add(out, "\n");
}

static void
add_hex(struct tg_strbuf *out, unsigned number, uint32_t vertex,
        const uint32_t words[4])
{
   tg_strbuf_printf(out, "export[%u] vertex%u: %08x %08x %08x %08x\n", number,
                    vertex, words[0], words[1], words[2], words[3]);
}

static char *
make_lines(const struct tg_tegra_program *program,
           const struct tg_tegra_batch *batch,
           void (*add)(struct tg_strbuf *out, unsigned number, uint32_t vertex,
                       const uint32_t words[4]))
{
   const uint32_t named = tg_tegra_exports(program);
   struct tg_strbuf out = {0};

   tg_strbuf_add(&out, "");
   for (unsigned i = 0; i < TG_TEGRA_NUM_EXPORTS; i++) {
      if (!(named >> i & 1))
         continue;
      for (uint32_t j = 0; j < batch->num_vertices; j++)
         add(&out, i, j, exports_of(batch, j)[i]);
   }
   return tg_strbuf_take(&out);
}

static void
add_vertex(struct tg_json *json, const struct tg_tegra_program *program,
           const struct tg_tegra_batch *batch, uint32_t vertex)
{
   const uint32_t named = tg_tegra_exports(program);
   struct tg_json_value *object = tg_json_object(json, json->root, NULL);

   tg_json_number(json, object, "vertex", vertex);
   tg_json_string(json, object, "end",
                  tg_tegra_end_name((enum tg_tegra_end)batch->ends[vertex]));
   struct tg_json_value *exports = tg_json_array(json, object, "exports");
   for (unsigned i = 0; i < TG_TEGRA_NUM_EXPORTS; i++) {
      if (!(named >> i & 1))
         continue;
      const char *name = tg_tegra_name(program, TG_TEGRA_EXPORT, i);
      struct tg_json_value *export = tg_json_object(json, exports, NULL);

      tg_json_number(json, export, "export", i);
      if (name)
         tg_json_string(json, export, "name", name);
      struct tg_json_value *words = tg_json_array(json, export, "words");
      for (unsigned j = 0; j < 4; j++)
         tg_json_number(json, words, NULL, exports_of(batch, vertex)[i][j]);
   }
}

static char *
make_json(const struct tg_tegra_program *program,
          const struct tg_tegra_batch *batch)
{
   struct tg_json json;

   tg_json_init_array(&json, NULL);
   for (uint32_t i = 0; i < batch->num_vertices; i++)
      add_vertex(&json, program, batch, i);
   return tg_json_take(&json);
}

enum tg_result
cli_print_exports(const struct tg_tegra_program *program,
                  const struct tg_tegra_batch *batch,
                  enum cli_run_format format)
{
   bool good = false;

   switch (format) {
   case CLI_RUN_TEXT:
      good = cli_output_string(make_lines(program, batch, add_text));
      break;
   case CLI_RUN_HEX:
      good = cli_output_string(make_lines(program, batch, add_hex));
      break;
   case CLI_RUN_JSON: good = cli_output_json(make_json(program, batch)); break;
   }
   return good ? TG_OK : TG_ERROR_IO;
}
