/* SPDX-License-Identifier: MIT
 *
 * A batch: the shapes that setup made of a part of a draw, and the tiles that
 * they touch. It is filled by one thread, in memory that it keeps for the next
 * draw; the scene takes what it holds, which many threads read then.
 */
#ifndef TG_GPU_BATCH_H
#define TG_GPU_BATCH_H

#include "gpu/raster/shape.h"
#include "util/arena.h"

struct gpu_call;
struct gpu_fragment_draw;

/* The shapes of a batch that touch one tile, in the order in which they came:
 * numbers order[first] to order[first + count - 1]. */
struct gpu_run {
   uint32_t tile; /* row by row */
   uint32_t first, count;
};

struct gpu_batch {
   const struct tg_allocator *allocator;
   const struct gpu_fragment_draw *draw;
   struct gpu_call *call;          /* of which it is a part */
   uint32_t num_columns, num_rows; /* of tiles */
   uint32_t num_shapes, num_constants, num_touches, num_runs;
   uint32_t num_asked; /* times that a tile was looked at for a shape */
   struct gpu_shape *shapes;
   uint32_t *constants;
   uint32_t *order; /* as many as touches */
   struct gpu_run *runs;
   uint32_t shape_capacity, constant_capacity, order_capacity, run_capacity;

   /* Until it is sealed. */
   uint64_t *touches; /* tile << 32 | shape */
   uint32_t *starts;  /* of the tiles from the first to the last */
   uint32_t first_tile, last_tile;
   uint32_t touch_capacity, start_capacity;
};

/* It holds nothing, and no memory. */
void
gpu_batch_init(struct gpu_batch *batch, const struct tg_allocator *allocator);
void
gpu_batch_finish(struct gpu_batch *batch);

/* Resets a batch, for a framebuffer of so many pixels. */
void
gpu_batch_begin(struct gpu_batch *batch, const struct gpu_fragment_draw *draw,
                struct gpu_call *call, uint32_t width, uint32_t height);

/* Makes room for so many shapes more, with `num_words` of constants each, so that
 * arrays need not grow one by one. False when out of memory. */
bool
gpu_batch_reserve(struct gpu_batch *batch, uint32_t num_shapes,
                  uint32_t num_words);

/* Room for a shape's constants, `num_words` of them, to be filled in before the
 * next call; NULL when out of memory. */
uint32_t *
gpu_batch_add_constants(struct gpu_batch *batch, uint32_t num_words);

/* Where the next shapes that are added lie best, so that they need not be
 * copied; until then. NULL when out of memory. */
struct gpu_shape *
gpu_batch_room_for_shapes(struct gpu_batch *batch, uint32_t count);

/* Adds shapes, whose `constants` are the number of the word at which they
 * begin. Each has at least one pixel in its bounds. False when out of memory.
 */
bool
gpu_batch_add_shapes(struct gpu_batch *batch, const struct gpu_shape *shapes,
                     uint32_t count);

/* No more shapes: sorts by tile. False when out of memory. */
bool
gpu_batch_seal(struct gpu_batch *batch);

/* Takes out what a sealed batch holds: a copy in the arena where that is
 * little, and else its memory, which `taken` is to give back; adds the bytes
 * that it takes. False, and nothing changed, when out of memory. */
bool
gpu_batch_take(struct gpu_batch *batch, struct tg_arena *arena,
               struct gpu_batch *taken, size_t *num_bytes);

#endif
