/* SPDX-License-Identifier: MIT
 *
 * Loading of shaders, and the options about them in the terms of the library.
 */
#include "cli/io/shader.h"

#include <stdlib.h>
#include <string.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/hex_words.h"

/* The words of the choices stand in table/options.def in this order. */
enum tg_dialect
cli_shader_dialect(const struct cli_options *options)
{
   static const enum tg_dialect dialects[] = {
      TG_DIALECT_2019,
      TG_DIALECT_2011,
      TG_DIALECT_2010,
   };
   return dialects[options->dialect];
}

enum tg_token_layout
cli_shader_layout(const struct cli_options *options)
{
   static const enum tg_token_layout layouts[] = {
      TG_TOKENS_MESA_20_0,
      TG_TOKENS_MESA_23_3,
   };
   return layouts[options->layout];
}

/* ---- files --------------------------------------------------------------- */

/* Does a token stream begin with this word? Its lowest byte is the size of the
 * header, with which no text begins. */
static bool
begins_tokens(uint64_t word)
{
   enum { HEADER_SIZE = 2 };

   return (word & 0xff) == HEADER_SIZE;
}

/* Tokens as cli_words_to_hex() writes them. */
static bool
is_hex(const struct cli_shader_input *input)
{
   const char *at = input->data, *end = input->data + input->size;
   uint64_t word;

   return cli_is_hex(at, input->size) &&
          cli_first_hex(at, end, CLI_HEX_DIGITS, &word) && begins_tokens(word);
}

bool
cli_shader_input_read(struct cli_call *call, const char *path,
                      struct cli_shader_input *input_out)
{
   struct cli_shader_input *input = input_out;

   *input = (struct cli_shader_input){.path = path};
   input->data = cli_read_file(path, &input->size);
   if (!input->data)
      return false;
   if (begins_tokens((unsigned char)*input->data))
      input->words = cli_words_from_bytes(path, input->data, input->size,
                                          &input->num_words);
   else if (is_hex(input))
      input->words = cli_words_from_hex(path, input->data, input->size,
                                        call->diagnostics, &input->num_words);
   else
      cli_diagnostics_status(tg_log_read(NULL, path, input->data, input->size,
                                         call->diagnostics, &input->log));
   return input->words || input->log;
}

void
cli_shader_input_finish(struct cli_shader_input *input)
{
   tg_log_destroy(input->log);
   free(input->words);
   free(input->data);
}

static uint32_t
num_logged(const struct cli_shader_input *input)
{
   return input->log ? tg_log_num_shaders(input->log) : 0;
}

uint32_t
cli_shader_input_count(const struct cli_shader_input *input)
{
   const uint32_t count = num_logged(input);

   return count ? count : 1;
}

bool
cli_shader_input_is_mixed(const struct cli_shader_input *input)
{
   return input->log && tg_log_num_shaders(input->log) &&
          tg_log_has_others(input->log);
}

struct tg_shader *
cli_shader_input_parse(struct cli_call *call,
                       const struct cli_shader_input *input, uint32_t number)
{
   const enum tg_dialect dialect = cli_shader_dialect(&call->options);
   struct tg_shader *shader = NULL;
   enum tg_result result;

   if (input->words)
      result =
         tg_shader_decode(NULL, input->path, input->words, input->num_words,
                          cli_shader_layout(&call->options), dialect,
                          call->diagnostics, &shader);
   else if (num_logged(input))
      result =
         tg_log_parse(input->log, number, dialect, call->diagnostics, &shader);
   else
      result = tg_shader_parse(NULL, input->path, input->data, input->size,
                               dialect, call->diagnostics, &shader);
   cli_diagnostics_status(result);
   if (shader && call->options.virgl)
      tg_shader_set_quirks(shader, TG_QUIRKS_OF_VIRGL);
   return shader;
}

struct tg_shader *
cli_load_shader(struct cli_call *call, const char *path)
{
   struct cli_shader_input input;
   struct tg_shader *shader = NULL;

   if (cli_shader_input_read(call, path, &input)) {
      const uint32_t count = cli_shader_input_count(&input);

      if (count == 1)
         shader = cli_shader_input_parse(call, &input, 0);
      else
         cli_complain(
            "'%s' has %u shaders, not one; tungsten split makes files "
            "of them",
            path, count);
   }
   cli_shader_input_finish(&input);
   return shader;
}

char *
cli_shader_text(const struct tg_shader *shader,
                const struct cli_options *options)
{
   return tg_shader_print(shader,
                          options->floats_as_hex ? TG_PRINT_FLOATS_AS_HEX : 0);
}
