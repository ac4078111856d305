/* SPDX-License-Identifier: MIT
 *
 * The rasteriser: which pixels of a tile a triangle covers, as quads.
 */
#ifndef TG_GPU_RASTER_H
#define TG_GPU_RASTER_H

#include "gpu/shape.h"

/* Called for each 2 by 2 quad with a covered sample. (x, y) is its top left
 * pixel, even both; bit i of a pixel's coverage is sample i. Pixels: top left,
 * top right, bottom left, bottom right. */
typedef void (*gpu_quad_function)(void *user, int32_t x, int32_t y,
                                  const uint16_t coverage[4]);

/* The quads of a shape within the tile whose top left pixel is given, block
 * by block of 4 by 4 pixels, each block's quads in reading order. */
void
gpu_raster_tile(const struct gpu_shape *shape, int32_t tile_x, int32_t tile_y,
                gpu_quad_function quad, void *user);

/* Could any pixel of the tile be covered? Never wrong when it says no. */
bool
gpu_raster_touches(const struct gpu_shape *shape, int32_t tile_x,
                   int32_t tile_y);

#endif
