/* SPDX-License-Identifier: MIT
 *
 * Words of a program as files: hexadecimal text, bytes, and an array in C.
 */
#include "cli/maxwell/words.h"

#include <stdlib.h>
#include <string.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/hex_words.h"
#include "cli/io/lines.h"
#include "cli/maxwell/input.h"
#include "util/strbuf.h"

enum {
   BUNDLE = 4, /* words of code that belong together, the first control bits */
};

/* What is written: instructions with their control bits, or code, where
 * `controls` is NULL. */
struct output {
   const struct tg_maxwell_program *program;
   const uint64_t *words;
   const uint32_t *controls;
   size_t count;
};

static char *
to_hex(const struct output *output)
{
   struct tg_strbuf out = {0};

   for (size_t i = 0; i < output->count; i++) {
      tg_strbuf_printf(&out, "%016llx", (unsigned long long)output->words[i]);
      if (output->controls && output->controls[i])
         tg_strbuf_printf(&out, " %06x", output->controls[i]);
      tg_strbuf_add(&out, "\n");
   }
   return tg_strbuf_take(&out);
}

/* The instruction whose text stands beside a word. */
static const char *
comment_of(const struct output *output, const struct cli_lines *lines,
           size_t index)
{
   size_t instruction = index;

   if (!output->controls && index % BUNDLE == 0)
      return "control bits";
   if (!output->controls)
      instruction = index / BUNDLE * (BUNDLE - 1) + index % BUNDLE - 1;
   return instruction < tg_maxwell_num_instructions(output->program)
             ? cli_lines_get(lines, (uint32_t)instruction)
             : "NOP";
}

static char *
to_c(const struct output *output)
{
   struct cli_lines lines;
   struct tg_strbuf out = {0};

   if (!cli_maxwell_input_lines_init(&lines, output->program))
      return NULL;
   tg_strbuf_printf(&out,
                    "/* Texture instructions of Maxwell. */\n"
                    "#include <stdint.h>\n\n"
                    "static const uint64_t program[%zu] = {\n",
                    output->count);
   for (size_t i = 0; i < output->count; i++)
      tg_strbuf_printf(&out, "   0x%016llx, /* %s */\n",
                       (unsigned long long)output->words[i],
                       comment_of(output, &lines, i));
   tg_strbuf_add(&out, "};\n");
   if (output->controls) {
      tg_strbuf_printf(&out, "\nstatic const uint32_t controls[%zu] = {\n",
                       output->count);
      for (size_t i = 0; i < output->count; i++)
         tg_strbuf_printf(&out, "   0x%06x,\n", output->controls[i]);
      tg_strbuf_add(&out, "};\n");
   }
   cli_lines_finish(&lines);
   return tg_strbuf_take(&out);
}

/* Bytes have no place for control bits that are not among the words. */
static void
warn_of_controls(const struct output *output)
{
   bool has_some = false;

   for (size_t i = 0; output->controls && i < output->count; i++)
      has_some |= output->controls[i] != 0;
   if (has_some)
      cli_complain("control bits are not among the words; --bundles and "
                   "--format=hex have them");
}

static int
write_bytes(const struct cli_call *call, const struct output *output)
{
   uint32_t *halves = calloc(output->count, 2 * sizeof(*halves));
   size_t size = 0;

   for (size_t i = 0; halves && i < output->count; i++) {
      halves[2 * i] = (uint32_t)output->words[i];
      halves[2 * i + 1] = (uint32_t)(output->words[i] >> 32);
   }
   char *bytes =
      halves ? cli_words_to_bytes(halves, 2 * output->count, &size) : NULL;
   free(halves);
   if (!bytes)
      return cli_diagnostics_status(TG_ERROR_MEMORY);

   bool good = cli_write_file(call->options.output, bytes, size);
   free(bytes);
   if (good)
      warn_of_controls(output);
   return good ? CLI_OK : CLI_FAILED;
}

static int
write_output(const struct cli_call *call, const struct output *output,
             enum cli_maxwell_words_form form)
{
   const char *path = call->options.output;

   switch (form) {
   case CLI_MAXWELL_WRITE_HEX:
      return cli_write_string_file(path, to_hex(output));
   case CLI_MAXWELL_WRITE_C: return cli_write_string_file(path, to_c(output));
   case CLI_MAXWELL_WRITE_BIN: break;
   }
   return write_bytes(call, output);
}

int
cli_write_maxwell_words(const struct cli_call *call,
                        const struct tg_maxwell_program *program,
                        enum cli_maxwell_words_form form)
{
   if (!call->options.bundles) {
      const struct output output = {
         .program = program,
         .words = tg_maxwell_words(program),
         .controls = tg_maxwell_controls(program),
         .count = tg_maxwell_num_instructions(program),
      };
      return write_output(call, &output, form);
   }

   const size_t count = tg_maxwell_num_code_words(program);
   uint64_t *code = calloc(count, sizeof(*code));
   if (!code)
      return cli_diagnostics_status(TG_ERROR_MEMORY);

   const struct output output = {
      .program = program, .words = code, .count = count};
   tg_maxwell_encode_code(program, code);
   int status = write_output(call, &output, form);
   free(code);
   return status;
}
