/* SPDX-License-Identifier: MIT
 *
 * The reference sampler against values worked out by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference_parts.h"

/* ---- help ---------------------------------------------------------------- */

/* Four texels in a row: 10, 20, 30, 40 in x; the border is 90. */
static double row_texels[4][4] = {{10}, {20}, {30}, {40}};

static struct reference_texture
make_row(void)
{
   return (struct reference_texture){
      .target = TG_TARGET_1D,
      .width = 4,
      .height = 1,
      .depth = 1,
      .layers = 1,
      .num_levels = 1,
      .num_samples = 1,
      .swizzle = {0, 1, 2, 3},
      .texels = {row_texels},
      .border = {90},
   };
}

static double
sample_at(const struct reference_texture *texture,
          const struct tg_sampler_desc *sampler, double s, double t, double r)
{
   const struct reference_lookup lookup = {
      .coord = {s, t, r},
      .footprint = reference_explicit(0),
   };
   struct reference_result result;

   reference_sample(texture, sampler, &lookup, &result);
   return result.value[0];
}

static void
expect(double value, double expected)
{
   if (!(fabs(value - expected) <= 1e-9))
      fail_msg("%.12g instead of %.12g", value, expected);
}

/* ---- wrapping ------------------------------------------------------------ */

/* The texel at the middle of index -6 to 9, nearest. */
static void
wrap_nearest(void **state)
{
   static const struct {
      enum tg_wrap mode;
      int texel[16]; /* 9 is the border, n stands for 10 * n */
   } cases[] = {
      {TG_WRAP_REPEAT, {3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2}},
      {TG_WRAP_CLAMP, {1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4}},
      {TG_WRAP_CLAMP_TO_EDGE, {1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4}},
      {TG_WRAP_CLAMP_TO_BORDER,
       {9, 9, 9, 9, 9, 9, 1, 2, 3, 4, 9, 9, 9, 9, 9, 9}},
      {TG_WRAP_MIRROR_REPEAT, {3, 4, 4, 3, 2, 1, 1, 2, 3, 4, 4, 3, 2, 1, 1, 2}},
      {TG_WRAP_MIRROR_CLAMP, {4, 4, 4, 3, 2, 1, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4}},
      {TG_WRAP_MIRROR_CLAMP_TO_EDGE,
       {4, 4, 4, 3, 2, 1, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4}},
      {TG_WRAP_MIRROR_CLAMP_TO_BORDER,
       {9, 9, 4, 3, 2, 1, 1, 2, 3, 4, 9, 9, 9, 9, 9, 9}},
   };
   const struct reference_texture texture = make_row();

   (void)state;
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      const struct tg_sampler_desc sampler = {
         .size = sizeof(sampler),
         .wrap = {cases[i].mode},
         .mip_filter = TG_MIP_NONE,
      };
      for (int k = 0; k < 16; k++)
         expect(sample_at(&texture, &sampler, (k - 6 + 0.5) / 4, 0, 0),
                10 * cases[i].texel[k]);
   }
}

