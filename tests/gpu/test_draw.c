/* SPDX-License-Identifier: MIT
 *
 * Whole draws: interpolation, depth, culling, clipping, and the shapes in
 * which vertices may come.
 */
#include "pipe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 32 };

/* A vertex at ndc (x, y, z) with the given w. */
static struct pipe_vertex
at(float x, float y, float z, float w, float a, float b)
{
   return (struct pipe_vertex){{x * w, y * w, z * w, w}, {a, b, 0, 1}};
}

/* ---- interpolation ------------------------------------------------------- */

/* Barycentric coordinates of a pixel centre, in doubles. */
static void
weights(const struct pipe_vertex v[3], uint32_t px, uint32_t py, double out[3])
{
   double x[3], y[3];
   for (int i = 0; i < 3; i++) {
      x[i] = ((double)v[i].position[0] / v[i].position[3] + 1) * SIZE / 2;
      y[i] = ((double)v[i].position[1] / v[i].position[3] + 1) * SIZE / 2;
   }
   const double cx = px + 0.5, cy = py + 0.5;
   const double area =
      (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
   out[1] = ((cx - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (cy - y[0])) / area;
   out[2] = ((x[1] - x[0]) * (cy - y[0]) - (cx - x[0]) * (y[1] - y[0])) / area;
   out[0] = 1 - out[1] - out[2];
}

/* Compares channel x of every covered pixel; returns how many there are. */
static int
compare_with_reference(const struct pipe *pipe, const struct pipe_vertex v[3],
                       bool perspective)
{
   int num_covered = 0;
   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++) {
         const float *pixel = pipe_pixel(pipe, x, y);
         double weight[3], value = 0, w = 0;
         if (pixel[3] == 0)
            continue;
         num_covered++;
         weights(v, x, y, weight);
         for (int i = 0; i < 3; i++) {
            const double r = perspective ? 1 / v[i].position[3] : 1;
            value += weight[i] * v[i].attribute[0] * r;
            w += weight[i] * r;
         }
         assert_float_equal(pixel[0], value / w, 0.02);
      }
   }
   return num_covered;
}

static void
interpolates(void **test)
{
   (void)test;
   /* Corners lie on 256ths of a pixel, so that rounding them is no excuse. */
   const struct pipe_vertex v[3] = {
      at(-0.875f, -0.75f, 0, 1, 10, 0),
      at(0.9375f, -0.5f, 0, 4, 20, 0),
      at(-0.25f, 0.9375f, 0, 16, -30, 0),
   };
   for (int perspective = 0; perspective < 2; perspective++) {
      struct pipe pipe;
      pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader,
                perspective ? pipe_perspective_shader : pipe_linear_shader);
      pipe_set_vertices(&pipe, v, 3);
      assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
      /* Half of base times height is about 380 pixels. */
      assert_in_range(compare_with_reference(&pipe, v, perspective), 350, 410);
      pipe_finish(&pipe);
   }
}

/* An attribute that is 1 everywhere stays 1 to the bit, whatever w does. */
static void
keeps_constants_exact(void **test)
{
   (void)test;
   const struct pipe_vertex v[3] = {
      at(-1, -1, 0, 1.7f, 1, 0),
      at(3, -1, 0, 0.3f, 1, 0),
      at(-1, 3, 0, 92.1f, 1, 0),
   };
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_perspective_shader);
   pipe_set_vertices(&pipe, v, 3);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++)
         assert_true(pipe_pixel(&pipe, x, y)[0] == 1.0f);
   }
   pipe_finish(&pipe);
}

static void
flat_color_comes_from_the_provoking_vertex(void **test)
{
   (void)test;
   const struct pipe_vertex v[4] = {
      at(-1, -1, 0, 1, 1, 0),
      at(1, -1, 0, 1, 2, 0),
      at(-1, 1, 0, 1, 3, 0),
      at(1, 1, 0, 1, 4, 0),
   };
   for (int first = 0; first < 2; first++) {
      struct pipe pipe;
      pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_constant_shader);
      pipe.state.rasterizer.flatshade_first = first;
      pipe_set_vertices(&pipe, v, 4);
      assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLE_STRIP, 4), TG_OK);
      assert_true(pipe_pixel(&pipe, 0, 0)[0] == (first ? 1 : 3));
      assert_true(pipe_pixel(&pipe, SIZE - 1, SIZE - 1)[0] == (first ? 2 : 4));
      pipe_finish(&pipe);
   }
}

/* ---- what fragments see -------------------------------------------------- */

