/* SPDX-License-Identifier: MIT
 *
 * Lines: steps, rectangles, what is smooth, stippled, clipped.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "canvas.h"

enum { SIZE = CANVAS_SIZE };

static void
draw_line(struct canvas *canvas, double x0, double y0, double x1, double y1)
{
   const struct record v[2] = {canvas_vertex(x0, y0), canvas_vertex(x1, y1)};
   canvas_draw(canvas, v, 2);
}

/* The pixels that are covered, in reading order: "x,y x,y ". */
static const char *
covered(const struct canvas *canvas)
{
   static char text[1024];
   size_t length = 0;
   text[0] = 0;
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         if (canvas_at(canvas, x, y) && length < sizeof(text) - 16)
            length += (size_t)snprintf(text + length, 16, "%d,%d ", x, y);
      }
   }
   return text;
}

static void
near(double value, double expected, double within)
{
   if (!(fabs(value - expected) <= within))
      fail_msg("%.9g is not %.9g", value, expected);
}

/* ---- steps --------------------------------------------------------------- */

/* A pixel is drawn if the line goes through the diamond about its centre, but
 * for that in which it ends. */
static void
lines_have_a_beginning_and_no_end(void **test)
{
   (void)test;
   static const struct {
      double x0, y0, x1, y1;
      const char *pixels, *with_last;
   } cases[] = {
      {10.5, 20.5, 13.5, 20.5, "10,20 11,20 12,20 ",
       "10,20 11,20 12,20 13,20 "},
      {13.5, 20.5, 10.5, 20.5, "11,20 12,20 13,20 ",
       "10,20 11,20 12,20 13,20 "},
      {10.5, 20.5, 10.5, 23.5, "10,20 10,21 10,22 ",
       "10,20 10,21 10,22 10,23 "},
      {10.5, 23.5, 10.5, 20.5, "10,21 10,22 10,23 ",
       "10,20 10,21 10,22 10,23 "},
      {10.5, 20.5, 13.5, 23.5, "10,20 11,21 12,22 ",
       "10,20 11,21 12,22 13,23 "},
      /* The end is in pixel 12, but not behind its centre. */
      {10.25, 20.5, 12.25, 20.5, "10,20 11,20 ", "10,20 11,20 12,20 "},
      {10.75, 20.5, 12.75, 20.5, "10,20 11,20 ", "10,20 11,20 12,20 "},
      /* Not in diamonds: what counts is which side of the centre it is. */
      {10.75, 20.125, 12.75, 20.125, "11,20 12,20 ", "11,20 12,20 "},
      {10.25, 20.125, 12.25, 20.125, "10,20 11,20 ", "10,20 11,20 "},
      /* No centre between its ends, and no length. */
      {10.625, 20.5, 11.375, 20.5, "10,20 ", "10,20 11,20 "},
      {10.375, 20.5, 10.625, 20.5, "", "10,20 "},
      {10.5, 20.5, 10.5, 20.5, "", "10,20 "},
      /* On the border of two rows: the upper tie is the line's. Moved to the
       * left by a hair it does not reach the last diamond's lowest corner. */
      {10.5, 21, 12.5, 21, "10,20 11,20 ", "10,20 11,20 "},
   };
   struct canvas *canvas = canvas_create(1);
   for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      for (int has_last = 0; has_last < 2; has_last++) {
         canvas_clear(canvas);
         canvas->rasterizer.state.line_last_pixel = has_last;
         draw_line(canvas, cases[i].x0, cases[i].y0, cases[i].x1, cases[i].y1);
         assert_string_equal(covered(canvas),
                             has_last ? cases[i].with_last : cases[i].pixels);
      }
   }
   canvas_destroy(canvas);
}

static double
random_place(uint32_t *seed)
{
   return ((double)random_below(seed, SIZE * 2 * 256) - SIZE * 128) / 256;
}

/* How far an end of a line's first row is from the centre of the pixel next to
 * it in a step, both ways added up: less than 0.5 is in its diamond. */
static double
from_centre(const double end[2], int axis, int step, int width)
{
   const double across = end[!axis] - (width - 1) / 2.0;
   return fabs(end[axis] - step - 0.5) + fabs(across - floor(across) - 0.5);
}

