/* SPDX-License-Identifier: MIT
 *
 * Waves with quads of several shapes: triangles that overlap, tiny and larger
 * ones, are drawn by one call, in which they are packed together, and by a call
 * and a flush each, in which none is. Blending and depth, which depend on the
 * order of what covers a pixel, come out the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <assert.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../state.h"
#include "gpu/geometry/assemble.h"
#include "pipe.h"
#include "resource/resource.h"

enum { SIZE = 100, NUM_TRIANGLES = 150, SCENES = 60 };

static uint32_t seed = 1;

static float
random_float(void)
{
   seed = seed * 1664525 + 1013904223;
   return (float)(seed >> 8) / 16777216.0f;
}

/* Around a few places, so that they overlap: of a pixel or two, of some blocks,
 * and now and then of most of a tile. */
static void
random_triangles(struct pipe_vertex vertices[NUM_TRIANGLES * 3])
{
   static const float reaches[] = {0.02f, 0.02f, 0.05f, 0.15f, 0.6f};
   for (uint32_t i = 0; i < NUM_TRIANGLES * 3; i += 3) {
      const float reach = reaches[(int)(random_float() * 5)];
      const float x = (float)(int)(random_float() * 4) * 0.3f - 0.5f;
      const float y = (float)(int)(random_float() * 3) * 0.3f - 0.5f;
      for (uint32_t k = 0; k < 3; k++)
         vertices[i + k] = (struct pipe_vertex){
            {x + (random_float() - 0.5f) * reach,
             y + (random_float() - 0.5f) * reach, random_float(), 1},
            {random_float(), random_float(), random_float(), random_float()},
         };
   }
}

static void
draw_part(struct pipe *pipe, uint32_t first, uint32_t count)
{
   const struct tg_draw_range range = {.start = first * 3, .count = count * 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.mode = TG_PRIM_TRIANGLES;
   info.draws = &range;
   assert_int_equal(tg_context_draw(pipe->gpu, &info, pipe->diagnostics),
                    TG_OK);
}

/* `at_once` triangles a call, with a flush after each. */
static void
draw_scene(struct pipe *pipe, uint32_t at_once)
{
   const union tg_color grey = {.f = {0.5f, 0.5f, 0.5f, 0.5f}};
   assert_int_equal(tg_context_clear(pipe->gpu, TG_CLEAR_ALL, NULL, &grey, 0.7,
                                     0, pipe->diagnostics),
                    TG_OK);
   for (uint32_t i = 0; i < NUM_TRIANGLES; i += at_once) {
      draw_part(pipe, i, at_once);
      assert_int_equal(tg_context_flush(pipe->gpu, NULL), TG_OK);
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
      .width = SIZE,
      .height = SIZE,
      .samples = samples,
   };
   struct tg_resource **resource = &pipe->resources[pipe->num_resources++];
   assert_int_equal(
      tg_resource_create(NULL, &desc, pipe->diagnostics, resource), TG_OK);
   return *resource;
}

static void
expect_equal(const struct tg_resource *a, const struct tg_resource *b)
{
   static uint8_t texels[2][SIZE * SIZE * 16];
   const struct tg_box box = {.width = SIZE, .height = SIZE, .depth = 1};
   const size_t size = (size_t)SIZE * SIZE * a->written.format->block_bytes;
   for (uint32_t s = 0; s < a->desc.samples; s++) {
      assert_int_equal(tg_resource_read(a, 0, s, &box, texels[0], 0, 0), TG_OK);
      assert_int_equal(tg_resource_read(b, 0, s, &box, texels[1], 0, 0), TG_OK);
      assert_memory_equal(texels[0], texels[1], size);
   }
}

/* Of a test that waves of one shape and of several pass alike. */
struct counts {
   uint64_t together, alone; /* waves of fragments */
};

static void
set_state(struct pipe *pipe, unsigned number)
{
   struct tg_blend_state blend = TG_BLEND_INIT;
   struct pipe_state *state = &pipe->state;
   blend.targets[0] = (struct tg_blend_target){
      .blend_enable = number % 2 == 0,
      .rgb_func = TG_BLEND_ADD,
      .rgb_src_factor = TG_BLEND_SRC_ALPHA,
      .rgb_dst_factor = TG_BLEND_INV_SRC_ALPHA,
      .alpha_func = TG_BLEND_ADD,
      .alpha_src_factor = TG_BLEND_ONE,
      .alpha_dst_factor = TG_BLEND_INV_SRC_ALPHA,
      .colormask = TG_CHANNEL_RGBA,
   };
   state->depth = (struct tg_depth_stencil_alpha_state){
      .size = sizeof(state->depth),
      .depth_enabled = number % 3 != 0,
      .depth_writemask = true,
      .depth_func = number % 3 == 1 ? TG_COMPARE_LESS : TG_COMPARE_GREATER,
   };
   state->rasterizer.multisample = number % 4 == 3;
   assert_int_equal(pipe_set_state(pipe, pipe->gpu), TG_OK);
   assert_int_equal(bind_blend(pipe->gpu, &blend, pipe->diagnostics), TG_OK);
}

static struct counts
compare(unsigned number)
{
   static struct pipe_vertex vertices[NUM_TRIANGLES * 3];
   const uint32_t samples = number % 4 == 3 ? 4 : 1;
   struct tg_resource *color[2], *depth[2];
   struct counts counts = {0};
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_linear_shader);
   random_triangles(vertices);
   pipe_set_vertices(&pipe, vertices, NUM_TRIANGLES * 3);
   for (int i = 0; i < 2; i++) {
      color[i] = create_target(&pipe, TG_FORMAT_R32G32B32A32_FLOAT, samples);
      depth[i] = create_target(&pipe, TG_FORMAT_Z24_UNORM_S8_UINT, samples);
      pipe.state.framebuffer.colors[0] = tg_surface_of(color[i]);
      pipe.state.framebuffer.depth_stencil = tg_surface_of(depth[i]);
      set_state(&pipe, number);
      draw_scene(&pipe, i ? 1 : NUM_TRIANGLES);
      *(i ? &counts.alone : &counts.together) =
         pipe_statistics(&pipe).fragment_waves;
   }
   counts.alone -= counts.together;
   expect_equal(color[0], color[1]);
   expect_equal(depth[0], depth[1]);
   pipe_finish(&pipe);
   return counts;
}

