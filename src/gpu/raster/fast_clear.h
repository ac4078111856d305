/* SPDX-License-Identifier: MIT
 *
 * Fast clears: a clear of a whole tile is kept as its pattern. The granules
 * that shapes are drawn in are stored before; the others when the tile ends, by
 * non-temporal stores, which leave the caches to what is drawn. Those of a
 * depth buffer stay pending beyond that, for the next time that the tile is
 * drawn (resource/clears.c). A clear that another one follows before anything
 * is drawn is never stored.
 */
#ifndef TG_GPU_FAST_CLEAR_H
#define TG_GPU_FAST_CLEAR_H

#include <assert.h>

#include "gpu/core/limits.h"
#include "resource/resource.h"
#include "tungsten/gpu.h"
#include "util/minmax.h"

enum {
   GPU_GRANULE_SIZE = RESOURCE_GRANULE, /* pixels each way: a row is a cache
                                         * line of words */
   GPU_GRANULES = GPU_TILE_SIZE / GPU_GRANULE_SIZE, /* of a tile, each way */
};

/* Bytes of a cache line, after which any pattern that is kept repeats. */
enum { GPU_CLEAR_LINE = RESOURCE_ALIGNMENT };

/* Of one level and layer. */
struct gpu_fast_clear {
   struct tg_surface surface;
   uint8_t *first; /* the texel at the tile's corner */
   const struct resource_level *level;
   uint32_t num_samples; /* that are stored */
   uint32_t texel_bytes;
   bool is_large;    /* too large for the caches */
   bool is_kept;     /* may be pending beyond the tile */
   uint32_t pending; /* granules that are not stored; bits, row by row */
   uint8_t line[GPU_CLEAR_LINE];
};

/* Of the tile that is drawn. */
struct gpu_fast_clears {
   uint32_t x, y;          /* of the tile */
   uint32_t width, height; /* of what the framebuffer has of it */
   uint32_t pending;       /* in any of them */
   uint32_t count;
   struct gpu_fast_clear clears[TG_MAX_COLOR_BUFFERS + 1];
};

/* Begins a tile, in which may be pending what was when it ended. */
void
gpu_fast_clear_begin(struct gpu_fast_clears *clears,
                     const struct tg_framebuffer_state *target, uint32_t x,
                     uint32_t y);

/* Clears an area of all layers and samples of a surface. False, and nothing
 * changed, where the clear is not of the whole tile, of some bits only, or of
 * what it cannot be kept for: then all of the tile has to be touched before it
 * is cleared in another way. */
bool
gpu_fast_clear_add(struct gpu_fast_clears *clears,
                   const struct tg_surface *surface,
                   const struct resource_pattern *pattern,
                   const struct tg_scissor *area);

/* Stores granules, as far as they are pending. */
void
gpu_fast_clear_store(struct gpu_fast_clears *clears, uint32_t granules);

/* The granules that a rectangle has pixels in, which begins in the tile. What
 * is beyond the tile does not count. */
static inline uint32_t
gpu_granules(const struct gpu_fast_clears *clears, int32_t x, int32_t y,
             int32_t width, int32_t height)
{
   enum { MOST = GPU_TILE_SIZE - 1, BITS = GPU_GRANULES };
   const uint32_t min_x = (uint32_t)x - clears->x;
   const uint32_t min_y = (uint32_t)y - clears->y;
   const uint32_t max_x = tg_min_u32(min_x + (uint32_t)width - 1, MOST);
   const uint32_t max_y = tg_min_u32(min_y + (uint32_t)height - 1, MOST);
   assert(min_x <= MOST && min_y <= MOST && width > 0 && height > 0);
   const uint32_t columns = (UINT32_C(2) << max_x / GPU_GRANULE_SIZE) -
                            (UINT32_C(1) << min_x / GPU_GRANULE_SIZE);
   const uint32_t rows = (UINT32_C(2) << max_y / GPU_GRANULE_SIZE * BITS) -
                         (UINT32_C(1) << min_y / GPU_GRANULE_SIZE * BITS);

   /* One bit of each row that is in it, times those of the columns. */
   _Static_assert(GPU_GRANULES == 4, "a row of granules has four bits");
   return (rows & 0x1111) * columns;
}

/* To be called before anything is drawn in a rectangle, or read. */
static inline void
gpu_fast_clear_touch(struct gpu_fast_clears *clears, int32_t x, int32_t y,
                     int32_t width, int32_t height)
{
   if (!clears->pending)
      return;
   const uint32_t granules = gpu_granules(clears, x, y, width, height);
   if (clears->pending & granules)
      gpu_fast_clear_store(clears, granules);
}

/* Ends the tile: stores all that is pending, or keeps it. */
void
gpu_fast_clear_end(struct gpu_fast_clears *clears);

#endif
