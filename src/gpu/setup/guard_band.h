/* SPDX-License-Identifier: MIT
 *
 * The guard band of points that are clipped as squares: x and y, over w, beyond
 * which nothing that a point is drawn as reaches into the first viewport.
 */
#ifndef TG_GPU_GUARD_BAND_H
#define TG_GPU_GUARD_BAND_H

#include <stdbool.h>

#include "util/bits.h"
#include "util/four.h"

struct gpu_guard_band {
   float x, y;
   bool is_of_all; /* points: their size is the same */
};

/* Is a point outside of it? */
static inline bool
gpu_is_far_point(const struct gpu_guard_band *band, const uint32_t position[4])
{
   const float x = tg_float_of_bits(position[0]);
   const float y = tg_float_of_bits(position[1]);
   const float w = tg_float_of_bits(position[3]);
   const float far_x = w * band->x, far_y = w * band->y;
   return w > 0.0f && (x > far_x || x < -far_x || y > far_y || y < -far_y);
}

/* The same for eight, coordinate by coordinate: words of ones, or 0. */
static inline tg_eight
gpu_are_eight_far_points(const struct gpu_guard_band *band, tg_eight_floats x,
                         tg_eight_floats y, tg_eight_floats w)
{
   const tg_eight_floats far_x = w * band->x, far_y = w * band->y;
   return (tg_eight)(w > 0.0f) &
          ((tg_eight)(x > far_x) | (tg_eight)(x < -far_x) |
           (tg_eight)(y > far_y) | (tg_eight)(y < -far_y));
}

#endif
