/* SPDX-License-Identifier: MIT
 *
 * Headers of .npy files, in which NumPy keeps an array: its type and shape in
 * front, then its bytes. Read are versions 1 and 2, little-endian numbers and
 * truth values, in C order.
 */
#ifndef TG_UTIL_NPY_H
#define TG_UTIL_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

enum {
   TG_NPY_MAX_DIMS = 32,
   TG_NPY_MAX_HEADER = 65536, /* bytes before the array */
};

struct tg_npy {
   char kind;           /* 'f', 'i', 'u', or 'b' for truth values */
   uint32_t item_bytes; /* 1, 2, 4 or 8 */
   uint32_t num_dims;
   uint64_t shape[TG_NPY_MAX_DIMS];
   size_t header_bytes; /* where the array begins */
   uint64_t data_bytes; /* of the whole array */
};

/* Does a file begin as an array of NumPy does? */
bool
tg_npy_is(const void *data, size_t size);

/* Reads the header at the beginning of a file of `file_size` bytes, of which
 * `size` are here: all, or TG_NPY_MAX_HEADER. False, with the rest of a
 * sentence that begins with the file's name, when the file is not good to its
 * last byte. */
bool
tg_npy_read(const void *data, size_t size, uint64_t file_size,
            struct tg_npy *npy_out, struct tg_strbuf *fault);

/* Adds the header of such an array, version 1; `header_bytes` and `data_bytes`
 * do not count. */
void
tg_npy_write(struct tg_strbuf *out, const struct tg_npy *npy);

#endif