static void
position_and_face_inputs(void **test)
{
   (void)test;
   static const char shader[] = "FRAG\n"
                                "DCL IN[0], POSITION, LINEAR\n"
                                "DCL IN[1], FACE, CONSTANT\n"
                                "DCL OUT[0], COLOR\n"
                                "MOV OUT[0], IN[0]\n"
                                "MOV OUT[0].z, IN[1].xxxx\n"
                                "END\n";
   static const char lower_left[] = "FRAG\n"
                                    "PROPERTY FS_COORD_ORIGIN LOWER_LEFT\n"
                                    "PROPERTY FS_COORD_PIXEL_CENTER INTEGER\n"
                                    "DCL IN[0], POSITION, LINEAR\n"
                                    "DCL IN[1], FACE, CONSTANT\n"
                                    "DCL OUT[0], COLOR\n"
                                    "MOV OUT[0], IN[0]\n"
                                    "MOV OUT[0].z, IN[1].xxxx\n"
                                    "END\n";
   /* Clockwise as one sees it; w is 4 everywhere. */
   const struct pipe_vertex v[3] = {
      at(-1, -1, 0, 4, 0, 0),
      at(3, -1, 0, 4, 0, 0),
      at(-1, 3, 0, 4, 0, 0),
   };
   for (int i = 0; i < 2; i++) {
      struct pipe pipe;
      pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, i ? lower_left : shader);
      pipe.state.rasterizer.front_ccw = i;
      pipe_set_vertices(&pipe, v, 3);
      assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
      const float *pixel = pipe_pixel(&pipe, 5, 9);
      assert_true(pixel[0] == (i ? 5.0f : 5.5f));
      assert_true(pixel[1] == (i ? SIZE - 1 - 9.0f : 9.5f));
      assert_true(pixel[2] == (i ? -1.0f : 1.0f));
      assert_true(pixel[3] == 0.25f);
      pipe_finish(&pipe);
   }
}

/* What the vertex shader gives as y, z and w of a fog coordinate arrives in
 * 2019 only. */
static void
fog_is_a_scalar_before_2019(void **test)
{
   (void)test;
   static const char vertex[] = "VERT\n"
                                "DCL IN[0]\n"
                                "DCL IN[1]\n"
                                "DCL OUT[0], POSITION\n"
                                "DCL OUT[1], FOG\n"
                                "MOV OUT[0], IN[0]\n"
                                "MOV OUT[1], IN[1].xyxy\n"
                                "END\n";
   static const char fragment[] = "FRAG\n"
                                  "DCL IN[0], FOG, LINEAR\n"
                                  "DCL OUT[0], COLOR\n"
                                  "MOV OUT[0], IN[0]\n"
                                  "END\n";
   static const struct {
      enum tg_dialect dialect;
      float color[4];
   } cases[] = {
      {TG_DIALECT_2010, {5, 0, 0, 1}},
      {TG_DIALECT_2011, {5, 0, 0, 1}},
      {TG_DIALECT_2019, {5, 7, 5, 7}},
   };
   const struct pipe_vertex v[3] = {
      at(-1, -1, 0, 1, 5, 7),
      at(3, -1, 0, 1, 5, 7),
      at(-1, 3, 0, 1, 5, 7),
   };
   for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      struct pipe pipe;
      pipe_init(&pipe, SIZE, SIZE, vertex, fragment);
      pipe.state.fs = pipe_shader_in(&pipe, fragment, cases[i].dialect);
      pipe_set_vertices(&pipe, v, 3);
      assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
      assert_memory_equal(pipe_pixel(&pipe, 3, 4), cases[i].color,
                          sizeof(cases[i].color));
      pipe_finish(&pipe);
   }
}

/* ---- depth --------------------------------------------------------------- */

/* For z below, at and above the buffer's, which functions pass. */
static void
depth_functions(void **test)
{
   (void)test;
   static const bool passes[TG_COMPARE_ALWAYS + 1][3] = {
      [TG_COMPARE_NEVER] = {0, 0, 0},   [TG_COMPARE_LESS] = {1, 0, 0},
      [TG_COMPARE_EQUAL] = {0, 1, 0},   [TG_COMPARE_LEQUAL] = {1, 1, 0},
      [TG_COMPARE_GREATER] = {0, 0, 1}, [TG_COMPARE_NOTEQUAL] = {1, 0, 1},
      [TG_COMPARE_GEQUAL] = {0, 1, 1},  [TG_COMPARE_ALWAYS] = {1, 1, 1},
   };
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_constant_shader);
   pipe.state.depth.depth_enabled = true;
   for (int func = 0; func < TG_COMPARE_ALWAYS + 1; func++) {
      for (int i = 0; i < 6; i++) {
         const float z = 0.25f + 0.25f * (float)(i % 3);
         const bool writes = i >= 3;
         const struct pipe_vertex v[3] = {
            at(-1, -1, z * 2 - 1, 1, 7, 0),
            at(3, -1, z * 2 - 1, 1, 7, 0),
            at(-1, 3, z * 2 - 1, 1, 7, 0),
         };
         const bool expected = passes[func][i % 3];
         pipe.num_resources = 2 + (i > 0 || func > 0);
         if (pipe.num_resources == 3)
            tg_resource_destroy(pipe.resources[--pipe.num_resources]);
         pipe_set_vertices(&pipe, v, 3);
         pipe.state.depth.depth_func = (uint8_t)func;
         pipe.state.depth.depth_writemask = writes;
         pipe_clear(pipe.color, (const float[4]){0});
         pipe_clear(pipe.depth, (const float[4]){0.5f});
         assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);

         const float *depth = (const float *)pipe_texels(pipe.depth, 0);
         assert_true(pipe_pixel(&pipe, 3, 4)[0] == (expected ? 7 : 0));
         assert_true(depth[3 + 4 * SIZE] == (expected && writes ? z : 0.5f));
      }
   }
   pipe_finish(&pipe);
}

