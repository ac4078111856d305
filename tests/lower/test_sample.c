/* SPDX-License-Identifier: MIT
 *
 * Sampling: wrap modes, levels, probes, formats and the seams of cubes.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lookup.h"

/* ---- wrap modes ---------------------------------------------------------- */

/* A row of four texels 0 1 2 3 with a border of -8, at coordinates from before
 * it and behind it. */
static const struct wrap_row {
   uint8_t mode;
   float nearest[3]; /* in texels: at -1.2, 5.2 and 8.4 */
   float linear[3];  /* at -0.25, 4.25 and -1.75 */
} wrap_rows[] = {
   {TG_WRAP_REPEAT, {2, 1, 0}, {2.25f, 0.75f, 1.75f}},
   {TG_WRAP_CLAMP, {0, 3, 3}, {-4, -2.5f, -4}},
   {TG_WRAP_CLAMP_TO_EDGE, {0, 3, 3}, {0, 3, 0}},
   {TG_WRAP_CLAMP_TO_BORDER, {-8, -8, -8}, {-6, -5.25f, -8}},
   {TG_WRAP_MIRROR_REPEAT, {1, 2, 0}, {0, 3, 1.25f}},
   {TG_WRAP_MIRROR_CLAMP, {1, 3, 3}, {0, -2.5f, 1.25f}},
   {TG_WRAP_MIRROR_CLAMP_TO_EDGE, {1, 3, 3}, {0, 3, 1.25f}},
   {TG_WRAP_MIRROR_CLAMP_TO_BORDER, {1, -8, -8}, {0, -5.25f, 1.25f}},
};

static void
check_wrap(const struct wrap_row *row, bool is_linear, bool is_unnormalized,
           unsigned which)
{
   static const float nearest[3] = {-1.2f, 5.2f, 8.4f};
   static const float linear[3] = {-0.25f, 4.25f, -1.75f};
   const uint8_t filter = is_linear ? TG_FILTER_LINEAR : TG_FILTER_NEAREST;
   const float at = is_linear ? linear[which] : nearest[which];
   const struct lookup lookup = {
      .instruction = "TEX OUT[0], IN[0], SAMP[0], 1D",
      .texture = "1D",
      .sampler =
         {
            .wrap = {row->mode, row->mode, row->mode},
            .min_filter = filter,
            .mag_filter = filter,
            .mip_filter = TG_MIP_NONE,
            .unnormalized_coords = is_unnormalized,
            .border_color.f = {-8, 5, 6, 7},
         },
      .in = {{is_unnormalized ? at : at / 4}},
      .expected = {is_linear ? row->linear[which] : row->nearest[which], 0, 0,
                   1},
   };

   lookup_check(&lookup, 0);
}

static void
test_wrap_modes(void **state)
{
   (void)state;
   for (unsigned i = 0; i < sizeof(wrap_rows) / sizeof(wrap_rows[0]); i++) {
      for (unsigned which = 0; which < 3; which++) {
         for (unsigned how = 0; how < 4; how++)
            check_wrap(&wrap_rows[i], how & 1, how & 2, which);
      }
   }
}

