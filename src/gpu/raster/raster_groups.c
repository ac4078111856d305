/* SPDX-License-Identifier: MIT
 *
 * Rasterization by vectors: the 16 blocks of a group are tested at once, and
 * then the 16 pixels of a block. Edges have 256ths of their values, relative to
 * the tile, in 32 bits. The blocks of a triangle that are few are tested one by
 * one, from each to the next by additions.
 */
#include <assert.h>
#include <string.h>

#include "gpu/raster/raster_parts.h"
#include "gpu/raster/sixteen.h"
#include "util/clones.h"
#include "util/four.h"
#include "util/halves.h"
#include "util/length.h"
#include "util/minmax.h"

enum {
   BLOCKS_EACH_WAY = GROUP_SIZE / GPU_BLOCK_SIZE,
   /* Of an edge's slopes, so that it changes by less than MOST_VALUE in a tile,
    * and of its values, which are further from 0 only where there is no change
    * of sign. */
   MOST_SLOPE = 1 << 21,
   MOST_VALUE = 1 << 29,
};

/* An edge that has both signs in the tile. */
struct edge {
   int32_t a, b; /* change from pixel to pixel, to the right and down */
   /* In the tile's first pixel: at its centre, and by sample. */
   int32_t center;
   int32_t sample[GPU_MAX_SAMPLES];
   struct gpu_sixteen pixels; /* change from the first of a block to each */
   /* Of shapes that are more than a few blocks: bounds of the change within a
    * block, of all its samples, and the change from the first block of a group
    * to each. */
   int32_t least, greatest;
   union {
      struct gpu_sixteen blocks;
      int32_t block[BLOCKS_EACH_WAY * BLOCKS_EACH_WAY];
   };
};

/* Functions below are inlined for either count of edges that they look at: of
 * triangles, or as many as there are at all. */
enum { FEW_EDGES = 3 };

struct edges {
   const struct raster_tile *tile;
   int32_t x, y;    /* of the tile */
   unsigned count;  /* afterwards FEW_EDGES or GPU_MAX_EDGES: the last ones may
                     * have 0 everywhere, and nothing is outside of them */
   bool is_outside; /* of one, anywhere in the tile */
   struct edge edge[GPU_MAX_EDGES];
};

/* ---- edges --------------------------------------------------------------- */

static void
find_blocks(struct edge *edge)
{
   const int32_t a = edge->a * GPU_BLOCK_SIZE, b = edge->b * GPU_BLOCK_SIZE;
   const tg_eight_ints rows = {0, a,     a * 2,     a * 3,
                               b, b + a, b + a * 2, b + a * 3};
   edge->blocks = (struct gpu_sixteen){rows, rows + b * 2};
}

static int32_t
magnitude(int32_t x)
{
   return x < 0 ? -x : x;
}

/* Samples are up to `reach` subpixels from their pixels' centres, each way. */
static void
find_bounds(struct edge *edge, int32_t reach)
{
   const int32_t across = edge->a * (GPU_BLOCK_SIZE - 1);
   const int32_t down = edge->b * (GPU_BLOCK_SIZE - 1);
   const int32_t steep = magnitude(edge->a) + magnitude(edge->b);
   const int32_t room = reach ? (steep * reach >> GPU_SUBPIXEL_BITS) + 1 : 0;
   edge->least = tg_min_i32(across, 0) + tg_min_i32(down, 0) - room;
   edge->greatest = tg_max_i32(across, 0) + tg_max_i32(down, 0) + room;
}

/* The values of an edge at the samples of a pixel, by that at its centre. One
 * sample is at the centre. */
static void
find_samples(const struct raster_tile *tile, const struct gpu_edge *edge,
             int64_t center, int32_t sample_out[GPU_MAX_SAMPLES])
{
   sample_out[0] = (int32_t)(center >> GPU_SUBPIXEL_BITS);
   for (uint32_t i = 0; i < tile->num_samples && tile->num_samples > 1; i++)
      sample_out[i] = (int32_t)((center + (int64_t)edge->a * tile->sample_x[i] +
                                 (int64_t)edge->b * tile->sample_y[i]) >>
                                GPU_SUBPIXEL_BITS);
}

