/* SPDX-License-Identifier: MIT
 *
 * Growing arrays: memory of an allocator, as one pointer, that doubles.
 */
#ifndef TG_GPU_GROW_H
#define TG_GPU_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tungsten/base.h"

/* Grows `*ptr` from `old_size` to `new_size` bytes; false, and unchanged, when
 * out of memory. */
bool
gpu_grow(const struct tg_allocator *allocator, void **ptr, size_t old_size,
         size_t new_size);

/* Grows an array: doubles its capacity until there is room for `count` elements
 * after `used`. */
bool
gpu_grow_elements(const struct tg_allocator *allocator, void **elements,
                  uint32_t *capacity, uint32_t used, uint32_t count,
                  size_t size);

/* Sees to it that an array has room for `count` elements after `used`, and
 * grows it by doubling. */
static inline bool
gpu_reserve(const struct tg_allocator *allocator, void **elements,
            uint32_t *capacity, uint32_t used, uint32_t count, size_t size)
{
   return (uint64_t)used + count <= *capacity ||
          gpu_grow_elements(allocator, elements, capacity, used, count, size);
}

#endif
