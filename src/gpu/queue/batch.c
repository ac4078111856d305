/* SPDX-License-Identifier: MIT
 *
 * Binning: which tiles a shape touches, and the shapes of a tile in order.
 */
#include "gpu/queue/batch.h"

#include <string.h>

#include "gpu/core/grow.h"
#include "gpu/raster/raster.h"
#include "util/minmax.h"

/* Bytes up to which a batch is copied, and a scratch array kept. */
enum { MOST_COPIED = 8 << 10, MOST_KEPT = 16 << 10 };

/* ---- memory -------------------------------------------------------------- */

void
gpu_batch_init(struct gpu_batch *batch, const struct tg_allocator *allocator)
{
   *batch = (struct gpu_batch){.allocator = allocator};
}

/* What has no capacity is in an arena. */
static void
release(struct gpu_batch *batch, void *memory, uint32_t capacity, size_t size)
{
   if (capacity)
      gpu_grow(batch->allocator, &memory, capacity * size, 0);
}

static void
drop_touches(struct gpu_batch *batch)
{
   release(batch, batch->touches, batch->touch_capacity,
           sizeof(*batch->touches));
   batch->touches = NULL;
   batch->touch_capacity = 0;
}

static void
drop_starts(struct gpu_batch *batch)
{
   release(batch, batch->starts, batch->start_capacity, sizeof(*batch->starts));
   batch->starts = NULL;
   batch->start_capacity = 0;
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
   drop_starts(batch);
   gpu_batch_init(batch, batch->allocator);
}

/* ---- filling ------------------------------------------------------------- */

void
gpu_batch_begin(struct gpu_batch *batch, const struct gpu_fragment_draw *draw,
                struct gpu_call *call, uint32_t width, uint32_t height)
{
   batch->draw = draw;
   batch->call = call;
   batch->num_columns = (width + GPU_TILE_SIZE - 1) / GPU_TILE_SIZE;
   batch->num_rows = (height + GPU_TILE_SIZE - 1) / GPU_TILE_SIZE;
   batch->num_shapes = batch->num_constants = 0;
   batch->num_touches = batch->num_runs = batch->num_asked = 0;
   batch->first_tile = UINT32_MAX;
   batch->last_tile = 0;
}

static bool
reserve_shapes(struct gpu_batch *batch, uint32_t count)
{
   void *shapes = batch->shapes;
   const bool has_room =
      gpu_reserve(batch->allocator, &shapes, &batch->shape_capacity,
                  batch->num_shapes, count, sizeof(*batch->shapes));
   batch->shapes = shapes;
   return has_room;
}

static bool
reserve_constants(struct gpu_batch *batch, uint32_t count)
{
   void *constants = batch->constants;
   const bool has_room =
      gpu_reserve(batch->allocator, &constants, &batch->constant_capacity,
                  batch->num_constants, count, sizeof(*batch->constants));
   batch->constants = constants;
   return has_room;
}

static bool
reserve_touches(struct gpu_batch *batch, uint32_t count)
{
   void *touches = batch->touches;
   const bool has_room =
      gpu_reserve(batch->allocator, &touches, &batch->touch_capacity,
                  batch->num_touches, count, sizeof(*batch->touches));
   batch->touches = touches;
   return has_room;
}

bool
gpu_batch_reserve(struct gpu_batch *batch, uint32_t num_shapes,
                  uint32_t num_words)
{
   const uint64_t num_constants = (uint64_t)num_shapes * num_words;
   return num_constants <= UINT32_MAX && reserve_shapes(batch, num_shapes) &&
          reserve_constants(batch, (uint32_t)num_constants) &&
          reserve_touches(batch, num_shapes);
}

uint32_t *
gpu_batch_add_constants(struct gpu_batch *batch, uint32_t num_words)
{
   if (!reserve_constants(batch, num_words))
      return NULL;
   batch->num_constants += num_words;
   return batch->constants + batch->num_constants - num_words;
}

static bool
add_touch(struct gpu_batch *batch, uint32_t tile, uint32_t shape)
{
   if (!reserve_touches(batch, 1))
      return false;
   batch->touches[batch->num_touches++] = (uint64_t)tile << 32 | shape;
   batch->first_tile = tg_min_u32(batch->first_tile, tile);
   batch->last_tile = tg_max_u32(batch->last_tile, tile);
   return true;
}

