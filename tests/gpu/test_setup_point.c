/* SPDX-License-Identifier: MIT
 *
 * Points: their forms and sizes, sprites, and what of them is seen.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "canvas.h"

enum { SIZE = CANVAS_SIZE };

/* Registers of struct record. */
enum { POINT_SIZE = 1, DISTANCE = 7 };

static void
draw_point(struct canvas *canvas, double x, double y, float size)
{
   const struct record v = canvas_vertex(x, y);
   canvas_clear(canvas);
   canvas->rasterizer.state.point_size = size;
   canvas_draw(canvas, &v, 1);
}

static void
expect_rectangle(const struct canvas *canvas, int min_x, int min_y, int max_x,
                 int max_y)
{
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const bool is_in =
            x >= min_x && x <= max_x && y >= min_y && y <= max_y;
         if (canvas_at(canvas, x, y) != is_in)
            fail_msg("pixel (%d, %d) is covered %u times", x, y,
                     canvas_at(canvas, x, y));
      }
   }
}

static void
near(double value, double expected, double within)
{
   if (!(fabs(value - expected) <= within))
      fail_msg("%.9g is not %.9g", value, expected);
}

/* ---- forms --------------------------------------------------------------- */

/* Odd sizes are around the centre of the point's pixel, even ones around the
 * nearest corner of pixels. */
static void
points_have_whole_pixels(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   draw_point(canvas, 10.3, 20.7, 1);
   expect_rectangle(canvas, 10, 20, 10, 20);
   draw_point(canvas, 10.3, 20.7, 2);
   expect_rectangle(canvas, 9, 20, 10, 21);
   draw_point(canvas, 10.3, 20.7, 2.6f);
   expect_rectangle(canvas, 9, 19, 11, 21);
   draw_point(canvas, 10.3, 20.7, 0.1f);
   expect_rectangle(canvas, 10, 20, 10, 20);
   draw_point(canvas, 10.3, 20.7, 8);
   expect_rectangle(canvas, 6, 17, 13, 24);
   draw_point(canvas, 64, 64, 1e30f);
   expect_rectangle(canvas, 0, 0, SIZE - 1, SIZE - 1);
   near(canvas->shapes[0].max_x - canvas->shapes[0].min_x, SIZE - 1, 0);
   canvas_destroy(canvas);
}

/* Those at the rim, too, and none by a polygon's pattern, in which there is
 * nothing. */
static void
small_points_are_whole(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   canvas->rasterizer.state.poly_stipple_enable = true;
   memset(canvas->state.polygon_stipple, 0,
          sizeof(canvas->state.polygon_stipple));
   draw_point(canvas, 10.3, 20.7, 3);
   expect_rectangle(canvas, 9, 19, 11, 21);
   draw_point(canvas, 0.3, 0.7, 3);
   expect_rectangle(canvas, 0, 0, 1, 1);
   draw_point(canvas, 63.3, 64.7, 3);
   expect_rectangle(canvas, 62, 63, 64, 65);
   draw_point(canvas, SIZE - 0.5, 40.5, 4);
   expect_rectangle(canvas, SIZE - 2, 39, SIZE - 1, 42);
   canvas_destroy(canvas);
}

/* 4 pixels from 8.25 to 12.25, whose centres 8.5 to 11.5 are in; with the edge
 * on centres the left and the upper ones. */
static void
squares_have_the_centres_inside(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   canvas->rasterizer.state.point_quad_rasterization = true;
   draw_point(canvas, 10.25, 20.75, 4);
   expect_rectangle(canvas, 8, 19, 11, 22);
   draw_point(canvas, 10.5, 20.5, 4);
   expect_rectangle(canvas, 8, 18, 11, 21);
   draw_point(canvas, 10.5, 20.5, 1);
   expect_rectangle(canvas, 10, 20, 10, 20);
   canvas->rasterizer.state.bottom_edge_rule = true;
   draw_point(canvas, 10.5, 20.5, 4);
   expect_rectangle(canvas, 8, 19, 11, 22);
   canvas_destroy(canvas);
}

/* Direct3D's places of four samples, in sixteenths from the centre. */
static const double place4[4][2] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}};