/* A quarter of the way from one texel's middle to the next: 3 and 1 parts. */
static void
wrap_linear(void **state)
{
   static const struct {
      enum tg_wrap mode;
      double s, expected;
   } cases[] = {
      {TG_WRAP_REPEAT, 0.1875, 12.5}, /* u = 0.75: 10 and 20 */
      {TG_WRAP_REPEAT, 0.9375, 32.5}, /* u = 3.75: 40 and 10 */
      {TG_WRAP_REPEAT, -0.0625, 32.5},
      {TG_WRAP_CLAMP_TO_EDGE, 0.9375, 40},
      {TG_WRAP_CLAMP_TO_EDGE, -3, 10},
      {TG_WRAP_CLAMP_TO_BORDER, 0.9375, 52.5}, /* 40 and 90 */
      {TG_WRAP_CLAMP_TO_BORDER, 1.5, 90},
      {TG_WRAP_CLAMP, 0.9375, 52.5},
      {TG_WRAP_CLAMP, 1.5, 65}, /* the place is clamped: half and half */
      {TG_WRAP_CLAMP, -7, 50},
      {TG_WRAP_MIRROR_REPEAT, 0.9375, 40},
      {TG_WRAP_MIRROR_REPEAT, 1.0625, 40},
      {TG_WRAP_MIRROR_REPEAT, 1.1875, 37.5}, /* u = 4.75: 40 and 30 */
      {TG_WRAP_MIRROR_REPEAT, -0.1875, 12.5},
      {TG_WRAP_MIRROR_CLAMP_TO_EDGE, -0.1875, 12.5},
      {TG_WRAP_MIRROR_CLAMP_TO_EDGE, -2, 40},
      {TG_WRAP_MIRROR_CLAMP_TO_EDGE, 0.0625, 10},
      {TG_WRAP_MIRROR_CLAMP_TO_BORDER, 0.0625, 10}, /* no border in between */
      {TG_WRAP_MIRROR_CLAMP_TO_BORDER, -0.9375, 52.5},
      {TG_WRAP_MIRROR_CLAMP_TO_BORDER, -2, 90},
      {TG_WRAP_MIRROR_CLAMP, -2, 65},
      {TG_WRAP_MIRROR_CLAMP, 2, 65},
   };
   const struct reference_texture texture = make_row();

   (void)state;
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      const struct tg_sampler_desc sampler = {
         .size = sizeof(sampler),
         .wrap = {cases[i].mode},
         .mag_filter = TG_FILTER_LINEAR,
         .mip_filter = TG_MIP_NONE,
      };
      expect(sample_at(&texture, &sampler, cases[i].s, 0, 0),
             cases[i].expected);
   }
}

/* Offsets move the place before it is wrapped; texel coordinates are not
 * scaled; what is no number is 0. */
static void
places(void **state)
{
   struct reference_texture texture = make_row();
   struct tg_sampler_desc sampler = {.size = sizeof(sampler),
                                     .mip_filter = TG_MIP_NONE};
   struct reference_lookup lookup = {
      .coord = {0.125},
      .offset = {5},
      .footprint = reference_explicit(0),
   };
   struct reference_result result;

   (void)state;
   reference_sample(&texture, &sampler, &lookup, &result);
   expect(result.value[0], 20);
   expect(sample_at(&texture, &sampler, NAN, 0, 0), 10);
   expect(sample_at(&texture, &sampler, INFINITY, 0, 0), 10);
   sampler.unnormalized_coords = true;
   sampler.wrap[0] = TG_WRAP_CLAMP_TO_EDGE;
   expect(sample_at(&texture, &sampler, 2.5, 0, 0), 30);
}

/* ---- planes and volumes -------------------------------------------------- */

