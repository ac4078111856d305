/* SPDX-License-Identifier: MIT
 *
 * tungsten fmt [FILE]...
 */
#include <string.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/shader.h"
#include "cli/table/handlers.h"
#include "util/strbuf.h"

/* Adds the text of each shader that has no mistake. False when one has. */
static bool
format_shaders(struct cli_call *call, const struct cli_shader_input *input,
               struct tg_strbuf *text)
{
   bool good = true;

   for (uint32_t i = 0; i < cli_shader_input_count(input); i++) {
      struct tg_shader *shader = cli_shader_input_parse(call, input, i);
      char *own_text = shader ? cli_shader_text(shader, &call->options) : NULL;

      if (own_text)
         tg_strbuf_add(text, own_text);
      else if (shader)
         text->failed = true;
      good = good && shader;
      tg_string_free(own_text);
      tg_shader_destroy(shader);
   }
   return good;
}

/* In place nothing but shaders may get lost, and they stay text. */
static bool
may_be_replaced(const struct cli_shader_input *input)
{
   if (input->words)
      cli_complain("'%s' has tokens; --in-place would make text of them",
                   input->path);
   else if (cli_shader_input_is_mixed(input))
      cli_complain("'%s' has other lines than those of shaders; --in-place "
                   "would lose them",
                   input->path);
   else
      return true;
   return false;
}

static int
format_input(struct cli_call *call, const struct cli_shader_input *input)
{
   const bool in_place = call->options.in_place;
   struct tg_strbuf text = {0};

   if (in_place && !may_be_replaced(input))
      return CLI_FAILED;

   const bool good = format_shaders(call, input, &text);
   int status = good ? CLI_OK : CLI_FAILED;
   if (text.failed || (text.length && (good || !in_place))) {
      const int written = cli_write_string_file(in_place ? input->path : NULL,
                                                tg_strbuf_take(&text));

      status = written == CLI_OK ? status : written;
   }
   tg_strbuf_finish(&text);
   return status;
}

static int
format_file(struct cli_call *call, const char *path)
{
   struct cli_shader_input input;
   int status = CLI_FAILED;

   if (cli_shader_input_read(call, path, &input))
      status = format_input(call, &input);
   cli_shader_input_finish(&input);
   return status;
}

/* What is written in place must be files. */
static bool
has_places(const struct cli_call *call)
{
   if (!call->num_operands) {
      cli_complain("--in-place wants FILE...");
      return false;
   }
   for (int i = 0; i < call->num_operands; i++) {
      if (strcmp(call->operands[i], "-") == 0) {
         cli_complain("standard input cannot be written in place");
         return false;
      }
   }
   return true;
}

int
cmd_fmt(struct cli_call *call)
{
   if (call->options.in_place && !has_places(call))
      return CLI_USAGE;
   if (!call->num_operands)
      return format_file(call, "-");

   int status = CLI_OK;
   for (int i = 0; i < call->num_operands; i++) {
      if (format_file(call, call->operands[i]) != CLI_OK)
         status = CLI_FAILED;
   }
   return status;
}
