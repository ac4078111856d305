/* SPDX-License-Identifier: MIT
 *
 * What fragment kernels do that the reference does not know: smooth edges,
 * layers, pixels of one colour, which lanes the shader runs for, reading the
 * framebuffer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fragment_runner.h"
#include "util/bits.h"

static struct fragment_runner runner;

/* Gives IN[0]. */
static const char plain[] = "FRAG\n"
                            "DCL IN[0], GENERIC[0], LINEAR\n"
                            "DCL OUT[0], COLOR\n"
                            "MOV OUT[0], IN[0]\n"
                            "END\n";

static void
begin(const char *text, enum tg_format format, unsigned num_samples,
      unsigned num_layers)
{
   fragment_runner_init(&runner, text);
   runner.key.num_samples = (uint8_t)num_samples;
   fragment_runner_surface(&runner, 0, format, num_layers);
   for (unsigned lane = 0; lane < LIR_LANES; lane++)
      runner.input[GPU_FRAGMENT_COVERAGE][lane] = (1u << num_samples) - 1;
}

static void
set_color(float r, float g, float b, float a)
{
   const float color[4] = {r, g, b, a};
   for (unsigned c = 0; c < 4; c++)
      fragment_runner_attribute(&runner, 0, c, color[c], 0.0f, 0.0f);
}

static float
alpha_at(uint32_t x, uint32_t y)
{
   return ((const float *)fragment_runner_texel(&runner, 0, x, y, 0, 0))[3];
}

/* ---- smooth edges -------------------------------------------------------- */

/* A line of width 1.5 along y = 1.25 that ends at x = 2.25: rows from 0.5 to 2
 * are within. */
static void
smooth_lines_fade(void **state)
{
   static const float rows[4] = {0.5f, 1.0f, 0.0f, 0.0f};
   static const float columns[4] = {1.0f, 1.0f, 0.25f, 0.0f};
   (void)state;
   begin(plain, TG_FORMAT_R32G32B32A32_FLOAT, 1, 1);
   runner.key.smoothing = GPU_SMOOTH_LINE;
   set_color(2.0f, 3.0f, 4.0f, 0.5f);
   fragment_runner_plane(&runner, GPU_SHAPE_ACROSS, -1.25f, 0.0f, 1.0f);
   fragment_runner_plane(&runner, GPU_SHAPE_ALONG, 7.75f, 1.0f, 0.0f);
   runner.stage[GPU_SHAPE_HALF_ACROSS] = tg_bits_of_float(0.75f);
   runner.stage[GPU_SHAPE_HALF_ALONG] = tg_bits_of_float(10.0f);
   fragment_runner_run(&runner);
   for (uint32_t y = 0; y < 4; y++) {
      for (uint32_t x = 0; x < 4; x++) {
         const float *color = fragment_runner_texel(&runner, 0, x, y, 0, 0);
         assert_true(color[0] == 2.0f);
         assert_true(color[3] == 0.5f * rows[y] * columns[x]);
      }
   }
   fragment_runner_finish(&runner);
}

/* A hair of a quarter of a pixel within row 1 covers as much of it. */
static void
thin_lines_are_faint(void **state)
{
   (void)state;
   begin(plain, TG_FORMAT_R32G32B32A32_FLOAT, 1, 1);
   runner.key.smoothing = GPU_SMOOTH_LINE;
   set_color(1.0f, 1.0f, 1.0f, 1.0f);
   fragment_runner_plane(&runner, GPU_SHAPE_ACROSS, -1.5f, 0.0f, 1.0f);
   runner.stage[GPU_SHAPE_HALF_ACROSS] = tg_bits_of_float(0.125f);
   runner.stage[GPU_SHAPE_HALF_ALONG] = tg_bits_of_float(10.0f);
   fragment_runner_run(&runner);
   assert_true(alpha_at(0, 0) == 0.0f);
   assert_true(alpha_at(0, 1) == 0.25f);
   assert_true(alpha_at(0, 2) == 0.0f);
   fragment_runner_finish(&runner);
}

