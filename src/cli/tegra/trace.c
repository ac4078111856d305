/* SPDX-License-Identifier: MIT
 *
 * The trace of a run: an instruction with its number, then a line for each
 * thing that it changed.
 *
 *     0: EXEC(cs)(cwr) MOVv r1.xy**, a[0].xyzw NOPs;
 *        r1.xy = 1.0 2.0
 *        CR0.xy = > >
 */
#include <stdio.h>

#include "cli/tegra/trace.h"
#include "script/text/values.h"

static void
add_number(struct tg_strbuf *out, uint32_t word)
{
   tg_strbuf_printf(out, " %d", (int)word);
}

static void
add_float(struct tg_strbuf *out, uint32_t word)
{
   tg_strbuf_add(out, " ");
   script_format_float_value(out, word);
}

static void
add_state(struct tg_strbuf *out, uint32_t word)
{
   tg_strbuf_printf(out, " %c", (char)word);
}

/* ".xy = 1.0 2.0": the components that changed. */
static void
add_components(struct tg_strbuf *out, const struct tg_tegra_change *change,
               void (*add)(struct tg_strbuf *out, uint32_t word))
{
   tg_strbuf_add(out, ".");
   for (unsigned i = 0; i < 4; i++) {
      if (change->mask >> i & 1)
         tg_strbuf_add_char(out, "xyzw"[i]);
   }
   tg_strbuf_add(out, " =");
   for (unsigned i = 0; i < 4; i++) {
      if (change->mask >> i & 1)
         add(out, change->words[i]);
   }
}

/* An address of an instruction, or A0, that went to the stack or came. */
static void
add_entry(struct tg_strbuf *out, const char *what,
          const struct tg_tegra_change *change)
{
   tg_strbuf_printf(out, "%s stack[%u]", what, change->index);
   if (change->mask == 1)
      tg_strbuf_printf(out, " = instruction %u", change->words[0]);
   else
      add_components(out, change, add_number);
}

static void
add_change(struct tg_strbuf *out, const struct tg_tegra_change *change)
{
   switch (change->kind) {
   case TG_TEGRA_CHANGE_STEP: break;
   case TG_TEGRA_CHANGE_TEMPORARY:
      tg_strbuf_printf(out, "r%u", change->index);
      add_components(out, change, add_float);
      break;
   case TG_TEGRA_CHANGE_EXPORT:
      tg_strbuf_printf(out, "export[%u]", change->index);
      add_components(out, change, add_float);
      break;
   case TG_TEGRA_CHANGE_ADDRESS:
      tg_strbuf_add(out, "A0");
      add_components(out, change, add_number);
      break;
   case TG_TEGRA_CHANGE_CONDITION:
      tg_strbuf_printf(out, "CR%u", change->index);
      add_components(out, change, add_state);
      break;
   case TG_TEGRA_CHANGE_PUSH: add_entry(out, "push", change); break;
   case TG_TEGRA_CHANGE_POP: add_entry(out, "pop", change); break;
   case TG_TEGRA_CHANGE_JUMP:
      tg_strbuf_printf(out, "to instruction %u", change->index);
      break;
   case TG_TEGRA_CHANGE_END:
      tg_strbuf_add(out, tg_tegra_end_name((enum tg_tegra_end)change->index));
      break;
   }
}

static void
print_step(const struct cli_tegra_trace *trace,
           const struct tg_tegra_change *change)
{
   printf("%3u: %s\n", change->instruction,
          cli_lines_get(&trace->lines, change->instruction));
}

void
cli_tegra_trace_event(void *user, const struct tg_tegra_change *change)
{
   struct cli_tegra_trace *trace = user;
   struct tg_strbuf out = {0};

   if (trace->num_vertices > 1 &&
       (!trace->has_begun || trace->vertex != change->vertex))
      printf("vertex %u\n", change->vertex);
   trace->has_begun = true;
   trace->vertex = change->vertex;
   if (change->kind == TG_TEGRA_CHANGE_STEP) {
      print_step(trace, change);
      return;
   }
   add_change(&out, change);
   printf("       %s\n", out.data ? out.data : "out of memory");
   tg_strbuf_finish(&out);
}
