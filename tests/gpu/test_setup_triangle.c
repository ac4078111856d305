/* SPDX-License-Identifier: MIT
 *
 * Triangles: faces, what polygons are drawn as, everything that cuts pieces off
 * them, and their planes.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "canvas.h"

enum { SIZE = CANVAS_SIZE };

/* Registers of struct record. */
enum {
   POINT_SIZE = 1,
   EDGE_FLAG,
   LAYER,
   VIEWPORT,
   PRIMITIVE_ID,
   CLIP_VERTEX,
   DISTANCE,
};

/* Clockwise as one sees it, from the upper left corner to 256 pixels right and
 * down: the whole canvas. */
static void
make_large(struct record vertices[3])
{
   vertices[0] = canvas_vertex(0, 0);
   vertices[1] = canvas_vertex(256, 0);
   vertices[2] = canvas_vertex(0, 256);
}

/* Is exactly the rectangle covered, once? */
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
expect_nothing(const struct canvas *canvas)
{
   assert_int_equal(canvas->num_shapes, 0);
}

static void
draw_large(struct canvas *canvas)
{
   struct record v[3];
   make_large(v);
   canvas_clear(canvas);
   canvas_draw(canvas, v, 3);
}

static void
near(double value, double expected, double within)
{
   if (!(fabs(value - expected) <= within))
      fail_msg("%.9g is not %.9g", value, expected);
}

/* ---- faces --------------------------------------------------------------- */

static void
faces_are_told_and_culled(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct tg_rasterizer_state *rasterizer = &canvas->rasterizer.state;
   for (int i = 0; i < 16; i++) {
      struct record v[3];
      make_large(v);
      const bool is_ccw = i & 1;
      if (is_ccw) {
         const struct record second = v[1];
         v[1] = v[2];
         v[2] = second;
      }
      rasterizer->front_ccw = i & 2;
      rasterizer->cull_face = (uint8_t)(i / 4);
      const bool is_front = is_ccw == rasterizer->front_ccw;
      const bool is_culled = i / 4 & (is_front ? TG_FACE_FRONT : TG_FACE_BACK);
      canvas_clear(canvas);
      canvas_draw(canvas, v, 3);
      assert_int_equal(canvas->num_shapes, !is_culled);
      if (!is_culled)
         assert_true(canvas_float(canvas, 0, GPU_SHAPE_FACE) ==
                     (is_front ? 1 : -1));
   }
   canvas_destroy(canvas);
}

/* Attribute 0 is a colour, attribute 1 the one behind it. */
static void
backs_have_colours_of_their_own(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct record v[3];
   make_large(v);
   for (int i = 0; i < 3; i++) {
      v[i].attribute[0][0] = 0.25f;
      v[i].attribute[1][0] = 0.75f;
   }
   canvas->interface.back_output[0] = CANVAS_ATTRIBUTE + 1;
   for (int i = 0; i < 2; i++) {
      canvas_clear(canvas);
      canvas->rasterizer.state.front_ccw = i;
      canvas_draw(canvas, v, 3);
      near(canvas_plane(canvas, 0, canvas_attribute(0, 0), 30, 40),
           i ? 0.75 : 0.25, 1e-6);
   }
   canvas_destroy(canvas);
}

static void
constants_are_those_of_the_provoking_vertex(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct record v[3];
   make_large(v);
   for (unsigned i = 0; i < 3; i++) {
      const uint32_t bits = 0x7fc00001 + i; /* a NaN, or an integer */
      memcpy(&v[i].attribute[1][2], &bits, sizeof(bits));
      v[i].primitive_id[0] = 70 + i;
   }
   canvas->layout.primitive_id = PRIMITIVE_ID;
   for (unsigned i = 0; i < 3; i++) {
      struct gpu_setup_primitive primitive = canvas_primitive(v, 3);
      primitive.provoking = (uint8_t)i;
      canvas_clear(canvas);
      assert_true(canvas_draw_primitive(canvas, &primitive));
      assert_int_equal(canvas->words[canvas_attribute(1, 2)], 0x7fc00001 + i);
      assert_int_equal(canvas->words[GPU_SHAPE_ID], 70 + i);
   }
   canvas_destroy(canvas);
}

/* ---- lines and points of polygons ---------------------------------------- */

static unsigned
count_outline(struct canvas *canvas, struct record v[3], uint8_t edges)
{
   struct gpu_setup_primitive primitive = canvas_primitive(v, 3);
   primitive.edges = edges;
   canvas_clear(canvas);
   assert_true(canvas_draw_primitive(canvas, &primitive));
   return canvas->num_shapes;
}

/* (10.5, 10.5) to (30.5, 10.5) to (10.5, 30.5): the first edge is row 10, whose
 * last pixel is the second edge's first, and so on; the last goes upwards. */
