/* SPDX-License-Identifier: MIT
 *
 * The arena (bump allocator): a list of blocks, filled from their start. Blocks
 * double in size up to 64 KiB; what does not fit gets a block of its own size.
 */
#include "util/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/checked.h"

enum {
   FIRST_BLOCK = 256,
   LARGEST_BLOCK = 64 * 1024,
   ALIGNMENT = alignof(max_align_t),
};

struct tg_arena_block {
   struct tg_arena_block *next;
   size_t size; /* bytes after this header */
   alignas(max_align_t) unsigned char data[];
};

void
tg_arena_init(struct tg_arena *arena, const struct tg_allocator *allocator)
{
   *arena = (struct tg_arena){
      .allocator = allocator ? allocator : tg_default_allocator(),
   };
}

void
tg_arena_finish(struct tg_arena *arena)
{
   const struct tg_allocator *allocator = arena->allocator;

   for (struct tg_arena_block *block = arena->blocks; block;) {
      struct tg_arena_block *next = block->next;

      allocator->resize(allocator->user, block, sizeof(*block) + block->size,
                        0);
      block = next;
   }
   tg_arena_init(arena, allocator);
}

static bool
add_block(struct tg_arena *arena, size_t least)
{
   size_t size = FIRST_BLOCK;
   size_t bytes;

   if (arena->blocks)
      size = arena->blocks->size * 2;
   if (size > LARGEST_BLOCK)
      size = LARGEST_BLOCK;
   if (size < least)
      size = least;
   if (!tg_add_size(sizeof(struct tg_arena_block), size, &bytes))
      return false;

   struct tg_arena_block *block =
      arena->allocator->resize(arena->allocator->user, NULL, 0, bytes);
   if (!block)
      return false;
   block->next = arena->blocks;
   block->size = size;
   arena->blocks = block;
   arena->used = 0;
   arena->total += bytes;
   return true;
}

void *
tg_arena_alloc(struct tg_arena *arena, size_t size)
{
   size_t rounded;

   if (!tg_add_size(size ? size : 1, ALIGNMENT - 1, &rounded))
      return NULL;
   rounded -= rounded % ALIGNMENT;
   if (!arena->blocks || arena->blocks->size - arena->used < rounded) {
      if (!add_block(arena, rounded))
         return NULL;
   }

   void *result = arena->blocks->data + arena->used;
   arena->used += rounded;
   arena->last = result;
   memset(result, 0, rounded);
   return result;
}

void *
tg_arena_array(struct tg_arena *arena, size_t count, size_t size)
{
   size_t bytes;

   return tg_mul_size(count, size, &bytes) ? tg_arena_alloc(arena, bytes)
                                           : NULL;
}

char *
tg_arena_strndup(struct tg_arena *arena, const char *text, size_t length)
{
   size_t bytes;

   if (!tg_add_size(length, 1, &bytes))
      return NULL;
   char *copy = tg_arena_alloc(arena, bytes);
   if (copy)
      memcpy(copy, text, length);
   return copy;
}

char *
tg_arena_printf(struct tg_arena *arena, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   int length = vsnprintf(NULL, 0, format, args);
   va_end(args);
   if (length < 0)
      return NULL;

   char *text = tg_arena_alloc(arena, (size_t)length + 1);
   if (!text)
      return NULL;
   va_start(args, format);
   vsnprintf(text, (size_t)length + 1, format, args);
   va_end(args);
   return text;
}

/* The newest allocation may grow in place when its block has room. */
static bool
extend_last(struct tg_arena *arena, void *ptr, size_t old_size, size_t new_size)
{
   if (!ptr || ptr != arena->last)
      return false;

   size_t start = (size_t)((unsigned char *)ptr - arena->blocks->data);
   size_t rounded = (new_size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
   if (rounded < new_size || arena->blocks->size - start < rounded)
      return false;
   memset((unsigned char *)ptr + old_size, 0, rounded - old_size);
   arena->used = start + rounded;
   return true;
}

bool
tg_arena_reserve(struct tg_arena *arena, void **elements, uint32_t *capacity,
                 uint32_t count, size_t element_size)
{
   size_t bytes;

   if (count < *capacity)
      return true;
   uint32_t larger = *capacity ? *capacity * 2 : 8;
   if (larger <= *capacity || !tg_mul_size(larger, element_size, &bytes))
      return false;
   if (!extend_last(arena, *elements, *capacity * element_size, bytes)) {
      void *moved = tg_arena_alloc(arena, bytes);

      if (!moved)
         return false;
      if (count)
         memcpy(moved, *elements, count * element_size);
      *elements = moved;
   }
   *capacity = larger;
   return true;
}
