/* SPDX-License-Identifier: MIT
 *
 * Parsing and printing of numbers and registers.
 */
#include "script/text/values.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tungsten/resource.h"
#include "tungsten/run.h"
#include "util/length.h"

enum { MAX_NUMBER = 127 };

/* ---- the shape of a number ----------------------------------------------- */

static const char *
skip_digits(const char *c)
{
   while (isdigit((unsigned char)*c))
      c++;
   return c;
}

static bool
is_integer(const char *text)
{
   text += *text == '-' || *text == '+';
   return *text && !*skip_digits(text);
}

static bool
is_hex(const char *text)
{
   return text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && text[2] &&
          !text[2 + strspn(text + 2, "0123456789abcdefABCDEF")];
}

/* inf, -inf, nan: of floats that no digits give. */
static bool
is_named_float(const char *text)
{
   text += *text == '-' || *text == '+';
   return strcmp(text, "inf") == 0 || strcmp(text, "nan") == 0;
}

/* strtod() would also take "infinity", leading space, and hexadecimal floats
 * without an exponent, which are the bits of a word here. */
static bool
is_float(const char *text)
{
   if (is_named_float(text))
      return true;
   text += *text == '-' || *text == '+';

   const bool is_hex_float = text[0] == '0' && tolower(text[1]) == 'x';
   const char *digits = is_hex_float ? "0123456789abcdefABCDEF" : "0123456789";
   text += is_hex_float ? 2 : 0;
   size_t num_digits = strspn(text, digits);
   text += num_digits;
   if (*text == '.') {
      const size_t fraction = strspn(++text, digits);

      num_digits += fraction;
      text += fraction;
   }
   if (!num_digits)
      return false;
   if (tolower(*text) != (is_hex_float ? 'p' : 'e'))
      return !*text && !is_hex_float;
   return is_integer(text + 1);
}

/* ---- bits of a number ---------------------------------------------------- */