static bool
is_too_steep(const struct gpu_edge *edge)
{
   return edge->a > MOST_SLOPE || edge->a < -MOST_SLOPE ||
          edge->b > MOST_SLOPE || edge->b < -MOST_SLOPE;
}

/* Adds an edge, unless it has one sign in the tile. False when it is too
 * steep. */
static bool
add_edge(struct edges *edges, const struct gpu_edge *from)
{
   const struct raster_tile *tile = edges->tile;
   const int32_t a = from->a, b = from->b;
   const int64_t first = gpu_edge_at(from, edges->x, edges->y);
   const int64_t value = first >> GPU_SUBPIXEL_BITS;
   if (is_too_steep(from))
      return false;
   edges->is_outside |= value < -MOST_VALUE;
   if (value > MOST_VALUE || value < -MOST_VALUE)
      return true;
   struct edge *edge = &edges->edge[edges->count++];
   edge->a = a;
   edge->b = b;
   edge->center = (int32_t)value;
   edge->pixels = gpu_changes_in_block(a, b);
   find_samples(tile, from, first, edge->sample);
   return true;
}

/* False when one is too steep. */
static bool
find_edges(struct edges *edges)
{
   const struct gpu_shape *shape = edges->tile->shape;
   for (unsigned i = 0; i < shape->num_edges && !edges->is_outside; i++) {
      if (!add_edge(edges, &shape->edge[i]))
         return false;
   }
   const unsigned count = edges->count <= FEW_EDGES ? FEW_EDGES : GPU_MAX_EDGES;
   for (; edges->count < count; edges->count++)
      memset(&edges->edge[edges->count], 0, sizeof(*edges->edge));
   return true;
}

/* ---- masks --------------------------------------------------------------- */

/* Bits first to last of four, as far as they are there. */
static uint32_t
range(int32_t first, int32_t last)
{
   const uint32_t from = (uint32_t)tg_max_i32(first, 0);
   const uint32_t to = (uint32_t)tg_min_i32(last, 3);
   return from > to || last < 0 ? 0 : (2u << to) - (1u << from);
}

/* Pixels of a block within the bounds, which has some of them. */
static uint32_t
bounded_pixels(const struct raster_tile *tile, int32_t x, int32_t y)
{
   const int32_t last = GPU_BLOCK_SIZE - 1;
   if (!tile->shape->is_cut)
      return 0xffff;
   return gpu_pixels_between(
      tg_max_i32(tile->min_x - x, 0), tg_max_i32(tile->min_y - y, 0),
      tg_min_i32(tile->max_x - x, last), tg_min_i32(tile->max_y - y, last));
}

/* Blocks of a group, row by row, in these columns and rows. */
static uint32_t
blocks_of(uint32_t columns, uint32_t rows)
{
   const uint32_t first =
      (rows & 1) | (rows & 2) << 3 | (rows & 4) << 6 | (rows & 8) << 9;
   return first * columns;
}

/* Those that have pixels within the bounds, and those that have no others. */
static uint32_t
touched_blocks(const struct raster_tile *tile, int32_t x, int32_t y)
{
   return blocks_of(range((tile->min_x - x) >> 2, (tile->max_x - x) >> 2),
                    range((tile->min_y - y) >> 2, (tile->max_y - y) >> 2));
}

static uint32_t
bounded_blocks(const struct raster_tile *tile, int32_t x, int32_t y)
{
   if (!tile->shape->is_cut)
      return 0xffff;
   return blocks_of(
      range((tile->min_x - x + 3) >> 2, (tile->max_x - x - 3) >> 2),
      range((tile->min_y - y + 3) >> 2, (tile->max_y - y - 3) >> 2));
}

/* ---- blocks -------------------------------------------------------------- */

/* The change of an edge from the tile's first pixel. */
static int32_t
change_to(const struct edges *edges, const struct edge *edge, int32_t x,
          int32_t y)
{
   return edge->a * (x - edges->x) + edge->b * (y - edges->y);
}

/* The values of edges in a pixel. */
struct values {
   int32_t of[GPU_MAX_EDGES];
};

