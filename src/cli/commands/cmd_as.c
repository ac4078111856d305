/* SPDX-License-Identifier: MIT
 *
 * tungsten as FILE
 */
#include <stdlib.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/hex_words.h"
#include "cli/io/shader.h"
#include "cli/table/handlers.h"

enum { BIN, HEX }; /* the words of --format */

enum { WORDS_PER_LINE = 8 };

static int
write_words(const struct cli_options *options, const uint32_t *words,
            size_t num_words)
{
   size_t size;
   char *data = options->write_format == HEX
                   ? cli_words_to_hex(words, num_words, WORDS_PER_LINE, &size)
                   : cli_words_to_bytes(words, num_words, &size);
   if (!data)
      return cli_diagnostics_status(TG_ERROR_MEMORY);

   bool good = cli_write_file(options->output, data, size);
   free(data);
   return good ? CLI_OK : CLI_FAILED;
}

int
cmd_as(struct cli_call *call)
{
   struct tg_shader *shader = cli_load_shader(call, call->operands[0]);
   if (!shader)
      return CLI_FAILED;

   uint32_t *words = NULL;
   size_t num_words = 0;
   int status = cli_diagnostics_status(
      tg_shader_encode(shader, cli_shader_layout(&call->options),
                       call->diagnostics, &words, &num_words));
   if (status == CLI_OK)
      status = write_words(&call->options, words, num_words);
   tg_tokens_free(words);
   tg_shader_destroy(shader);
   return status;
}
