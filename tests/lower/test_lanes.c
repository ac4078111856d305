/* SPDX-License-Identifier: MIT
 *
 * Opcodes that look at other lanes or at who is still there: discard,
 * derivatives, interpolation, votes and broadcasts. Lanes 4q to 4q + 3 are a
 * quad, two and two.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cases.h"

#define D10 TG_DIALECT_2010
#define D19 TG_DIALECT_2019

/* ---- discard ------------------------------------------------------------- */

static void
expect_live(enum tg_dialect dialect, const char *body, uint32_t live)
{
   static struct runner runner;
   char text[1024];

   strcpy(text, "FRAG\n" CASE_PREAMBLE);
   strcat(text, body);
   runner_init(&runner, dialect, text);
   runner_run(&runner);
   assert_int_equal(runner.result, TG_OK);
   assert_int_equal(runner.live, live);
   runner_finish(&runner);
}

static void
test_discard(void **state)
{
   (void)state;
   expect_live(D19, "KILL\nEND\n", 0);
   expect_live(D19,
               "UIF IN[0].zzzz\n"
               "  KILL\n"
               "ENDIF\n"
               "END\n",
               0x5555);
   expect_live(D10,
               "UIF IN[0].zzzz\n"
               "ELSE\n"
               "  KILP\n"
               "ENDIF\n"
               "END\n",
               0xaaaa);
   expect_live(D19,
               "UIF IN[0].wwww\n"
               "  DEMOTE\n"
               "ENDIF\n"
               "END\n",
               0x000f);
   /* lane - 2 in one channel, the others not negative */
   expect_live(D19,
               "MOV TEMP[0], IN[0].yyyy\n"
               "ADD TEMP[0].w, TEMP[0].wwww, -IMM[1].zzzz\n"
               "KILL_IF TEMP[0]\n"
               "END\n",
               0xfffc);
   /* NaN and -0 do not discard, a NaN beside -1 does. */
   expect_live(D19,
               "KILL_IF IMM[4].xxxx\n"
               "KILL_IF IMM[3].wwww\n"
               "END\n",
               0xffff);
   expect_live(D10,
               "MOV TEMP[0].x, IMM[4].xxxx\n"
               "MOV TEMP[0].yzw, -IMM[1].yyyy\n"
               "KIL TEMP[0].xxxy\n"
               "END\n",
               0);
}

static void
test_helpers(void **state)
{
   static const struct shader_case cases[] = {
      {"a lane that was killed runs on, as a helper", D19, NULL,
       "UIF IN[0].zzzz\n"
       "  KILL\n"
       "  MOV TEMP[0].x, IMM[0].yyyy\n"
       "ENDIF\n"
       "READ_HELPER TEMP[0].y\n"
       "UADD OUT[0].x, TEMP[0].xxxx, TEMP[0].yyyy\n"
       "END\n",
       /* odd: 1 + ~0 */
       ALL_LANES(0)},
      {"READ_HELPER is ~0 behind KILL and 0 without",
       D19,
       NULL,
       "KILL_IF -IN[0].yyyy\n"
       "READ_HELPER OUT[0].x\n"
       "END\n",
       {0, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u,
        ~0u}},
   };

   (void)state;
   RUN_CASES("FRAG", cases);
}

/* ---- derivatives --------------------------------------------------------- */

/* lane * lane as a float in TEMP[0].x: 0 1 | 4 9, 16 25 | 36 49, ... */
#define SQUARE "MUL TEMP[0].x, IN[0].yyyy, IN[0].yyyy\n"