/* Negative where a pixel of a block is outside of an edge, by their values in
 * its first pixel. */
static inline struct gpu_sixteen
test_pixels(const struct edges *edges, unsigned count,
            const struct values *first)
{
   const struct edge *edge = edges->edge;
   struct gpu_sixteen outside = {{0}, {0}};
   gpu_add_to_all(&outside, &edge[0].pixels, first->of[0]);
   gpu_add_to_all(&outside, &edge[1].pixels, first->of[1]);
   gpu_add_to_all(&outside, &edge[2].pixels, first->of[2]);
   if (count > FEW_EDGES)
      gpu_add_to_all(&outside, &edge[3].pixels, first->of[3]);
   return outside;
}

/* Pixels of a block that are inside of all edges. */
static inline uint32_t
covered_pixels(const struct edges *edges, unsigned count,
               const struct values *first)
{
   const struct gpu_sixteen outside = test_pixels(edges, count, first);
   return ~gpu_negatives(&outside) & 0xffff;
}

static inline int32_t
value_at(const struct edges *edges, unsigned edge, int32_t x, int32_t y)
{
   return edges->edge[edge].center + change_to(edges, &edges->edge[edge], x, y);
}

/* At a pixel's centre. */
static inline struct values
values_at(const struct edges *edges, unsigned count, int32_t x, int32_t y)
{
   return (struct values){{
      value_at(edges, 0, x, y),
      value_at(edges, 1, x, y),
      value_at(edges, 2, x, y),
      count > FEW_EDGES ? value_at(edges, 3, x, y) : 0,
   }};
}

/* At a sample of the pixel. */
static struct values
values_at_sample(const struct edges *edges, const struct values *center,
                 uint32_t sample)
{
   struct values values = *center;
   for (unsigned i = 0; i < edges->count; i++)
      values.of[i] += edges->edge[i].sample[sample] - edges->edge[i].center;
   return values;
}

/* Blocks that wait for the sink. */
struct list {
   uint32_t count;
   struct gpu_live_block blocks[GPU_MOST_BLOCKS];
   uint16_t each[GPU_MOST_BLOCKS][GPU_BLOCK_PIXELS];
};

/* One without a live pixel is as if it were not there. */
static inline void
add_block(struct list *list, int32_t x, int32_t y, uint32_t live,
          const uint16_t *each)
{
   assert(list->count < GPU_MOST_BLOCKS);
   list->blocks[list->count] = (struct gpu_live_block){x, y, live, each};
   list->count += live != 0;
}

/* The same by the samples of each pixel that are covered, of which those
 * outside of the bounds are cleared. Whether some pixels lack samples is as
 * good as random: nothing branches on it. */
static inline void
add_samples(const struct raster_tile *tile, int32_t x, int32_t y,
            struct gpu_sixteen *covered, struct list *list)
{
   assert(list->count < GPU_MOST_BLOCKS);
   uint16_t *each = list->each[list->count];
   covered->low &= tile->all;
   covered->high &= tile->all;
   gpu_keep_numbers(covered, bounded_pixels(tile, x, y));
   tg_store_eight_halves(each, (tg_eight)covered->low);
   tg_store_eight_halves(each + 8, (tg_eight)covered->high);
   const uint32_t live = tg_sixteen_halves_set(each);
   const uint32_t full = tg_sixteen_halves_equal(each, tile->all);
   add_block(list, x, y, live, live & ~full ? each : NULL);
}

/* Adds a sample to what is covered, by what is outside of an edge. */
static inline void
cover_sample(uint32_t sample, const struct gpu_sixteen *outside,
             struct gpu_sixteen *covered)
{
   const int32_t bit = INT32_C(1) << sample;
   covered->low |= ~(outside->low >> 31) & bit;
   covered->high |= ~(outside->high >> 31) & bit;
}

