/* SPDX-License-Identifier: MIT
 *
 * Size classes, and a list of free pieces for each.
 */
#include "util/recycle.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

struct tg_recycled {
   struct tg_recycled *next;
};

enum { NO_CLASS = TG_RECYCLER_CLASSES };

/* ---- size classes -------------------------------------------------------- */

/* The number of bits of a size that is not 0. */
static unsigned
num_bits(size_t size)
{
   return (unsigned)(sizeof(long long) * 8) -
          (unsigned)__builtin_clzll((unsigned long long)size);
}

/* Class 4 i + k has pieces of (4 + k) 2^(MIN_BITS - 2 + i) bytes. */
static size_t
size_of_class(unsigned class)
{
   assert(class < TG_RECYCLER_CLASSES);
   return (size_t)(4 + class % 4) << (TG_RECYCLER_MIN_BITS - 2 + class / 4);
}

/* The least one that has room; NO_CLASS if there is none, or so small a piece
 * that it is none of them. */
static unsigned
class_of_size(size_t size)
{
   if (size < (size_t)1 << TG_RECYCLER_MIN_BITS ||
       size > (size_t)1 << TG_RECYCLER_MAX_BITS)
      return NO_CLASS;
   const unsigned shift = num_bits(size) - 3;
   const size_t quarters = (size + ((size_t)1 << shift) - 1) >> shift;
   return (shift - (TG_RECYCLER_MIN_BITS - 2)) * 4 + (unsigned)quarters - 4;
}

/* Bytes that a piece of this size takes from below. */
static size_t
real_size(size_t size)
{
   const unsigned class = class_of_size(size);

   return class == NO_CLASS ? size : size_of_class(class);
}

/* ---- the lists ----------------------------------------------------------- */

static void *
take(struct tg_recycler *recycler, unsigned class)
{
   pthread_mutex_lock(&recycler->mutex);
   struct tg_recycled *piece = recycler->classes[class];
   if (piece) {
      recycler->classes[class] = piece->next;
      recycler->kept -= size_of_class(class);
   }
   pthread_mutex_unlock(&recycler->mutex);
   return piece;
}

/* False when that would be too much. */
static bool
keep(struct tg_recycler *recycler, unsigned class, void *memory)
{
   const size_t size = size_of_class(class);
   struct tg_recycled *piece = memory;

   pthread_mutex_lock(&recycler->mutex);
   const bool is_kept = size <= recycler->most_kept - recycler->kept;
   if (is_kept) {
      piece->next = recycler->classes[class];
      recycler->classes[class] = piece;
      recycler->kept += size;
   }
   pthread_mutex_unlock(&recycler->mutex);
   return is_kept;
}

static void *
ask_below(const struct tg_recycler *recycler, void *memory, size_t old_size,
          size_t new_size)
{
   const struct tg_allocator *below = recycler->below;

   return below->resize(below->user, memory, old_size, new_size);
}

/* Gives back all that is kept. */
static void
drain(struct tg_recycler *recycler)
{
   for (unsigned class = 0; class < TG_RECYCLER_CLASSES; class ++) {
      void *piece;

      while ((piece = take(recycler, class)))
         ask_below(recycler, piece, size_of_class(class), 0);
   }
}

/* ---- as an allocator ----------------------------------------------------- */

static void *
allocate(struct tg_recycler *recycler, size_t size)
{
   const unsigned class = class_of_size(size);
   void *memory = class == NO_CLASS ? NULL : take(recycler, class);

   return memory ? memory : ask_below(recycler, NULL, 0, real_size(size));
}

static void
release(struct tg_recycler *recycler, void *memory, size_t size)
{
   const unsigned class = class_of_size(size);

   if (class == NO_CLASS || !keep(recycler, class, memory))
      ask_below(recycler, memory, real_size(size), 0);
}

static void *
move(struct tg_recycler *recycler, void *memory, size_t old_size,
     size_t new_size)
{
   void *moved = allocate(recycler, new_size);

   if (!moved)
      return NULL;
   memcpy(moved, memory, old_size < new_size ? old_size : new_size);
   release(recycler, memory, old_size);
   return moved;
}

static void *
resize(void *user, void *memory, size_t old_size, size_t new_size)
{
   struct tg_recycler *recycler = user;
   const bool is_outside = class_of_size(old_size) == NO_CLASS &&
                           class_of_size(new_size) == NO_CLASS;

   if (!memory)
      return new_size ? allocate(recycler, new_size) : NULL;
   if (!new_size) {
      release(recycler, memory, old_size);
      return NULL;
   }
   if (is_outside)
      return ask_below(recycler, memory, old_size, new_size);
   return real_size(old_size) == real_size(new_size)
             ? memory
             : move(recycler, memory, old_size, new_size);
}

void
tg_recycler_init(struct tg_recycler *recycler, const struct tg_allocator *below,
                 size_t most_kept)
{
   *recycler = (struct tg_recycler){
      .allocator = {resize, recycler},
      .below = below,
      .most_kept = most_kept,
   };
   pthread_mutex_init(&recycler->mutex, NULL);
}

void
tg_recycler_finish(struct tg_recycler *recycler)
{
   drain(recycler);
   pthread_mutex_destroy(&recycler->mutex);
}