static void
test_derivatives(void **state)
{
   static const struct shader_case cases[] = {
      {"DDX, in each row",
       D19,
       NULL,
       SQUARE "DDX TEMP[1].x, TEMP[0].xxxx\n"
              "F2I OUT[0].x, TEMP[1].xxxx\n"
              "END\n",
       {1, 1, 5, 5, 9, 9, 13, 13, 17, 17, 21, 21, 25, 25, 29, 29}},
      {"DDY, in each column",
       D19,
       NULL,
       SQUARE "DDY TEMP[1].x, TEMP[0].xxxx\n"
              "F2I OUT[0].x, TEMP[1].xxxx\n"
              "END\n",
       {4, 8, 4, 8, 20, 24, 20, 24, 36, 40, 36, 40, 52, 56, 52, 56}},
      {"DDX_FINE is DDX, with modifiers lane by lane",
       D19,
       NULL,
       SQUARE "DDX_FINE TEMP[1].x, -TEMP[0].xxxx\n"
              "F2I OUT[0].x, -TEMP[1].xxxx\n"
              "END\n",
       {1, 1, 5, 5, 9, 9, 13, 13, 17, 17, 21, 21, 25, 25, 29, 29}},
      {"what the neighbour holds counts, active or not",
       D19,
       NULL,
       SQUARE "UIF IN[0].zzzz\n"
              "  MOV TEMP[0].x, IMM[1].xxxx\n" /* odd lanes: 0 */
              "  DDX TEMP[1].x, TEMP[0].xxxx\n"
              "  F2I OUT[0].x, TEMP[1].xxxx\n"
              "ENDIF\n"
              "END\n",
       /* 0 minus the even lane's square */
       {0, 0, 0, (uint32_t)-4, 0, (uint32_t)-16, 0, (uint32_t)-36, 0,
        (uint32_t)-64, 0, (uint32_t)-100, 0, (uint32_t)-144, 0,
        (uint32_t)-196}},
      {"INTERP_CENTROID and _SAMPLE, left alone, are the input",
       D19,
       NULL,
       "INTERP_CENTROID TEMP[0].x, IN[0].yyyy\n"
       "INTERP_SAMPLE TEMP[0].y, IN[0].yyyy, IMM[0].yyyy\n"
       "ADD TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy\n"
       "F2I OUT[0].x, TEMP[0].xxxx\n"
       "END\n",
       {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}},
      {"INTERP_OFFSET follows the derivatives, modifiers come last",
       D19,
       NULL,
       "INTERP_OFFSET TEMP[0].x, -|IN[0].yyyy|, IMM[1].yzzz\n" /* 1, 2 */
       "F2I OUT[0].x, -TEMP[0].xxxx\n"
       "END\n",
       /* lane + 1 * 1 + 2 * 2 */
       {5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}},
      {"INTERP_OFFSET leaves constant inputs alone",
       D19,
       "DCL IN[1], GENERIC[0], CONSTANT\n",
       "INTERP_OFFSET OUT[0].x, IN[1].xxxx, IMM[1].yzzz\n"
       "END\n",
       {400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413,
        414, 415}},
   };
   static const struct shader_case vertex_cases[] = {
      {"outside of fragment shaders there are none", D19, NULL,
       "DDX OUT[0].x, IN[0].yyyy\n"
       "DDY TEMP[0].x, IN[0].yyyy\n"
       "OR OUT[0].x, OUT[0].xxxx, TEMP[0].xxxx\n"
       "END\n",
       ALL_LANES(0)},
   };

   (void)state;
   RUN_CASES("FRAG", cases);
   RUN_CASES("VERT", vertex_cases);
}

/* ---- votes and broadcasts ------------------------------------------------ */

#define YES (~0u)

