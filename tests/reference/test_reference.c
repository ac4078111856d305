/* SPDX-License-Identifier: MIT
 *
 * The reference rasteriser against what was worked out by hand, and its lines
 * against the diamond rule as the specification words it.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh.h"
#include "random.h"
#include "reference.h"

/* ---- help ---------------------------------------------------------------- */

enum { SIZE = 16 };

/* Clip space is pixels, for w = 1. */
static struct ref_setup
make_setup(void)
{
   return (struct ref_setup){
      .rasterizer = TG_RASTERIZER_INIT,
      .viewport = {.scale = {1024, 1024, 1}},
      .width = SIZE,
      .height = SIZE,
      .num_samples = 1,
   };
}

static struct ref_vertex
at(double x, double y)
{
   return (struct ref_vertex){
      .position = {x / 1024, y / 1024, 0, 1},
      .point_size = 1,
      .is_edge = true,
   };
}

/* The picture has a string a row, '#' where it is drawn. */
static void
expect_picture(const struct ref_setup *setup, enum ref_kind kind,
               const struct ref_vertex *vertices, const char *const rows[],
               int num_rows)
{
   struct ref_shape shapes[REF_MAX_SHAPES];
   bool is_open = false;
   const int count = ref_make_shapes(setup, kind, vertices, shapes, &is_open);
   assert_false(is_open);
   for (int y = 0; y < num_rows; y++) {
      for (int x = 0; rows[y][x]; x++) {
         bool is_drawn = false;
         for (int i = 0; i < count; i++)
            is_drawn |= ref_covers(&shapes[i], x, y, 0) == REF_IN;
         if (is_drawn != (rows[y][x] == '#'))
            fail_msg("(%d, %d) is %s", x, y, is_drawn ? "drawn" : "not drawn");
      }
   }
}

#define EXPECT_PICTURE(setup, kind, vertices, ...)                             \
   do {                                                                        \
      const char *const rows[] = {__VA_ARGS__};                                \
      expect_picture(setup, kind, vertices, rows,                              \
                     sizeof(rows) / sizeof(rows[0]));                          \
   } while (0)

/* ---- triangles ----------------------------------------------------------- */

/* The lower left half of a square whose corners are pixel centres: the left
 * column is in, the bottom row and, to the right, the diagonal are not. */
static void
triangles(void **test)
{
   struct ref_setup setup = make_setup();
   const struct ref_vertex v[3] = {at(1.5, 0.5), at(1.5, 4.5), at(5.5, 4.5)};
   const struct ref_vertex w[3] = {at(1.5, 0.5), at(5.5, 0.5), at(5.5, 4.5)};
   (void)test;
   EXPECT_PICTURE(&setup, REF_TRIANGLE, v, "......", ".#....", ".##...",
                  ".###..", "......");
   EXPECT_PICTURE(&setup, REF_TRIANGLE, w, ".####.", "..###.", "...##.",
                  "....#.", "......");
   setup.rasterizer.bottom_edge_rule = true;
   EXPECT_PICTURE(&setup, REF_TRIANGLE, v, "......", ".#....", ".##...",
                  ".###..", ".####.", "......");
   /* Centres at whole numbers. */
   setup = make_setup();
   setup.rasterizer.half_pixel_center = false;
   EXPECT_PICTURE(&setup, REF_TRIANGLE, v, "......", "......", "..#...",
                  "..##..", "..###.", "......");
}

static void
faces(void **test)
{
   struct ref_setup setup = make_setup();
   /* Clockwise in memory. */
   const struct ref_vertex v[3] = {at(0, 0), at(4, 0), at(0, 4)};
   struct ref_shape shapes[REF_MAX_SHAPES];
   bool is_open = false;
   (void)test;
   assert_int_equal(ref_make_shapes(&setup, REF_TRIANGLE, v, shapes, &is_open),
                    1);
   assert_false(shapes[0].is_front);
   setup.rasterizer.cull_face = TG_FACE_BACK;
   assert_int_equal(ref_make_shapes(&setup, REF_TRIANGLE, v, shapes, &is_open),
                    0);
   setup.rasterizer.front_ccw = false;
   assert_int_equal(ref_make_shapes(&setup, REF_TRIANGLE, v, shapes, &is_open),
                    1);
   assert_true(shapes[0].is_front);
   assert_false(is_open);
}

