/* SPDX-License-Identifier: MIT
 *
 * Bit fields of token words, and numbers by version.
 */
#include "tgsi/tokens/tokens.h"

#include <assert.h>

#include "util/block.h"

const struct token_field_info token_fields[NUM_TOKEN_FIELDS] = {
#define ROW(word_, field_, first_, bits_, is_signed_)                          \
   [TOKEN_##word_##_##field_] = {                                              \
      .word = #word_,                                                          \
      .field = #field_,                                                        \
      .first = first_,                                                         \
      .bits = bits_,                                                           \
      .is_signed = is_signed_,                                                 \
   },
#define TG_FIELD(word, field, first, bits) ROW(word, field, first, bits, false)
#define TG_SIGNED_FIELD(word, field, first, bits)                              \
   ROW(word, field, first, bits, true)
#include "tgsi/tokens/tokens.def"
#include "util/length.h"
};

static uint32_t
field_mask(const struct token_field_info *info)
{
   return info->bits == 32 ? UINT32_MAX : (UINT32_C(1) << info->bits) - 1;
}

uint32_t
token_get(uint32_t word, enum token_field field)
{
   assert(field < TG_LENGTH(token_fields));
   const struct token_field_info *info = &token_fields[field];
   uint32_t value = word >> info->first & field_mask(info);
   uint32_t sign = UINT32_C(1) << (info->bits - 1);

   return info->is_signed ? (value ^ sign) - sign : value;
}

bool
token_put(uint32_t *word, enum token_field field, uint32_t value)
{
   assert(field < TG_LENGTH(token_fields));
   const struct token_field_info *info = &token_fields[field];
   uint32_t kept = value & field_mask(info);

   *word |= kept << info->first;
   return token_get(*word, field) == value;
}

/* ---- numbers by version -------------------------------------------------- */

const char *
token_layout_name(enum tg_token_layout layout)
{
   return layout == TG_TOKENS_MESA_20_0 ? "Mesa 20.0" : "Mesa 23.3";
}

/* Returns the row, of `count`, that the layout numbers `number`. */
#define FIND_NUMBER(count, number20_, number23_)                               \
   do {                                                                        \
      for (int i = 0; i < (int)(count); i++) {                                 \
         int own = layout == TG_TOKENS_MESA_20_0 ? (number20_) : (number23_);  \
         if (own >= 0 && (uint32_t)own == number)                              \
            return i;                                                          \
      }                                                                        \
      return -1;                                                               \
   } while (0)

int
token_from_processor(enum tg_token_layout layout, enum tg_processor processor)
{
   const struct tg_processor_info *info = tg_processor_row(processor);

   return layout == TG_TOKENS_MESA_20_0 ? info->number20 : info->number23;
}

int
token_to_processor(enum tg_token_layout layout, uint32_t number)
{
   FIND_NUMBER(TG_NUM_PROCESSORS, tg_processor_row(i)->number20,
               tg_processor_row(i)->number23);
}

int
token_from_semantic(enum tg_token_layout layout, enum tg_semantic semantic)
{
   const struct tg_semantic_info *info = tg_semantic_row(semantic);

   return layout == TG_TOKENS_MESA_20_0 ? info->number20 : info->number23;
}

int
token_to_semantic(enum tg_token_layout layout, uint32_t number)
{
   FIND_NUMBER(TG_NUM_SEMANTICS, tg_semantic_row(i)->number20,
               tg_semantic_row(i)->number23);
}

int
token_from_format(enum tg_token_layout layout, enum tg_format format)
{
   return layout == TG_TOKENS_MESA_20_0 ? tg_format_row(format)->number20
                                        : (int)format;
}

int
token_to_format(enum tg_token_layout layout, uint32_t number)
{
   FIND_NUMBER(TG_NUM_FORMATS, tg_format_row(i)->number20, i);
}

int
token_from_opcode(enum tg_token_layout layout, enum tg_opcode opcode)
{
   if (opcode >= TG_FIRST_LEGACY_OPCODE || !tg_opcode_row(opcode)->name)
      return -1;
   /* 23.1 removed it. */
   if (layout == TG_TOKENS_MESA_23_3 && opcode == TG_OPCODE_DFRACEXP)
      return -1;
   return opcode;
}

int
token_to_opcode(enum tg_token_layout layout, uint32_t number)
{
   if (number >= TG_FIRST_LEGACY_OPCODE)
      return -1;
   return token_from_opcode(layout, (enum tg_opcode)number);
}

void
tg_tokens_free(uint32_t *words)
{
   tg_block_free(words);
}
