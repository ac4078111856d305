/* SPDX-License-Identifier: MIT
 *
 * Buffer renaming: a buffer whose memory is in use is given other memory, so
 * that it can be written without waiting. What held the old memory keeps it,
 * and sees what was there.
 */
#include <string.h>

#include "resource/resource.h"

static _Atomic uint64_t num_renames;

uint64_t
resource_count_renames(void)
{
   return atomic_load_explicit(&num_renames, memory_order_acquire);
}

void
resource_forbid_renaming(struct tg_resource *resource)
{
   pthread_mutex_lock(&resource->mutex);
   resource->is_fixed = true;
   pthread_mutex_unlock(&resource->mutex);
}

void
resource_pin_against_renaming(struct tg_resource *resource)
{
   pthread_mutex_lock(&resource->mutex);
   resource->num_pins++;
   pthread_mutex_unlock(&resource->mutex);
}

void
resource_unpin_for_renaming(struct tg_resource *resource)
{
   pthread_mutex_lock(&resource->mutex);
   assert(resource->num_pins > 0);
   resource->num_pins--;
   pthread_mutex_unlock(&resource->mutex);
}

/* The spare block, if it is no longer held, or a new one. The mutex is
 * held. */
static struct resource_block *
find_block(struct tg_resource *resource, enum resource_contents contents)
{
   struct resource_block *block = resource->spare;

   if (!block || !tg_refcount_is_one(&block->refs)) {
      block = resource_block_create(resource->allocator,
                                    (size_t)resource->written.num_bytes);
   } else {
      resource->spare = NULL;
      if (contents == RESOURCE_CLEARED)
         memset(block->words, 0, block->num_bytes);
   }
   if (block && contents == RESOURCE_KEPT)
      memcpy(block->words, resource->block->words, block->num_bytes);
   return block;
}

/* The mutex is held. */
static bool
rename_locked(struct tg_resource *resource, enum resource_contents contents)
{
   if (!resource->block || resource->is_fixed || resource->num_pins)
      return false;
   struct resource_block *block = find_block(resource, contents);
   if (!block)
      return false;
   resource_block_drop(resource->spare);
   resource->spare = resource->block;
   resource->block = block;
   resource->written.data = block->words;
   atomic_fetch_add_explicit(&num_renames, 1, memory_order_release);
   return true;
}

bool
resource_rename(struct tg_resource *resource, enum resource_contents contents)
{
   pthread_mutex_lock(&resource->mutex);
   const bool is_renamed = rename_locked(resource, contents);
   pthread_mutex_unlock(&resource->mutex);
   return is_renamed;
}
