/* SPDX-License-Identifier: MIT
 *
 * Random states of depth, stencil, alpha test, blending and logic operations,
 * against the formulas of the reference. Each pixel has a fragment of its own,
 * with a colour, a depth and a face of its own, on contents of its own.
 *
 * usage: test_state [STATES] of each kind of framebuffer
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../state.h"
#include "output.h"
#include "random.h"
#include "rig.h"

enum { SIZE = 16, PIXELS = SIZE * SIZE, NUM_VERTICES = PIXELS * 6 };

static int num_states = 60;

/* ---- framebuffers -------------------------------------------------------- */

struct target {
   const char *color, *depth;
   enum ref_color_kind kind;
   int bits;
   bool has_alpha;
   int depth_bits; /* 0: floats */
   bool has_stencil;
   int num_samples;
};

static const struct target targets[] = {
   {"R8G8B8A8_UNORM", "Z24_UNORM_S8_UINT", REF_UNORM, 8, true, 24, true, 1},
   {"R8G8B8A8_UNORM", "Z24_UNORM_S8_UINT", REF_UNORM, 8, true, 24, true, 4},
   {"B8G8R8X8_UNORM", "S8_UINT_Z24_UNORM", REF_UNORM, 8, false, 24, true, 1},
   {"R8G8B8A8_SRGB", "Z16_UNORM", REF_SRGB, 8, true, 16, false, 1},
   {"R32G32B32A32_FLOAT", "Z32_FLOAT_S8X24_UINT", REF_FLOAT, 0, true, 0, true,
    1},
   {"R32G32B32A32_FLOAT", "Z32_FLOAT", REF_FLOAT, 0, true, 0, false, 2},
   {"R32G32B32A32_UINT", "Z24_UNORM_S8_UINT", REF_UINT, 32, true, 24, true, 1},
   {"R8G8B8A8_UNORM", NULL, REF_UNORM, 8, true, 0, false, 8},
};

/* Bytes of a texel of the formats above. */
static size_t
color_bytes(const struct target *target)
{
   return target->kind == REF_FLOAT || target->kind == REF_UINT ? 16 : 4;
}

static size_t
depth_bytes(const struct target *target)
{
   return target->depth_bits == 16                         ? 2
          : target->depth_bits == 0 && target->has_stencil ? 8
                                                           : 4;
}

/* ---- texels -------------------------------------------------------------- */

/* Where a channel of a texel lies. */
static int
byte_of(const struct target *target, int c)
{
   return target->color[0] == 'B' && c < 3 ? 2 - c : c;
}

static void
put_color(const struct target *target, const struct ref_sample *sample,
          void *texel)
{
   for (int c = 0; c < 4; c++) {
      const float f = (float)sample->color[c];
      const uint32_t u =
         target->kind == REF_FLOAT ? 0 : (uint32_t)sample->color[c];
      if (target->kind == REF_FLOAT)
         memcpy((char *)texel + 4 * c, &f, 4);
      else if (target->kind == REF_UINT)
         memcpy((char *)texel + 4 * c, &u, 4);
      else
         ((uint8_t *)texel)[byte_of(target, c)] = (uint8_t)u;
   }
}

static void
get_color(const struct target *target, const void *texel, double color[4])
{
   for (int c = 0; c < 4; c++) {
      float f;
      uint32_t u;
      if (target->kind == REF_FLOAT) {
         memcpy(&f, (const char *)texel + 4 * c, 4);
         color[c] = (double)f;
      } else if (target->kind == REF_UINT) {
         memcpy(&u, (const char *)texel + 4 * c, 4);
         color[c] = u;
      } else {
         color[c] = ((const uint8_t *)texel)[byte_of(target, c)];
      }
   }
}

