/* SPDX-License-Identifier: MIT
 *
 * Values and registers as tests and command lines write them.
 *
 *   0x3f800000   the bits of a word
 *   1.5 -2e3 inf nan   a float, correctly rounded
 *   5 -5         digits alone: bits of an integer, or a float, as the reader
 *                asks for
 *   i:-5 u:5 f:5 the type said
 *   d:1.5        a double, l:-5 ul:5 integers of 64 bits: two words, low first
 *   sampler:3 image:0  bindless handles: two words
 */
#ifndef TG_SCRIPT_TEXT_VALUES_H
#define TG_SCRIPT_TEXT_VALUES_H

#include "script/text/cursor.h"
#include "util/strbuf.h"

/* What a word was written as, which decides how it is compared and shown. */
enum script_kind {
   SCRIPT_BITS,
   SCRIPT_FLOAT,
   SCRIPT_DOUBLE, /* the low word; a SCRIPT_HIGH follows */
   SCRIPT_INT64,  /* the same */
   SCRIPT_HIGH,
};

/* What digits without a point or prefix are. */
enum script_plain {
   SCRIPT_PLAIN_INTEGER,
   SCRIPT_PLAIN_FLOAT,
};

enum { SCRIPT_MAX_WORDS = 4 };

struct script_values {
   uint32_t words[SCRIPT_MAX_WORDS];
   uint8_t kinds[SCRIPT_MAX_WORDS]; /* enum script_kind */
   unsigned count;                  /* of words */
};

/* Reads one value and appends its words. */
bool
script_read_value(struct script_cursor *cursor, enum script_plain plain,
                  struct script_values *values);

/* Reads values with commas between them that make `num_words` words. */
bool
script_read_values(struct script_cursor *cursor, enum script_plain plain,
                   unsigned num_words, struct script_values *values);

/* Reads values of one word each, perhaps with commas between them. */
bool
script_read_word_values(struct script_cursor *cursor, enum script_plain plain,
                        unsigned num_words, uint32_t *words);

/* Reads a float or integer as a double, for tolerances and colours; or as the
 * bits of a float. */
bool
script_read_double_value(struct script_cursor *cursor, const char *what,
                         double *value_out);
bool
script_read_float_value(struct script_cursor *cursor, const char *what,
                        uint32_t *bits_out);

/* Reads several, perhaps with commas between them. */
bool
script_read_double_values(struct script_cursor *cursor, unsigned count,
                          double *values);

/* A float so that it reads back as the same word: "2.0", "nan", or its bits
 * where the float is denormal or a NaN of an odd kind. */
void
script_format_float_value(struct tg_strbuf *out, uint32_t word);

/* Words in the manner of their kinds, with commas between them. */
void
script_format_values(struct tg_strbuf *out, const uint32_t *words,
                     const uint8_t *kinds, unsigned count);

/* ---- data ---------------------------------------------------------------- */

/* A type of what lies in buffers: f32, i32, u32, hex and so on. */
struct script_type;

/* The type that the next word names, which is stepped over; NULL when it is
 * none. */
const struct script_type *
script_accept_value_type(struct script_cursor *cursor);

/* Complains that a type was expected, and lists them. */
bool
script_complain_of_value_type(struct script_cursor *cursor);

/* Bytes of a value: 1, 2, 4 or 8. */
unsigned
script_value_type_size(const struct script_type *type);

bool
script_value_type_is_float(const struct script_type *type);

/* Reads a value and appends its word or two. */
bool
script_read_typed_value(struct script_cursor *cursor,
                        const struct script_type *type,
                        struct script_values *values);

/* One value, as it is written. */
void
script_format_typed_value(struct tg_strbuf *out, const struct script_type *type,
                          const uint32_t *words);

/* ---- registers ----------------------------------------------------------- */

enum script_file {
   SCRIPT_IN,
   SCRIPT_SV,
   SCRIPT_CONST,
   SCRIPT_OUT,
   SCRIPT_NUM_FILES,
};

enum { SCRIPT_ALL_LANES = -1 };

struct script_register {
   enum script_file file;
   bool has_dimension;
   uint32_t dimension; /* 0 when it has none */
   uint32_t index;
};

/* IN[0], IN[2][0], SV[1], CONST[3], CONST[1][3], OUT[0] */
bool
script_read_register(struct script_cursor *cursor,
                     struct script_register *reg_out);

/* Reads `lane 2` or `lane2` if it comes next; SCRIPT_ALL_LANES if nothing is
 * there. */
bool
script_read_register_lane(struct script_cursor *cursor, int *lane_out);

void
script_format_register(struct tg_strbuf *out,
                       const struct script_register *reg);

#endif