/* Coordinates that are no numbers count as 0. */
static void
test_odd_coordinates(void **state)
{
   /* clang-format off */
   static const struct lookup lookups[] = {
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D", NEAREST, {{NAN, 0.6f}},
       {20, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D", NEAREST, {{0.3f, INFINITY}},
       {1, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D", LINEAR, {{0.625f, -INFINITY}},
       {2, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D", LINEAR, {{0.625f, 1e30f}},
       {32, 0, 0, 1}},
      {"TXP OUT[0], IN[0], SAMP[0], 2D", "2D", NEAREST, {{0.3f, 0.6f, 0, 0}},
       {0, 0, 0, 1}},
      /* A gather far to the right, and far below. */
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D", "2D", LINEAR,
       {{1e30f, 0.125f}}, {13, 13, 3, 3}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D", "2D", LINEAR,
       {{0.5f, 3e38f}}, {31, 32, 32, 31}},
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 0);
}

/* ---- levels -------------------------------------------------------------- */

static void
test_levels(void **state)
{
#define TXL "TXL OUT[0], IN[0], SAMP[0], 2D"
#define BIASED                                                                 \
   {                                                                           \
      .mip_filter = TG_MIP_NEAREST, .lod_bias = 1, .max_lod = 100              \
   }
#define BETWEEN                                                                \
   {                                                                           \
      .mip_filter = TG_MIP_NEAREST, .min_lod = 1, .max_lod = 1.25f             \
   }
#define CROSSED                                                                \
   {                                                                           \
      .mip_filter = TG_MIP_NEAREST, .min_lod = 2, .max_lod = 1                 \
   }
#define TWO_FILTERS                                                            \
   {                                                                           \
      .min_filter = TG_FILTER_LINEAR, .mip_filter = TG_MIP_NONE,               \
      .max_lod = 100                                                           \
   }
#define BLENDED                                                                \
   {                                                                           \
      .mip_filter = TG_MIP_LINEAR, .max_lod = 100                              \
   }
   /* clang-format off */
   static const struct lookup lookups[] = {
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, 0.4f}}, {0, 0, 0, 1}},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, 0.6f}}, {1000, 0, 0, 1}},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, 1.5f}}, {1000, 0, 0, 1}},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, 1.6f}}, {2000, 0, 0, 1}},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, 9}}, {2000, 0, 0, 1}},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, -9}}, {0, 0, 0, 1}},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, NAN}}, {0, 0, 0, 1}},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, INFINITY}}, {2000, 0, 0, 1}},
      {TXL, "2D", NEAREST, {{0, 0, 0, 2}}, {0, 0, 0, 1}},
      {TXL, "2D", BIASED, {{0, 0, 0, 0.6f}}, {2000, 0, 0, 1}},
      {TXL, "2D", BETWEEN, {{0, 0, 0, 0}}, {1000, 0, 0, 1}},
      {TXL, "2D", BETWEEN, {{0, 0, 0, 9}}, {1000, 0, 0, 1}},
      {TXL, "2D", CROSSED, {{0, 0, 0, 0}}, {2000, 0, 0, 1}},
      {TXL, "2D", BLENDED, {{0, 0, 0, 0.5f}}, {500, 0, 0, 1}},
      {TXL, "2D", BLENDED, {{0, 0, 0, 1.25f}}, {1250, 0, 0, 1}},
      {TXL, "2D", BLENDED, {{0, 0, 0, 2}}, {2000, 0, 0, 1}},
      /* (0.5, 0.5): 16.5 of level 0, 1005.5 of level 1, which is 2 wide. */
      {TXL, "2D", TRILINEAR, {{0.5f, 0.5f, 0, 0.25f}},
       {0.75f * 16.5f + 0.25f * 1005.5f, 0, 0, 1}},
      /* Texels that are magnified have another filter. */
      {TXL, "2D", TWO_FILTERS, {{0.5f, 0.5f, 0, 0}}, {22, 0, 0, 1}},
      {TXL, "2D", TWO_FILTERS, {{0.5f, 0.5f, 0, 0.1f}}, {16.5f, 0, 0, 1}},
      /* A view's levels count from its first. */
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, 0}}, {1000, 0, 0, 1}, .first_level = 1},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, 9}}, {2000, 0, 0, 1}, .first_level = 1},
      {"TEX_LZ OUT[0], IN[0], SAMP[0], 2D", "2D", MIPMAPPED, {{0, 0, 0, 2}},
       {0, 0, 0, 1}, .dx = {1}},
      {"TEX_LZ OUT[0], IN[0], SAMP[0], 2D", "2D", BIASED, {{0}},
       {1000, 0, 0, 1}},
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 0);
}

/* Steps of a whole texture lead to the same texel in each lane: 4 texels, which
 * is level 2. */
