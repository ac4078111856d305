/* SPDX-License-Identifier: MIT
 *
 * Random state and random pixels: what the fragment kernel leaves in every
 * sample is what the reference does, one sample at a time. Planes have few
 * bits, so that values at samples are exact.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fragment_reference.h"
#include "util/bits.h"

enum {
   NUM_RUNS = 2000,
   PASSED_BEFORE = 5, /* samples, to which kernels add */
};

/* ---- dice ---------------------------------------------------------------- */

static uint64_t random_state = 4;

static uint32_t
roll(uint32_t count)
{
   random_state =
      random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
   return (uint32_t)(random_state >> 33) % count;
}

static bool
one_of(uint32_t count)
{
   return roll(count) == 0;
}

/* A multiple of 1 / `steps` from `least` on. */
static float
roll_float(float least, float most, uint32_t steps)
{
   return least + (float)roll((uint32_t)((most - least) * (float)steps) + 1) /
                     (float)steps;
}

/* ---- shaders ------------------------------------------------------------- */

/* What the shader has besides its colours: IN[2] is mask, reference, depth, and
 * a number below 0 to be killed. */
struct parts {
   bool kills, has_z, has_stencil, has_mask, is_early, writes_all;
   unsigned depth_layout;
};

static struct parts
roll_parts(void)
{
   return (struct parts){
      .kills = one_of(3),
      .has_z = one_of(4),
      .has_stencil = one_of(5),
      .has_mask = one_of(4),
      .is_early = one_of(6),
      .writes_all = one_of(6),
      .depth_layout = 0,
   };
}

static void
write_shader(const struct parts *parts, char text[1024])
{
   snprintf(text, 1024,
            "FRAG\n"
            "PROPERTY FS_EARLY_DEPTH_STENCIL %d\n"
            "PROPERTY FS_COLOR0_WRITES_ALL_CBUFS %d\n"
            "DCL IN[0..2], GENERIC[0], LINEAR\n"
            "DCL OUT[0], COLOR[0]\n"
            "DCL OUT[1], COLOR[1]\n"
            "%s%s%s"
            "MOV OUT[0], IN[0]\n"
            "MOV OUT[1], IN[1]\n"
            "%s%s%s%s"
            "END\n",
            parts->is_early, parts->writes_all,
            parts->has_z ? "DCL OUT[2], POSITION\n" : "",
            parts->has_stencil ? "DCL OUT[3], STENCIL\n" : "",
            parts->has_mask ? "DCL OUT[4], SAMPLEMASK\n" : "",
            parts->has_z ? "MOV OUT[2].z, IN[2].zzzz\n" : "",
            parts->has_stencil ? "F2U OUT[3].y, IN[2].yyyy\n" : "",
            parts->has_mask ? "F2U OUT[4].x, IN[2].xxxx\n" : "",
            parts->kills ? "KILL_IF IN[2].wwww\n" : "");
}

/* ---- state --------------------------------------------------------------- */

static void
roll_blend(struct lower_blend_key *blend)
{
   static const uint8_t factors[] = {
      TG_BLEND_ONE,
      TG_BLEND_SRC_COLOR,
      TG_BLEND_SRC_ALPHA,
      TG_BLEND_DST_ALPHA,
      TG_BLEND_DST_COLOR,
      TG_BLEND_SRC_ALPHA_SATURATE,
      TG_BLEND_CONST_COLOR,
      TG_BLEND_CONST_ALPHA,
      TG_BLEND_SRC1_COLOR,
      TG_BLEND_SRC1_ALPHA,
      TG_BLEND_ZERO,
      TG_BLEND_INV_SRC_COLOR,
      TG_BLEND_INV_SRC_ALPHA,
      TG_BLEND_INV_DST_ALPHA,
      TG_BLEND_INV_DST_COLOR,
      TG_BLEND_INV_CONST_COLOR,
      TG_BLEND_INV_CONST_ALPHA,
      TG_BLEND_INV_SRC1_COLOR,
      TG_BLEND_INV_SRC1_ALPHA,
   };
   const uint32_t count = sizeof(factors) / sizeof(factors[0]);
   *blend = (struct lower_blend_key){
      .enabled = one_of(2),
      .rgb_func = (uint8_t)roll(LOWER_NUM_BLEND_FUNCS),
      .alpha_func = (uint8_t)roll(LOWER_NUM_BLEND_FUNCS),
      .rgb_src_factor = factors[roll(count)],
      .rgb_dst_factor = factors[roll(count)],
      .alpha_src_factor = factors[roll(count)],
      .alpha_dst_factor = factors[roll(count)],
      .colormask = (uint8_t)(one_of(2) ? TG_CHANNEL_RGBA : roll(16)),
   };
}

