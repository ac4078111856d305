/* SPDX-License-Identifier: MIT
 *
 * A deferred clear, which is done tile by tile.
 */
#ifndef TG_GPU_CLEAR_H
#define TG_GPU_CLEAR_H

#include "gpu/core/call.h"
#include "gpu/core/limits.h"
#include "resource/resource.h"
#include "tungsten/gpu.h"

/* Pixels from min up to, without, max, of all layers and samples of a surface.
 */
struct gpu_clear {
   struct gpu_call *call; /* a reference */
   struct tg_surface surface;
   uint32_t min_x, min_y, max_x, max_y;
   struct resource_pattern pattern;
};

/* What a clear costs, in units of work, within the tile that begins at (x, y).
 */
uint64_t
gpu_clear_cost(const struct gpu_clear *clear, uint32_t x, uint32_t y);

/* Does a clear within the tile that begins at (x, y), which it touches. */
void
gpu_clear_tile(const struct gpu_clear *clear, uint32_t x, uint32_t y);

#endif
