/* SPDX-License-Identifier: MIT
 *
 * Window rectangles, at random: of each pixel it is asked whether it is in one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "gpu/context/windows.h"
#include "pipe.h"

enum { WIDTH = 140, HEIGHT = 75, NUM_TRIES = 150 };

static uint32_t
random_below(uint32_t *seed, uint32_t limit)
{
   *seed = *seed * 1664525 + 1013904223;
   return (uint32_t)((uint64_t)*seed * limit >> 32);
}

/* Often where another one begins, or a tile; sometimes beyond. */
static uint16_t
random_edge(uint32_t *seed, uint32_t size)
{
   switch (random_below(seed, 6)) {
   case 0: return (uint16_t)(random_below(seed, 5) * size / 4);
   case 1: return 64;
   case 2: return random_below(seed, 4) ? 0 : UINT16_MAX;
   default: return (uint16_t)random_below(seed, size + 9);
   }
}

static struct gpu_window_rectangles
random_windows(uint32_t *seed)
{
   struct gpu_window_rectangles windows = {
      .include = random_below(seed, 2),
      .count = random_below(seed, TG_MAX_WINDOW_RECTANGLES + 1)};
   for (uint32_t i = 0; i < windows.count; i++)
      windows.rectangle[i] = (struct tg_scissor){
         random_edge(seed, WIDTH), random_edge(seed, HEIGHT),
         random_edge(seed, WIDTH), random_edge(seed, HEIGHT)};
   return windows;
}

static bool
is_in(const struct tg_scissor *box, uint32_t x, uint32_t y)
{
   return x >= box->min_x && x < box->max_x && y >= box->min_y &&
          y < box->max_y;
}

static bool
may_change(const struct gpu_window_rectangles *windows, uint32_t x, uint32_t y)
{
   for (uint32_t i = 0; i < windows->count; i++) {
      if (is_in(&windows->rectangle[i], x, y))
         return windows->include;
   }
   return !windows->include;
}

/* ---- pieces -------------------------------------------------------------- */

static void
pieces_are_what_may_change(void **test)
{
   static uint8_t hits[HEIGHT][WIDTH];
   uint32_t seed = 1;
   (void)test;
   for (unsigned i = 0; i < 3000; i++) {
      const struct gpu_window_rectangles windows = random_windows(&seed);
      const struct tg_scissor area = {
         (uint16_t)random_below(&seed, WIDTH / 2),
         (uint16_t)random_below(&seed, HEIGHT / 2),
         (uint16_t)(WIDTH - random_below(&seed, WIDTH / 2)),
         (uint16_t)(HEIGHT - random_below(&seed, HEIGHT / 2))};
      struct gpu_window_pieces pieces;
      gpu_cut_windows(&windows, &area, &pieces);
      memset(hits, 0, sizeof(hits));
      for (uint32_t k = 0; k < pieces.count; k++) {
         const struct tg_scissor *piece = &pieces.piece[k];
         assert_true(piece->min_x < piece->max_x);
         assert_true(piece->min_y < piece->max_y);
         for (uint32_t y = piece->min_y; y < piece->max_y; y++) {
            for (uint32_t x = piece->min_x; x < piece->max_x; x++)
               hits[y][x]++;
         }
      }
      for (uint32_t y = 0; y < HEIGHT; y++) {
         for (uint32_t x = 0; x < WIDTH; x++)
            assert_int_equal(hits[y][x],
                             is_in(&area, x, y) && may_change(&windows, x, y));
      }
   }
}

/* ---- what is drawn ------------------------------------------------------- */

static const struct pipe_vertex vertices[4] = {
   {{-1, -1, 0, 1}, {1, 1, 1, 1}},
   {{3, -1, 0, 1}, {1, 1, 1, 1}},
   {{-1, 3, 0, 1}, {1, 1, 1, 1}},
   {{0, 0, 0, 1}, {1, 1, 1, 1}},
};

enum operation { DRAW, DRAW_POINT, CLEAR, BLIT, NUM_OPERATIONS };

/* Makes all pixels 1, as far as they may change. */
static void
change_all(struct pipe *pipe, enum operation operation,
           struct tg_resource *source)
{
   const union tg_color one = {.f = {1, 1, 1, 1}};
   struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct tg_blit_info blit = TG_BLIT_INFO_INIT;
   enum tg_result result = TG_ERROR_INPUT;
   info.draws = &range;
   if (operation == DRAW_POINT) {
      info.mode = TG_PRIM_POINTS;
      range = (struct tg_draw_range){.start = 3, .count = 1};
   }
   blit.dst = (struct tg_blit_side){
      .resource = pipe->color, .width = WIDTH, .height = HEIGHT, .depth = 1};
   blit.src = blit.dst;
   blit.src.resource = source;
   blit.window_rectangle_enable = true;
   switch (operation) {
   case CLEAR:
      result = tg_context_clear(pipe->gpu, TG_CLEAR_COLOR0, NULL, &one, 0, 0,
                                pipe->diagnostics);
      break;
   case BLIT:
      result = tg_context_blit(pipe->gpu, &blit, pipe->diagnostics);
      break;
   default:
      result = tg_context_draw(pipe->gpu, &info, pipe->diagnostics);
      break;
   }
   assert_int_equal(result, TG_OK);
   assert_int_equal(tg_context_finish(pipe->gpu, pipe->diagnostics), TG_OK);
}

