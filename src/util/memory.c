/* SPDX-License-Identifier: MIT
 *
 * The default allocator, and zeroed allocation: calloc() where it is malloc()
 * that grants the memory.
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

static void *
resize_with_malloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
   (void)user;
   (void)old_size;
   if (new_size)
      return realloc(ptr, new_size);
   free(ptr);
   return NULL;
}

const struct tg_allocator *
tg_default_allocator(void)
{
   static const struct tg_allocator allocator = {
      .resize = resize_with_malloc,
   };
   return &allocator;
}