static void
polygons_are_drawn_as_lines_and_points(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct tg_rasterizer_state *rasterizer = &canvas->rasterizer.state;
   struct record v[3] = {canvas_vertex(10.5, 10.5), canvas_vertex(30.5, 10.5),
                         canvas_vertex(10.5, 30.5)};
   canvas->layout.edge_flag = EDGE_FLAG;
   for (int i = 0; i < 3; i++)
      v[i].edge_flag[0] = 1;
   rasterizer->fill_back = TG_POLYGON_LINE;
   assert_int_equal(count_outline(canvas, v, 7), 3);
   assert_int_equal(canvas->setup.num_visible, 1);
   assert_int_equal(canvas->setup.num_lines, 3);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const bool is_top = y == 10 && x >= 10 && x <= 30;
         const bool is_left = x == 10 && y >= 10 && y <= 30;
         const bool is_slope = x >= 10 && y >= 10 && x + y == 40;
         assert_int_equal(canvas_at(canvas, x, y),
                          is_top || is_left || is_slope);
      }
   }
   for (uint32_t i = 0; i < 3; i++) {
      assert_int_equal(canvas->shapes[i].kind, GPU_SHAPE_LINE);
      assert_true(canvas_float(canvas, i, GPU_SHAPE_FACE) == -1);
   }

   assert_int_equal(count_outline(canvas, v, 5), 2);
   v[2].edge_flag[0] = 0;
   assert_int_equal(count_outline(canvas, v, 5), 1);
   assert_int_equal(canvas_num_covered(canvas), 20);
   rasterizer->fill_back = TG_POLYGON_POINT;
   assert_int_equal(count_outline(canvas, v, 7), 2);
   assert_int_equal(canvas->shapes[0].kind, GPU_SHAPE_POINT);
   assert_int_equal(canvas_num_covered(canvas), 2);
   assert_int_equal(canvas_at(canvas, 10, 10), 1);
   assert_int_equal(canvas_at(canvas, 30, 10), 1);
   rasterizer->cull_face = TG_FACE_BACK;
   assert_int_equal(count_outline(canvas, v, 7), 0);
   canvas_destroy(canvas);
}

/* Two sides of 20 steps each, in a pattern that is on for 30 and off for 30:
 * each polygon begins it anew, and its sides go on with it. */
static void
patterns_go_around_polygons(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct tg_rasterizer_state *rasterizer = &canvas->rasterizer.state;
   struct record v[3] = {canvas_vertex(10.5, 10.5), canvas_vertex(30.5, 10.5),
                         canvas_vertex(10.5, 30.5)};
   rasterizer->fill_back = TG_POLYGON_LINE;
   rasterizer->line_stipple_enable = true;
   rasterizer->line_stipple_factor = 29;
   rasterizer->line_stipple_pattern = 0x5555;
   for (int round = 0; round < 2; round++) {
      memset(canvas->count, 0, sizeof(canvas->count));
      struct gpu_setup_primitive primitive = canvas_primitive(v, 3);
      primitive.restarts_stipple = false;
      primitive.edges = 3;
      assert_true(canvas_draw_primitive(canvas, &primitive));
      assert_int_equal(canvas_num_covered(canvas), 30);
      assert_int_equal(canvas_at(canvas, 10, 10), 1);
      assert_int_equal(canvas_at(canvas, 21, 19), 1);
      assert_int_equal(canvas_at(canvas, 20, 20), 0);
   }
   canvas_destroy(canvas);
}

/* The attribute is 1, 3 and 7 at the vertices, so on each side that at its
 * ends. */
static void
outlines_have_attributes(void **test)
{
   static const double place[3][2] = {{10.5, 10.5}, {30.5, 10.5}, {10.5, 30.5}};
   static const float value[3] = {1, 3, 7};
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct record v[3];
   for (unsigned i = 0; i < 3; i++) {
      v[i] = canvas_vertex(place[i][0], place[i][1]);
      v[i].attribute[0][0] = value[i];
   }
   canvas->rasterizer.state.fill_back = TG_POLYGON_LINE;
   canvas_draw(canvas, v, 3);
   assert_int_equal(canvas->num_shapes, 3);
   for (unsigned i = 0; i < 3; i++) {
      for (unsigned k = 0; k < 2; k++) {
         const unsigned end = (i + k) % 3;
         near(canvas_plane(canvas, i, canvas_attribute(0, 0), place[end][0],
                           place[end][1]),
              value[end], 1e-5);
      }
   }
   canvas_destroy(canvas);
}

/* A side a thousandth of a pixel beyond the view would be rounded onto its rim,
 * and points of two pixels there reach into it. */
static void
parts_beside_the_view_are_left_out(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   const double beyond = SIZE + 0.001;
   const struct record v[3] = {canvas_vertex(beyond, 10.5),
                               canvas_vertex(beyond, 30.5),
                               canvas_vertex(100.5, 20.5)};
   struct tg_rasterizer_state *rasterizer = &canvas->rasterizer.state;
   rasterizer->fill_front = rasterizer->fill_back = TG_POLYGON_LINE;
   canvas_draw(canvas, v, 3);
   assert_int_equal(canvas->num_shapes, 2);
   assert_int_equal(canvas_at(canvas, SIZE - 1, 20), 0);
   assert_int_equal(canvas_at(canvas, 110, 16), 1);

   canvas_clear(canvas);
   rasterizer->fill_front = rasterizer->fill_back = TG_POLYGON_POINT;
   rasterizer->point_size = 2;
   canvas_draw(canvas, v, 3);
   assert_int_equal(canvas->num_shapes, 1);
   assert_int_equal(canvas_at(canvas, SIZE - 1, 10), 0);
   assert_int_equal(canvas_at(canvas, 100, 20), 1);
   canvas_destroy(canvas);
}

/* Of the third vertex, which is nearer than the near plane, nothing is drawn,
 * and of the sides to it as much as is farther: z is -3 there and 0 elsewhere,
 * so they end after a third of 18 pixels, each way. */