/* Words, with the stencil where the format's name has it. */
static void
put_depth(const struct target *target, const struct ref_sample *sample,
          void *texel)
{
   const float f = (float)sample->depth;
   uint32_t word = target->depth_bits ? (uint32_t)sample->depth : 0;
   if (!target->depth_bits)
      memcpy(&word, &f, 4);
   else if (target->depth_bits == 24)
      word = target->depth[0] == 'S' ? word << 8 | sample->stencil
                                     : (uint32_t)sample->stencil << 24 | word;
   memcpy(texel, &word, target->depth_bits == 16 ? 2 : 4);
   if (depth_bytes(target) == 8) {
      const uint32_t stencil = sample->stencil;
      memcpy((char *)texel + 4, &stencil, 4);
   }
}

static void
get_depth(const struct target *target, const void *texel, double *depth,
          uint8_t *stencil)
{
   uint32_t word = 0;
   float f;
   memcpy(&word, texel, target->depth_bits == 16 ? 2 : 4);
   memcpy(&f, &word, 4);
   *stencil = 0;
   if (target->depth_bits == 16) {
      *depth = word;
   } else if (target->depth_bits == 24) {
      const bool is_low = target->depth[0] == 'S';
      *depth = is_low ? word >> 8 : word & 0xffffff;
      *stencil = (uint8_t)(is_low ? word : word >> 24);
   } else {
      *depth = (double)f;
      if (target->has_stencil)
         *stencil = ((const uint8_t *)texel)[4];
   }
}

/* ---- states -------------------------------------------------------------- */

static uint8_t
random_factor(uint64_t *seed)
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
   return factors[random_below(seed, sizeof(factors))];
}

static void
random_stencil(struct tg_stencil_state *stencil, uint64_t *seed)
{
   *stencil = (struct tg_stencil_state){
      .enabled = random_below(seed, 2),
      .func = (uint8_t)random_below(seed, 8),
      .fail_op = (uint8_t)random_below(seed, 8),
      .zfail_op = (uint8_t)random_below(seed, 8),
      .zpass_op = (uint8_t)random_below(seed, 8),
      .valuemask = (uint8_t)(random_below(seed, 2) ? 255 : random_bits(seed)),
      .writemask = (uint8_t)(random_below(seed, 2) ? 255 : random_bits(seed)),
   };
}

static struct ref_output
random_state(const struct target *target, uint64_t *seed)
{
   struct ref_output o = {
      .blend = TG_BLEND_INIT,
      .tests = TG_DEPTH_STENCIL_ALPHA_INIT,
      .multisample = target->num_samples > 1,
      .kind = target->kind,
      .bits = target->bits,
      .has_alpha = target->has_alpha,
      .has_depth = target->depth,
      .has_stencil = target->has_stencil,
      .depth_bits = target->depth_bits,
   };
   o.tests.depth_enabled = random_below(seed, 2);
   o.tests.depth_writemask = random_below(seed, 2);
   o.tests.depth_func = (uint8_t)random_below(seed, 8);
   o.tests.depth_bounds_test = random_once_in(seed, 4);
   o.tests.depth_bounds_min = (float)random_below(seed, 4) / 16 + 0.03f;
   o.tests.depth_bounds_max = 1 - (float)random_below(seed, 4) / 16 - 0.03f;
   random_stencil(&o.tests.stencil[0], seed);
   random_stencil(&o.tests.stencil[1], seed);
   o.tests.stencil[1].enabled &= o.tests.stencil[0].enabled;
   o.tests.alpha_enabled = random_below(seed, 2);
   o.tests.alpha_func = (uint8_t)random_below(seed, 8);
   o.tests.alpha_ref_value = (float)random_below(seed, 9) / 8;
   struct tg_blend_target *b = &o.blend.targets[0];
   b->blend_enable = random_below(seed, 4);
   b->rgb_func = (uint8_t)random_below(seed, 5);
   b->alpha_func = (uint8_t)random_below(seed, 5);
   b->rgb_src_factor = random_factor(seed);
   b->rgb_dst_factor = random_factor(seed);
   b->alpha_src_factor = random_factor(seed);
   b->alpha_dst_factor = random_factor(seed);
   b->colormask =
      (uint8_t)(random_below(seed, 2) ? 15 : random_below(seed, 16));
   o.blend.logicop_enable = random_once_in(seed, 4);
   o.blend.logicop_func = (uint8_t)random_below(seed, 16);
   o.blend.alpha_to_one = random_once_in(seed, 4);
   for (int c = 0; c < 4; c++)
      o.blend_color[c] = (double)(float)random_between(seed, -0.5, 1.5);
   o.stencil_ref[0] = (uint8_t)random_bits(seed);
   o.stencil_ref[1] = (uint8_t)random_bits(seed);
   return o;
}