static void
samples_are_in_circles_and_squares(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(4);
   uint32_t seed = 77;
   for (int round = 0; round < 300; round++) {
      const bool is_square = round & 1;
      const double x = random_below(&seed, SIZE * 256) / 256.0;
      const double y = random_below(&seed, SIZE * 256) / 256.0;
      const double size = 1 + random_below(&seed, 60 * 16) / 16.0;
      canvas->rasterizer.state.point_quad_rasterization = is_square;
      draw_point(canvas, x, y, (float)size);
      for (int i = 0; i < SIZE * SIZE * 4; i++) {
         const int s = i % 4, column = i / 4 % SIZE, row = i / 4 / SIZE;
         const double dx = column + 0.5 + place4[s][0] / 16 - x;
         const double dy = row + 0.5 + place4[s][1] / 16 - y;
         const double distance =
            is_square ? fmax(fabs(dx), fabs(dy)) : sqrt(dx * dx + dy * dy);
         if (fabs(distance - size / 2) > 0.01)
            assert_int_equal(canvas->count[row][column][s],
                             distance < size / 2);
      }
   }
   canvas_destroy(canvas);
}

static void
smooth_points_have_distances(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   canvas->rasterizer.state.point_smooth = true;
   draw_point(canvas, 40.25, 50.75, 9);
   near(canvas_plane(canvas, 0, GPU_SHAPE_ACROSS, 43.25, 9), 3, 1e-5);
   near(canvas_plane(canvas, 0, GPU_SHAPE_ALONG, 9, 46.75), -4, 1e-5);
   near(canvas_float(canvas, 0, GPU_SHAPE_HALF_ACROSS), 4.5, 0);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const double distance = sqrt((x + 0.5 - 40.25) * (x + 0.5 - 40.25) +
                                      (y + 0.5 - 50.75) * (y + 0.5 - 50.75));
         if (fabs(distance - 5) > 0.01)
            assert_int_equal(canvas_at(canvas, x, y), distance < 5);
      }
   }
   canvas_destroy(canvas);
}

/* ---- sizes --------------------------------------------------------------- */

static void
sizes_come_from_vertices(void **test)
{
   (void)test;
   static const struct {
      float size;
      int pixels;
   } cases[] = {{3, 3}, {7.4f, 7}, {0, 1}, {-5, 1}, {NAN, 1}, {1e38f, SIZE}};
   struct canvas *canvas = canvas_create(1);
   canvas->rasterizer.state.point_size = 5;
   canvas->rasterizer.state.point_size_per_vertex = true;
   for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      struct record v = canvas_vertex(64.5, 64.5);
      v.point_size[0] = cases[i].size;
      canvas->layout.point_size = POINT_SIZE;
      canvas_clear(canvas);
      canvas_draw(canvas, &v, 1);
      assert_int_equal(canvas_num_covered(canvas),
                       cases[i].pixels * cases[i].pixels);
      /* Nobody writes one. */
      canvas->layout.point_size = GPU_NO_REGISTER;
      canvas_clear(canvas);
      canvas_draw(canvas, &v, 1);
      assert_int_equal(canvas_num_covered(canvas), 25);
   }
   canvas_destroy(canvas);
}

/* ---- attributes ---------------------------------------------------------- */

/* A point of 8 pixels around (40, 60), at w = 2: perspective attributes are
 * over w. */
static void
sprites_have_coordinates(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   canvas->rasterizer.state.point_quad_rasterization = true;
   canvas->rasterizer.state.point_size = 8;
   canvas->interface.is_sprite[0] = true;
   for (int i = 0; i < 4; i++) {
      struct record v = canvas_vertex(40, 60);
      for (int c = 0; c < 4; c++)
         v.position[c] *= 2;
      v.attribute[0][0] = v.attribute[1][1] = 5;
      const bool is_lower = i & 1, is_linear = i & 2;
      const double over = is_linear ? 1 : 0.5;
      canvas->rasterizer.state.sprite_coord_mode =
         is_lower ? TG_SPRITE_LOWER_LEFT : TG_SPRITE_UPPER_LEFT;
      canvas->interface.interpolation[0] =
         is_linear ? GPU_INTERPOLATE_LINEAR : GPU_INTERPOLATE_PERSPECTIVE;
      canvas_clear(canvas);
      canvas_draw(canvas, &v, 1);
      near(canvas_plane(canvas, 0, GPU_SHAPE_W, 40, 60), 0.5, 0);
      near(canvas_plane(canvas, 0, canvas_attribute(0, 0), 36, 60), 0, 1e-6);
      near(canvas_plane(canvas, 0, canvas_attribute(0, 0), 44, 60), over, 1e-6);
      near(canvas_plane(canvas, 0, canvas_attribute(0, 1), 40, 56),
           is_lower ? over : 0, 1e-6);
      near(canvas_plane(canvas, 0, canvas_attribute(0, 1), 40, 64),
           is_lower ? 0 : over, 1e-6);
      near(canvas_plane(canvas, 0, canvas_attribute(0, 2), 3, 4), 0, 0);
      near(canvas_plane(canvas, 0, canvas_attribute(0, 3), 3, 4), over, 0);
      assert_true(canvas_float(canvas, 0, canvas_attribute(1, 1)) == 5);
   }
   canvas_destroy(canvas);
}

