/* SPDX-License-Identifier: MIT
 *
 * What fragment shaders find: each input and system value, at every place, is
 * written to a colour buffer of floats or integers and compared with what the
 * specification says of it.
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

/* A shader that gives `source`; `declarations` come first. */
static void
begin_with(const char *declarations, const char *code, enum tg_format format,
           unsigned num_samples)
{
   char text[1024];
   snprintf(text, sizeof(text), "FRAG\n%sDCL OUT[0], COLOR\n%sEND\n",
            declarations, code);
   fragment_runner_init(&runner, text);
   runner.key.num_samples = (uint8_t)num_samples;
   fragment_runner_surface(&runner, 0, format, 1);
   for (unsigned lane = 0; lane < LIR_LANES; lane++)
      runner.input[GPU_FRAGMENT_COVERAGE][lane] = (1u << num_samples) - 1;
}

static void
begin(const char *declarations, const char *source)
{
   char code[128];
   snprintf(code, sizeof(code), "MOV OUT[0], %s\n", source);
   begin_with(declarations, code, TG_FORMAT_R32G32B32A32_FLOAT, 1);
}

static void
begin_integers(const char *declarations, const char *source)
{
   char code[128];
   snprintf(code, sizeof(code), "MOV OUT[0], %s\n", source);
   begin_with(declarations, code, TG_FORMAT_R32G32B32A32_UINT, 1);
}

/* The same where samples are shaded by themselves: the lanes of the quads are
 * samples 0, 1, 2 and 3. */
static void
shade_samples(void)
{
   runner.key.is_per_sample = true;
   for (unsigned lane = 0; lane < LIR_LANES; lane++)
      runner.input[GPU_FRAGMENT_SAMPLE][lane] = lane / 4;
}

/* Sample 0 in the colour buffer. */
static void
expect(uint32_t x, uint32_t y, float r, float g, float b, float a)
{
   const float expected[4] = {r, g, b, a};
   const float *found = fragment_runner_texel(&runner, 0, x, y, 0, 0);
   for (unsigned c = 0; c < 4; c++) {
      if (found[c] != expected[c])
         print_error("pixel (%u, %u): %g %g %g %g, not %g %g %g %g\n", x, y,
                     (double)found[0], (double)found[1], (double)found[2],
                     (double)found[3], (double)r, (double)g, (double)b,
                     (double)a);
      assert_true(found[c] == expected[c]);
   }
}

static void
expect_integers(uint32_t x, uint32_t y, unsigned sample, uint32_t r, uint32_t g,
                uint32_t b, uint32_t a)
{
   const uint32_t *found = fragment_runner_texel(&runner, 0, x, y, sample, 0);
   assert_int_equal(found[0], r);
   assert_int_equal(found[1], g);
   assert_int_equal(found[2], b);
   assert_int_equal(found[3], a);
}

static void
end(void)
{
   fragment_runner_finish(&runner);
}

/* ---- interpolation ------------------------------------------------------- */

/* Of a constant only the first word counts. */
static void
constants_are_bits(void **state)
{
   (void)state;
   begin("DCL IN[0], GENERIC[3], CONSTANT\n", "IN[0]");
   for (unsigned c = 0; c < 4; c++)
      fragment_runner_attribute(&runner, 0, c, (float)c + 0.1f, 7.0f, 7.0f);
   fragment_runner_run(&runner);
   expect(0, 0, 0.1f, 1.1f, 2.1f, 3.1f);
   expect(3, 3, 0.1f, 1.1f, 2.1f, 3.1f);
   end();
}

/* 10 x + 100 y + 1 at the centres, from a reference elsewhere. */
static void
planes_are_linear(void **state)
{
   (void)state;
   begin("DCL IN[0], GENERIC[3], LINEAR\n", "IN[0]");
   runner.stage[GPU_SHAPE_X] = tg_bits_of_float(2.0f);
   runner.stage[GPU_SHAPE_Y] = tg_bits_of_float(1.0f);
   fragment_runner_attribute(&runner, 0, 0, 121.0f, 10.0f, 100.0f);
   fragment_runner_run(&runner);
   expect(0, 0, 56.0f, 0.0f, 0.0f, 0.0f);
   expect(3, 2, 286.0f, 0.0f, 0.0f, 0.0f);
   end();
}