static void
set_state(struct rig *rig, const struct ref_output *output)
{
   struct tg_context *gpu = rig->gpu;
   float color[4];
   for (int c = 0; c < 4; c++)
      color[c] = (float)output->blend_color[c];
   rig_expect_ok(rig, bind_blend(gpu, &output->blend, rig->diagnostics));
   rig_expect_ok(
      rig, bind_depth_stencil_alpha(gpu, &output->tests, rig->diagnostics));
   tg_context_set_blend_color(gpu, color);
   tg_context_set_stencil_ref(gpu, output->stencil_ref);
}

/* ---- fragments ----------------------------------------------------------- */

static struct ref_fragment fragments[PIXELS];
static struct ref_sample samples[REF_MAX_SAMPLES][PIXELS];

/* Eighths, so that tests often find what is equal; fixed point gets what it can
 * hold, and floats some of what it cannot. */
static double
random_channel(const struct target *target, uint64_t *seed)
{
   const int eighth = (int)random_below(seed, 9);
   if (target->kind == REF_FLOAT)
      return (eighth - 1) * 0.25;
   return eighth / 8.0;
}

/* Bits of an integer travel as a float's. */
static void
random_color(const struct target *target, uint64_t *seed, double color[4],
             float attribute[4])
{
   for (int c = 0; c < 4; c++) {
      const uint32_t bits = (uint32_t)random_bits(seed) & 0x3fffffff;
      color[c] = random_channel(target, seed);
      attribute[c] = (float)color[c];
      if (target->kind != REF_UINT)
         continue;
      memcpy(&attribute[c], &bits, sizeof(bits));
      color[c] = bits;
   }
}

/* The depths are a few that no rounding brings near to a half. */
static double
random_depth(uint64_t *seed)
{
   return (double)((float)random_below(seed, 11) * 0.1f);
}

/* A square pixel of two triangles. */
static void
add_pixel(struct rig_vertex *vertices, const struct rig_vertex *model, int x,
          int y, bool is_front)
{
   static const int corner[6][2] = {{0, 0}, {0, 1}, {1, 0},
                                    {1, 0}, {0, 1}, {1, 1}};
   for (int i = 0; i < 6; i++) {
      /* Counter-clockwise in memory, unless it is turned over. */
      const int *at = corner[is_front ? i : 5 - i];
      struct rig_vertex *v = &vertices[i];
      *v = *model;
      v->position[0] = (float)(x + at[0]) / (SIZE / 2) - 1;
      v->position[1] = (float)(y + at[1]) / (SIZE / 2) - 1;
      v->position[3] = 1;
   }
}

static void
make_fragments(const struct target *target, uint64_t *seed,
               struct rig_vertex *vertices)
{
   for (int p = 0; p < PIXELS; p++) {
      struct ref_fragment *f = &fragments[p];
      struct rig_vertex model = {0};
      for (int i = 0; i < 2; i++)
         random_color(target, seed, f->color[i], model.attribute[i]);
      f->depth = random_depth(seed);
      f->is_front = random_below(seed, 2);
      model.position[2] = (float)f->depth;
      add_pixel(&vertices[p * 6], &model, p % SIZE, p / SIZE, f->is_front);
   }
}

