/* SPDX-License-Identifier: MIT
 *
 * Samplers against a reference that is written for one sample at a time, in
 * doubles. Each pixel takes its operands from a table, so that both sides work
 * on the same floats; levels hold unrelated texels, so that a wrong level
 * shows.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipe.h"

enum { SIDE = 16, PIXELS = SIDE * SIDE };

/* ---- the reference ------------------------------------------------------- */

struct texture {
   struct tg_resource *resource;
   int width, height, last_level;
   bool is_unorm;
};

static void
read_texel(const struct texture *texture, int level, int i, int j,
           double out[4])
{
   const int width = texture->width >> level ? texture->width >> level : 1;
   const uint32_t *words = pipe_texels(texture->resource, (uint32_t)level);
   const uint32_t *texel =
      words + (j * width + i) * (texture->is_unorm ? 1 : 4);
   for (int c = 0; c < 4; c++) {
      float value;
      memcpy(&value, texture->is_unorm ? texel : texel + c, sizeof(value));
      out[c] =
         texture->is_unorm ? (double)(*texel >> (c * 8) & 255) / 255 : value;
   }
}

static int
wrap(int i, int size, int mode)
{
   if (mode == TG_WRAP_REPEAT)
      return (i % size + size) % size;
   return i < 0 ? 0 : i >= size ? size - 1 : i;
}

static void
sample_level(const struct texture *texture,
             const struct tg_sampler_desc *sampler, int filter, int level,
             double s, double t, double out[4])
{
   const int width = texture->width >> level ? texture->width >> level : 1;
   const int height = texture->height >> level ? texture->height >> level : 1;
   const bool linear = filter == TG_FILTER_LINEAR;
   const double u = s * width - (linear ? 0.5 : 0);
   const double v = t * height - (linear ? 0.5 : 0);
   const double fu = linear ? u - floor(u) : 0, fv = linear ? v - floor(v) : 0;
   memset(out, 0, 4 * sizeof(*out));
   for (int corner = 0; corner < 4; corner++) {
      const int dx = corner & 1, dy = corner >> 1;
      const double weight = (dx ? fu : 1 - fu) * (dy ? fv : 1 - fv);
      double texel[4];
      if (weight == 0)
         continue;
      read_texel(texture, level,
                 wrap((int)floor(u) + dx, width, sampler->wrap[0]),
                 wrap((int)floor(v) + dy, height, sampler->wrap[1]), texel);
      for (int c = 0; c < 4; c++)
         out[c] += weight * texel[c];
   }
}

static double
clamp(double x, double low, double high)
{
   return fmax(fmin(x, high), low);
}

static void
sample(const struct texture *texture, const struct tg_sampler_desc *sampler,
       double s, double t, double lod, double out[4])
{
   lod = clamp(lod + sampler->lod_bias, sampler->min_lod, sampler->max_lod);
   if (lod <= 0) {
      sample_level(texture, sampler, sampler->mag_filter, 0, s, t, out);
      return;
   }
   const int filter = sampler->min_filter;
   const double held = clamp(lod, 0, texture->last_level);
   if (sampler->mip_filter != TG_MIP_LINEAR) {
      const int level =
         sampler->mip_filter == TG_MIP_NONE ? 0 : (int)ceil(held + 0.5) - 1;
      sample_level(texture, sampler, filter, level, s, t, out);
      return;
   }
   const int level = (int)floor(held);
   const int next = level < texture->last_level ? level + 1 : level;
   double other[4];
   sample_level(texture, sampler, filter, level, s, t, out);
   sample_level(texture, sampler, filter, next, s, t, other);
   for (int c = 0; c < 4; c++)
      out[c] += (held - level) * (other[c] - out[c]);
}

/* ---- the pipeline -------------------------------------------------------- */

/* Operands of a pixel: the coordinate register, and derivatives. */
struct operands {
   float coord[PIXELS][4];
   float dx[PIXELS][4];
   float dy[PIXELS][4];
};

static float
random_float(uint32_t *seed)
{
   *seed = *seed * 1664525 + 1013904223;
   return (float)(*seed >> 8) / 16777216.0f;
}

/* An odd multiple of 1/4096 between -2 and 3: exact in all that is done with
 * it, and never on the border of a texel. */
static float
random_coordinate(uint32_t *seed)
{
   return (floorf(random_float(seed) * 10240) * 2 + 1) / 4096 - 2;
}

