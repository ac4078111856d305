/* SPDX-License-Identifier: MIT
 *
 * Reference-counted blocks of memory.
 */
#include "resource/block.h"

#include "util/memory.h"

static size_t
total_size(size_t num_bytes)
{
   return sizeof(struct resource_block) + num_bytes;
}

struct resource_block *
resource_block_create(const struct tg_allocator *allocator, size_t num_bytes)
{
   const size_t most = SIZE_MAX - sizeof(struct resource_block) - 4;
   const size_t whole =
      num_bytes && num_bytes < most ? (num_bytes + 3) & ~(size_t)3 : 4;

   if (num_bytes >= most)
      return NULL;
   struct resource_block *block = tg_alloc_zeroed(allocator, total_size(whole));
   if (!block)
      return NULL;
   atomic_init(&block->refs.count, 1);
   block->allocator = allocator;
   block->num_bytes = whole;
   return block;
}

struct resource_block *
resource_block_ref(struct resource_block *block)
{
   if (block)
      tg_refcount_add(&block->refs);
   return block;
}

void
resource_block_drop(struct resource_block *block)
{
   if (!block || !tg_refcount_drop(&block->refs))
      return;

   const struct tg_allocator *allocator = block->allocator;
   allocator->resize(allocator->user, block, total_size(block->num_bytes), 0);
}