/* Stencils often are as the reference value. */
static void
make_sample(const struct target *target, const struct ref_output *output,
            uint64_t *seed, struct ref_sample *sample)
{
   const uint32_t mask = target->kind == REF_UINT ? 0xffffffff : 255;
   for (int c = 0; c < 4; c++)
      sample->color[c] = target->kind == REF_FLOAT
                            ? random_channel(target, seed)
                            : (double)(random_bits(seed) & mask);
   sample->depth = ref_store_depth(output, random_depth(seed));
   sample->stencil = (uint8_t)random_bits(seed);
   if (random_below(seed, 2))
      sample->stencil = output->stencil_ref[random_below(seed, 2)];
}

static void
make_samples(const struct target *target, const struct ref_output *output,
             uint64_t *seed)
{
   for (int s = 0; s < target->num_samples; s++) {
      for (int i = 0; i < PIXELS; i++)
         make_sample(target, output, seed, &samples[s][i]);
   }
}

static char texels[PIXELS * 16];

static void
upload(struct rig *rig, const struct target *target)
{
   for (int s = 0; s < target->num_samples; s++) {
      const struct ref_sample *sample = samples[s];
      for (int i = 0; i < PIXELS; i++)
         put_color(target, &sample[i],
                   texels + (size_t)i * color_bytes(target));
      rig_write(rig, rig_color(rig), s, texels);
      if (!target->depth)
         continue;
      for (int i = 0; i < PIXELS; i++)
         put_depth(target, &sample[i],
                   texels + (size_t)i * depth_bytes(target));
      rig_write(rig, rig_depth(rig), s, texels);
   }
}

/* ---- comparing ----------------------------------------------------------- */

/* A step of the format; of floats a few of theirs. */
static bool
is_near(const struct target *target, double is, double expected)
{
   switch (target->kind) {
   case REF_UINT: return is == expected;
   case REF_FLOAT: return fabs(is - expected) <= 1e-6 * fmax(1, fabs(expected));
   case REF_UNORM:
   case REF_SRGB: return fabs(is - expected) <= 1;
   }
   return false;
}

static void
check_color(const struct target *target, const struct ref_output *output,
            int number, int s, int i, const void *texel)
{
   const struct ref_sample *expected = &samples[s][i];
   const bool is_exact =
      output->blend.logicop_enable || !output->blend.targets[0].blend_enable;
   double color[4];
   get_color(target, texel, color);
   for (int c = 0; c < 4; c++) {
      if (c == 3 && !target->has_alpha)
         continue;
      const bool is_right = is_exact && target->kind == REF_UNORM
                               ? color[c] == expected->color[c]
                               : is_near(target, color[c], expected->color[c]);
      if (!is_right)
         fail_msg("%s, state %d: channel %d of sample %d of pixel %d is %.9g, "
                  "not %.9g",
                  target->color, number, c, s, i, color[c], expected->color[c]);
   }
}

static void
check_depth(const struct target *target, int number, int s, int i,
            const void *texel)
{
   const struct ref_sample *expected = &samples[s][i];
   double depth;
   uint8_t stencil;
   get_depth(target, texel, &depth, &stencil);
   if (depth != expected->depth)
      fail_msg("%s, state %d: the depth of sample %d of pixel %d is %.9g, not "
               "%.9g",
               target->depth, number, s, i, depth, expected->depth);
   if (target->has_stencil && stencil != expected->stencil)
      fail_msg("%s, state %d: the stencil of sample %d of pixel %d is %d, not "
               "%d",
               target->depth, number, s, i, stencil, expected->stencil);
}

static void
check(struct rig *rig, const struct target *target,
      const struct ref_output *output, int number)
{
   for (int s = 0; s < target->num_samples; s++) {
      rig_read(rig, rig_color(rig), s, texels);
      for (int i = 0; i < PIXELS; i++)
         check_color(target, output, number, s, i,
                     texels + (size_t)i * color_bytes(target));
      if (!target->depth)
         continue;
      rig_read(rig, rig_depth(rig), s, texels);
      for (int i = 0; i < PIXELS; i++)
         check_depth(target, number, s, i,
                     texels + (size_t)i * depth_bytes(target));
   }
}