static void
test_subgroup(void **state)
{
   static const struct shader_case cases[] = {
      {"VOTE_ANY",
       D19,
       NULL,
       "USEQ TEMP[0].x, IN[0].xxxx, IMM[2].yyyy\n" /* lane 5 */
       "VOTE_ANY TEMP[1].x, TEMP[0].xxxx\n"
       "UIF IN[0].zzzz\n"
       "ELSE\n" /* lane 5 is not here */
       "  VOTE_ANY TEMP[1].x, TEMP[0].xxxx\n"
       "ENDIF\n"
       "MOV OUT[0].x, TEMP[1].xxxx\n"
       "END\n",
       {0, YES, 0, YES, 0, YES, 0, YES, 0, YES, 0, YES, 0, YES, 0, YES}},
      {"VOTE_ALL",
       D19,
       NULL,
       "VOTE_ALL TEMP[1].x, IN[0].zzzz\n"
       "UIF IN[0].zzzz\n"
       "  VOTE_ALL TEMP[1].x, IN[0].zzzz\n"
       "ENDIF\n"
       "MOV OUT[0].x, TEMP[1].xxxx\n"
       "END\n",
       {0, YES, 0, YES, 0, YES, 0, YES, 0, YES, 0, YES, 0, YES, 0, YES}},
      {"VOTE_EQ compares bits, not truth, of active lanes",
       D19,
       NULL,
       "MOV TEMP[0], IMM[0].yyyy\n"
       "UIF IN[0].zzzz\n"
       "  MOV TEMP[0].x, IMM[0].zzzz\n"
       "ENDIF\n"
       "VOTE_EQ TEMP[1].xy, TEMP[0]\n" /* 1 and 2: no; 1: yes */
       "UIF IN[0].zzzz\n"
       "  VOTE_EQ TEMP[1].x, TEMP[0].xxxx\n" /* 2: yes */
       "ENDIF\n"
       "AND OUT[0].x, TEMP[1].xxxx, TEMP[1].yyyy\n"
       "END\n",
       {0, YES, 0, YES, 0, YES, 0, YES, 0, YES, 0, YES, 0, YES, 0, YES}},
      {"BALLOT",
       D19,
       NULL,
       "BALLOT TEMP[0], IN[0].zzzz\n"
       "UADD OUT[0].x, TEMP[0].xxxx, TEMP[0].yyyy\n"
       "UADD OUT[0].x, OUT[0].xxxx, TEMP[0].zzzz\n" /* x again */
       "UIF IN[0].wwww\n"
       "  BALLOT OUT[0].x, IN[0].zzzz\n"
       "ENDIF\n"
       "END\n",
       {0x15554, 0x15554, 0x15554, 0x15554, 0xaaa0, 0xaaa0, 0xaaa0, 0xaaa0,
        0xaaa0, 0xaaa0, 0xaaa0, 0xaaa0, 0xaaa0, 0xaaa0, 0xaaa0, 0xaaa0}},
      {"READ_FIRST: of the active lanes",
       D19,
       NULL,
       "UIF IN[0].wwww\n"
       "  READ_FIRST OUT[0].x, IN[0].xxxx\n"
       "ELSE\n"
       "  READ_FIRST OUT[0].x, IN[0].xxxx\n"
       "ENDIF\n"
       "END\n",
       {0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}},
      {"READ_INVOC: a lane each, 0 from lanes that are not there",
       D19,
       NULL,
       "UADD TEMP[0].x, IN[0].xxxx, IN[0].xxxx\n"
       "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n" /* 2 * lane + 1 */
       "READ_INVOC OUT[0].x, IN[0].xxxx, TEMP[0].xxxx\n"
       "UIF IN[0].wwww\n"
       "  READ_INVOC OUT[0].x, IN[0].xxxx, IMM[0].zzzz\n" /* lane 2 */
       "ENDIF\n"
       "END\n",
       {1, 3, 5, 7}},
      {"CLOCK does not go back, and moves on", D19, NULL,
       "CLOCK TEMP[0]\n"
       "MUL TEMP[2], IN[0].yyyy, IN[0].yyyy\n"
       "MOV OUT[1], TEMP[2]\n"
       "CLOCK TEMP[1]\n"
       "U64SLT TEMP[3].xy, TEMP[0].xyxy, TEMP[1].zwzw\n"
       "MOV OUT[0].x, TEMP[3].xxxx\n"
       "END\n",
       ALL_LANES(YES)},
   };

   (void)state;
   RUN_CASES("VERT", cases);
}

/* ---- geometry ------------------------------------------------------------ */

struct event {
   bool is_end;
   uint32_t lanes;
   uint32_t stream; /* of lane 2 */
   uint32_t value;  /* of OUT[0].x in lane 2 */
};

struct events {
   const struct runner *runner;
   struct event event[8];
   unsigned count;
};

static void
note_event(struct events *events, bool is_end, uint32_t lanes,
           const uint32_t stream[LIR_LANES])
{
   assert_true(events->count < 8);
   events->event[events->count++] = (struct event){
      .is_end = is_end,
      .lanes = lanes,
      .stream = stream[2],
      .value = events->runner->output[0][2],
   };
}

static void
note_emit(void *user, uint32_t lanes, const uint32_t stream[LIR_LANES])
{
   note_event(user, false, lanes, stream);
}

static void
note_endprim(void *user, uint32_t lanes, const uint32_t stream[LIR_LANES])
{
   note_event(user, true, lanes, stream);
}

static void
expect_event(const struct event *event, bool is_end, uint32_t lanes,
             uint32_t stream, uint32_t value)
{
   assert_int_equal(event->is_end, is_end);
   assert_int_equal(event->lanes, lanes);
   assert_int_equal(event->stream, stream);
   assert_int_equal(event->value, value);
}

