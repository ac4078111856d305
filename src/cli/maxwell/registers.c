/* SPDX-License-Identifier: MIT
 *
 * Registers and predicates of threads as text, as a file of values, and as
 * JSON.
 */
#include "cli/maxwell/registers.h"

#include <assert.h>

#include "cli/io/standard_output.h"
#include "lir/eval.h"
#include "script/text/values.h"
#include "util/json.h"
#include "util/length.h"

void
cli_maxwell_add_register_word(struct tg_strbuf *out, uint32_t word,
                              bool is_half)
{
   if (!is_half) {
      script_format_float_value(out, word);
      return;
   }
   tg_strbuf_add(out, "h:");
   script_format_float_value(out, lir_h2f(word & 0xffff));
   tg_strbuf_add(out, "|");
   script_format_float_value(out, lir_h2f(word >> 16));
}

/* Registers, and after them predicates. */
enum {
   FIRST_PREDICATE = TG_MAXWELL_NUM_REGISTERS,
   NUM_RESULTS = FIRST_PREDICATE + TG_MAXWELL_NUM_PREDICATES,
};

/* What was written of a register or predicate. */
struct result {
   bool is_predicate, is_half;
   unsigned number;
   uint32_t threads; /* that have written it */
   uint32_t words[TG_MAXWELL_NUM_THREADS];
};

/* `index` is below NUM_RESULTS. */
static struct result
result_at(const struct cli_maxwell_trace *trace,
          const struct tg_maxwell_warp *warp, unsigned index)
{
   assert(index < NUM_RESULTS);
   const bool is_predicate = index >= FIRST_PREDICATE;
   const unsigned number = is_predicate ? index - FIRST_PREDICATE : index;
   struct result result = {
      .is_predicate = is_predicate,
      .is_half = !is_predicate && trace->is_half[number],
      .number = number,
      .threads =
         is_predicate ? trace->predicates[number] : trace->written[number],
   };

   for (unsigned t = 0; t < TG_MAXWELL_NUM_THREADS; t++)
      result.words[t] = is_predicate ? warp->predicates[t] >> number & 1
                                     : warp->registers[number][t];
   return result;
}

static void
add_text(struct tg_strbuf *out, const struct result *result, unsigned thread)
{
   assert(thread < TG_LENGTH(result->words));
   tg_strbuf_printf(out, "%c%u thread %u = ", result->is_predicate ? 'P' : 'R',
                    result->number, thread);
   if (result->is_predicate)
      tg_strbuf_printf(out, "%u", result->words[thread]);
   else
      cli_maxwell_add_register_word(out, result->words[thread],
                                    result->is_half);
   tg_strbuf_add(out, "\n");
}

static void
add_hex(struct tg_strbuf *out, const struct result *result, unsigned thread)
{
   tg_strbuf_printf(out, "%c%u thread%u: %08x\n",
                    result->is_predicate ? 'P' : 'R', result->number, thread,
                    result->words[thread]);
}

static char *
make_lines(const struct cli_maxwell_trace *trace,
           const struct tg_maxwell_warp *warp,
           void (*add)(struct tg_strbuf *out, const struct result *result,
                       unsigned thread))
{
   struct tg_strbuf out = {0};

   tg_strbuf_add(&out, "");
   for (unsigned i = 0; i < NUM_RESULTS; i++) {
      const struct result result = result_at(trace, warp, i);

      for (unsigned t = 0; t < TG_MAXWELL_NUM_THREADS; t++) {
         if (result.threads >> t & 1)
            add(&out, &result, t);
      }
   }
   return tg_strbuf_take(&out);
}

/* A word is null for a thread that has not written it. */
static void
add_object(struct tg_json *json, const struct result *result)
{
   struct tg_json_value *object = tg_json_object(json, json->root, NULL);

   tg_json_number(json, object, result->is_predicate ? "predicate" : "register",
                  result->number);
   if (!result->is_predicate)
      tg_json_bool(json, object, "half", result->is_half);
   struct tg_json_value *array = tg_json_array(json, object, "words");
   for (unsigned t = 0; t < TG_MAXWELL_NUM_THREADS && result->threads >> t;
        t++) {
      if (result->threads >> t & 1)
         tg_json_number(json, array, NULL, result->words[t]);
      else
         tg_json_null(json, array, NULL);
   }
}

static char *
make_json(const struct cli_maxwell_trace *trace,
          const struct tg_maxwell_warp *warp)
{
   struct tg_json json;

   tg_json_init_array(&json, NULL);
   for (unsigned i = 0; i < NUM_RESULTS; i++) {
      const struct result result = result_at(trace, warp, i);

      if (result.threads)
         add_object(&json, &result);
   }
   return tg_json_take(&json);
}

enum tg_result
cli_print_registers(const struct cli_maxwell_trace *trace,
                    const struct tg_maxwell_warp *warp,
                    enum cli_run_format format)
{
   bool good = false;

   switch (format) {
   case CLI_RUN_TEXT:
      good = cli_output_string(make_lines(trace, warp, add_text));
      break;
   case CLI_RUN_HEX:
      good = cli_output_string(make_lines(trace, warp, add_hex));
      break;
   case CLI_RUN_JSON: good = cli_output_json(make_json(trace, warp)); break;
   }
   return good ? TG_OK : TG_ERROR_IO;
}