static void
shapes_that_share_waves_are_drawn_in_order(void **test)
{
   (void)test;
   for (unsigned i = 0; i < SCENES; i++) {
      const struct counts counts = compare(i);
      assert_true(counts.together < counts.alone);
   }
}

/* Points of a pixel each in a checkerboard are quads of one pixel: four of them
 * are a wave. */
static void
quads_are_packed_four_to_a_wave(void **test)
{
   enum { NUM_POINTS = 64 };
   struct pipe_vertex vertices[NUM_POINTS];
   struct pipe pipe;
   (void)test;
   pipe_init(&pipe, 64, 64, pipe_vertex_shader, pipe_constant_shader);
   for (int i = 0; i < NUM_POINTS; i++)
      vertices[i] = (struct pipe_vertex){
         {(i % 8 * 16 + 1) / 64.0f - 1, (i / 8 * 16 + 1) / 64.0f - 1, 0, 1},
         {(float)i, 0, 0, 1},
      };
   pipe_set_vertices(&pipe, vertices, NUM_POINTS);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_POINTS, NUM_POINTS), TG_OK);
   assert_int_equal(pipe_statistics(&pipe).fragments, NUM_POINTS);
   assert_int_equal(pipe_statistics(&pipe).fragment_waves, NUM_POINTS / 4);
   for (int i = 0; i < NUM_POINTS; i++) {
      const float *pixel =
         pipe_pixel(&pipe, (uint32_t)(i % 8 * 8), (uint32_t)(i / 8 * 8));
      assert_true(pixel[0] == (float)i);
   }
   pipe_finish(&pipe);
}

/* Points of a pixel in three tiles by turns, in more batches than one, of which
 * none has a multiple of four in a tile: only the last wave of the draw in a tile
 * may have room. A draw after it begins another one. */