static void
test_derivatives(void **state)
{
   /* clang-format off */
   static const struct lookup lookups[] = {
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D", MIPMAPPED, {{0}},
       {2000, 0, 0, 1}, .dx = {1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D", MIPMAPPED, {{0}},
       {2000, 0, 0, 1}, .dy = {0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D", MIPMAPPED, {{0}}, {0, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 3D", "3D", MIPMAPPED, {{0}},
       {2000, 0, 0, 1}, .dy = {0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D_ARRAY", "2D_ARRAY", MIPMAPPED,
       {{0, 0, 1}}, {2100, 0, 0, 1}, .dx = {-1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D", MIPMAPPED, {{0}}, {0, 0, 0, 1},
       .dx = {1}, .is_vertex = true},
      {"TXB OUT[0], IN[0], SAMP[0], 2D", "2D", MIPMAPPED, {{0, 0, 0, -1}},
       {1000, 0, 0, 1}, .dx = {1}},
      {"TXB OUT[0], IN[0], SAMP[0], 2D", "2D", MIPMAPPED, {{0, 0, 0, NAN}},
       {2000, 0, 0, 1}, .dx = {1}},
      {"TXB OUT[0], IN[0], SAMP[0], 2D", "2D", MIPMAPPED, {{0, 0, 0, 1}},
       {1000, 0, 0, 1}, .is_vertex = true},
      {"TXB2 OUT[0], IN[0], IN[1].xxxx, SAMP[0], CUBEARRAY", "CUBEARRAY",
       MIPMAPPED, {{1, 0.1f, 0.1f, 1}, {1}}, {1600, 0, 0, 1}, .is_vertex =
       true},
      {"TXL2 OUT[0], IN[0], IN[1].xxxx, SAMP[0], CUBEARRAY", "CUBEARRAY",
       MIPMAPPED, {{1, 0.1f, 0.1f, 1}, {2}}, {2600, 0, 0, 1}},
      {"TXP OUT[0], IN[0], SAMP[0], 2D", "2D", NEAREST, {{0.6f, 1.2f, 0, 2}},
       {21, 0, 0, 1}},
      {"TXP OUT[0], IN[0], SAMP[0], 2D", "2D", MIPMAPPED, {{0, 0, 0, 2}},
       {2000, 0, 0, 1}, .dy = {0, 2}},
      {"TXP OUT[0], IN[0], SAMP[0], 1D_ARRAY", "1D_ARRAY", NEAREST,
       {{0.6f, 2, 0, 2}}, {201, 0, 0, 1}},
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], 2D", "2D", MIPMAPPED,
       {{0}, {0.5f}, {0, 0.25f}}, {1000, 0, 0, 1}},
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], 2D_ARRAY", "2D_ARRAY",
       MIPMAPPED, {{0, 0, 2}, {0}, {0, 1}}, {2200, 0, 0, 1}},
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], RECT", "RECT", MIPMAPPED,
       {{1.5f, 2.5f}, {4}, {0}}, {21, 0, 0, 1}},
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], 2D", "2D", MIPMAPPED,
       {{0}, {NAN}, {NAN}}, {0, 0, 0, 1}},
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], 2D", "2D", MIPMAPPED,
       {{0}, {INFINITY}, {0}}, {2000, 0, 0, 1}},
      /* On a face that is 4 wide, s goes from -1 to 1: z by 1 is 2 texels. */
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], CUBE", "CUBE", MIPMAPPED,
       {{1, 0.1f, 0.1f}, {0, 0, 1}, {0, 0.25f}}, {1000, 0, 0, 1}},
      /* Along the direction itself nothing moves. */
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], CUBE", "CUBE", MIPMAPPED,
       {{1, 0.5f, 0.5f}, {8, 4, 4}, {0}}, {11, 0, 0, 1}},
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 0);
}

