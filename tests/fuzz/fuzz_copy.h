/* SPDX-License-Identifier: MIT
 *
 * The part of an input that a fuzz target takes as words: a block of the heap
 * of exactly that size, aligned for any word, so that AddressSanitizer reports
 * a read past its end. A static array would hide it.
 */
#ifndef TG_TESTS_FUZZ_COPY_H
#define TG_TESTS_FUZZ_COPY_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The first `size` bytes of `data`, which may be 0; never NULL, the caller's to
 * free(). */
static inline void *
fuzz_copy(const uint8_t *data, size_t size)
{
   void *copy = malloc(size ? size : 1);

   if (!copy)
      abort();
   memcpy(copy, data, size);
   return copy;
}

#endif
