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
   assert_int_equal(tg_context_draw(pipe->gpu, &info, pipe->diagnostics), TG_OK);
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
   const uint32_t *last = pipe_texels(target, 0) + WIDTH * HEIGHT - 1;
   clear(&pipe, TG_CLEAR_DEPTH | TG_CLEAR_STENCIL, NULL, 1);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   assert_int_equal(*last, 0x01ffffff);
   clear(&pipe, TG_CLEAR_DEPTH, NULL, 0.5f);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   assert_int_equal(*last, 0x01800000);
   clear(&pipe, TG_CLEAR_STENCIL, NULL, 200);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   assert_int_equal(*last, 0xc8800000);
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
   assert_int_equal(tg_context_clear(pipe.gpu, TG_CLEAR_COLOR0, NULL, NULL, 0, 0,
                                 pipe.diagnostics),
                    TG_ERROR_INPUT);
   assert_string_equal(tg_diagnostics_get(pipe.diagnostics, 1)->message,
                       "there is no colour to clear with");
   /* Attachments that are not there are no mistake. */
   clear(&pipe, TG_CLEAR_ALL, NULL, 1);
   pipe_finish(&pipe);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(scissors_bound_clears),
      cmocka_unit_test(clears_and_draws_keep_their_order),
      cmocka_unit_test(depth_and_stencil_are_cleared_apart),
      cmocka_unit_test(layers_of_a_level_are_cleared),
      cmocka_unit_test(refuses_what_is_no_buffer),
   };
   return cmocka_run_group_tests_name("gpu: clear", tests, NULL, NULL);
}
