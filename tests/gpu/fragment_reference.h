/* SPDX-License-Identifier: MIT
 *
 * What a fragment does to a pixel, one sample at a time, in plain C: tests,
 * blending, formats, after the OpenGL specification. For kernels of
 * fragment_runner.h, whose state it reads; nothing of the pipeline is shared
 * but the C side of format/.
 */
#ifndef TESTS_GPU_FRAGMENT_REFERENCE_H
#define TESTS_GPU_FRAGMENT_REFERENCE_H

#include "fragment_runner.h"

enum { REFERENCE_MAX_BYTES = 32 };

/* What a shader gave for a lane. */
struct reference_values {
   float color[2][4]; /* COLOR[0] and COLOR[1] */
   bool is_killed;
   bool has_z, has_stencil, has_mask;
   float z;
   uint32_t stencil, mask;
};

/* A pixel's texels. */
struct reference_pixel {
   uint8_t color[TG_MAX_COLOR_BUFFERS][16][REFERENCE_MAX_BYTES];
   uint8_t depth[16][REFERENCE_MAX_BYTES];
};

/* Takes a lane's fragment through the tests and into the pixel. `samples` are
 * those that it covers, `z` the interpolated depth of each. Returns those that
 * passed. */
uint32_t
reference_draw(const struct fragment_runner *runner, uint32_t x, uint32_t y,
               uint32_t samples, const float z[16],
               const struct reference_values *values,
               struct reference_pixel *pixel);

/* Clears what no channel has: bits that nobody reads. */
void
reference_clear_void(enum tg_format format, uint8_t texel[REFERENCE_MAX_BYTES]);

#endif