/* Asks each tile of a shape's bounds. */
static bool
add_touches(struct gpu_batch *batch, const struct gpu_shape *shape,
            uint32_t number)
{
   const int32_t size = GPU_TILE_SIZE;
   for (int32_t row = shape->min_y / size; row <= shape->max_y / size; row++) {
      for (int32_t column = shape->min_x / size; column <= shape->max_x / size;
           column++) {
         batch->num_asked++;
         if (gpu_raster_touches(shape, column * size, row * size) &&
             !add_touch(batch,
                        (uint32_t)row * batch->num_columns + (uint32_t)column,
                        number))
            return false;
      }
   }
   return true;
}

/* The tile that has all of a shape's bounds; false if there is none. */
static bool
find_tile(const struct gpu_batch *batch, const struct gpu_shape *shape,
          uint32_t *tile_out)
{
   const uint32_t column = (uint32_t)shape->min_x / GPU_TILE_SIZE;
   const uint32_t row = (uint32_t)shape->min_y / GPU_TILE_SIZE;
   *tile_out = row * batch->num_columns + column;
   return (uint32_t)shape->max_x / GPU_TILE_SIZE == column &&
          (uint32_t)shape->max_y / GPU_TILE_SIZE == row;
}

struct gpu_shape *
gpu_batch_room_for_shapes(struct gpu_batch *batch, uint32_t count)
{
   return reserve_shapes(batch, count) ? batch->shapes + batch->num_shapes
                                       : NULL;
}

/* Notes which tiles a shape touches. */
static inline bool
bin(struct gpu_batch *batch, const struct gpu_shape *shape, uint32_t number)
{
   uint32_t tile;
   if (!find_tile(batch, shape, &tile))
      return add_touches(batch, shape, number);
   batch->num_asked++;
   return add_touch(batch, tile, number);
}

bool
gpu_batch_add_shapes(struct gpu_batch *batch, const struct gpu_shape *shapes,
                     uint32_t count)
{
   struct gpu_shape *room = gpu_batch_room_for_shapes(batch, count);
   const uint32_t first = batch->num_shapes;
   if (!room)
      return false;
   if (shapes != room)
      memcpy(room, shapes, count * sizeof(*shapes));
   batch->num_shapes += count;
   for (uint32_t i = 0; i < count; i++) {
      if (!bin(batch, &room[i], first + i))
         return false;
   }
   return true;
}

/* ---- sealing ------------------------------------------------------------- */

/* Where the shapes of each tile begin, from the number that each has. Those
 * that have some become runs. */
static bool
make_runs(struct gpu_batch *batch, uint32_t num_tiles)
{
   uint32_t first = 0;
   for (uint32_t i = 0; i < num_tiles; i++) {
      const uint32_t number = batch->starts[i];
      batch->starts[i] = first;
      if (!number)
         continue;
      void *runs = batch->runs;
      if (!gpu_reserve(batch->allocator, &runs, &batch->run_capacity,
                       batch->num_runs, 1, sizeof(*batch->runs)))
         return false;
      batch->runs = runs;
      batch->runs[batch->num_runs++] = (struct gpu_run){
         .tile = batch->first_tile + i, .first = first, .count = number};
      first += number;
   }
   return true;
}

static uint32_t *
start_of(const struct gpu_batch *batch, uint64_t touch)
{
   return &batch->starts[(uint32_t)(touch >> 32) - batch->first_tile];
}

/* A counting sort, over the tiles from the first to the last. */
static bool
sort(struct gpu_batch *batch)
{
   const uint32_t num_tiles = batch->last_tile - batch->first_tile + 1;
   void *starts = batch->starts, *order = batch->order;
   const bool has_starts =
      gpu_reserve(batch->allocator, &starts, &batch->start_capacity, 0,
                  num_tiles, sizeof(*batch->starts));
   const bool has_order =
      gpu_reserve(batch->allocator, &order, &batch->order_capacity, 0,
                  batch->num_touches, sizeof(*batch->order));
   batch->starts = starts;
   batch->order = order;
   if (!has_starts || !has_order)
      return false;
   memset(starts, 0, num_tiles * sizeof(*batch->starts));
   for (uint32_t i = 0; i < batch->num_touches; i++)
      ++*start_of(batch, batch->touches[i]);
   if (!make_runs(batch, num_tiles))
      return false;
   for (uint32_t i = 0; i < batch->num_touches; i++)
      batch->order[(*start_of(batch, batch->touches[i]))++] =
         (uint32_t)batch->touches[i];
   return true;
}

