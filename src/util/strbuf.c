/* SPDX-License-Identifier: MIT
 *
 * String builders, for printers.
 */
#include "util/strbuf.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "util/block.h"
#include "util/checked.h"

void
tg_strbuf_finish(struct tg_strbuf *buf)
{
   tg_block_free(buf->data);
   *buf = (struct tg_strbuf){.allocator = buf->allocator};
}

static bool
reserve(struct tg_strbuf *buf, size_t more)
{
   size_t need;

   if (buf->failed)
      return false;
   if (!tg_add_size(buf->length, more, &need) || !tg_add_size(need, 1, &need))
      goto fail;
   if (need <= buf->capacity)
      return true;

   size_t capacity = buf->capacity ? buf->capacity : 64;
   while (capacity < need) {
      if (!tg_mul_size(capacity, 2, &capacity))
         goto fail;
   }
   char *data = tg_block_resize(buf->allocator, buf->data, capacity);
   if (!data)
      goto fail;
   buf->data = data;
   buf->capacity = capacity;
   return true;

fail:
   buf->failed = true;
   return false;
}

void
tg_strbuf_add_n(struct tg_strbuf *buf, const char *text, size_t length)
{
   if (!reserve(buf, length))
      return;
   memcpy(buf->data + buf->length, text, length);
   buf->length += length;
   buf->data[buf->length] = '\0';
}

void
tg_strbuf_add(struct tg_strbuf *buf, const char *text)
{
   tg_strbuf_add_n(buf, text, strlen(text));
}

void
tg_strbuf_add_char(struct tg_strbuf *buf, char c)
{
   tg_strbuf_add_n(buf, &c, 1);
}

void
tg_strbuf_add_foreign(struct tg_strbuf *buf, const char *text, size_t length,
                      enum tg_controls kept)
{
   const size_t count = strnlen(text, length);

   tg_strbuf_add_n(buf, text, count);
   if (!buf->failed)
      tg_hide_controls(buf->data + buf->length - count, count, kept);
}

void
tg_strbuf_vprintf(struct tg_strbuf *buf, const char *format, va_list args)
{
   va_list again;

   va_copy(again, args);
   int length = vsnprintf(NULL, 0, format, again);
   va_end(again);
   if (length < 0) {
      buf->failed = true;
      return;
   }
   if (!reserve(buf, (size_t)length))
      return;
   vsnprintf(buf->data + buf->length, (size_t)length + 1, format, args);
   buf->length += (size_t)length;
}

void
tg_strbuf_printf(struct tg_strbuf *buf, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   tg_strbuf_vprintf(buf, format, args);
   va_end(args);
}

/* printf() asks the thread's locale for the point. */
void
tg_strbuf_double(struct tg_strbuf *buf, const char *format, double value)
{
   locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);

   if (!c_locale) {
      buf->failed = true;
      return;
   }
   locale_t users = uselocale(c_locale);
   tg_strbuf_printf(buf, format, value);
   uselocale(users);
   freelocale(c_locale);
}

char *
tg_strbuf_take(struct tg_strbuf *buf)
{
   char *data = NULL;

   if (!buf->failed && reserve(buf, 0)) {
      data = buf->data;
      data[buf->length] = '\0';
      buf->data = NULL;
   }
   tg_strbuf_finish(buf);
   return data;
}

void
tg_string_free(char *string)
{
   tg_block_free(string);
}