static void
parts_are_clipped(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct record v[3] = {canvas_vertex(10.5, 10.5), canvas_vertex(28.5, 10.5),
                         canvas_vertex(10.5, 28.5)};
   struct tg_rasterizer_state *rasterizer = &canvas->rasterizer.state;
   v[2].position[2] = -3;
   rasterizer->depth_clip_near = true;
   rasterizer->fill_front = rasterizer->fill_back = TG_POLYGON_POINT;
   canvas_draw(canvas, v, 3);
   assert_int_equal(canvas->num_shapes, 2);
   assert_int_equal(canvas_at(canvas, 10, 10), 1);
   assert_int_equal(canvas_at(canvas, 28, 10), 1);
   assert_int_equal(canvas_at(canvas, 10, 28), 0);

   canvas_clear(canvas);
   rasterizer->fill_front = rasterizer->fill_back = TG_POLYGON_LINE;
   canvas_draw(canvas, v, 3);
   assert_int_equal(canvas->num_shapes, 3);
   assert_int_equal(canvas_at(canvas, 10, 15), 1);
   assert_int_equal(canvas_at(canvas, 10, 18), 0);
   assert_int_equal(canvas_at(canvas, 23, 15), 1);
   assert_int_equal(canvas_at(canvas, 20, 18), 0);

   /* The side between two such vertices is gone. */
   canvas_clear(canvas);
   v[1].position[2] = -3;
   canvas_draw(canvas, v, 3);
   assert_int_equal(canvas->num_shapes, 2);
   assert_int_equal(canvas_at(canvas, 10, 15), 1);
   assert_int_equal(canvas_at(canvas, 15, 10), 1);
   assert_int_equal(canvas_at(canvas, 19, 19), 0);
   canvas_destroy(canvas);
}

/* ---- polygon offset ------------------------------------------------------ */

/* z goes from 0 to 1 over 64 pixels: its slope is 1 / 64. What it is at (0, 0)
 * is the offset. */
static double
offset_with(struct canvas *canvas)
{
   struct record v[3] = {canvas_vertex(0, 0), canvas_vertex(64, 0),
                         canvas_vertex(0, 64)};
   v[0].position[2] = v[2].position[2] = -1;
   v[1].position[2] = 1;
   canvas_clear(canvas);
   canvas_draw(canvas, v, 3);
   return canvas_plane(canvas, 0, GPU_SHAPE_Z, 0, 0);
}

static void
polygons_are_offset(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct tg_rasterizer_state *rasterizer = &canvas->rasterizer.state;
   rasterizer->offset_scale = 2;
   rasterizer->offset_units = 64;
   near(offset_with(canvas), 0, 0);
   rasterizer->offset_tri = true;
   near(offset_with(canvas), 2.0 / 64 + 64.0 * 2 / 16777215, 1e-8);
   canvas->depth_kind = GPU_DEPTH_UNORM16;
   near(offset_with(canvas), 2.0 / 64 + 64.0 * 2 / 65535, 1e-8);
   /* The largest depth is 1, whose exponent is 0. */
   canvas->depth_kind = GPU_DEPTH_FLOAT;
   near(offset_with(canvas), 2.0 / 64 + 64.0 / 8388608, 1e-8);
   rasterizer->offset_units_unscaled = true;
   rasterizer->offset_units = 0.125f;
   near(offset_with(canvas), 2.0 / 64 + 0.125, 1e-7);
   rasterizer->offset_clamp = 0.0625f;
   near(offset_with(canvas), 0.0625, 0);
   rasterizer->offset_scale = rasterizer->offset_units = -1;
   near(offset_with(canvas), -1.0 - 1.0 / 64, 1e-6);
   rasterizer->offset_clamp = -0.5f;
   near(offset_with(canvas), -0.5, 0);

   /* Lines of polygons have their own switch, and the polygon's offset. */
   rasterizer->fill_front = rasterizer->fill_back = TG_POLYGON_LINE;
   near(offset_with(canvas), 0, 0);
   rasterizer->offset_line = true;
   near(offset_with(canvas), -0.5, 0);
   canvas_destroy(canvas);
}

/* The depth of a triangle that is flat, in steps of fixed point. */
static long
step_of(struct canvas *canvas, float z, uint32_t most)
{
   struct record v[3] = {canvas_vertex(0, 0), canvas_vertex(64, 0),
                         canvas_vertex(0, 64)};
   for (int i = 0; i < 3; i++)
      v[i].position[2] = 2 * z - 1;
   canvas_clear(canvas);
   canvas_draw(canvas, v, 3);
   const float depth = (float)canvas_plane(canvas, 0, GPU_SHAPE_Z, 0, 0);
   return lrint((double)depth * most);
}

/* Of depths half way between two, such as 0.5: one step more may be rounded to
 * the same. */
static void
a_unit_makes_a_difference(void **test)
{
   static const struct {
      uint8_t kind;
      uint32_t most;
   } row[] = {{GPU_DEPTH_UNORM16, 0xffff}, {GPU_DEPTH_UNORM24, 0xffffff}};
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct tg_rasterizer_state *rasterizer = &canvas->rasterizer.state;
   rasterizer->offset_tri = true;
   for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
      const uint32_t most = row[i].most;
      canvas->depth_kind = row[i].kind;
      for (uint32_t k = 1; k < 128; k++) {
         const uint32_t below = most / 128 * k;
         const float z = ((float)below + 0.5f) / (float)most;
         rasterizer->offset_units = 0;
         const long step = step_of(canvas, z, most);
         rasterizer->offset_units = 1;
         assert_true(step_of(canvas, z, most) > step);
         rasterizer->offset_units = -1;
         assert_true(step_of(canvas, z, most) < step);
      }
   }
   canvas_destroy(canvas);
}