/* Each step along the axis whose centre is on the line has as many pixels as
 * the line is wide, the nearest ones; others have none. At the ends diamonds
 * say whether a step is on the line. */
static void
check_steps(const struct canvas *canvas, int width, const double p[2][2])
{
   const double change[2] = {p[1][0] - p[0][0], p[1][1] - p[0][1]};
   const int axis = fabs(change[1]) > fabs(change[0]);
   for (int step = 0; step < SIZE; step++) {
      const double t =
         change[axis] != 0 ? (step + 0.5 - p[0][axis]) / change[axis] : -1;
      const double to_begin = from_centre(p[0], axis, step, width);
      const double to_end = from_centre(p[1], axis, step, width);
      const bool is_on = (t >= 0 || to_begin < 0.5) && t < 1 && to_end > 0.5;
      const double at = p[0][!axis] + t * change[!axis];
      for (int across = 0; across < SIZE; across++) {
         const double distance = fabs(across + 0.5 - at) - width / 2.0;
         const unsigned count = axis ? canvas_at(canvas, across, step)
                                     : canvas_at(canvas, step, across);
         if (fabs(to_begin - 0.5) < 1e-6 || fabs(to_end - 0.5) < 1e-6 ||
             (is_on && fabs(distance) < 1e-6))
            continue; /* a tie */
         assert_int_equal(count, is_on && distance < 0);
      }
   }
}

static void
any_line_takes_one_pixel_a_step(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   uint32_t seed = 21;
   for (int round = 0; round < 1500; round++) {
      const int width = round % 3 ? 1 : 1 + round / 3 % 6;
      const double p[2][2] = {{random_place(&seed), random_place(&seed)},
                              {random_place(&seed), random_place(&seed)}};
      /* Both visible ends matter: nothing of it is trivially outside. */
      canvas_clear(canvas);
      canvas->rasterizer.state.line_width = (float)width + 0.25f;
      draw_line(canvas, p[0][0], p[0][1], p[1][0], p[1][1]);
      if (!canvas->num_shapes && canvas_num_covered(canvas) == 0 &&
          (fmax(p[0][0], p[1][0]) < 0 || fmin(p[0][0], p[1][0]) > SIZE ||
           fmax(p[0][1], p[1][1]) < 0 || fmin(p[0][1], p[1][1]) > SIZE))
         continue;
      check_steps(canvas, width, p);
   }
   canvas_destroy(canvas);
}

/* Ten segments that go to the right, up to a corner of four pixels, which is in
 * no diamond: each column has one pixel. */
static void
strips_have_no_pixel_twice(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   uint32_t seed = 2;
   double x = 3.7, y = 60;
   const double first = x;
   for (int i = 0; i < 10; i++) {
      double next_x = x + 2 + random_below(&seed, 1000) / 128.0;
      double next_y = y + random_below(&seed, 512) / 256.0 - 1;
      if (i == 9) {
         next_x = floor(next_x);
         next_y = floor(next_y);
      }
      draw_line(canvas, x, y, next_x, next_y);
      x = next_x;
      y = next_y;
   }
   for (int column = 0; column < SIZE; column++) {
      unsigned count = 0;
      for (int row = 0; row < SIZE; row++)
         count += canvas_at(canvas, column, row);
      assert_int_equal(count, column + 0.5 >= first && column + 0.5 < x);
   }
   canvas_destroy(canvas);
}

/* ---- rectangles ---------------------------------------------------------- */

/* Direct3D's places of four samples, in sixteenths from the centre. */
static const double place4[4][2] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}};

static void
check_rectangle(const struct canvas *canvas, const double p[2][2], double width)
{
   const double dx = p[1][0] - p[0][0], dy = p[1][1] - p[0][1];
   const double length = sqrt(dx * dx + dy * dy);
   for (int i = 0; i < SIZE * SIZE * 4; i++) {
      const int s = i % 4, x = i / 4 % SIZE, y = i / 4 / SIZE;
      const double to_x = x + 0.5 + place4[s][0] / 16 - p[0][0];
      const double to_y = y + 0.5 + place4[s][1] / 16 - p[0][1];
      const double along = (to_x * dx + to_y * dy) / length;
      const double across = fabs(to_x * dy - to_y * dx) / length - width / 2;
      const double outside = fmax(across, fmax(-along, along - length));
      if (fabs(outside) > 0.01)
         assert_int_equal(canvas->count[y][x][s], outside < 0);
   }
}

