/* SPDX-License-Identifier: MIT
 *
 * The yardstick of sampling: what one would write in plain C to look RGBA8
 * texels up, one lookup at a time. Coordinates repeat.
 */
#ifndef BENCH_SCALAR_SAMPLER_H
#define BENCH_SCALAR_SAMPLER_H

#include <stdint.h>

enum { SCALAR_MAX_LEVELS = 16 };

struct scalar_texture {
   int width, height, num_levels;
   const uint32_t *level[SCALAR_MAX_LEVELS]; /* rows without gaps */
};

void
scalar_nearest(const struct scalar_texture *texture, float s, float t,
               float texel_out[4]);
void
scalar_bilinear(const struct scalar_texture *texture, float s, float t,
                float texel_out[4]);

/* The four lookups of a quad, whose level of detail comes from their
 * differences. */
void
scalar_trilinear_quad(const struct scalar_texture *texture, float coord[4][2],
                      float texels_out[4][4]);

#endif
