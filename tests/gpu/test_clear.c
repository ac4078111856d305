/* SPDX-License-Identifier: MIT
 *
 * Clears: which pixels, which bits of them, and in which order with draws.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "pipe.h"

enum { WIDTH = 200, HEIGHT = 130 };

static const struct pipe_vertex whole[3] = {
   {{-1, -1, 0, 1}, {7, 7, 7, 7}},
   {{3, -1, 0, 1}, {7, 7, 7, 7}},
   {{-1, 3, 0, 1}, {7, 7, 7, 7}},
};

static void
init(struct pipe *pipe)
{
   pipe_init(pipe, WIDTH, HEIGHT, pipe_vertex_shader, pipe_constant_shader);
   pipe_set_vertices(pipe, whole, 3);
   assert_int_equal(pipe_set_state(pipe, pipe->gpu), TG_OK);
}

static void
clear(struct pipe *pipe, uint32_t buffers, const struct tg_scissor *scissor,
      float value)
{
   const union tg_color color = {.f = {value, value, value, value}};
   assert_int_equal(tg_context_clear(pipe->gpu, buffers, scissor, &color,
                                     (double)value, (uint8_t)value,
                                     pipe->diagnostics),
                    TG_OK);
}

static void
draw(struct pipe *pipe)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.draws = &range;
   assert_int_equal(tg_context_draw(pipe->gpu, &info, pipe->diagnostics),
                    TG_OK);
}

/* Across tiles, and beyond the framebuffer. */
static void
scissors_bound_clears(void **test)
{
   const struct tg_scissor inside = {60, 3, 130, 129};
   const struct tg_scissor beyond = {190, 100, 60000, 60000};
   const struct tg_scissor empty = {50, 50, 50, 60};
   struct pipe pipe;
   (void)test;
   init(&pipe);
   clear(&pipe, TG_CLEAR_COLOR0, NULL, 1);
   clear(&pipe, TG_CLEAR_COLOR0, &inside, 2);
   clear(&pipe, TG_CLEAR_COLOR0, &beyond, 3);
   clear(&pipe, TG_CLEAR_COLOR0, &empty, 4);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   for (uint32_t y = 0; y < HEIGHT; y++) {
      for (uint32_t x = 0; x < WIDTH; x++) {
         const bool is_inside = x >= 60 && x < 130 && y >= 3 && y < 129;
         const bool is_beyond = x >= 190 && y >= 100;
         const float expected = is_beyond ? 3 : is_inside ? 2 : 1;
         assert_true(pipe_pixel(&pipe, x, y)[3] == expected);
      }
   }
   pipe_finish(&pipe);
}

static void
clears_and_draws_keep_their_order(void **test)
{
   const struct tg_scissor left = {0, 0, WIDTH / 2, HEIGHT};
   struct pipe pipe;
   (void)test;
   init(&pipe);
   clear(&pipe, TG_CLEAR_COLOR0, NULL, 1);
   draw(&pipe);
   clear(&pipe, TG_CLEAR_COLOR0, &left, 2);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   assert_true(pipe_pixel(&pipe, WIDTH / 2 - 1, 70)[0] == 2);
   assert_true(pipe_pixel(&pipe, WIDTH / 2, 70)[0] == 7);
   clear(&pipe, TG_CLEAR_COLOR0, NULL, 3);
   draw(&pipe);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   assert_true(pipe_pixel(&pipe, 0, 0)[0] == 7);
   assert_true(pipe_pixel(&pipe, WIDTH - 1, HEIGHT - 1)[0] == 7);
   pipe_finish(&pipe);
}

static uint32_t
last_texel(struct tg_resource *target)
{
   return pipe_texels(target, 0)[WIDTH * HEIGHT - 1];
}

/* Depth in the lower 24 bits, stencil in the upper 8: 0.5 is 0x800000, half of
 * 2^24 - 1 rounded to even. */