static void
lines_with_samples_are_rectangles(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(4);
   uint32_t seed = 33;
   for (int round = 0; round < 200; round++) {
      const double p[2][2] = {
         {20 + random_below(&seed, 88 * 256) / 256.0,
          20 + random_below(&seed, 88 * 256) / 256.0},
         {20 + random_below(&seed, 88 * 256) / 256.0,
          20 + random_below(&seed, 88 * 256) / 256.0},
      };
      const double width = 1 + random_below(&seed, 100) / 8.0;
      canvas_clear(canvas);
      canvas->rasterizer.state.line_width = (float)width;
      draw_line(canvas, p[0][0], p[0][1], p[1][0], p[1][1]);
      assert_int_equal(canvas->num_shapes, 1);
      check_rectangle(canvas, p, width);
   }
   canvas_destroy(canvas);
}

/* From (20, 30) to (50, 70): 50 long, 3 wide. The middle is at (35, 50). */
static void
smooth_lines_have_distances(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   canvas->rasterizer.state.line_smooth = true;
   canvas->rasterizer.state.line_width = 3;
   draw_line(canvas, 20, 30, 50, 70);
   assert_int_equal(canvas->num_shapes, 1);
   near(canvas_float(canvas, 0, GPU_SHAPE_HALF_ACROSS), 1.5, 0);
   near(canvas_float(canvas, 0, GPU_SHAPE_HALF_ALONG), 25, 1e-5);
   near(canvas_plane(canvas, 0, GPU_SHAPE_ALONG, 35, 50), 0, 1e-5);
   near(canvas_plane(canvas, 0, GPU_SHAPE_ALONG, 50, 70), 25, 1e-5);
   near(canvas_plane(canvas, 0, GPU_SHAPE_ACROSS, 20, 30), 0, 1e-5);
   near(fabs(canvas_plane(canvas, 0, GPU_SHAPE_ACROSS, 20 - 4, 30 + 3)), 5,
        1e-5);
   /* All that has any coverage is covered, and little else. */
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const double across =
            canvas_plane(canvas, 0, GPU_SHAPE_ACROSS, x + 0.5, y + 0.5);
         const double along =
            canvas_plane(canvas, 0, GPU_SHAPE_ALONG, x + 0.5, y + 0.5);
         const double outside = fmax(fabs(across) - 2, fabs(along) - 25.5);
         if (fabs(outside) > 0.01)
            assert_int_equal(canvas_at(canvas, x, y), outside < 0);
      }
   }
   canvas_destroy(canvas);
}

/* ---- stipple ------------------------------------------------------------- */

static void
draw_segment(struct canvas *canvas, double x0, double x1, bool restarts)
{
   const struct record v[2] = {canvas_vertex(x0, 8.5), canvas_vertex(x1, 8.5)};
   struct gpu_setup_primitive primitive = canvas_primitive(v, 2);
   primitive.restarts_stipple = restarts;
   assert_true(canvas_draw_primitive(canvas, &primitive));
}

static void
patterns_go_along_strips(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct tg_rasterizer_state *rasterizer = &canvas->rasterizer.state;
   const uint16_t pattern = 0x2c9d;
   rasterizer->line_stipple_enable = true;
   rasterizer->line_stipple_pattern = pattern;
   for (int factor = 1; factor < 5; factor++) {
      rasterizer->line_stipple_factor = (uint8_t)(factor - 1);
      canvas_clear(canvas);
      draw_segment(canvas, 3.5, 50.5, true);
      draw_segment(canvas, 50.5, 90.5, false);
      for (int x = 0; x < SIZE; x++) {
         const bool is_on =
            x >= 3 && x < 90 && pattern >> ((x - 3) / factor % 16) & 1;
         assert_int_equal(canvas_at(canvas, x, 8), is_on);
      }
      /* Anew, and from the right to the left. */
      canvas_clear(canvas);
      draw_segment(canvas, 3.5, 50.5, true);
      draw_segment(canvas, 90.5, 50.5, true);
      for (int x = 51; x < SIZE; x++) {
         const bool is_on = x <= 90 && pattern >> ((90 - x) / factor % 16) & 1;
         assert_int_equal(canvas_at(canvas, x, 8), is_on);
      }
   }
   canvas_destroy(canvas);
}

