/* SPDX-License-Identifier: MIT
 *
 * Allocation headers, one before each block:
 *
 *    | allocator, size | what the caller sees ... |
 *    ^ aligned         ^ aligned
 */
#include "util/block.h"

#include <stdalign.h>

#include "util/checked.h"

struct header {
   alignas(max_align_t) struct tg_allocator allocator;
   size_t size; /* of header and block */
};

void *
tg_block_resize(const struct tg_allocator *allocator, void *block, size_t size)
{
   struct header *header = block ? (struct header *)block - 1 : NULL;
   const size_t old_size = header ? header->size : 0;
   size_t new_size;

   if (!tg_add_size(sizeof(*header), size, &new_size))
      return NULL;
   const struct tg_allocator owner =
      header ? header->allocator
             : *(allocator ? allocator : tg_default_allocator());
   header = owner.resize(owner.user, header, old_size, new_size);
   if (!header)
      return NULL;
   *header = (struct header){.allocator = owner, .size = new_size};
   return header + 1;
}

void
tg_block_free(void *block)
{
   if (!block)
      return;
   struct header *header = (struct header *)block - 1;
   const struct tg_allocator owner = header->allocator;

   owner.resize(owner.user, header, header->size, 0);
}