static void
two_and_three_axes(void **state)
{
   /* 2 by 2 by 2, texel = 1 + x + 2 y + 4 z */
   double texels[8][4] = {{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};
   struct reference_texture texture = make_row();
   const struct tg_sampler_desc sampler = {
      .size = sizeof(sampler),
      .wrap = {TG_WRAP_CLAMP_TO_EDGE, TG_WRAP_CLAMP_TO_EDGE,
               TG_WRAP_CLAMP_TO_EDGE},
      .mag_filter = TG_FILTER_LINEAR,
      .mip_filter = TG_MIP_NONE,
   };

   (void)state;
   texture.width = texture.height = texture.depth = 2;
   texture.texels[0] = texels;
   texture.target = TG_TARGET_3D;
   expect(sample_at(&texture, &sampler, 0.5, 0.5, 0.5), 4.5);
   expect(sample_at(&texture, &sampler, 0.25, 0.75, 0.5), 5);
   expect(sample_at(&texture, &sampler, 0.375, 0.25, 0.25), 1.25);

   texture.target = TG_TARGET_2D_ARRAY;
   texture.depth = 1;
   texture.layers = 2;
   struct reference_lookup lookup = {
      .coord = {0.5, 0.5},
      .footprint = reference_explicit(0),
   };
   static const struct {
      double layer, expected;
   } layers[] = {{0.25, 2.5}, {0.5, 6.5}, {9, 6.5}, {-4, 2.5}, {NAN, 2.5}};
   for (unsigned i = 0; i < sizeof(layers) / sizeof(layers[0]); i++) {
      struct reference_result result;

      lookup.layer = layers[i].layer;
      reference_sample(&texture, &sampler, &lookup, &result);
      expect(result.value[0], layers[i].expected);
   }
}

/* ---- levels -------------------------------------------------------------- */

/* 4, 2, 1 texels that all hold 0, 100, 200; mag says so with linear, which
 * meets the border at s = 0. */
static void
levels(void **state)
{
   double zero[4][4] = {{0}}, one[2][4] = {{100}, {100}}, two[1][4] = {{200}};
   struct reference_texture texture = make_row();
   static const struct {
      int mip;
      double lod, bias, min, max, expected;
   } cases[] = {
      {TG_MIP_NONE, 5, 0, 0, 9, 0},
      {TG_MIP_NEAREST, 0.4375, 0, 0, 9, 0},
      {TG_MIP_NEAREST, 0.5625, 0, 0, 9, 100},
      {TG_MIP_NEAREST, 0.5, 0, 0, 9, 0},
      {TG_MIP_NEAREST, 1.5, 0, 0, 9, 100},
      {TG_MIP_NEAREST, 7, 0, 0, 9, 200},
      {TG_MIP_LINEAR, 0.75, 0, 0, 9, 75},
      {TG_MIP_LINEAR, 0.75, 0.5, 0, 9, 125},
      {TG_MIP_LINEAR, 1.75, 0, 0, 1.5, 150},
      {TG_MIP_LINEAR, -3, 0, 1, 9, 100},
      {TG_MIP_LINEAR, 0, 0, 1.5, 0.5, 150}, /* crossed: the least wins */
      {TG_MIP_LINEAR, 9, 0, 0, 9, 200},
      {TG_MIP_LINEAR, NAN, 1, 0, 9, 100},
      /* Magnified: half of the border of 90. */
      {TG_MIP_LINEAR, 0, 0, 0, 9, 45},
      {TG_MIP_LINEAR, 3, -4, 0, 9, 45},
      {TG_MIP_LINEAR, 3, 0, -2, -1, 45},
   };

   (void)state;
   texture.num_levels = 3;
   texture.texels[0] = zero;
   texture.texels[1] = one;
   texture.texels[2] = two;
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      const struct tg_sampler_desc sampler = {
         .size = sizeof(sampler),
         .wrap = {TG_WRAP_CLAMP},
         .mag_filter = TG_FILTER_LINEAR,
         .mip_filter = (uint8_t)cases[i].mip,
         .lod_bias = (float)cases[i].bias,
         .min_lod = (float)cases[i].min,
         .max_lod = (float)cases[i].max,
      };
      const struct reference_lookup lookup = {
         .footprint = reference_explicit(cases[i].lod)};
      struct reference_result result;

      reference_sample(&texture, &sampler, &lookup, &result);
      expect(result.value[0], cases[i].expected);
   }
}

static void
expect_near(double value, double expected)
{
   if (!(fabs(value - expected) <= 0.001))
      fail_msg("%.12g instead of %.12g", value, expected);
}

static double
middle_lod(const struct reference_footprint *footprint)
{
   return (footprint->lod[0] + footprint->lod[1]) / 2;
}