/* The pattern's pixels are lengths of the line here: 8 on, 8 off, from the very
 * beginning, which is not in the picture. */
static void
rectangles_are_stippled(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(4);
   struct tg_rasterizer_state *rasterizer = &canvas->rasterizer.state;
   rasterizer->line_stipple_enable = true;
   rasterizer->line_stipple_pattern = 0x00ff;
   draw_segment(canvas, -1000, 1000, true);
   assert_in_range(canvas->num_shapes, 8, 10);
   for (int x = 0; x < SIZE; x++) {
      for (int s = 0; s < 4; s++)
         assert_int_equal(canvas->count[8][x][s], (x + 1000) / 8 % 2 == 0);
   }
   canvas_destroy(canvas);
}

/* ---- edges of the view --------------------------------------------------- */

/* From the middle to a vertex behind the eye: the visible part goes to the
 * other side. On the screen (x + w) * 64 / w is 64 at the beginning and 192
 * where w is 0.5, for x goes from 0 to -1 as w goes from 1 to -1: x = -t, w = 1
 * - 2t, so that x / w falls for ever. */
static void
lines_are_clipped(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct record v[2] = {canvas_vertex(64, 8.5), canvas_vertex(64, 8.5)};
   v[1].position[0] = -1;
   v[1].position[1] *= -1; /* the same place, behind */
   v[1].position[3] = -1;
   v[0].attribute[0][0] = 1;
   v[1].attribute[0][0] = 3;
   canvas_draw(canvas, v, 2);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++)
         assert_int_equal(canvas_at(canvas, x, y), y == 8 && x < 64);
   }
   /* Where x / w is -0.5, at 32: t = 1/4, w = 1/2, and the attribute 1.5. */
   near(canvas_plane(canvas, 0, GPU_SHAPE_W, 32, 8.5), 2, 1e-4);
   near(canvas_plane(canvas, 0, canvas_attribute(0, 0), 32, 8.5), 3, 1e-4);

   assert_int_equal(canvas->setup.num_visible, 1);

   canvas_clear(canvas);
   v[1].position[2] = NAN;
   canvas_draw(canvas, v, 2);
   assert_int_equal(canvas->num_shapes, 0);
   assert_int_equal(canvas->setup.num_visible, 0);
   canvas_destroy(canvas);
}

/* The viewport is from 32 to 64 each way. */
static void
lines_stay_in_the_viewport(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   canvas->state.viewports[0] = (struct tg_viewport){
      .scale = {16, 16, 0.5f}, .translate = {48, 48, 0.5f}};
   struct record v[2] = {{.position = {-3, 0.03125f, 0, 1}},
                         {.position = {3, 0.03125f, 0, 1}}};
   canvas_draw(canvas, v, 2);
   assert_int_equal(canvas_num_covered(canvas), 32);
   assert_int_equal(canvas_at(canvas, 32, 48), 1);
   assert_int_equal(canvas_at(canvas, 63, 48), 1);

   canvas->rasterizer.state.line_width = 8;
   canvas_clear(canvas);
   canvas_draw(canvas, v, 2);
   assert_int_equal(canvas_num_covered(canvas), 32 * 8);

   /* At y = 65.75, of which two rows are seen; at x = 30.25. */
   v[0].position[1] = v[1].position[1] = 1.109375f;
   canvas_clear(canvas);
   canvas_draw(canvas, v, 2);
   assert_int_equal(canvas_num_covered(canvas), 32 * 2);
   assert_int_equal(canvas_at(canvas, 32, 62), 1);
   memcpy(v[0].position, (float[]){-1.109375f, -3, 0, 1}, sizeof(float[4]));
   memcpy(v[1].position, (float[]){-1.109375f, 3, 0, 1}, sizeof(float[4]));
   canvas_clear(canvas);
   canvas_draw(canvas, v, 2);
   assert_int_equal(canvas_num_covered(canvas), 32 * 2);
   assert_int_equal(canvas_at(canvas, 33, 32), 1);
   canvas_destroy(canvas);
}