/* The footprint is 4 texels by 1: four probes of level 0, at 0.2, 0.4, 0.6 and
 * 0.8 of a texture's width around 0.625. */
static void
test_anisotropy(void **state)
{
#define ANISOTROPIC(n)                                                         \
   {                                                                           \
      .wrap = {EDGE, EDGE, EDGE}, .min_filter = TG_FILTER_LINEAR,              \
      .mag_filter = TG_FILTER_LINEAR, .mip_filter = TG_MIP_NEAREST,            \
      .max_anisotropy = n, .max_lod = 100                                      \
   }
#define TXD "TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], 2D"
   /* clang-format off */
   static const struct lookup lookups[] = {
      {TXD, "2D", ANISOTROPIC(16), {{0.625f, 0.125f}, {1}, {0, 0.25f}},
       {(0.8f + 1.6f + 2.4f + 3) / 4, 0, 0, 1}},
      {TXD, "2D", ANISOTROPIC(16), {{0.125f, 0.625f}, {0.25f}, {0, 1}},
       {(8 + 16 + 24 + 30) / 4.0f, 0, 0, 1}},
      /* Two probes, of level 1, where texels are 1000 and 1001. */
      {TXD, "2D", ANISOTROPIC(2), {{0.5f, 0.125f}, {1}, {0, 0.25f}},
       {(1000 + 1 / 6.0f + 1000 + 5 / 6.0f) / 2, 0, 0, 1}},
      {TXD, "2D", ANISOTROPIC(1), {{0.5f, 0.125f}, {1}, {0, 0.25f}},
       {2000, 0, 0, 1}},
      {TXD, "2D", ANISOTROPIC(16), {{0.5f, 0.125f}}, {1.5f, 0, 0, 1}},
      /* Four as well where it is narrower than a texel, one where it is one
       * long: others would reach beyond the middle of texel 0. */
      {TXD, "2D", ANISOTROPIC(16), {{0.625f, 0.125f}, {1}, {0, 0.0625f}},
       {(0.8f + 1.6f + 2.4f + 3) / 4, 0, 0, 1}},
      {TXD, "2D", ANISOTROPIC(16), {{0.125f, 0.125f}, {0.25f}, {0, 0.0625f}},
       {0, 0, 0, 1}},
      /* What is not finite moves no probe. */
      {TXD, "2D", ANISOTROPIC(16), {{0.5f, 0.125f}, {NAN, NAN}, {NAN, NAN}},
       {1.5f, 0, 0, 1}},
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 0.001f);
}

static void
test_lod_queries(void **state)
{
#define LODQ "LODQ OUT[0], IN[0], SAMP[0], 2D"
#define LOD "LOD OUT[0], IN[0], SVIEW[0], SAMP[0]"
   /* clang-format off */
   static const struct lookup lookups[] = {
      {LODQ, "2D", MIPMAPPED, {{0}}, {2, 2, 0, 0}, .dx = {1}},
      {LODQ, "2D", NEAREST, {{0}}, {0, 2, 0, 0}, .dx = {1}},
      {LODQ, "2D", BETWEEN, {{0}}, {1, 2, 0, 0}, .dx = {1}},
      {LODQ, "2D", BIASED, {{0}}, {2, 5, 0, 0}, .dx = {4}},
      {LODQ, "2D", BLENDED, {{0}}, {0.5f, 0.5f, 0, 0}, .dx =
       {0.25f * 1.41421356f}},
      {LOD, "2D", MIPMAPPED, {{0}}, {2, 3, 0, 0}, .dy = {0, 2}},
      {"LOD OUT[0], IN[0], SVIEW[0].yxzw, SAMP[0]", "2D", MIPMAPPED, {{0}},
       {3, 2, 0, 0}, .dy = {0, 2}},
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 1e-5f);
}

/* ---- formats ------------------------------------------------------------- */

/* At the middle between two texels, and far to the left, where the border is.
 */
