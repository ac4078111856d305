/* SPDX-License-Identifier: MIT
 *
 * The binary form: fields of token words by name, and the numbers that differ
 * between Mesa 20.0 and 23.3. encode.c writes tokens, decode.c reads them.
 */
#ifndef TG_TGSI_TOKENS_H
#define TG_TGSI_TOKENS_H

#include <stdbool.h>
#include <stdint.h>

#include "tgsi/tables/tables.h"
#include "tungsten/tgsi.h"

enum token_type {
   TOKEN_TYPE_DECLARATION,
   TOKEN_TYPE_IMMEDIATE,
   TOKEN_TYPE_INSTRUCTION,
   TOKEN_TYPE_PROPERTY,
};

enum token_field {
#define TG_FIELD(word, field, first, bits) TOKEN_##word##_##field,
#include "tgsi/tokens/tokens.def"
   NUM_TOKEN_FIELDS
};

struct token_field_info {
   const char *word, *field;
   uint8_t first, bits;
   bool is_signed;
};

extern const struct token_field_info token_fields[NUM_TOKEN_FIELDS];

/* Extracts a bit field; a signed one as int32_t. */
uint32_t
token_get(uint32_t word, enum token_field field);

/* Inserts a value into a bit field that is still 0. False when it does not fit.
 */
bool
token_put(uint32_t *word, enum token_field field, uint32_t value);

/* "Mesa 20.0": whose numbers they are. */
const char *
token_layout_name(enum tg_token_layout layout);

/* The numbers that a layout gives to things that are numbered by version. Each
 * pair is inverse to each other; -1 where the other side has nothing. */
int
token_from_processor(enum tg_token_layout layout, enum tg_processor processor);
int
token_to_processor(enum tg_token_layout layout, uint32_t number);
int
token_from_semantic(enum tg_token_layout layout, enum tg_semantic semantic);
int
token_to_semantic(enum tg_token_layout layout, uint32_t number);
int
token_from_format(enum tg_token_layout layout, enum tg_format format);
int
token_to_format(enum tg_token_layout layout, uint32_t number);
int
token_from_opcode(enum tg_token_layout layout, enum tg_opcode opcode);
int
token_to_opcode(enum tg_token_layout layout, uint32_t number);

#endif