/* ---- planes that cut ----------------------------------------------------- */

static void
distances_clip(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct record v[3];
   make_large(v);
   /* x - 64, 96 - x: two of them, and one that does not cut. */
   const float x[3] = {0, 256, 0};
   for (int i = 0; i < 3; i++) {
      v[i].distance[2] = x[i] - 64;
      v[i].distance[5] = 96 - x[i];
      v[i].distance[1] = -1;
   }
   canvas->layout.clip_distance[0] = DISTANCE;
   canvas->layout.clip_distance[1] = DISTANCE + 1;
   canvas->layout.num_clip_distances = 8;
   canvas->rasterizer.state.clip_plane_enable = 1 << 2 | 1 << 5;
   canvas_draw(canvas, v, 3);
   expect_rectangle(canvas, 64, 0, 95, SIZE - 1);

   canvas_clear(canvas);
   canvas->layout.num_clip_distances = 3;
   canvas_draw(canvas, v, 3);
   expect_rectangle(canvas, 64, 0, SIZE - 1, SIZE - 1);

   canvas_clear(canvas);
   v[0].distance[2] = v[1].distance[2] = v[2].distance[2] = NAN;
   canvas_draw(canvas, v, 3);
   expect_nothing(canvas);

   canvas_clear(canvas);
   canvas->rasterizer.state.clip_plane_enable = 1;
   canvas_draw(canvas, v, 3);
   expect_rectangle(canvas, 0, 0, SIZE - 1, SIZE - 1);
   canvas_destroy(canvas);
}

static void
distances_cull(void **test)
{
   (void)test;
   static const struct {
      float distance[3];
      bool is_culled;
   } cases[] = {
      {{-1, -1, -1}, true},    {{-1, -1, 0}, false},  {{-1, NAN, -1}, true},
      {{NAN, NAN, NAN}, true}, {{1, NAN, -1}, false},
   };
   struct canvas *canvas = canvas_create(1);
   canvas->layout.clip_distance[0] = DISTANCE;
   canvas->layout.num_clip_distances = 1;
   canvas->layout.num_cull_distances = 1;
   for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      struct record v[3];
      make_large(v);
      for (int k = 0; k < 3; k++) {
         v[k].distance[1] = cases[i].distance[k];
         v[k].distance[2] = -1; /* nobody's */
      }
      canvas_clear(canvas);
      canvas_draw(canvas, v, 3);
      assert_int_equal(canvas->num_shapes, !cases[i].is_culled);
      if (!cases[i].is_culled)
         expect_rectangle(canvas, 0, 0, SIZE - 1, SIZE - 1);
   }
   canvas_destroy(canvas);
}

/* Plane 3 keeps x >= 0 of clip space: the right half. */
static void
user_planes_clip(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   canvas->state.clip_planes[3][0] = 1;
   canvas->rasterizer.state.clip_plane_enable = 1 << 3;
   draw_large(canvas);
   expect_rectangle(canvas, 64, 0, SIZE - 1, SIZE - 1);

   /* CLIPVERTEX is what counts, if there is one: here x - 32 pixels. */
   struct record v[3];
   make_large(v);
   for (int i = 0; i < 3; i++)
      v[i].clip_vertex[0] = v[i].position[0] + 0.5f;
   canvas->layout.clip_vertex = CLIP_VERTEX;
   canvas_clear(canvas);
   canvas_draw(canvas, v, 3);
   expect_rectangle(canvas, 32, 0, SIZE - 1, SIZE - 1);

   canvas->layout.prohibits_user_planes = true;
   draw_large(canvas);
   expect_rectangle(canvas, 0, 0, SIZE - 1, SIZE - 1);
   canvas_destroy(canvas);
}

/* z = -2 at the left, 2 at the right: -1 is at 32 pixels, 0 at 64, 1 at 96. */
static void
near_and_far_planes_clip(void **test)
{
   (void)test;
   static const struct {
      bool near, far, halfz;
      int min_x, max_x;
   } cases[] = {
      {true, true, false, 32, 95},        {true, true, true, 64, 95},
      {true, false, false, 32, SIZE - 1}, {false, true, true, 0, 95},
      {false, false, false, 0, SIZE - 1},
   };
   struct canvas *canvas = canvas_create(1);
   struct tg_rasterizer_state *rasterizer = &canvas->rasterizer.state;
   struct record v[3];
   make_large(v);
   v[0].position[2] = v[2].position[2] = -2;
   v[1].position[2] = 6;
   for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      rasterizer->depth_clip_near = cases[i].near;
      rasterizer->depth_clip_far = cases[i].far;
      rasterizer->clip_halfz = cases[i].halfz;
      canvas_clear(canvas);
      canvas_draw(canvas, v, 3);
      expect_rectangle(canvas, cases[i].min_x, 0, cases[i].max_x, SIZE - 1);
   }
   /* Window z is z / 2 + 0.5; the range for clamping is the viewport's. */
   assert_true(canvas_float(canvas, 0, GPU_SHAPE_MIN_DEPTH) == 0);
   assert_true(canvas_float(canvas, 0, GPU_SHAPE_MAX_DEPTH) == 1);
   near(canvas_plane(canvas, 0, GPU_SHAPE_Z, 96, 20), 1, 1e-6);
   canvas_destroy(canvas);
}