static void
roll_stencil(struct lower_stencil_key *stencil)
{
   *stencil = (struct lower_stencil_key){
      .enabled = true,
      .func = (uint8_t)roll(ABI_NUM_COMPARES),
      .fail_op = (uint8_t)(one_of(2) ? 0 : roll(LOWER_NUM_STENCIL_OPS)),
      .zfail_op = (uint8_t)(one_of(2) ? 0 : roll(LOWER_NUM_STENCIL_OPS)),
      .zpass_op = (uint8_t)roll(LOWER_NUM_STENCIL_OPS),
      .valuemask = (uint8_t)(one_of(2) ? 255 : roll(256)),
      .writemask = (uint8_t)(one_of(2) ? 255 : roll(256)),
   };
}

static enum tg_format
roll_color_format(void)
{
   for (;;) {
      const enum tg_format format =
         (enum tg_format)(1 + roll(TG_NUM_FORMATS - 1));
      const struct format_info *info = format_info(format);
      if ((info->layout == FORMAT_LAYOUT_PLAIN ||
           info->layout == FORMAT_LAYOUT_R9G9B9E5) &&
          info->colorspace != FORMAT_COLORSPACE_ZS)
         return format;
   }
}

static enum tg_format
roll_depth_format(void)
{
   static const enum tg_format formats[] = {
      TG_FORMAT_Z16_UNORM,         TG_FORMAT_Z24X8_UNORM,
      TG_FORMAT_X8Z24_UNORM,       TG_FORMAT_Z24_UNORM_S8_UINT,
      TG_FORMAT_S8_UINT_Z24_UNORM, TG_FORMAT_Z32_FLOAT,
      TG_FORMAT_Z32_UNORM,         TG_FORMAT_Z32_FLOAT_S8X24_UINT,
      TG_FORMAT_S8_UINT,
   };
   return formats[roll(sizeof(formats) / sizeof(formats[0]))];
}

static void
roll_tests(struct fragment_runner *runner)
{
   struct gpu_fragment_key *key = &runner->key;
   const enum tg_format format = roll_depth_format();
   fragment_runner_surface(runner, GPU_BINDING_DEPTH, format, 1);
   if (format_has_depth(format)) {
      key->depth_enabled = !one_of(4);
      key->depth_bounds = one_of(4);
   }
   if (key->depth_enabled) {
      key->depth_write = !one_of(3);
      key->depth_func = (uint8_t)roll(ABI_NUM_COMPARES);
      key->depth_clamp = one_of(4);
   }
   if (format_has_stencil(format) && !one_of(3)) {
      roll_stencil(&key->stencil[0]);
      if (one_of(2))
         roll_stencil(&key->stencil[1]);
   }
}

static void
roll_key(struct fragment_runner *runner)
{
   struct gpu_fragment_key *key = &runner->key;
   key->num_samples = (uint8_t)(1u << roll(5));
   if (key->num_samples > 1) {
      key->is_by_pixel = one_of(5);
      key->one_color = (uint8_t)roll(4);
   }
   if (key->num_samples > 1 && !key->is_by_pixel) {
      key->is_per_sample = one_of(3);
      key->alpha_to_coverage = one_of(4);
      key->alpha_to_one = one_of(6);
   } else {
      key->masks_pixels = one_of(2);
   }
   key->clamp_color = one_of(3);
   key->dither = one_of(3);
   key->logic_enabled = one_of(5);
   key->logic_op = (uint8_t)(key->logic_enabled ? roll(16) : 0);
   key->alpha_enabled = one_of(4);
   key->alpha_func = (uint8_t)roll(ABI_NUM_COMPARES);
   for (unsigned i = 0; i < 2; i++) {
      fragment_runner_surface(runner, i, roll_color_format(), 1);
      roll_blend(&key->blend[i]);
   }
   if (!one_of(4))
      roll_tests(runner);
}

