/* SPDX-License-Identifier: MIT
 *
 * Parsing of IMM statements, and of the values of IMMX. The numbers in the
 * braces are taken first and given a meaning afterwards, because that depends
 * on how many there are.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tgsi/text/parse.h"
#include "util/number.h"

enum {
   MAX_VALUES = 4,
   MAX_LITERAL = 511, /* the longest double in print has 318 characters */
};

/* ---- integers ------------------------------------------------------------ */

struct integer {
   bool is_negative;
   uint64_t magnitude;
};

/* Sign, then decimal digits or 0x and hexadecimal ones; with `has_octal` a 0 in
 * front makes octal ones. False when it is none or has more than 64 bits. */
static bool
read_integer(struct tg_word literal, bool has_octal, struct integer *out)
{
   const char *at = literal.text;
   const char *end = at + literal.length;
   unsigned base = 10;

   *out = (struct integer){0};
   if (at < end && (*at == '-' || *at == '+'))
      out->is_negative = *at++ == '-';
   if (end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x') {
      base = 16;
      at += 2;
   } else if (has_octal && end - at > 1 && at[0] == '0') {
      base = 8;
   }
   return tg_number_of_digits(at, (size_t)(end - at), base, &out->magnitude) ==
          TG_NUMBER_GOOD;
}

static uint64_t
bits_of(struct integer integer)
{
   return integer.is_negative ? -integer.magnitude : integer.magnitude;
}

/* ---- one value ----------------------------------------------------------- */

/* 0x and eight digits are the bits of a float, in every printer. */
static bool
is_bit_pattern(struct tg_word literal)
{
   if (literal.length != 10 || literal.text[0] != '0' ||
       (literal.text[1] | 0x20) != 'x')
      return false;
   for (size_t i = 2; i < literal.length; i++) {
      if (tg_digit(literal.text[i]) >= 16)
         return false;
   }
   return true;
}

static uint32_t
bit_pattern(struct tg_word literal)
{
   struct integer integer;

   return read_integer(literal, false, &integer) ? (uint32_t)integer.magnitude
                                                 : 0;
}

/* Each reads one value into `words`; false when the literal is none of its
 * type. */
typedef bool
read_function(struct tg_parser *parser, struct tg_word literal,
              uint32_t *words);

/* A copy that strtof() can read. */
static bool
terminate(struct tg_word literal, char buffer[MAX_LITERAL + 1])
{
   if (!literal.length || literal.length > MAX_LITERAL)
      return false;
   memcpy(buffer, literal.text, literal.length);
   buffer[literal.length] = '\0';
   return true;
}

/* Infinity that was not written as such. */
static void
warn_of_infinity(struct tg_parser *parser, struct tg_word literal)
{
   static const char message[] = "this number is too large for its type and "
                                 "becomes infinite";

   if (!memchr(literal.text, 'i', literal.length) &&
       !memchr(literal.text, 'I', literal.length))
      tg_parse_warning(parser, literal.position, "float-overflow",
                       "infinity is written inf", message);
}

static bool
read_flt32(struct tg_parser *parser, struct tg_word literal, uint32_t *words)
{
   char buffer[MAX_LITERAL + 1];
   char *end;

   if (is_bit_pattern(literal)) {
      words[0] = bit_pattern(literal);
      return true;
   }
   if (!terminate(literal, buffer))
      return false;
   float value = strtof_l(buffer, &end, parser->c_locale);
   memcpy(words, &value, sizeof(value));
   if (*end == '\0' && isinf(value))
      warn_of_infinity(parser, literal);
   return *end == '\0';
}

static void
split(uint64_t bits, uint32_t *words)
{
   words[0] = (uint32_t)bits;
   words[1] = (uint32_t)(bits >> 32);
}

static bool
read_flt64(struct tg_parser *parser, struct tg_word literal, uint32_t *words)
{
   char buffer[MAX_LITERAL + 1];
   char *end;
   uint64_t bits;

   if (!terminate(literal, buffer))
      return false;
   double value = strtod_l(buffer, &end, parser->c_locale);
   memcpy(&bits, &value, sizeof(bits));
   split(bits, words);
   if (*end == '\0' && isinf(value))
      warn_of_infinity(parser, literal);
   return *end == '\0';
}

