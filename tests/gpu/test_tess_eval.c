/* SPDX-License-Identifier: MIT
 *
 * The evaluation stage: what its shader finds at a point, which primitives come
 * out and in which order, and patches that have none.
 */
#include "stages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/geometry/tess_eval.h"

static const char vertex_text[] = "VERT\n"
                                  "DCL IN[0]\n"
                                  "DCL OUT[0], POSITION\n"
                                  "DCL OUT[1], GENERIC[3]\n"
                                  "MOV OUT[0], IN[0]\n"
                                  "MOV OUT[1], IN[0]\n"
                                  "END\n";

/* Passes coordinates on. */
#define PLACES(properties)                                                     \
   "TESS_EVAL\n" properties "DCL SV[0], TESSCOORD\n"                           \
   "DCL OUT[0], POSITION\n"                                                    \
   "MOV OUT[0], SV[0]\n"                                                       \
   "END\n"

static struct stages stages;
static struct gpu_tess_eval eval;
static struct gpu_tess_memory memory;

/* Runs `count` patches of `num_vertices`, whose ids begin at 40. `ctrl` may be
 * NULL. */
static bool
run(const char *ctrl, const char *text, uint32_t num_vertices, uint32_t count)
{
   stages_shader(&stages, vertex_text);
   if (ctrl)
      stages_shader(&stages, ctrl);
   stages_shader(&stages, text);
   stages_fill(&stages, 2, num_vertices, count, 40);
   if (gpu_tess_eval_init(&eval, &stages.gpu->compiler, &stages.gpu->state,
                          stages.diagnostics) != TG_OK) {
      assert_int_equal(gpu_tess_eval_finish(&eval), TG_OK);
      return false;
   }
   memset(&memory, 0x77, sizeof(memory));
   const bool good = gpu_tess_eval_run(&eval, stages.worker, &memory,
                                       &stages.in, &stages.out, &stages.sink);
   assert_int_equal(gpu_tess_eval_finish(&eval), TG_OK);
   return good;
}

static void
set_levels(float outer, float inner)
{
   tg_context_set_tess_levels(stages.gpu,
                              (const float[4]){outer, outer, outer, outer},
                              (const float[2]){inner, inner});
}

static float
word(uint32_t primitive, unsigned vertex, unsigned number)
{
   assert_true(primitive < stages.num_taken);
   return stages_float(stages.taken[primitive].words[vertex][number]);
}

/* Twice the area of a triangle of coordinates, positive counter-clockwise. */
static float
area(uint32_t t)
{
   const float x = word(t, 0, 0), y = word(t, 0, 1);
   return (word(t, 1, 0) - x) * (word(t, 2, 1) - y) -
          (word(t, 2, 0) - x) * (word(t, 1, 1) - y);
}

static int
set_up(void **state)
{
   (void)state;
   stages_init(&stages, false);
   return 0;
}

static int
tear_down(void **state)
{
   (void)state;
   stages_finish(&stages);
   return 0;
}

static void
set_up_again(void)
{
   stages_finish(&stages);
   stages_init(&stages, false);
}

/* ---- shapes -------------------------------------------------------------- */

/* Triangles of `num` in all that wind one way and fill the domain. */
static void
expect_filled(const char *text, uint32_t num, float twice_area)
{
   float sum = 0.0f;
   assert_true(run(NULL, text, 1, 1));
   assert_int_equal(stages.num_taken, num);
   for (uint32_t t = 0; t < num; t++) {
      assert_true(twice_area > 0 ? area(t) > 0 : area(t) < 0);
      assert_int_equal(stages.taken[t].is.id, 40);
      assert_int_equal(stages.taken[t].is.provoking, 2);
      assert_int_equal(stages.taken[t].is.edges, 7);
      sum += area(t);
   }
   assert_true(sum == twice_area);
}