static void
roll_frame(struct fragment_runner *runner)
{
   uint32_t *frame = runner->frame;
   for (unsigned i = 0; i < 4; i++)
      frame[GPU_FRAME_BLEND_COLOR + i] =
         tg_bits_of_float(roll_float(-0.5f, 1.5f, 64));
   frame[GPU_FRAME_ALPHA_REF] = tg_bits_of_float(roll_float(0, 1, 8));
   frame[GPU_FRAME_DEPTH_BOUNDS] = tg_bits_of_float(roll_float(0, 0.5f, 16));
   frame[GPU_FRAME_DEPTH_BOUNDS + 1] =
      tg_bits_of_float(roll_float(0.5f, 1, 16));
   frame[GPU_FRAME_STENCIL_REF] = roll(256);
   frame[GPU_FRAME_STENCIL_REF + 1] = roll(256);
   runner->stage[GPU_SHAPE_FACE] = tg_bits_of_float(one_of(2) ? 1.0f : -1.0f);
   runner->stage[GPU_SHAPE_MIN_DEPTH] =
      tg_bits_of_float(roll_float(0, 0.5f, 16));
   runner->stage[GPU_SHAPE_MAX_DEPTH] =
      tg_bits_of_float(roll_float(0.5f, 1, 16));
}

/* ---- values -------------------------------------------------------------- */

/* Planes that the values of a run lie on. */
struct planes {
   float attribute[3][4][3];
   float z[3];
};

static float
value_at(const float plane[3], float x, float y)
{
   return plane[0] + x * plane[1] + y * plane[2];
}

static void
roll_planes(struct fragment_runner *runner, struct planes *planes)
{
   for (unsigned i = 0; i < 12; i++) {
      float *plane = planes->attribute[i / 4][i % 4];
      plane[0] = roll_float(-0.25f, 1.0f, 64);
      plane[1] = roll_float(-0.25f, 0.25f, 64);
      plane[2] = roll_float(-0.25f, 0.25f, 64);
   }
   for (unsigned i = 0; i < 2; i++) { /* mask and reference */
      float *plane = planes->attribute[2][i];
      plane[0] = (float)roll(60000);
      plane[1] = (float)roll(700);
      plane[2] = (float)roll(700);
   }
   for (unsigned i = 0; i < 12; i++) {
      const float *plane = planes->attribute[i / 4][i % 4];
      fragment_runner_attribute(runner, i / 4, i % 4, plane[0], plane[1],
                                plane[2]);
   }
   planes->z[0] = roll_float(-0.125f, 1.0f, 64);
   planes->z[1] = roll_float(-0.25f, 0.25f, 64);
   planes->z[2] = roll_float(-0.25f, 0.25f, 64);
   fragment_runner_plane(runner, GPU_SHAPE_Z, planes->z[0], planes->z[1],
                         planes->z[2]);
}

static void
roll_coverage(struct fragment_runner *runner)
{
   const uint32_t all = (1u << runner->key.num_samples) - 1;
   runner->live = 0;
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      const uint32_t covered = one_of(3) ? roll(all + 1) : all;
      const uint32_t sample = roll(runner->key.num_samples);
      const bool is_live =
         runner->key.is_per_sample ? covered >> sample & 1 : covered != 0;
      runner->input[GPU_FRAGMENT_COVERAGE][lane] = covered;
      runner->input[GPU_FRAGMENT_SAMPLE][lane] = sample;
      runner->live |= (uint32_t)is_live << lane;
   }
}

/* Texels of numbers, or of any bits where all are numbers; where a pixel is one
 * colour, garbage in the other samples. */
static void
roll_texel(enum tg_format format, uint8_t *texel)
{
   const struct format_info *info = format_info(format);
   uint32_t words[4];
   for (unsigned i = 0; i < info->block_bytes; i++)
      texel[i] = (uint8_t)roll(256);
   if (info->class != FORMAT_CLASS_FLOAT)
      return;
   for (unsigned c = 0; c < 4; c++)
      words[c] = tg_bits_of_float(roll_float(-0.25f, 1.25f, 4096));
   format_pack(format, words, texel);
}

static void
roll_surfaces(struct fragment_runner *runner)
{
   const struct gpu_fragment_key *key = &runner->key;
   for (uint32_t y = 0; y < RUNNER_HEIGHT; y++) {
      for (uint32_t x = 0; x < RUNNER_WIDTH; x++) {
         for (unsigned s = 0; s < key->num_samples; s++) {
            for (unsigned i = 0; i < 2; i++)
               roll_texel((enum tg_format)key->color_format[i],
                          fragment_runner_texel(runner, i, x, y, s, 0));
            if (key->depth_format)
               roll_texel(
                  (enum tg_format)key->depth_format,
                  fragment_runner_texel(runner, GPU_BINDING_DEPTH, x, y, s, 0));
         }
         for (unsigned i = 0; i < 2; i++)
            *fragment_runner_one_color(runner, i, x, y) =
               key->one_color >> i & 1 ? (uint8_t)roll(2) : 0;
      }
   }
}