static void
test_geometry(void **state)
{
   static const char text[] = "GEOM\n"
                              "PROPERTY GS_INPUT_PRIMITIVE TRIANGLES\n"
                              "DCL IN[][0], POSITION\n"
                              "DCL IN[][1], GENERIC[0]\n"
                              "DCL OUT[0], POSITION\n"
                              "DCL ADDR[0]\n"
                              "DCL TEMP[0]\n"
                              "IMM[0] INT32 {1, 2, 0, 100}\n"
                              "MOV OUT[0], IN[2][1]\n"
                              "EMIT IMM[0].zzzz\n"
                              "UARL ADDR[0].x, IN[0][0].zzzz\n"
                              "UIF IN[0][0].zzzz\n"
                              "ELSE\n"
                              "  MOV OUT[0].x, IN[ADDR[0].x+1][0].xxxx\n"
                              "  EMIT IMM[0].xxxx\n"
                              "ENDIF\n"
                              "EMIT IMM[0].wwww\n" /* no such stream */
                              "ENDPRIM\n"
                              "MOV OUT[0].x, IN[3][0].xxxx\n" /* no vertex */
                              "END\n";
   static struct runner runner;
   static struct events events;
   const struct exec_listener listener = {
      .emit = note_emit,
      .endprim = note_endprim,
      .user = &events,
   };

   (void)state;
   events = (struct events){.runner = &runner};
   runner_init(&runner, D19, text);
   runner.listener = &listener;
   runner_run(&runner);
   assert_int_equal(runner.result, TG_OK);

   /* Three events, once as lowered and once optimised. Words of lane memory:
    * IN[v][r].x is number (v * 2 + r) * 4. */
   assert_int_equal(events.count, 6);
   for (unsigned i = 0; i < 6; i += 3) {
      expect_event(&events.event[i], false, 0xffff, 0, 2000 + 2);
      expect_event(&events.event[i + 1], false, 0x5555, 1, 800 + 2);
      expect_event(&events.event[i + 2], true, 0xffff, 0, 800 + 2);
   }
   assert_int_equal(runner.output[0][2], 0);
   runner_finish(&runner);
}

/* Invocations of a patch share its outputs: the one and only OUT[1] gets what
 * another lane has stored in OUT[v][0]. */
static void
test_patches(void **state)
{
   static const char text[] =
      "TESS_CTRL\n"
      "PROPERTY TCS_VERTICES_OUT 3\n"
      "DCL IN[][0], POSITION\n"
      "DCL OUT[][0], POSITION\n"
      "DCL OUT[1], PATCH\n"
      "DCL SV[0], INVOCATIONID\n"
      "DCL ADDR[0]\n"
      "IMM[0] INT32 {0, 1, 2, 7}\n"
      "UARL ADDR[0].x, IN[0][0].wwww\n" /* lane / 4 */
      "UADD OUT[ADDR[0].x][0].x, IN[0][0], IMM[0].wwww\n"
      "BARRIER\n"
      "UADD OUT[1].x, OUT[1][0].xxxx, IMM[0].yyyy\n"
      "END\n";
   static struct runner runner;
   struct runner_memory *patch = &runner.memories[0];

   (void)state;
   runner_init(&runner, D19, text);
   *patch = (struct runner_memory){
      .space = LIR_SPACE_SHARED,
      .binding = ABI_SHARED_PATCH,
      .num_bytes = RUNNER_MEMORY_WORDS * 4,
   };
   memset(patch->words, 0x55, sizeof(patch->words));
   runner.num_memories = 1;
   runner_run(&runner);
   assert_int_equal(runner.result, TG_OK);

   /* Two registers a vertex. Lanes 4v to 4v + 3 store lane + 7 for vertex v,
    * and the last of them stays; vertex 3 does not exist. */
   assert_int_equal(patch->words[0], 3 + 7);
   assert_int_equal(patch->words[8], 7 + 7);
   assert_int_equal(patch->words[16], 11 + 7);
   assert_int_equal(patch->words[24], 0x55555555);
   assert_int_equal(patch->words[4], 7 + 7 + 1);
   /* What nobody wrote is as it was, and lane memory has no outputs. */
   assert_int_equal(patch->words[1], 0x55555555);
   assert_int_equal(patch->words[5], 0x55555555);
   assert_int_equal(patch->words[12], 0x55555555);
   assert_int_equal(runner.output[0][0], 0x55555555);
   runner_finish(&runner);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_discard),     cmocka_unit_test(test_helpers),
      cmocka_unit_test(test_derivatives), cmocka_unit_test(test_subgroup),
      cmocka_unit_test(test_geometry),    cmocka_unit_test(test_patches),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