/* w is 2 at x = 0.5 and 1 / 2 at x = 3.5: 1 / w goes from 0.5 to 2. */
static void
perspective_is_divided_out(void **state)
{
   (void)state;
   begin("DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], COLOR, COLOR\n",
         "IN[0]");
   fragment_runner_plane(&runner, GPU_SHAPE_W, 0.25f, 0.5f, 0.0f);
   fragment_runner_attribute(&runner, 0, 0, 3.0f, 0.0f, 0.0f);
   fragment_runner_attribute(&runner, 0, 1, 0.5f, 1.0f, 0.0f);
   fragment_runner_run(&runner);
   expect(0, 0, 6.0f, 2.0f, 0.0f, 0.0f);
   expect(3, 0, 1.5f, 2.0f, 0.0f, 0.0f);
   end();
}

/* 1 / w goes from 0.875 to 1.34375, and the attributes are 3 and 7 times that.
 * Times a reciprocal of one rounding, 3 and 7 would be missed: 3 * 0.875 times
 * the float next to 1 / 0.875 is 3 + 2^-22. */
static void
perspective_loses_no_constant(void **state)
{
   (void)state;
   begin("DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], COLOR, COLOR\n",
         "IN[0]");
   fragment_runner_plane(&runner, GPU_SHAPE_W, 0.796875f, 0.125f, 0.03125f);
   fragment_runner_attribute(&runner, 0, 0, 3 * 0.796875f, 0.375f, 0.09375f);
   fragment_runner_attribute(&runner, 0, 1, 7 * 0.796875f, 0.875f, 0.21875f);
   fragment_runner_run(&runner);
   for (unsigned i = 0; i < 16; i++)
      expect(i % 4, i / 4, 3.0f, 7.0f, 0.0f, 0.0f);
   end();
}

/* What no output matches: FOG is (0, 0, 0, 1), the rest 0. */
static void
missing_inputs_have_defaults(void **state)
{
   static const char *const semantic[] = {"FOG", "GENERIC[1]", "TEXCOORD[2]",
                                          "COLOR", "PCOORD"};
   (void)state;
   for (unsigned i = 0; i < 5; i++) {
      char declaration[64];
      snprintf(declaration, sizeof(declaration), "DCL IN[0], %s, PERSPECTIVE\n",
               semantic[i]);
      begin(declaration, "IN[0]");
      runner.key.interpolation[0] = GPU_INTERPOLATE_NOTHING;
      fragment_runner_run(&runner);
      expect(1, 2, 0.0f, 0.0f, 0.0f, i == 0 ? 1.0f : 0.0f);
      end();
   }
}

/* ---- places -------------------------------------------------------------- */

/* IN[0] is (16 x, 16 y, 0, 0), so that places in a pixel are sixteenths. */
static void
begin_places(const char *location, const char *code)
{
   char declaration[160];
   snprintf(declaration, sizeof(declaration),
            "DCL IN[0], GENERIC[0], LINEAR%s\n"
            "IMM[0] FLT32 {0.25, -0.5, 0, 0}\n"
            "IMM[1] INT32 {3, 4, -1, 0}\n",
            location);
   begin_with(declaration, code, TG_FORMAT_R32G32B32A32_FLOAT, 4);
   fragment_runner_attribute(&runner, 0, 0, 0.0f, 16.0f, 0.0f);
   fragment_runner_attribute(&runner, 0, 1, 0.0f, 0.0f, 16.0f);
}

