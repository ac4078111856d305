/* SPDX-License-Identifier: MIT
 *
 * Random scenes with many draws, drawn by 1, 2, 3 and 8 threads: the bits of
 * every sample are the same, and so is what the queries count.
 *
 * usage: test_threads [SCENES]
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../state.h"
#include "random.h"
#include "rig.h"

enum {
   WIDTH = 201,
   HEIGHT = 151,
   NUM_VERTICES = 400,
   NUM_INDICES = 600,
   RESTART = 0xffff,
   DRAWS = 12,
};

static int num_scenes = 2;

/* Instances lie apart. */
static const char vertex_shader[] =
   "VERT\n"
   "DCL IN[0..5]\n"
   "DCL SV[0], INSTANCEID\n"
   "DCL OUT[0], POSITION\n"
   "DCL OUT[1], GENERIC[0]\n"
   "DCL OUT[2], GENERIC[1]\n"
   "DCL OUT[3], PSIZE\n"
   "DCL TEMP[0]\n"
   "IMM[0] FLT32 {0.125, -0.0625, 0.015625, 0.0}\n"
   "U2F TEMP[0], SV[0].xxxx\n"
   "MAD OUT[0], TEMP[0].xxxx, IMM[0], IN[0]\n"
   "MOV OUT[1], IN[1]\n"
   "MOV OUT[2], IN[2]\n"
   "MOV OUT[3].x, IN[3].xxxx\n"
   "END\n";

static const char fragment_shader[] =
   "FRAG\n"
   "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
   "DCL IN[1], GENERIC[1], LINEAR, CENTROID\n"
   "DCL OUT[0], COLOR\n"
   "DCL TEMP[0..1]\n"
   "IMM[0] FLT32 {0.5, 0.25, 0.0, 0.0}\n"
   "DDX TEMP[0], IN[1]\n"
   "SLT TEMP[1].x, IN[0].xxxx, IMM[0].yyyy\n"
   "KILL_IF -TEMP[1].xxxx\n"
   "MAD OUT[0], TEMP[0], IMM[0].xxxx, IN[0]\n"
   "END\n";

/* ---- scenes -------------------------------------------------------------- */

static struct rig_vertex vertices[NUM_VERTICES];
static uint16_t indices[NUM_INDICES];

static void
make_data(uint64_t *seed)
{
   for (int i = 0; i < NUM_VERTICES; i++) {
      struct rig_vertex *v = &vertices[i];
      const double w = random_between(seed, 0.25, 4);
      memset(v, 0, sizeof(*v));
      for (int c = 0; c < 3; c++)
         v->position[c] = (float)(random_between(seed, -1.1, 1.1) * w);
      v->position[3] = (float)w;
      /* Some lie behind the eye. */
      if (random_once_in(seed, 50))
         v->position[3] = (float)-w;
      for (int a = 0; a < REF_NUM_ATTRIBUTES; a++) {
         for (int c = 0; c < 4; c++)
            v->attribute[a][c] = (float)random_between(seed, 0, 1);
      }
      v->point_size = (float)random_between(seed, 0.5, 40);
   }
   for (int i = 0; i < NUM_INDICES; i++)
      indices[i] = (uint16_t)(random_once_in(seed, 30)
                                 ? RESTART
                                 : random_below(seed, NUM_VERTICES));
}

static void
random_rasterizer(struct ref_setup *setup, uint64_t *seed)
{
   struct tg_rasterizer_state *r = &setup->rasterizer;
   *r = (struct tg_rasterizer_state)TG_RASTERIZER_INIT;
   r->cull_face =
      (uint8_t)(random_once_in(seed, 4) ? random_below(seed, 3) : 0);
   r->fill_front =
      (uint8_t)(random_once_in(seed, 4) ? random_below(seed, 3) : 0);
   r->point_size_per_vertex = random_below(seed, 2);
   r->point_smooth = random_once_in(seed, 4);
   r->line_smooth = random_once_in(seed, 4);
   r->line_width = (float)random_between(seed, 1, 6);
   r->line_stipple_enable = random_once_in(seed, 4);
   r->line_stipple_pattern = 0x3c5a;
   r->poly_stipple_enable = random_once_in(seed, 4);
   r->multisample = !random_once_in(seed, 4);
   r->scissor = random_once_in(seed, 4);
   r->offset_tri = random_once_in(seed, 4);
   r->offset_units = 40;
   r->force_persample_interp = random_once_in(seed, 8);
   r->sample_mask_without_msaa = random_once_in(seed, 8);
   setup->scissor = (struct tg_scissor){11, 13, 173, 141};
   for (int i = 0; i < 32; i++)
      setup->stipple[i] = (uint32_t)random_bits(seed);
}