/* ---- one pixel ----------------------------------------------------------- */

/* What the samples of a pixel are. */
static void
read_pixel(struct fragment_runner *runner, uint32_t x, uint32_t y,
           struct reference_pixel *pixel)
{
   const struct gpu_fragment_key *key = &runner->key;
   memset(pixel, 0, sizeof(*pixel));
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t bytes =
         format_info((enum tg_format)key->color_format[i])->block_bytes;
      const bool is_one = *fragment_runner_one_color(runner, i, x, y);
      assert_true(*fragment_runner_one_color(runner, i, x, y) <= 1);
      for (unsigned s = 0; s < key->num_samples; s++) {
         memcpy(pixel->color[i][s],
                fragment_runner_texel(runner, i, x, y, is_one ? 0 : s, 0),
                bytes);
         reference_clear_void((enum tg_format)key->color_format[i],
                              pixel->color[i][s]);
      }
   }
   for (unsigned s = 0; key->depth_format && s < key->num_samples; s++)
      memcpy(pixel->depth[s],
             fragment_runner_texel(runner, GPU_BINDING_DEPTH, x, y, s, 0),
             format_info((enum tg_format)key->depth_format)->block_bytes);
}

/* Direct3D's places of samples, in sixteenths from the centre, as its
 * documentation lists them. */
static const int8_t positions_1[][2] = {{0, 0}};
static const int8_t positions_2[][2] = {{4, 4}, {-4, -4}};
static const int8_t positions_4[][2] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}};
static const int8_t positions_8[][2] = {{1, -3}, {-1, 3},  {5, 1}, {-3, -5},
                                        {-5, 5}, {-7, -1}, {3, 7}, {7, -7}};
static const int8_t positions_16[][2] = {
   {1, 1},  {-1, -3}, {-3, 2},  {4, -1}, {-5, -2}, {2, 5},  {5, 3}, {3, -5},
   {-2, 6}, {0, -7},  {-4, -6}, {-6, 4}, {-8, 0},  {7, -4}, {6, 7}, {-7, -8}};

static void
place_of(const struct gpu_fragment_key *key, unsigned sample, float place[2])
{
   const int8_t(*positions)[2] = key->num_samples == 1   ? positions_1
                                 : key->num_samples == 2 ? positions_2
                                 : key->num_samples == 4 ? positions_4
                                 : key->num_samples == 8 ? positions_8
                                                         : positions_16;
   for (unsigned i = 0; i < 2; i++)
      place[i] = 0.5f + (float)positions[sample][i] / 16.0f;
}

static void
find_values(const struct fragment_runner *runner, const struct parts *parts,
            const struct planes *planes, float x, float y,
            struct reference_values *values)
{
   *values = (struct reference_values){
      .is_killed = parts->kills && value_at(planes->attribute[2][3], x, y) < 0,
      .has_z = parts->has_z && runner->key.depth_enabled,
      .has_stencil = parts->has_stencil && runner->key.stencil[0].enabled,
      .has_mask = parts->has_mask,
      .z = value_at(planes->attribute[2][2], x, y),
      .stencil = (uint32_t)value_at(planes->attribute[2][1], x, y),
      .mask = (uint32_t)value_at(planes->attribute[2][0], x, y),
   };
   for (unsigned i = 0; i < 8; i++)
      values->color[i / 4][i % 4] =
         value_at(planes->attribute[i / 4][i % 4], x, y);
   /* A lane with one sample has its own bit of the mask. */
   if (runner->key.num_samples == 1)
      values->mask &= 1;
}

static uint32_t
draw_pixel(const struct fragment_runner *runner, const struct parts *parts,
           const struct planes *planes, uint32_t x, uint32_t y,
           struct reference_pixel *pixel)
{
   const struct gpu_fragment_key *key = &runner->key;
   const unsigned lane = fragment_runner_lane(x, y);
   const unsigned own = runner->input[GPU_FRAGMENT_SAMPLE][lane];
   uint32_t samples = runner->input[GPU_FRAGMENT_COVERAGE][lane];
   struct reference_values values;
   float z[16] = {0}, place[2] = {0.5f, 0.5f};
   if (key->is_per_sample) {
      place_of(key, own, place);
      samples &= 1u << own;
   }
   find_values(runner, parts, planes, (float)x + place[0], (float)y + place[1],
               &values);
   for (unsigned s = 0; s < key->num_samples; s++) {
      float at[2] = {0.5f, 0.5f};
      if (!key->is_by_pixel)
         place_of(key, s, at);
      z[s] = value_at(planes->z, (float)x + at[0], (float)y + at[1]);
   }
   return reference_draw(runner, x, y, samples, z, &values, pixel);
}