static void
depth_and_stencil_are_cleared_apart(void **test)
{
   struct pipe pipe;
   (void)test;
   init(&pipe);
   struct tg_resource *target =
      pipe_texture(&pipe, TG_FORMAT_Z24_UNORM_S8_UINT, WIDTH, HEIGHT, 0);
   pipe.state.framebuffer.depth_stencil = tg_surface_of(target);
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   clear(&pipe, TG_CLEAR_DEPTH | TG_CLEAR_STENCIL, NULL, 1);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   assert_int_equal(last_texel(target), 0x01ffffff);
   clear(&pipe, TG_CLEAR_DEPTH, NULL, 0.5f);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   assert_int_equal(last_texel(target), 0x01800000);
   clear(&pipe, TG_CLEAR_STENCIL, NULL, 200);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   assert_int_equal(last_texel(target), 0xc8800000);
   pipe_finish(&pipe);
}

/* Of a level, the layers of the surface and no others. */
static void
layers_of_a_level_are_cleared(void **test)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D_ARRAY,
      .format = TG_FORMAT_R8_UNORM,
      .width = 2 * WIDTH,
      .height = 2 * HEIGHT,
      .layers = 4,
      .last_level = 1,
   };
   struct pipe pipe;
   struct tg_resource *array;
   (void)test;
   init(&pipe);
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &array), TG_OK);
   pipe.resources[pipe.num_resources++] = array;
   pipe.state.framebuffer.depth_stencil = (struct tg_surface){0};
   pipe.state.framebuffer.colors[0] = (struct tg_surface){
      .resource = array, .level = 1, .first_layer = 1, .last_layer = 2};
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   clear(&pipe, TG_CLEAR_ALL, NULL, 1);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   for (uint32_t level = 0; level < 2; level++) {
      for (uint32_t layer = 0; layer < 4; layer++) {
         const struct tg_box box = {WIDTH - 1, HEIGHT - 1, layer, 1, 1, 1};
         const bool is_cleared = level == 1 && (layer == 1 || layer == 2);
         uint8_t texel;
         assert_int_equal(tg_resource_read(array, level, 0, &box, &texel, 0, 0),
                          TG_OK);
         assert_int_equal(texel, is_cleared ? 255 : 0);
      }
   }
   pipe_finish(&pipe);
}

static void
refuses_what_is_no_buffer(void **test)
{
   const union tg_color color = {{0}};
   struct pipe pipe;
   (void)test;
   init(&pipe);
   assert_int_equal(
      tg_context_clear(pipe.gpu, 1 << 10, NULL, &color, 0, 0, pipe.diagnostics),
      TG_ERROR_INPUT);
   assert_int_equal(tg_context_clear(pipe.gpu, TG_CLEAR_COLOR0, NULL, NULL, 0,
                                     0, pipe.diagnostics),
                    TG_ERROR_INPUT);
   assert_string_equal(tg_diagnostics_get(pipe.diagnostics, 1)->message,
                       "there is no colour to clear with");
   /* Attachments that are not there are no mistake. */
   clear(&pipe, TG_CLEAR_ALL, NULL, 1);
   pipe_finish(&pipe);
}

/* ---- surfaces that are not bound ----------------------------------------- */

/* 8 by 8 texels with a level of 4 by 4, three layers. */
static struct tg_resource *
make_array(struct pipe *pipe, enum tg_format format)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D_ARRAY,
      .format = format,
      .width = 8,
      .height = 8,
      .layers = 3,
      .last_level = 1,
   };
   struct tg_resource **resource = &pipe->resources[pipe->num_resources++];
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, resource), TG_OK);
   return *resource;
}

static uint32_t
texel(struct pipe *pipe, struct tg_resource *array, uint32_t level, uint32_t x,
      uint32_t y, uint32_t z)
{
   const struct tg_box box = {x, y, z, 1, 1, 1};
   uint32_t word = 0;
   assert_int_equal(
      tg_context_read(pipe->gpu, array, level, 0, &box, &word, 0, 0), TG_OK);
   return word;
}