/* ---- windows ------------------------------------------------------------- */

static void
viewports_are_chosen(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct record v[3];
   make_large(v);
   canvas->layout.viewport = VIEWPORT;
   canvas->layout.layer = LAYER;
   canvas->state.framebuffer.layers = 4;
   /* Window x: 32 to 64, y: 96 to 112, turned over. */
   canvas->state.viewports[5] = (struct tg_viewport){
      .scale = {16, -8, 0.25f}, .translate = {48, 104, 0.25f}};
   for (unsigned i = 0; i < 3; i++)
      v[i].viewport[0] = i == 1 ? 5 : 0;
   struct gpu_setup_primitive primitive = canvas_primitive(v, 3);
   primitive.provoking = 1;
   v[1].layer[0] = 3;
   assert_true(canvas_draw_primitive(canvas, &primitive));
   expect_rectangle(canvas, 32, 96, 63, 111);
   assert_int_equal(canvas->shapes[0].layer, 3);
   assert_int_equal(canvas->words[GPU_SHAPE_LAYER], 3);
   assert_int_equal(canvas->words[GPU_SHAPE_WRITTEN_VIEWPORT], 5);
   assert_true(canvas_float(canvas, 0, GPU_SHAPE_MAX_DEPTH) == 0.5f);
   near(canvas_plane(canvas, 0, GPU_SHAPE_Z, 40, 100), 0.25, 1e-7);

   canvas_clear(canvas);
   v[1].viewport[0] = 16;
   assert_true(canvas_draw_primitive(canvas, &primitive));
   expect_rectangle(canvas, 0, 0, SIZE - 1, SIZE - 1);
   assert_int_equal(canvas->words[GPU_SHAPE_WRITTEN_VIEWPORT], 16);

   canvas_clear(canvas);
   v[1].layer[0] = 4;
   assert_true(canvas_draw_primitive(canvas, &primitive));
   expect_nothing(canvas);
   canvas_destroy(canvas);
}

/* That of the vertex that provokes; a triangle whose layer is not there is not
 * drawn, nor is it visible, by itself or among those that are set up with it.
 */
static void
layers_are_chosen(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct record v[3] = {canvas_vertex(8, 8), canvas_vertex(24, 8),
                         canvas_vertex(8, 24)};
   canvas->layout.layer = LAYER;
   canvas->state.framebuffer.layers = 4;
   v[1].layer[0] = 3;
   v[2].layer[0] = 4;
   struct gpu_setup_primitive primitive = canvas_primitive(v, 3);
   for (uint8_t i = 0; i < 2; i++) {
      primitive.provoking = i;
      assert_true(canvas_draw_primitive(canvas, &primitive));
      assert_int_equal(canvas->shapes[i].layer, v[i].layer[0]);
   }
   primitive.provoking = 2;
   assert_true(canvas_draw_primitive(canvas, &primitive));
   assert_int_equal(canvas->num_shapes, 2);
   assert_int_equal(canvas->setup.num_visible, 2);
   canvas_destroy(canvas);
}

/* From 2.5 to 6.5 each way: on its rim the same rule goes as on edges. */
static void
viewports_own_their_left_and_upper_rims(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   canvas->state.viewports[0] = (struct tg_viewport){
      .scale = {2, 2, 0.5f}, .translate = {4.5f, 4.5f, 0.5f}};
   draw_large(canvas);
   expect_rectangle(canvas, 2, 2, 5, 5);
   canvas->rasterizer.state.bottom_edge_rule = true;
   draw_large(canvas);
   expect_rectangle(canvas, 2, 3, 5, 6);
   canvas_destroy(canvas);
}

/* Corners in eighths of a pixel are numbers that floats have in both viewports:
 * that of the canvas, and one of 2^21 pixels with the same left and upper rim.
 */
static void
far_viewports_are_exact(void **test)
{
   uint32_t seed = 1;
   unsigned num_covered = 0;
   (void)test;
   for (unsigned i = 0; i < 300; i++) {
      struct canvas *near = canvas_create(4), *far = canvas_create(4);
      struct record v[3], w[3];
      far->state.viewports[0] = (struct tg_viewport){
         .scale = {TG_MAX_VIEWPORT_REACH, TG_MAX_VIEWPORT_REACH, 1},
         .translate = {TG_MAX_VIEWPORT_REACH, TG_MAX_VIEWPORT_REACH, 0},
      };
      for (unsigned k = 0; k < 3; k++) {
         const double x = (random_below(&seed, 1500) - 250.0) / 8;
         const double y = (random_below(&seed, 1500) - 250.0) / 8;
         v[k] = w[k] = canvas_vertex(x, y);
         w[k].position[0] = (float)(x / 0x1p20 - 1);
         w[k].position[1] = (float)(y / 0x1p20 - 1);
      }
      canvas_draw(near, v, 3);
      canvas_draw(far, w, 3);
      assert_memory_equal(far->count, near->count, sizeof(near->count));
      num_covered += canvas_num_covered(near) > 0;
      canvas_destroy(near);
      canvas_destroy(far);
   }
   assert_true(num_covered > 150);
}