bool
gpu_batch_seal(struct gpu_batch *batch)
{
   if (!batch->num_touches)
      return true;
   const bool is_sorted = sort(batch);
   if (batch->touch_capacity * sizeof(*batch->touches) > MOST_KEPT)
      drop_touches(batch);
   if (batch->start_capacity * sizeof(*batch->starts) > MOST_KEPT)
      drop_starts(batch);
   return is_sorted;
}

/* ---- taking it out ------------------------------------------------------- */

/* Bytes of what it holds, and of the memory that it has for that. */
static size_t
num_used(const struct gpu_batch *batch)
{
   return batch->num_shapes * sizeof(*batch->shapes) +
          batch->num_runs * sizeof(*batch->runs) +
          batch->num_touches * sizeof(*batch->order) +
          batch->num_constants * sizeof(*batch->constants);
}

static size_t
num_held(const struct gpu_batch *batch)
{
   return batch->shape_capacity * sizeof(*batch->shapes) +
          batch->run_capacity * sizeof(*batch->runs) +
          batch->order_capacity * sizeof(*batch->order) +
          batch->constant_capacity * sizeof(*batch->constants);
}

static void *
copy_to(char **at, const void *from, size_t num_bytes)
{
   void *copy = *at;
   if (num_bytes)
      memcpy(copy, from, num_bytes);
   *at += num_bytes;
   return copy;
}

/* The arrays in one piece, those that are aligned most first. */
static bool
copy(const struct gpu_batch *batch, struct tg_arena *arena,
     struct gpu_batch *copied)
{
   char *at = tg_arena_alloc(arena, num_used(batch));
   if (!at)
      return false;
   *copied = (struct gpu_batch){
      .allocator = batch->allocator,
      .draw = batch->draw,
      .call = batch->call,
      .num_shapes = batch->num_shapes,
      .num_runs = batch->num_runs,
      .num_touches = batch->num_touches,
      .num_constants = batch->num_constants,
   };
   copied->shapes =
      copy_to(&at, batch->shapes, batch->num_shapes * sizeof(*batch->shapes));
   copied->runs =
      copy_to(&at, batch->runs, batch->num_runs * sizeof(*batch->runs));
   copied->order =
      copy_to(&at, batch->order, batch->num_touches * sizeof(*batch->order));
   copied->constants = copy_to(
      &at, batch->constants, batch->num_constants * sizeof(*batch->constants));
   return true;
}

/* Gives back memory of an array that is far too large; it may fail to. */
static void
shrink_array(const struct gpu_batch *batch, void **elements, uint32_t *capacity,
             uint32_t used, size_t size)
{
   if (used > 0 && used < *capacity / 2 &&
       gpu_grow(batch->allocator, elements, *capacity * size, used * size))
      *capacity = used;
}

static void
shrink(struct gpu_batch *batch)
{
   void *shapes = batch->shapes, *constants = batch->constants;
   void *order = batch->order, *runs = batch->runs;
   shrink_array(batch, &shapes, &batch->shape_capacity, batch->num_shapes,
                sizeof(*batch->shapes));
   shrink_array(batch, &constants, &batch->constant_capacity,
                batch->num_constants, sizeof(*batch->constants));
   shrink_array(batch, &order, &batch->order_capacity, batch->num_touches,
                sizeof(*batch->order));
   shrink_array(batch, &runs, &batch->run_capacity, batch->num_runs,
                sizeof(*batch->runs));
   batch->shapes = shapes;
   batch->constants = constants;
   batch->order = order;
   batch->runs = runs;
}

bool
gpu_batch_take(struct gpu_batch *batch, struct tg_arena *arena,
               struct gpu_batch *taken, size_t *num_bytes)
{
   const size_t size = num_used(batch);
   const bool is_copied = size <= MOST_COPIED;
   if (is_copied && !copy(batch, arena, taken))
      return false;
   if (is_copied) {
      *num_bytes += size;
      return true;
   }
   drop_touches(batch);
   drop_starts(batch);
   shrink(batch);
   *num_bytes += num_held(batch);
   *taken = *batch;
   gpu_batch_init(batch, batch->allocator);
   return true;
}