static void
footprints(void **state)
{
   struct reference_texture texture = make_row();
   struct tg_sampler_desc sampler = {.size = sizeof(sampler),
                                     .mip_filter = TG_MIP_NONE};
   const double zero[3] = {0};

   (void)state;
   texture.target = TG_TARGET_2D;
   texture.width = 64;
   texture.height = 32;
   /* (3, 4) texels are 5 long, longer than (0, 2). */
   struct reference_footprint footprint = reference_derivatives(
      &texture, &sampler, zero, (double[3]){3.0 / 64, 4.0 / 32},
      (double[3]){0, 2.0 / 32});
   expect_near(middle_lod(&footprint), log2(5));
   assert_int_equal(footprint.num_probes, 1);

   /* Two and a half times as long: three probes of a third each. */
   sampler.max_anisotropy = 16;
   footprint = reference_derivatives(&texture, &sampler, zero,
                                     (double[3]){3.0 / 64, 4.0 / 32},
                                     (double[3]){0, 2.0 / 32});
   expect_near(middle_lod(&footprint), log2(5.0 / 3));
   assert_int_equal(footprint.num_probes, 3);
   expect(footprint.axis[0], 3.0 / 64);
   sampler.max_anisotropy = 2;
   footprint =
      reference_derivatives(&texture, &sampler, zero, (double[3]){0, 2.0 / 32},
                            (double[3]){3.0 / 64, 4.0 / 32});
   expect_near(middle_lod(&footprint), log2(2.5));
   assert_int_equal(footprint.num_probes, 2);
   expect(footprint.axis[0], 3.0 / 64);

   /* Half a texel is as wide as a whole one. */
   sampler.max_anisotropy = 16;
   footprint = reference_derivatives(&texture, &sampler, zero,
                                     (double[3]){2.5 / 64},
                                     (double[3]){0, 0.5 / 32});
   expect_near(middle_lod(&footprint), log2(2.5 / 3));
   assert_int_equal(footprint.num_probes, 3);

   /* Lane 3 lies 8 texels to the right of lane 2, lane 0 4 above; what lane 1
    * holds does not matter. */
   sampler.max_anisotropy = 1;
   footprint = reference_quad(
      &texture, &sampler,
      (double[4][3]){{0.5, 0.5}, {9, 9}, {0.5, 0.625}, {0.625, 0.625}}, 2);
   expect_near(middle_lod(&footprint), 3);

   texture.target = TG_TARGET_RECT;
   footprint = reference_derivatives(&texture, &sampler, zero,
                                     (double[3]){16, 0}, (double[3]){0, 2});
   expect_near(middle_lod(&footprint), 4);
}

/* ---- cubes --------------------------------------------------------------- */

enum { SIDE = 4 };

/* 100 * face + 10 * j + i. */
static void
make_cube(double (*texels)[4], struct reference_texture *texture)
{
   for (int n = 0; n < 6 * SIDE * SIDE; n++)
      texels[n][0] =
         100 * (n / (SIDE * SIDE)) + 10 * (n / SIDE % SIDE) + n % SIDE;
   *texture = make_row();
   texture->target = TG_TARGET_CUBE;
   texture->width = texture->height = SIDE;
   texture->layers = 6;
   texture->texels[0] = texels;
}

static void
faces(void **state)
{
   double texels[6 * SIDE * SIDE][4] = {0};
   struct reference_texture texture;
   struct tg_sampler_desc sampler = {
      .size = sizeof(sampler),
      .mip_filter = TG_MIP_NONE,
      .wrap = {TG_WRAP_CLAMP_TO_EDGE, TG_WRAP_CLAMP_TO_EDGE},
   };
   /* A direction whose s and t on each face are -3/4 and 1/4 of the way: the
    * texel (0, 2). */
   static const double directions[6][3] = {
      {4, -1, 3},   {-4, -1, -3}, {-3, 4, 1},
      {-3, -4, -1}, {-3, -1, 4},  {3, -1, -4},
   };

   (void)state;
   make_cube(texels, &texture);
   for (int face = 0; face < 6; face++) {
      const double *v = directions[face];
      expect(sample_at(&texture, &sampler, v[0], v[1], v[2]), 100 * face + 20);
   }
   /* On the edge between +x and +z, a quarter above the middle: between rows 1
    * and 2 of +x, column 0, and of +z, column 3. */
   sampler.mag_filter = TG_FILTER_LINEAR;
   sampler.seamless_cube = true;
   expect_near(sample_at(&texture, &sampler, 1, 0, 0.9999999),
               (10 + 20 + 413 + 423) / 4.0);
   sampler.seamless_cube = false;
   expect_near(sample_at(&texture, &sampler, 1, 0, 0.9999999), 15);
   /* The corner of +x, +y and +z. */
   sampler.seamless_cube = true;
   const double corner = (0 + 233 + 403) / 3.0;
   expect_near(sample_at(&texture, &sampler, 1, 0.9999999, 0.9999998),
               (0 + 233 + 403 + corner) / 4);
}

