/* SPDX-License-Identifier: MIT
 *
 * Layout of memory for waves. Sizes are checked here, so that the users of a
 * layout need not.
 */
#include "run/memory.h"

#include "util/checked.h"

size_t
run_memory_add(struct run_memory_layout *layout, size_t count, size_t size)
{
   const size_t alignment = MEMORY_ALIGNMENT;
   size_t offset = layout->size;
   size_t bytes;

   if (!tg_mul_size(count, size, &bytes) ||
       !tg_add_size(bytes, alignment - 1, &bytes) ||
       !tg_add_size(offset, bytes / alignment * alignment, &layout->size))
      layout->overflowed = true;
   return offset;
}

/* There is room to move: before the memory is the number of bytes by which
 * it was. */
void *
run_memory_allocate(const struct tg_allocator *allocator, size_t size)
{
   size_t bytes;

   if (!tg_add_size(size, MEMORY_ALIGNMENT, &bytes))
      return NULL;
   unsigned char *block = allocator->resize(allocator->user, NULL, 0, bytes);
   if (!block)
      return NULL;

   size_t skip = MEMORY_ALIGNMENT - (uintptr_t)block % MEMORY_ALIGNMENT;
   block[skip - 1] = (unsigned char)skip;
   return block + skip;
}

void
run_memory_free(const struct tg_allocator *allocator, void *memory, size_t size)
{
   unsigned char *aligned = memory;

   allocator->resize(allocator->user, aligned - aligned[-1],
                     size + MEMORY_ALIGNMENT, 0);
}