/* ---- comparing ----------------------------------------------------------- */

static void
tell(const struct fragment_runner *runner, const char *text, uint32_t x,
     uint32_t y)
{
   const struct gpu_fragment_key *key = &runner->key;
   printf("%s\npixel (%u, %u), %u samples%s%s, formats %s, %s, %s\n", text, x,
          y, key->num_samples, key->is_per_sample ? " by themselves" : "",
          key->is_by_pixel ? " by pixel" : "",
          format_info((enum tg_format)key->color_format[0])->name,
          format_info((enum tg_format)key->color_format[1])->name,
          key->depth_format
             ? format_info((enum tg_format)key->depth_format)->name
             : "none");
   fail();
}

static void
check_passed(const struct fragment_runner *runner, const char *text, uint32_t x,
             uint32_t y, uint32_t expected)
{
   const unsigned lane = fragment_runner_lane(x, y);
   const struct gpu_fragment_key *key = &runner->key;
   uint32_t passed = runner->live >> lane & 1;
   const bool has_samples = key->num_samples > 1 && !key->is_per_sample;
   if (gpu_fragment_kernel_tells_samples(runner->shader, key))
      passed = runner->output[GPU_FRAGMENT_PASSED][lane] - PASSED_BEFORE;
   const uint32_t num = (uint32_t)__builtin_popcount(expected);
   if (passed != (has_samples ? num : (uint32_t)(num != 0)))
      tell(runner, text, x, y);
}

static void
tell_texel(const char *what, unsigned sample, const uint8_t *found,
           const uint8_t *expected)
{
   if (memcmp(found, expected, REFERENCE_MAX_BYTES) == 0)
      return;
   printf("%s of sample %u:", what, sample);
   for (unsigned i = 0; i < REFERENCE_MAX_BYTES; i++) {
      if (found[i] != expected[i])
         printf(" byte %u is %02x, not %02x;", i, found[i], expected[i]);
   }
   printf("\n");
}

static void
check_pixel(struct fragment_runner *runner, const char *text, uint32_t x,
            uint32_t y, const struct reference_pixel *expected)
{
   struct reference_pixel found;
   read_pixel(runner, x, y, &found);
   if (memcmp(&found, expected, sizeof(found)) == 0)
      return;
   for (unsigned s = 0; s < runner->key.num_samples; s++) {
      tell_texel("depth", s, found.depth[s], expected->depth[s]);
      for (unsigned i = 0; i < 2; i++)
         tell_texel("colour", s, found.color[i][s], expected->color[i][s]);
   }
   tell(runner, text, x, y);
}

static void
check_run(struct fragment_runner *runner, const char *text,
          const struct parts *parts, const struct planes *planes)
{
   struct reference_pixel pixels[RUNNER_HEIGHT][RUNNER_WIDTH];
   uint32_t passed[RUNNER_HEIGHT][RUNNER_WIDTH];
   for (uint32_t y = 0; y < RUNNER_HEIGHT; y++) {
      for (uint32_t x = 0; x < RUNNER_WIDTH; x++) {
         read_pixel(runner, x, y, &pixels[y][x]);
         passed[y][x] = draw_pixel(runner, parts, planes, x, y, &pixels[y][x]);
      }
   }
   for (unsigned i = 0; i < LIR_LANES; i++)
      runner->output[GPU_FRAGMENT_PASSED][i] = PASSED_BEFORE;
   fragment_runner_run(runner);
   for (uint32_t y = 0; y < RUNNER_HEIGHT; y++) {
      for (uint32_t x = 0; x < RUNNER_WIDTH; x++) {
         check_pixel(runner, text, x, y, &pixels[y][x]);
         check_passed(runner, text, x, y, passed[y][x]);
      }
   }
}

static void
agrees_with_the_reference(void **state)
{
   struct fragment_runner *runner = malloc(sizeof(*runner));
   (void)state;
   assert_non_null(runner);
   for (unsigned i = 0; i < NUM_RUNS; i++) {
      const struct parts parts = roll_parts();
      struct planes planes;
      char text[1024];
      write_shader(&parts, text);
      fragment_runner_init(runner, text);
      roll_key(runner);
      roll_frame(runner);
      roll_planes(runner, &planes);
      roll_coverage(runner);
      roll_surfaces(runner);
      check_run(runner, text, &parts, &planes);
      fragment_runner_finish(runner);
   }
   free(runner);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