/* What is killed writes neither colour nor depth; the shader's depth counts. */
static void
depth_export_and_kill(void **test)
{
   (void)test;
   static const char shader[] = "FRAG\n"
                                "DCL IN[0], GENERIC[0], CONSTANT\n"
                                "DCL IN[1], POSITION, LINEAR\n"
                                "DCL OUT[0], POSITION\n"
                                "DCL OUT[1], COLOR\n"
                                "DCL TEMP[0]\n"
                                "IMM[0] FLT32 {8.0, 0.75, 0.0, 0.0}\n"
                                "ADD TEMP[0], IN[1].xxxx, -IMM[0].xxxx\n"
                                "KILL_IF TEMP[0].xxxx\n"
                                "MOV OUT[0].z, IMM[0].yyyy\n"
                                "MOV OUT[1], IN[0]\n"
                                "END\n";
   const struct pipe_vertex v[3] = {
      at(-1, -1, 0, 1, 7, 0),
      at(3, -1, 0, 1, 7, 0),
      at(-1, 3, 0, 1, 7, 0),
   };
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, shader);
   pipe.state.depth = (struct tg_depth_stencil_alpha_state){
      .size = sizeof(struct tg_depth_stencil_alpha_state),
      .depth_enabled = true,
      .depth_writemask = true,
      .depth_func = TG_COMPARE_ALWAYS,
   };
   pipe_set_vertices(&pipe, v, 3);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   const float *depth = (const float *)pipe_texels(pipe.depth, 0);
   for (uint32_t x = 0; x < SIZE; x++) {
      assert_true(depth[x] == (x < 8 ? 0.0f : 0.75f));
      assert_true(pipe_pixel(&pipe, x, 0)[0] == (x < 8 ? 0.0f : 7.0f));
   }
   pipe_finish(&pipe);
}

/* A shader that kills is tested behind its code, unless it asks to be tested
 * before: then what it kills has written its depth. */
static void
early_depth_is_before_the_shader(void **test)
{
   (void)test;
   static const char text[] = "FRAG\n"
                              "%s"
                              "DCL IN[0], GENERIC[0], CONSTANT\n"
                              "DCL OUT[0], COLOR\n"
                              "IMM[0] FLT32 {-1.0, 0.0, 0.0, 0.0}\n"
                              "KILL_IF IMM[0].xxxx\n"
                              "MOV OUT[0], IN[0]\n"
                              "END\n";
   const struct pipe_vertex v[3] = {
      at(-1, -1, 0, 1, 7, 0),
      at(3, -1, 0, 1, 7, 0),
      at(-1, 3, 0, 1, 7, 0),
   };
   for (int early = 0; early < 2; early++) {
      char shader[400];
      struct pipe pipe;
      snprintf(shader, sizeof(shader), text,
               early ? "PROPERTY FS_EARLY_DEPTH_STENCIL 1\n" : "");
      pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, shader);
      pipe.state.depth = (struct tg_depth_stencil_alpha_state){
         .size = sizeof(struct tg_depth_stencil_alpha_state),
         .depth_enabled = true,
         .depth_writemask = true,
         .depth_func = TG_COMPARE_ALWAYS,
      };
      pipe_set_vertices(&pipe, v, 3);
      assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
      const float *depth = (const float *)pipe_texels(pipe.depth, 0);
      assert_true(depth[0] == (early ? 0.5f : 0.0f));
      assert_true(pipe_pixel(&pipe, 0, 0)[0] == 0.0f);
      pipe_finish(&pipe);
   }
}

/* ---- culling ------------------------------------------------------------- */

static void
culls_faces(void **test)
{
   (void)test;
   const struct pipe_vertex clockwise[3] = {
      at(-1, -1, 0, 1, 1, 0),
      at(3, -1, 0, 1, 1, 0),
      at(-1, 3, 0, 1, 1, 0),
   };
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_constant_shader);
   pipe_set_vertices(&pipe, clockwise, 3);
   for (int front_ccw = 0; front_ccw < 2; front_ccw++) {
      for (int cull = 0; cull < 4; cull++) {
         const int face = front_ccw ? TG_FACE_BACK : TG_FACE_FRONT;
         pipe.state.rasterizer.front_ccw = front_ccw;
         pipe.state.rasterizer.cull_face = (uint8_t)cull;
         pipe_clear(pipe.color, (const float[4]){0});
         assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
         assert_true(pipe_pixel(&pipe, 1, 1)[0] == (cull & face ? 0 : 1));
      }
   }
   pipe_finish(&pipe);
}

/* ---- clipping ------------------------------------------------------------ */

static int
count_covered(const struct pipe *pipe)
{
   int count = 0;
   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++)
         count += pipe_pixel(pipe, x, y)[3] != 0;
   }
   return count;
}

/* Draws one triangle of three clip-space positions; the pixels it covers. */
static int
draw_clip_positions(float position[3][4], bool halfz)
{
   struct pipe_vertex v[3];
   for (int i = 0; i < 3; i++) {
      memcpy(v[i].position, position[i], sizeof(v[i].position));
      memcpy(v[i].attribute, (float[4]){1, 1, 1, 1}, sizeof(v[i].attribute));
   }
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_perspective_shader);
   pipe.state.rasterizer.clip_halfz = halfz;
   pipe_set_vertices(&pipe, v, 3);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   const int count = count_covered(&pipe);
   pipe_finish(&pipe);
   return count;
}