/* Sample 2 of four is at (2, 10): the centroid of what has it and sample 3. */
static void
centroids_are_inside(void **state)
{
   (void)state;
   begin_places(", CENTROID", "MOV OUT[0], IN[0]\n");
   runner.input[GPU_FRAGMENT_COVERAGE][fragment_runner_lane(1, 0)] = 12;
   fragment_runner_run(&runner);
   expect(0, 0, 8.0f, 8.0f, 0.0f, 0.0f);
   const float *found = fragment_runner_texel(&runner, 0, 1, 0, 2, 0);
   assert_true(found[0] == 16.0f + 2.0f && found[1] == 10.0f);
   end();

   begin_places("", "INTERP_CENTROID OUT[0], IN[0]\n");
   runner.input[GPU_FRAGMENT_COVERAGE][fragment_runner_lane(1, 0)] = 12;
   fragment_runner_run(&runner);
   expect(0, 0, 8.0f, 8.0f, 0.0f, 0.0f);
   found = fragment_runner_texel(&runner, 0, 1, 0, 2, 0);
   assert_true(found[0] == 16.0f + 2.0f && found[1] == 10.0f);
   end();
}

/* A helper without samples has its centre, so that derivatives are finite. */
static void
helpers_have_centers(void **state)
{
   (void)state;
   begin_places(", CENTROID", "DDX OUT[0], IN[0]\n");
   runner.input[GPU_FRAGMENT_COVERAGE][fragment_runner_lane(1, 0)] = 0;
   runner.live &= ~(1u << fragment_runner_lane(1, 0));
   fragment_runner_run(&runner);
   expect(0, 0, 16.0f, 0.0f, 0.0f, 0.0f);
   end();
}

/* Sample 3 of four is at (10, 14); 4 and -1 are none. */
static void
samples_are_where_they_are(void **state)
{
   (void)state;
   begin_places("", "INTERP_SAMPLE OUT[0], IN[0], IMM[1].xxxx\n");
   fragment_runner_run(&runner);
   expect(2, 1, 32.0f + 10.0f, 16.0f + 14.0f, 0.0f, 0.0f);
   end();
   begin_places("", "INTERP_SAMPLE OUT[0], IN[0], IMM[1].yyyy\n");
   fragment_runner_run(&runner);
   expect(2, 1, 32.0f + 8.0f, 16.0f + 8.0f, 0.0f, 0.0f);
   end();
   begin_places("", "INTERP_SAMPLE OUT[0], IN[0], IMM[1].zzzz\n");
   fragment_runner_run(&runner);
   expect(2, 1, 32.0f + 8.0f, 16.0f + 8.0f, 0.0f, 0.0f);
   end();
}

static void
offsets_are_from_the_center(void **state)
{
   (void)state;
   begin_places("", "INTERP_OFFSET OUT[0], IN[0], IMM[0]\n");
   fragment_runner_run(&runner);
   expect(0, 1, 8.0f + 4.0f, 16.0f + 8.0f - 8.0f, 0.0f, 0.0f);
   end();
}

/* Shaded by themselves, samples are where all inputs are taken; the lanes of
 * quad 3 are sample 3, at (10, 14). */
static void
samples_by_themselves(void **state)
{
   static const char *const location[] = {"", ", CENTROID", ", SAMPLE"};
   (void)state;
   for (unsigned i = 0; i < 3; i++) {
      begin_places(location[i], "MOV OUT[0], IN[0]\n");
      shade_samples();
      fragment_runner_run(&runner);
      const float *found = fragment_runner_texel(&runner, 0, 2, 2, 3, 0);
      assert_true(found[0] == 32.0f + 10.0f && found[1] == 32.0f + 14.0f);
      end();
   }
}

/* ---- POSITION ------------------------------------------------------------ */

static void
begin_position(const char *properties)
{
   char declarations[160];
   snprintf(declarations, sizeof(declarations),
            "%sDCL IN[0], POSITION, LINEAR\n", properties);
   begin(declarations, "IN[0]");
   runner.frame[GPU_FRAME_HEIGHT] = 4;
   fragment_runner_plane(&runner, GPU_SHAPE_Z, 0.25f, 0.125f, 0.0f);
   fragment_runner_plane(&runner, GPU_SHAPE_W, 2.0f, 0.0f, 1.0f);
}

