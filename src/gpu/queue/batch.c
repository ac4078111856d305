/* SPDX-License-Identifier: MIT
 *
 * Binning: which tiles a shape touches, and the shapes of a tile in order.
 */
#include "gpu/queue/batch.h"

#include <string.h>

#include "gpu/core/memory.h"
#include "gpu/raster/raster.h"

void
gpu_batch_init(struct gpu_batch *batch, const struct tg_allocator *allocator,
               const struct gpu_fragment_draw *draw, uint32_t width,
               uint32_t height)
{
   *batch = (struct gpu_batch){
      .allocator = allocator,
      .draw = draw,
      .num_columns = (width + GPU_TILE_SIZE - 1) / GPU_TILE_SIZE,
      .num_rows = (height + GPU_TILE_SIZE - 1) / GPU_TILE_SIZE,
   };
}

static void
release(struct gpu_batch *batch, void *memory, uint32_t capacity, size_t size)
{
   gpu_grow(batch->allocator, &memory, capacity * size, 0);
}

static void
drop_touches(struct gpu_batch *batch)
{
   release(batch, batch->touches, batch->touch_capacity,
           sizeof(*batch->touches));
   batch->touches = NULL;
   batch->num_touches = batch->touch_capacity = 0;
}

void
gpu_batch_finish(struct gpu_batch *batch)
{
   release(batch, batch->shapes, batch->shape_capacity, sizeof(*batch->shapes));
   release(batch, batch->constants, batch->constant_capacity,
           sizeof(*batch->constants));
   release(batch, batch->order, batch->order_capacity, sizeof(*batch->order));
   release(batch, batch->runs, batch->run_capacity, sizeof(*batch->runs));
   drop_touches(batch);
   *batch = (struct gpu_batch){.allocator = batch->allocator};
}

uint32_t *
gpu_batch_add_constants(struct gpu_batch *batch, uint32_t num_words)
{
   void *constants = batch->constants;
   if (!gpu_reserve(batch->allocator, &constants, &batch->constant_capacity,
                    batch->num_constants, num_words, sizeof(uint32_t)))
      return NULL;
   batch->constants = constants;
   batch->num_constants += num_words;
   return batch->constants + batch->num_constants - num_words;
}

static bool
add_touch(struct gpu_batch *batch, uint32_t tile, uint32_t shape)
{
   void *touches = batch->touches;
   if (!gpu_reserve(batch->allocator, &touches, &batch->touch_capacity,
                    batch->num_touches, 1, sizeof(*batch->touches)))
      return false;
   batch->touches = touches;
   batch->touches[batch->num_touches++] = (uint64_t)tile << 32 | shape;
   return true;
}

/* A shape within one tile touches it; of others each tile is asked. */
static bool
add_touches(struct gpu_batch *batch, const struct gpu_shape *shape,
            uint32_t number)
{
   const int32_t size = GPU_TILE_SIZE;
   const int32_t first_column = shape->min_x / size;
   const int32_t last_column = shape->max_x / size;
   const int32_t first_row = shape->min_y / size;
   const int32_t last_row = shape->max_y / size;
   const bool is_within_one =
      first_column == last_column && first_row == last_row;
   batch->num_asked +=
      (uint32_t)((last_row - first_row + 1) * (last_column - first_column + 1));
   for (int32_t row = first_row; row <= last_row; row++) {
      for (int32_t column = first_column; column <= last_column; column++) {
         const uint32_t tile =
            (uint32_t)row * batch->num_columns + (uint32_t)column;
         if (!is_within_one &&
             !gpu_raster_touches(shape, column * size, row * size))
            continue;
         if (!add_touch(batch, tile, number))
            return false;
      }
   }
   return true;
}

bool
gpu_batch_add_shape(struct gpu_batch *batch, const struct gpu_shape *shape)
{
   void *shapes = batch->shapes;
   if (!gpu_reserve(batch->allocator, &shapes, &batch->shape_capacity,
                    batch->num_shapes, 1, sizeof(*batch->shapes)))
      return false;
   batch->shapes = shapes;
   batch->shapes[batch->num_shapes] = *shape;
   return add_touches(batch, shape, batch->num_shapes++);
}

/* ---- sealing ------------------------------------------------------------- */

/* Where the shapes of each tile begin, from the number that each has. Those
 * that have some become runs. */
static bool
make_runs(struct gpu_batch *batch, uint32_t *count, uint32_t num_tiles)
{
   uint32_t first = 0;
   for (uint32_t tile = 0; tile < num_tiles; tile++) {
      const uint32_t number = count[tile];
      count[tile] = first;
      if (!number)
         continue;
      void *runs = batch->runs;
      if (!gpu_reserve(batch->allocator, &runs, &batch->run_capacity,
                       batch->num_runs, 1, sizeof(*batch->runs)))
         return false;
      batch->runs = runs;
      batch->runs[batch->num_runs++] =
         (struct gpu_run){.tile = tile, .first = first, .count = number};
      first += number;
   }
   return true;
}

static bool
sort(struct gpu_batch *batch, uint32_t *count, uint32_t num_tiles)
{
   void *order = NULL;
   memset(count, 0, num_tiles * sizeof(*count));
   for (uint32_t i = 0; i < batch->num_touches; i++)
      count[batch->touches[i] >> 32]++;
   if (!make_runs(batch, count, num_tiles) ||
       !gpu_reserve(batch->allocator, &order, &batch->order_capacity, 0,
                    batch->num_touches, sizeof(*batch->order)))
      return false;
   batch->order = order;
   for (uint32_t i = 0; i < batch->num_touches; i++)
      batch->order[count[batch->touches[i] >> 32]++] =
         (uint32_t)batch->touches[i];
   return true;
}

bool
gpu_batch_seal(struct gpu_batch *batch)
{
   const uint32_t num_tiles = batch->num_columns * batch->num_rows;
   void *count = NULL;
   if (!batch->num_touches)
      return true;
   if (!gpu_grow(batch->allocator, &count, 0, num_tiles * sizeof(uint32_t)))
      return false;
   const bool is_sorted = sort(batch, count, num_tiles);
   gpu_grow(batch->allocator, &count, num_tiles * sizeof(uint32_t), 0);
   drop_touches(batch);
   return is_sorted;
}

size_t
gpu_batch_size(const struct gpu_batch *batch)
{
   return batch->shape_capacity * sizeof(*batch->shapes) +
          batch->constant_capacity * sizeof(*batch->constants) +
          batch->order_capacity * sizeof(*batch->order) +
          batch->run_capacity * sizeof(*batch->runs);
}