/* Half of a triangle is behind the eye. On the screen what is left reaches from
 * x = 4 to the right without end. */
static void
cuts(void **test)
{
   struct ref_setup setup = make_setup();
   struct ref_vertex v[3] = {at(4.25, 4), at(4.25, 12), at(-1, 8)};
   struct ref_shape shapes[REF_MAX_SHAPES];
   bool is_open = false;
   (void)test;
   v[2].position[0] = 4.0 / 1024; /* w = -1: seen at -4, from behind */
   v[2].position[1] = -8.0 / 1024;
   v[2].position[3] = -1;
   assert_int_equal(ref_make_shapes(&setup, REF_TRIANGLE, v, shapes, &is_open),
                    1);
   assert_true(shapes[0].is_cut);
   assert_int_equal(ref_covers(&shapes[0], 3, 8, 0), REF_OUT);
   assert_int_equal(ref_covers(&shapes[0], 4, 8, 0), REF_IN);
   assert_int_equal(ref_covers(&shapes[0], 15, 8, 0), REF_IN);
   assert_int_equal(ref_covers(&shapes[0], 15, 15, 0), REF_IN);
   assert_int_equal(ref_covers(&shapes[0], 5, 15, 0), REF_OUT);
   /* A plane of the user's: 0 at (4.25, 8) and at infinity: below is in. */
   setup.rasterizer.clip_plane_enable = 1;
   v[0].clip_distance[0] = -1;
   v[1].clip_distance[0] = 1;
   v[2].clip_distance[0] = 0;
   assert_int_equal(ref_make_shapes(&setup, REF_TRIANGLE, v, shapes, &is_open),
                    1);
   assert_int_equal(ref_covers(&shapes[0], 10, 6, 0), REF_OUT);
   assert_int_equal(ref_covers(&shapes[0], 10, 9, 0), REF_IN);
}

/* Meshes that the tests of the GPU draw: the triangles of one have together
 * what its outline has, each place once. */
static void
meshes(void **test)
{
   struct ref_setup setup = make_setup();
   uint64_t seed = 3;
   (void)test;
   for (int n = 0; n < 3000; n++) {
      struct mesh mesh;
      int count[SIZE][SIZE] = {{0}};
      mesh_make(&mesh, MESH_ANY, SIZE, &seed);
      setup.num_samples = n % 2 ? 4 : 1;
      for (int i = 0; i < mesh.num_triangles; i++) {
         struct ref_vertex v[3];
         struct ref_shape shape[REF_MAX_SHAPES];
         bool is_open = false;
         for (int k = 0; k < 3; k++)
            v[k] = at(mesh.point[mesh.triangle[i][k]].x / 256.0,
                      mesh.point[mesh.triangle[i][k]].y / 256.0);
         ref_make_shapes(&setup, REF_TRIANGLE, v, shape, &is_open);
         for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++)
               count[y][x] += ref_covers(shape, x, y, n % 4) == REF_IN;
         }
      }
      const struct ref_place place =
         ref_sample_place(setup.num_samples, setup.num_samples > 1 ? n % 4 : 0);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++)
            assert_int_equal(count[y][x],
                             mesh_contains(&mesh, x * 256 + (int32_t)place.x,
                                           y * 256 + (int32_t)place.y));
      }
   }
}

/* ---- points -------------------------------------------------------------- */

static void
points(void **test)
{
   struct ref_setup setup = make_setup();
   struct ref_vertex v = at(2.25, 1.75);
   (void)test;
   EXPECT_PICTURE(&setup, REF_POINT, &v, "....", "..#.", "....");
   setup.rasterizer.point_size = 2; /* about the corner (2, 2) */
   EXPECT_PICTURE(&setup, REF_POINT, &v, "....", ".##.", ".##.", "....");
   setup.rasterizer.point_size = 3; /* about the centre (2.5, 1.5) */
   EXPECT_PICTURE(&setup, REF_POINT, &v, ".###.", ".###.", ".###.", ".....");
   setup.rasterizer.point_quad_rasterization = true;
   setup.rasterizer.point_size = 2; /* from (1.25, 0.75) to (3.25, 2.75) */
   EXPECT_PICTURE(&setup, REF_POINT, &v, "....", ".##.", ".##.", "....");
   v = at(2.5, 2.5); /* the corners are pixel centres */
   EXPECT_PICTURE(&setup, REF_POINT, &v, "....", ".##.", ".##.", "....");
   setup.rasterizer.bottom_edge_rule = true;
   EXPECT_PICTURE(&setup, REF_POINT, &v, "....", "....", ".##.", ".##.");
}

