/* SPDX-License-Identifier: MIT
 *
 * tungsten dis FILE
 */
#include <stdlib.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/hex_words.h"
#include "cli/io/shader.h"
#include "cli/table/handlers.h"

enum { AUTO, BIN, HEX }; /* the words of --format */

/* The words of a file, or NULL with a complaint. */
static uint32_t *
read_words(struct cli_call *call, const char *path, size_t *num_words_out)
{
   size_t size;
   char *data = cli_read_file(path, &size);
   if (!data)
      return NULL;

   unsigned format = call->options.read_format;
   bool is_hex = format == HEX || (format == AUTO && cli_is_hex(data, size));
   uint32_t *words = is_hex
                        ? cli_words_from_hex(path, data, size,
                                             call->diagnostics, num_words_out)
                        : cli_words_from_bytes(path, data, size, num_words_out);
   free(data);
   return words;
}

int
cmd_dis(struct cli_call *call)
{
   const struct cli_options *options = &call->options;
   const char *path = call->operands[0];
   size_t num_words;
   uint32_t *words = read_words(call, path, &num_words);
   if (!words)
      return CLI_FAILED;

   struct tg_shader *shader = NULL;
   int status = cli_diagnostics_status(tg_shader_decode(
      NULL, path, words, num_words, cli_shader_layout(options),
      cli_shader_dialect(options), call->diagnostics, &shader));
   free(words);
   if (status == CLI_OK)
      status = cli_write_string_file(options->output,
                                     cli_shader_text(shader, options));
   tg_shader_destroy(shader);
   return status;
}
