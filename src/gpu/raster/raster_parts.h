/* SPDX-License-Identifier: MIT
 *
 * What the files of the rasteriser share: a shape in a tile, and the order of a
 * block's pixels.
 */
#ifndef TG_GPU_RASTER_PARTS_H
#define TG_GPU_RASTER_PARTS_H

#include "gpu/raster/raster.h"

enum {
   GROUP_SIZE = 16, /* pixels each way, of blocks that are tested together */
   SUBPIXELS = 1 << GPU_SUBPIXEL_BITS,
};

/* The pixels of a block, those of a quad in a row:
 *
 *     0  1  4  5
 *     2  3  6  7
 *     8  9 12 13
 *    10 11 14 15
 */
typedef int32_t raster_words __attribute__((vector_size(GPU_BLOCK_PIXELS * 4)));
typedef uint16_t raster_halves
   __attribute__((vector_size(GPU_BLOCK_PIXELS * 2)));

/* What is left of a shape in a tile. */
struct raster_tile {
   const struct gpu_raster *raster;
   const struct gpu_shape *shape;
   const struct gpu_raster_sink *sink;
   int32_t min_x, min_y, max_x, max_y; /* of what is left of the shape */
   uint32_t num_samples;               /* that are looked at */
   uint16_t one;                       /* coverage by the first of them */
   uint16_t all;                       /* of a pixel that is inside */
   bool is_stippled;                   /* a polygon */
   bool has_windows; /* rectangles leave out a part of the shape here */
   const int16_t *sample_x, *sample_y; /* of these, see struct gpu_raster */
   int32_t reach;                      /* the furthest of these */
   /* The change from a block's first pixel to each, in 256ths. */
   raster_words step[GPU_MAX_EDGES];
};

static inline bool
raster_is_within_bounds(const struct raster_tile *tile, int32_t x, int32_t y,
                        int32_t size)
{
   return x >= tile->min_x && y >= tile->min_y && x + size - 1 <= tile->max_x &&
          y + size - 1 <= tile->max_y;
}

/* Rasterizes a shape without a circle, stipple or windows. False, and nothing
 * is done, when 32 bits do not hold its edges in the tile. */
bool
raster_groups(const struct raster_tile *tile, int32_t tile_x, int32_t tile_y);

#endif
