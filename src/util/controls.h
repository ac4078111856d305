/* SPDX-License-Identifier: MIT
 *
 * Control characters in text from outside, which a terminal would obey if it
 * was shown them: C0 and DEL, and C1 as UTF-8 has them.
 */
#ifndef TG_UTIL_CONTROLS_H
#define TG_UTIL_CONTROLS_H

#include <stddef.h>

/* Each of their bytes becomes '?', but for ends of lines and tabs in text of
 * lines. */
enum tg_controls { TG_CONTROLS_NONE, TG_CONTROLS_OF_LINES };

static inline void
tg_hide_controls(char *text, size_t length, enum tg_controls kept)
{
   for (size_t i = 0; i < length; i++) {
      const unsigned char c = (unsigned char)text[i];
      const unsigned char next =
         i + 1 < length ? (unsigned char)text[i + 1] : 0;

      if (kept == TG_CONTROLS_OF_LINES && (c == '\n' || c == '\t'))
         continue;
      if (c == 0xc2 && next >= 0x80 && next < 0xa0)
         text[i] = text[i + 1] = '?';
      else if (c < ' ' || c == 0x7f)
         text[i] = '?';
   }
}

#endif
