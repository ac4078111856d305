/* SPDX-License-Identifier: MIT
 *
 * Draws with and without hierarchical depth: random scenes come out the same.
 * A stencil test that would write where depth fails, but into no bits, keeps
 * blocks from being left out and changes nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../state.h"
#include "pipe.h"
#include "resource/resource.h"

enum { WIDTH = 150, HEIGHT = 90, NUM_DRAWS = 12, PER_DRAW = 6, SCENES = 40 };

static uint32_t seed = 1;

static float
random_float(void)
{
   seed = seed * 1664525 + 1013904223;
   return (float)(seed >> 8) / 16777216.0f;
}

static float
random_between(float low, float high)
{
   return low + (high - low) * random_float();
}

/* Large and small triangles, flat, sloped, and through the near plane. */
static void
random_vertices(struct pipe_vertex *vertices, uint32_t count)
{
   for (uint32_t i = 0; i < count; i += 3) {
      const float reach = random_float() < 0.5f ? 3.0f : 0.3f;
      const float slope = random_float() < 0.5f ? 0.0f : 1.0f;
      const float x = random_between(-1, 1), y = random_between(-1, 1);
      const float z = random_between(-1, 1);
      for (uint32_t j = 0; j < 3; j++) {
         vertices[i + j] = (struct pipe_vertex){
            {x + random_between(-reach, reach),
             y + random_between(-reach, reach),
             z + random_between(-slope, slope), 1},
            {(float)i, random_float(), 0, 1},
         };
      }
   }
}

/* What a draw is drawn with; the same in both scenes. */
static void
random_tests(struct tg_depth_stencil_alpha_state tests[NUM_DRAWS])
{
   for (int i = 0; i < NUM_DRAWS; i++) {
      static const uint8_t usual[] = {TG_COMPARE_LESS, TG_COMPARE_LEQUAL,
                                      TG_COMPARE_GREATER};
      const bool is_usual = random_float() < 0.7f;
      tests[i] = (struct tg_depth_stencil_alpha_state){
         .size = sizeof(struct tg_depth_stencil_alpha_state),
         .depth_enabled = random_float() < 0.9f,
         .depth_writemask = random_float() < 0.8f,
         .depth_func = is_usual ? usual[(int)(random_float() * 3)]
                                : (uint8_t)(random_float() * 8),
      };
   }
}

static void
draw_scene(struct pipe *pipe, const struct tg_depth_stencil_alpha_state *tests,
           bool hides)
{
   const union tg_color black = {{0}};
   assert_int_equal(tg_context_clear(pipe->gpu, TG_CLEAR_ALL, NULL, &black, 0.7,
                                     0, pipe->diagnostics),
                    TG_OK);
   for (uint32_t i = 0; i < NUM_DRAWS; i++) {
      const struct tg_draw_range range = {
         .start = i * PER_DRAW * 3,
         .count = PER_DRAW * 3,
      };
      struct tg_depth_stencil_alpha_state test = tests[i];
      struct tg_draw_info info = TG_DRAW_INFO_INIT;
      info.draws = &range;
      if (!hides)
         test.stencil[0] = (struct tg_stencil_state){
            .enabled = true,
            .func = TG_COMPARE_ALWAYS,
            .zfail_op = TG_STENCIL_INCR,
         };
      assert_int_equal(
         bind_depth_stencil_alpha(pipe->gpu, &test, pipe->diagnostics), TG_OK);
      assert_int_equal(tg_context_draw(pipe->gpu, &info, pipe->diagnostics),
                       TG_OK);
   }
   assert_int_equal(tg_context_finish(pipe->gpu, pipe->diagnostics), TG_OK);
}

static struct tg_resource *
create_target(struct pipe *pipe, enum tg_format format, uint32_t samples)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = format,
      .width = WIDTH,
      .height = HEIGHT,
      .samples = samples,
   };
   struct tg_resource **resource = &pipe->resources[pipe->num_resources++];
   assert_int_equal(
      tg_resource_create(NULL, &desc, pipe->diagnostics, resource), TG_OK);
   return *resource;
}

/* All samples of both targets. */
static void
expect_equal(const struct tg_resource *a, const struct tg_resource *b)
{
   static uint8_t texels[2][WIDTH * HEIGHT * 16];
   const struct tg_box box = {.width = WIDTH, .height = HEIGHT, .depth = 1};
   const size_t size = (size_t)WIDTH * HEIGHT * a->written.format->block_bytes;
   for (uint32_t s = 0; s < a->desc.samples; s++) {
      assert_int_equal(tg_resource_read(a, 0, s, &box, texels[0], 0, 0), TG_OK);
      assert_int_equal(tg_resource_read(b, 0, s, &box, texels[1], 0, 0), TG_OK);
      assert_memory_equal(texels[0], texels[1], size);
   }
}

static uint64_t
compare(enum tg_format depth_format, uint32_t samples)
{
   static struct pipe_vertex vertices[NUM_DRAWS * PER_DRAW * 3];
   struct tg_depth_stencil_alpha_state tests[NUM_DRAWS];
   struct tg_resource *color[2], *depth[2];
   struct pipe pipe;
   pipe_init(&pipe, WIDTH, HEIGHT, pipe_vertex_shader, pipe_linear_shader);
   random_vertices(vertices, NUM_DRAWS * PER_DRAW * 3);
   random_tests(tests);
   pipe_set_vertices(&pipe, vertices, NUM_DRAWS * PER_DRAW * 3);
   pipe.state.rasterizer.depth_clamp = random_float() < 0.3f;
   pipe.state.rasterizer.depth_clip_near = !pipe.state.rasterizer.depth_clamp;
   for (int i = 0; i < 2; i++) {
      color[i] = create_target(&pipe, TG_FORMAT_R32G32B32A32_FLOAT, samples);
      depth[i] = create_target(&pipe, depth_format, samples);
      pipe.state.framebuffer.colors[0] = tg_surface_of(color[i]);
      pipe.state.framebuffer.depth_stencil = tg_surface_of(depth[i]);
      assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
      const uint64_t before = pipe_statistics(&pipe).hidden_blocks;
      draw_scene(&pipe, tests, i == 0);
      /* Only the first time are there hidden blocks. */
      assert_true(i == 0 || pipe_statistics(&pipe).hidden_blocks == before);
   }
   expect_equal(color[0], color[1]);
   expect_equal(depth[0], depth[1]);
   const uint64_t num_hidden = pipe_statistics(&pipe).hidden_blocks;
   pipe_finish(&pipe);
   return num_hidden;
}

static void
hidden_blocks_change_nothing(void **test)
{
   static const enum tg_format formats[] = {
      TG_FORMAT_Z24_UNORM_S8_UINT,
      TG_FORMAT_S8_UINT_Z24_UNORM,
      TG_FORMAT_Z32_FLOAT_S8X24_UINT,
   };
   uint64_t num_hidden = 0;
   (void)test;
   for (int i = 0; i < SCENES; i++)
      num_hidden += compare(formats[i % 3], i % 4 == 3 ? 4 : 1);
   /* Some hundred of each scene's 228 blocks times 72 triangles. */
   assert_true(num_hidden > SCENES * 100);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(hidden_blocks_change_nothing),
   };
   return cmocka_run_group_tests_name("gpu: hidden", tests, NULL, NULL);
}
