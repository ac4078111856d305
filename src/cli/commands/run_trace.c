/* SPDX-License-Identifier: MIT
 *
 * The trace of a run: an instruction's line, then a line for each channel that
 * it wrote with the values of the lanes that wrote it.
 *
 *     0: ADD OUT[0], IN[0], IN[0]
 *        x lanes 0x000f: 2.0 4.0 6.0 8.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/run_output.h"
#include "script/text/values.h"

struct cli_trace {
   char *text;        /* of the shader, its lines ending in NUL */
   const char **line; /* of each instruction */
   uint32_t num_instructions;
   /* What was printed last: an instruction's line is printed once, until the
    * instruction is executed again. */
   uint32_t last_instruction;
   unsigned last_channel;
};

/* Finds the lines that begin with the number of an instruction. */
static void
index_lines(struct cli_trace *trace)
{
   uint32_t next = 0;
   char *save = NULL;

   for (char *line = strtok_r(trace->text, "\n", &save); line;
        line = strtok_r(NULL, "\n", &save)) {
      char *end;
      unsigned long number = strtoul(line, &end, 10);

      if (next < trace->num_instructions && end != line && *end == ':' &&
          number == next)
         trace->line[next++] = line;
   }
}

struct cli_trace *
cli_run_trace_create(const struct tg_shader *shader)
{
   struct cli_trace *trace = calloc(1, sizeof(*trace));
   if (!trace)
      return NULL;

   trace->num_instructions = tg_shader_num_instructions(shader);
   trace->last_instruction = UINT32_MAX;
   trace->text = tg_shader_print(shader, 0);
   trace->line = calloc(trace->num_instructions + 1, sizeof(*trace->line));
   if (!trace->text || !trace->line) {
      cli_run_trace_destroy(trace);
      return NULL;
   }
   index_lines(trace);
   return trace;
}

void
cli_run_trace_destroy(struct cli_trace *trace)
{
   if (!trace)
      return;
   tg_string_free(trace->text);
   free(trace->line);
   free(trace);
}

static void
print_instruction(struct cli_trace *trace, uint32_t instruction,
                  unsigned channel)
{
   bool same =
      instruction == trace->last_instruction && channel > trace->last_channel;

   trace->last_instruction = instruction;
   trace->last_channel = channel;
   if (same)
      return;
   if (instruction < trace->num_instructions && trace->line[instruction])
      puts(trace->line[instruction]);
   else
      printf("%3u:\n", instruction);
}

void
cli_run_trace_event(void *user, uint32_t instruction, unsigned dst,
                    unsigned channel, uint32_t lanes,
                    const uint32_t words[TG_MAX_LANES])
{
   struct cli_trace *trace = user;
   struct tg_strbuf out = {0};

   print_instruction(trace, instruction, dst * 4 + channel);
   tg_strbuf_printf(&out, "       %s%c lanes 0x%04x:", dst ? "second " : "",
                    "xyzw"[channel], lanes);
   for (unsigned i = 0; i < TG_MAX_LANES; i++) {
      if (!(lanes >> i & 1))
         continue;
      tg_strbuf_add(&out, " ");
      script_format_float_value(&out, words[i]);
   }
   puts(out.data ? out.data : "out of memory");
   tg_strbuf_finish(&out);
}