static void
test_formats(void **state)
{
#define BORDERED(filter, border, ...)                                          \
   {                                                                           \
      .wrap = {TG_WRAP_CLAMP_TO_BORDER, TG_WRAP_REPEAT}, .min_filter = filter, \
      .mag_filter = filter, .mip_filter = TG_MIP_LINEAR,                       \
      .border_color.border = {__VA_ARGS__}, .max_anisotropy = 4                \
   }
#define TEX2D "TEX OUT[0], IN[0], SAMP[0], 2D"
#define FLOATS BORDERED(TG_FILTER_LINEAR, f, 0.125f, 0.25f, 0.5f, 0.75f)
#define INTEGERS BORDERED(TG_FILTER_LINEAR, i, -1, 2, 3, 4)
   static const uint8_t bytes[] = {0, 255, 51, 102};
   static const uint8_t colors[] = {0, 51, 102, 255, 255, 102, 51, 0};
   static const int32_t integers[] = {5, -7};
   static const uint16_t depths[] = {0, 65535};
   static const uint8_t swizzle[4] = {TG_SWIZZLE_1, TG_SWIZZLE_X, TG_SWIZZLE_0,
                                      TG_SWIZZLE_W};
   /* clang-format off */
   static const struct lookup lookups[] = {
      {TEX2D, "2D", FLOATS, {{0.5f}}, {0.5f, 0.3f, 0.3f, 0.5f}, .format =
       TG_FORMAT_R8G8B8A8_UNORM, .texels = colors},
      {TEX2D, "2D", FLOATS, {{-9}}, {0.125f, 0.25f, 0.5f, 0.75f}, .format =
       TG_FORMAT_B8G8R8A8_UNORM, .texels = colors},
      {TEX2D, "2D", FLOATS, {{0.5f}}, {0.5f, 0.5f, 0.5f, 1}, .format =
       TG_FORMAT_L8_UNORM, .texels = bytes},
      {TEX2D, "2D", FLOATS, {{-9}}, {0.125f, 0.125f, 0.125f, 1}, .format =
       TG_FORMAT_L8_UNORM, .texels = bytes},
      {TEX2D, "2D", FLOATS, {{-9}}, {0.125f, 0.125f, 0.125f, 0.75f}, .format =
       TG_FORMAT_L8A8_UNORM, .texels = bytes},
      {TEX2D, "2D", FLOATS, {{-9}}, {0, 0, 0, 0.75f}, .format =
       TG_FORMAT_A8_UNORM, .texels = bytes},
      {TEX2D, "2D", FLOATS, {{-9}}, {0.125f, 0.125f, 0.125f, 0.125f}, .format =
       TG_FORMAT_I8_UNORM, .texels = bytes},
      {TEX2D, "2D", FLOATS, {{-9}}, {0.125f, 0.25f, 0, 1}, .format =
       TG_FORMAT_R8G8_UNORM, .texels = bytes},
      {TEX2D, "2D", FLOATS, {{-9}}, {0.125f, 0.125f, 0.125f, 1}, .format =
       TG_FORMAT_Z16_UNORM, .texels = depths},
      {TEX2D, "2D", FLOATS, {{-9}}, {0.125f, 0.25f, 0.5f, 1}, .format =
       TG_FORMAT_R9G9B9E5_FLOAT, .texels = colors},
      /* Integers are not blended, nor are probes of them. */
      {TEX2D, "2D", INTEGERS, {{0.9f}}, {-7, 0, 0, 1}, .gives_integers = true,
       .format = TG_FORMAT_R32_SINT, .texels = integers},
      {TEX2D, "2D", INTEGERS, {{-9}}, {-1, 0, 0, 1}, .gives_integers = true,
       .format = TG_FORMAT_R32_SINT, .texels = integers},
      {TEX2D, "2D", INTEGERS, {{-9}}, {1, -1, 0, 1}, .gives_integers = true,
       .format = TG_FORMAT_R32_SINT, .texels = integers, .swizzle = swizzle},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D", "2D", INTEGERS,
       {{0.5f, 0.5f}}, {5, -7, -7, 5}, .gives_integers = true, .format =
       TG_FORMAT_R32_SINT, .texels = integers},
      /* Nothing is above the greatest depth that there can be. */
      {TEX_SHADOW, "2D", SHADOW(GREATER), {{0.75f, 0.5f, 2}}, {0, 0, 0, 1},
       .format = TG_FORMAT_Z16_UNORM, .texels = depths},
      {TEX_SHADOW, "2D", SHADOW(EQUAL), {{0.75f, 0.5f, 2}}, {1, 1, 1, 1},
       .format = TG_FORMAT_Z16_UNORM, .texels = depths},
      {TEX_SHADOW, "2D", SHADOW(EQUAL), {{0.25f, 0.5f, -2}}, {1, 1, 1, 1},
       .format = TG_FORMAT_Z16_UNORM, .texels = depths},
      {TEX_SHADOW, "2D", SHADOW(LEQUAL), {{0.25f, 0.5f, NAN}}, {0, 0, 0, 1},
       .format = TG_FORMAT_Z16_UNORM, .texels = depths},
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 1e-6f);
}

