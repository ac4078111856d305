/* SPDX-License-Identifier: MIT
 *
 * Growth of arrays: sizes are doubled in 64 bits, so that none wraps round.
 */
#include "gpu/core/grow.h"

bool
gpu_grow(const struct tg_allocator *allocator, void **ptr, size_t old_size,
         size_t new_size)
{
   if (!*ptr && !new_size)
      return true;
   void *grown = allocator->resize(allocator->user, *ptr, old_size, new_size);
   if (!grown && new_size)
      return false;
   *ptr = grown;
   return true;
}

bool
gpu_grow_elements(const struct tg_allocator *allocator, void **elements,
                  uint32_t *capacity, uint32_t used, uint32_t count,
                  size_t size)
{
   uint64_t wanted = *capacity ? *capacity : 16;
   while (wanted < (uint64_t)used + count)
      wanted *= 2;
   if (wanted > UINT32_MAX ||
       !gpu_grow(allocator, elements, *capacity * size, wanted * size))
      return false;
   *capacity = (uint32_t)wanted;
   return true;
}
