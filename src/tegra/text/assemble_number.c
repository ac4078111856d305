/* SPDX-License-Identifier: MIT
 *
 * Parsing of numbers: decimal, or hexadecimal after 0x.
 */
#include "tegra/text/assemble.h"

#include <stdio.h>

#include "util/number.h"

/* Are these digits and nothing else? */
static bool
is_number(struct tg_word word)
{
   uint64_t number;

   return tg_number_read(word.text, word.length, &number) != TG_NUMBER_NONE;
}

bool
assemble_read_number(struct tg_word word, uint32_t *number_out)
{
   uint64_t number;

   if (tg_number_read(word.text, word.length, &number) != TG_NUMBER_GOOD ||
       number > UINT32_MAX)
      return false;
   *number_out = (uint32_t)number;
   return true;
}

bool
assemble_number(struct assembler *as, const char *what, uint32_t most,
                uint32_t *number_out)
{
   struct tg_word word = tg_lexer_peek_word(&as->lexer);
   uint32_t number = 0;

   if (!word.length || word.text[0] < '0' || word.text[0] > '9')
      return assemble_expected(as, "a number");
   if (!is_number(word))
      return assemble_error(as, word.position, "number",
                            "numbers are decimal, or hexadecimal after 0x",
                            "'%.*s' is not a number", tg_lexer_word_shown(word),
                            word.text);
   if (assemble_read_number(word, &number) && number <= most) {
      tg_lexer_word(&as->lexer);
      *number_out = number;
      return true;
   }

   char note[64];
   snprintf(note, sizeof(note), "it is at most %u", most);
   return assemble_error(as, word.position, "out-of-range", note,
                         "%s %.*s is out of range", what,
                         tg_lexer_word_shown(word), word.text);
}

/* Eight hexadecimal digits, as words stand in listings. */
static bool
is_bare_hexadecimal(struct tg_word word)
{
   uint64_t number;

   return word.length == 8 &&
          tg_number_of_digits(word.text, 8, 16, &number) == TG_NUMBER_GOOD;
}

bool
assemble_word(struct assembler *as, uint32_t *word_out)
{
   static const char note[] = "write 0x before hexadecimal digits";
   struct tg_word word = tg_lexer_peek_word(&as->lexer);

   if (is_bare_hexadecimal(word) && !is_number(word))
      return assemble_error(as, word.position, "number", note,
                            "'%.*s' is not a number", tg_lexer_word_shown(word),
                            word.text);
   if (!assemble_number(as, "word", UINT32_MAX, word_out))
      return false;
   if (is_bare_hexadecimal(word) && *word_out > 9)
      assemble_warning(as, word.position, "decimal-word", note,
                       "%.*s is a decimal number here",
                       tg_lexer_word_shown(word), word.text);
   return true;
}