/* A step of 2 along x from (0, 0, 1) is one of 4 texels on +z. From +x, where
 * it leads to, it is one of 1: d(-z/x) = z dx/x^2. */
static void
a_quad_across_an_edge(void **state)
{
   static double texels[6 * SIDE * SIDE][4];
   const struct tg_sampler_desc sampler = {.size = sizeof(sampler)};
   double coord[4][3] = {{0, 0, 1}, {9, 9, 9}, {0, 0, 1}, {2, 0, 1}};
   struct reference_footprint footprint;
   struct reference_texture texture;

   (void)state;
   make_cube(texels, &texture);
   footprint = reference_quad(&texture, &sampler, coord, 2);
   expect_near(middle_lod(&footprint), 2);
   footprint = reference_quad(&texture, &sampler, coord, 3);
   expect_near(middle_lod(&footprint), 0);
}

/* Which edge of which face lies across each edge, at index 1 from its low end.
 */
static void
edges(void **state)
{
   static const struct {
      int face, i, j, to_face, to_i, to_j;
   } cases[] = {
      {0, SIDE, 1, 5, 0, 1}, {0, -1, 1, 4, 3, 1},   {0, 1, -1, 2, 3, 2},
      {0, 1, SIDE, 3, 3, 1}, {1, SIDE, 1, 4, 0, 1}, {1, -1, 1, 5, 3, 1},
      {1, 1, -1, 2, 0, 1},   {1, 1, SIDE, 3, 0, 2}, {2, 1, -1, 5, 2, 0},
      {2, 1, SIDE, 4, 1, 0}, {3, 1, -1, 4, 1, 3},   {3, 1, SIDE, 5, 2, 3},
   };

   (void)state;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      int face = cases[n].face, i = cases[n].i, j = cases[n].j;

      reference_cross_edge(&face, &i, &j, SIDE);
      assert_int_equal(face, cases[n].to_face);
      assert_int_equal(i, cases[n].to_i);
      assert_int_equal(j, cases[n].to_j);
   }
}

/* (1, 0, 0) and a step along -z is a step along s of half as much, as the face
 * is 2 wide in space. Farther out, at z = -1/2, a step outward along x shrinks
 * what is seen: d(z/x) = -z/x^2. */
static void
face_derivatives(void **state)
{
   double ds_dt[2];

   (void)state;
   reference_face_derivative((double[3]){1, 0, 0}, (double[3]){0, 0, -0.5},
                             ds_dt);
   expect(ds_dt[0], 0.25);
   expect(ds_dt[1], 0);
   reference_face_derivative((double[3]){2, 0, -1}, (double[3]){1, 0, 0},
                             ds_dt);
   expect(ds_dt[0], -0.125);
}

/* ---- comparisons, gathers, fetches, queries ------------------------------ */

static void
comparisons(void **state)
{
   struct reference_texture texture = make_row();
   struct tg_sampler_desc sampler = {
      .size = sizeof(sampler),
      .mag_filter = TG_FILTER_LINEAR,
      .mip_filter = TG_MIP_NONE,
   };
   struct reference_lookup lookup = {
      .coord = {0.4375}, /* three quarters of 20, one of 30 */
      .compares = true,
      .reference = 20,
      .footprint = reference_explicit(0),
   };
   static const double expected[8] = {0, 0.25, 0.75, 1, 0, 0.25, 0.75, 1};

   (void)state;
   for (unsigned func = 0; func < 8; func++) {
      struct reference_result result;

      sampler.compare_func = (uint8_t)func;
      reference_sample(&texture, &sampler, &lookup, &result);
      expect(result.value[0], expected[func]);
      expect(result.value[2], expected[func]);
      expect(result.value[3], 1);
   }

   /* A reference of 20 is 1 against texels that cannot be more. */
   double depth[4][4] = {{1}, {1}, {1}, {1}};
   struct reference_result result;
   texture.texels[0] = depth;
   texture.is_fixed_point_depth = true;
   sampler.compare_func = TG_COMPARE_EQUAL;
   reference_sample(&texture, &sampler, &lookup, &result);
   expect(result.value[0], 1);
}