static void
random_tests(struct rig *rig, uint64_t *seed)
{
   struct tg_depth_stencil_alpha_state tests = {
      .size = sizeof(tests),
      .depth_enabled = random_below(seed, 4),
      .depth_writemask = random_below(seed, 2),
      .depth_func =
         (uint8_t)(random_below(seed, 2) ? TG_COMPARE_LESS : TG_COMPARE_GEQUAL),
      .stencil = {{.enabled = random_below(seed, 2),
                   .func = TG_COMPARE_NOTEQUAL,
                   .zfail_op = TG_STENCIL_INCR_WRAP,
                   .zpass_op = TG_STENCIL_INVERT,
                   .valuemask = 0x55,
                   .writemask = 0xff}},
   };
   struct tg_blend_state blend = {
      .size = sizeof(blend),
      .targets = {{
         .blend_enable = random_below(seed, 4),
         .rgb_src_factor = TG_BLEND_SRC_ALPHA,
         .rgb_dst_factor = TG_BLEND_INV_SRC_ALPHA,
         .alpha_func = (uint8_t)random_below(seed, 5),
         .alpha_src_factor = TG_BLEND_ONE,
         .alpha_dst_factor = TG_BLEND_INV_DST_ALPHA,
         .colormask = TG_CHANNEL_RGBA,
      }},
      .alpha_to_coverage = random_once_in(seed, 4),
   };
   rig_expect_ok(rig,
                 bind_depth_stencil_alpha(rig->gpu, &tests, rig->diagnostics));
   rig_expect_ok(rig, bind_blend(rig->gpu, &blend, rig->diagnostics));
}

static void
random_draw(struct rig *rig, struct tg_resource *index_buffer, uint64_t *seed)
{
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct tg_draw_range ranges[3];
   const uint32_t limit = random_below(seed, 2) ? NUM_VERTICES : NUM_INDICES;
   info.mode = (uint8_t)random_below(seed, TG_PRIM_PATCHES);
   info.num_draws = 1 + random_below(seed, 3);
   info.draws = ranges;
   info.instance_count = 1 + random_below(seed, 4) * random_below(seed, 2);
   for (int i = 0; i < 3; i++) {
      const uint32_t start = random_below(seed, limit);
      ranges[i] = (struct tg_draw_range){
         .start = start, .count = random_below(seed, limit - start)};
   }
   if (limit == NUM_INDICES) {
      info.index_size = 2;
      info.index_buffer = index_buffer;
      info.primitive_restart = true;
      info.restart_index = RESTART;
   }
   rig_expect_ok(rig, tg_context_draw(rig->gpu, &info, rig->diagnostics));
   if (random_once_in(seed, 6))
      rig_expect_ok(rig, tg_context_flush(rig->gpu, NULL));
}

/* ---- comparing ----------------------------------------------------------- */

struct image {
   float color[REF_MAX_SAMPLES][HEIGHT][WIDTH][4];
   uint32_t depth[REF_MAX_SAMPLES][HEIGHT][WIDTH];
   uint64_t samples_passed;
};

static void
draw_scene(unsigned num_threads, int num_samples, uint64_t seed,
           struct image *image)
{
   struct ref_setup setup = {
      .rasterizer = TG_RASTERIZER_INIT,
      .viewport = tg_viewport_of(WIDTH, HEIGHT, true, false),
      .width = WIDTH,
      .height = HEIGHT,
      .num_samples = num_samples,
   };
   struct tg_query *query;
   union tg_query_result result;
   struct rig rig;
   make_data(&seed);
   rig_init(&rig, num_threads);
   rig_set_shader(&rig, TG_GPU_VERTEX, vertex_shader);
   rig_set_shader(&rig, TG_GPU_FRAGMENT, fragment_shader);
   rig_set_framebuffer(&rig, &setup, "R32G32B32A32_FLOAT", "Z24_UNORM_S8_UINT");
   rig_set_vertices(&rig, vertices, NUM_VERTICES);
   struct tg_resource *index_buffer =
      rig_buffer(&rig, indices, sizeof(indices));
   rig_clear(&rig);
   rig_expect_ok(&rig, tg_query_create(rig.gpu, TG_QUERY_OCCLUSION_COUNTER, 0,
                                       rig.diagnostics, &query));
   rig_expect_ok(&rig, tg_query_begin(query, rig.diagnostics));
   for (int i = 0; i < DRAWS; i++) {
      random_rasterizer(&setup, &seed);
      rig_set_setup(&rig, &setup);
      random_tests(&rig, &seed);
      random_draw(&rig, index_buffer, &seed);
   }
   rig_expect_ok(&rig, tg_query_end(query, rig.diagnostics));
   memset(image, 0, sizeof(*image));
   for (int s = 0; s < num_samples; s++) {
      rig_read(&rig, rig_color(&rig), s, image->color[s]);
      rig_read(&rig, rig_depth(&rig), s, image->depth[s]);
   }
   assert_true(tg_query_get_result(query, true, &result));
   image->samples_passed = result.u64;
   tg_query_destroy(query);
   rig_finish(&rig);
}

static void
threads_give_the_same_bits(void **test)
{
   static const unsigned counts[] = {2, 3, 8};
   static const int samples[] = {1, 4, 2, 1, 8, 16};
   static struct image expected, image;
   (void)test;
   for (int i = 0; i < num_scenes; i++) {
      const int num_samples = samples[i % 6];
      const uint64_t seed = (uint64_t)i * 1000;
      draw_scene(1, num_samples, seed, &expected);
      assert_true(expected.samples_passed > 0);
      for (int k = 0; k < 3; k++) {
         draw_scene(counts[k], num_samples, seed, &image);
         assert_int_equal(image.samples_passed, expected.samples_passed);
         assert_memory_equal(&image, &expected, sizeof(image));
      }
   }
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_give_the_same_bits),
   };
   if (argc > 1)
      num_scenes = atoi(argv[1]);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
