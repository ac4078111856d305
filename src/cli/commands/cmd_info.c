/* SPDX-License-Identifier: MIT
 *
 * tungsten info FILE
 */
#include "cli/io/shader.h"
#include "cli/io/standard_output.h"
#include "cli/table/handlers.h"
#include "util/strbuf.h"

/* Adds what a log's shader uses, under its place. */
static void
add_info(const struct cli_shader_input *input, uint32_t number, bool as_json,
         const struct tg_shader *shader, struct tg_strbuf *text)
{
   const uint32_t line = tg_log_line(input->log, number);
   char *info =
      as_json ? tg_shader_info_json(shader) : tg_shader_info_text(shader);

   if (!info)
      text->failed = true;
   else if (as_json)
      tg_strbuf_printf(text, "%s{\"line\": %u, \"shader\": %s}",
                       text->length ? ", " : "[", line, info);
   else
      tg_strbuf_printf(text, "%s%s:%u:\n%s", text->length ? "\n" : "",
                       input->path, line, info);
   tg_string_free(info);
}

/* Of a log, each shader without a mistake. */
static int
print_log(struct cli_call *call, const struct cli_shader_input *input)
{
   const bool as_json = call->options.json;
   struct tg_strbuf text = {0};
   int status = CLI_OK;

   for (uint32_t i = 0; i < cli_shader_input_count(input); i++) {
      struct tg_shader *shader = cli_shader_input_parse(call, input, i);

      if (shader)
         add_info(input, i, as_json, shader, &text);
      else
         status = CLI_FAILED;
      tg_shader_destroy(shader);
   }
   if (as_json)
      tg_strbuf_add(&text, text.length ? "]\n" : "[]\n");
   return cli_output_string(tg_strbuf_take(&text)) ? status : CLI_FAILED;
}

static int
print_one(struct cli_call *call, const struct cli_shader_input *input)
{
   struct tg_shader *shader = cli_shader_input_parse(call, input, 0);
   if (!shader)
      return CLI_FAILED;

   bool good = call->options.json
                  ? cli_output_json(tg_shader_info_json(shader))
                  : cli_output_string(tg_shader_info_text(shader));
   tg_shader_destroy(shader);
   return good ? CLI_OK : CLI_FAILED;
}

int
cmd_info(struct cli_call *call)
{
   struct cli_shader_input input;
   int status = CLI_FAILED;

   if (cli_shader_input_read(call, call->operands[0], &input))
      status = cli_shader_input_count(&input) > 1 ? print_log(call, &input)
                                                  : print_one(call, &input);
   cli_shader_input_finish(&input);
   return status;
}
