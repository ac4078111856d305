/* SPDX-License-Identifier: MIT
 *
 * Outcodes of positions by the left, right, top and bottom sides of the view,
 * for trivial reject: bit i is set when a position is beyond side i.
 */
#ifndef TG_GPU_VIEW_SIDES_H
#define TG_GPU_VIEW_SIDES_H

#include "lir/lir.h"
#include "util/bits.h"
#include "util/four.h"

static inline uint32_t
gpu_view_sides(const uint32_t position[4])
{
   const float x = tg_float_of_bits(position[0]);
   const float y = tg_float_of_bits(position[1]);
   const float w = tg_float_of_bits(position[3]);
   return (uint32_t)(x < -w) | (uint32_t)(x > w) << 1 |
          (uint32_t)(y < -w) << 2 | (uint32_t)(y > w) << 3;
}

/* The same for eight, coordinate by coordinate. */
static inline void
gpu_view_sides_of_eight(tg_eight_floats x, tg_eight_floats y, tg_eight_floats w,
                        uint8_t sides[8])
{
   const tg_eight all = ((tg_eight)(x < -w) & 1) | ((tg_eight)(x > w) & 2) |
                        ((tg_eight)(y < -w) & 4) | ((tg_eight)(y > w) & 8);
   tg_store_eight_bytes(sides, all);
}

/* The same for the lanes of a wave, whose rows are words of the position. */
static inline void
gpu_view_sides_of_lanes(uint32_t (*position)[LIR_LANES],
                        uint8_t sides[LIR_LANES])
{
   for (unsigned i = 0; i < LIR_LANES; i += 8)
      gpu_view_sides_of_eight((tg_eight_floats)tg_load_eight(&position[0][i]),
                              (tg_eight_floats)tg_load_eight(&position[1][i]),
                              (tg_eight_floats)tg_load_eight(&position[3][i]),
                              &sides[i]);
}

#endif