/* Pixel (1, 2) of 4 rows: z is 0.25 + 1.5 / 8, 1 / w is 2 + 2.5. */
static void
positions_follow_conventions(void **state)
{
   static const struct {
      const char *properties;
      float x, y;
   } cases[] = {
      {"", 1.5f, 2.5f},
      {"PROPERTY FS_COORD_ORIGIN UPPER_LEFT\n", 1.5f, 2.5f},
      {"PROPERTY FS_COORD_ORIGIN LOWER_LEFT\n", 1.5f, 1.5f},
      {"PROPERTY FS_COORD_PIXEL_CENTER INTEGER\n", 1.0f, 2.0f},
      {"PROPERTY FS_COORD_ORIGIN LOWER_LEFT\n"
       "PROPERTY FS_COORD_PIXEL_CENTER INTEGER\n",
       1.0f, 1.0f},
   };
   (void)state;
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      begin_position(cases[i].properties);
      fragment_runner_run(&runner);
      expect(1, 2, cases[i].x, cases[i].y, 0.4375f, 4.5f);
      end();
   }
}

/* Of a sample by itself it is the sample's; (2, 2) is sample 3, at (10, 14)
 * sixteenths. */
static void
positions_of_samples(void **state)
{
   static const char *const declarations[] = {
      "DCL IN[0], POSITION, LINEAR\n",
      "PROPERTY FS_COORD_ORIGIN LOWER_LEFT\nDCL IN[0], POSITION, LINEAR\n",
   };
   static const float y[2] = {2.875f, 4.0f - 2.875f};
   (void)state;
   for (unsigned i = 0; i < 2; i++) {
      begin_with(declarations[i], "MOV OUT[0], IN[0]\n",
                 TG_FORMAT_R32G32B32A32_FLOAT, 4);
      shade_samples();
      runner.frame[GPU_FRAME_HEIGHT] = 4;
      fragment_runner_plane(&runner, GPU_SHAPE_Z, 0.0f, 1.0f, 16.0f);
      fragment_runner_plane(&runner, GPU_SHAPE_W, 0.0f, 0.5f, 0.0f);
      fragment_runner_run(&runner);
      const float *found = fragment_runner_texel(&runner, 0, 2, 2, 3, 0);
      assert_true(found[0] == 2.625f);
      assert_true(found[1] == y[i]);
      assert_true(found[2] == 2.625f + 16.0f * 2.875f);
      assert_true(found[3] == 2.625f / 2.0f);
      end();
   }
}

static void
positions_as_system_values(void **state)
{
   (void)state;
   begin("DCL SV[0], POSITION\n", "SV[0]");
   fragment_runner_plane(&runner, GPU_SHAPE_Z, 0.25f, 0.125f, 0.0f);
   fragment_runner_run(&runner);
   expect(1, 2, 1.5f, 2.5f, 0.4375f, 1.0f);
   end();
}

/* ---- what shapes are ----------------------------------------------------- */

static void
faces(void **state)
{
   (void)state;
   for (unsigned i = 0; i < 2; i++) {
      const float sign = i ? -1.0f : 1.0f;
      begin("DCL IN[0], FACE, CONSTANT\n", "IN[0]");
      runner.stage[GPU_SHAPE_FACE] = tg_bits_of_float(sign);
      fragment_runner_run(&runner);
      expect(0, 0, sign, 0.0f, 0.0f, 1.0f);
      end();
      begin_integers("DCL SV[0], FACE\n", "SV[0]");
      runner.stage[GPU_SHAPE_FACE] = tg_bits_of_float(sign);
      fragment_runner_run(&runner);
      expect_integers(0, 0, 0, i ? 0 : UINT32_MAX, 0, 0, 1);
      end();
   }
}