static void
scissors_are_the_viewports(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(2);
   struct record v[3];
   make_large(v);
   canvas->state.viewports[2] = canvas->state.viewports[0];
   canvas->state.scissors[2] = (struct tg_scissor){7, 11, 50, 400};
   canvas->layout.viewport = VIEWPORT;
   v[0].viewport[0] = 2;
   canvas_draw(canvas, v, 3);
   expect_rectangle(canvas, 0, 0, SIZE - 1, SIZE - 1);
   canvas_clear(canvas);
   canvas->rasterizer.state.scissor = true;
   canvas_draw(canvas, v, 3);
   expect_rectangle(canvas, 7, 11, 49, SIZE - 1);
   canvas_clear(canvas);
   v[0].viewport[0] = 0; /* an empty one */
   canvas_draw(canvas, v, 3);
   expect_nothing(canvas);
   canvas_destroy(canvas);
}

/* Positions in pixels, and 1 / w. What is outside of every clip volume is seen.
 */
static void
positions_may_be_the_windows(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct record v[3] = {
      {.position = {10, 20, 0.5f, 0.25f}, .attribute = {{4}}},
      {.position = {50, 20, 0.5f, 0.25f}, .attribute = {{8}}},
      {.position = {10, 60, 7.5f, 0.25f}, .attribute = {{4}}},
   };
   canvas->layout.is_window_space = true;
   canvas_draw(canvas, v, 3);
   /* Half of a square of 40 by 40, with its diagonal's pixels out. */
   assert_int_equal(canvas_num_covered(canvas), 40 * 39 / 2);
   assert_int_equal(canvas_at(canvas, 10, 20), 1);
   near(canvas_plane(canvas, 0, GPU_SHAPE_W, 17, 33), 0.25, 0);
   near(canvas_plane(canvas, 0, GPU_SHAPE_Z, 10, 60), 7.5, 1e-6);
   near(canvas_plane(canvas, 0, canvas_attribute(0, 0), 30, 20), 6 * 0.25,
        1e-6);

   /* Far away corners are cut off, and attributes go on as they were. */
   canvas_clear(canvas);
   v[1].position[0] = 10 + 40 * 1048576.0f;
   v[1].position[3] = 0.5f;
   canvas_draw(canvas, v, 3);
   assert_true(canvas->num_shapes > 0);
   near(canvas_plane(canvas, 0, GPU_SHAPE_W, 10 + 40, 20),
        0.25 + 0.25 / 1048576, 1e-7);
   near(canvas_plane(canvas, 0, canvas_attribute(0, 0), 10, 20), 1, 1e-5);
   canvas_destroy(canvas);
}

/* A square from 2.25 to 6.25 each way. Centres at .5: pixels 2 to 5; centres
 * without: 3 to 6. */
static void
centres_may_be_corners(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   for (int i = 0; i < 2; i++) {
      const struct record p[4] = {
         canvas_vertex(2.25, 2.25), canvas_vertex(6.25, 2.25),
         canvas_vertex(2.25, 6.25), canvas_vertex(6.25, 6.25)};
      canvas_clear(canvas);
      canvas->rasterizer.state.half_pixel_center = !i;
      canvas_draw(canvas, p, 3);
      canvas_draw(canvas, p + 1, 3);
      expect_rectangle(canvas, 2 + i, 2 + i, 5 + i, 5 + i);
   }
   canvas_destroy(canvas);
}

/* ---- planes -------------------------------------------------------------- */

/* 0.9 to 0.1 is 0.2 forwards around the cylinder: at the second vertex, 64
 * pixels away, it is 1.1. The y of the attribute is not wrapped. */
static void
attributes_wrap(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct record v[3] = {canvas_vertex(0, 0), canvas_vertex(64, 0),
                         canvas_vertex(0, 64)};
   for (int c = 0; c < 2; c++) {
      v[0].attribute[0][c] = 0.9f;
      v[1].attribute[0][c] = 0.1f;
      v[2].attribute[0][c] = 0.8f;
   }
   canvas->interface.wrap[0] = 1;
   canvas_draw(canvas, v, 3);
   near(canvas_plane(canvas, 0, canvas_attribute(0, 0), 64, 0), 1.1, 1e-6);
   near(canvas_plane(canvas, 0, canvas_attribute(0, 1), 64, 0), 0.1, 1e-6);
   near(canvas_plane(canvas, 0, canvas_attribute(0, 0), 0, 64), 0.8, 1e-6);
   canvas_destroy(canvas);
}

static float
random_float(uint32_t *seed, float size)
{
   return ((float)random_below(seed, 1 << 24) / (1 << 23) - 1) * size;
}

/* The shares of the vertices at a place of the window, each over the w there:
 * the solution of sum share[i] * (x, y, w)[i] = (x, y, 1). False when there is
 * none, or a place nearby is on the other side of an edge. */
static bool
find_shares(const struct record v[3], double x, double y, double share[3],
            bool *is_inside)
{
   double p[3][3];
   for (int i = 0; i < 3; i++) {
      p[i][0] = (v[i].position[0] + v[i].position[3]) * SIZE / 2;
      p[i][1] = (v[i].position[1] + v[i].position[3]) * SIZE / 2;
      p[i][2] = v[i].position[3];
   }
   double gradient[3], determinant = 0;
   for (int i = 0; i < 3; i++) {
      const double *a = p[(i + 1) % 3], *b = p[(i + 2) % 3];
      const double dx = a[1] * b[2] - a[2] * b[1];
      const double dy = a[2] * b[0] - a[0] * b[2];
      const double c = a[0] * b[1] - a[1] * b[0];
      share[i] = dx * x + dy * y + c;
      gradient[i] = sqrt(dx * dx + dy * dy);
      determinant = p[i][0] * dx + p[i][1] * dy + p[i][2] * c;
   }
   *is_inside = true;
   for (int i = 0; i < 3; i++) {
      if (fabs(share[i]) < gradient[i] * 0.02 || fabs(determinant) < 1)
         return false;
      share[i] /= determinant;
      *is_inside = *is_inside && share[i] > 0;
   }
   return true;
}

