/* SPDX-License-Identifier: MIT
 *
 * Declarations before the instructions: names of registers, and values of
 * constants.
 */
#include "tegra/text/assemble.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/ascii.h"
#include "util/bits.h"
#include "util/length.h"

enum {
   MAX_NAME = 253,  /* bytes, as grate's tools have it */
   MAX_VALUE = 511, /* characters of a number */
};

/* `[index]`, which is below `count`. */
static bool
parse_index(struct assembler *as, uint32_t count, uint32_t *index_out)
{
   return assemble_char(as, '[', "'['") &&
          assemble_number(as, "index", count - 1, index_out) &&
          assemble_char(as, ']', "']' after the index");
}

/* A string in quotes, all on a line. */
static bool
parse_string(struct assembler *as, const char **name_out)
{
   struct tg_lexer *lexer = &as->lexer;

   if (!assemble_char(as, '"', "a name in quotes"))
      return false;

   const char *start = lexer->here.at, *at = start;
   struct tg_position position = tg_lexer_position(lexer, lexer->here);
   while (at < lexer->end && *at != '"' && tg_ascii_is_printable(*at))
      at++;
   size_t length = (size_t)(at - start);
   if (at == lexer->end || *at == '\n' || *at == '\r')
      return assemble_error(as, position, "open-string", "it ends with a quote",
                            "this name does not end in its line");
   lexer->here.at = at;
   if (*at != '"')
      return assemble_error(
         as, tg_lexer_position(lexer, lexer->here), "bad-byte",
         "a name consists of printable ASCII characters",
         "byte 0x%02x cannot stand in a name", (unsigned)(unsigned char)*at);
   tg_lexer_accept(lexer, '"');
   if (length > MAX_NAME)
      return assemble_error(as, position, "long-name", NULL,
                            "a name has at most %d bytes, and this one %zu",
                            MAX_NAME, length);
   *name_out = tg_arena_strndup(&as->program->arena, start, length);
   if (!*name_out)
      as->failure = TG_ERROR_MEMORY;
   return *name_out != NULL;
}

bool
assemble_name_declaration(struct assembler *as, enum tg_tegra_name kind)
{
   static const char *const files[] = {"a", "export", "c"};
   struct tg_position position = tg_lexer_position(&as->lexer, as->lexer.here);
   const char *name = NULL;
   uint32_t index = 0;

   if (!parse_index(as, tegra_program_num_names(kind), &index) ||
       !assemble_char(as, '=', "'=' and a name") || !parse_string(as, &name) ||
       !assemble_char(as, ';', "';' after the name"))
      return false;
   assert(kind < TG_LENGTH(as->program->names));
   if (as->program->names[kind][index])
      return assemble_error(as, position, "named-twice",
                            "a register has one name",
                            "%s[%u] has the name \"%s\" already", files[kind],
                            index, as->program->names[kind][index]);
   as->program->names[kind][index] = name;
   return true;
}

/* ---- constants ----------------------------------------------------------- */

/* A number without what only floats have: the bits of the word. */
static bool
read_bits(struct assembler *as, struct tg_word word, uint32_t *bits_out)
{
   if (!assemble_read_number(word, bits_out))
      return assemble_error(as, word.position, "constant",
                            "bits are written as 7 or 0x40e00000, floats as "
                            "7.0",
                            "'%.*s' is not a number of 32 bits",
                            tg_lexer_word_shown(word), word.text);
   if (*bits_out && (word.length < 2 || (word.text[1] | 0x20) != 'x'))
      assemble_warning(as, word.position, "integer-constant",
                       "a float has a point; bits are clearer in hexadecimal",
                       "%.*s is the word 0x%08x and not that float",
                       tg_lexer_word_shown(word), word.text, *bits_out);
   return true;
}

static bool
read_float(struct assembler *as, struct tg_word word, uint32_t *bits_out)
{
   char buffer[MAX_VALUE + 1];
   char *end = buffer;
   float value = 0;

   if (word.length <= MAX_VALUE) {
      memcpy(buffer, word.text, word.length);
      buffer[word.length] = '\0';
      /* Neither names of values nor hexadecimal floats, which strtof() takes,
       * nor an integer with a sign, which is none of grate's. */
      if (!buffer[strspn(buffer, "0123456789.eE+-")] && strpbrk(buffer, ".eE"))
         value = strtof_l(buffer, &end, as->c_locale);
   }
   if (end == buffer || *end)
      return assemble_error(as, word.position, "constant",
                            "write 1.5, -2.0e-3 or the bits as 0x3fc00000",
                            "'%.*s' is not a value", tg_lexer_word_shown(word),
                            word.text);
   if (isinf(value))
      return assemble_error(as, word.position, "float-overflow",
                            "infinity is 0x7f800000, or 0xff800000 below 0",
                            "%.*s is too large for a float",
                            tg_lexer_word_shown(word), word.text);
   *bits_out = tg_bits_of_float(value);
   return true;
}

static bool
is_integer(struct tg_word word)
{
   bool is_hex = word.length > 1 && (word.text[1] | 0x20) == 'x';

   for (size_t i = 0; i < word.length; i++) {
      char c = tg_ascii_lower(word.text[i]);

      if (strchr(".+-", c) || (c == 'e' && !is_hex))
         return false;
   }
   return word.text[0] >= '0' && word.text[0] <= '9';
}

static bool
parse_value(struct assembler *as, uint32_t *bits_out)
{
   struct tg_word word = tg_lexer_literal(&as->lexer);

   if (!word.length)
      return assemble_expected(as, "a value");
   if (is_integer(word))
      return read_bits(as, word, bits_out);
   return read_float(as, word, bits_out);
}

bool
assemble_constant_declaration(struct assembler *as)
{
   struct tg_tegra_program *program = as->program;
   struct tg_position position = tg_lexer_position(&as->lexer, as->lexer.here);
   uint32_t index = 0, bits = 0;

   if (!parse_index(as, TG_TEGRA_NUM_CONSTANTS, &index) ||
       !assemble_char(as, '.', "'.' and a component"))
      return false;

   struct tg_word word = tg_lexer_peek_word(&as->lexer);
   int component = word.length == 1 ? assemble_component(word.text[0]) : -1;
   if (component < 0)
      return assemble_expected(as, "x, y, z or w");
   tg_lexer_word(&as->lexer);
   if (!assemble_char(as, '=', "'=' and a value") || !parse_value(as, &bits) ||
       !assemble_char(as, ';', "';' after the value"))
      return false;
   if (program->constant_masks[index] >> component & 1)
      return assemble_error(
         as, position, "given-twice", "a component has one value",
         "c[%u].%c has the value 0x%08x already", index, "xyzw"[component],
         program -> constants[index][component]);
   program->constants[index][component] = bits;
   program->constant_masks[index] |= (uint8_t)(1u << component);
   return true;
}
