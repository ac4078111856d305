/* SPDX-License-Identifier: MIT
 *
 * The trace of a run: an instruction with its number, then a line for each
 * register.
 *
 *     0: TEXS.LZ RZ, R0, R4, R5, 0x28, 2D, RG;
 *        reads R4 threads 0x00000001: 0.5
 *        writes R0 threads 0x00000001: 1.0
 */
#include "cli/maxwell/trace.h"

#include "cli/io/standard_output.h"
#include "cli/maxwell/registers.h"

static void
add_access(struct tg_strbuf *out, const struct tg_maxwell_access *access)
{
   tg_strbuf_printf(
      out,
      "     %s %c%u threads 0x%08x:", access->is_write ? "writes" : "reads",
      access->is_predicate ? 'P' : 'R', access->number, access->threads);
   for (unsigned t = 0; t < TG_MAXWELL_NUM_THREADS; t++) {
      if (!(access->threads >> t & 1))
         continue;
      tg_strbuf_add(out, " ");
      if (access->is_predicate)
         tg_strbuf_printf(out, "%u", access->words[t]);
      else
         cli_maxwell_add_register_word(out, access->words[t], access->is_half);
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
                       cli_lines_get(&trace->lines, trace->next));
   if (access->threads)
      add_access(&out, access);
   cli_output_string(tg_strbuf_take(&out));
}

void
cli_maxwell_trace_event(void *user, const struct tg_maxwell_access *access)
{
   struct cli_maxwell_trace *trace = user;

   if (access->is_write && access->is_predicate) {
      trace->predicates[access->number] |= access->threads;
   } else if (access->is_write) {
      trace->written[access->number] |= access->threads;
      trace->is_half[access->number] = access->is_half;
   }
   if (trace->lines.lines)
      print_access(trace, access);
}
