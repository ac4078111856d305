/* SPDX-License-Identifier: MIT
 *
 * Hierarchical rasterization by edge functions: from tiles to groups of 16 by
 * 16 and blocks of 4 by 4 pixels to samples. A square is outside of an edge
 * that is negative where it is greatest (trivial reject), and edges that are
 * not negative where they are least need not be looked at within it (trivial
 * accept).
 *
 * Signs are all that counts, and slopes are multiples of 256, so that 256ths of
 * an edge's values do. Where a tile's are 32 bits wide, the 16 blocks of a
 * group and the 16 pixels of a block are tested at once; of edges that are
 * steeper, and of circles, squares are tested one by one.
 */
#include "gpu/raster/raster_parts.h"

#include <assert.h>
#include <string.h>

#include "abi/bindings.h"
#include "gpu/raster/small.h"
#include "util/halves.h"
#include "util/length.h"
#include "util/minmax.h"

enum {
   /* A sample is no further than this from its pixel's centre, each way. */
   SAMPLE_REACH = SUBPIXELS / 2,
};

/* Bits of the columns and rows above, as masks. */
static const raster_words odd_column = {0, -1, 0, -1, 0, -1, 0, -1,
                                        0, -1, 0, -1, 0, -1, 0, -1};
static const raster_words odd_row = {0, 0, -1, -1, 0, 0, -1, -1,
                                     0, 0, -1, -1, 0, 0, -1, -1};
static const raster_words right_half = {0, 0, 0, 0, -1, -1, -1, -1,
                                        0, 0, 0, 0, -1, -1, -1, -1};
static const raster_words lower_half = {0,  0,  0,  0,  0,  0,  0,  0,
                                        -1, -1, -1, -1, -1, -1, -1, -1};

static const raster_words column = {0, 1, 0, 1, 2, 3, 2, 3,
                                    0, 1, 0, 1, 2, 3, 2, 3};
static const raster_words row = {0, 0, 1, 1, 0, 0, 1, 1,
                                 2, 2, 3, 3, 2, 2, 3, 3};

/* ---- state --------------------------------------------------------------- */

bool
gpu_raster_has_samples(const struct tg_rasterizer_state *rasterizer,
                       uint32_t num_samples)
{
   return rasterizer->multisample && num_samples > 1;
}

bool
gpu_raster_is_smooth(const struct tg_rasterizer_state *rasterizer,
                     uint32_t num_samples, enum gpu_shape_kind kind)
{
   const bool has_samples = gpu_raster_has_samples(rasterizer, num_samples);
   switch (kind) {
   case GPU_SHAPE_POLYGON: return rasterizer->poly_smooth && num_samples <= 1;
   case GPU_SHAPE_LINE: return rasterizer->line_smooth && !has_samples;
   default:
      return rasterizer->point_smooth && !has_samples &&
             !rasterizer->point_quad_rasterization;
   }
}

const uint32_t *
gpu_raster_sample_position(uint32_t num_samples, uint32_t sample)
{
   assert(sample < num_samples);
   return &abi_tables[ABI_TABLE_POSITIONS + (num_samples - 1 + sample) * 2];
}

void
gpu_raster_init(struct gpu_raster *raster, const struct gpu_state *state)
{
   const uint32_t num_samples = state->framebuffer.samples;
   const bool is_smooth = gpu_raster_is_smooth(&state->rasterizer->state,
                                               num_samples, GPU_SHAPE_POLYGON);
   *raster = (struct gpu_raster){
      .num_samples = (uint8_t)num_samples,
      .polygon_samples = is_smooth ? GPU_MAX_SAMPLES : (uint8_t)num_samples,
      .sample_mask = (uint16_t)state->sample_mask,
      .is_stippled = state->rasterizer->state.poly_stipple_enable,
      .windows = state->window_rectangles,
   };
   memcpy(raster->stipple, state->polygon_stipple, sizeof(raster->stipple));
   for (uint32_t i = 0; i < raster->polygon_samples; i++) {
      const uint32_t *place =
         gpu_raster_sample_position(raster->polygon_samples, i);
      raster->sample_x[i] =
         (int16_t)(((int32_t)place[0] - 8) * (SUBPIXELS / 16));
      raster->sample_y[i] =
         (int16_t)(((int32_t)place[1] - 8) * (SUBPIXELS / 16));
   }
}