/* Clipping leaves these thin triangles as fans, of which rounding turns one
 * part round: all the same each has one face. */
static void
clipped_slivers_have_one_face(void **test)
{
   (void)test;
   static const struct pipe_vertex slivers[][3] = {
      {{{0x1.cd4p+0f, -0x1.34cp+1f, 0, 0x1.4p+0f}, {1}},
       {{-0x1.54ap+0f, -0x1.e78p-1f, 0, 0x1.9p+1f}, {1}},
       {{-0x1.29828p-2f, -0x1.6fd0cp+0f, 0, 0x1.405p+1f}, {1}}},
      {{{-0x1.f008p+1f, -0x1.6fbp+0f, 0, 0x1.28p+1f}, {1}},
       {{0x1.6bp+0f, 0x1.2p-5f, 0, 0x1.8p-1f}, {1}},
       {{0x1.cd56ep-1f, -0x1.b913p-4f, 0, 0x1.ce2p-1f}, {1}}},
      {{{-0x1.4a2p+1f, -0x1.f78p-2f, 0, 0x1.3p+1f}, {1}},
       {{0x1.3a18p+2f, -0x1.409p+2f, 0, 0x1.7p+1f}, {1}},
       {{0x1.af6a4p-1f, -0x1.4797fp+1f, 0, 0x1.4d4p+1f}, {1}}},
   };
   static const uint8_t faces[2] = {TG_FACE_FRONT, TG_FACE_BACK};
   for (size_t i = 0; i < sizeof(slivers) / sizeof(*slivers); i++) {
      uint64_t num_drawn[2];
      for (int culled = 0; culled < 2; culled++) {
         struct pipe pipe;
         pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_constant_shader);
         pipe.state.rasterizer.cull_face = faces[culled];
         pipe_set_vertices(&pipe, slivers[i], 3);
         assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
         num_drawn[culled] = pipe_statistics(&pipe).triangles;
         pipe_finish(&pipe);
      }
      assert_true((num_drawn[0] == 0) != (num_drawn[1] == 0));
   }
}

static void
clips(void **test)
{
   (void)test;
   const int all = SIZE * SIZE;
   /* Behind the eye as a whole. */
   float behind[3][4] = {{-1, -1, 0, -1}, {3, -1, 0, -1}, {-1, 3, 0, -1}};
   assert_int_equal(draw_clip_positions(behind, false), 0);

   /* A ground plane through the eye: w = -z. What is in front, from z = -1,
    * where y / w = -1, to the horizon, is the half of the picture with y
    * from -1 to 0: its 16 upper rows. */
   float ground[3][4] = {
      {0, -1, 100, -100}, {1e6f, -1, -1e6f, 1e6f}, {-1e6f, -1, -1e6f, 1e6f}};
   assert_int_equal(draw_clip_positions(ground, false), all / 2);

   /* Enormous: every pixel once. */
   float huge[3][4] = {
      {-1e30f, -1e30f, 0, 1}, {3e30f, -1e30f, 0, 1}, {-1e30f, 3e30f, 0, 1}};
   assert_int_equal(draw_clip_positions(huge, false), all);

   /* In front of the near plane of one kind and not of the other. */
   float near_half[3][4] = {
      {-1, -1, -0.5f, 1}, {3, -1, -0.5f, 1}, {-1, 3, -0.5f, 1}};
   assert_int_equal(draw_clip_positions(near_half, false), all);
   assert_int_equal(draw_clip_positions(near_half, true), 0);
   float far_out[3][4] = {
      {-1, -1, 1.5f, 1}, {3, -1, 1.5f, 1}, {-1, 3, 1.5f, 1}};
   assert_int_equal(draw_clip_positions(far_out, false), 0);
}

static void
strange_positions_are_harmless(void **test)
{
   (void)test;
   static const float strange[] = {NAN,   INFINITY, -INFINITY, 0.0f,
                                   -0.0f, 1e-45f,   3e38f,     -3e38f,
                                   1.0f,  -1.0f,    1e20f,     1e-20f};
   const int count = sizeof(strange) / sizeof(*strange);
   struct pipe_vertex v[3 * 256];
   uint32_t seed = 1;
   for (int i = 0; i < 3 * 256; i++) {
      for (int c = 0; c < 4; c++) {
         seed = seed * 1664525 + 1013904223;
         v[i].position[c] = strange[(seed >> 16) % (uint32_t)count];
         v[i].attribute[c] = strange[(seed >> 20) % (uint32_t)count];
      }
   }
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_perspective_shader);
   pipe_set_vertices(&pipe, v, 3 * 256);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3 * 256), TG_OK);
   pipe_finish(&pipe);

   /* A NaN anywhere makes the triangle vanish. */
   for (int i = 0; i < 12; i++) {
      float position[3][4] = {{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}};
      position[i / 4][i % 4] = NAN;
      assert_int_equal(draw_clip_positions(position, false), 0);
   }
}