/* Around (0.5, 0.5): (3, 4) pixels away is 5, the radius. */
static void
smooth_points_are_round(void **state)
{
   (void)state;
   begin(plain, TG_FORMAT_R32G32B32A32_FLOAT, 1, 1);
   runner.key.smoothing = GPU_SMOOTH_POINT;
   set_color(1.0f, 1.0f, 1.0f, 1.0f);
   fragment_runner_plane(&runner, GPU_SHAPE_ACROSS, 1.5f, 1.0f, 0.0f);
   fragment_runner_plane(&runner, GPU_SHAPE_ALONG, 2.5f, 0.0f, 1.0f);
   runner.stage[GPU_SHAPE_HALF_ACROSS] = tg_bits_of_float(5.0f);
   fragment_runner_run(&runner);
   assert_true(alpha_at(0, 0) == 1.0f);
   assert_true(alpha_at(1, 1) == 0.5f); /* (3, 4) */
   assert_true(alpha_at(3, 3) == 0.0f);
   fragment_runner_finish(&runner);
}

/* By 16 samples, though the framebuffer has one. Integers have no alpha. */
static void
smooth_polygons_count_samples(void **state)
{
   (void)state;
   begin(plain, TG_FORMAT_R32G32B32A32_FLOAT, 1, 1);
   runner.key.smoothing = GPU_SMOOTH_POLYGON;
   set_color(1.0f, 1.0f, 1.0f, 1.0f);
   runner.input[GPU_FRAGMENT_COVERAGE][fragment_runner_lane(1, 0)] = 0xf0f3;
   runner.input[GPU_FRAGMENT_COVERAGE][fragment_runner_lane(2, 0)] = 0xffff;
   fragment_runner_run(&runner);
   assert_true(alpha_at(1, 0) == 10.0f / 16.0f);
   assert_true(alpha_at(2, 0) == 1.0f);
   fragment_runner_finish(&runner);

   begin(plain, TG_FORMAT_R32G32B32A32_SINT, 1, 1);
   runner.key.smoothing = GPU_SMOOTH_POLYGON;
   set_color(1.0f, 1.0f, 1.0f, 1.0f);
   fragment_runner_run(&runner);
   assert_true(alpha_at(1, 0) == 1.0f);
   fragment_runner_finish(&runner);
}

/* ---- layers -------------------------------------------------------------- */

/* From layer 1 of the texture on, the shape's layer 2 is layer 3. */
static void
layers_are_counted_from_the_first(void **state)
{
   (void)state;
   begin(plain, TG_FORMAT_R8G8B8A8_UNORM, 1, 4);
   set_color(1.0f, 0.0f, 0.0f, 1.0f);
   runner.key.is_layered = true;
   runner.frame[GPU_FRAME_SURFACES + GPU_SURFACE_OFFSET] =
      runner.frame[GPU_FRAME_SURFACES + GPU_SURFACE_SLICE];
   runner.stage[GPU_SHAPE_LAYER] = 2;
   fragment_runner_run(&runner);
   for (unsigned layer = 0; layer < 4; layer++) {
      const uint8_t *texel = fragment_runner_texel(&runner, 0, 3, 1, 0, layer);
      assert_int_equal(texel[0], layer == 3 ? 255 : 0);
   }
   fragment_runner_finish(&runner);
}

/* ---- pixels of one colour ------------------------------------------------ */

static uint8_t
red(uint32_t x, uint32_t y, unsigned sample)
{
   const uint8_t *texel = fragment_runner_texel(&runner, 0, x, y, sample, 0);
   return texel[0];
}

/* Lane (0, 0) is covered wholly, (1, 0) in part. Before, samples are 100 + s.
 */
static void
begin_one_color(bool was_one)
{
   begin(plain, TG_FORMAT_R8G8B8A8_UNORM, 4, 1);
   set_color(1.0f, 0.0f, 0.0f, 0.5f);
   runner.key.one_color = 1;
   runner.input[GPU_FRAGMENT_COVERAGE][fragment_runner_lane(1, 0)] = 5;
   for (unsigned x = 0; x < 2; x++) {
      *fragment_runner_one_color(&runner, 0, x, 0) = was_one;
      for (unsigned s = 0; s < 4; s++)
         memset(fragment_runner_texel(&runner, 0, x, 0, s, 0), 101 + 2 * (int)s,
                4);
   }
}