/* The second vertex provokes, and has the viewport from 32 to 64 each way. */
static void
viewports_are_chosen(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct record v[2] = {{.position = {-3, 0.03125f, 0, 1}},
                         {.position = {3, 0.03125f, 0, 1}}};
   canvas->layout.viewport = offsetof(struct record, viewport) / 16;
   canvas->state.viewports[5] = (struct tg_viewport){
      .scale = {16, 16, 0.5f}, .translate = {48, 48, 0.5f}};
   v[1].viewport[0] = 5;
   struct gpu_setup_primitive primitive = canvas_primitive(v, 2);
   primitive.provoking = 1;
   assert_true(canvas_draw_primitive(canvas, &primitive));
   assert_int_equal(canvas_num_covered(canvas), 32);
   assert_int_equal(canvas_at(canvas, 32, 48), 1);
   assert_int_equal(canvas_at(canvas, 63, 48), 1);
   assert_int_equal(canvas->words[GPU_SHAPE_WRITTEN_VIEWPORT], 5);
   canvas_destroy(canvas);
}

/* Attributes and depth are those of the nearest place on the line. */
static void
lines_have_planes(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   uint32_t seed = 9;
   for (int round = 0; round < 500; round++) {
      struct record v[2];
      const double width = 1 + random_below(&seed, 9);
      double p[2][2];
      for (int i = 0; i < 2; i++) {
         p[i][0] = random_below(&seed, SIZE * 256) / 256.0;
         p[i][1] = random_below(&seed, SIZE * 256) / 256.0;
         v[i] = canvas_vertex(p[i][0], p[i][1]);
         v[i].position[2] = (float)random_below(&seed, 1000) / 500 - 1;
         v[i].attribute[0][3] = (float)random_below(&seed, 1000) / 100;
      }
      canvas_clear(canvas);
      canvas->rasterizer.state.line_width = (float)width;
      canvas_draw(canvas, v, 2);
      const double dx = p[1][0] - p[0][0], dy = p[1][1] - p[0][1];
      if (!canvas->num_shapes || dx * dx + dy * dy < 16)
         continue;
      for (int i = 0; i < SIZE * SIZE; i++) {
         const double x = i % SIZE + 0.5, y = i / SIZE + 0.5;
         if (!canvas_at(canvas, i % SIZE, i / SIZE))
            continue;
         const double t =
            ((x - p[0][0]) * dx + (y - p[0][1]) * dy) / (dx * dx + dy * dy);
         const double z = canvas_plane(canvas, 0, GPU_SHAPE_Z, x, y);
         near(z,
              0.5 + 0.5 * (v[0].position[2] +
                           t * (v[1].position[2] - v[0].position[2])),
              1e-5);
         near(canvas_plane(canvas, 0, canvas_attribute(0, 3), x, y),
              v[0].attribute[0][3] +
                 t * (v[1].attribute[0][3] - v[0].attribute[0][3]),
              1e-4);
      }
   }
   canvas_destroy(canvas);
}

static void
memory_may_be_short(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   const struct record v[2] = {canvas_vertex(3, 8.5), canvas_vertex(90, 8.5)};
   const struct gpu_setup_primitive primitive = canvas_primitive(v, 2);
   canvas->rasterizer.state.line_stipple_enable = true;
   canvas->rasterizer.state.line_stipple_pattern = 0x5555;
   canvas->shapes_left = 3;
   assert_false(canvas_draw_primitive(canvas, &primitive));
   assert_int_equal(canvas->num_shapes, 3);
   canvas_destroy(canvas);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_have_a_beginning_and_no_end),
      cmocka_unit_test(any_line_takes_one_pixel_a_step),
      cmocka_unit_test(strips_have_no_pixel_twice),
      cmocka_unit_test(lines_with_samples_are_rectangles),
      cmocka_unit_test(smooth_lines_have_distances),
      cmocka_unit_test(patterns_go_along_strips),
      cmocka_unit_test(rectangles_are_stippled),
      cmocka_unit_test(lines_are_clipped),
      cmocka_unit_test(lines_stay_in_the_viewport),
      cmocka_unit_test(viewports_are_chosen),
      cmocka_unit_test(lines_have_planes),
      cmocka_unit_test(memory_may_be_short),
   };
   return cmocka_run_group_tests_name("gpu: lines", tests, NULL, NULL);
}
