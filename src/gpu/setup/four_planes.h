/* SPDX-License-Identifier: MIT
 *
 * Plane equations of the four channels of a register at once.
 */
#ifndef TG_GPU_FOUR_PLANES_H
#define TG_GPU_FOUR_PLANES_H

#include "gpu/setup/setup_parts.h"
#include "util/four.h"

/* Values of four channels. */
typedef double gpu_channels __attribute__((vector_size(4 * sizeof(double))));

static inline __attribute__((always_inline)) gpu_channels
gpu_load_channels(const uint32_t *words)
{
   return __builtin_convertvector((tg_four_floats)tg_load_four(words),
                                  gpu_channels);
}

static inline __attribute__((always_inline)) void
gpu_store_channels(uint32_t *words, gpu_channels values)
{
   tg_store_four(words,
                 (tg_four) __builtin_convertvector(values, tg_four_floats));
}

/* The planes of values with these slopes that are known at corner 0. */
static inline __attribute__((always_inline)) void
gpu_store_four_slopes(const struct gpu_planes *planes, gpu_channels value,
                      gpu_channels dx, gpu_channels dy, uint32_t *words)
{
   gpu_store_channels(words, value + dx * planes->to_x + dy * planes->to_y);
   gpu_store_channels(words + GPU_PLANE_DX, dx);
   gpu_store_channels(words + GPU_PLANE_DY, dy);
}

/* The planes of values that are known at the three corners of a triangle. */
static inline __attribute__((always_inline)) void
gpu_store_four_planes(const struct gpu_planes *planes,
                      const gpu_channels value[3], uint32_t *words)
{
   const gpu_channels d1 = value[1] - value[0], d2 = value[2] - value[0];
   const gpu_channels dx =
      (d1 * planes->x[0] + d2 * planes->x[1]) * planes->scale;
   const gpu_channels dy =
      (d1 * planes->y[0] + d2 * planes->y[1]) * planes->scale;
   gpu_store_four_slopes(planes, value[0], dx, dy, words);
}

/* The same bits in all of a plane's places. */
static inline void
gpu_store_four_constants(const uint32_t *bits, uint32_t *words)
{
   tg_store_four(words, tg_load_four(bits));
   tg_store_four(words + GPU_PLANE_DX, (tg_four){0});
   tg_store_four(words + GPU_PLANE_DY, (tg_four){0});
}

/* ---- geometry ------------------------------------------------------------ */

static inline int32_t
gpu_clamp_pixel(int32_t x, int32_t low, int32_t high)
{
   return x < low ? low : x > high ? high : x;
}

/* A reference near a corner that is within the bounds: near what is drawn, so
 * that little is lost in rounding. */
static inline void
gpu_choose_reference(struct gpu_planes *planes,
                     const struct gpu_window_vertex *corner,
                     const struct gpu_bounds *bounds)
{
   const double to_pixels = 1.0 / GPU_SUBPIXELS;
   planes->reference_x = gpu_clamp_pixel(corner->x >> GPU_SUBPIXEL_BITS,
                                         bounds->min_x, bounds->max_x);
   planes->reference_y = gpu_clamp_pixel(corner->y >> GPU_SUBPIXEL_BITS,
                                         bounds->min_y, bounds->max_y);
   planes->to_x = planes->reference_x - corner->x * to_pixels;
   planes->to_y = planes->reference_y - corner->y * to_pixels;
}

/* The slopes of a triangle by its sides. */
static inline void
gpu_choose_slopes(struct gpu_planes *planes,
                  const struct gpu_window_vertex *const v[3])
{
   const double to_pixels = 1.0 / GPU_SUBPIXELS;
   const double x1 = (v[1]->x - v[0]->x) * to_pixels;
   const double y1 = (v[1]->y - v[0]->y) * to_pixels;
   const double x2 = (v[2]->x - v[0]->x) * to_pixels;
   const double y2 = (v[2]->y - v[0]->y) * to_pixels;
   planes->x[0] = y2, planes->x[1] = -y1;
   planes->y[0] = -x2, planes->y[1] = x1;
   planes->scale = 1.0 / (x1 * y2 - x2 * y1);
}

#endif
