/* SPDX-License-Identifier: MIT
 *
 * Clears of a depth buffer that are pending when their scene is done: the next
 * scene goes on with them, and all that is no scene finds them stored.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "pipe.h"
#include "resource/resource.h"

/* Three tiles by two, of which the last ones have 3 columns and 6 rows. */
enum { WIDTH = 131, HEIGHT = 70 };

static const char sampling_shader[] =
   "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n"
   "IMM[0] FLT32 { 0.5, 0.5, 0.0, 0.0 }\n"
   "TEX OUT[0], IMM[0], SAMP[0], 2D\nEND\n";

struct world {
   struct pipe pipe;
   struct tg_resource *depth;
};

static struct tg_resource *
depth_buffer(struct world *world)
{
   return pipe_texture(&world->pipe, TG_FORMAT_Z32_FLOAT, WIDTH, HEIGHT, 0);
}

static void
clear(struct world *world, double depth)
{
   struct pipe *pipe = &world->pipe;

   assert_int_equal(tg_context_clear(pipe->gpu, TG_CLEAR_DEPTH, NULL, NULL,
                                     depth, 0, pipe->diagnostics),
                    TG_OK);
   assert_int_equal(tg_context_finish(pipe->gpu, pipe->diagnostics), TG_OK);
}

/* All of a depth buffer is 0.5, and pending. */
static void
begin(struct world *world)
{
   pipe_init(&world->pipe, WIDTH, HEIGHT, pipe_vertex_shader,
             pipe_constant_shader);
   world->depth = depth_buffer(world);
   world->pipe.state.framebuffer.depth_stencil = tg_surface_of(world->depth);
   assert_int_equal(pipe_set_state(&world->pipe, world->pipe.gpu), TG_OK);
   clear(world, 0.5);
   for (uint32_t y = 0; y < HEIGHT; y += RESOURCE_CLEAR_TILE) {
      for (uint32_t x = 0; x < WIDTH; x += RESOURCE_CLEAR_TILE)
         assert_int_equal(resource_find_clear(world->depth, x, y)->pending,
                          0xffff);
   }
}

/* What is in memory. */
static float
depth_at(const struct tg_resource *depth, uint32_t x, uint32_t y)
{
   float z;

   memcpy(&z, resource_texel(depth, 0, 0, x, y, 0), sizeof(z));
   return z;
}

/* 0.5 everywhere but at one pixel. */
static void
expect_stored(const struct tg_resource *depth, uint32_t x, uint32_t y, float z)
{
   for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
      const bool is_other = i % WIDTH == x && i / WIDTH == y;

      assert_true(depth_at(depth, i % WIDTH, i / WIDTH) ==
                  (is_other ? z : 0.5f));
   }
}

static void
nothing_is_stored_before(void **test)
{
   struct world world;
   (void)test;

   begin(&world);
   assert_true(depth_at(world.depth, 0, 0) == 0.0f);
   assert_true(depth_at(world.depth, WIDTH - 1, HEIGHT - 1) == 0.0f);
   pipe_finish(&world.pipe);
}

/* A clear of one pixel in a scene of its own: what is pending of its granule,
 * the first in the second row, is stored. */
static void
scenes_go_on(void **test)
{
   const struct tg_scissor pixel = {70, 20, 71, 21};
   struct world world;
   (void)test;

   begin(&world);
   assert_int_equal(tg_context_clear(world.pipe.gpu, TG_CLEAR_DEPTH, &pixel,
                                     NULL, 0.25, 0, NULL),
                    TG_OK);
   assert_int_equal(tg_context_finish(world.pipe.gpu, NULL), TG_OK);
   assert_true(depth_at(world.depth, 70, 20) == 0.25f);
   assert_int_equal(resource_find_clear(world.depth, 70, 20)->pending, 0xffef);
   assert_int_equal(resource_find_clear(world.depth, 0, 0)->pending, 0xffff);
   resource_settle_clears(world.depth);
   expect_stored(world.depth, 70, 20, 0.25f);
   pipe_finish(&world.pipe);
}

/* A framebuffer that has less of a tile leaves the rest of it as it was. */
static void
smaller_framebuffers_do(void **test)
{
   struct world world;
   (void)test;

   begin(&world);
   world.pipe.state.framebuffer.width = 40;
   world.pipe.state.framebuffer.height = 40;
   assert_int_equal(pipe_set_state(&world.pipe, world.pipe.gpu), TG_OK);
   clear(&world, 0.25);
   assert_int_equal(resource_find_clear(world.depth, 0, 0)->pending, 0);
   assert_true(depth_at(world.depth, 39, 39) == 0.25f);
   assert_true(depth_at(world.depth, 40, 39) == 0.5f);
   assert_true(depth_at(world.depth, 39, 40) == 0.5f);
   pipe_finish(&world.pipe);
}

