/* SPDX-License-Identifier: MIT
 *
 * Suballocation of upload memory.
 */
#include "resource/upload.h"

enum { BLOCK_BYTES = 16 << 10, MOST_SHARED = 1 << 10, ALIGNMENT = 16 };

static bool
next_block(struct resource_upload *upload, const struct tg_allocator *allocator)
{
   struct resource_block *block = resource_block_create(allocator, BLOCK_BYTES);

   if (!block)
      return false;
   resource_block_drop(upload->block);
   *upload = (struct resource_upload){.block = block};
   return true;
}

void *
resource_upload_alloc(struct resource_upload *upload,
                      const struct tg_allocator *allocator, size_t num_bytes,
                      struct resource_block **block_out)
{
   const size_t whole = (num_bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);

   *block_out = NULL;
   if (num_bytes > MOST_SHARED) {
      *block_out = resource_block_create(allocator, num_bytes);
      return *block_out ? (*block_out)->words : NULL;
   }
   if ((!upload->block || BLOCK_BYTES - upload->used < whole) &&
       !next_block(upload, allocator))
      return NULL;
   *block_out = resource_block_ref(upload->block);
   upload->used += whole;
   return upload->block->words + (upload->used - whole) / sizeof(uint32_t);
}

void
resource_upload_finish(struct resource_upload *upload)
{
   resource_block_drop(upload->block);
   *upload = (struct resource_upload){0};
}