/* ---- vertices ------------------------------------------------------------ */

/* A grid of SIDE by SIDE quads, as a list, with every corner written out. */
enum { SIDE = 20, GRID_INDICES = SIDE * SIDE * 6 };

static struct pipe_vertex
grid_vertex(uint32_t index)
{
   const float x = (float)(index % (SIDE + 1)) / SIDE * 1.9f - 0.95f;
   const float y = (float)(index / (SIDE + 1)) / SIDE * 1.8f - 0.95f;
   return at(x, y, 0, 1 + x * 0.5f, sinf((float)index), 1);
}

static void
grid_indices(uint32_t indices[GRID_INDICES])
{
   uint32_t n = 0;
   for (uint32_t y = 0; y < SIDE; y++) {
      for (uint32_t x = 0; x < SIDE; x++) {
         const uint32_t corner = y * (SIDE + 1) + x;
         const uint32_t quad[6] = {0, 1, SIDE + 1, SIDE + 1, 1, SIDE + 2};
         for (int i = 0; i < 6; i++)
            indices[n++] = corner + quad[i];
      }
   }
}

static void
indexed_draws_equal_plain_ones(void **test)
{
   (void)test;
   static uint32_t indices[GRID_INDICES], plain[SIZE * SIZE * 4];
   static uint16_t short_indices[GRID_INDICES];
   static struct pipe_vertex corners[GRID_INDICES];
   static struct pipe_vertex vertices[3 + (SIDE + 1) * (SIDE + 1)];
   const uint32_t num_vertices = (SIDE + 1) * (SIDE + 1);

   /* Shared vertices stand behind three others, which the bias skips. */
   grid_indices(indices);
   for (uint32_t i = 0; i < GRID_INDICES; i++) {
      corners[i] = grid_vertex(indices[i]);
      short_indices[i] = (uint16_t)indices[i];
   }
   for (uint32_t i = 0; i < num_vertices; i++)
      vertices[3 + i] = grid_vertex(i);

   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_perspective_shader);
   pipe_set_vertices(&pipe, corners, GRID_INDICES);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, GRID_INDICES),
                    TG_OK);
   memcpy(plain, pipe_texels(pipe.color, 0), sizeof(plain));
   assert_in_range(count_covered(&pipe), 800, SIZE * SIZE);

   pipe_set_vertices(&pipe, vertices, 3 + num_vertices);
   for (uint8_t size = 2; size <= 4; size += 2) {
      const uint64_t before = pipe_statistics(&pipe).pipeline.vs_invocations;
      const struct tg_draw_range range = {
         .count = GRID_INDICES,
         .index_bias = 3,
      };
      struct tg_draw_info info = TG_DRAW_INFO_INIT;
      info.index_size = size;
      info.index_buffer =
         size == 2 ? pipe_buffer(&pipe, short_indices, sizeof(short_indices))
                   : pipe_buffer(&pipe, indices, sizeof(indices));
      info.draws = &range;
      pipe_clear(pipe.color, (const float[4]){0});
      assert_int_equal(pipe_draw_info(&pipe, &info, 0), TG_OK);
      assert_memory_equal(pipe_texels(pipe.color, 0), plain, sizeof(plain));
      /* Each vertex was shaded once: all fit in a batch. */
      assert_int_equal(pipe_statistics(&pipe).pipeline.vs_invocations - before,
                       num_vertices);
   }
   pipe_finish(&pipe);
}

/* A strip with a restart in it winds like two strips. */
static void
strips_alternate_and_restart(void **test)
{
   (void)test;
   const struct pipe_vertex v[8] = {
      at(-1, -1, 0, 1, 1, 0),    at(-1, 1, 0, 1, 1, 0),
      at(-0.5f, -1, 0, 1, 1, 0), at(-0.5f, 1, 0, 1, 1, 0),
      at(0, -1, 0, 1, 1, 0),     at(0.5f, -1, 0, 1, 1, 0),
      at(0.5f, 1, 0, 1, 1, 0),   at(1, -1, 0, 1, 1, 0),
   };
   const uint32_t indices[9] = {0, 1, 2, 3, 4, 99, 5, 6, 7};
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_constant_shader);
   pipe.state.rasterizer.front_ccw = true;
   pipe.state.rasterizer.cull_face = TG_FACE_BACK;
   pipe_set_vertices(&pipe, v, 8);
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.mode = TG_PRIMITIVE_TRIANGLE_STRIP;
   info.index_size = 4;
   info.index_buffer = pipe_buffer(&pipe, indices, sizeof(indices));
   info.primitive_restart = true;
   info.restart_index = 99;
   assert_int_equal(pipe_draw_info(&pipe, &info, 9), TG_OK);
   /* A quarter, half of a quarter, and half of a quarter. */
   assert_in_range(count_covered(&pipe), SIZE * SIZE / 2 - SIZE,
                   SIZE * SIZE / 2 + SIZE);
   assert_true(pipe_pixel(&pipe, SIZE / 2 + 4, 4)[3] == 0);
   assert_int_equal(pipe_statistics(&pipe).triangles, 4);
   pipe_finish(&pipe);
}

/* Rows beyond the end of a buffer read as four zeros; what the format of others
 * has not is (0, 0, 0, 1). */