static void
raster_samples(const struct edges *edges, int32_t x, int32_t y,
               struct list *list)
{
   const struct raster_tile *tile = edges->tile;
   const struct values center = values_at(edges, edges->count, x, y);
   struct gpu_sixteen covered = {{0}, {0}};
   for (uint32_t s = 0; s < tile->num_samples; s++) {
      const struct values first = values_at_sample(edges, &center, s);
      const struct gpu_sixteen outside =
         test_pixels(edges, edges->count, &first);
      cover_sample(s, &outside, &covered);
   }
   add_samples(tile, x, y, &covered, list);
}

static void
give_away(const struct raster_tile *tile, const struct list *list)
{
   const struct gpu_raster_sink *sink = tile->sink;
   if (list->count)
      sink->blocks(sink->user, list->blocks, list->count, tile->all);
}

/* ---- groups -------------------------------------------------------------- */

/* Of a group, row by row. */
static int32_t
block_x(int32_t x, uint32_t number)
{
   return x + (int32_t)(number % BLOCKS_EACH_WAY * GPU_BLOCK_SIZE);
}

static int32_t
block_y(int32_t y, uint32_t number)
{
   return y + (int32_t)(number / BLOCKS_EACH_WAY * GPU_BLOCK_SIZE);
}

/* How the blocks of a group are in relation to the edges. */
struct classes {
   uint32_t outside; /* of one of them */
   uint32_t cut;     /* by one of them, perhaps */
};

static inline struct classes
classify(const struct edges *edges, unsigned count, const struct values *first)
{
   struct gpu_sixteen outside = {{0}, {0}}, cut = outside;
   for (unsigned i = 0; i < count; i++) {
      const struct edge *edge = &edges->edge[i];
      gpu_add_to_all(&outside, &edge->blocks, first->of[i] + edge->greatest);
      gpu_add_to_all(&cut, &edge->blocks, first->of[i] + edge->least);
   }
   return (struct classes){gpu_negatives(&outside), gpu_negatives(&cut)};
}

static void
raster_samples_of(const struct edges *edges, int32_t x, int32_t y,
                  uint32_t blocks, struct list *list)
{
   for (; blocks; blocks &= blocks - 1) {
      const uint32_t number = (uint32_t)__builtin_ctz(blocks);
      raster_samples(edges, block_x(x, number), block_y(y, number), list);
   }
}

static inline struct values
values_of_block(const struct edges *edges, unsigned count,
                const struct values *first, uint32_t number)
{
   const struct edge *edge = edges->edge;
   return (struct values){{
      first->of[0] + edge[0].block[number],
      first->of[1] + edge[1].block[number],
      first->of[2] + edge[2].block[number],
      count > FEW_EDGES ? first->of[3] + edge[3].block[number] : 0,
   }};
}

/* Blocks of a group, in whose first pixel edges have these values. */
static inline void
raster_pixels_of(const struct edges *edges, unsigned count,
                 const struct values *first, int32_t x, int32_t y,
                 uint32_t blocks, struct list *list)
{
   for (; blocks; blocks &= blocks - 1) {
      const uint32_t number = (uint32_t)__builtin_ctz(blocks);
      const int32_t at_x = block_x(x, number), at_y = block_y(y, number);
      const struct values values = values_of_block(edges, count, first, number);
      add_block(list, at_x, at_y,
                covered_pixels(edges, count, &values) &
                   bounded_pixels(edges->tile, at_x, at_y),
                NULL);
   }
}

static inline void
raster_group(const struct edges *edges, unsigned count, int32_t x, int32_t y)
{
   const struct raster_tile *tile = edges->tile;
   const struct gpu_raster_sink *sink = tile->sink;
   const struct values first = values_at(edges, count, x, y);
   const struct classes classes = classify(edges, count, &first);
   const uint32_t touched = touched_blocks(tile, x, y) & ~classes.outside;
   const uint32_t whole = bounded_blocks(tile, x, y) & ~classes.cut;
   struct list list;
   if (whole == 0xffff) {
      sink->square(sink->user, x, y, GROUP_SIZE, tile->all);
      return;
   }
   list.count = 0;
   for (uint32_t left = touched & whole; left; left &= left - 1) {
      const uint32_t number = (uint32_t)__builtin_ctz(left);
      add_block(&list, block_x(x, number), block_y(y, number), 0xffff, NULL);
   }
   if (tile->num_samples > 1)
      raster_samples_of(edges, x, y, touched & ~whole, &list);
   else
      raster_pixels_of(edges, count, &first, x, y, touched & ~whole, &list);
   give_away(tile, &list);
}