static void
start(struct pipe *pipe, const char *opcode, const char *more)
{
   static char text[1024];
   const struct pipe_vertex v[3] = {
      {{-1, -1, 0, 1}, {0}}, {{3, -1, 0, 1}, {0}}, {{-1, 3, 0, 1}, {0}}};
   snprintf(text, sizeof(text),
            "FRAG\n"
            "DCL IN[0], POSITION, LINEAR\n"
            "DCL OUT[0], COLOR\n"
            "DCL SAMP[0]\n"
            "DCL SVIEW[0], 2D, FLOAT\n"
            "DCL CONST[0..%d]\n"
            "DCL TEMP[0..3]\n"
            "DCL ADDR[0]\n"
            "IMM[0] FLT32 {16.0, 0.0, 0.0, 0.0}\n"
            "FLR TEMP[0].xy, IN[0].xyyy\n"
            "MAD TEMP[0].x, TEMP[0].yyyy, IMM[0].xxxx, TEMP[0].xxxx\n"
            "ARL ADDR[0].x, TEMP[0].xxxx\n"
            "MOV TEMP[1], CONST[ADDR[0].x]\n"
            "MOV TEMP[2], CONST[ADDR[0].x+%d]\n"
            "MOV TEMP[3], CONST[ADDR[0].x+%d]\n"
            "%s OUT[0], TEMP[1],%s SAMP[0], 2D\n"
            "END\n",
            PIXELS * 3 - 1, PIXELS, PIXELS * 2, opcode, more);
   pipe_init(pipe, SIDE, SIDE, pipe_vertex_shader, text);
   pipe_set_vertices(pipe, v, 3);
}

static uint32_t
level_size(int size, int level)
{
   return (uint32_t)(size >> level ? size >> level : 1);
}

static struct texture
make_texture(struct pipe *pipe, bool is_unorm, int width, int height,
             bool has_levels, uint32_t *seed)
{
   const uint32_t last_level =
      has_levels ? tg_full_last_level((uint32_t)width, (uint32_t)height, 1) : 0;
   const struct texture texture = {
      .resource = pipe_texture(pipe,
                               is_unorm ? TG_FORMAT_R8G8B8A8_UNORM
                                        : TG_FORMAT_R32G32B32A32_FLOAT,
                               (uint32_t)width, (uint32_t)height, last_level),
      .width = width,
      .height = height,
      .last_level = (int)last_level,
      .is_unorm = is_unorm,
   };
   for (uint32_t level = 0; level <= last_level; level++) {
      uint32_t *words = pipe_texels(texture.resource, level);
      const uint32_t num_words = level_size(width, (int)level) *
                                 level_size(height, (int)level) *
                                 (is_unorm ? 1 : 4);
      for (uint32_t i = 0; i < num_words; i++) {
         const float value = random_float(seed) * 8 - 4;
         if (is_unorm)
            words[i] = (uint32_t)(random_float(seed) * 4294967040.0f);
         else
            memcpy(&words[i], &value, sizeof(value));
      }
   }
   return texture;
}

