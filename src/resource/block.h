/* SPDX-License-Identifier: MIT
 *
 * Reference-counted blocks of memory: what a buffer lives in until it is
 * renamed, and constants that were copied. What reads or writes a block holds a
 * reference, so that a renamed buffer leaves to each what it has seen.
 */
#ifndef TG_RESOURCE_BLOCK_H
#define TG_RESOURCE_BLOCK_H

#include <stddef.h>

#include "tungsten/base.h"
#include "util/refcount.h"

struct resource_block {
   struct tg_refcount refs;
   const struct tg_allocator *allocator;
   size_t num_bytes; /* whole words, at least one */
   _Alignas(16) uint32_t words[];
};

/* Reference-counted memory of so many bytes and more, up to a whole word, all
 * zero. NULL when out of memory. */
struct resource_block *
resource_block_create(const struct tg_allocator *allocator, size_t num_bytes);

/* Adds a reference. Takes NULL, and gives NULL then. */
struct resource_block *
resource_block_ref(struct resource_block *block);

/* Drops a reference. Takes NULL. */
void
resource_block_drop(struct resource_block *block);

#endif
