/* SPDX-License-Identifier: MIT
 *
 * Growing arrays: memory of an allocator, as one pointer, that doubles.
 */
#ifndef TG_GPU_MEMORY_H
#define TG_GPU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tungsten/base.h"

/* Grows `*ptr` from `old_size` to `new_size` bytes; false, and unchanged, when
 * out of memory. */
bool
gpu_grow(const struct tg_allocator *allocator, void **ptr, size_t old_size,
         size_t new_size);

/* Room for `count` elements after `used`, doubling. */
bool
gpu_reserve(const struct tg_allocator *allocator, void **elements,
            uint32_t *capacity, uint32_t used, uint32_t count, size_t size);

#endif
