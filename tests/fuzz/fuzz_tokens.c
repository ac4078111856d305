/* SPDX-License-Identifier: MIT
 *
 * Tokens: the first byte chooses the layout, the rest are words. Whatever
 * decodes is a shader that can be printed and checked, and that gives the same
 * shader again when it is encoded and decoded. The listing of one that
 * validates can be read.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz_copy.h"
#include "tungsten/tgsi.h"

enum { MAX_WORDS = 1 << 16 };

static struct tg_shader *
decode(const uint32_t *words, size_t num_words, enum tg_token_layout layout)
{
   struct tg_shader *shader = NULL;

   tg_shader_decode(NULL, "fuzz", words, num_words, layout, TG_DIALECT_2019,
                    NULL, &shader);
   return shader;
}

/* The shader after another turn; it must look as before. */
static void
go_round(const struct tg_shader *shader, enum tg_token_layout layout)
{
   uint32_t *words;
   size_t num_words;

   if (tg_shader_encode(shader, layout, NULL, &words, &num_words) != TG_OK)
      abort();
   struct tg_shader *again = decode(words, num_words, layout);
   if (!again)
      abort();

   char *before = tg_shader_print(shader, TG_PRINT_FLOATS_AS_HEX);
   char *after = tg_shader_print(again, TG_PRINT_FLOATS_AS_HEX);
   if (!before || !after || strcmp(before, after) != 0)
      abort();
   tg_string_free(after);
   tg_string_free(before);
   tg_shader_destroy(again);
   tg_tokens_free(words);
}

static void
read_back(const struct tg_shader *shader)
{
   char *text = tg_shader_print(shader, 0);
   struct tg_shader *again = NULL;

   if (!text || tg_shader_parse(NULL, "fuzz", text, strlen(text),
                                TG_DIALECT_2019, NULL, &again) != TG_OK)
      abort();
   tg_shader_destroy(again);
   tg_string_free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   if (size < 1 || (size - 1) / 4 > MAX_WORDS)
      return 0;
   enum tg_token_layout layout =
      data[0] & 1 ? TG_TOKENS_MESA_23_3 : TG_TOKENS_MESA_20_0;
   size_t num_words = (size - 1) / 4;
   uint32_t *words = fuzz_copy(data + 1, num_words * 4);

   struct tg_shader *shader = decode(words, num_words, layout);
   free(words);
   if (!shader)
      return 0;
   go_round(shader, layout);
   if (tg_shader_validate(shader, NULL) == TG_OK)
      read_back(shader);
   tg_string_free(tg_shader_info_json(shader));
   tg_shader_destroy(shader);
   return 0;
}