static void
test_triangles(void **state)
{
   (void)state;
   expect_filled(PLACES("PROPERTY TES_PRIM_MODE 4\n"
                        "PROPERTY TES_SPACING 2\n"),
                 1, 1.0f);
   /* Level 2 everywhere: six outer points around the one in the middle. */
   set_up_again();
   set_levels(2.0f, 2.0f);
   expect_filled(PLACES("PROPERTY TES_PRIM_MODE 4\n"
                        "PROPERTY TES_SPACING 2\n"
                        "PROPERTY TES_VERTEX_ORDER_CW 1\n"),
                 6, -1.0f);
}

static void
test_quads(void **state)
{
   (void)state;
   set_levels(4.0f, 4.0f);
   expect_filled(PLACES("PROPERTY TES_PRIM_MODE 7\n"
                        "PROPERTY TES_SPACING 2\n"),
                 32, 2.0f);
   assert_int_equal(stages.worker->count[GPU_COUNT_DS_INVOCATIONS], 25);
}

/* Three lines of two segments each: v is 0, 1/3, 2/3, u goes from 0 to 1. */
static void
test_lines(void **state)
{
   (void)state;
   tg_context_set_tess_levels(stages.gpu,
                              (const float[4]){3.0f, 2.0f, 0.0f, 0.0f},
                              (const float[2]){0.0f, 0.0f});
   assert_true(run(NULL,
                   PLACES("PROPERTY TES_PRIM_MODE 1\n"
                          "PROPERTY TES_SPACING 2\n"),
                   1, 1));
   assert_int_equal(stages.num_taken, 6);
   for (uint32_t i = 0; i < 6; i++) {
      const float v = (float)(i / 2) / 3.0f;
      assert_true(word(i, 0, 0) == (float)(i % 2) / 2.0f);
      assert_true(word(i, 1, 0) == (float)(i % 2 + 1) / 2.0f);
      assert_true(word(i, 0, 1) - v < 1e-6f && v - word(i, 0, 1) < 1e-6f);
      assert_true(word(i, 0, 1) == word(i, 1, 1));
      assert_int_equal(stages.taken[i].is.provoking, 1);
   }
}

/* Each of the 4 * 4 grid's 25 points once. */
static void
test_points(void **state)
{
   uint32_t seen = 0;
   (void)state;
   set_levels(4.0f, 4.0f);
   assert_true(run(NULL,
                   PLACES("PROPERTY TES_PRIM_MODE 7\n"
                          "PROPERTY TES_SPACING 2\n"
                          "PROPERTY TES_POINT_MODE 1\n"),
                   1, 1));
   assert_int_equal(stages.num_taken, 25);
   for (uint32_t i = 0; i < 25; i++) {
      const uint32_t number =
         (uint32_t)(word(i, 0, 0) * 4.0f + word(i, 0, 1) * 20.0f);
      seen |= 1u << number;
   }
   assert_int_equal(seen, (1u << 25) - 1);
}

/* ---- inputs -------------------------------------------------------------- */

