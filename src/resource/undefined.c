/* SPDX-License-Identifier: MIT
 *
 * Initialization bits of memory, for checked programs: which words of a
 * resource hold nothing yet: a bit for each, which they clear as they write.
 */
#include <assert.h>
#include <string.h>

#include "resource/resource.h"

/* Bytes of the bits of so much memory, which may be none. */
static size_t
bits_size(uint64_t num_bytes)
{
   return (size_t)((num_bytes / 128 + 1) * sizeof(uint32_t));
}

enum tg_result
tg_resource_set_undefined(struct tg_resource *resource)
{
   assert(resource);
   const struct tg_allocator *allocator = resource->allocator;
   const size_t size = bits_size(resource->written.num_bytes);

   resource_forbid_renaming(resource);
   resource->is_seen = true;
   resource_settle_one_color(resource);
   if (!resource->undefined.bits)
      resource->undefined = (struct exec_undefined){
         .data = resource->written.data,
         .bits = allocator->resize(allocator->user, NULL, 0, size),
      };
   if (!resource->undefined.bits)
      return TG_ERROR_MEMORY;
   memset(resource->undefined.bits, 0xff, size);
   return TG_OK;
}

void
resource_define(const struct tg_resource *resource, const void *first,
                size_t num_bytes)
{
   uint32_t *bits = resource->undefined.bits;

   if (!bits)
      return;
   const size_t offset =
      (size_t)((const char *)first - (const char *)resource->undefined.data);
   for (size_t word = offset / 4; word < (offset + num_bytes + 3) / 4; word++)
      bits[word / 32] &= ~(UINT32_C(1) << word % 32);
}

const struct exec_undefined *
resource_undefined(const struct tg_resource *resource)
{
   return resource->undefined.bits ? &resource->undefined : NULL;
}

void
resource_free_undefined(struct tg_resource *resource)
{
   const struct tg_allocator *allocator = resource->allocator;

   if (resource->undefined.bits)
      allocator->resize(allocator->user, resource->undefined.bits,
                        bits_size(resource->written.num_bytes), 0);
}