static void
check_pixels(const struct pipe *pipe,
             const struct gpu_window_rectangles *windows)
{
   for (uint32_t y = 0; y < HEIGHT; y++) {
      for (uint32_t x = 0; x < WIDTH; x++)
         assert_true(pipe_pixel(pipe, x, y)[0] ==
                     (may_change(windows, x, y) ? 1 : 0));
   }
}

static void
pixels_that_change_are_those_that_may(void **test)
{
   static const float black[4], white[4] = {1, 1, 1, 1};
   struct pipe pipe;
   uint32_t seed = 2;
   (void)test;
   pipe_init(&pipe, WIDTH, HEIGHT, pipe_vertex_shader, pipe_constant_shader);
   pipe_set_vertices(&pipe, vertices, 4);
   pipe.state.rasterizer.point_size = 500;
   pipe.state.rasterizer.point_quad_rasterization = true;
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   struct tg_resource *source =
      pipe_texture(&pipe, TG_FORMAT_R32G32B32A32_FLOAT, WIDTH, HEIGHT, 0);
   pipe_clear(source, white);
   for (unsigned i = 0; i < NUM_TRIES; i++) {
      const struct gpu_window_rectangles windows = random_windows(&seed);
      pipe_clear(pipe.color, black);
      assert_int_equal(tg_context_set_window_rectangles(
                          pipe.gpu, windows.include, windows.count,
                          windows.rectangle, pipe.diagnostics),
                       TG_OK);
      change_all(&pipe, (enum operation)(i % NUM_OPERATIONS), source);
      check_pixels(&pipe, &windows);
   }
   pipe_finish(&pipe);
}

static void
blits_heed_them_when_they_are_asked_to(void **test)
{
   static const float black[4], white[4] = {1, 1, 1, 1};
   const struct tg_scissor all = {0, 0, WIDTH, HEIGHT};
   struct tg_blit_info blit = TG_BLIT_INFO_INIT;
   struct pipe pipe;
   (void)test;
   pipe_init(&pipe, WIDTH, HEIGHT, pipe_vertex_shader, pipe_constant_shader);
   struct tg_resource *source =
      pipe_texture(&pipe, TG_FORMAT_R32G32B32A32_FLOAT, WIDTH, HEIGHT, 0);
   pipe_clear(source, white);
   pipe_clear(pipe.color, black);
   assert_int_equal(
      tg_context_set_window_rectangles(pipe.gpu, false, 1, &all, NULL), TG_OK);
   blit.dst = (struct tg_blit_side){
      .resource = pipe.color, .width = WIDTH, .height = HEIGHT, .depth = 1};
   blit.src = blit.dst;
   blit.src.resource = source;
   blit.window_rectangle_enable = true;
   assert_int_equal(tg_context_blit(pipe.gpu, &blit, NULL), TG_OK);
   assert_true(pipe_pixel(&pipe, 5, 5)[0] == 0);
   blit.window_rectangle_enable = false;
   assert_int_equal(tg_context_blit(pipe.gpu, &blit, NULL), TG_OK);
   assert_true(pipe_pixel(&pipe, 5, 5)[0] == 1);
   pipe_finish(&pipe);
}

static void
there_are_eight(void **test)
{
   const struct tg_scissor rectangles[9] = {{0, 0, 1, 1}};
   struct pipe pipe;
   (void)test;
   pipe_init(&pipe, 1, 1, pipe_vertex_shader, pipe_constant_shader);
   assert_int_equal(tg_context_set_window_rectangles(
                       pipe.gpu, true, 9, rectangles, pipe.diagnostics),
                    TG_ERROR_INPUT);
   assert_string_equal(tg_diagnostics_get(pipe.diagnostics, 0)->message,
                       "9 window rectangles from 0 on; there are 8");
   assert_int_equal(
      tg_context_set_window_rectangles(pipe.gpu, true, 8, rectangles, NULL),
      TG_OK);
   assert_int_equal(
      tg_context_set_window_rectangles(pipe.gpu, false, 0, NULL, NULL), TG_OK);
   pipe_finish(&pipe);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_are_what_may_change),
      cmocka_unit_test(pixels_that_change_are_those_that_may),
      cmocka_unit_test(blits_heed_them_when_they_are_asked_to),
      cmocka_unit_test(there_are_eight),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