static void
numbers_of_shapes(void **state)
{
   static const struct {
      const char *name;
      uint32_t word;
   } cases[] = {
      {"PRIMID", GPU_SHAPE_ID},
      {"LAYER", GPU_SHAPE_WRITTEN_LAYER},
      {"VIEWPORT_INDEX", GPU_SHAPE_WRITTEN_VIEWPORT},
   };
   (void)state;
   for (unsigned i = 0; i < 3; i++) {
      char declaration[64];
      snprintf(declaration, sizeof(declaration), "DCL IN[0], %s, CONSTANT\n",
               cases[i].name);
      begin_integers(declaration, "IN[0].xxxx");
      runner.stage[cases[i].word] = 77 + i;
      fragment_runner_run(&runner);
      expect_integers(2, 3, 0, 77 + i, 77 + i, 77 + i, 77 + i);
      end();
   }
   begin_integers("DCL SV[0], PRIMID\n", "SV[0]");
   runner.stage[GPU_SHAPE_ID] = 5;
   fragment_runner_run(&runner);
   expect_integers(2, 3, 0, 5, 0, 0, 0);
   end();
}

/* ---- samples ------------------------------------------------------------- */

static void
sample_numbers_and_places(void **state)
{
   (void)state;
   begin_with("DCL SV[0], SAMPLEID\nDCL SV[1], SAMPLEPOS\n",
              "MOV OUT[0].xy, SV[1]\nU2F OUT[0].z, SV[0].xxxx\n",
              TG_FORMAT_R32G32B32A32_FLOAT, 4);
   shade_samples();
   fragment_runner_run(&runner);
   const float *found = fragment_runner_texel(&runner, 0, 0, 2, 2, 0);
   assert_true(found[0] == 0.125f && found[1] == 0.625f && found[2] == 2.0f);
   end();
   begin_with("DCL SV[0], SAMPLEID\nDCL SV[1], SAMPLEPOS\n",
              "MOV OUT[0].xy, SV[1]\nU2F OUT[0].z, SV[0].xxxx\n",
              TG_FORMAT_R32G32B32A32_FLOAT, 1);
   fragment_runner_run(&runner);
   expect(1, 3, 0.5f, 0.5f, 0.0f, 0.0f);
   end();
}

static void
begin_sample_mask(const char *properties, unsigned num_samples)
{
   char declarations[160];
   snprintf(declarations, sizeof(declarations), "%sDCL SV[0], SAMPLEMASK\n",
            properties);
   begin_with(declarations, "MOV OUT[0], SV[0].xxxx\n",
              TG_FORMAT_R32G32B32A32_UINT, num_samples);
}

static void
sample_masks_are_coverage(void **state)
{
   const unsigned lane = fragment_runner_lane(2, 1);
   (void)state;
   begin_sample_mask("", 1);
   fragment_runner_run(&runner);
   expect_integers(2, 1, 0, 1, 1, 1, 1);
   end();
   begin_sample_mask("", 8);
   runner.input[GPU_FRAGMENT_COVERAGE][lane] = 0xa4;
   fragment_runner_run(&runner);
   expect_integers(2, 1, 2, 0xa4, 0xa4, 0xa4, 0xa4);
   expect_integers(2, 2, 2, 0xff, 0xff, 0xff, 0xff);
   end();
   begin_sample_mask("", 4);
   shade_samples();
   fragment_runner_run(&runner);
   expect_integers(2, 0, 1, 2, 2, 2, 2);
   end();
}

/* With depths of 0 for samples 0 and 2, of 1 for the others, a fragment at 0.5
 * is behind the former. */
