/* SPDX-License-Identifier: MIT
 *
 * Zeroed allocation: calloc() where it is malloc() that grants the memory.
 */
#include "util/memory.h"

#include <stdlib.h>
#include <string.h>

#include "util/quota.h"

void *
tg_alloc_zeroed(const struct tg_allocator *allocator, size_t size)
{
   struct tg_quota *quota = tg_quota_of(allocator);

   if (quota)
      return tg_quota_alloc_zeroed(quota, size);
   if (allocator->resize == tg_default_allocator()->resize)
      return calloc(size, 1);

   void *memory = allocator->resize(allocator->user, NULL, 0, size);
   if (memory)
      memset(memory, 0, size);
   return memory;
}
