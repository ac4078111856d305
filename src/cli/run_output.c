/* SPDX-License-Identifier: MIT
 *
 * What a run made: as lines that a test may expect, as a values file, or as
 * JSON. A printer of one register's words is all that text and values file
 * differ in.
 */
#include "cli/run_output.h"

#include <cjson/cJSON.h>
#include <stdio.h>

#include "cli/files.h"
#include "script/settings.h"

/* ---- text ---------------------------------------------------------------- */

static void
add_text(void *user, const struct script_register *reg, unsigned lane,
         const uint32_t words[4])
{
   static const uint8_t floats[4] = {SCRIPT_FLOAT, SCRIPT_FLOAT, SCRIPT_FLOAT,
                                     SCRIPT_FLOAT};
   struct tg_strbuf *out = user;

   script_format_register(out, reg);
   tg_strbuf_printf(out, " lane %u = ", lane);
   script_format_values(out, words, floats, 4);
   tg_strbuf_add(out, "\n");
}

static void
add_hex(void *user, const struct script_register *reg, unsigned lane,
        const uint32_t words[4])
{
   script_print_line(user, reg, lane, words);
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
   script_for_each_output(run, num_lanes, add_text, &out);
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
   script_print_values(&out, run, num_lanes);
   return tg_strbuf_take(&out);
}

/* ---- JSON ---------------------------------------------------------------- */

static void
add_words(cJSON *object, const uint32_t words[4])
{
   cJSON *array = cJSON_AddArrayToObject(object, "words");

   for (unsigned i = 0; i < 4; i++)
      cJSON_AddItemToArray(array, cJSON_CreateNumber(words[i]));
}

static void
add_json(void *user, const struct script_register *reg, unsigned lane,
         const uint32_t words[4])
{
   struct tg_strbuf name = {0};
   cJSON *object = cJSON_CreateObject();

   script_format_register(&name, reg);
   cJSON_AddStringToObject(object, "register", name.data ? name.data : "");
   cJSON_AddNumberToObject(object, "lane", lane);
   add_words(object, words);
   cJSON_AddItemToArray(user, object);
   tg_strbuf_finish(&name);
}

static cJSON *
make_emission(const struct script_emitted *emitted,
              const struct script_emission *emission)
{
   cJSON *object = cJSON_CreateObject();

   cJSON_AddStringToObject(object, "event",
                           emission->is_end ? "endprim" : "emit");
   cJSON_AddNumberToObject(object, "lane", emission->lane);
   cJSON_AddNumberToObject(object, "stream", emission->stream);
   if (emission->is_end)
      return object;
   cJSON *outputs = cJSON_AddArrayToObject(object, "outputs");
   for (uint32_t i = 0; i < emitted->num_outputs; i++) {
      const struct script_register reg = script_emitted_register(i);

      add_json(outputs, &reg, emission->lane, emission->words[i]);
   }
   return object;
}

static char *
make_json(const struct tg_run *run, const struct script_emitted *emitted,
          unsigned num_lanes)
{
   cJSON *root = cJSON_CreateObject();

   cJSON_AddNumberToObject(root, "lanes", num_lanes);
   cJSON_AddNumberToObject(root, "killed", tg_run_killed(run));
   cJSON *events = cJSON_AddArrayToObject(root, "emitted");
   for (uint32_t i = 0; i < emitted->count; i++)
      cJSON_AddItemToArray(events, make_emission(emitted, &emitted->items[i]));
   cJSON *outputs = cJSON_AddArrayToObject(root, "outputs");
   script_for_each_output(run, num_lanes, add_json, outputs);

   char *text = cJSON_Print(root);
   cJSON_Delete(root);
   return text;
}

enum tg_result
cli_print_outputs(const struct tg_run *run,
                  const struct script_emitted *emitted, unsigned num_lanes,
                  enum cli_run_format format)
{
   bool good = false;

   switch (format) {
   case CLI_RUN_TEXT:
      good = cli_put_string(make_text(run, emitted, num_lanes));
      break;
   case CLI_RUN_HEX:
      good = cli_put_string(make_hex(run, emitted, num_lanes));
      break;
   case CLI_RUN_JSON:
      good = cli_put_json(make_json(run, emitted, num_lanes));
      break;
   }
   return good ? TG_OK : TG_ERROR_IO;
}