static void
gathers(void **state)
{
   /* 2 by 2, rows from the top: 1 2, 3 4. */
   double texels[4][4] = {{1, 10}, {2, 20}, {3, 30}, {4, 40}};
   struct reference_texture texture = make_row();
   const struct tg_sampler_desc sampler = {
      .size = sizeof(sampler),
      .wrap = {TG_WRAP_CLAMP_TO_EDGE, TG_WRAP_CLAMP_TO_EDGE}};
   const struct reference_lookup lookup = {.coord = {0.4, 0.6}};
   int offsets[4][3] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
   struct reference_result result;

   (void)state;
   texture.target = TG_TARGET_2D;
   texture.width = texture.height = 2;
   texture.texels[0] = texels;
   reference_gather(&texture, &sampler, &lookup, 1, NULL, &result);
   expect(result.value[0], 30);
   expect(result.value[1], 40);
   expect(result.value[2], 20);
   expect(result.value[3], 10);
   reference_gather(&texture, &sampler, &lookup, 0, offsets, &result);
   expect(result.value[0], 1);
   expect(result.value[1], 2);
   expect(result.value[2], 3);
   expect(result.value[3], 4);
}

static void
fetches(void **state)
{
   struct reference_texture texture = make_row();
   struct reference_result result;

   (void)state;
   texture.swizzle[3] = TG_SWIZZLE_1;
   reference_fetch(&texture, 2, 0, 0, 0, 0, &result);
   expect(result.value[0], 30);
   expect(result.value[3], 1);
   static const int outside[][5] = {
      {4, 0, 0, 0, 0}, {-1, 0, 0, 0, 0}, {0, 1, 0, 0, 0},
      {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0},  {0, 0, 0, 0, 1},
   };
   for (unsigned i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
      const int *at = outside[i];

      reference_fetch(&texture, at[0], at[1], at[2], at[3], at[4], &result);
      expect(result.value[0], 0);
      expect(result.value[3], 0);
   }
}

static void
queries(void **state)
{
   struct reference_texture texture = make_row();
   struct tg_sampler_desc sampler = {.size = sizeof(sampler),
                                     .mip_filter = TG_MIP_LINEAR,
                                     .lod_bias = 1,
                                     .max_lod = 1.75f};
   struct reference_lookup lookup = {.footprint = reference_explicit(4.5)};
   struct reference_result result;

   (void)state;
   texture.target = TG_TARGET_CUBE_ARRAY;
   texture.width = texture.height = 20;
   texture.layers = 18;
   texture.num_levels = 5;
   reference_query_lod(&texture, &sampler, &lookup, &result);
   expect(result.value[0], 1.75);
   expect(result.value[1], 5.5);
   sampler.mip_filter = TG_MIP_NEAREST;
   reference_query_lod(&texture, &sampler, &lookup, &result);
   expect(result.value[0], 2);
   reference_query_size(&texture, 2, &result);
   expect(result.value[0], 5);
   expect(result.value[1], 5);
   expect(result.value[2], 3);
   expect(result.value[3], 5);
   reference_query_size(&texture, UINT32_MAX, &result);
   expect(result.value[0], 0);
   expect(result.value[3], 5);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrap_nearest),
      cmocka_unit_test(wrap_linear),
      cmocka_unit_test(places),
      cmocka_unit_test(two_and_three_axes),
      cmocka_unit_test(levels),
      cmocka_unit_test(footprints),
      cmocka_unit_test(faces),
      cmocka_unit_test(edges),
      cmocka_unit_test(face_derivatives),
      cmocka_unit_test(a_quad_across_an_edge),
      cmocka_unit_test(comparisons),
      cmocka_unit_test(gathers),
      cmocka_unit_test(fetches),
      cmocka_unit_test(queries),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