static void
batches_of_a_draw_share_waves(void **test)
{
   enum { TILES = 3, EACH = 1001, NUM_POINTS = TILES * EACH };
   static struct pipe_vertex vertices[NUM_POINTS];
   struct pipe pipe;
   (void)test;
   static_assert(NUM_POINTS > 2 * GPU_ASSEMBLY_PRIMITIVES &&
                    GPU_ASSEMBLY_PRIMITIVES % (TILES * 4) != 0,
                 "three batches, that leave waves open");
   pipe_init(&pipe, TILES * 64, 64, pipe_vertex_shader, pipe_constant_shader);
   for (int i = 0; i < NUM_POINTS; i++) {
      const int tile = i % TILES, quad = i / TILES;
      const int x = tile * 64 + quad % 32 * 2, y = quad / 32 * 2;
      vertices[i] = (struct pipe_vertex){
         {(float)(x * 2 + 1) / (TILES * 64.0f) - 1,
          (float)(y * 2 + 1) / 64.0f - 1, 0, 1},
         {(float)i, 0, 0, 1},
      };
   }
   pipe_set_vertices(&pipe, vertices, NUM_POINTS);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_POINTS, NUM_POINTS), TG_OK);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_POINTS, 1), TG_OK);
   assert_int_equal(pipe_statistics(&pipe).fragments, NUM_POINTS + 1);
   assert_int_equal(pipe_statistics(&pipe).fragment_waves,
                    TILES * (EACH / 4 + 1) + 1);
   for (int i = 0; i < NUM_POINTS; i++) {
      const int tile = i % TILES, quad = i / TILES;
      const float *pixel =
         pipe_pixel(&pipe, (uint32_t)(tile * 64 + quad % 32 * 2),
                    (uint32_t)(quad / 32 * 2));
      assert_true(pixel[0] == (float)i);
   }
   pipe_finish(&pipe);
}

/* Of blocks in a row, which are one round of the kernel, too. */
static void
waves_of_blocks_are_counted(void **test)
{
   static const struct pipe_vertex all[3] = {
      {{-1, -1, 0, 1}, {1}}, {{3, -1, 0, 1}, {2}}, {{-1, 3, 0, 1}, {1}}};
   struct pipe pipe;
   (void)test;
   pipe_init(&pipe, 64, 64, pipe_vertex_shader, pipe_linear_shader);
   pipe_set_vertices(&pipe, all, 3);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   assert_int_equal(pipe_statistics(&pipe).fragments, 64 * 64);
   assert_int_equal(pipe_statistics(&pipe).fragment_waves, 64 * 64 / 16);
   pipe_finish(&pipe);
}

/* Passes the position through; the attribute is the colour and, in y, the size
 * of the point. */
static const char point_shader[] = "VERT\n"
                                   "DCL IN[0]\n"
                                   "DCL IN[1]\n"
                                   "DCL OUT[0], POSITION\n"
                                   "DCL OUT[1], GENERIC[0]\n"
                                   "DCL OUT[2], PSIZE\n"
                                   "MOV OUT[0], IN[0]\n"
                                   "MOV OUT[1], IN[1]\n"
                                   "MOV OUT[2].x, IN[1].yyyy\n"
                                   "END\n";

/* A quad, whose wave then has room; a square of whole blocks, which are waves
 * of their own; and a quad on top of them, which must not go into the wave that
 * has room, and one beside them, which may. */
static void
quads_do_not_overtake_blocks(void **test)
{
   static const struct pipe_vertex vertices[] = {
      {{-1 + 0.5f / 32, -1 + 0.5f / 32, 0, 1}, {1, 1, 0, 1}},
      {{-1 + 20.0f / 32, -1 + 20.0f / 32, 0, 1}, {2, 8, 0, 1}},
      {{-1 + 18.5f / 32, -1 + 18.5f / 32, 0, 1}, {3, 1, 0, 1}},
      {{-1 + 40.5f / 32, -1 + 0.5f / 32, 0, 1}, {4, 1, 0, 1}},
   };
   struct pipe pipe;
   (void)test;
   pipe_init(&pipe, 64, 64, point_shader, pipe_constant_shader);
   pipe.state.rasterizer.point_size_per_vertex = true;
   pipe_set_vertices(&pipe, vertices, 4);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_POINTS, 4), TG_OK);
   assert_true(pipe_pixel(&pipe, 0, 0)[0] == 1);
   assert_true(pipe_pixel(&pipe, 17, 17)[0] == 2);
   assert_true(pipe_pixel(&pipe, 18, 18)[0] == 3);
   assert_true(pipe_pixel(&pipe, 40, 0)[0] == 4);
   assert_int_equal(pipe_statistics(&pipe).fragment_waves, 4 + 2);
   pipe_finish(&pipe);
}