/* ---- squares ------------------------------------------------------------- */

/* The bounds of an edge over the samples of a square, which are up to `reach`
 * subpixels from the centres of its pixels. */
static void
edge_bounds(const struct gpu_edge *edge, int32_t x, int32_t y, int32_t size,
            int32_t reach, int64_t *min_out, int64_t *max_out)
{
   const int64_t first = gpu_edge_at(edge, x, y);
   const int64_t a = edge->a, b = edge->b;
   const int64_t across = a * SUBPIXELS * (size - 1);
   const int64_t down = b * SUBPIXELS * (size - 1);
   const int64_t more = ((a < 0 ? -a : a) + (b < 0 ? -b : b)) * reach;
   *min_out = first - more + (across < 0 ? across : 0) + (down < 0 ? down : 0);
   *max_out = first + more + (across > 0 ? across : 0) + (down > 0 ? down : 0);
}

static int64_t
square(int64_t a)
{
   return a * a;
}

/* The least and the greatest distance, each way, from the circle's centre to
 * the samples between two pixels. */
static void
reach_bounds(int32_t center, int32_t first, int32_t last, int32_t reach,
             int64_t *min_out, int64_t *max_out)
{
   const int64_t low = (int64_t)first * SUBPIXELS + SUBPIXELS / 2 - reach;
   const int64_t high = (int64_t)last * SUBPIXELS + SUBPIXELS / 2 + reach;
   const int64_t to_low = low - center, to_high = high - center;
   *min_out = to_low > 0 ? to_low : to_high < 0 ? -to_high : 0;
   *max_out = -to_low > to_high ? -to_low : to_high;
}

enum where { OUTSIDE, INSIDE, BETWEEN };

static enum where
where_in_circle(const struct gpu_shape *shape, int32_t x, int32_t y,
                int32_t size, int32_t reach)
{
   int64_t min_dx, max_dx, min_dy, max_dy;
   reach_bounds(shape->center_x, x, x + size - 1, reach, &min_dx, &max_dx);
   reach_bounds(shape->center_y, y, y + size - 1, reach, &min_dy, &max_dy);
   if (square(min_dx) + square(min_dy) > shape->squared_radius)
      return OUTSIDE;
   return square(max_dx) + square(max_dy) <= shape->squared_radius ? INSIDE
                                                                   : BETWEEN;
}

/* Of a square of pixels. `*edges`: bit i for each edge to look at, without
 * those that the square is inside of. */
static enum where
where_is(const struct gpu_shape *shape, int32_t x, int32_t y, int32_t size,
         int32_t reach, unsigned *edges)
{
   unsigned cut = 0;
   for (unsigned i = 0; i < shape->num_edges; i++) {
      int64_t least, greatest;
      if (!(*edges >> i & 1))
         continue;
      edge_bounds(&shape->edge[i], x, y, size, reach, &least, &greatest);
      if (greatest < 0)
         return OUTSIDE;
      cut |= (unsigned)(least < 0) << i;
   }
   *edges = cut;
   const enum where where = cut ? BETWEEN : INSIDE;
   if (!shape->is_round)
      return where;
   const enum where circle = where_in_circle(shape, x, y, size, reach);
   return circle == INSIDE ? where : circle;
}

bool
gpu_raster_touches(const struct gpu_shape *shape, int32_t tile_x,
                   int32_t tile_y)
{
   unsigned edges = (1u << shape->num_edges) - 1;
   return where_is(shape, tile_x, tile_y, GPU_TILE_SIZE, SAMPLE_REACH,
                   &edges) != OUTSIDE;
}

/* ---- samples of blocks --------------------------------------------------- */

/* Samples that are outside of an edge, which has this value at the centre of
 * the block's first pixel. */
