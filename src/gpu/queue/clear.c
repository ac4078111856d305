/* SPDX-License-Identifier: MIT
 *
 * Deferred clears, tile by tile.
 */
#include "gpu/queue/clear.h"

#include "util/minmax.h"

static struct resource_blocks
find_blocks(const struct gpu_clear *clear, uint32_t x, uint32_t y)
{
   const uint32_t min_x = tg_max_u32(clear->min_x, x);
   const uint32_t min_y = tg_max_u32(clear->min_y, y);
   const struct tg_surface *surface = &clear->surface;
   return (struct resource_blocks){
      .level = surface->level,
      .x = min_x,
      .y = min_y,
      .z = surface->first_layer,
      .width = tg_min_u32(clear->max_x, x + GPU_TILE_SIZE) - min_x,
      .height = tg_min_u32(clear->max_y, y + GPU_TILE_SIZE) - min_y,
      .depth = surface->last_layer - surface->first_layer + 1,
   };
}

uint64_t
gpu_clear_cost(const struct gpu_clear *clear, uint32_t x, uint32_t y)
{
   const struct resource_blocks blocks = find_blocks(clear, x, y);
   return resource_cost(clear->surface.resource, &blocks);
}

void
gpu_clear_tile(const struct gpu_clear *clear, uint32_t x, uint32_t y)
{
   const struct resource_blocks blocks = find_blocks(clear, x, y);
   resource_fill_tile(clear->surface.resource, &blocks, &clear->pattern);
}