static void
fetches_nothing_out_of_range(void **test)
{
   (void)test;
   static const char vertex_shader[] =
      "VERT\n"
      "DCL IN[0]\n"
      "DCL IN[1]\n"
      "DCL SV[0], VERTEXID\n"
      "DCL OUT[0], POSITION\n"
      "DCL OUT[1], GENERIC[0]\n"
      "DCL TEMP[0]\n"
      "IMM[0] FLT32 {0.0, 1.0, -1.0, 4.0}\n"
      "U2F TEMP[0].x, SV[0].xxxx\n"
      "SGE TEMP[0].y, TEMP[0].xxxx, IMM[0].yyyy\n"
      "SGT TEMP[0].z, TEMP[0].xxxx, IMM[0].yyyy\n"
      "MAD OUT[0].x, TEMP[0].yyyy, IMM[0].wwww, IMM[0].zzzz\n"
      "MAD OUT[0].y, TEMP[0].zzzz, IMM[0].wwww, IMM[0].zzzz\n"
      "MAD OUT[0].x, TEMP[0].zzzz, -IMM[0].wwww, OUT[0].xxxx\n"
      "MOV OUT[0].zw, IMM[0].xxxy\n"
      "ADD OUT[1], IN[0], IMM[0].yyyy\n"
      "END\n";
   const float short_buffer[2] = {5.0f, 6.0f};
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, vertex_shader, pipe_constant_shader);
   pipe.state.elements[0].format = TG_FORMAT_R32_FLOAT;
   pipe.state.num_elements = 1;
   pipe.state.vertices.stride = 4;
   pipe.state.vertices.buffer =
      pipe_buffer(&pipe, short_buffer, sizeof(short_buffer));
   for (int first = 0; first < 2; first++) {
      pipe.state.rasterizer.flatshade_first = first;
      assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
      const float *pixel = pipe_pixel(&pipe, 0, 0);
      assert_true(pixel[0] == (first ? 6.0f : 1.0f));
      assert_true(pixel[1] == 1.0f);
      assert_true(pixel[3] == (first ? 2.0f : 1.0f));
   }
   pipe_finish(&pipe);
}

static void
unlinked_inputs_read_zero(void **test)
{
   (void)test;
   static const char shader[] = "FRAG\n"
                                "DCL IN[0], GENERIC[9], PERSPECTIVE\n"
                                "DCL OUT[0], COLOR\n"
                                "IMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}\n"
                                "ADD OUT[0], IN[0], IMM[0].xxxx\n"
                                "END\n";
   const struct pipe_vertex v[3] = {
      at(-1, -1, 0, 1, 5, 5), at(3, -1, 0, 1, 5, 5), at(-1, 3, 0, 1, 5, 5)};
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, shader);
   pipe_set_vertices(&pipe, v, 3);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   for (int c = 0; c < 4; c++)
      assert_true(pipe_pixel(&pipe, 0, 0)[c] == 1.0f);
   pipe_finish(&pipe);
}

/* Where links are strict such a draw is refused, and a linked one is not. */
static void
unlinked_inputs_can_be_refused(void **test)
{
   (void)test;
   static const char shader[] = "FRAG\n"
                                "DCL IN[0], POSITION, LINEAR\n"
                                "DCL IN[1], GENERIC[9], PERSPECTIVE\n"
                                "DCL OUT[0], COLOR\n"
                                "MOV OUT[0], IN[1]\n"
                                "END\n";
   const struct pipe_vertex v[3] = {
      at(-1, -1, 0, 1, 5, 5), at(3, -1, 0, 1, 5, 5), at(-1, 3, 0, 1, 5, 5)};
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   options.links_strictly = true;
   struct pipe pipe;
   pipe_init_with(&pipe, 0, &options, SIZE, SIZE, pipe_vertex_shader, shader);
   pipe_set_vertices(&pipe, v, 3);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3),
                    TG_ERROR_INPUT);
   assert_int_equal(count_covered(&pipe), 0);
   assert_string_equal(
      tg_diagnostics_get(pipe.diagnostics,
                         tg_diagnostics_count(pipe.diagnostics) - 1)
         ->message,
      "IN[1] of test is GENERIC[9], which test does not write");
   pipe.state.fs = pipe_shader(&pipe, pipe_perspective_shader);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   assert_true(count_covered(&pipe) > 0);
   pipe_finish(&pipe);
}

/* ---- outputs ------------------------------------------------------------- */

static void
packs_unorm8(void **test)
{
   (void)test;
   /* 0.5 * 255 = 127.5 goes to the even 128; 0.1 * 255 = 25.5 (rounded: the
    * float product is 25.5) to 26; NaN to 0, what is beyond to the end. */
   const struct pipe_vertex v[3] = {
      {{-1, -1, 0, 1}, {0}},
      {{3, -1, 0, 1}, {0}},
      {{-1, 3, 0, 1}, {0.5f, 1.5f, -3.0f, NAN}},
   };
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_constant_shader);
   struct tg_resource *target =
      pipe_texture(&pipe, TG_FORMAT_R8G8B8A8_UNORM, SIZE + 3, SIZE + 1, 0);
   pipe.state.framebuffer.colors[0] = tg_surface_of(target);
   pipe_set_vertices(&pipe, v, 3);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   const uint32_t *words = pipe_texels(target, 0);
   for (uint32_t y = 0; y <= SIZE; y++) {
      for (uint32_t x = 0; x < SIZE + 3; x++)
         assert_int_equal(words[y * (SIZE + 3) + x],
                          x < SIZE && y < SIZE ? 0x0000ff80 : 0);
   }
   pipe_finish(&pipe);
}