/* Without a control shader: vertices by their weights, set levels. */
static void
test_inputs(void **state)
{
   static const char text[] = "TESS_EVAL\n"
                              "PROPERTY TES_PRIM_MODE 4\n"
                              "PROPERTY TES_SPACING 2\n"
                              "DCL IN[][0], GENERIC[3]\n"
                              "DCL IN[1], TESSOUTER\n"
                              "DCL IN[2], PATCH[6]\n"
                              "DCL SV[0], TESSCOORD\n"
                              "DCL SV[1], PRIMID\n"
                              "DCL SV[2], VERTICESIN\n"
                              "DCL SV[3], TESSINNER\n"
                              "DCL OUT[0], POSITION\n"
                              "DCL OUT[1], GENERIC[0]\n"
                              "DCL TEMP[0]\n"
                              "MUL TEMP[0].x, SV[0].xxxx, IN[0][0].xxxx\n"
                              "MAD TEMP[0].x, SV[0].yyyy, IN[1][0].xxxx, "
                              "TEMP[0].xxxx\n"
                              "MAD OUT[0].x, SV[0].zzzz, IN[2][0].xxxx, "
                              "TEMP[0].xxxx\n"
                              "MOV OUT[0].y, SV[1].xxxx\n"
                              "MOV OUT[0].z, SV[2].xxxx\n"
                              "MOV OUT[0].w, IN[4][0].xxxx\n"
                              "MOV OUT[1].x, IN[1].wwww\n"
                              "MOV OUT[1].y, SV[3].yyyy\n"
                              "MOV OUT[1].z, IN[2].xxxx\n"
                              "END\n";
   (void)state;
   tg_context_set_tess_levels(stages.gpu,
                              (const float[4]){1.0f, 1.0f, 1.0f, 8.0f},
                              (const float[2]){1.0f, 7.0f});
   assert_true(run(NULL, text, 4, 2));
   assert_int_equal(stages.num_taken, 2);
   for (uint32_t p = 0; p < 2; p++) {
      float sum = 0.0f;
      for (unsigned v = 0; v < 3; v++) {
         const uint32_t *words = stages.taken[p].words[v];
         sum += word(p, v, 0);
         assert_int_equal(words[1], 40 + p);
         assert_int_equal(words[2], 4);
         assert_int_equal(words[3], 0); /* there is no vertex 4 */
         assert_true(word(p, v, 4) == 8.0f && word(p, v, 5) == 7.0f);
         assert_int_equal(words[6], 0);
      }
      /* The corners are the first three vertices, 100 v + 10 each. */
      assert_true(sum == (float)(p * 4) * 300.0f + 300.0f + 30.0f);
   }
}

/* Patch 41 has no levels, 42 a NaN. Patch 43 has more triangles than 40, which
 * comes first. */
static void
test_control(void **state)
{
   static const char ctrl[] = "TESS_CTRL\n"
                              "PROPERTY TCS_VERTICES_OUT 2\n"
                              "DCL IN[][0], GENERIC[3]\n"
                              "DCL OUT[][0], GENERIC[3]\n"
                              "DCL OUT[1], TESSOUTER\n"
                              "DCL OUT[2], TESSINNER\n"
                              "DCL OUT[3], PATCH[2]\n"
                              "DCL SV[0], INVOCATIONID\n"
                              "DCL SV[1], PRIMID\n"
                              "DCL ADDR[0]\n"
                              "DCL TEMP[0]\n"
                              "IMM[0] FLT32 {1.0, 0.0, 0.0, 2.0}\n"
                              "IMM[1] UINT32 {40, 0x7fc00000, 42, 5}\n"
                              "UARL ADDR[0].x, SV[0].xxxx\n"
                              "ADD OUT[ADDR[0].x][0], IN[ADDR[0].x][0], "
                              "IMM[0].xxxx\n"
                              "UADD OUT[3].y, SV[1].xxxx, IMM[1].wwww\n"
                              "MOV OUT[1], IMM[0].wwww\n"
                              "MOV OUT[2], IMM[0].wwww\n"
                              "USEQ TEMP[0].x, SV[1].xxxx, IMM[1].xxxx\n"
                              "UIF TEMP[0].xxxx\n"
                              "MOV OUT[1], IMM[0].xxxx\n"
                              "MOV OUT[2], IMM[0].xxxx\n"
                              "ENDIF\n"
                              "UADD TEMP[0].z, SV[1].xxxx, -IMM[1].zzzz\n"
                              "USEQ TEMP[0].x, TEMP[0].zzzz, IMM[0].yyyy\n"
                              "UIF TEMP[0].xxxx\n"
                              "MOV OUT[1].x, IMM[1].yyyy\n"
                              "ENDIF\n"
                              "USLT TEMP[0].x, SV[1].xxxx, IMM[1].zzzz\n"
                              "USLT TEMP[0].y, IMM[1].xxxx, SV[1].xxxx\n"
                              "AND TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy\n"
                              "UIF TEMP[0].xxxx\n"
                              "MOV OUT[1].y, IMM[0].yyyy\n"
                              "ENDIF\n"
                              "END\n";
   static const char text[] = "TESS_EVAL\n"
                              "PROPERTY TES_PRIM_MODE 4\n"
                              "PROPERTY TES_SPACING 2\n"
                              "DCL IN[0], PATCH[2]\n"
                              "DCL IN[][1], GENERIC[3]\n"
                              "DCL SV[0], VERTICESIN\n"
                              "DCL SV[1], TESSOUTER\n"
                              "DCL OUT[0], POSITION\n"
                              "DCL OUT[1], GENERIC[0]\n"
                              "MOV OUT[0].x, IN[1][1].xxxx\n"
                              "MOV OUT[0].y, IN[0].yyyy\n"
                              "MOV OUT[0].z, SV[0].xxxx\n"
                              "MOV OUT[0].w, SV[1].xxxx\n"
                              "END\n";
   (void)state;
   assert_true(run(ctrl, text, 3, 4));
   assert_int_equal(stages.num_taken, 7);
   for (uint32_t i = 0; i < 7; i++) {
      const uint32_t p = i == 0 ? 0 : 3;
      assert_int_equal(stages.taken[i].is.id, 40 + p);
      assert_true(word(i, 0, 0) == (float)((p * 3 + 1) * 100 + 11));
      assert_int_equal(stages.taken[i].words[0][1], 45 + p);
      assert_int_equal(stages.taken[i].words[0][2], 2);
      assert_true(word(i, 0, 3) == (p == 0 ? 1.0f : 2.0f));
   }
   assert_int_equal(stages.worker->count[GPU_COUNT_HS_INVOCATIONS], 4);
}