static void
test_edge(const struct raster_tile *tile, unsigned i, int64_t first,
          uint32_t sample, raster_words *outside)
{
   assert(i < TG_LENGTH(tile->shape->edge));
   const struct gpu_edge *edge = &tile->shape->edge[i];
   const int64_t at_sample = first + (int64_t)edge->a * tile->sample_x[sample] +
                             (int64_t)edge->b * tile->sample_y[sample];
   *outside |= tile->step[i] + (int32_t)(at_sample >> GPU_SUBPIXEL_BITS);
}

static void
test_circle(const struct raster_tile *tile, int32_t x, int32_t y,
            uint32_t sample, raster_words *outside)
{
   const struct gpu_shape *shape = tile->shape;
   const int32_t half = SUBPIXELS / 2;
   const int64_t dx =
      (int64_t)x * SUBPIXELS + half + tile->sample_x[sample] - shape->center_x;
   const int64_t dy =
      (int64_t)y * SUBPIXELS + half + tile->sample_y[sample] - shape->center_y;
   for (unsigned i = 0; i < GPU_BLOCK_PIXELS; i++) {
      const int64_t distance =
         square(dx + column[i] * SUBPIXELS) + square(dy + row[i] * SUBPIXELS);
      (*outside)[i] |= distance > shape->squared_radius ? -1 : 0;
   }
}

/* Comparisons of vectors are slow where a processor has smaller ones; signs are
 * not. */
static void
test_bounds(const struct raster_tile *tile, int32_t x, int32_t y,
            raster_words *outside)
{
   *outside |= (column - (tile->min_x - x)) | (tile->max_x - x - column) |
               (row - (tile->min_y - y)) | (tile->max_y - y - row);
}

static bool
is_in_stipple(const struct gpu_raster *raster, int32_t x, int32_t y)
{
   return raster->stipple[y & 31] >> (31 - (x & 31)) & 1;
}

/* ---- window rectangles --------------------------------------------------- */

static bool
is_in_window(const struct tg_scissor *window, int32_t x, int32_t y)
{
   return x >= window->min_x && x < window->max_x && y >= window->min_y &&
          y < window->max_y;
}

/* May a pixel change, which some rectangle includes or none excludes? */
static bool
is_in_windows(const struct gpu_window_rectangles *windows, int32_t x, int32_t y)
{
   bool is_in = false;
   for (uint32_t k = 0; k < windows->count && !is_in; k++)
      is_in = is_in_window(&windows->rectangle[k], x, y);
   return is_in == windows->include;
}

/* Of the shape's pixels in the tile: OUTSIDE when none may change, INSIDE when
 * all may. */
static enum where
where_in_windows(const struct raster_tile *tile)
{
   const struct gpu_window_rectangles *windows = &tile->raster->windows;
   bool is_near_one = false;
   for (uint32_t k = 0; k < windows->count; k++) {
      const struct tg_scissor *window = &windows->rectangle[k];
      if (is_in_window(window, tile->min_x, tile->min_y) &&
          is_in_window(window, tile->max_x, tile->max_y))
         return windows->include ? INSIDE : OUTSIDE;
      is_near_one |=
         tile->min_x < window->max_x && tile->max_x >= window->min_x &&
         tile->min_y < window->max_y && tile->max_y >= window->min_y;
   }
   if (is_near_one)
      return BETWEEN;
   return windows->include ? OUTSIDE : INSIDE;
}

/* ---- blocks -------------------------------------------------------------- */

/* Pixels of a block that the stipple pattern and window rectangles leave, bit i
 * for pixel i. */
static uint32_t
find_left(const struct gpu_raster *raster, bool is_stippled, bool has_windows,
          int32_t block_x, int32_t block_y)
{
   uint32_t left = 0;
   for (unsigned i = 0; i < GPU_BLOCK_PIXELS; i++) {
      const int32_t x = block_x + column[i], y = block_y + row[i];
      const bool is_left =
         (!is_stippled || is_in_stipple(raster, x, y)) &&
         (!has_windows || is_in_windows(&raster->windows, x, y));
      left |= (uint32_t)is_left << i;
   }
   return left;
}