static bool
read_uint32(struct tg_parser *parser, struct tg_word literal, uint32_t *words)
{
   struct integer integer;

   (void)parser;
   if (!read_integer(literal, false, &integer) || integer.is_negative ||
       integer.magnitude > UINT32_MAX)
      return false;
   words[0] = (uint32_t)integer.magnitude;
   return true;
}

/* Numbers from 2^31 on are taken for the bits of a negative one. */
static bool
read_int32(struct tg_parser *parser, struct tg_word literal, uint32_t *words)
{
   const uint64_t least = (uint64_t)1 << 31;
   struct integer integer;

   (void)parser;
   if (!read_integer(literal, false, &integer) ||
       integer.magnitude > (integer.is_negative ? least : UINT32_MAX))
      return false;
   words[0] = (uint32_t)bits_of(integer);
   return true;
}

static bool
read_uint64(struct tg_parser *parser, struct tg_word literal, uint32_t *words)
{
   struct integer integer;

   (void)parser;
   if (!read_integer(literal, true, &integer))
      return false;
   split(bits_of(integer), words);
   return true;
}

static bool
read_int64(struct tg_parser *parser, struct tg_word literal, uint32_t *words)
{
   const uint64_t least = (uint64_t)1 << 63;
   struct integer integer;

   (void)parser;
   if (!read_integer(literal, true, &integer) ||
       integer.magnitude > (integer.is_negative ? least : UINT64_MAX))
      return false;
   split(bits_of(integer), words);
   return true;
}

static const struct {
   read_function *read;
   const char *range; /* for the note under a bad number */
} types[TG_NUM_IMM_TYPES] = {
   [TG_IMM_TYPE_FLT32] = {read_flt32, "it is like -1.5e3, inf, nan or, as "
                                      "the bits of a float, 0x3f800000"},
   [TG_IMM_TYPE_UINT32] = {read_uint32, "it is 0 to 4294967295"},
   [TG_IMM_TYPE_INT32] = {read_int32, "it is -2147483648 to 2147483647"},
   [TG_IMM_TYPE_FLT64] = {read_flt64, "it is like -1.5e3, inf or nan"},
   [TG_IMM_TYPE_UINT64] = {read_uint64, "it is 0 to 18446744073709551615"},
   [TG_IMM_TYPE_INT64] = {read_int64, "it is -9223372036854775808 to "
                                      "9223372036854775807"},
};

/* ---- the immediate ------------------------------------------------------- */

struct values {
   struct tg_word literals[MAX_VALUES];
   unsigned count;
};

/* Mesa writes `{}` for tokens without a word; its values are zero. */
static bool
parse_values(struct tg_parser *parser, const char *opening,
             struct values *values)
{
   struct tg_lexer *lexer = &parser->lexer;

   values->count = 0;
   if (!tg_parse_char(parser, '{', opening))
      return false;
   if (tg_lexer_accept(lexer, '}'))
      return true;
   do {
      if (values->count == MAX_VALUES)
         return tg_parse_expected(parser, "'}' after four values");
      struct tg_word literal = tg_lexer_literal(lexer);
      if (!literal.length)
         return tg_parse_expected(parser, "a number");
      values->literals[values->count++] = literal;
   } while (tg_lexer_accept(lexer, ','));
   return tg_parse_char(parser, '}', "',' or '}'");
}

/* virglrenderer's guests write doubles as four words. */
static bool
are_words_of_doubles(const struct values *values)
{
   if (values->count != MAX_VALUES)
      return false;
   for (unsigned i = 0; i < values->count; i++) {
      if (!is_bit_pattern(values->literals[i]))
         return false;
   }
   return true;
}

static bool
read_values(struct tg_parser *parser, const struct values *values,
            enum tg_imm_type type, uint32_t words[4])
{
   unsigned words_each = tg_imm_type_words(type);
   read_function *read = types[type].read;

