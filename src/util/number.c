/* SPDX-License-Identifier: MIT
 *
 * Parsing of unsigned numbers, bounded.
 */
#include "util/number.h"

#include "util/ascii.h"

unsigned
tg_digit(char c)
{
   if (c >= '0' && c <= '9')
      return (unsigned)(c - '0');
   c = tg_ascii_lower(c);
   return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

enum tg_number
tg_number_of_digits(const char *text, size_t length, unsigned base,
                    uint64_t *number_out)
{
   enum tg_number result = length ? TG_NUMBER_GOOD : TG_NUMBER_NONE;
   uint64_t number = 0;

   for (size_t i = 0; i < length; i++) {
      unsigned digit = tg_digit(text[i]);

      if (digit >= base)
         return TG_NUMBER_NONE;
      if (__builtin_mul_overflow(number, (uint64_t)base, &number) ||
          __builtin_add_overflow(number, (uint64_t)digit, &number))
         result = TG_NUMBER_TOO_LARGE;
   }
   if (result == TG_NUMBER_GOOD)
      *number_out = number;
   return result;
}

enum tg_number
tg_number_read(const char *text, size_t length, uint64_t *number_out)
{
   if (length > 2 && text[0] == '0' && tg_ascii_lower(text[1]) == 'x')
      return tg_number_of_digits(text + 2, length - 2, 16, number_out);
   return tg_number_of_digits(text, length, 10, number_out);
}
