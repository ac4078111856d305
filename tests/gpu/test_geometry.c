/* SPDX-License-Identifier: MIT
 *
 * The geometry stage: inputs of every form, invocations, strips, streams, and
 * shaders that emit more than they said.
 */
#include "../state.h"
#include "stages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/geometry/geometry.h"

static const char vertex_text[] = "VERT\n"
                                  "DCL IN[0]\n"
                                  "DCL OUT[0], POSITION\n"
                                  "DCL OUT[1], GENERIC[3]\n"
                                  "DCL OUT[2], GENERIC[7]\n"
                                  "MOV OUT[0], IN[0]\n"
                                  "MOV OUT[1], IN[0]\n"
                                  "MOV OUT[2], IN[0]\n"
                                  "END\n";

static struct stages stages;
static struct gpu_geometry geometry;

/* Sets both shaders up and runs `count` primitives of `num_vertices`, whose ids
 * begin at 40. */
static bool
run(const char *text, enum tg_primitive input, uint32_t num_vertices,
    uint32_t count)
{
   const struct tg_gpu_shader *producer = stages_shader(&stages, vertex_text);
   stages_shader(&stages, text);
   stages_fill(&stages, 3, num_vertices, count, 40);
   const enum tg_result result =
      gpu_geometry_init(&geometry, &stages.gpu->compiler, &stages.gpu->state,
                        producer, input, stages.diagnostics);
   if (result != TG_OK)
      return false;
   const bool good = gpu_geometry_run(&geometry, stages.worker, &stages.in,
                                      &stages.out, &stages.sink);
   assert_int_equal(gpu_geometry_finish(&geometry), TG_OK);
   return good;
}