   if (type == TG_IMM_TYPE_FLT64 && are_words_of_doubles(values)) {
      words_each = 1;
      read = read_flt32;
   }
   if (values->count * words_each > 4)
      return tg_parse_error(parser, values->literals[2].position,
                            "too-many-values", NULL,
                            "an immediate has at most two values of type %s",
                            tg_imm_type_names[type]);
   for (unsigned i = 0; i < values->count; i++) {
      struct tg_word literal = values->literals[i];

      if (!read(parser, literal, words + i * words_each))
         return tg_parse_error(
            parser, literal.position, "bad-number", types[type].range,
            "'%.*s' is not a number of type %s", tg_lexer_word_shown(literal),
            literal.text, tg_imm_type_names[type]);
   }
   return true;
}

/* `[n]`, which may be left out, and must be the next number. */
static bool
parse_immediate_index(struct tg_parser *parser)
{
   uint32_t next = parser->num_immediates++;
   int64_t index;

   if (!tg_lexer_accept(&parser->lexer, '['))
      return true;
   struct tg_position position = tg_lexer_peek_word(&parser->lexer).position;
   if (!tg_parse_number(parser, "immediate's index", 0, UINT16_MAX, &index) ||
       !tg_parse_char(parser, ']', "']' after the index"))
      return false;
   if (index == next)
      return true;
   return tg_parse_error(parser, position, "unsorted-immediate",
                         "immediates are numbered from 0 on, in order",
                         "this is IMM[%u], not IMM[%lld]", next,
                         (long long)index);
}

bool
tg_parse_immediate(struct tg_parser *parser, struct tg_word word)
{
   struct tg_immediate made = {.position = word.position, .num_words = 4};
   struct values values;
   unsigned type;

   if (!parse_immediate_index(parser) ||
       !tg_parse_word(parser, &tg_vocabulary_imm_types, &type) ||
       !parse_values(parser, "'{' after the type", &values) ||
       !read_values(parser, &values, (enum tg_imm_type)type, made.words))
      return false;
   made.type = (uint8_t)type;

   struct tg_immediate *added = tg_shader_add_immediate(parser->shader);
   if (!added)
      return tg_parse_no_room(parser, word.position,
                              parser->shader->num_immediates, TG_MAX_IMMEDIATES,
                              "immediates");
   *added = made;
   return true;
}

/* ---- immediate arrays ---------------------------------------------------- */

static bool
parse_element(struct tg_parser *parser, struct tg_position position)
{
   struct tg_element made = {{0}};
   struct values values;

   if (!parse_values(parser, "'{' before the values of a register", &values) ||
       !read_values(parser, &values, TG_IMM_TYPE_FLT32, made.words))
      return false;

   struct tg_element *added = tg_shader_add_element(parser->shader);
   if (!added)
      return tg_parse_no_room(parser, position, parser->shader->num_elements,
                              TG_MAX_ELEMENTS, "registers of IMMX");
   *added = made;
   return true;
}

/* Mesa's text has commas between the registers, and its dumps have none. */
bool
tg_parse_elements(struct tg_parser *parser, struct tg_declaration *declaration)
{
   struct tg_lexer *lexer = &parser->lexer;
   const struct tg_position position = declaration->position;
   uint32_t num_registers = declaration->first <= declaration->last
                               ? declaration->last - declaration->first + 1u
                               : 0;

   declaration->first_element = parser->shader->num_elements;
   if (!tg_parse_char(parser, '{', "'{' before the values of IMMX"))
      return false;
   do {
      if (!parse_element(parser, position))
         return false;
      tg_lexer_accept(lexer, ',');
   } while (tg_lexer_peek(lexer) == '{');
   if (!tg_parse_char(parser, '}', "',' or '}' after the values of a register"))
      return false;

   uint32_t count = parser->shader->num_elements - declaration->first_element;
   if (count == num_registers)
      return true;
   return tg_parse_error(parser, position, "array-values",
                         "a declaration of IMMX gives values to each register",
                         "expected values for %u register%s of IMMX, found %u",
                         (unsigned)num_registers, num_registers == 1 ? "" : "s",
                         (unsigned)count);
}
