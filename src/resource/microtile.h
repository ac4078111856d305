/* SPDX-License-Identifier: MIT
 *
 * Microtiles of a box: for those who go through a tiled level microtile by
 * microtile, which layout.h lays out.
 */
#ifndef TG_RESOURCE_MICROTILE_H
#define TG_RESOURCE_MICROTILE_H

#include "resource/layout.h"
#include "resource/resource.h"

enum { RESOURCE_MICROTILE_ALL = (1 << RESOURCE_MICROTILE_PIXELS) - 1 };

/* The end of a side of a box; at the level's edge that of the microtile, as
 * nobody looks at pixels beyond the edge. */
static inline uint32_t
resource_microtile_end(uint32_t first, uint32_t count, uint32_t level_size)
{
   const uint32_t end = first + count;

   return end == level_size ? resource_whole_microtiles(end) : end;
}

/* Do the sides of a box lie between microtiles, or at the level's edge? */
static inline bool
resource_has_whole_microtiles(const struct resource_level *level,
                              const struct resource_blocks *blocks)
{
   return (blocks->x | blocks->y |
           resource_microtile_end(blocks->x, blocks->width, level->width) |
           resource_microtile_end(blocks->y, blocks->height, level->height)) %
             RESOURCE_MICROTILE ==
          0;
}

/* Bits `first` up to `end` of the four columns, or rows, from `at` on. */
static inline uint32_t
resource_microtile_side(uint32_t at, uint32_t first, uint32_t end)
{
   uint32_t bits = 0;

   for (uint32_t i = 0; i < RESOURCE_MICROTILE; i++)
      bits |= (uint32_t)(at + i >= first && at + i < end) << i;
   return bits;
}

/* Pixels of the microtile at (x, y) that a box has: a bit each, in Morton
 * order. */
static inline uint32_t
resource_microtile_pixels(const struct resource_level *level,
                          const struct resource_blocks *blocks, uint32_t x,
                          uint32_t y)
{
   static const uint16_t column[] = {0x0505, 0x0a0a, 0x5050, 0xa0a0};
   static const uint16_t row[] = {0x0033, 0x00cc, 0x3300, 0xcc00};
   const uint32_t columns = resource_microtile_side(
      x, blocks->x,
      resource_microtile_end(blocks->x, blocks->width, level->width));
   const uint32_t rows = resource_microtile_side(
      y, blocks->y,
      resource_microtile_end(blocks->y, blocks->height, level->height));
   uint32_t in_columns = 0, in_rows = 0;

   for (uint32_t i = 0; i < RESOURCE_MICROTILE; i++) {
      in_columns |= columns >> i & 1 ? column[i] : 0;
      in_rows |= rows >> i & 1 ? row[i] : 0;
   }
   return in_columns & in_rows;
}

/* Calls `visit` for each microtile that has pixels of the box, with those. */
static inline void
resource_visit_microtiles(const struct resource_level *level,
                          const struct resource_blocks *blocks,
                          void (*visit)(void *user, uint32_t x, uint32_t y,
                                        uint32_t pixels),
                          void *user)
{
   const uint32_t mask = RESOURCE_MICROTILE - 1;

   for (uint32_t y = blocks->y & ~mask; y < blocks->y + blocks->height;
        y += RESOURCE_MICROTILE) {
      for (uint32_t x = blocks->x & ~mask; x < blocks->x + blocks->width;
           x += RESOURCE_MICROTILE)
         visit(user, x, y, resource_microtile_pixels(level, blocks, x, y));
   }
}

#endif
