/* SPDX-License-Identifier: MIT
 *
 * A string builder. After an allocation failed it swallows what is added, and
 * tg_strbuf_take() returns NULL: check once, at the end.
 */
#ifndef TG_UTIL_STRBUF_H
#define TG_UTIL_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "tungsten/base.h"
#include "util/controls.h"

struct tg_strbuf {
   const struct tg_allocator *allocator; /* NULL: the default */
   char *data; /* a block of util/block.h, NUL-terminated; or NULL */
   size_t length;
   size_t capacity;
   bool failed;
};

/* Frees what was not taken; the buffer is empty again, with the same allocator.
 * One that is all zero but for that is empty too, and needs no finish. */
void
tg_strbuf_finish(struct tg_strbuf *buf);

/* Each adds to the end: a string, `length` bytes, one, what printf() makes. */
void
tg_strbuf_add(struct tg_strbuf *buf, const char *text);

void
tg_strbuf_add_n(struct tg_strbuf *buf, const char *text, size_t length);

void
tg_strbuf_add_char(struct tg_strbuf *buf, char c);

void
tg_strbuf_printf(struct tg_strbuf *buf, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

void
tg_strbuf_vprintf(struct tg_strbuf *buf, const char *format, va_list args)
   __attribute__((format(printf, 2, 0)));

/* Text from outside, up to its first NUL or `length` bytes: see controls.h. */
void
tg_strbuf_add_foreign(struct tg_strbuf *buf, const char *text, size_t length,
                      enum tg_controls kept);

/* A number as printf() writes it with `format`, which has one conversion of a
 * double, but with a point whatever the locale says. */
void
tg_strbuf_double(struct tg_strbuf *buf, const char *format, double value);

/* The string, which the caller frees with tg_string_free(), or NULL when
 * memory ran out on the way. The buffer is empty again. */
char *
tg_strbuf_take(struct tg_strbuf *buf);

#endif