/* ---- cubes --------------------------------------------------------------- */

/* Toward the edge between +z (right side, column 3) and +x (left side, column
 * 0): half of each. Toward the corner of +x, +y and +z: the fourth texel is
 * the mean of three, which the blend is then, too. */
static void
test_seams(void **state)
{
#define PER_FACE                                                               \
   {                                                                           \
      .min_filter = TG_FILTER_LINEAR, .mag_filter = TG_FILTER_LINEAR,          \
      .mip_filter = TG_MIP_NONE, .wrap = {                                     \
         EDGE,                                                                 \
         EDGE,                                                                 \
         EDGE                                                                  \
      }                                                                        \
   }
#define TEX_CUBE "TEX OUT[0], IN[0], SAMP[0], CUBE"
   /* clang-format off */
   static const struct lookup lookups[] = {
      /* Row 1.5: (413 + 423) / 2 = 418 and (10 + 20) / 2 = 15. */
      {TEX_CUBE, "CUBE", LINEAR, {{0.9999999f, 0, 1}}, {216.5f, 0, 0, 1}},
      {TEX_CUBE, "CUBE", LINEAR, {{1, 0, 0.9999999f}}, {216.5f, 0, 0, 1}},
      {TEX_CUBE, "CUBE", PER_FACE, {{0.9999999f, 0, 1}}, {418, 0, 0, 1}},
      {TEX_CUBE, "CUBE", PER_FACE, {{1, 0, 0.9999999f}}, {15, 0, 0, 1}},
      /* +z row 0, +y row 3: (402.5 - 1 + ...): columns 1 and 2 of both. */
      {TEX_CUBE, "CUBE", LINEAR, {{0, 0.9999999f, 1}},
       {(401.5f + 231.5f) / 2, 0, 0, 1}},
      /* +x row 0 meets +y column 3, upside down: rows 1 and 2. */
      {TEX_CUBE, "CUBE", LINEAR, {{1, 0.9999999f, 0}},
       {(1.5f + 218) / 2, 0, 0, 1}},
      /* -y below -z: +-s is turned round. */
      {TEX_CUBE, "CUBE", LINEAR, {{0, -0.9999999f, -1}},
       {(531.5f + 331.5f) / 2, 0, 0, 1}},
      /* The corner: (403 + 0 + 233) / 3. */
      {TEX_CUBE, "CUBE", LINEAR, {{0.9999999f, 0.9999999f, 1}}, {212, 0, 0, 1}},
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 0.01f);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wrap_modes), cmocka_unit_test(test_odd_coordinates),
      cmocka_unit_test(test_levels),     cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_anisotropy), cmocka_unit_test(test_lod_queries),
      cmocka_unit_test(test_formats),    cmocka_unit_test(test_seams),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