static void
expect_x(uint32_t primitive, unsigned vertex, float x)
{
   assert_true(primitive < stages.num_taken);
   assert_true(stages_float(stages.taken[primitive].words[vertex][0]) == x);
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

/* ---- inputs -------------------------------------------------------------- */

/* Linked by semantic and not by register; what nobody writes is 0, but FOG. */
static void
test_linkage(void **state)
{
   static const char text[] = "GEOM\n"
                              "PROPERTY GS_INPUT_PRIMITIVE TRIANGLES\n"
                              "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                              "PROPERTY GS_MAX_OUTPUT_VERTICES 3\n"
                              "DCL IN[][0], GENERIC[7]\n"
                              "DCL IN[][1], POSITION\n"
                              "DCL IN[][2], GENERIC[5]\n"
                              "DCL IN[3], PRIMID\n"
                              "DCL IN[][4], FOG\n"
                              "DCL OUT[0], POSITION\n"
                              "DCL OUT[1], GENERIC[0]\n"
                              "IMM[0] UINT32 {0, 0, 0, 0}\n"
                              "MOV OUT[0].x, IN[0][0].yyyy\n"
                              "MOV OUT[0].y, IN[1][1].zzzz\n"
                              "MOV OUT[0].z, IN[2][2].xxxx\n"
                              "MOV OUT[1].x, IN[3].xxxx\n"
                              "MOV OUT[1].yz, IN[0][4].yzwx\n"
                              "EMIT IMM[0].xxxx\n"
                              "END\n";
   (void)state;
   assert_true(run(text, TG_PRIMITIVE_TRIANGLES, 3, 2));
   assert_int_equal(stages.num_taken, 2);
   /* GENERIC[7] is register 2 of vertex 0, POSITION register 0 of vertex 1. */
   expect_x(0, 0, 21.0f);
   expect_x(1, 0, 321.0f);
   assert_true(stages_float(stages.taken[0].words[0][1]) == 102.0f);
   assert_true(stages_float(stages.taken[1].words[0][1]) == 402.0f);
   assert_true(stages_float(stages.taken[0].words[0][2]) == 0.0f);
   assert_int_equal(stages.taken[0].words[0][4], 40);
   assert_int_equal(stages.taken[1].words[0][4], 41);
   assert_int_equal(stages.taken[1].is.id, 41);
   assert_true(stages_float(stages.taken[0].words[0][5]) == 0.0f);
   assert_true(stages_float(stages.taken[0].words[0][6]) == 1.0f);
}

/* The sum of register 0, x, of all vertices of an input primitive. */
static void
expect_sum(const char *primitive, enum tg_primitive input,
           uint32_t num_vertices, float sum)
{
   char text[1024];
   int length = snprintf(text, sizeof(text),
                         "GEOM\n"
                         "PROPERTY GS_INPUT_PRIMITIVE %s\n"
                         "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                         "PROPERTY GS_MAX_OUTPUT_VERTICES 1\n"
                         "DCL IN[][0], POSITION\n"
                         "DCL OUT[0], POSITION\n"
                         "DCL TEMP[0]\n"
                         "IMM[0] UINT32 {0, 0, 0, 0}\n"
                         "MOV TEMP[0], IMM[0]\n",
                         primitive);
   for (uint32_t v = 0; v < num_vertices; v++)
      length += snprintf(text + length, sizeof(text) - (size_t)length,
                         "ADD TEMP[0], TEMP[0], IN[%u][0]\n", v);
   snprintf(text + length, sizeof(text) - (size_t)length,
            "MOV OUT[0], TEMP[0]\n"
            "EMIT IMM[0].xxxx\n"
            "END\n");
   stages_finish(&stages);
   stages_init(&stages, false);
   assert_true(run(text, input, num_vertices, 1));
   assert_int_equal(stages.num_taken, 1);
   expect_x(0, 0, sum);
}

/* Vertex v has v * 100. */
static void
test_inputs(void **state)
{
   (void)state;
   expect_sum("POINTS", TG_PRIMITIVE_POINTS, 1, 0.0f);
   expect_sum("LINES", TG_PRIMITIVE_LINES, 2, 100.0f);
   expect_sum("TRIANGLES", TG_PRIMITIVE_TRIANGLES, 3, 300.0f);
   expect_sum("LINES_ADJACENCY", TG_PRIMITIVE_LINES_ADJACENCY, 4, 600.0f);
   expect_sum("TRIANGLES_ADJACENCY", TG_PRIMITIVE_TRIANGLES_ADJACENCY, 6,
              1500.0f);
}

/* ---- order --------------------------------------------------------------- */

/* 20 primitives with 3 invocations each take four waves; what comes out is in
 * the order of primitives, then of invocations. */
static void
test_invocations(void **state)
{
   static const char text[] = "GEOM\n"
                              "PROPERTY GS_INPUT_PRIMITIVE POINTS\n"
                              "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                              "PROPERTY GS_MAX_OUTPUT_VERTICES 2\n"
                              "PROPERTY GS_INVOCATIONS 3\n"
                              "DCL IN[][0], POSITION\n"
                              "DCL SV[0], INVOCATIONID\n"
                              "DCL SV[1], PRIMID\n"
                              "DCL OUT[0], POSITION\n"
                              "IMM[0] UINT32 {0, 10, 1, 0}\n"
                              "UMAD OUT[0].x, SV[1], IMM[0].yyyy, SV[0]\n"
                              "EMIT IMM[0].xxxx\n"
                              "ENDPRIM IMM[0].xxxx\n"
                              "END\n";
   (void)state;
   assert_true(run(text, TG_PRIMITIVE_POINTS, 1, 20));
   assert_int_equal(stages.num_taken, 60);
   for (uint32_t i = 0; i < 60; i++) {
      assert_int_equal(stages.taken[i].words[0][0], (40 + i / 3) * 10 + i % 3);
      assert_int_equal(stages.taken[i].is.id, 40 + i / 3);
   }
   assert_int_equal(stages.worker->count[GPU_COUNT_GS_INVOCATIONS], 60);
   assert_int_equal(stages.worker->count[GPU_COUNT_GS_PRIMITIVES], 60);
}

/* Emits x = 0, 1, 2 and so on, with ENDPRIM behind the fifth. */
#define STRIP_TEXT(output, max)                                                \
   "GEOM\n"                                                                    \
   "PROPERTY GS_INPUT_PRIMITIVE POINTS\n"                                      \
   "PROPERTY GS_OUTPUT_PRIMITIVE " output "\n"                                 \
   "PROPERTY GS_MAX_OUTPUT_VERTICES " max "\n"                                 \
   "DCL IN[][0], POSITION\n"                                                   \
   "DCL OUT[0], POSITION\n"                                                    \
   "DCL TEMP[0]\n"                                                             \
   "IMM[0] UINT32 {0, 0, 0, 0}\n"                                              \
   "IMM[1] FLT32 {1.0, 8.0, 5.0, 0.0}\n"                                       \
   "MOV TEMP[0].x, IMM[1].wwww\n"                                              \
   "BGNLOOP\n"                                                                 \
   "FSGE TEMP[0].y, TEMP[0].xxxx, IMM[1].yyyy\n"                               \
   "UIF TEMP[0].yyyy\n"                                                        \
   "BRK\n"                                                                     \
   "ENDIF\n"                                                                   \
   "MOV OUT[0].x, TEMP[0].xxxx\n"                                              \
   "EMIT IMM[0].xxxx\n"                                                        \
   "ADD TEMP[0].x, TEMP[0].xxxx, IMM[1].xxxx\n"                                \
   "FSEQ TEMP[0].y, TEMP[0].xxxx, IMM[1].zzzz\n"                               \
   "UIF TEMP[0].yyyy\n"                                                        \
   "ENDPRIM IMM[0].xxxx\n"                                                     \
   "ENDPRIM IMM[0].xxxx\n"                                                     \
   "ENDIF\n"                                                                   \
   "ENDLOOP\n"                                                                 \
   "END\n"

static void
expect_triangle(uint32_t primitive, float a, float b, float c,
                unsigned provoking)
{
   expect_x(primitive, 0, a);
   expect_x(primitive, 1, b);
   expect_x(primitive, 2, c);
   assert_int_equal(stages.taken[primitive].is.provoking, provoking);
}

/* 0 to 4 are a strip, 5 to 7 the next; every second triangle is turned so that
 * all wind alike, and the vertex that provokes is the newest. */
static void
test_triangle_strips(void **state)
{
   (void)state;
   assert_true(
      run(STRIP_TEXT("TRIANGLE_STRIP", "8"), TG_PRIMITIVE_POINTS, 1, 2));
   assert_int_equal(stages.num_taken, 8);
   for (uint32_t p = 0; p < 8; p += 4) {
      expect_triangle(p, 0, 1, 2, 2);
      expect_triangle(p + 1, 2, 1, 3, 2);
      expect_triangle(p + 2, 2, 3, 4, 2);
      expect_triangle(p + 3, 5, 6, 7, 2);
   }
}

/* The same when the first vertex provokes, which stays the oldest. */
static void
test_first_provokes(void **state)
{
   struct tg_rasterizer_state rasterizer = TG_RASTERIZER_INIT;
   (void)state;
   rasterizer.flatshade_first = true;
   assert_int_equal(bind_rasterizer(stages.gpu, &rasterizer, NULL), TG_OK);
   assert_true(
      run(STRIP_TEXT("TRIANGLE_STRIP", "8"), TG_PRIMITIVE_POINTS, 1, 1));
   assert_int_equal(stages.num_taken, 4);
   expect_triangle(0, 0, 1, 2, 0);
   expect_triangle(1, 1, 3, 2, 0);
   expect_triangle(2, 2, 3, 4, 0);
}

/* Six vertices are all there may be: 0 to 4, and 5 alone. */
static void
test_too_many_vertices(void **state)
{
   (void)state;
   assert_true(run(STRIP_TEXT("LINE_STRIP", "6"), TG_PRIMITIVE_POINTS, 1, 1));
   assert_int_equal(stages.num_taken, 4);
   for (uint32_t i = 0; i < 4; i++) {
      expect_x(i, 0, (float)i);
      expect_x(i, 1, (float)i + 1);
      assert_int_equal(stages.taken[i].is.begins, i == 0);
   }
}

/* None at all is a number, too. */
static void
test_no_vertices(void **state)
{
   (void)state;
   assert_true(run(STRIP_TEXT("POINTS", "0"), TG_PRIMITIVE_POINTS, 1, 5));
   assert_int_equal(stages.num_taken, 0);
}

/* Lanes that end early close their strips; the others go on. */
static void
test_early_return(void **state)
{
   static const char text[] = "GEOM\n"
                              "PROPERTY GS_INPUT_PRIMITIVE POINTS\n"
                              "PROPERTY GS_OUTPUT_PRIMITIVE LINE_STRIP\n"
                              "PROPERTY GS_MAX_OUTPUT_VERTICES 3\n"
                              "DCL IN[][0], POSITION\n"
                              "DCL SV[0], PRIMID\n"
                              "DCL OUT[0], POSITION\n"
                              "DCL TEMP[0]\n"
                              "IMM[0] UINT32 {0, 1, 2, 3}\n"
                              "MOV OUT[0].x, IMM[0].xxxx\n"
                              "EMIT IMM[0].xxxx\n"
                              "MOV OUT[0].x, IMM[0].yyyy\n"
                              "EMIT IMM[0].xxxx\n"
                              "AND TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\n"
                              "UIF TEMP[0].xxxx\n"
                              "RET\n"
                              "ENDIF\n"
                              "MOV OUT[0].x, IMM[0].zzzz\n"
                              "EMIT IMM[0].xxxx\n"
                              "END\n";
   (void)state;
   assert_true(run(text, TG_PRIMITIVE_POINTS, 1, 3));
   /* Primitives 40 and 42 make two lines, 41 makes one. */
   static const uint32_t ids[] = {40, 40, 41, 42, 42};
   static const uint32_t first[] = {0, 1, 0, 0, 1};
   assert_int_equal(stages.num_taken, 5);
   for (unsigned i = 0; i < 5; i++) {
      assert_int_equal(stages.taken[i].is.id, ids[i]);
      assert_int_equal(stages.taken[i].words[0][0], first[i]);
      assert_int_equal(stages.taken[i].words[1][0], first[i] + 1);
   }
}

/* Strips of several streams do not disturb each other. */
static void
test_streams(void **state)
{
   static const char text[] = "GEOM\n"
                              "PROPERTY GS_INPUT_PRIMITIVE POINTS\n"
                              "PROPERTY GS_OUTPUT_PRIMITIVE LINE_STRIP\n"
                              "PROPERTY GS_MAX_OUTPUT_VERTICES 8\n"
                              "DCL IN[][0], POSITION\n"
                              "DCL OUT[0], POSITION\n"
                              "IMM[0] UINT32 {0, 1, 2, 3}\n"
                              "IMM[1] UINT32 {10, 11, 12, 13}\n"
                              "IMM[2] UINT32 {30, 31, 4, 0}\n"
                              "MOV OUT[0].x, IMM[0].xxxx\n"
                              "EMIT IMM[0].xxxx\n" /* 0 to stream 0 */
                              "MOV OUT[0].x, IMM[2].xxxx\n"
                              "EMIT IMM[0].wwww\n" /* 30 to stream 3 */
                              "MOV OUT[0].x, IMM[0].yyyy\n"
                              "EMIT IMM[0].xxxx\n" /* 1 to stream 0 */
                              "ENDPRIM IMM[0].xxxx\n"
                              "MOV OUT[0].x, IMM[2].yyyy\n"
                              "EMIT IMM[0].wwww\n" /* 31 to stream 3 */
                              "MOV OUT[0].x, IMM[0].zzzz\n"
                              "EMIT IMM[0].xxxx\n" /* 2 begins another strip */
                              "EMIT IMM[2].zzzz\n" /* stream 4 is nowhere */
                              "END\n";
   (void)state;
   assert_true(run(text, TG_PRIMITIVE_POINTS, 1, 1));
   assert_int_equal(stages.num_taken, 2);
   assert_int_equal(stages.taken[0].is.stream, 0);
   assert_int_equal(stages.taken[0].words[0][0], 0);
   assert_int_equal(stages.taken[0].words[1][0], 1);
   assert_int_equal(stages.taken[1].is.stream, 3);
   assert_int_equal(stages.taken[1].words[0][0], 30);
   assert_int_equal(stages.taken[1].words[1][0], 31);
}

/* ---- bounds -------------------------------------------------------------- */

/* 2 * 127 invocations want to emit 1030 points each, of 1600 bytes, and may
 * 1024: 400 MB of vertices, of which no more are there at once than a wave of
 * five lanes makes. */
static void
test_product(void **state)
{
   static const char text[] = "GEOM\n"
                              "PROPERTY GS_INPUT_PRIMITIVE POINTS\n"
                              "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                              "PROPERTY GS_MAX_OUTPUT_VERTICES 1024\n"
                              "PROPERTY GS_INVOCATIONS 127\n"
                              "DCL IN[][0], POSITION\n"
                              "DCL OUT[0..99], GENERIC[0]\n"
                              "DCL TEMP[0]\n"
                              "IMM[0] UINT32 {0, 1, 1030, 0}\n"
                              "BGNLOOP\n"
                              "USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\n"
                              "UIF TEMP[0].yyyy\n"
                              "BRK\n"
                              "ENDIF\n"
                              "EMIT IMM[0].xxxx\n"
                              "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
                              "ENDLOOP\n"
                              "END\n";
   (void)state;
   assert_true(run(text, TG_PRIMITIVE_POINTS, 1, 2));
   assert_int_equal(stages.num_taken, 2 * 127 * 1024);
   assert_true(stages.largest_piece <= 5 * 1024);
}

/* Emitting without end is a fault at its line, and not more than there may be.
 */
static void
test_endless(void **state)
{
   static const char text[] = "GEOM\n"
                              "PROPERTY GS_INPUT_PRIMITIVE POINTS\n"
                              "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                              "PROPERTY GS_MAX_OUTPUT_VERTICES 7\n"
                              "DCL IN[][0], POSITION\n"
                              "DCL OUT[0], POSITION\n"
                              "IMM[0] UINT32 {0, 0, 0, 0}\n"
                              "BGNLOOP\n"
                              "EMIT IMM[0].xxxx\n"
                              "ENDPRIM IMM[0].xxxx\n"
                              "ENDLOOP\n"
                              "END\n";
   (void)state;
   const struct tg_work_options options = {sizeof(options), 5000, 0, NULL};
   struct tg_work work;
   tg_work_init(&work, &options);
   stages.gpu->work = &work;
   stages.worker->purse = tg_purse_of(&work);
   assert_false(run(text, TG_PRIMITIVE_POINTS, 1, 2));
   assert_int_equal(stages.worker->fault.result, TG_ERROR_LIMIT);
   assert_int_equal(stages.worker->fault.position.line, 11);
   assert_int_equal(stages.out.num_records, 2 * 7);
   assert_int_equal(tg_work_get_end(&work), TG_WORK_SPENT);
   stages.gpu->work = NULL;
   stages.worker->purse = tg_purse_of(NULL);
}

static void
test_pieces(void **state)
{
   (void)state;
   assert_true(run(STRIP_TEXT("POINTS", "8"), TG_PRIMITIVE_POINTS, 1, 2000));
   assert_int_equal(stages.num_taken, 16000);
   assert_true(stages.num_pieces > 10);
   assert_true(stages.largest_piece < GPU_STREAM_PIECE + LIR_LANES * 8);
}

/* ---- what is refused ----------------------------------------------------- */

static void
expect_refusal(const char *text, enum tg_primitive input, const char *complaint)
{
   stages_finish(&stages);
   stages_init(&stages, false);
   assert_false(run(text, input, 1, 1));
   char *complaints = stages_complaints(&stages);
   if (!strstr(complaints, complaint))
      fail_msg("%s", complaints);
   tg_string_free(complaints);
}

static void
test_mismatches(void **state)
{
   (void)state;
   expect_refusal(STRIP_TEXT("POINTS", "8"), TG_PRIMITIVE_TRIANGLES,
                  "test reads POINTS; what comes to it are TRIANGLES");
   expect_refusal(STRIP_TEXT("QUADS", "8"), TG_PRIMITIVE_POINTS,
                  "test makes QUADS; a geometry shader can make POINTS, "
                  "LINE_STRIP or TRIANGLE_STRIP");
}

/* A checked shader's events are heard along with its vertices. */
static void
test_check(void **state)
{
   static const char text[] = "GEOM\n"
                              "PROPERTY GS_INPUT_PRIMITIVE POINTS\n"
                              "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                              "PROPERTY GS_MAX_OUTPUT_VERTICES 1\n"
                              "DCL IN[][0], POSITION\n"
                              "DCL OUT[0], POSITION\n"
                              "DCL TEMP[0]\n"
                              "IMM[0] UINT32 {0, 0, 0, 0}\n"
                              "MOV TEMP[0].x, IN[0][0]\n"
                              "MOV OUT[0], TEMP[0].xxxy\n"
                              "EMIT IMM[0].xxxx\n"
                              "END\n";
   (void)state;
   stages_finish(&stages);
   stages_init(&stages, true);
   assert_true(run(text, TG_PRIMITIVE_POINTS, 1, 3));
   assert_int_equal(stages.num_taken, 3);
   char *complaints = stages_complaints(&stages);
   if (!strstr(complaints, "OUT[0].w depends on TEMP[0].y"))
      fail_msg("%s", complaints);
   tg_string_free(complaints);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
   const struct CMUnitTest tests[] = {
      TEST(test_linkage),        TEST(test_inputs),
      TEST(test_invocations),    TEST(test_triangle_strips),
      TEST(test_first_provokes), TEST(test_too_many_vertices),
      TEST(test_no_vertices),    TEST(test_early_return),
      TEST(test_streams),        TEST(test_product),
      TEST(test_endless),        TEST(test_pieces),
      TEST(test_mismatches),     TEST(test_check),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