static void
leave_out(const struct raster_tile *tile, int32_t x, int32_t y,
          raster_words *coverage)
{
   const uint32_t left =
      find_left(tile->raster, tile->is_stippled, tile->has_windows, x, y);
   for (unsigned i = 0; i < GPU_BLOCK_PIXELS; i++)
      (*coverage)[i] &= -(int32_t)(left >> i & 1);
}

/* A block, of which these edges have to be looked at. */
static void
raster_block(const struct raster_tile *tile, int32_t x, int32_t y,
             unsigned edges, bool is_cut)
{
   const struct gpu_shape *shape = tile->shape;
   raster_words coverage = {0}, beyond = {0};
   int64_t first[GPU_MAX_EDGES];
   unsigned number[GPU_MAX_EDGES], num_edges = 0;
   for (unsigned i = 0; edges >> i; i++) {
      first[num_edges] = gpu_edge_at(&shape->edge[i], x, y);
      number[num_edges] = i;
      num_edges += edges >> i & 1;
   }
   if (!raster_is_within_bounds(tile, x, y, GPU_BLOCK_SIZE))
      test_bounds(tile, x, y, &beyond);
   for (uint32_t sample = 0; sample < tile->num_samples; sample++) {
      raster_words outside = beyond;
      for (unsigned i = 0; i < num_edges; i++)
         test_edge(tile, number[i], first[i], sample, &outside);
      if (is_cut && shape->is_round)
         test_circle(tile, x, y, sample, &outside);
      coverage |= ~(outside >> 31) & (int32_t)tile->one << sample;
   }
   coverage &= (int32_t)tile->all;
   if (tile->is_stippled || tile->has_windows)
      leave_out(tile, x, y, &coverage);

   const union {
      raster_halves all;
      uint16_t each[GPU_BLOCK_PIXELS];
   } halves = {__builtin_convertvector(coverage, raster_halves)};
   const struct gpu_live_block block = {
      x, y, tg_sixteen_halves_set(halves.each), halves.each};
   if (block.live)
      tile->sink->blocks(tile->sink->user, &block, 1, tile->all);
}

/* ---- tiles --------------------------------------------------------------- */

/* A square as a whole, if it is all in or out, or part by part. */
static void
raster_square(const struct raster_tile *tile, int32_t x, int32_t y,
              int32_t size, unsigned edges)
{
   const enum where where =
      where_is(tile->shape, x, y, size, tile->reach, &edges);
   if (where == OUTSIDE)
      return;
   if (where == INSIDE && !tile->is_stippled && !tile->has_windows &&
       raster_is_within_bounds(tile, x, y, size)) {
      tile->sink->square(tile->sink->user, x, y, size, tile->all);
      return;
   }
   if (size == GPU_BLOCK_SIZE) {
      raster_block(tile, x, y, edges, where == BETWEEN);
      return;
   }
   const int32_t part = size / 4;
   const int32_t last_x = tg_min_i32(x + size - 1, tile->max_x);
   const int32_t last_y = tg_min_i32(y + size - 1, tile->max_y);
   for (int32_t j = tg_max_i32(y, tile->min_y & -part); j <= last_y;
        j += part) {
      for (int32_t i = tg_max_i32(x, tile->min_x & -part); i <= last_x;
           i += part)
         raster_square(tile, i, j, part, edges);
   }
}

