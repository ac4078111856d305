/* SPDX-License-Identifier: MIT
 *
 * A batch: the shapes that setup made of a part of a draw, and the tiles that
 * they touch. It is filled by one thread and then read by many.
 */
#ifndef TG_GPU_BATCH_H
#define TG_GPU_BATCH_H

#include "gpu/raster/shape.h"
#include "tungsten/base.h"

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
   uint32_t num_columns, num_rows; /* of tiles */
   uint32_t num_shapes, num_constants, num_touches, num_runs;
   uint32_t num_asked; /* times that a tile was looked at for a shape */
   struct gpu_shape *shapes;
   uint32_t *constants;
   uint64_t *touches; /* tile << 32 | shape, until it is sealed */
   uint32_t *order;
   struct gpu_run *runs;
   uint32_t shape_capacity, constant_capacity, touch_capacity, run_capacity,
      order_capacity;
};

/* For a framebuffer of so many pixels. */
void
gpu_batch_init(struct gpu_batch *batch, const struct tg_allocator *allocator,
               const struct gpu_fragment_draw *draw, uint32_t width,
               uint32_t height);
void
gpu_batch_finish(struct gpu_batch *batch);

/* Room for a shape's constants, `num_words` of them, to be filled in before the
 * next call; NULL when out of memory. */
uint32_t *
gpu_batch_add_constants(struct gpu_batch *batch, uint32_t num_words);

/* Adds a shape, whose `constants` are the number of the word at which they
 * begin. It has at least one pixel in its bounds. False when out of memory. */
bool
gpu_batch_add_shape(struct gpu_batch *batch, const struct gpu_shape *shape);

/* No more shapes: sorts by tile. False when out of memory. */
bool
gpu_batch_seal(struct gpu_batch *batch);

/* Bytes that it holds. */
size_t
gpu_batch_size(const struct gpu_batch *batch);

#endif