/* ---- lines --------------------------------------------------------------- */

static void
lines(void **test)
{
   struct ref_setup setup = make_setup();
   const struct ref_vertex flat[2] = {at(1.5, 1.5), at(4.5, 1.5)};
   const struct ref_vertex back[2] = {at(4.5, 1.5), at(1.5, 1.5)};
   const struct ref_vertex border[2] = {at(1, 1.5), at(4, 1.5)};
   const struct ref_vertex steep[2] = {at(1.5, 0.5), at(2.5, 3.75)};
   (void)test;
   EXPECT_PICTURE(&setup, REF_LINE, flat, "......", ".###..", "......");
   EXPECT_PICTURE(&setup, REF_LINE, back, "......", "..###.", "......");
   /* x where y is 0.5, 1.5, 2.5, 3.5: 1.5, 1.81, 2.12, 2.42; (2.5, 3.75) is in
    * the last diamond. */
   EXPECT_PICTURE(&setup, REF_LINE, steep, ".#..", ".#..", "..#.", "....");
   EXPECT_PICTURE(&setup, REF_LINE, border, "......", ".###..", "......");
   setup.rasterizer.line_last_pixel = true;
   EXPECT_PICTURE(&setup, REF_LINE, steep, ".#..", ".#..", "..#.", "..#.");
   setup.rasterizer.line_last_pixel = false;
   setup.rasterizer.line_width = 3;
   EXPECT_PICTURE(&setup, REF_LINE, flat, ".###..", ".###..", ".###..",
                  "......");
   setup.rasterizer.line_width = 1;
   setup.rasterizer.line_stipple_enable = true;
   setup.rasterizer.line_stipple_pattern = 5;
   EXPECT_PICTURE(&setup, REF_LINE, flat, "......", ".#.#..", "......");
   EXPECT_PICTURE(&setup, REF_LINE, back, "......", "..#.#.", "......");
}

/* The rule as it is worded, with hairs that are numbers: how near the segment
 * comes to the centre, by the sum of both ways. */
static bool
goes_through(const long double a[2], const long double b[2], bool *ends_out)
{
   const long double dx = b[0] - a[0], dy = b[1] - a[1];
   const long double candidate[4] = {0, 1, dx != 0 ? -a[0] / dx : 0,
                                     dy != 0 ? -a[1] / dy : 0};
   bool goes = false;
   for (int i = 0; i < 4; i++) {
      const long double t = candidate[i];
      if (t >= 0 && t <= 1)
         goes |= fabsl(a[0] + t * dx) + fabsl(a[1] + t * dy) < 0.5L;
   }
   *ends_out = fabsl(b[0]) + fabsl(b[1]) < 0.5L;
   return goes;
}

/* Does an end lie on a side of the diamond? */
static bool
ends_on_side(const struct ref_shape *shape, int x, int y)
{
   bool is_on_side = false;
   for (int i = 0; i < 2; i++) {
      const struct ref_place p = shape->place[i];
      is_on_side |=
         llabs(p.x - x * 256 - 128) + llabs(p.y - y * 256 - 128) == 128;
   }
   return is_on_side;
}

static bool
is_fragment(const struct ref_shape *shape, int x, int y)
{
   const long double hair = 0x1p-24L;
   long double p[2][2];
   bool ends;
   for (int i = 0; i < 2; i++) {
      const struct ref_place place = shape->place[i];
      p[i][0] = place.x / 256.0L - x - 0.5L - hair;
      p[i][1] = place.y / 256.0L - y - 0.5L - hair * hair;
   }
   return goes_through(p[0], p[1], &ends) && !ends;
}