static void
sample_masks_behind_the_tests(void **state)
{
   (void)state;
   for (unsigned is_post = 0; is_post < 2; is_post++) {
      begin_sample_mask(is_post ? "PROPERTY FS_EARLY_DEPTH_STENCIL 1\n"
                                  "PROPERTY FS_POST_DEPTH_COVERAGE 1\n"
                                : "PROPERTY FS_EARLY_DEPTH_STENCIL 1\n",
                        4);
      runner.key.depth_enabled = true;
      runner.key.depth_func = TG_COMPARE_LESS;
      fragment_runner_surface(&runner, GPU_BINDING_DEPTH, TG_FORMAT_Z32_FLOAT,
                              1);
      fragment_runner_plane(&runner, GPU_SHAPE_Z, 0.5f, 0.0f, 0.0f);
      for (unsigned s = 1; s < 4; s += 2)
         *(float *)fragment_runner_texel(&runner, GPU_BINDING_DEPTH, 1, 1, s,
                                         0) = 1.0f;
      fragment_runner_run(&runner);
      const uint32_t seen = is_post ? 10 : 15;
      expect_integers(1, 1, 0, 0, 0, 0, 0);
      expect_integers(1, 1, 1, seen, seen, seen, seen);
      expect_integers(1, 1, 3, seen, seen, seen, seen);
      end();
   }
}

/* ---- lanes --------------------------------------------------------------- */

/* Seen by the live neighbour: ddx of what a helper has. */
static void
helpers_know_that_they_are(void **state)
{
   (void)state;
   begin_with("DCL SV[0], HELPER_INVOCATION\nDCL TEMP[0]\n",
              "I2F TEMP[0], SV[0].xxxx\n"
              "DDX OUT[0].x, TEMP[0].xxxx\n"
              "MOV OUT[0].y, TEMP[0].xxxx\n",
              TG_FORMAT_R32G32B32A32_FLOAT, 1);
   runner.live &= ~(1u << fragment_runner_lane(1, 0));
   fragment_runner_run(&runner);
   expect(0, 0, -1.0f, 0.0f, 0.0f, 0.0f);
   expect(0, 1, 0.0f, 0.0f, 0.0f, 0.0f);
   end();
}

/* Lane 6 of 16. */
static void
subgroups_are_waves(void **state)
{
   static const struct {
      const char *name;
      uint32_t value;
   } cases[] = {
      {"SUBGROUP_SIZE", 16},        {"SUBGROUP_INVOCATION", 6},
      {"SUBGROUP_EQ_MASK", 0x0040}, {"SUBGROUP_GE_MASK", 0xffc0},
      {"SUBGROUP_GT_MASK", 0xff80}, {"SUBGROUP_LE_MASK", 0x007f},
      {"SUBGROUP_LT_MASK", 0x003f},
   };
   (void)state;
   assert_int_equal(fragment_runner_lane(2, 1), 6);
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      char declaration[64];
      snprintf(declaration, sizeof(declaration), "DCL SV[0], %s\n",
               cases[i].name);
      begin_integers(declaration, "SV[0]");
      fragment_runner_run(&runner);
      expect_integers(2, 1, 0, cases[i].value, 0, 0, 0);
      end();
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(constants_are_bits),
      cmocka_unit_test(planes_are_linear),
      cmocka_unit_test(perspective_is_divided_out),
      cmocka_unit_test(perspective_loses_no_constant),
      cmocka_unit_test(missing_inputs_have_defaults),
      cmocka_unit_test(centroids_are_inside),
      cmocka_unit_test(helpers_have_centers),
      cmocka_unit_test(samples_are_where_they_are),
      cmocka_unit_test(offsets_are_from_the_center),
      cmocka_unit_test(samples_by_themselves),
      cmocka_unit_test(positions_follow_conventions),
      cmocka_unit_test(positions_of_samples),
      cmocka_unit_test(positions_as_system_values),
      cmocka_unit_test(faces),
      cmocka_unit_test(numbers_of_shapes),
      cmocka_unit_test(sample_numbers_and_places),
      cmocka_unit_test(sample_masks_are_coverage),
      cmocka_unit_test(sample_masks_behind_the_tests),
      cmocka_unit_test(helpers_know_that_they_are),
      cmocka_unit_test(subgroups_are_waves),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