static void
attributes_are_the_vertices(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct record v = canvas_vertex(40, 60);
   v.position[2] = 0.5f;
   v.attribute[0][2] = 0.7f;
   canvas->rasterizer.state.point_size = 30;
   canvas_draw(canvas, &v, 1);
   near(canvas_plane(canvas, 0, canvas_attribute(0, 2), 27, 70), 0.7, 1e-7);
   near(canvas_plane(canvas, 0, GPU_SHAPE_Z, 27, 70), 0.75, 0);
   assert_true(canvas_float(canvas, 0, GPU_SHAPE_FACE) == 1);
   assert_int_equal(canvas->shapes[0].kind, GPU_SHAPE_POINT);
   canvas_destroy(canvas);
}

/* ---- what is seen -------------------------------------------------------- */

/* The viewport is from 32 to 64 each way. */
static void
points_are_clipped_by_their_middle(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct tg_rasterizer_state *rasterizer = &canvas->rasterizer.state;
   canvas->state.viewports[0] = (struct tg_viewport){
      .scale = {16, 16, 0.5f}, .translate = {48, 48, 0.5f}};
   rasterizer->point_quad_rasterization = true;
   rasterizer->point_size = 8;
   /* At x = 63: all of it is seen, beyond the viewport, too. */
   struct record v = {.position = {0.9375f, 0, 0, 1}};
   canvas_draw(canvas, &v, 1);
   expect_rectangle(canvas, 59, 44, 66, 51);
   assert_int_equal(canvas->setup.num_visible, 1);
   /* At x = 65: nothing, or what is in the viewport. */
   v.position[0] = 1.0625f;
   canvas_clear(canvas);
   canvas_draw(canvas, &v, 1);
   expect_rectangle(canvas, 1, 1, 0, 0);
   assert_int_equal(canvas->setup.num_visible, 0);
   canvas_clear(canvas);
   rasterizer->point_tri_clip = true;
   canvas_draw(canvas, &v, 1);
   expect_rectangle(canvas, 61, 44, 63, 51);
   /* At x = 67.4, from 63.4 on: the last centre, 63.5, is in. Not at 67.6. */
   v.position[0] = 1.2125f;
   canvas_clear(canvas);
   canvas_draw(canvas, &v, 1);
   expect_rectangle(canvas, 63, 44, 63, 51);
   v.position[0] = 1.225f;
   canvas_clear(canvas);
   canvas_draw(canvas, &v, 1);
   expect_rectangle(canvas, 1, 1, 0, 0);
   rasterizer->point_tri_clip = false;

   /* In front of the near plane, behind the eye, nowhere. */
   static const float gone[3][4] = {
      {0, 0, -1.5f, 1}, {0, 0, 0, -1}, {NAN, 0, 0, 1}};
   for (int i = 0; i < 3; i++) {
      canvas_clear(canvas);
      memcpy(v.position, gone[i], sizeof(v.position));
      canvas_draw(canvas, &v, 1);
      assert_int_equal(canvas->num_shapes, 0);
   }

   /* A distance below 0. */
   v = (struct record){.position = {0, 0, 0, 1}};
   canvas->layout.clip_distance[0] = DISTANCE;
   canvas->layout.num_clip_distances = 1;
   rasterizer->clip_plane_enable = 1;
   for (int i = -1; i <= 1; i++) {
      v.distance[0] = (float)i;
      canvas_clear(canvas);
      canvas_draw(canvas, &v, 1);
      assert_int_equal(canvas->num_shapes, i >= 0);
   }
   canvas_destroy(canvas);
}