static void
draw(struct pipe *pipe, const struct operands *operands,
     const struct texture *texture, const struct tg_sampler_desc *sampler)
{
   pipe_set_constants(pipe, 0, pipe_buffer(pipe, operands, sizeof(*operands)));
   pipe_set_texture(pipe, 0, texture->resource, sampler);
   assert_int_equal(pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
}

/* Levels that are derived are exact to 2^-14, and texels of two levels differ
 * by 8 at most. */
static const double exact = 1e-4, derived = 1e-4 + 8 * 0x1p-14;

static void
expect(const struct pipe *pipe, int pixel, const double expected[4],
       double tolerance)
{
   const float *got =
      pipe_pixel(pipe, (uint32_t)pixel % SIDE, (uint32_t)pixel / SIDE);
   for (int c = 0; c < 4; c++) {
      if (!(fabs(got[c] - expected[c]) <= tolerance))
         fail_msg("pixel %d, channel %d: %g, expected %g", pixel, c, got[c],
                  expected[c]);
   }
}

/* ---- explicit levels: every filter and wrap mode ------------------------- */

static void
check_sampler(const struct tg_sampler_desc *sampler, bool is_unorm,
              uint32_t *seed)
{
   static const int sizes[][2] = {{8, 8}, {5, 3}, {16, 1}, {1, 1}};
   for (int i = 0; i < 4; i++) {
      struct pipe pipe;
      struct operands operands = {0};
      start(&pipe, "TXL", "");
      const struct texture texture =
         make_texture(&pipe, is_unorm, sizes[i][0], sizes[i][1], true, seed);
      for (int p = 0; p < PIXELS; p++) {
         operands.coord[p][0] = random_coordinate(seed);
         operands.coord[p][1] = random_coordinate(seed);
         operands.coord[p][3] = random_float(seed) * 8 - 2;
      }
      draw(&pipe, &operands, &texture, sampler);
      for (int p = 0; p < PIXELS; p++) {
         const float *coord = operands.coord[p];
         double expected[4];
         sample(&texture, sampler, coord[0], coord[1], coord[3], expected);
         expect(&pipe, p, expected, exact);
      }
      pipe_finish(&pipe);
   }
}

static void
filters_and_wraps(void **test)
{
   (void)test;
   static const uint8_t wraps[] = {TG_WRAP_REPEAT, TG_WRAP_CLAMP_TO_EDGE};
   uint32_t seed = 5;
   for (unsigned i = 0; i < 2 * 2 * 2 * 3; i++) {
      const struct tg_sampler_desc sampler = {
         .size = sizeof(sampler),
         .wrap = {wraps[i & 1], wraps[(i ^ i >> 1) & 1]},
         .min_filter = i >> 1 & 1,
         .mag_filter = i >> 2 & 1,
         .mip_filter = (uint8_t)(i / 8),
         .lod_bias = i & 1 ? 0.25f : 0,
         .min_lod = i & 2 ? 0.5f : -10,
         .max_lod = i & 4 ? 2.5f : 10,
      };
      check_sampler(&sampler, i % 3 == 0, &seed);
   }
}

/* ---- where the level comes from ------------------------------------------ */

static const struct tg_sampler_desc trilinear = {
   .size = sizeof(trilinear),
   .wrap = {TG_WRAP_REPEAT, TG_WRAP_CLAMP_TO_EDGE},
   .min_filter = TG_FILTER_LINEAR,
   .mag_filter = TG_FILTER_LINEAR,
   .mip_filter = TG_MIP_LINEAR,
   .min_lod = -10,
   .max_lod = 10,
};

static double
footprint(const struct texture *texture, double dsdx, double dtdx, double dsdy,
          double dtdy)
{
   const double w = texture->width, h = texture->height;
   const double x = hypot(dsdx * w, dtdx * h), y = hypot(dsdy * w, dtdy * h);
   return log2(fmax(x, y));
}

/* A picture of coordinates that stretch unevenly from pixel to pixel. */
static void
bent_coordinates(struct operands *operands)
{
   for (int p = 0; p < PIXELS; p++) {
      const float x = (float)(p % SIDE), y = (float)(p / SIDE);
      operands->coord[p][0] = x * x * 0.013f + y * 0.021f;
      operands->coord[p][1] = y * y * 0.007f - x * 0.011f;
      operands->coord[p][3] = 1;
   }
}

/* The level that a pixel's row and column in its quad ask for. */
static double
implicit_lod(const struct texture *texture, float coord[PIXELS][4], int p)
{
   const int left = p & ~1, right = p | 1;
   const int top = p & ~SIDE, bottom = p | SIDE;
   return footprint(texture, coord[right][0] - coord[left][0],
                    coord[right][1] - coord[left][1],
                    coord[bottom][0] - coord[top][0],
                    coord[bottom][1] - coord[top][1]);
}

static void
implicit_levels(void **test)
{
   (void)test;
   static const struct {
      const char *opcode;
      float w;
      double bias, divisor;
   } cases[] = {
      {"TEX", 1, 0, 1},
      {"TXB", 1.75f, 1.75, 1},
      {"TXP", 4, 0, 4},
   };
   for (int i = 0; i < 3; i++) {
      uint32_t seed = 3;
      struct pipe pipe;
      struct operands operands = {0};
      start(&pipe, cases[i].opcode, "");
      const struct texture texture =
         make_texture(&pipe, false, 64, 32, true, &seed);
      float divided[PIXELS][4] = {0};
      bent_coordinates(&operands);
      for (int p = 0; p < PIXELS; p++) {
         operands.coord[p][3] = cases[i].w;
         for (int c = 0; c < 2; c++)
            divided[p][c] = operands.coord[p][c] / (float)cases[i].divisor;
      }
      draw(&pipe, &operands, &texture, &trilinear);
      for (int p = 0; p < PIXELS; p++) {
         double expected[4];
         sample(&texture, &trilinear, divided[p][0], divided[p][1],
                implicit_lod(&texture, divided, p) + cases[i].bias, expected);
         expect(&pipe, p, expected, derived);
      }
      pipe_finish(&pipe);
   }
}

static void
explicit_derivatives(void **test)
{
   (void)test;
   uint32_t seed = 11;
   struct pipe pipe;
   struct operands operands = {0};
   start(&pipe, "TXD", " TEMP[2], TEMP[3],");
   const struct texture texture =
      make_texture(&pipe, false, 64, 32, true, &seed);
   bent_coordinates(&operands);
   for (int p = 0; p < PIXELS; p++) {
      for (int c = 0; c < 2; c++) {
         operands.dx[p][c] = random_float(&seed) * 0.3f - 0.1f;
         operands.dy[p][c] = random_float(&seed) * 0.1f - 0.2f;
      }
   }
   draw(&pipe, &operands, &texture, &trilinear);
   for (int p = 0; p < PIXELS; p++) {
      double expected[4];
      const double lod =
         footprint(&texture, operands.dx[p][0], operands.dx[p][1],
                   operands.dy[p][0], operands.dy[p][1]);
      sample(&texture, &trilinear, operands.coord[p][0], operands.coord[p][1],
             lod, expected);
      expect(&pipe, p, expected, derived);
   }
   pipe_finish(&pipe);
}

/* A texture of one level is minified with the minifying filter. */
static void
one_level_is_minified(void **test)
{
   (void)test;
   uint32_t seed = 17;
   struct pipe pipe;
   struct operands operands = {0};
   struct tg_sampler_desc sampler = trilinear;
   sampler.min_filter = TG_FILTER_NEAREST;
   start(&pipe, "TXL", "");
   const struct texture texture =
      make_texture(&pipe, false, 8, 8, false, &seed);
   for (int p = 0; p < PIXELS; p++) {
      operands.coord[p][0] = random_coordinate(&seed);
      operands.coord[p][1] = random_coordinate(&seed);
      operands.coord[p][3] = p % 2 ? 3.0f : -3.0f;
   }
   draw(&pipe, &operands, &texture, &sampler);
   for (int p = 0; p < PIXELS; p++) {
      double expected[4];
      sample_level(&texture, &sampler,
                   p % 2 ? TG_FILTER_NEAREST : TG_FILTER_LINEAR, 0,
                   operands.coord[p][0], operands.coord[p][1], expected);
      expect(&pipe, p, expected, exact);
   }
   pipe_finish(&pipe);
}

/* ---- the edges of arithmetic --------------------------------------------- */

/* Coordinates that are infinite or NaN count as 0, levels that are NaN too,
 * and nothing is read that is not there. */
static void
strange_operands(void **test)
{
   (void)test;
   static const float strange[] = {NAN,    INFINITY, -INFINITY, 3e38f, -3e38f,
                                   1e-45f, -1e-45f,  -0.0f,     1.0f};
   const int count = sizeof(strange) / sizeof(*strange);
   uint32_t seed = 23;
   for (int linear = 0; linear < 2; linear++) {
      struct pipe pipe;
      struct operands operands = {0};
      struct tg_sampler_desc sampler = trilinear;
      sampler.min_filter = sampler.mag_filter = (uint8_t)linear;
      start(&pipe, "TXL", "");
      const struct texture texture =
         make_texture(&pipe, false, 5, 3, true, &seed);
      for (int p = 0; p < PIXELS; p++) {
         operands.coord[p][0] = strange[p % count];
         operands.coord[p][1] = strange[p / count % count];
         operands.coord[p][3] = p % 4 ? strange[p % count] : 0.0f;
      }
      draw(&pipe, &operands, &texture, &sampler);

      double expected[4];
      sample(&texture, &sampler, 0, 0, 0, expected);
      expect(&pipe, 0, expected, exact); /* NaN, NaN */
      for (int p = 0; p < PIXELS; p++) {
         /* All texels are within 4 of 0, so all results are. */
         const float *pixel =
            pipe_pixel(&pipe, (uint32_t)p % SIDE, (uint32_t)p / SIDE);
         for (int c = 0; c < 4; c++)
            assert_true(fabsf(pixel[c]) <= 4.001f);
      }
      pipe_finish(&pipe);
   }
}

static void
unbound_views_read_zero(void **test)
{
   (void)test;
   struct pipe pipe;
   struct operands operands = {0};
   start(&pipe, "TEX", "");
   pipe_clear(pipe.color, (const float[4]){9, 9, 9, 9});
   pipe_set_constants(&pipe, 0,
                      pipe_buffer(&pipe, &operands, sizeof(operands)));
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   const double zero[4] = {0};
   for (int p = 0; p < PIXELS; p++)
      expect(&pipe, p, zero, exact);
   pipe_finish(&pipe);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(filters_and_wraps),
      cmocka_unit_test(implicit_levels),
      cmocka_unit_test(explicit_derivatives),
      cmocka_unit_test(one_level_is_minified),
      cmocka_unit_test(strange_operands),
      cmocka_unit_test(unbound_views_read_zero),
   };
   return cmocka_run_group_tests_name("gpu: sampler", tests, NULL, NULL);
}