/* Layers 1 and 2 of level 1, seen as R32_UINT; x from 1 to 2, y from 2 on. */
static void
a_rectangle_of_layers_is_cleared(void **test)
{
   struct tg_clear_info info = TG_CLEAR_INIT;
   struct pipe pipe;
   (void)test;
   init(&pipe);
   struct tg_resource *array = make_array(&pipe, TG_FORMAT_R8G8B8A8_UNORM);
   info.surface = (struct tg_surface){.resource = array,
                                      .format = TG_FORMAT_R32_UINT,
                                      .level = 1,
                                      .first_layer = 1,
                                      .last_layer = 2};
   info.scissor_enable = true;
   info.scissor = (struct tg_scissor){1, 2, 3, 60000};
   info.color.u[0] = 0x12345678;
   assert_int_equal(tg_context_clear_surface(pipe.gpu, &info, pipe.diagnostics),
                    TG_OK);
   for (uint32_t z = 0; z < 3; z++) {
      for (uint32_t y = 0; y < 4; y++) {
         for (uint32_t x = 0; x < 4; x++)
            assert_int_equal(texel(&pipe, array, 1, x, y, z),
                             z >= 1 && x >= 1 && x < 3 && y >= 2 ? 0x12345678
                                                                 : 0);
      }
      assert_int_equal(texel(&pipe, array, 0, 1, 2, z), 0);
   }
   pipe_finish(&pipe);
}

/* Depth in the lower 24 bits, stencil above. */
static void
depth_or_stencil_of_a_surface_is_cleared(void **test)
{
   struct tg_clear_info info = TG_CLEAR_INIT;
   struct pipe pipe;
   (void)test;
   init(&pipe);
   struct tg_resource *array = make_array(&pipe, TG_FORMAT_Z24_UNORM_S8_UINT);
   info.surface = tg_surface_of(array);
   info.buffers = TG_CLEAR_DEPTH | TG_CLEAR_STENCIL;
   info.depth = 1;
   info.stencil = 0xab;
   assert_int_equal(tg_context_clear_surface(pipe.gpu, &info, NULL), TG_OK);
   assert_int_equal(texel(&pipe, array, 0, 7, 7, 2), 0xabffffff);
   info.buffers = TG_CLEAR_STENCIL;
   info.depth = 0;
   info.stencil = 0xcd;
   assert_int_equal(tg_context_clear_surface(pipe.gpu, &info, NULL), TG_OK);
   assert_int_equal(texel(&pipe, array, 0, 0, 0, 0), 0xcdffffff);
   info.buffers = TG_CLEAR_DEPTH;
   info.stencil = 0;
   assert_int_equal(tg_context_clear_surface(pipe.gpu, &info, NULL), TG_OK);
   assert_int_equal(texel(&pipe, array, 0, 3, 4, 1), 0xcd000000);
   pipe_finish(&pipe);
}

/* All samples; after a draw to the same texture, and before the next. */
static void
clears_of_surfaces_keep_their_order_with_draws(void **test)
{
   struct tg_clear_info info = TG_CLEAR_INIT;
   struct pipe pipe;
   (void)test;
   init(&pipe);
   draw(&pipe);
   info.surface.resource = pipe.color;
   info.color.f[0] = 3;
   info.scissor_enable = true;
   info.scissor = (struct tg_scissor){0, 0, 100, HEIGHT};
   assert_int_equal(tg_context_clear_surface(pipe.gpu, &info, NULL), TG_OK);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   assert_true(pipe_pixel(&pipe, 99, 5)[0] == 3);
   assert_true(pipe_pixel(&pipe, 100, 5)[0] == 7);
   assert_int_equal(tg_context_clear_surface(pipe.gpu, &info, NULL), TG_OK);
   draw(&pipe);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   assert_true(pipe_pixel(&pipe, 99, 5)[0] == 7);
   pipe_finish(&pipe);
}