/* A point of 8 pixels reaches 4 into the view, and what moves and smooths it
 * two more: 6 are 0.09375 of half the canvas. Of 16 it would be 0.15625. */
static void
far_points_of_a_list_are_beside_the_view(void **test)
{
   static const struct {
      float position[4];
      bool is_far, is_far_if_large;
   } points[] = {
      {{0, 0, 0, 1}, false, false},      {{1.09f, 0, 0, 1}, false, false},
      {{1.1f, 0, 0, 1}, true, false},    {{-1.09f, 0, 0, 1}, false, false},
      {{-1.1f, 0, 0, 1}, true, false},   {{0, 1.09f, 0, 1}, false, false},
      {{0, 1.1f, 0, 1}, true, false},    {{0, -1.09f, 0, 1}, false, false},
      {{0, -1.1f, 0, 1}, true, false},   {{2.18f, 0, 0, 2}, false, false},
      {{2.2f, 2.2f, 0, 2}, true, false}, {{-1.16f, 0, 0, 1}, true, true},
      {{3, 0, 0, -1}, false, false},     {{NAN, 0, 0, 1}, false, false},
      {{NAN, 1.16f, 0, 1}, true, true},
   };
   enum { NUM_KINDS = sizeof(points) / sizeof(points[0]), NUM_POINTS = 53 };
   struct canvas *canvas = canvas_create(1);
   struct record list[NUM_POINTS] = {0};
   uint8_t bits[NUM_POINTS];
   struct gpu_window_vertex window[NUM_POINTS];
   const struct gpu_setup_records records = {
      .words = (const uint32_t *)list,
      .words_per_record = sizeof(*list) / sizeof(uint32_t),
      .count = NUM_POINTS,
      .bits = bits,
      .window = window,
   };
   (void)test;
   canvas->rasterizer.state.point_size = 8;
   canvas->rasterizer.state.point_tri_clip = true;
   for (int has_sizes = 0; has_sizes <= 1; has_sizes++) {
      canvas->layout.point_size = has_sizes ? POINT_SIZE : GPU_NO_REGISTER;
      canvas->rasterizer.state.point_size_per_vertex = has_sizes;
      for (unsigned i = 0; i < NUM_POINTS; i++) {
         memcpy(list[i].position, points[i % NUM_KINDS].position,
                sizeof(list[i].position));
         list[i].point_size[0] = i & 1 ? 16 : 8;
      }
      canvas_clear(canvas);
      canvas_set_up(canvas, list, 1);
      gpu_setup_use_records(&canvas->setup, &records, 1);
      for (uint32_t i = 0; i < NUM_POINTS; i++) {
         const bool is_large = has_sizes && i & 1;
         const bool is_far = is_large ? points[i % NUM_KINDS].is_far_if_large
                                      : points[i % NUM_KINDS].is_far;
         if (gpu_setup_is_beside(&canvas->setup, &i, 1) != is_far)
            fail_msg("point %u is%s beside the view", i, is_far ? " not" : "");
      }
   }
   canvas_destroy(canvas);
}

static void
memory_may_be_short(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   const struct record v = canvas_vertex(10.5, 10.5);
   const struct gpu_setup_primitive primitive = canvas_primitive(&v, 1);
   canvas->shapes_left = 0;
   assert_false(canvas_draw_primitive(canvas, &primitive));
   canvas_destroy(canvas);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_have_whole_pixels),
      cmocka_unit_test(small_points_are_whole),
      cmocka_unit_test(squares_have_the_centres_inside),
      cmocka_unit_test(samples_are_in_circles_and_squares),
      cmocka_unit_test(smooth_points_have_distances),
      cmocka_unit_test(sizes_come_from_vertices),
      cmocka_unit_test(sprites_have_coordinates),
      cmocka_unit_test(attributes_are_the_vertices),
      cmocka_unit_test(points_are_clipped_by_their_middle),
      cmocka_unit_test(far_points_of_a_list_are_beside_the_view),
      cmocka_unit_test(memory_may_be_short),
   };
   return cmocka_run_group_tests_name("gpu: points", tests, NULL, NULL);
}