/* ---- shapes of few blocks ------------------------------------------------ */

/* An edge of a shape: its values in the pixels of a block, and how they change
 * to the next one, to the right and down. Where pixels have samples they are
 * relative to those of the first block's first pixel. */
struct side {
   struct gpu_sixteen pixels;
   tg_eight_ints right, down;
   int32_t sample[GPU_MAX_SAMPLES];
};

/* False when 32 bits do not hold its values in GPU_MOST_BLOCKS blocks from the
 * one at (x, y). */
static inline bool
find_side(const struct raster_tile *tile, const struct gpu_edge *edge,
          int32_t x, int32_t y, struct side *side)
{
   const int32_t a = edge->a, b = edge->b;
   const int64_t first = gpu_edge_at(edge, x, y);
   const int64_t value = first >> GPU_SUBPIXEL_BITS;
   if (is_too_steep(edge) || value > MOST_VALUE || value < -MOST_VALUE)
      return false;
   side->pixels = gpu_changes_in_block(a, b);
   side->right = (tg_eight_ints){0} + a * GPU_BLOCK_SIZE;
   side->down = (tg_eight_ints){0} + b * GPU_BLOCK_SIZE;
   find_samples(tile, edge, first, side->sample);
   if (tile->num_samples == 1)
      gpu_move(&side->pixels, (tg_eight_ints){0} + side->sample[0]);
   return true;
}

/* A block whose pixels have these values. */
static inline void
raster_centers(const struct raster_tile *tile, unsigned count,
               const struct gpu_sixteen values[GPU_MAX_EDGES], int32_t x,
               int32_t y, struct list *list)
{
   struct gpu_sixteen outside = values[0];
#pragma GCC unroll 4
   for (unsigned i = 1; i < count; i++)
      gpu_add_to_all(&outside, &values[i], 0);
   add_block(list, x, y, ~gpu_negatives(&outside) & bounded_pixels(tile, x, y),
             NULL);
}

/* The same with samples. */
static inline void
raster_samples_at(const struct raster_tile *tile, unsigned count,
                  unsigned num_samples, const struct side sides[GPU_MAX_EDGES],
                  const struct gpu_sixteen values[GPU_MAX_EDGES], int32_t x,
                  int32_t y, struct list *list)
{
   struct gpu_sixteen covered = {{0}, {0}};
#pragma GCC unroll 4
   for (uint32_t s = 0; s < num_samples; s++) {
      struct gpu_sixteen outside = {{0}, {0}};
#pragma GCC unroll 4
      for (unsigned i = 0; i < count; i++)
         gpu_add_to_all(&outside, &values[i], sides[i].sample[s]);
      cover_sample(s, &outside, &covered);
   }
   add_samples(tile, x, y, &covered, list);
}

/* Blocks of a row from the one at (x, y) on. */
static inline void
raster_row(const struct raster_tile *tile, unsigned count, unsigned num_samples,
           const struct side sides[GPU_MAX_EDGES], int32_t x, int32_t y,
           struct list *list)
{
   /* As the count is not known where this is not inlined. */
   struct gpu_sixteen values[GPU_MAX_EDGES] = {{{0}, {0}}};
#pragma GCC unroll 4
   for (unsigned i = 0; i < count; i++)
      values[i] = sides[i].pixels;
   for (; x <= tile->max_x; x += GPU_BLOCK_SIZE) {
      if (num_samples > 1)
         raster_samples_at(tile, count, num_samples, sides, values, x, y, list);
      else
         raster_centers(tile, count, values, x, y, list);
#pragma GCC unroll 4
      for (unsigned i = 0; i < count; i++)
         gpu_move(&values[i], sides[i].right);
   }
}