/* Of any triangles, many of them with vertices behind the eye: what they cover,
 * and what their planes are worth, is what homogeneous coordinates say. */
static void
homogeneous_triangles_are_right(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   int num_inside = 0, num_behind = 0;
   uint32_t seed = 12;
   canvas->interface.interpolation[1] = GPU_INTERPOLATE_LINEAR;
   for (int round = 0; round < 400; round++) {
      struct record v[3];
      memset(v, 0, sizeof(v));
      bool has_behind = false;
      for (int i = 0; i < 3; i++) {
         for (int c = 0; c < 4; c++)
            v[i].position[c] = random_float(&seed, 2);
         v[i].position[3] += 0.8f;
         v[i].attribute[0][0] = random_float(&seed, 1);
         v[i].attribute[1][0] = random_float(&seed, 1);
         has_behind = has_behind || v[i].position[3] < 0;
      }
      canvas_clear(canvas);
      canvas_draw(canvas, v, 3);
      for (int y = 0; y < SIZE; y += 3) {
         for (int x = 0; x < SIZE; x += 3) {
            double share[3], z = 0, w = 0, perspective = 0, linear = 0;
            bool is_inside;
            if (!find_shares(v, x + 0.5, y + 0.5, share, &is_inside))
               continue;
            for (int i = 0; i < 3; i++) {
               z += share[i] * v[i].position[2];
               w += share[i];
               perspective += share[i] * v[i].attribute[0][0];
               linear += share[i] * v[i].position[3] * v[i].attribute[1][0];
            }
            if (fabs(fabs(z) - 1) < 0.02)
               continue;
            is_inside = is_inside && fabs(z) < 1;
            if (canvas_at(canvas, x, y) != is_inside)
               fail_msg("round %d, pixel (%d, %d)", round, x, y);
            if (!is_inside)
               continue;
            num_inside++;
            num_behind += has_behind;
            const double size = 1 + fabs(w) + fabs(linear);
            near(canvas_plane(canvas, 0, GPU_SHAPE_Z, x + 0.5, y + 0.5),
                 z / 2 + 0.5, 0.05 * size);
            near(canvas_plane(canvas, 0, GPU_SHAPE_W, x + 0.5, y + 0.5), w,
                 0.05 * size);
            near(canvas_plane(canvas, 0, canvas_attribute(0, 0), x + 0.5,
                              y + 0.5),
                 perspective, 0.05 * size);
            near(canvas_plane(canvas, 0, canvas_attribute(1, 0), x + 0.5,
                              y + 0.5),
                 linear, 0.05 * size);
         }
      }
   }
   assert_true(num_inside > 20000 && num_behind > 5000);
   canvas_destroy(canvas);
}

enum { CELLS = 6 };

/* A point of a plane through clip space. */
static struct record
on_plane(float plane[3][4], float u, float v)
{
   struct record record;
   memset(&record, 0, sizeof(record));
   for (int c = 0; c < 4; c++)
      record.position[c] = plane[0][c] + u * plane[1][c] + v * plane[2][c];
   return record;
}

static void
draw_plane(struct canvas *canvas, float plane[3][4], uint32_t *seed)
{
   struct record p[CELLS + 1][CELLS + 1];
   for (int j = 0; j <= CELLS; j++) {
      for (int i = 0; i <= CELLS; i++) {
         const bool is_rim_x = i == 0 || i == CELLS;
         const bool is_rim_y = j == 0 || j == CELLS;
         p[j][i] = on_plane(
            plane,
            (float)i / (CELLS / 2) - 1 + random_float(seed, !is_rim_x * 0.1f),
            (float)j / (CELLS / 2) - 1 + random_float(seed, !is_rim_y * 0.1f));
      }
   }
   for (int j = 0; j < CELLS; j++) {
      for (int i = 0; i < CELLS; i++) {
         const struct record a[3] = {p[j][i], p[j][i + 1], p[j + 1][i]};
         const struct record b[3] = {p[j + 1][i + 1], p[j][i + 1], p[j + 1][i]};
         canvas_draw(canvas, a, 3);
         canvas_draw(canvas, b, 3);
      }
   }
}

/* A plane that goes through the eye's plane, in cells: wherever the window
 * shows one of its points that is in the mesh and between the near and the far
 * plane, it is covered once. */
static void
clipped_meshes_are_watertight(void **test)
{
   (void)test;
   uint32_t seed = 31;
   int num_inside = 0;
   for (int round = 0; round < 300; round++) {
      struct canvas *canvas = canvas_create(1);
      float plane[3][4];
      struct record corner[3];
      for (int i = 0; i < 12; i++)
         plane[i / 4][i % 4] = random_float(&seed, 2);
      draw_plane(canvas, plane, &seed);
      memset(corner, 0, sizeof(corner));
      for (int i = 0; i < 3; i++)
         memcpy(corner[i].position, plane[i], sizeof(plane[i]));
      for (int i = 0; i < SIZE * SIZE; i++) {
         double share[3];
         bool is_inside;
         const unsigned count = canvas_at(canvas, i % SIZE, i / SIZE);
         assert_in_range(count, 0, 1);
         if (!find_shares(corner, i % SIZE + 0.5, i / SIZE + 0.5, share,
                          &is_inside))
            continue;
         const double u = share[1] / share[0], v = share[2] / share[0];
         const double z = share[0] * plane[0][2] + share[1] * plane[1][2] +
                          share[2] * plane[2][2];
         /* In front of the eye shares of the origin are positive. */
         if (share[0] > 0 && fabs(u) < 0.98 && fabs(v) < 0.98 &&
             fabs(z) < 0.98) {
            assert_int_equal(count, 1);
            num_inside++;
         }
      }
      canvas_destroy(canvas);
   }
   assert_true(num_inside > 100000);
}

