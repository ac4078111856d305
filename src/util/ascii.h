/* SPDX-License-Identifier: MIT
 *
 * ASCII character classes and comparison, for the languages that are read here.
 * What <ctype.h> and <strings.h> say depends on the locale of the program
 * around: in a Turkish one `i` and `I` are two letters.
 */
#ifndef TG_UTIL_ASCII_H
#define TG_UTIL_ASCII_H

#include <stdbool.h>
#include <stddef.h>

/* Lower case, whatever the locale is. */
static inline char
tg_ascii_lower(char c)
{
   return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Has a glyph, or is a space. */
static inline bool
tg_ascii_is_printable(char c)
{
   return c >= ' ' && c <= '~';
}

/* Like strncasecmp(), whatever the locale is. */
static inline int
tg_ascii_compare(const char *a, const char *b, size_t length)
{
   for (size_t i = 0; i < length; i++) {
      int order = (unsigned char)tg_ascii_lower(a[i]) -
                  (unsigned char)tg_ascii_lower(b[i]);

      if (order || !a[i])
         return order;
   }
   return 0;
}

#endif