static void
color0_goes_everywhere(void **test)
{
   (void)test;
   static const char text[] = "FRAG\n"
                              "%s"
                              "DCL OUT[0], COLOR\n"
                              "%s"
                              "IMM[0] FLT32 {1.0, 2.0, 3.0, 4.0}\n"
                              "MOV OUT[0], IMM[0]\n"
                              "%s"
                              "END\n";
   const struct pipe_vertex v[3] = {
      at(-1, -1, 0, 1, 0, 0), at(3, -1, 0, 1, 0, 0), at(-1, 3, 0, 1, 0, 0)};
   for (int all = 0; all < 2; all++) {
      char shader[400];
      snprintf(shader, sizeof(shader), text,
               all ? "PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\n" : "",
               all ? "" : "DCL OUT[1], COLOR[1]\n",
               all ? "" : "MOV OUT[1], IMM[0].wzyx\n");
      struct pipe pipe;
      pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, shader);
      struct tg_resource *second =
         pipe_texture(&pipe, TG_FORMAT_R32G32B32A32_FLOAT, SIZE, SIZE, 0);
      pipe.state.framebuffer.num_colors = 2;
      pipe.state.framebuffer.colors[1] = tg_surface_of(second);
      pipe_set_vertices(&pipe, v, 3);
      assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
      assert_true(pipe_pixel(&pipe, 0, 0)[0] == 1.0f);
      const float *pixel = (const float *)pipe_texels(second, 0);
      assert_true(pixel[0] == (all ? 1.0f : 4.0f));
      pipe_finish(&pipe);
   }
}

/* ---- hidden blocks ------------------------------------------------------- */

/* Of two triangles over all pixels the second one, behind, costs nothing: each
 * of the 4 by 4 blocks of 8 by 8 pixels is left out. */
static void
what_is_hidden_is_left_out(void **test)
{
   (void)test;
   const struct pipe_vertex v[6] = {
      at(-1, -1, -0.5f, 1, 1, 1), at(7, -1, -0.5f, 1, 1, 1),
      at(-1, 7, -0.5f, 1, 1, 1),  at(-1, -1, 0.5f, 1, 2, 2),
      at(7, -1, 0.5f, 1, 2, 2),   at(-1, 7, 0.5f, 1, 2, 2),
   };
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_constant_shader);
   pipe.state.depth = (struct tg_depth_stencil_alpha_state){
      .size = sizeof(struct tg_depth_stencil_alpha_state),
      .depth_enabled = true,
      .depth_writemask = true,
      .depth_func = TG_COMPARE_LESS,
   };
   pipe_clear(pipe.depth, (const float[4]){1});
   pipe_set_vertices(&pipe, v, 6);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 6), TG_OK);
   const struct tg_context_statistics done = pipe_statistics(&pipe);
   assert_int_equal(done.fragments, SIZE * SIZE);
   assert_int_equal(done.hidden_blocks, (SIZE / 8) * (SIZE / 8));
   assert_true(pipe_pixel(&pipe, 9, 9)[0] == 1);

   /* A stencil that counts what fails must see it. */
   pipe.state.depth.stencil[0] = (struct tg_stencil_state){
      .enabled = true,
      .func = TG_COMPARE_ALWAYS,
      .zfail_op = TG_STENCIL_INCR,
   };
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 6), TG_OK);
   assert_int_equal(pipe_statistics(&pipe).hidden_blocks, done.hidden_blocks);
   pipe_finish(&pipe);
}

/* ---- pixel counters ------------------------------------------------------ */

/* Two triangles over all pixels, the first clipped to the left half: two
 * fragments there, one elsewhere, and as many instructions for each. */
static void
counts_what_pixels_cost(void **test)
{
   (void)test;
   const struct pipe_vertex v[9] = {
      at(-1, -1, 0, 1, 1, 1), at(0, -1, 0, 1, 1, 1), at(-1, 1, 0, 1, 1, 1),
      at(-1, 1, 0, 1, 1, 1),  at(0, -1, 0, 1, 1, 1), at(0, 1, 0, 1, 1, 1),
      at(-1, -1, 0, 1, 2, 2), at(7, -1, 0, 1, 2, 2), at(-1, 7, 0, 1, 2, 2),
   };
   enum { WIDER = SIZE + 3 };
   static uint32_t fragments[SIZE][WIDER], instructions[SIZE][WIDER];
   const struct tg_pixel_counters counters = {
      .size = sizeof(counters),
      .width = WIDER,
      .height = SIZE - 1,
      .fragments = fragments[0],
      .instructions = instructions[0],
   };
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_constant_shader);
   pipe_set_vertices(&pipe, v, 9);
   tg_context_set_pixel_counters(pipe.gpu, &counters);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 9), TG_OK);
   tg_context_set_pixel_counters(pipe.gpu, NULL);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 9), TG_OK);
   const uint32_t cost = instructions[0][SIZE - 1];
   assert_in_range(cost, 1, 200);
   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < WIDER; x++) {
         const bool is_counted = x < SIZE && y < SIZE - 1;
         const uint32_t expected = is_counted ? x < SIZE / 2 ? 2 : 1 : 0;
         assert_int_equal(fragments[y][x], expected);
         assert_int_equal(instructions[y][x], expected * cost);
      }
   }
   pipe_finish(&pipe);
}