static void
whole_pixels_store_one_sample(void **state)
{
   (void)state;
   for (unsigned was_one = 0; was_one < 2; was_one++) {
      begin_one_color(was_one);
      fragment_runner_run(&runner);
      assert_int_equal(*fragment_runner_one_color(&runner, 0, 0, 0), 1);
      assert_int_equal(red(0, 0, 0), 255);
      for (unsigned s = 1; s < 4; s++)
         assert_int_equal(red(0, 0, s), 101 + 2 * s); /* not touched */
      fragment_runner_finish(&runner);
   }
}

static void
edges_store_all_samples(void **state)
{
   (void)state;
   for (unsigned was_one = 0; was_one < 2; was_one++) {
      begin_one_color(was_one);
      fragment_runner_run(&runner);
      assert_int_equal(*fragment_runner_one_color(&runner, 0, 1, 0), 0);
      assert_int_equal(red(1, 0, 0), 255);
      assert_int_equal(red(1, 0, 1), was_one ? 101 : 103);
      assert_int_equal(red(1, 0, 2), 255);
      assert_int_equal(red(1, 0, 3), was_one ? 101 : 107);
      fragment_runner_finish(&runner);
   }
}

/* Half of 255 and half of what is there: a pixel that is one colour stays so,
 * others have four. */
static void
blending_keeps_what_is_one(void **state)
{
   (void)state;
   for (unsigned was_one = 0; was_one < 2; was_one++) {
      begin_one_color(was_one);
      runner.key.blend[0] = (struct lower_blend_key){
         .enabled = true,
         .rgb_src_factor = TG_BLEND_SRC_ALPHA,
         .rgb_dst_factor = TG_BLEND_INV_SRC_ALPHA,
         .alpha_src_factor = TG_BLEND_ONE,
         .alpha_dst_factor = TG_BLEND_ZERO,
         .colormask = TG_CHANNEL_RGBA,
      };
      fragment_runner_run(&runner);
      assert_int_equal(*fragment_runner_one_color(&runner, 0, 0, 0), was_one);
      assert_int_equal(red(0, 0, 0), 178);
      if (!was_one) {
         assert_int_equal(red(0, 0, 1), 179);
         assert_int_equal(red(0, 0, 3), 181);
      }
      fragment_runner_finish(&runner);
   }
}

/* ---- who is shaded ------------------------------------------------------- */

/* Counts its lanes into a buffer of its own colour: what is discarded before it
 * cannot be seen but by derivatives, so it tells how many lanes are live. */
static const char votes[] =
   "FRAG\n"
   "%s"
   "DCL IN[0], GENERIC[0], LINEAR\n"
   "DCL OUT[0], COLOR\n"
   "DCL OUT[1], POSITION\n"
   "DCL TEMP[0]\n"
   "READ_HELPER TEMP[0].x\n"
   "UCMP TEMP[0].x, TEMP[0].xxxx, IN[0].xxxx, IN[0].yyyy\n"
   "DDX TEMP[0].x, TEMP[0].xxxx\n"
   "MOV OUT[0], TEMP[0].xxxx\n"
   "MOV OUT[1].z, IN[0].zzzz\n"
   "END\n";

/* Pixel (1, 0) is behind 0.25, the fragments are at 0.5 and move to 0.75 or
 * 0.125. A helper has 2, others have 1: the difference is seen in (0, 0). */