static uint32_t
float_bits(const char *text)
{
   float value = strtof(text, NULL);
   uint32_t bits;

   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

static uint64_t
double_bits(const char *text)
{
   double value = strtod(text, NULL);
   uint64_t bits;

   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

/* The magnitude and sign of an integer, decimal or hexadecimal. False when it
 * is none or does not fit between `least` and `greatest`. */
static bool
integer_bits(const char *text, uint64_t least_negated, uint64_t greatest,
             uint64_t *bits_out)
{
   bool negative = *text == '-';
   uint64_t magnitude = 0;
   unsigned base = is_hex(text) ? 16 : 10;

   if (base == 10 && !is_integer(text))
      return false;
   text += base == 16 ? 2 : !isdigit((unsigned char)*text);
   for (; *text; text++) {
      unsigned digit =
         isdigit((unsigned char)*text)
            ? (unsigned)(*text - '0')
            : (unsigned)(tolower((unsigned char)*text) - 'a') + 10;

      if (__builtin_mul_overflow(magnitude, base, &magnitude) ||
          __builtin_add_overflow(magnitude, digit, &magnitude))
         return false;
   }
   if (magnitude > (negative ? least_negated : greatest))
      return false;
   *bits_out = negative ? -magnitude : magnitude;
   return true;
}

/* ---- types of values ----------------------------------------------------- */

/* Numbers are not rounded to infinity; those too small become 0. */
static bool
parse_float(const char *text, uint64_t *bits_out)
{
   *bits_out = float_bits(text);
   return is_float(text) &&
          (is_named_float(text) || isfinite(strtof(text, NULL)));
}

static bool
parse_double(const char *text, uint64_t *bits_out)
{
   *bits_out = double_bits(text);
   return is_float(text) &&
          (is_named_float(text) || isfinite(strtod(text, NULL)));
}

static bool
parse_bits(const char *text, uint64_t *bits_out)
{
   return is_hex(text) && integer_bits(text, 0, UINT32_MAX, bits_out);
}

static bool
parse_int(const char *text, uint64_t *bits_out)
{
   return integer_bits(text, UINT64_C(1) << 31, INT32_MAX, bits_out);
}

static bool
parse_uint(const char *text, uint64_t *bits_out)
{
   return integer_bits(text, 0, UINT32_MAX, bits_out);
}

/* Digits alone may be either. */
static bool
parse_any_int(const char *text, uint64_t *bits_out)
{
   return parse_int(text, bits_out) || parse_uint(text, bits_out);
}

static bool
parse_int64(const char *text, uint64_t *bits_out)
{
   return integer_bits(text, UINT64_C(1) << 63, INT64_MAX, bits_out);
}

static bool
parse_uint64(const char *text, uint64_t *bits_out)
{
   return integer_bits(text, 0, UINT64_MAX, bits_out);
}

/* A word in hexadecimal, without 0x. */
static bool
parse_hex_word(const char *text, uint64_t *bits_out)
{
   const struct script_word word = {text, strlen(text)};
   uint32_t number;

   if (!cursor_word_to_hex(word, &number))
      return false;
   *bits_out = number;
   return true;
}

static bool
parse_uint8(const char *text, uint64_t *bits_out)
{
   return integer_bits(text, 0, UINT8_MAX, bits_out);
}

static bool
parse_uint16(const char *text, uint64_t *bits_out)
{
   return integer_bits(text, 0, UINT16_MAX, bits_out);
}

static bool
parse_sampler(const char *text, uint64_t *bits_out)
{
   uint64_t place;

   if (!integer_bits(text, 0, TG_MAX_SAMPLERS - 1, &place))
      return false;
   *bits_out = tg_sampler_handle((unsigned)place);
   return true;
}

static bool
parse_image(const char *text, uint64_t *bits_out)
{
   uint64_t place;

   if (!integer_bits(text, 0, TG_MAX_IMAGES - 1, &place))
      return false;
   *bits_out = tg_image_handle((unsigned)place);
   return true;
}

struct type {
   const char *prefix;
   const char *title;
   bool (*parse)(const char *text, uint64_t *bits_out);
   enum script_kind kind;
};

static const struct type prefixed_types[] = {
   {"f:", "a float", parse_float, SCRIPT_FLOAT},
   {"i:", "an integer of 32 bits", parse_int, SCRIPT_BITS},
   {"u:", "an unsigned integer of 32 bits", parse_uint, SCRIPT_BITS},
   {"d:", "a double", parse_double, SCRIPT_DOUBLE},
   {"l:", "an integer of 64 bits", parse_int64, SCRIPT_INT64},
   {"ul:", "an unsigned integer of 64 bits", parse_uint64, SCRIPT_INT64},
   {"sampler:", "a sampler's number", parse_sampler, SCRIPT_INT64},
   {"image:", "an image's number", parse_image, SCRIPT_INT64},
};
static const struct type bits_type = {"", "the bits of a word", parse_bits,
                                      SCRIPT_BITS};
static const struct type float_type = {"", "a float", parse_float,
                                       SCRIPT_FLOAT};
static const struct type integer_type = {"", "an integer of 32 bits",
                                         parse_any_int, SCRIPT_BITS};

static const struct type *
type_of(const char *text, enum script_plain plain)
{
   for (size_t i = 0; i < sizeof(prefixed_types) / sizeof(*prefixed_types);
        i++) {
      const struct type *type = &prefixed_types[i];

      if (strncmp(text, type->prefix, strlen(type->prefix)) == 0)
         return type;
   }
   if (is_hex(text))
      return &bits_type;
   if (is_integer(text) && plain == SCRIPT_PLAIN_INTEGER)
      return &integer_type;
   return &float_type;
}

/* ---- readers ------------------------------------------------------------- */

/* Copies the next word, which must be short, without stepping over it. */
static bool
copy_word(struct script_cursor *cursor, const char *what,
          char text[MAX_NUMBER + 1], size_t *length_out)
{
   struct script_word word = cursor_peek_word(cursor);

   if (!word.length)
      return cursor_complain(cursor, "expected %s", what);
   if (word.length > MAX_NUMBER)
      return cursor_complain(cursor, "%s has no more than %d characters", what,
                             MAX_NUMBER);
   memcpy(text, word.text, word.length);
   text[word.length] = '\0';
   *length_out = word.length;
   return true;
}

static void
append(struct script_values *values, uint32_t word, enum script_kind kind)
{
   assert(values->count < TG_LENGTH(values->words));
   values->words[values->count] = word;
   values->kinds[values->count] = (uint8_t)kind;
   values->count++;
}

/* What a text with a type's prefix, if any, or the number after it is not. */
static bool
complain_of_number(struct script_cursor *cursor, const char *text,
                   const char *number, const struct type *type)
{
   const bool is_float_type =
      type->kind == SCRIPT_FLOAT || type->kind == SCRIPT_DOUBLE;

   return cursor_complain(cursor,
                          is_float_type && is_float(number)
                             ? "'%s' is too large for %s"
                             : "'%s' is not %s",
                          text, type->title);
}

/* Appends what a text means as a type; the cursor stands before the word. */
static bool
append_value(struct script_cursor *cursor, const char *text, size_t length,
             const struct type *type, struct script_values *values)
{
   uint64_t bits;
   const char *number = text + strlen(type->prefix);
   if (!type->parse(number, &bits))
      return complain_of_number(cursor, text, number, type);

   bool is_wide = type->kind == SCRIPT_DOUBLE || type->kind == SCRIPT_INT64;
   if (values->count + is_wide >= SCRIPT_MAX_WORDS)
      return cursor_complain(cursor, "this value is beyond the fourth word");
   append(values, (uint32_t)bits, type->kind);
   if (is_wide)
      append(values, (uint32_t)(bits >> 32), SCRIPT_HIGH);
   cursor->at += length;
   return true;
}

bool
script_read_value(struct script_cursor *cursor, enum script_plain plain,
                  struct script_values *values)
{
   char text[MAX_NUMBER + 1];
   size_t length;

   return copy_word(cursor, "a value", text, &length) &&
          append_value(cursor, text, length, type_of(text, plain), values);
}

bool
script_read_values(struct script_cursor *cursor, enum script_plain plain,
                   unsigned num_words, struct script_values *values)
{
   struct tg_position start = cursor_position(cursor);

   *values = (struct script_values){0};
   do {
      if (!script_read_value(cursor, plain, values))
         return false;
   } while (cursor_accept_char(cursor, ','));
   if (values->count == num_words)
      return true;
   tg_diagnose(cursor->diagnostics, TG_SEVERITY_ERROR, "test-file",
               cursor->source, start, NULL, "expected %u words, found %u",
               num_words, values->count);
   return false;
}

/* Reads a number that stands by itself as the bits of a type. */
static bool
read_plain(struct script_cursor *cursor, const char *what,
           const struct type *type, uint64_t *bits_out)
{
   char text[MAX_NUMBER + 1];
   size_t length;
   if (!copy_word(cursor, what, text, &length))
      return false;
   if (!is_float(text))
      return cursor_complain(cursor, "expected %s, found '%s'", what, text);
   if (!type->parse(text, bits_out))
      return complain_of_number(cursor, text, text, type);
   cursor->at += length;
   return true;
}

bool
script_read_double_value(struct script_cursor *cursor, const char *what,
                         double *value_out)
{
   static const struct type type = {"", "a double", parse_double,
                                    SCRIPT_DOUBLE};
   uint64_t bits;

   if (!read_plain(cursor, what, &type, &bits))
      return false;
   memcpy(value_out, &bits, sizeof(*value_out));
   return true;
}

bool
script_read_float_value(struct script_cursor *cursor, const char *what,
                        uint32_t *bits_out)
{
   uint64_t bits;

   if (!read_plain(cursor, what, &float_type, &bits))
      return false;
   *bits_out = (uint32_t)bits;
   return true;
}

bool
script_read_double_values(struct script_cursor *cursor, unsigned count,
                          double *values)
{
   for (unsigned i = 0; i < count; i++) {
      if (!script_read_double_value(cursor, "a number", &values[i]))
         return false;
      cursor_accept_char(cursor, ',');
   }
   return true;
}

bool
script_read_word_values(struct script_cursor *cursor, enum script_plain plain,
                        unsigned num_words, uint32_t *words)
{
   for (unsigned i = 0; i < num_words; i++) {
      struct script_values value = {0};

      if (!script_read_value(cursor, plain, &value))
         return false;
      if (value.count != 1)
         return cursor_complain(cursor, "expected values of one word");
      words[i] = value.words[0];
      cursor_accept_char(cursor, ',');
   }
   return true;
}

/* ---- printing ------------------------------------------------------------ */

void
script_format_float_value(struct tg_strbuf *out, uint32_t word)
{
   float value;
   memcpy(&value, &word, sizeof(value));

   int class = fpclassify(value);
   bool is_odd_nan = class == FP_NAN && word != 0x7fc00000;
   if (class == FP_SUBNORMAL || is_odd_nan) {
      tg_strbuf_printf(out, "0x%08x", word);
      return;
   }

   /* The fewest digits that read back as the same float. */
   char text[40];
   for (int digits = 6; digits <= 9; digits++) {
      snprintf(text, sizeof(text), "%.*g", digits, (double)value);
      if (float_bits(text) == word)
         break;
   }
   tg_strbuf_add(out, text);
   if (!text[strcspn(text, ".ein")])
      tg_strbuf_add(out, ".0");
}

/* One value of one or two words. */
static void
format_value(struct tg_strbuf *out, const uint32_t *words,
             enum script_kind kind)
{
   uint64_t wide = words[0];

   switch (kind) {
   case SCRIPT_BITS: tg_strbuf_printf(out, "0x%08x", words[0]); break;
   case SCRIPT_FLOAT: script_format_float_value(out, words[0]); break;
   case SCRIPT_DOUBLE: {
      double value;

      wide |= (uint64_t)words[1] << 32;
      memcpy(&value, &wide, sizeof(value));
      tg_strbuf_printf(out, "d:%.17g", value);
      break;
   }
   case SCRIPT_INT64:
      wide |= (uint64_t)words[1] << 32;
      tg_strbuf_printf(out, "l:%lld", (long long)wide);
      break;
   case SCRIPT_HIGH: break;
   }
}

void
script_format_values(struct tg_strbuf *out, const uint32_t *words,
                     const uint8_t *kinds, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (kinds[i] == SCRIPT_HIGH)
         continue;
      tg_strbuf_add(out, i ? ", " : "");
      format_value(out, words + i, (enum script_kind)kinds[i]);
   }
}

/* ---- data ---------------------------------------------------------------- */

enum form { FORM_OF_KIND, FORM_SIGNED, FORM_UNSIGNED, FORM_HEX };

struct script_type {
   const char *name;
   struct type type; /* without a prefix */
   uint8_t size;     /* bytes */
   uint8_t form;     /* enum form: how it is shown */
};

/* clang-format off */
static const struct script_type types[] = {
   {"f32", {"", "a float",                         parse_float,    SCRIPT_FLOAT},  4, FORM_OF_KIND},
   {"i32", {"", "an integer of 32 bits",           parse_int,      SCRIPT_BITS},   4, FORM_SIGNED},
   {"u32", {"", "an unsigned integer of 32 bits",  parse_uint,     SCRIPT_BITS},   4, FORM_UNSIGNED},
   {"hex", {"", "a word in hexadecimal",           parse_hex_word, SCRIPT_BITS},   4, FORM_HEX},
   {"u16", {"", "an unsigned integer of 16 bits",  parse_uint16,   SCRIPT_BITS},   2, FORM_UNSIGNED},
   {"u8",  {"", "an unsigned integer of 8 bits",   parse_uint8,    SCRIPT_BITS},   1, FORM_UNSIGNED},
   {"f64", {"", "a double",                        parse_double,   SCRIPT_DOUBLE}, 8, FORM_OF_KIND},
   {"i64", {"", "an integer of 64 bits",           parse_int64,    SCRIPT_INT64},  8, FORM_OF_KIND},
   {"u64", {"", "an unsigned integer of 64 bits",  parse_uint64,   SCRIPT_INT64},  8, FORM_OF_KIND},
};
/* clang-format on */

enum { NUM_TYPES = sizeof(types) / sizeof(*types) };

const struct script_type *
script_accept_value_type(struct script_cursor *cursor)
{
   for (size_t i = 0; i < NUM_TYPES; i++) {
      if (cursor_accept_words(cursor, types[i].name))
         return &types[i];
   }
   return NULL;
}

bool
script_complain_of_value_type(struct script_cursor *cursor)
{
   struct tg_strbuf list = {
      .allocator = tg_diagnostics_allocator(cursor->diagnostics),
   };

   for (size_t i = 0; i < NUM_TYPES; i++)
      tg_strbuf_printf(&list, "%s%s", i ? ", " : "", types[i].name);
   cursor_complain(cursor, "expected one of %s",
                   list.data ? list.data : "the types");
   tg_strbuf_finish(&list);
   return false;
}

unsigned
script_value_type_size(const struct script_type *type)
{
   return type->size;
}

bool
script_value_type_is_float(const struct script_type *type)
{
   return type->type.kind == SCRIPT_FLOAT || type->type.kind == SCRIPT_DOUBLE;
}

bool
script_read_typed_value(struct script_cursor *cursor,
                        const struct script_type *type,
                        struct script_values *values)
{
   char text[MAX_NUMBER + 1];
   size_t length;

   return copy_word(cursor, type->type.title, text, &length) &&
          append_value(cursor, text, length, &type->type, values);
}

void
script_format_typed_value(struct tg_strbuf *out, const struct script_type *type,
                          const uint32_t *words)
{
   switch ((enum form)type->form) {
   case FORM_OF_KIND: format_value(out, words, type->type.kind); break;
   case FORM_SIGNED: tg_strbuf_printf(out, "%d", (int)words[0]); break;
   case FORM_UNSIGNED: tg_strbuf_printf(out, "%u", words[0]); break;
   case FORM_HEX: tg_strbuf_printf(out, "%08x", words[0]); break;
   }
}
