/* SPDX-License-Identifier: MIT
 *
 * Tests of texture opcodes as rows: an instruction, what is bound, and what it
 * gives, which was worked out by hand. Each runs as lowered and optimised. The
 * textures are such that this is easy: texel (x, y) of slice z of level l,
 * sample s, is
 *
 *    red    1000 l + 100 z + 10 y + x (+ 10000 s)
 *
 * in R32_FLOAT, so that linear filtering inside of a slice gives the same
 * expression of what lies between. Level 0 is 4 wide and high (4 slices of a
 * volume, 3 layers of an array, 2 cubes of a cube array, 12 texels of a
 * buffer), and there are three levels. Depths are red / 64.
 *
 * Shaders find
 *
 *    IMM[0] INT32 {0, 1, 2, 3}
 *    IMM[1] INT32 {-1, 1, -2, 2}
 *    IMM[2] FLT32 {21.0, -1000.0, -2.0, 0.0}
 *    IMM[3] INT32 {2147483647, -2147483648, 1000001, 0}
 */
#ifndef TESTS_LOWER_LOOKUP_H
#define TESTS_LOWER_LOOKUP_H

#include "tgsi/tables/tables.h"
#include "tungsten/run.h"

/* One instruction that writes OUT[0], in all lanes alike unless `dx` or `dy`
 * say what IN[0] gains from one lane of a quad to the next. */
struct lookup {
   const char *instruction;
   const char *texture;            /* name of a kind; NULL: nothing is bound */
   struct tg_sampler_desc sampler; /* all zero: nearest, repeating, level 0;
                                    * its size need not be set */
   float in[5][4];
   float expected[4];
   float dx[4], dy[4];
   bool takes_integers, gives_integers;
   bool is_depth;
   bool is_vertex;           /* no quads */
   bool is_2011;             /* the dialect */
   uint32_t first_level;     /* of the view */
   const char *declarations; /* instead of those of SAMP and SVIEW */
   enum tg_format format;    /* not NONE: two texels, which are `texels` */
   const void *texels;
   const uint8_t *swizzle; /* of the view; NULL: as it is */
};

/* Fails the test where a result is farther from what is expected. */
void
lookup_check(const struct lookup *lookup, float tolerance);

#define CHECK(lookups, tolerance)                                              \
   for (size_t i = 0; i < sizeof(lookups) / sizeof((lookups)[0]); i++)         \
   lookup_check(&(lookups)[i], tolerance)

#define NEAREST                                                                \
   {                                                                           \
      .mip_filter = TG_MIP_NONE, .max_lod = 100                                \
   }
#define LINEAR                                                                 \
   {                                                                           \
      .min_filter = TG_FILTER_LINEAR, .mag_filter = TG_FILTER_LINEAR,          \
      .mip_filter = TG_MIP_NONE, .wrap = {EDGE, EDGE, EDGE}, .max_lod = 100,   \
      .seamless_cube = true                                                    \
   }
#define MIPMAPPED                                                              \
   {                                                                           \
      .mip_filter = TG_MIP_NEAREST, .max_lod = 100                             \
   }
#define TRILINEAR                                                              \
   {                                                                           \
      .min_filter = TG_FILTER_LINEAR, .mag_filter = TG_FILTER_LINEAR,          \
      .mip_filter = TG_MIP_LINEAR, .max_lod = 100                              \
   }
#define EDGE TG_WRAP_CLAMP_TO_EDGE
#define SHADOW(func)                                                           \
   {                                                                           \
      .mip_filter = TG_MIP_NONE, .compares = true,                             \
      .compare_func = TG_COMPARE_##func                                        \
   }
#define TEX_SHADOW "TEX OUT[0], IN[0], SAMP[0], SHADOW2D"

#endif
