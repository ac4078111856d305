/* SPDX-License-Identifier: MIT
 *
 * Arena allocation, for things that die together: a shader, a LIR module, a
 * test file. Blocks are taken from the caller's allocator and all freed at
 * once. What an arena returns is zeroed and aligned for any type.
 */
#ifndef TG_UTIL_ARENA_H
#define TG_UTIL_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tungsten/base.h"

struct tg_arena_block;

struct tg_arena {
   const struct tg_allocator *allocator;
   struct tg_arena_block *blocks; /* newest first */
   size_t used;                   /* bytes taken of the newest block */
   size_t total;                  /* bytes held, for limits and reports */
   void *last;                    /* the newest allocation, which can grow */
};

/* An empty arena. `allocator` NULL means tg_default_allocator(). Allocates
 * nothing yet. */
void
tg_arena_init(struct tg_arena *arena, const struct tg_allocator *allocator);

/* Frees all blocks; the arena is as after tg_arena_init(). */
void
tg_arena_finish(struct tg_arena *arena);

/* Allocates memory that lives as long as the arena. NULL when out of memory.
 * `size` 0 gives a valid pointer. */
void *
tg_arena_alloc(struct tg_arena *arena, size_t size);

/* Allocates an array of `count * size` bytes; NULL also when the product
 * overflows. */
void *
tg_arena_array(struct tg_arena *arena, size_t count, size_t size);

/* A copy of `length` bytes with a NUL after it. */
char *
tg_arena_strndup(struct tg_arena *arena, const char *text, size_t length);

char *
tg_arena_printf(struct tg_arena *arena, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* Makes room for one more element after `count` in the array at `*elements`,
 * doubling `*capacity` when it is full; the new elements are zero. The address
 * may change, so refer to elements by index. False when out of memory, and
 * then nothing has changed. */
bool
tg_arena_reserve(struct tg_arena *arena, void **elements, uint32_t *capacity,
                 uint32_t count, size_t element_size);

#endif
