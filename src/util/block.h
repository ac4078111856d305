/* SPDX-License-Identifier: MIT
 *
 * Allocations that remember their allocator: strings and words that the API
 * gives away, which callers free without naming one.
 */
#ifndef TG_UTIL_BLOCK_H
#define TG_UTIL_BLOCK_H

#include <stddef.h>

#include "tungsten/base.h"

/* Allocates a block of `size` bytes, aligned for any type, or resizes one,
 * which keeps its allocator. `allocator` NULL is the default. NULL when out of
 * memory, and then the block is as it was. */
void *
tg_block_resize(const struct tg_allocator *allocator, void *block, size_t size);

/* Frees a block of tg_block_resize(). Takes NULL. */
void
tg_block_free(void *block);

#endif
