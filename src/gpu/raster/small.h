/* SPDX-License-Identifier: MIT
 *
 * Coverage of small shapes: triangles and points within four quads are
 * rasterized as they are set up, so that triangles between pixels' centres are
 * culled there, and tiles have nothing left to test.
 */
#ifndef TG_GPU_SMALL_H
#define TG_GPU_SMALL_H

#include "gpu/raster/raster.h"
#include "gpu/raster/sixteen.h"

enum {
   /* Subpixels between the corners, each way, so that 32 bits hold the edges
    * anywhere in four quads. */
   GPU_SMALL_EXTENT = 8 << GPU_SUBPIXEL_BITS,
};

/* The first pixel of the quads that have a column or row. */
static inline int32_t
gpu_first_of_quads(int32_t x)
{
   return x & ~1;
}

static inline bool
gpu_is_within_quads(int32_t min, int32_t max)
{
   const int32_t first = gpu_first_of_quads(min);
   return max - first < GPU_BLOCK_SIZE &&
          first / GPU_TILE_SIZE == max / GPU_TILE_SIZE;
}

/* Do a shape's bounds fit into four quads of one tile? */
static inline bool
gpu_is_small(const struct gpu_shape *shape)
{
   return gpu_is_within_quads(shape->min_x, shape->max_x) &&
          gpu_is_within_quads(shape->min_y, shape->max_y);
}

/* All pixels within the bounds of a small shape, as gpu_shape::quads. */
static inline uint16_t
gpu_cover_bounds(const struct gpu_shape *shape)
{
   const int32_t x = gpu_first_of_quads(shape->min_x);
   const int32_t y = gpu_first_of_quads(shape->min_y);
   return (uint16_t)gpu_pixels_between(shape->min_x - x, shape->min_y - y,
                                       shape->max_x - x, shape->max_y - y);
}

/* The pixels of a small triangle whose centres are covered, as
 * gpu_shape::quads: 0 when there are none. Its corners are no further from each
 * other than GPU_SMALL_EXTENT. */
static inline uint16_t
gpu_cover_small(const struct gpu_shape *shape)
{
   const int32_t x = gpu_first_of_quads(shape->min_x);
   const int32_t y = gpu_first_of_quads(shape->min_y);
   struct gpu_sixteen outside = {{0}, {0}};
   for (unsigned i = 0; i < 3; i++) {
      const struct gpu_edge *edge = &shape->edge[i];
      const struct gpu_sixteen changes =
         gpu_changes_in_block(edge->a * (1 << GPU_SUBPIXEL_BITS),
                              edge->b * (1 << GPU_SUBPIXEL_BITS));
      gpu_add_to_all(&outside, &changes, (int32_t)gpu_edge_at(edge, x, y));
   }
   return (uint16_t)(~gpu_negatives(&outside) & gpu_cover_bounds(shape));
}

#endif
