/* SPDX-License-Identifier: MIT
 *
 * Holds of a resource's memory, which stays as long as it is held while the
 * resource may be renamed.
 */
#include "resource/resource.h"

/* Has it a block, in which it lives? */
static bool
has_block(const struct tg_resource *resource)
{
   return !resource->written.is_borrowed && resource_is_buffer(resource);
}

struct exec_memory
resource_place_without_hold(const struct tg_resource *resource)
{
   struct exec_memory place = {.num_bytes = resource->written.num_bytes};

   if (has_block(resource))
      place.data =
         atomic_load_explicit(&resource->block, memory_order_relaxed)->words;
   else
      place.data = resource->written.data;
   return place;
}

struct resource_hold
resource_hold(const struct tg_resource *resource)
{
   if (!resource)
      return (struct resource_hold){0};
   struct resource_hold hold = {
      .memory.num_bytes = resource->written.num_bytes,
   };
   if (has_block(resource)) {
      pthread_mutex_t *mutex = (pthread_mutex_t *)&resource->mutex;

      pthread_mutex_lock(mutex);
      hold.block = resource_block_ref(resource->block);
      pthread_mutex_unlock(mutex);
      hold.memory.data = hold.block->words;
   } else {
      hold.memory.data = resource->written.data;
   }
   return hold;
}