/* ---- refusals ------------------------------------------------------------ */

static void
refuses_and_draws_nothing(void **test)
{
   (void)test;
   const struct pipe_vertex v[3] = {
      at(-1, -1, 0, 1, 5, 5), at(3, -1, 0, 1, 5, 5), at(-1, 3, 0, 1, 5, 5)};
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_constant_shader);
   pipe_set_vertices(&pipe, v, 3);
   const struct pipe_state good = pipe.state;

   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_PATCHES, 3), TG_ERROR_INPUT);
   pipe.state.vs = NULL;
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3),
                    TG_ERROR_INPUT);
   pipe.state = good;
   pipe.state.viewport.scale[0] = NAN;
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3),
                    TG_ERROR_INPUT);
   pipe.state = good;
   pipe.state.framebuffer.width = SIZE + 1;
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3),
                    TG_ERROR_INPUT);
   pipe.state = good;
   pipe.state.framebuffer.colors[0] = tg_surface_of(pipe.depth);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3),
                    TG_ERROR_INPUT);
   pipe.state = good;
   pipe.state.elements[0].format = TG_FORMAT_Z32_FLOAT;
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3),
                    TG_ERROR_INPUT);
   assert_int_equal(count_covered(&pipe), 0);
   assert_int_equal(tg_diagnostics_count(pipe.diagnostics), 6);
   assert_string_equal(tg_diagnostics_get(pipe.diagnostics, 0)->message,
                       "vertices_per_patch is 0; expected 1 to 32");
   pipe_finish(&pipe);
}

/* ---- viewports ----------------------------------------------------------- */

/* The colour of each pixel of a triangle in a viewport, from x and y. */
static void
draw_in(struct tg_viewport viewport, float pixels_out[SIZE * SIZE])
{
   const struct pipe_vertex v[3] = {at(-0.99999f, -1, 0, 1, 1, 2),
                                    at(1, -0.9f, 0, 1, 3, 4),
                                    at(-0.999995f, 1, 0, 1, 5, 6)};
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_linear_shader);
   pipe_set_vertices(&pipe, v, 3);
   pipe.state.viewport = viewport;
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      pixels_out[i] = pipe_pixel(&pipe, i % SIZE, i / SIZE)[0];
   pipe_finish(&pipe);
}

/* What is beyond 2^20 is 2^20. */
static void
far_viewports_are_held(void **test)
{
   const float reach = TG_MAX_VIEWPORT_REACH;
   static const float beyond[] = {0x1.000002p20f, 1e9f, 3e38f, INFINITY};
   float expected[SIZE * SIZE], pixels[SIZE * SIZE];
   (void)test;
   for (unsigned flip = 0; flip < 2; flip++) {
      const float sign = flip ? -1 : 1;
      draw_in((struct tg_viewport){{reach, sign * reach, 1}, {reach, 4, 0}},
              expected);
      for (unsigned i = 0; i < sizeof(beyond) / sizeof(*beyond); i++) {
         draw_in((struct tg_viewport){{beyond[i], sign * beyond[i], 1},
                                      {beyond[i], 4, 0}},
                 pixels);
         assert_memory_equal(pixels, expected, sizeof(pixels));
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(far_viewports_are_held),
      cmocka_unit_test(interpolates),
      cmocka_unit_test(keeps_constants_exact),
      cmocka_unit_test(flat_color_comes_from_the_provoking_vertex),
      cmocka_unit_test(position_and_face_inputs),
      cmocka_unit_test(fog_is_a_scalar_before_2019),
      cmocka_unit_test(depth_functions),
      cmocka_unit_test(depth_export_and_kill),
      cmocka_unit_test(early_depth_is_before_the_shader),
      cmocka_unit_test(culls_faces),
      cmocka_unit_test(clips),
      cmocka_unit_test(clipped_slivers_have_one_face),
      cmocka_unit_test(strange_positions_are_harmless),
      cmocka_unit_test(indexed_draws_equal_plain_ones),
      cmocka_unit_test(strips_alternate_and_restart),
      cmocka_unit_test(fetches_nothing_out_of_range),
      cmocka_unit_test(unlinked_inputs_read_zero),
      cmocka_unit_test(unlinked_inputs_can_be_refused),
      cmocka_unit_test(packs_unorm8),
      cmocka_unit_test(color0_goes_everywhere),
      cmocka_unit_test(what_is_hidden_is_left_out),
      cmocka_unit_test(counts_what_pixels_cost),
      cmocka_unit_test(refuses_and_draws_nothing),
   };
   return cmocka_run_group_tests_name("gpu: draw", tests, NULL, NULL);
}