static void
clears_of_surfaces_heed_a_condition_if_asked_to(void **test)
{
   struct tg_clear_info info = TG_CLEAR_INIT;
   struct tg_query *query;
   struct pipe pipe;
   (void)test;
   init(&pipe);
   assert_int_equal(
      tg_query_create(pipe.gpu, TG_QUERY_OCCLUSION_COUNTER, 0, NULL, &query),
      TG_OK);
   assert_int_equal(tg_query_begin(query, NULL), TG_OK);
   assert_int_equal(tg_query_end(query, NULL), TG_OK); /* of nothing */
   tg_context_set_condition(pipe.gpu, query, false);
   info.surface.resource = pipe.color;
   info.color.f[0] = 5;
   info.render_condition_enable = true;
   assert_int_equal(tg_context_clear_surface(pipe.gpu, &info, NULL), TG_OK);
   assert_true(pipe_pixel(&pipe, 0, 0)[0] == 0);
   info.render_condition_enable = false;
   assert_int_equal(tg_context_clear_surface(pipe.gpu, &info, NULL), TG_OK);
   assert_true(pipe_pixel(&pipe, 0, 0)[0] == 5);
   pipe_finish(&pipe);
}

static void
other_surfaces_are_refused(void **test)
{
   struct tg_clear_info info = TG_CLEAR_INIT;
   struct pipe pipe;
   (void)test;
   init(&pipe);
   struct tg_resource *array = make_array(&pipe, TG_FORMAT_R8G8B8A8_UNORM);
   struct tg_resource *buffer = pipe_texture(&pipe, TG_FORMAT_NONE, 64, 1, 0);
   const struct {
      uint32_t buffers;
      struct tg_surface surface;
      const char *message;
   } rows[] = {
      {TG_CLEAR_COLOR0, {0}, "there is no surface to clear"},
      {TG_CLEAR_COLOR0, {.resource = buffer}, "the surface is a buffer"},
      {TG_CLEAR_COLOR0,
       {.resource = array, .level = 2},
       "the surface has no level 2 with layers 0 to 0"},
      {TG_CLEAR_COLOR0,
       {.resource = array, .first_layer = 2, .last_layer = 3},
       "the surface has no level 0 with layers 2 to 3"},
      {TG_CLEAR_COLOR0,
       {.resource = array, .format = TG_FORMAT_R16_UNORM},
       "the surface cannot have format R16_UNORM"},
      {TG_CLEAR_DEPTH,
       {.resource = array},
       "the surface cannot have format R8G8B8A8_UNORM"},
      {TG_CLEAR_COLOR0,
       {.resource = pipe.depth},
       "the surface cannot have format Z32_FLOAT"},
      {0,
       {.resource = array},
       "a surface is cleared as colour 0, or depth and stencil, not as buffers "
       "0x0"},
      {TG_CLEAR_COLOR0 | TG_CLEAR_DEPTH,
       {.resource = array},
       "a surface is cleared as colour 0, or depth and stencil, not as buffers "
       "0x5"},
   };
   for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      tg_diagnostics_clear(pipe.diagnostics);
      info.buffers = rows[i].buffers;
      info.surface = rows[i].surface;
      assert_int_equal(
         tg_context_clear_surface(pipe.gpu, &info, pipe.diagnostics),
         TG_ERROR_INPUT);
      assert_string_equal(tg_diagnostics_get(pipe.diagnostics, 0)->message,
                          rows[i].message);
   }
   pipe_finish(&pipe);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rectangle_of_layers_is_cleared),
      cmocka_unit_test(depth_or_stencil_of_a_surface_is_cleared),
      cmocka_unit_test(clears_of_surfaces_keep_their_order_with_draws),
      cmocka_unit_test(clears_of_surfaces_heed_a_condition_if_asked_to),
      cmocka_unit_test(other_surfaces_are_refused),
      cmocka_unit_test(scissors_bound_clears),
      cmocka_unit_test(clears_and_draws_keep_their_order),
      cmocka_unit_test(depth_and_stencil_are_cleared_apart),
      cmocka_unit_test(layers_of_a_level_are_cleared),
      cmocka_unit_test(refuses_what_is_no_buffer),
   };
   return cmocka_run_group_tests_name("gpu: clear", tests, NULL, NULL);
}
