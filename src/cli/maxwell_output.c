/* SPDX-License-Identifier: MIT
 *
 * Registers of threads as text, as a file of values, and as JSON; and the trace
 * of a run: an instruction with its number, then a line for each register.
 *
 *     0: TEXS.LZ RZ, R0, R4, R5, 0x28, 2D, RG;
 *        reads R4 threads 0x00000001: 0.5
 *        writes R0 threads 0x00000001: 1.0
 */
#include "cli/maxwell_output.h"

#include "cli/files.h"
#include "lir/eval.h"
#include "script/values.h"
#include "util/json.h"

/* A float, or two halves, the low one first. */
static void
add_word(struct tg_strbuf *out, uint32_t word, bool is_half)
{
   if (!is_half) {
      script_format_float(out, word);
      return;
   }
   tg_strbuf_add(out, "h:");
   script_format_float(out, lir_h2f(word & 0xffff));
   tg_strbuf_add(out, "|");
   script_format_float(out, lir_h2f(word >> 16));
}

/* ---- the trace ----------------------------------------------------------- */

static void
add_access(struct tg_strbuf *out, const struct tg_maxwell_access *access)
{
   tg_strbuf_printf(
      out, "     %s R%u threads 0x%08x:", access->is_write ? "writes" : "reads",
      access->number, access->threads);
   for (unsigned t = 0; t < TG_MAXWELL_NUM_THREADS; t++) {
      if (!(access->threads >> t & 1))
         continue;
      tg_strbuf_add(out, " ");
      add_word(out, access->words[t], access->is_half);
   }
   tg_strbuf_add(out, "\n");
}

static void
print_access(struct cli_maxwell_trace *trace,
             const struct tg_maxwell_access *access)
{
   struct tg_strbuf out = {0};

   tg_strbuf_add(&out, "");
   for (; trace->next <= access->instruction; trace->next++)
      tg_strbuf_printf(&out, "%3u: %s\n", trace->next,
                       trace->lines.lines[trace->next]);
   if (access->threads)
      add_access(&out, access);
   cli_put_string(tg_strbuf_take(&out));
}

void
cli_maxwell_trace_event(void *user, const struct tg_maxwell_access *access)
{
   struct cli_maxwell_trace *trace = user;

   if (access->is_write) {
      trace->written[access->number] |= access->threads;
      trace->is_half[access->number] = access->is_half;
   }
   if (trace->lines.lines)
      print_access(trace, access);
}

/* ---- registers ----------------------------------------------------------- */

static void
add_text(struct tg_strbuf *out, unsigned number, unsigned thread, uint32_t word,
         bool is_half)
{
   tg_strbuf_printf(out, "R%u thread %u = ", number, thread);
   add_word(out, word, is_half);
   tg_strbuf_add(out, "\n");
}

static void
add_hex(struct tg_strbuf *out, unsigned number, unsigned thread, uint32_t word,
        bool is_half)
{
   (void)is_half;
   tg_strbuf_printf(out, "R%u thread%u: %08x\n", number, thread, word);
}

static char *
make_lines(const struct cli_maxwell_trace *trace,
           const struct tg_maxwell_warp *warp,
           void (*add)(struct tg_strbuf *out, unsigned number, unsigned thread,
                       uint32_t word, bool is_half))
{
   struct tg_strbuf out = {0};

   tg_strbuf_add(&out, "");
   for (unsigned i = 0; i < TG_MAXWELL_NUM_REGISTERS; i++) {
      for (unsigned t = 0; t < TG_MAXWELL_NUM_THREADS; t++) {
         if (trace->written[i] >> t & 1)
            add(&out, i, t, warp->registers[i][t], trace->is_half[i]);
      }
   }
   return tg_strbuf_take(&out);
}

/* A word is null for a thread that has not written it. */
static void
add_register(struct tg_json *json, unsigned number,
             const struct cli_maxwell_trace *trace, const uint32_t *words)
{
   const uint32_t threads = trace->written[number];
   cJSON *object = tg_json_object(json, json->root, NULL);

   tg_json_number(json, object, "register", number);
   tg_json_bool(json, object, "half", trace->is_half[number]);
   cJSON *array = tg_json_array(json, object, "words");
   for (unsigned t = 0; t < TG_MAXWELL_NUM_THREADS && threads >> t; t++) {
      if (threads >> t & 1)
         tg_json_number(json, array, NULL, words[t]);
      else
         tg_json_null(json, array, NULL);
   }
}

static char *
make_json(const struct cli_maxwell_trace *trace,
          const struct tg_maxwell_warp *warp)
{
   struct tg_json json;

   tg_json_init_array(&json);
   for (unsigned i = 0; i < TG_MAXWELL_NUM_REGISTERS; i++) {
      if (trace->written[i])
         add_register(&json, i, trace, warp->registers[i]);
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
      good = cli_put_string(make_lines(trace, warp, add_text));
      break;
   case CLI_RUN_HEX:
      good = cli_put_string(make_lines(trace, warp, add_hex));
      break;
   case CLI_RUN_JSON: good = cli_put_json(make_json(trace, warp)); break;
   }
   return good ? TG_OK : TG_ERROR_IO;
}
