/* SPDX-License-Identifier: MIT
 *
 * The rasteriser: which samples of the pixels of a tile a shape covers.
 */
#ifndef TG_GPU_RASTER_H
#define TG_GPU_RASTER_H

#include "gpu/raster/shape.h"
#include "gpu/state/state.h"

enum { GPU_MAX_SAMPLES = 16 };

/* State that says what is covered besides the shape itself. */
struct gpu_raster {
   uint8_t num_samples;     /* of a pixel: 1, 2, 4, 8 or 16 */
   uint8_t polygon_samples; /* of the coverage of polygons: num_samples, or 16
                             * when their edges are smoothed */
   uint16_t sample_mask;    /* those that may be covered */
   /* Of the samples of coverage from a pixel's centre, in subpixels. */
   int16_t sample_x[GPU_MAX_SAMPLES], sample_y[GPU_MAX_SAMPLES];
   bool is_stippled;     /* polygons are, by: */
   uint32_t stipple[32]; /* rows; the highest bit is leftmost */
   struct gpu_window_rectangles windows;
};

/* The place of a sample in its pixel, x and y, in 16ths from the top left. */
const uint32_t *
gpu_raster_sample_position(uint32_t num_samples, uint32_t sample);

/* Derives the sample pattern, sample mask, stipple and window rectangles from
 * the state that is set. */
void
gpu_raster_init(struct gpu_raster *raster, const struct gpu_state *state);

/* Is rasterization multisampled: are samples covered one by one? */
bool
gpu_raster_has_samples(const struct tg_rasterizer_state *rasterizer,
                       uint32_t num_samples);

/* Do shapes of a kind have a coverage for alpha? Of lines and points it follows
 * from distances in their constants; of polygons it is that of 16 samples. */
bool
gpu_raster_is_smooth(const struct tg_rasterizer_state *rasterizer,
                     uint32_t num_samples, enum gpu_shape_kind kind);

enum {
   GPU_BLOCK_SIZE = 4, /* pixels each way */
   GPU_BLOCK_PIXELS = GPU_BLOCK_SIZE * GPU_BLOCK_SIZE,
   GPU_MOST_BLOCKS = 24, /* that the rasteriser gives away at once */
};

/* A block with its covered pixels: bit i is pixel i, and at least one is set.
 * Pixels are in the order of quads: those of a 2 by 2 quad are neighbours, top
 * left, top right, bottom left, bottom right, and so are the quads of a block.
 * That of a small triangle may be any four quads, 2 by 2, whose covered pixels
 * are within the tile: each in a block of its own at the most. */
struct gpu_live_block {
   int32_t x, y; /* its top left pixel */
   uint32_t live;
   /* The coverage of each pixel, of which bit s is sample s; or NULL: covered
    * ones have all the same, which is given beside the block. */
   const uint16_t *each;
};

/* Where the pixels of a shape go. Each of them is in one block or square. */
struct gpu_raster_sink {
   /* Up to GPU_MOST_BLOCKS blocks, with this coverage unless they have their
    * own. */
   void (*blocks)(void *user, const struct gpu_live_block *blocks,
                  uint32_t num_blocks, uint16_t coverage);
   /* A square of `size` pixels each way, which is GPU_BLOCK_SIZE, 16 or
    * GPU_TILE_SIZE, at a multiple of it. All its pixels have this coverage. */
   void (*square)(void *user, int32_t x, int32_t y, int32_t size,
                  uint16_t coverage);
   void *user;
};

/* Rasterizes a shape: gives the sink its pixels within the tile whose top left
 * pixel is given. */
void
gpu_raster_tile(const struct gpu_raster *raster, const struct gpu_shape *shape,
                int32_t tile_x, int32_t tile_y,
                const struct gpu_raster_sink *sink);

/* Of these pixels of a shape's `quads`, those that its stipple pattern and the
 * window rectangles leave. */
uint32_t
gpu_raster_leave_out(const struct gpu_raster *raster,
                     const struct gpu_shape *shape, uint32_t live);

/* The same for a shape that has `quads`: those pixels of them that are covered,
 * as in gpu_live_block, and the samples of each. */
static inline uint32_t
gpu_raster_quads(const struct gpu_raster *raster, const struct gpu_shape *shape,
                 uint16_t *coverage_out)
{
   const struct gpu_window_rectangles *windows = &raster->windows;
   const uint32_t all = (UINT32_C(1) << raster->num_samples) - 1;
   uint32_t live = shape->quads;
   *coverage_out = (uint16_t)(all & raster->sample_mask);
   if (raster->is_stippled || windows->count || windows->include)
      live = gpu_raster_leave_out(raster, shape, live);
   return *coverage_out ? live : 0;
}

/* Conservative test, as for binning: could any sample of the tile be covered?
 * Never wrong when it says no. */
bool
gpu_raster_touches(const struct gpu_shape *shape, int32_t tile_x,
                   int32_t tile_y);

#endif
