/* SPDX-License-Identifier: MIT
 *
 * Printers of a run's results: as lines that a test may expect, as a values
 * file, or as JSON. A printer of one register's words is all that text and
 * values file differ in.
 */
#include "cli/io/run_output.h"

#include <stdio.h>

#include "cli/io/standard_output.h"
#include "script/text/settings.h"
#include "util/json.h"

/* ---- text ---------------------------------------------------------------- */

static void
add_text(void *user, const struct script_register *reg, int lane,
         const uint32_t words[4])
{
   static const uint8_t floats[4] = {SCRIPT_FLOAT, SCRIPT_FLOAT, SCRIPT_FLOAT,
                                     SCRIPT_FLOAT};
   struct tg_strbuf *out = user;

   script_format_register(out, reg);
   if (lane != SCRIPT_ALL_LANES)
      tg_strbuf_printf(out, " lane %d", lane);
   tg_strbuf_add(out, " = ");
   script_format_values(out, words, floats, 4);
   tg_strbuf_add(out, "\n");
}

static void
add_hex(void *user, const struct script_register *reg, int lane,
        const uint32_t words[4])
{
   script_print_setting(user, reg, lane, words);
}

static void
add_emitted(struct tg_strbuf *out, const struct script_emitted *emitted,
            script_output_function add)
{
   for (uint32_t i = 0; i < emitted->count; i++) {
      const struct script_emission *emission = &emitted->items[i];

      script_print_emission(out, emission);
      for (uint32_t j = 0; !emission->is_end && j < emitted->num_outputs; j++) {
         const struct script_register reg = script_emitted_register(j);

         add(out, &reg, emission->lane, emission->words[j]);
      }
   }
}

static char *
make_text(const struct tg_run *run, const struct script_emitted *emitted,
          unsigned num_lanes)
{
   struct tg_strbuf out = {0};

   tg_strbuf_add(&out, "");
   add_emitted(&out, emitted, add_text);
   script_for_each_output_setting(run, num_lanes, add_text, &out);
   if (tg_run_killed(run))
      tg_strbuf_printf(&out, "killed 0x%04x\n", tg_run_killed(run));
   return tg_strbuf_take(&out);
}

static char *
make_hex(const struct tg_run *run, const struct script_emitted *emitted,
         unsigned num_lanes)
{
   struct tg_strbuf out = {0};

   tg_strbuf_add(&out, "");
   add_emitted(&out, emitted, add_hex);
   script_print_settings(&out, run, num_lanes);
   return tg_strbuf_take(&out);
}

/* ---- JSON ---------------------------------------------------------------- */

/* Where the registers of a run, or of an event, are put. */
struct json_list {
   struct tg_json *json;
   struct tg_json_value *array;
};

static void
add_json(void *user, const struct script_register *reg, int lane,
         const uint32_t words[4])
{
   const struct json_list *list = user;
   struct tg_strbuf name = {0};
   struct tg_json_value *object = tg_json_object(list->json, list->array, NULL);

   script_format_register(&name, reg);
   char *text = tg_strbuf_take(&name);
   list->json->failed |= !text;
   tg_json_string(list->json, object, "register", text ? text : "");
   tg_string_free(text);
   if (lane != SCRIPT_ALL_LANES)
      tg_json_number(list->json, object, "lane", lane);
   struct tg_json_value *array = tg_json_array(list->json, object, "words");
   for (unsigned i = 0; i < 4; i++)
      tg_json_number(list->json, array, NULL, words[i]);
}

static void
add_emission(struct tg_json *json, struct tg_json_value *events,
             const struct script_emitted *emitted,
             const struct script_emission *emission)
{
   struct tg_json_value *object = tg_json_object(json, events, NULL);

   tg_json_string(json, object, "event", emission->is_end ? "endprim" : "emit");
   tg_json_number(json, object, "lane", emission->lane);
   tg_json_number(json, object, "stream", emission->stream);
   if (emission->is_end)
      return;
   struct json_list outputs = {json, tg_json_array(json, object, "outputs")};
   for (uint32_t i = 0; i < emitted->num_outputs; i++) {
      const struct script_register reg = script_emitted_register(i);

      add_json(&outputs, &reg, emission->lane, emission->words[i]);
   }
}

static char *
make_json(const struct tg_run *run, const struct script_emitted *emitted,
          unsigned num_lanes)
{
   struct tg_json json;

   tg_json_init_object(&json, NULL);
   tg_json_number(&json, json.root, "lanes", num_lanes);
   tg_json_number(&json, json.root, "killed", tg_run_killed(run));
   struct tg_json_value *events = tg_json_array(&json, json.root, "emitted");
   for (uint32_t i = 0; i < emitted->count; i++)
      add_emission(&json, events, emitted, &emitted->items[i]);
   struct json_list outputs = {&json,
                               tg_json_array(&json, json.root, "outputs")};
   script_for_each_output_setting(run, num_lanes, add_json, &outputs);
   return tg_json_take(&json);
}

enum cli_run_format
cli_run_format(const struct cli_options *options)
{
   return options->json ? CLI_RUN_JSON
                        : (enum cli_run_format)options->run_format;
}

enum tg_result
cli_print_outputs(const struct tg_run *run,
                  const struct script_emitted *emitted, unsigned num_lanes,
                  enum cli_run_format format)
{
   bool good = false;

   switch (format) {
   case CLI_RUN_TEXT:
      good = cli_output_string(make_text(run, emitted, num_lanes));
      break;
   case CLI_RUN_HEX:
      good = cli_output_string(make_hex(run, emitted, num_lanes));
      break;
   case CLI_RUN_JSON:
      good = cli_output_json(make_json(run, emitted, num_lanes));
      break;
   }
   return good ? TG_OK : TG_ERROR_IO;
}