/* ---- what is strange ----------------------------------------------------- */

static void
strange_triangles_are_harmless(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(4);
   for (int i = 0; i < 24; i++) {
      struct record v[3];
      make_large(v);
      v[i / 8].position[i % 8 / 2] = i & 1 ? NAN : -INFINITY;
      canvas_clear(canvas);
      canvas_draw(canvas, v, 3);
      expect_nothing(canvas);
   }
   struct record flat[3] = {canvas_vertex(1, 1), canvas_vertex(50, 50),
                            canvas_vertex(100, 100)};
   canvas_draw(canvas, flat, 3);
   expect_nothing(canvas);

   /* As large as floats are: a square of two triangles is everywhere once. */
   struct record p[4];
   memset(p, 0, sizeof(p));
   for (int i = 0; i < 4; i++) {
      p[i].position[0] = i & 1 ? FLT_MAX : -FLT_MAX;
      p[i].position[1] = i & 2 ? FLT_MAX : -FLT_MAX;
      p[i].position[3] = 1;
   }
   canvas_clear(canvas);
   canvas_draw(canvas, p, 3);
   canvas_draw(canvas, p + 1, 3);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         for (int s = 0; s < 4; s++)
            assert_int_equal(canvas->count[y][x][s], 1);
      }
   }
   canvas_destroy(canvas);
}

/* Vertices at w = 0 are directions: to the right and down, from the middle of
 * the canvas. */
static void
corners_at_infinity_are_drawn(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct record v[3] = {canvas_vertex(64, 64)};
   v[1].position[0] = 1;
   v[2].position[1] = 1;
   canvas_draw(canvas, v, 3);
   expect_rectangle(canvas, 64, 64, SIZE - 1, SIZE - 1);
   canvas_destroy(canvas);
}

/* The right side is in the middle of column 10: half of its sixteen samples. */
static void
smooth_polygons_have_sixteen_samples(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   const struct record p[4] = {canvas_vertex(2, 2), canvas_vertex(10.5, 2),
                               canvas_vertex(2, 12), canvas_vertex(10.5, 12)};
   canvas->rasterizer.state.poly_smooth = true;
   canvas_draw(canvas, p, 3);
   canvas_draw(canvas, p + 1, 3);
   for (int x = 0; x < 16; x++) {
      int count = 0;
      for (int s = 0; s < 16; s++)
         count += canvas->count[7][x][s];
      assert_int_equal(count, x < 2 || x > 10 ? 0 : x == 10 ? 8 : 16);
   }
   canvas_destroy(canvas);
}

static void
memory_may_be_short(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   struct record v[3];
   make_large(v);
   const struct gpu_setup_primitive primitive = canvas_primitive(v, 3);
   canvas->shapes_left = 0;
   assert_false(canvas_draw_primitive(canvas, &primitive));
   canvas->rasterizer.state.fill_back = TG_POLYGON_LINE;
   canvas->is_ready = false;
   canvas->shapes_left = 1;
   assert_false(canvas_draw_primitive(canvas, &primitive));
   canvas_destroy(canvas);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(faces_are_told_and_culled),
      cmocka_unit_test(backs_have_colours_of_their_own),
      cmocka_unit_test(constants_are_those_of_the_provoking_vertex),
      cmocka_unit_test(polygons_are_drawn_as_lines_and_points),
      cmocka_unit_test(patterns_go_around_polygons),
      cmocka_unit_test(outlines_have_attributes),
      cmocka_unit_test(parts_beside_the_view_are_left_out),
      cmocka_unit_test(parts_are_clipped),
      cmocka_unit_test(polygons_are_offset),
      cmocka_unit_test(a_unit_makes_a_difference),
      cmocka_unit_test(distances_clip),
      cmocka_unit_test(distances_cull),
      cmocka_unit_test(user_planes_clip),
      cmocka_unit_test(near_and_far_planes_clip),
      cmocka_unit_test(viewports_are_chosen),
      cmocka_unit_test(layers_are_chosen),
      cmocka_unit_test(viewports_own_their_left_and_upper_rims),
      cmocka_unit_test(far_viewports_are_exact),
      cmocka_unit_test(scissors_are_the_viewports),
      cmocka_unit_test(positions_may_be_the_windows),
      cmocka_unit_test(centres_may_be_corners),
      cmocka_unit_test(attributes_wrap),
      cmocka_unit_test(homogeneous_triangles_are_right),
      cmocka_unit_test(clipped_meshes_are_watertight),
      cmocka_unit_test(strange_triangles_are_harmless),
      cmocka_unit_test(corners_at_infinity_are_drawn),
      cmocka_unit_test(smooth_polygons_have_sixteen_samples),
      cmocka_unit_test(memory_may_be_short),
   };
   return cmocka_run_group_tests_name("gpu: triangles", tests, NULL, NULL);
}