static void
lines_follow_the_diamond_rule(void **test)
{
   const struct ref_setup setup = make_setup();
   uint64_t seed = 11;
   (void)test;
   for (int n = 0; n < 20000; n++) {
      /* Few bits, so that much lies on diamonds. */
      const int steps = 1 << random_below(&seed, 9);
      const struct ref_vertex v[2] = {
         at((double)random_below(&seed, (uint32_t)(SIZE * steps)) / steps,
            (double)random_below(&seed, (uint32_t)(SIZE * steps)) / steps),
         at((double)random_below(&seed, (uint32_t)(SIZE * steps)) / steps,
            (double)random_below(&seed, (uint32_t)(SIZE * steps)) / steps)};
      struct ref_shape shape[REF_MAX_SHAPES];
      bool is_open = false;
      assert_int_equal(ref_make_shapes(&setup, REF_LINE, v, shape, &is_open),
                       1);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const bool is_drawn = ref_covers(shape, x, y, 0) == REF_IN;
            if (!ends_on_side(shape, x, y) &&
                is_drawn != is_fragment(shape, x, y))
               fail_msg("line %d (%g, %g) to (%g, %g) at (%d, %d): %d", n,
                        v[0].position[0] * 1024, v[0].position[1] * 1024,
                        v[1].position[0] * 1024, v[1].position[1] * 1024, x, y,
                        is_drawn);
         }
      }
   }
}

/* ---- values -------------------------------------------------------------- */

static void
expect(double value, double expected)
{
   if (!(fabs(value - expected) <= 1e-12))
      fail_msg("%.15g instead of %.15g", value, expected);
}

/* From w = 1 at x = 0 to w = 3 at x = 8, and 4 times farther down. */
static void
values(void **test)
{
   struct ref_setup setup = make_setup();
   struct ref_vertex v[3] = {at(0, 0), at(8, 0), at(0, 8)};
   struct ref_shape shape[REF_MAX_SHAPES];
   const struct ref_place middle = {4 * 256, 0};
   bool is_open = false;
   double value[4];
   (void)test;
   for (int i = 0; i < 4; i++)
      v[1].position[i] *= 3;
   v[1].position[2] = 1.5; /* z / w is 0.5 */
   v[1].attribute[0][0] = 3;
   v[2].attribute[0][0] = 7;
   assert_int_equal(ref_make_shapes(&setup, REF_TRIANGLE, v, shape, &is_open),
                    1);
   ref_interpolate(shape, middle, 0, REF_LINEAR, value);
   expect(value[0], 1.5);
   /* (0 / 1 + 3 / 3) / (1 / 1 + 1 / 3) */
   ref_interpolate(shape, middle, 0, REF_PERSPECTIVE, value);
   expect(value[0], 0.75);
   ref_interpolate(shape, middle, 0, REF_CONSTANT, value);
   expect(value[0], 7);
   expect(ref_reciprocal_w(shape, middle), 2.0 / 3);
   expect(ref_depth(shape, middle), 0.25);
   /* As a cut one it looks the same. */
   shape->is_cut = true;
   ref_interpolate(shape, middle, 0, REF_LINEAR, value);
   expect(value[0], 1.5);
   ref_interpolate(shape, middle, 0, REF_PERSPECTIVE, value);
   expect(value[0], 0.75);
   /* The slope is 1/16 a pixel, the unit 2^-25 below 1/2. */
   setup.rasterizer.offset_tri = true;
   setup.rasterizer.offset_scale = 2;
   setup.rasterizer.offset_units = 8;
   assert_int_equal(ref_make_shapes(&setup, REF_TRIANGLE, v, shape, &is_open),
                    1);
   expect(shape->offset, 0.125 + 8 * 0x1p-24);
   expect(ref_depth(shape, middle), 0.375 + 8 * 0x1p-24);
   assert_false(is_open);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(triangles),
      cmocka_unit_test(faces),
      cmocka_unit_test(cuts),
      cmocka_unit_test(meshes),
      cmocka_unit_test(points),
      cmocka_unit_test(lines),
      cmocka_unit_test(lines_follow_the_diamond_rule),
      cmocka_unit_test(values),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