static float
vote(const char *property, enum tg_compare func, float z)
{
   char text[512];
   snprintf(text, sizeof(text), votes, property);
   begin(text, TG_FORMAT_R32G32B32A32_FLOAT, 1, 1);
   set_color(2.0f, 1.0f, z, 1.0f);
   runner.key.depth_enabled = true;
   runner.key.depth_func = (uint8_t)func;
   fragment_runner_surface(&runner, GPU_BINDING_DEPTH, TG_FORMAT_Z32_FLOAT, 1);
   fragment_runner_plane(&runner, GPU_SHAPE_Z, 0.5f, 0.0f, 0.0f);
   const bool is_less = func == TG_COMPARE_LESS;
   for (unsigned i = 0; i < 16; i++) {
      float *depth =
         fragment_runner_texel(&runner, GPU_BINDING_DEPTH, i % 4, i / 4, 0, 0);
      *depth = (i == 1) == is_less ? 0.25f : 0.875f;
   }
   fragment_runner_run(&runner);
   const float seen =
      ((const float *)fragment_runner_texel(&runner, 0, 0, 0, 0, 0))[0];
   fragment_runner_finish(&runner);
   return seen;
}

/* Nothing says where the shader's depth is; it says that it is no nearer, or no
 * farther; or it says so where that does not help. */
static void
layouts_of_depth_reject_early(void **state)
{
   (void)state;
   assert_true(vote("", TG_COMPARE_LESS, 0.75f) == 0.0f);
   assert_true(vote("PROPERTY FS_DEPTH_LAYOUT 1\n", TG_COMPARE_LESS, 0.75f) ==
               0.0f);
   assert_true(vote("PROPERTY FS_DEPTH_LAYOUT 2\n", TG_COMPARE_LESS, 0.75f) ==
               1.0f);
   assert_true(vote("PROPERTY FS_DEPTH_LAYOUT 3\n", TG_COMPARE_LESS, 0.125f) ==
               0.0f);
   assert_true(
      vote("PROPERTY FS_DEPTH_LAYOUT 3\n", TG_COMPARE_GREATER, 0.375f) == 1.0f);
   assert_true(vote("PROPERTY FS_DEPTH_LAYOUT 4\n", TG_COMPARE_LESS, 0.5f) ==
               1.0f);
}

/* ---- the framebuffer ----------------------------------------------------- */

/* Samples by themselves read their own sample, though only one is stored. */
static void
fetches_see_samples(void **state)
{
   static const char text[] = "FRAG\n"
                              "DCL OUT[0], COLOR\n"
                              "DCL SV[0], SAMPLEID\n"
                              "DCL TEMP[0]\n"
                              "FBFETCH TEMP[0], OUT[0]\n"
                              "ADD OUT[0], TEMP[0], TEMP[0]\n"
                              "END\n";
   (void)state;
   begin(text, TG_FORMAT_R32_FLOAT, 4, 1);
   runner.key.is_per_sample = true;
   runner.key.one_color = 1;
   for (unsigned lane = 0; lane < LIR_LANES; lane++)
      runner.input[GPU_FRAGMENT_SAMPLE][lane] = 2;
   *fragment_runner_one_color(&runner, 0, 1, 0) = 1;
   for (unsigned s = 0; s < 4; s++) {
      for (unsigned x = 0; x < 2; x++)
         *(float *)fragment_runner_texel(&runner, 0, x, 0, s, 0) =
            (float)(s + 1);
   }
   fragment_runner_bind_colors(&runner);
   fragment_runner_run(&runner);
   assert_true(*(float *)fragment_runner_texel(&runner, 0, 0, 0, 2, 0) == 6.0f);
   assert_true(*(float *)fragment_runner_texel(&runner, 0, 1, 0, 2, 0) == 2.0f);
   assert_true(*(float *)fragment_runner_texel(&runner, 0, 1, 0, 3, 0) == 1.0f);
   fragment_runner_finish(&runner);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(smooth_lines_fade),
      cmocka_unit_test(thin_lines_are_faint),
      cmocka_unit_test(smooth_points_are_round),
      cmocka_unit_test(smooth_polygons_count_samples),
      cmocka_unit_test(layers_are_counted_from_the_first),
      cmocka_unit_test(whole_pixels_store_one_sample),
      cmocka_unit_test(edges_store_all_samples),
      cmocka_unit_test(blending_keeps_what_is_one),
      cmocka_unit_test(layouts_of_depth_reject_early),
      cmocka_unit_test(fetches_see_samples),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