static void
reads_find_clears(void **test)
{
   const struct tg_box box = {WIDTH - 1, HEIGHT - 1, 0, 1, 1, 1};
   struct world world;
   float z = 0.0f;
   (void)test;

   begin(&world);
   assert_int_equal(
      tg_context_read(world.pipe.gpu, world.depth, 0, 0, &box, &z, 0, 0),
      TG_OK);
   assert_true(z == 0.5f);
   pipe_finish(&world.pipe);
}

/* Nor are those pending that come while it is mapped. */
static void
maps_find_clears(void **test)
{
   const struct tg_box box = {3, 5, 0, 1, 1, 1};
   struct world world;
   struct tg_map *map;
   (void)test;

   begin(&world);
   assert_int_equal(tg_context_map(world.pipe.gpu, world.depth, 0, &box,
                                   TG_MAP_READ | TG_MAP_UNSYNCHRONIZED, NULL,
                                   &map),
                    TG_OK);
   expect_stored(world.depth, 0, 0, 0.5f);
   clear(&world, 0.25);
   assert_true(depth_at(world.depth, 3, 5) == 0.25f);
   assert_int_equal(tg_context_unmap(world.pipe.gpu, map), TG_OK);
   pipe_finish(&world.pipe);
}

static void
blit_pixel(struct world *world, struct tg_resource *dst,
           struct tg_resource *src)
{
   struct tg_blit_info info = TG_BLIT_INFO_INIT;

   info.dst = (struct tg_blit_side){dst, 0, 0, 3, 5, 0, 1, 1, 1};
   info.src = (struct tg_blit_side){src, 0, 0, 99, 9, 0, 1, 1, 1};
   info.mask = TG_CHANNEL_Z;
   assert_int_equal(
      tg_context_blit(world->pipe.gpu, &info, world->pipe.diagnostics), TG_OK);
   assert_int_equal(tg_context_finish(world->pipe.gpu, NULL), TG_OK);
}

static void
blits_find_clears(void **test)
{
   struct world world;
   (void)test;

   begin(&world);
   struct tg_resource *other = depth_buffer(&world);
   blit_pixel(&world, other, world.depth);
   assert_true(depth_at(other, 3, 5) == 0.5f);
   expect_stored(world.depth, 0, 0, 0.5f);
   pipe_finish(&world.pipe);
}

static void
blits_are_over_clears(void **test)
{
   struct world world;
   (void)test;

   begin(&world);
   blit_pixel(&world, world.depth, depth_buffer(&world));
   expect_stored(world.depth, 3, 5, 0.0f);
   pipe_finish(&world.pipe);
}

static void
clears_of_surfaces_are_over_clears(void **test)
{
   struct tg_clear_info info = TG_CLEAR_INIT;
   struct world world;
   (void)test;

   begin(&world);
   info.surface = tg_surface_of(world.depth);
   info.buffers = TG_CLEAR_DEPTH;
   info.scissor_enable = true;
   info.scissor = (struct tg_scissor){3, 5, 4, 6};
   info.depth = 0.25;
   assert_int_equal(tg_context_clear_surface(world.pipe.gpu, &info, NULL),
                    TG_OK);
   expect_stored(world.depth, 3, 5, 0.25f);
   pipe_finish(&world.pipe);
}

/* Two scenes are not done when it is bound: the second one clears again. */
static void
textures_find_clears(void **test)
{
   const struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   const struct pipe_vertex vertices[3] = {
      {{-1, -1, 0, 1}}, {{3, -1, 0, 1}}, {{-1, 3, 0, 1}}};
   struct world world;
   struct pipe *pipe = &world.pipe;
   (void)test;

   begin(&world);
   assert_int_equal(
      tg_context_clear(pipe->gpu, TG_CLEAR_DEPTH, NULL, NULL, 0.75, 0, NULL),
      TG_OK);
   pipe->state.framebuffer.depth_stencil = (struct tg_surface){0};
   pipe->state.fs = pipe_shader(pipe, sampling_shader);
   pipe_set_texture(pipe, 0, world.depth, &sampler);
   pipe_set_vertices(pipe, vertices, 3);
   assert_int_equal(pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   assert_true(pipe_pixel(pipe, 0, 0)[0] == 0.75f);
   assert_true(depth_at(world.depth, 0, HEIGHT - 1) == 0.75f);
   assert_null(resource_find_clear(world.depth, 0, 0));
   pipe_finish(pipe);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_stored_before),
      cmocka_unit_test(scenes_go_on),
      cmocka_unit_test(smaller_framebuffers_do),
      cmocka_unit_test(reads_find_clears),
      cmocka_unit_test(maps_find_clears),
      cmocka_unit_test(blits_find_clears),
      cmocka_unit_test(blits_are_over_clears),
      cmocka_unit_test(clears_of_surfaces_are_over_clears),
      cmocka_unit_test(textures_find_clears),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