/* Draws, and counts the samples that pass. */
static void
draw_and_check(struct rig *rig, const struct target *target,
               const struct ref_output *output, int number, uint64_t *seed)
{
   static struct rig_vertex vertices[NUM_VERTICES];
   const int first_resource = rig->num_resources;
   uint64_t passed = 0;
   struct tg_query *query;
   union tg_query_result result;
   make_samples(target, output, seed);
   make_fragments(target, seed, vertices);
   upload(rig, target);
   set_state(rig, output);
   rig_set_vertices(rig, vertices, NUM_VERTICES);
   rig_expect_ok(rig, tg_query_create(rig->gpu, TG_QUERY_OCCLUSION_COUNTER, 0,
                                      rig->diagnostics, &query));
   rig_expect_ok(rig, tg_query_begin(query, rig->diagnostics));
   rig_draw(rig, TG_PRIM_TRIANGLES, NUM_VERTICES);
   rig_expect_ok(rig, tg_query_end(query, rig->diagnostics));
   for (int s = 0; s < target->num_samples; s++) {
      for (int i = 0; i < PIXELS; i++)
         passed += ref_output(output, &fragments[i], &samples[s][i]);
   }
   check(rig, target, output, number);
   assert_true(tg_query_get_result(query, true, &result));
   assert_int_equal(result.u64, passed);
   tg_query_destroy(query);
   rig_drop_resources(rig, first_resource);
}

/* ---- tests --------------------------------------------------------------- */

static const char fragment_shader[] = "FRAG\n"
                                      "DCL IN[0], GENERIC[0], CONSTANT\n"
                                      "DCL IN[1], GENERIC[1], CONSTANT\n"
                                      "DCL OUT[0], COLOR[0]\n"
                                      "DCL OUT[1], COLOR[1]\n"
                                      "MOV OUT[0], IN[0]\n"
                                      "MOV OUT[1], IN[1]\n"
                                      "END\n";

static void
states_do_what_the_formulas_say(void **test)
{
   const struct target *target = *test;
   const struct ref_setup setup = {
      .rasterizer = {.size = sizeof(setup.rasterizer),
                     .front_ccw = true,
                     .half_pixel_center = true,
                     .multisample = true,
                     .clip_halfz = true,
                     .depth_clip_near = true,
                     .depth_clip_far = true,
                     .point_size = 1,
                     .line_width = 1},
      .viewport = {{SIZE / 2, SIZE / 2, 1}, {SIZE / 2, SIZE / 2, 0}},
      .width = SIZE,
      .height = SIZE,
      .num_samples = target->num_samples,
   };
   uint64_t seed = 21;
   struct rig rig;
   rig_init(&rig, 0);
   rig_set_shader(&rig, TG_GPU_VERTEX, rig_plain_vertices);
   rig_set_shader(&rig, TG_GPU_FRAGMENT, fragment_shader);
   rig_set_framebuffer(&rig, &setup, target->color, target->depth);
   for (int i = 0; i < num_states; i++) {
      const struct ref_output output = random_state(target, &seed);
      draw_and_check(&rig, target, &output, i, &seed);
   }
   rig_finish(&rig);
}

int
main(int argc, char **argv)
{
   enum { COUNT = sizeof(targets) / sizeof(targets[0]) };
   struct CMUnitTest tests[COUNT] = {{0}};
   for (size_t i = 0; i < COUNT; i++)
      tests[i] = (struct CMUnitTest){
         .name = targets[i].color,
         .test_func = states_do_what_the_formulas_say,
         .initial_state = (void *)(uintptr_t)&targets[i],
      };
   if (argc > 1)
      num_states = atoi(argv[1]);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