/* The control shader may be the one that says how patches are cut. */
static void
test_mode_of_control(void **state)
{
   static const char ctrl[] = "TESS_CTRL\n"
                              "PROPERTY TCS_VERTICES_OUT 1\n"
                              "PROPERTY TES_PRIM_MODE 7\n"
                              "DCL OUT[0], PATCH\n"
                              "IMM[0] UINT32 {0, 0, 0, 0}\n"
                              "MOV OUT[0], IMM[0]\n"
                              "END\n";
   (void)state;
   assert_true(run(ctrl, PLACES(""), 1, 1));
   assert_int_equal(stages.num_taken, 2);
   assert_int_equal(gpu_tess_eval_primitive(&eval), TG_PRIMITIVE_TRIANGLES);
}

/* ---- bounds -------------------------------------------------------------- */

/* A hundred patches of 8192 triangles are handed on as they come. */
static void
test_pieces(void **state)
{
   (void)state;
   set_levels(64.0f, 64.0f);
   assert_true(run(NULL,
                   PLACES("PROPERTY TES_PRIM_MODE 7\n"
                          "PROPERTY TES_SPACING 2\n"),
                   1, 100));
   assert_int_equal(stages.num_taken, 100 * 8192);
   assert_true(stages.largest_piece < GPU_STREAM_PIECE + 65 * 65);
}

static void
test_no_mode(void **state)
{
   (void)state;
   assert_false(run(NULL, PLACES(""), 1, 1));
   char *complaints = stages_complaints(&stages);
   if (!strstr(complaints, "test has no TES_PRIM_MODE that patches can be cut "
                           "into: lines (1), triangles (4) or quads (7)"))
      fail_msg("%s", complaints);
   tg_string_free(complaints);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
   const struct CMUnitTest tests[] = {
      TEST(test_triangles),       TEST(test_quads),  TEST(test_lines),
      TEST(test_points),          TEST(test_inputs), TEST(test_control),
      TEST(test_mode_of_control), TEST(test_pieces), TEST(test_no_mode),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
