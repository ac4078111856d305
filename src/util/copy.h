/* SPDX-License-Identifier: MIT
 *
 * Copies of rows of texels.
 */
#ifndef TG_UTIL_COPY_H
#define TG_UTIL_COPY_H

#include <stddef.h>
#include <string.h>

/* memcpy() for rows, of a few KiB each, of large pictures. C libraries copy so
 * many bytes with the string instructions of the processor, which in pages that
 * were shared between processes are three times as slow as vectors
 * (docs/performance.md). */
static inline void
tg_copy_row(void *restrict dst, const void *restrict src, size_t size)
{
   enum { LINE = 64 };
   unsigned char *to = dst;
   const unsigned char *from = src;

   for (; size >= LINE; size -= LINE, to += LINE, from += LINE)
      memcpy(to, from, LINE);
   memcpy(to, from, size);
}

#endif
