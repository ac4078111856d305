/* SPDX-License-Identifier: MIT
 *
 * The control stage: invocations that read what the others wrote, in one wave
 * and in two, levels, and barriers that not all of them reach.
 */
#include "stages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/geometry/tess_ctrl.h"

static const char vertex_text[] = "VERT\n"
                                  "DCL IN[0]\n"
                                  "DCL OUT[0], POSITION\n"
                                  "DCL OUT[1], GENERIC[3]\n"
                                  "MOV OUT[0], IN[0]\n"
                                  "MOV OUT[1], IN[0]\n"
                                  "END\n";

static struct stages stages;
static struct gpu_tess_ctrl ctrl;
static struct gpu_tess_memory memory;
static struct gpu_patch patch;

/* One patch with the id 9, of `num_vertices`; its levels are 1 to 4, 5 and 6.
 */
static bool
run(const char *text, uint32_t num_vertices)
{
   const struct tg_gpu_shader *producer = stages_shader(&stages, vertex_text);
   stages_shader(&stages, text);
   stages_fill(&stages, 2, num_vertices, 1, 9);
   assert_int_equal(gpu_tess_ctrl_init(&ctrl, &stages.gpu->compiler,
                                       &stages.gpu->state, producer,
                                       stages.diagnostics),
                    TG_OK);
   patch = (struct gpu_patch){
      .id = 9,
      .num_vertices = num_vertices,
      .levels = {{1.0f, 2.0f, 3.0f, 4.0f}, {5.0f, 6.0f}},
   };
   for (uint32_t v = 0; v < num_vertices; v++)
      patch.record[v] = gpu_stream_record(&stages.in, v);
   memset(&memory, 0x77, sizeof(memory));
   const bool good = gpu_tess_ctrl_run(&ctrl, stages.worker, &memory, &patch);
   assert_int_equal(gpu_stage_finish(&ctrl.stage), TG_OK);
   return good;
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

/* Out of three vertices five are made; what is beyond the input reads 0. */
static void
test_vertices(void **state)
{
   static const char text[] = "TESS_CTRL\n"
                              "PROPERTY TCS_VERTICES_OUT 5\n"
                              "DCL IN[][0], GENERIC[3]\n"
                              "DCL IN[][1], GENERIC[4]\n"
                              "DCL OUT[][0], GENERIC[0]\n"
                              "DCL OUT[][1], GENERIC[1]\n"
                              "DCL SV[0], INVOCATIONID\n"
                              "DCL SV[1], VERTICESIN\n"
                              "DCL SV[2], PRIMID\n"
                              "DCL ADDR[0]\n"
                              "UARL ADDR[0].x, SV[0].xxxx\n"
                              "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\n"
                              "MOV OUT[ADDR[0].x][1].x, SV[1].xxxx\n"
                              "MOV OUT[ADDR[0].x][1].y, SV[2].xxxx\n"
                              "MOV OUT[ADDR[0].x][1].z, IN[ADDR[0].x][1]\n"
                              "END\n";
   (void)state;
   assert_true(run(text, 3));
   assert_int_equal(patch.num_vertices, 5);
   assert_int_equal(patch.id, 9);
   for (uint32_t v = 0; v < 5; v++) {
      /* GENERIC[3] is register 1: 100 v + 10 + c. */
      const float x = v < 3 ? 100.0f * (float)v + 10.0f : 0.0f;
      assert_true(stages_float(patch.record[v][0]) == x);
      assert_true(stages_float(patch.record[v][3]) == (v < 3 ? x + 3 : 0));
      assert_int_equal(patch.record[v][4], 3);
      assert_int_equal(patch.record[v][5], 9);
      assert_int_equal(patch.record[v][6], 0);
      assert_int_equal(patch.record[v][7], 0);
   }
   /* It declares no levels, so they stay. */
   assert_true(patch.levels.outer[3] == 4.0f && patch.levels.inner[1] == 6.0f);
   assert_int_equal(stages.worker->count[GPU_COUNT_HS_INVOCATIONS], 1);
}

/* Each of `num` invocations writes its number, and behind the barrier reads
 * that of the one at the other end. A register of the patch, which all of them
 * write, has the number of the last. */
static void
expect_mirror(uint32_t num)
{
   char text[1024];
   snprintf(text, sizeof(text),
            "TESS_CTRL\n"
            "PROPERTY TCS_VERTICES_OUT %u\n"
            "DCL OUT[][0], GENERIC[0]\n"
            "DCL OUT[1], PATCH[5]\n"
            "DCL OUT[2], TESSOUTER\n"
            "DCL OUT[3], TESSINNER\n"
            "DCL SV[0], INVOCATIONID\n"
            "DCL ADDR[0]\n"
            "DCL TEMP[0]\n"
            "IMM[0] UINT32 {%u, 100, 0, 0}\n"
            "IMM[1] FLT32 {2.5, 3.5, 4.5, 5.5}\n"
            "UARL ADDR[0].x, SV[0].xxxx\n"
            "UADD OUT[ADDR[0].x][0].x, SV[0].xxxx, IMM[0].yyyy\n"
            "MOV OUT[1].x, SV[0].xxxx\n"
            "MOV OUT[2], IMM[1]\n"
            "MOV OUT[3].xy, IMM[1].wzyx\n"
            "BARRIER\n"
            "UADD TEMP[0].x, IMM[0].xxxx, -SV[0].xxxx\n"
            "UARL ADDR[0].y, TEMP[0].xxxx\n"
            "MOV TEMP[0].x, OUT[ADDR[0].y][0].xxxx\n"
            "MOV OUT[ADDR[0].x][0].y, TEMP[0].xxxx\n"
            "MOV OUT[ADDR[0].x][0].z, OUT[1].xxxx\n"
            "END\n",
            (unsigned)num, (unsigned)num - 1);
   stages_finish(&stages);
   stages_init(&stages, false);
   assert_true(run(text, 1));
   assert_int_equal(patch.num_vertices, num);
   for (uint32_t v = 0; v < num; v++) {
      assert_int_equal(patch.record[v][0], 100 + v);
      assert_int_equal(patch.record[v][1], 100 + num - 1 - v);
      assert_int_equal(patch.record[v][2], num - 1);
   }
   assert_int_equal(patch.record[0][4], num - 1);
   assert_true(patch.levels.outer[0] == 2.5f && patch.levels.outer[3] == 5.5f);
   assert_true(patch.levels.inner[0] == 5.5f && patch.levels.inner[1] == 4.5f);
}

static void
test_barriers(void **state)
{
   (void)state;
   expect_mirror(1);
   expect_mirror(4);
   expect_mirror(16);
   expect_mirror(17);
   expect_mirror(32);
}

static void
test_default_levels(void **state)
{
   static const char text[] = "TESS_CTRL\n"
                              "PROPERTY TCS_VERTICES_OUT 20\n"
                              "DCL OUT[0], TESSOUTER\n"
                              "DCL OUT[1], TESSINNER\n"
                              "DCL SV[0], TESS_DEFAULT_OUTER_LEVEL\n"
                              "DCL SV[1], TESS_DEFAULT_INNER_LEVEL\n"
                              "ADD OUT[0], SV[0], SV[0]\n"
                              "ADD OUT[1].xy, SV[1], SV[1]\n"
                              "END\n";
   (void)state;
   assert_true(run(text, 3));
   for (unsigned i = 0; i < 4; i++)
      assert_true(patch.levels.outer[i] == 2.0f * (float)(i + 1));
   assert_true(patch.levels.inner[0] == 10.0f &&
               patch.levels.inner[1] == 12.0f);
}

/* Levels that are declared and not written are 0. */
static void
test_unwritten_levels(void **state)
{
   static const char text[] = "TESS_CTRL\n"
                              "PROPERTY TCS_VERTICES_OUT 3\n"
                              "DCL OUT[0], TESSOUTER\n"
                              "DCL OUT[1], PATCH\n"
                              "IMM[0] FLT32 {2.5, 3.5, 4.5, 5.5}\n"
                              "MOV OUT[1], IMM[0]\n"
                              "END\n";
   (void)state;
   assert_true(run(text, 3));
   assert_true(patch.levels.outer[0] == 0.0f && patch.levels.inner[0] == 5.0f);
}

static const char part_text[] = "TESS_CTRL\n"
                                "PROPERTY TCS_VERTICES_OUT 20\n"
                                "DCL OUT[][0], GENERIC[0]\n"
                                "DCL SV[0], INVOCATIONID\n"
                                "DCL TEMP[0]\n"
                                "IMM[0] UINT32 {17, 0, 0, 0}\n"
                                "MOV OUT[0][0], IMM[0]\n"
                                "USLT TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
                                "UIF TEMP[0].xxxx\n"
                                "BARRIER\n"
                                "ENDIF\n"
                                "END\n";

/* Invocations 17 to 19, all of the second wave, go elsewhere. */
static void
test_missed_barrier(void **state)
{
   (void)state;
   assert_false(run(part_text, 3));
   assert_int_equal(stages.worker->fault.result, TG_ERROR_LIMIT);
   assert_string_equal(stages.worker->fault.what,
                       "an invocation does not reach this barrier");
   assert_int_equal(stages.worker->fault.position.line, 10);
}

static void
test_check(void **state)
{
   (void)state;
   stages_finish(&stages);
   stages_init(&stages, true);
   assert_true(run(part_text, 3));
   char *complaints = stages_complaints(&stages);
   if (!strstr(complaints, "test:10:") || !strstr(complaints, "barrier"))
      fail_msg("%s", complaints);
   tg_string_free(complaints);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
   const struct CMUnitTest tests[] = {
      TEST(test_vertices),       TEST(test_barriers),
      TEST(test_default_levels), TEST(test_unwritten_levels),
      TEST(test_missed_barrier), TEST(test_check),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