/* Which samples are looked at, and what they stand for. */
static void
choose_samples(struct raster_tile *tile)
{
   const struct gpu_raster *raster = tile->raster;
   const bool is_polygon = tile->shape->kind == GPU_SHAPE_POLYGON;
   const uint32_t num_samples =
      is_polygon ? raster->polygon_samples : raster->num_samples;
   const uint32_t all = (UINT32_C(1) << num_samples) - 1;
   tile->is_stippled = is_polygon && raster->is_stippled;
   if (num_samples == raster->num_samples)
      tile->all = (uint16_t)(all & raster->sample_mask);
   else
      tile->all = raster->sample_mask & 1 ? (uint16_t)all : 0;
   static const int16_t centre[1] = {0};
   const bool is_by_pixel = num_samples == 1 || tile->shape->is_by_pixel;
   tile->num_samples = is_by_pixel ? 1 : num_samples;
   tile->one = is_by_pixel ? (uint16_t)all : 1;
   tile->reach = is_by_pixel ? 0 : SAMPLE_REACH;
   tile->sample_x = is_by_pixel ? centre : raster->sample_x;
   tile->sample_y = is_by_pixel ? centre : raster->sample_y;
}

/* How an edge changes from pixel to pixel. */
static void
find_steps(struct raster_tile *tile, unsigned i)
{
   assert(i < TG_LENGTH(tile->shape->edge));
   const int32_t a = tile->shape->edge[i].a, b = tile->shape->edge[i].b;
   tile->step[i] = (odd_column & a) + (right_half & (a * 2)) + (odd_row & b) +
                   (lower_half & (b * 2));
}

uint32_t
gpu_raster_leave_out(const struct gpu_raster *raster,
                     const struct gpu_shape *shape, uint32_t live)
{
   const bool has_windows = raster->windows.count || raster->windows.include;
   const bool is_stippled =
      shape->kind == GPU_SHAPE_POLYGON && raster->is_stippled;
   return live & find_left(raster, is_stippled, has_windows,
                           gpu_first_of_quads(shape->min_x),
                           gpu_first_of_quads(shape->min_y));
}

static void
give_quads(const struct gpu_raster *raster, const struct gpu_shape *shape,
           const struct gpu_raster_sink *sink)
{
   uint16_t coverage;
   const struct gpu_live_block block = {
      gpu_first_of_quads(shape->min_x), gpu_first_of_quads(shape->min_y),
      gpu_raster_quads(raster, shape, &coverage), NULL};
   if (block.live)
      sink->blocks(sink->user, &block, 1, coverage);
}

void
gpu_raster_tile(const struct gpu_raster *raster, const struct gpu_shape *shape,
                int32_t tile_x, int32_t tile_y,
                const struct gpu_raster_sink *sink)
{
   const unsigned edges = (1u << shape->num_edges) - 1;
   struct raster_tile tile;
   if (shape->quads) {
      if ((shape->min_x & -GPU_TILE_SIZE) == tile_x &&
          (shape->min_y & -GPU_TILE_SIZE) == tile_y)
         give_quads(raster, shape, sink);
      return;
   }
   tile.raster = raster;
   tile.shape = shape;
   tile.sink = sink;
   tile.min_x = tg_max_i32(shape->min_x, tile_x);
   tile.min_y = tg_max_i32(shape->min_y, tile_y);
   tile.max_x = tg_min_i32(shape->max_x, tile_x + GPU_TILE_SIZE - 1);
   tile.max_y = tg_min_i32(shape->max_y, tile_y + GPU_TILE_SIZE - 1);
   choose_samples(&tile);
   if (!tile.all || tile.min_x > tile.max_x || tile.min_y > tile.max_y)
      return;
   const enum where where = where_in_windows(&tile);
   if (where == OUTSIDE)
      return;
   tile.has_windows = where == BETWEEN;
   if (!shape->is_round && !tile.is_stippled && !tile.has_windows &&
       raster_groups(&tile, tile_x, tile_y))
      return;
   for (unsigned i = 0; i < shape->num_edges; i++)
      find_steps(&tile, i);

   /* From the smallest square that has all of it. */
   const int32_t differ = (tile.min_x ^ tile.max_x) | (tile.min_y ^ tile.max_y);
   int32_t size = GPU_TILE_SIZE;
   if (differ < GROUP_SIZE)
      size = differ < GPU_BLOCK_SIZE ? GPU_BLOCK_SIZE : GROUP_SIZE;
   raster_square(&tile, tile.min_x & -size, tile.min_y & -size, size, edges);
}
