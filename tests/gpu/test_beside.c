/* SPDX-License-Identifier: MIT
 *
 * Trivial reject of all that a draw, or a part of it, has beside the view.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipe.h"

enum { SIZE = 8, MOST = 40, STRIP = 2500 };

static const float nothing[4];

static bool
is_drawn(const struct pipe *pipe, uint32_t x, uint32_t y)
{
   return pipe_pixel(pipe, x, y)[0] != 0.0f;
}

/* Gives its points as they are. */
static const char geometry_shader[] = "GEOM\n"
                                      "PROPERTY GS_INPUT_PRIMITIVE POINTS\n"
                                      "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                                      "PROPERTY GS_MAX_OUTPUT_VERTICES 1\n"
                                      "DCL IN[][0], POSITION\n"
                                      "DCL IN[][1], GENERIC[0]\n"
                                      "DCL OUT[0], POSITION\n"
                                      "DCL OUT[1], GENERIC[0]\n"
                                      "IMM[0] UINT32 {0, 0, 0, 0}\n"
                                      "MOV OUT[0], IN[0][0]\n"
                                      "MOV OUT[1], IN[0][1]\n"
                                      "EMIT IMM[0].xxxx\n"
                                      "END\n";

/* One of `count` points is in view, number `at` if there is one. The others may
 * be beyond one side or beyond several, as many kinds of them. */
static void
draw_one_among(struct pipe *pipe, uint32_t count, uint32_t at, uint32_t kinds)
{
   static const struct pipe_vertex outside[3] = {
      {{5, 0, 0, 1}, {1}}, {{0, -5, 0, 1}, {1}}, {{-5, 5, 0, 1}, {1}}};
   const struct pipe_vertex inside = {{0.125f, 0.125f, 0, 1}, {1}};
   struct pipe_vertex vertices[MOST];
   for (uint32_t i = 0; i < count; i++)
      vertices[i] = i == at ? inside : outside[i % kinds];
   pipe_set_vertices(pipe, vertices, count);
   pipe->num_resources--;
   pipe_clear(pipe->color, nothing);
   assert_int_equal(pipe_draw(pipe, TG_PRIMITIVE_POINTS, count), TG_OK);
   assert_int_equal(is_drawn(pipe, SIZE / 2, SIZE / 2), at < count);
   tg_resource_destroy(pipe->resources[pipe->num_resources]);
}

/* Wherever it stands among the others. Sides of the view are found in lanes of
 * vertices, and in records that a geometry shader emits. */
static void
one_point_among_many_is_drawn(void **test)
{
   (void)test;
   for (unsigned turn = 0; turn < 4; turn++) {
      struct pipe pipe;
      pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_constant_shader);
      if (turn & 1)
         assert_int_equal(
            tg_context_set_shader(pipe.gpu, TG_GPU_GEOMETRY,
                                  pipe_shader(&pipe, geometry_shader), NULL),
            TG_OK);
      for (uint32_t count = 1; count <= MOST; count += 3) {
         for (uint32_t at = 0; at <= count; at++)
            draw_one_among(&pipe, count, at, turn & 2 ? 3 : 1);
      }
      pipe_finish(&pipe);
   }
}

/* The first register is beyond a side, but the position is another one. */
static void
the_position_is_any_register(void **test)
{
   static const char shader[] = "VERT\n"
                                "DCL IN[0]\n"
                                "DCL IN[1]\n"
                                "DCL OUT[0], GENERIC[0]\n"
                                "DCL OUT[1], POSITION\n"
                                "MOV OUT[0], IN[1]\n"
                                "MOV OUT[1], IN[0]\n"
                                "END\n";
   static const struct pipe_vertex point = {{0.125f, 0.125f, 0, 1},
                                            {5, 0, 0, 1}};
   struct pipe pipe;
   (void)test;
   pipe_init(&pipe, SIZE, SIZE, shader, pipe_constant_shader);
   pipe_set_vertices(&pipe, &point, 1);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_POINTS, 1), TG_OK);
   assert_true(is_drawn(&pipe, SIZE / 2, SIZE / 2));
   pipe_finish(&pipe);
}

/* The strip begins, and most of it is, beside the view: its pattern begins anew
 * all the same, whatever was drawn before. */
static void
lines_beside_the_view_restart_the_stipple(void **test)
{
   static struct pipe_vertex strip[STRIP];
   static const struct pipe_vertex line[2] = {{{-1, -0.9f, 0, 1}, {1}},
                                              {{-0.25f, -0.9f, 0, 1}, {1}}};
   bool drawn[2][SIZE];
   (void)test;
   for (uint32_t i = 0; i < STRIP; i++)
      strip[i] =
         (struct pipe_vertex){{i < STRIP - 1 ? -5 : 1, 0.1f, 0, 1}, {1}};
   for (unsigned turn = 0; turn < 2; turn++) {
      struct pipe pipe;
      pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_constant_shader);
      pipe.state.rasterizer.line_stipple_enable = true;
      pipe.state.rasterizer.line_stipple_pattern = 0x0f0f;
      if (turn) {
         pipe_set_vertices(&pipe, line, 2);
         assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_LINES, 2), TG_OK);
      }
      pipe_set_vertices(&pipe, strip, STRIP);
      assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_LINE_STRIP, STRIP), TG_OK);
      for (uint32_t x = 0; x < SIZE; x++)
         drawn[turn][x] = is_drawn(&pipe, x, 4);
      pipe_finish(&pipe);
   }
   assert_memory_equal(drawn[0], drawn[1], sizeof(drawn[0]));
   assert_true(drawn[0][0] != drawn[0][4]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_point_among_many_is_drawn),
      cmocka_unit_test(the_position_is_any_register),
      cmocka_unit_test(lines_beside_the_view_restart_the_stipple),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