static inline bool
raster_few_blocks(const struct raster_tile *tile, unsigned count,
                  unsigned num_samples)
{
   const int32_t x = tile->min_x & -GPU_BLOCK_SIZE;
   int32_t y = tile->min_y & -GPU_BLOCK_SIZE;
   struct side sides[GPU_MAX_EDGES];
   struct list list;
#pragma GCC unroll 4
   for (unsigned i = 0; i < count; i++) {
      if (!find_side(tile, &tile->shape->edge[i], x, y, &sides[i]))
         return false;
   }
   list.count = 0;
   for (; y <= tile->max_y; y += GPU_BLOCK_SIZE) {
      raster_row(tile, count, num_samples, sides, x, y, &list);
#pragma GCC unroll 4
      for (unsigned i = 0; i < count; i++)
         gpu_move(&sides[i].pixels, sides[i].down);
   }
   give_away(tile, &list);
   return true;
}

/* Inlined for the usual counts of samples. */
static inline bool
raster_few_blocks_of(const struct raster_tile *tile, unsigned count)
{
   switch (tile->num_samples) {
   case 1: return raster_few_blocks(tile, count, 1);
   case 4: return raster_few_blocks(tile, count, 4);
   default: return raster_few_blocks(tile, count, tile->num_samples);
   }
}

/* Blocks of the shape's bounds, one way. */
static int32_t
num_blocks_between(int32_t min, int32_t max)
{
   return (max >> 2) - (min >> 2) + 1;
}

/* Of few blocks it does not pay to find their classes. False, and nothing is
 * done, when the shape is not for it. */
static inline bool
raster_if_few_blocks(const struct raster_tile *tile)
{
   if (num_blocks_between(tile->min_x, tile->max_x) *
          num_blocks_between(tile->min_y, tile->max_y) >
       GPU_MOST_BLOCKS)
      return false;
   switch (tile->shape->num_edges) {
   case FEW_EDGES: return raster_few_blocks_of(tile, FEW_EDGES);
   case GPU_MAX_EDGES: return raster_few_blocks_of(tile, GPU_MAX_EDGES);
   default: return false;
   }
}

/* ---- tiles --------------------------------------------------------------- */

static bool
is_whole(const struct edges *edges)
{
   const int32_t steps = (GPU_TILE_SIZE - 1) / (GPU_BLOCK_SIZE - 1);
   bool is_cut = false;
   for (unsigned i = 0; i < edges->count; i++) {
      const struct edge *edge = &edges->edge[i];
      is_cut |= edge->center + edge->least * steps < 0;
   }
   return !is_cut && raster_is_within_bounds(edges->tile, edges->x, edges->y,
                                             GPU_TILE_SIZE);
}

static inline void
raster_tile(struct edges *edges, unsigned count)
{
   const struct raster_tile *tile = edges->tile;
   for (unsigned i = 0; i < count; i++) {
      find_bounds(&edges->edge[i], tile->reach);
      find_blocks(&edges->edge[i]);
   }
   if (is_whole(edges)) {
      tile->sink->square(tile->sink->user, edges->x, edges->y, GPU_TILE_SIZE,
                         tile->all);
      return;
   }
   for (int32_t y = tile->min_y & -GROUP_SIZE; y <= tile->max_y;
        y += GROUP_SIZE) {
      for (int32_t x = tile->min_x & -GROUP_SIZE; x <= tile->max_x;
           x += GROUP_SIZE)
         raster_group(edges, count, x, y);
   }
}

TG_CLONES static bool
raster_by_groups(const struct raster_tile *tile, int32_t tile_x, int32_t tile_y)
{
   struct edges edges;
   if (raster_if_few_blocks(tile))
      return true;
   edges.tile = tile;
   edges.x = tile_x;
   edges.y = tile_y;
   edges.count = 0;
   edges.is_outside = false;
   if (!find_edges(&edges))
      return false;
   if (edges.is_outside)
      return true;
   if (edges.count == FEW_EDGES)
      raster_tile(&edges, FEW_EDGES);
   else
      raster_tile(&edges, GPU_MAX_EDGES);
   return true;
}

bool
raster_groups(const struct raster_tile *tile, int32_t tile_x, int32_t tile_y)
{
   return raster_by_groups(tile, tile_x, tile_y);
}