/* At (x, y) in pixels, of a framebuffer of 64 by 64. */
static struct pipe_vertex
vertex_at(float x, float y, float color)
{
   return (struct pipe_vertex){{x / 32 - 1, y / 32 - 1, 0, 1},
                               {color, 0, 0, 1}};
}

/* A triangle over the centre of one pixel. */
static void
set_pixel(struct pipe_vertex corners[3], uint32_t x, uint32_t y, float color)
{
   const float left = (float)x + 0.125f, top = (float)y + 0.125f;
   corners[0] = vertex_at(left, top, color);
   corners[1] = vertex_at(left + 1.5f, top, color);
   corners[2] = vertex_at(left, top + 1.5f, color);
}

/* A pixel, whose wave then has room; a triangle of the four quads at (2, 2),
 * which are a wave of their own and are in four blocks; and in each of these a
 * pixel on top, which must not go into the wave that has room. */
static void
quads_do_not_overtake_small_triangles(void **test)
{
   enum { NUM_VERTICES = 9 };
   (void)test;
   for (uint32_t i = 0; i < 4; i++) {
      const uint32_t x = 3 + i % 2, y = 3 + i / 2;
      struct pipe_vertex vertices[NUM_VERTICES] = {
         [3] = vertex_at(2.125f, 2.125f, 2),
         [4] = vertex_at(5.875f, 3.375f, 2),
         [5] = vertex_at(3.375f, 5.875f, 2),
      };
      struct pipe pipe;
      pipe_init(&pipe, 64, 64, pipe_vertex_shader, pipe_constant_shader);
      set_pixel(vertices, 40, 0, 1);
      set_pixel(&vertices[6], x, y, 3);
      pipe_set_vertices(&pipe, vertices, NUM_VERTICES);
      assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, NUM_VERTICES),
                       TG_OK);
      assert_int_equal(pipe_statistics(&pipe).fragment_waves, 3);
      for (uint32_t k = 0; k < 4; k++)
         assert_true(pipe_pixel(&pipe, 3 + k % 2, 3 + k / 2)[0] ==
                     (k == i ? 3 : 2));
      assert_true(pipe_pixel(&pipe, 40, 0)[0] == 1);
      pipe_finish(&pipe);
   }
}

/* Gives each pixel how many fragments counted before. */
static const char counting_shader[] =
   "FRAG\n"
   "DCL OUT[0], COLOR\n"
   "DCL HWATOMIC[0][0]\n"
   "DCL TEMP[0]\n"
   "IMM[0] UINT32 {0, 1, 0, 0}\n"
   "ATOMUADD TEMP[0].x, HWATOMIC[0][0], IMM[0].xxxx, IMM[0].yyyy\n"
   "U2F OUT[0], TEMP[0].xxxx\n"
   "END\n";

/* A pipe whose fragments count, and a cleared framebuffer. */
static void
begin_counting(struct pipe *pipe, const char *vertex_text)
{
   pipe_init(pipe, 64, 64, vertex_text, counting_shader);
   struct tg_resource *buffer = pipe_buffer(pipe, (uint32_t[1]){0}, 4);
   assert_int_equal(tg_bindings_set_buffer(pipe->fragment, TG_BUFFER_COUNTER, 0,
                                           buffer, 0, 4, pipe->diagnostics),
                    TG_OK);
   pipe_clear(pipe->color, (const float[4]){-1, 0, 0, 0});
}

/* A point of 6 by 6 pixels from (2, 0) on has two quads in its first block,
 * then a whole one, and one and two quads in the row below. Those that write
 * memory do so quad by quad, whether blocks are whole or not. */
static void
quads_write_memory_in_order(void **test)
{
   static const struct pipe_vertex point = {
      {-1 + 5.0f / 32, -1 + 3.0f / 32, 0, 1}, {0, 6, 0, 1}};
   struct pipe pipe;
   (void)test;
   begin_counting(&pipe, point_shader);
   pipe.state.rasterizer.point_size_per_vertex = true;
   pipe_set_vertices(&pipe, &point, 1);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_POINTS, 1), TG_OK);
   assert_true(pipe_pixel(&pipe, 2, 0)[0] == 0);
   assert_true(pipe_pixel(&pipe, 2, 2)[0] == 4);
   assert_true(pipe_pixel(&pipe, 4, 0)[0] == 8);
   assert_true(pipe_pixel(&pipe, 6, 2)[0] == 20);
   assert_true(pipe_pixel(&pipe, 2, 4)[0] == 24);
   assert_true(pipe_pixel(&pipe, 7, 5)[0] == 35);
   pipe_finish(&pipe);
}

/* Half of a rectangle of 24 by 16 pixels, which are 24 blocks: more than half
 * of their quads wait at once, as none is a wave of its own. No centre is on
 * the diagonal, where 2 (2 x + 1) + 3 (2 y + 1) is 96. */
static void
quads_of_many_blocks_are_packed(void **test)
{
   enum { WIDTH = 24, HEIGHT = 16 };
   const struct pipe_vertex corners[3] = {
      vertex_at(0, 0, 0), vertex_at(WIDTH, 0, 0), vertex_at(0, HEIGHT, 0)};
   struct pipe pipe;
   uint32_t count = 0;
   (void)test;
   begin_counting(&pipe, pipe_vertex_shader);
   pipe_set_vertices(&pipe, corners, 3);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
      const uint32_t block = i / 16, quad = i / 4 % 4, pixel = i % 4;
      const uint32_t x = block % 6 * 4 + quad % 2 * 2 + pixel % 2;
      const uint32_t y = block / 6 * 4 + quad / 2 * 2 + pixel / 2;
      const bool is_inside = 2 * (2 * x + 1) + 3 * (2 * y + 1) < 96;
      assert_true(pipe_pixel(&pipe, x, y)[0] == (is_inside ? count : -1.0f));
      count += is_inside;
   }
   assert_int_equal(pipe_statistics(&pipe).fragments, count);
   pipe_finish(&pipe);
}

/* A point of 20 by 20 pixels is 25 blocks, one more than are given away at
 * once. */
static void
more_blocks_than_at_once(void **test)
{
   static const struct pipe_vertex point = {
      {-1 + 10.0f / 32, -1 + 10.0f / 32, 0, 1}, {7, 20, 0, 1}};
   struct pipe pipe;
   (void)test;
   pipe_init(&pipe, 64, 64, point_shader, pipe_constant_shader);
   pipe.state.rasterizer.point_size_per_vertex = true;
   pipe_set_vertices(&pipe, &point, 1);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_POINTS, 1), TG_OK);
   for (uint32_t i = 0; i < 64 * 64; i++)
      assert_true((pipe_pixel(&pipe, i % 64, i / 64)[0] == 7) ==
                  (i % 64 < 20 && i / 64 < 20));
   assert_int_equal(pipe_statistics(&pipe).fragment_waves, 25);
   pipe_finish(&pipe);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_that_share_waves_are_drawn_in_order),
      cmocka_unit_test(batches_of_a_draw_share_waves),
      cmocka_unit_test(waves_of_blocks_are_counted),
      cmocka_unit_test(quads_do_not_overtake_blocks),
      cmocka_unit_test(quads_do_not_overtake_small_triangles),
      cmocka_unit_test(quads_are_packed_four_to_a_wave),
      cmocka_unit_test(quads_write_memory_in_order),
      cmocka_unit_test(quads_of_many_blocks_are_packed),
      cmocka_unit_test(more_blocks_than_at_once),
   };
   return cmocka_run_group_tests_name("gpu: packing", tests, NULL, NULL);
}
