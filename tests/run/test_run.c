/* SPDX-License-Identifier: MIT
 *
 * Shaders run through the public API alone.
 */
#include <assert.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../bind.h"
#include "../desc.h"
#include "tungsten/run.h"
#include "util/bits.h"

/* ---- help ---------------------------------------------------------------- */

struct session {
   struct tg_diagnostics *diagnostics;
   struct tg_shader *shader;
   struct tg_program *program;
   struct tg_run *run;
};

static void
begin_in(struct session *session, enum tg_dialect dialect, const char *text,
         uint32_t quirks, unsigned num_lanes,
         const struct tg_program_options *options)
{
   session->diagnostics = tg_diagnostics_create(NULL);
   assert_non_null(session->diagnostics);
   assert_int_equal(tg_shader_parse(NULL, "test", text, strlen(text), dialect,
                                    session->diagnostics, &session->shader),
                    TG_OK);
   tg_shader_set_quirks(session->shader, quirks);
   assert_int_equal(tg_program_create(NULL, session->shader, options,
                                      session->diagnostics, &session->program),
                    TG_OK);
   assert_int_equal(tg_run_create(session->program, num_lanes, &session->run),
                    TG_OK);
   /* The program has a reference of its own. */
   tg_shader_destroy(session->shader);
}

static void
begin_with(struct session *session, const char *text, uint32_t quirks,
           unsigned num_lanes, const struct tg_program_options *options)
{
   begin_in(session, TG_DIALECT_2019, text, quirks, num_lanes, options);
}

static void
begin(struct session *session, const char *text, unsigned num_lanes,
      const struct tg_program_options *options)
{
   begin_with(session, text, 0, num_lanes, options);
}

static void
end(struct session *session)
{
   tg_run_destroy(session->run);
   tg_program_destroy(session->program);
   tg_diagnostics_destroy(session->diagnostics);
}

static void
execute(struct session *session)
{
   assert_int_equal(tg_run_execute(session->run, session->diagnostics), TG_OK);
}

static void
expect_output(const struct session *session, uint32_t index, unsigned lane,
              uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
   uint32_t words[4];

   assert_int_equal(tg_run_get_output(session->run, 0, index, lane, words),
                    TG_OK);
   assert_int_equal(words[0], x);
   assert_int_equal(words[1], y);
   assert_int_equal(words[2], z);
   assert_int_equal(words[3], w);
}

/* ---- values in, values out ----------------------------------------------- */

static_assert(__builtin_popcount(TG_QUIRKS_OF_VIRGL) == 7,
              "quirks have bits of their own");

static const char add_text[] = "VERT\n"
                               "DCL IN[0]\n"
                               "DCL SV[0], VERTEXID\n"
                               "DCL OUT[0], GENERIC[0]\n"
                               "DCL OUT[1], GENERIC[1]\n"
                               "DCL CONST[0][0..1]\n"
                               "  0: UADD OUT[0], IN[0], CONST[0][1]\n"
                               "  1: MOV OUT[1].x, SV[0].xxxx\n"
                               "  2: END\n";

/* With and without the passes, and more than once. */
static void
test_values(void **state)
{
   const uint32_t constant[4] = {1, 2, 3, 4};

   (void)state;
   for (unsigned round = 0; round < 2; round++) {
      struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
      struct session session;

      options.optimize = round == 0;
      begin(&session, add_text, 5, &options);
      assert_int_equal(tg_run_num_outputs(session.run), 2);
      assert_int_equal(tg_run_num_output_vertices(session.run), 1);
      assert_int_equal(
         tg_run_set(session.run, TG_RUN_CONSTANT, 0, 1, -1, constant), TG_OK);
      for (uint32_t lane = 0; lane < 5; lane++) {
         const uint32_t input[4] = {lane, 10 * lane, 100 * lane, UINT32_MAX};
         const uint32_t id[4] = {70 + lane};

         assert_int_equal(
            tg_run_set(session.run, TG_RUN_INPUT, 0, 0, (int)lane, input),
            TG_OK);
         assert_int_equal(
            tg_run_set(session.run, TG_RUN_SYSVAL, 0, 0, (int)lane, id), TG_OK);
      }
      for (unsigned again = 0; again < 2; again++) {
         execute(&session);
         for (uint32_t lane = 0; lane < 5; lane++) {
            expect_output(&session, 0, lane, lane + 1, 10 * lane + 2,
                          100 * lane + 3, 3);
            expect_output(&session, 1, lane, 70 + lane, 0, 0, 0);
         }
      }
      end(&session);
   }
}

/* Pairs for channels by their names, or in the order of those that are written.
 */
static void
test_quirks(void **state)
{
   static const char text[] = "VERT\n"
                              "DCL OUT[0], GENERIC[0]\n"
                              "DCL OUT[1], GENERIC[1]\n"
                              "DCL OUT[2], GENERIC[2]\n"
                              "DCL OUT[3..4], GENERIC[3]\n"
                              "IMM[0] FLT64 {1.5, 2.5}\n"
                              "D2F OUT[0].y, IMM[0]\n"
                              "D2F OUT[1].yz, IMM[0]\n"
                              "D2F OUT[2], IMM[0]\n"
                              "DADD OUT[3].zw, IMM[0], IMM[0]\n"
                              "DADD OUT[4], IMM[0], IMM[0]\n"
                              "END\n";
   enum { FIRST = 0x3fc00000, SECOND = 0x40200000 };
   enum { TWICE_FIRST = 0x40080000, TWICE_SECOND = 0x40140000 };
   struct session session;
   (void)state;

   begin(&session, text, 1, NULL);
   execute(&session);
   expect_output(&session, 0, 0, 0, SECOND, 0, 0);
   expect_output(&session, 1, 0, 0, SECOND, FIRST, 0);
   expect_output(&session, 2, 0, FIRST, SECOND, FIRST, SECOND);
   expect_output(&session, 3, 0, 0, 0, 0, TWICE_SECOND);
   expect_output(&session, 4, 0, 0, TWICE_FIRST, 0, TWICE_SECOND);
   end(&session);
   begin_with(&session, text, TG_QUIRK_PAIRS_IN_TURN, 1, NULL);
   execute(&session);
   expect_output(&session, 0, 0, 0, FIRST, 0, 0);
   expect_output(&session, 1, 0, 0, FIRST, SECOND, 0);
   expect_output(&session, 2, 0, FIRST, SECOND, FIRST, SECOND);
   expect_output(&session, 3, 0, 0, 0, 0, TWICE_FIRST);
   expect_output(&session, 4, 0, 0, TWICE_FIRST, 0, TWICE_SECOND);
   end(&session);
}

static const char floors_text[] =
   "VERT\n"
   "DCL IN[0]\n"
   "DCL OUT[0..3], GENERIC[0]\n"
   "DCL TEMP[0..1]\n"
   "IMM[0] FLT32 {-1.0, 1.0, 0.0, 0.0}\n"
   "FRC TEMP[0].xy, IN[0].yxxx\n"
   "MAD OUT[0].xy, TEMP[0].yxxx, IMM[0].xxxx, IN[0].xyyy\n" /* floors */
   "FRC TEMP[0].x, IN[0].xxxx\n"
   "MAD OUT[1].x, TEMP[0].xxxx, IMM[0].xxxx, IN[0].yyyy\n" /* of another */
   "FRC TEMP[0].x, IN[0].xxxx\n"
   "MAD OUT[2].x, TEMP[0].xxxx, IMM[0].yyyy, IN[0].xxxx\n" /* a sum */
   "MOV TEMP[1].x, IN[0].xxxx\n"
   "FRC TEMP[1].x, TEMP[1].xxxx\n"
   "MAD OUT[3].x, TEMP[1].xxxx, IMM[0].xxxx, TEMP[1].xxxx\n" /* of itself */
   "MOV TEMP[1].x, IN[0].yyyy\n"
   "FRC TEMP[0].x, IN[0].xxxx\n"
   "MAD OUT[3].y, TEMP[1].xxxx, IMM[0].xxxx, IN[0].xxxx\n" /* another's */
   "FRC TEMP[0].x, IN[0].xxxx\n"
   "MAD OUT[1].y, TEMP[0].xxxx, IMM[0].xxxx, TEMP[1].xxxx\n" /* of another */
   "MOV TEMP[0].x, IN[0].xxxx\n"
   "MAD OUT[3].z, TEMP[0].xxxx, IMM[0].xxxx, IN[0].xxxx\n" /* no fraction */
   "FRC TEMP[0].xy, IN[0].yxxx\n"
   "MUL TEMP[1].xy, TEMP[0].yxxx, IMM[0].xxxx\n"
   "ADD OUT[2].yz, IN[0].xxyy, TEMP[1].xxyy\n" /* floors */
   "FRC TEMP[0].x, IN[0].xxxx\n"
   "MUL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
   "ADD OUT[2].w, IN[0].xxxx, TEMP[0].xxxx\n" /* a sum */
   "FRC TEMP[0].x, IN[0].xxxx\n"
   "MUL TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\n"
   "ADD OUT[1].z, IN[0].xxxx, TEMP[0].xxxx\n" /* another's */
   "MOV TEMP[1].x, IN[0].xxxx\n"
   "FRC TEMP[0].x, TEMP[1].xxxx\n"
   "MUL TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\n"
   "ADD OUT[1].w, TEMP[1].xxxx, TEMP[1].xxxx\n" /* of itself */
   "FRC TEMP[0].x, IN[0].xxxx\n"
   "MUL_SAT TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\n"
   "ADD OUT[3].w, IN[0].xxxx, TEMP[1].xxxx\n" /* of nothing */
   "END\n";

/* The same bits, or both NaN. */
static void
check_float(const struct session *session, uint32_t index, unsigned lane,
            unsigned channel, float expected)
{
   uint32_t words[4];

   assert_int_equal(tg_run_get_output(session->run, 0, index, lane, words),
                    TG_OK);
   if (isnan(expected))
      assert_true(isnan(tg_float_of_bits(words[channel])));
   else
      assert_int_equal(words[channel], tg_bits_of_float(expected));
}

/* x - FRC(x) is NaN where x is infinite, or x with the quirk, and else the
 * floor. What is like it stays as it is. */
static void
test_floor_by_fraction(void **state)
{
   static const float values[] = {
      0.0f,       -0.0f,       1.5f,     -1.5f,           0x1p-149f,
      -0x1p-149f, -0x1p-30f,   7.0f,     -0x1.fffffep-1f, -0x1.000002p0f,
      0x1p60f,    -8388607.5f, INFINITY, -INFINITY,       NAN};
   enum { NUM = sizeof(values) / sizeof(values[0]) };
   static const uint32_t quirks[] = {0, TG_QUIRK_FLOOR_BY_FRACTION};
   (void)state;

   for (unsigned i = 0; i < 2; i++) {
      struct session session;

      begin_with(&session, floors_text, quirks[i], NUM, NULL);
      for (unsigned k = 0; k < NUM; k++) {
         const uint32_t input[4] = {tg_bits_of_float(values[k]),
                                    tg_bits_of_float(values[(k + 1) % NUM])};

         assert_int_equal(
            tg_run_set(session.run, TG_RUN_INPUT, 0, 0, (int)k, input), TG_OK);
      }
      execute(&session);
      for (unsigned k = 0; k < NUM; k++) {
         const float x = values[k], y = values[(k + 1) % NUM];
         const float of_x = x - floorf(x), of_y = y - floorf(y);

         check_float(&session, 0, k, 0, quirks[i] ? floorf(x) : x - of_x);
         check_float(&session, 0, k, 1, quirks[i] ? floorf(y) : y - of_y);
         check_float(&session, 1, k, 0, y - of_x);
         check_float(&session, 1, k, 1, y - of_x);
         check_float(&session, 1, k, 2, x + of_x);
         check_float(&session, 1, k, 3, -of_x - of_x);
         check_float(&session, 2, k, 0, x + of_x);
         check_float(&session, 2, k, 1, quirks[i] ? floorf(x) : x - of_x);
         check_float(&session, 2, k, 2, quirks[i] ? floorf(y) : y - of_y);
         check_float(&session, 2, k, 3, x + of_x);
         check_float(&session, 3, k, 0, of_x - of_x);
         check_float(&session, 3, k, 1, x - y);
         check_float(&session, 3, k, 2, x - x);
         check_float(&session, 3, k, 3, x + 0.0f);
         if (isfinite(x))
            check_float(&session, 0, k, 0, floorf(x));
      }
      end(&session);
   }
}

/* With MUL_ZERO_WINS -0 - FRC(-0) is +0, and stays so. */
static void
test_floor_and_zero_wins(void **state)
{
   static const char text[] = "VERT\n"
                              "PROPERTY MUL_ZERO_WINS 1\n"
                              "DCL IN[0]\n"
                              "DCL OUT[0], GENERIC[0]\n"
                              "DCL TEMP[0]\n"
                              "IMM[0] FLT32 {-1.0, 0.0, 0.0, 0.0}\n"
                              "FRC TEMP[0].x, IN[0].xxxx\n"
                              "MAD OUT[0].x, TEMP[0].xxxx, IMM[0].xxxx, "
                              "IN[0].xxxx\n"
                              "END\n";
   const uint32_t input[4] = {0x80000000};
   struct session session;
   (void)state;

   begin_with(&session, text, TG_QUIRK_FLOOR_BY_FRACTION, 1, NULL);
   assert_int_equal(tg_run_set(session.run, TG_RUN_INPUT, 0, 0, 0, input),
                    TG_OK);
   execute(&session);
   expect_output(&session, 0, 0, 0, 0, 0, 0);
   end(&session);
}

/* Powers and logarithms as C has them, or as GLSL may, where what is negative
 * or denormal is 0. */
static void
test_glsl_powers(void **state)
{
   static const char text[] = "VERT\n"
                              "DCL IN[0]\n"
                              "DCL OUT[0..2], GENERIC[0]\n"
                              "IMM[0] FLT32 {-140.0, 0.0, 0.0, 0.0}\n"
                              "POW OUT[0].x, IN[0].xxxx, IN[0].yyyy\n"
                              "POW OUT[0].y, IN[0].zzzz, IN[0].wwww\n"
                              "LG2 OUT[1].x, IN[0].zzzz\n"
                              "LG2 OUT[1].y, IN[0].wwww\n"
                              "EX2 OUT[1].z, IMM[0].xxxx\n"
                              "LIT OUT[2], IN[0].yzyw\n"
                              "END\n";
   static const uint32_t quirks[] = {0, TG_QUIRK_GLSL_POWERS};
   const uint32_t input[4] = {
      tg_bits_of_float(-2.0f),
      tg_bits_of_float(3.0f),
      tg_bits_of_float(0x1p-140f),
      tg_bits_of_float(0.5f),
   };
   (void)state;

   for (unsigned i = 0; i < 2; i++) {
      struct session session;

      begin_with(&session, text, quirks[i], 1, NULL);
      assert_int_equal(tg_run_set(session.run, TG_RUN_INPUT, 0, 0, 0, input),
                       TG_OK);
      execute(&session);
      check_float(&session, 0, 0, 0, quirks[i] ? 0.0f : -8.0f);
      check_float(&session, 0, 0, 1, quirks[i] ? 0.0f : 0x1p-70f);
      check_float(&session, 1, 0, 0, quirks[i] ? -INFINITY : -140.0f);
      check_float(&session, 1, 0, 1, -1.0f);
      check_float(&session, 1, 0, 2, quirks[i] ? 0.0f : 0x1p-140f);
      check_float(&session, 2, 0, 2, quirks[i] ? 0.0f : 0x1p-70f);
      end(&session);
   }
}

/* The square root of the input and the reciprocal of its reciprocal, which
 * differ. */
struct roots {
   float once, twice;
};

static struct roots
set_root(struct session *session)
{
   struct roots roots = {1.0f, 1.0f};
   float x = 1.0f;

   while (roots.once == roots.twice) {
      x += 1.0f;
      roots.once = sqrtf(x);
      roots.twice = 1.0f / (1.0f / roots.once);
   }
   const uint32_t input[4] = {tg_bits_of_float(x), tg_bits_of_float(0.25f)};
   assert_int_equal(tg_run_set(session->run, TG_RUN_INPUT, 0, 0, 0, input),
                    TG_OK);
   return roots;
}

/* RCP of RSQ is the reciprocal of a reciprocal, or the root with the quirk.
 * What is like it stays as it is. */
static void
test_root_by_reciprocals(void **state)
{
   static const char text[] =
      "VERT\n"
      "DCL IN[0]\n"
      "DCL OUT[0..4], GENERIC[0]\n"
      "DCL TEMP[0..3], LOCAL\n"
      "DCL ADDR[0]\n"
      "IMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}\n"
      "IMM[1] INT32 {0, 1, 2, 3}\n"
      "RSQ TEMP[0].xy, IN[0].xxxx\n"
      "RCP OUT[0].x, TEMP[0].xxxx\n" /* roots */
      "MOV TEMP[0].x, IMM[0].xxxx\n"
      "RCP OUT[0].y, TEMP[0].yyyy\n"
      "MOV TEMP[1].z, IN[0].xxxx\n"
      "RSQ TEMP[1].z, TEMP[1].zzzz\n"
      "MOV TEMP[2].z, IMM[0].xxxx\n"
      "RCP_SAT OUT[0].z, TEMP[1].zzzz\n"
      "RCP TEMP[1].z, TEMP[1].zzzz\n"
      "MOV OUT[0].w, TEMP[1].zzzz\n"
      "RSQ TEMP[0].x, IN[0].xxxx\n"
      "MUL TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
      "RCP OUT[1].x, TEMP[0].xxxx\n" /* of a product */
      "RSQ TEMP[0].x, IN[0].xxxx\n"
      "RCP OUT[1].y, -TEMP[0].xxxx\n"  /* of what is negated */
      "RCP OUT[1].z, |TEMP[0].xxxx|\n" /* or absolute */
      "RCP_PRECISE OUT[1].w, TEMP[0].xxxx\n"
      "RSQ_SAT TEMP[0].x, IN[0].yyyy\n"
      "RCP OUT[2].x, TEMP[0].xxxx\n" /* of 1 */
      "RSQ TEMP[0].x, IN[0].xxxx\n"
      "UIF IMM[1].yyyy\n"
      "RCP OUT[2].y, TEMP[0].xxxx\n" /* in another block */
      "ENDIF\n"
      "RCP OUT[2].z, TEMP[0].xxxx\n"
      "RSQ TEMP[1].x, IN[0].xxxx\n"
      "UARL ADDR[0].x, IMM[1].yyyy\n"
      "MOV TEMP[ADDR[0].x].x, IMM[0].xxxx\n"
      "RCP OUT[2].w, TEMP[1].xxxx\n" /* of what was written to */
      "UARL ADDR[0].x, IMM[1].xxxx\n"
      "RSQ TEMP[ADDR[0].x+3].x, IN[0].xxxx\n"
      "RCP OUT[3].x, TEMP[3].xxxx\n" /* of what may have been */
      "RSQ TEMP[3].x, IN[0].xxxx\n"
      "RCP OUT[3].y, TEMP[ADDR[0].x+3].xxxx\n" /* or may be */
      "RSQ OUT[4].x, IN[0].xxxx\n"
      "RCP OUT[3].z, OUT[4].xxxx\n" /* of no temporary */
      "RSQ TEMP[0].x, IN[0].yyyy\n"
      "RSQ TEMP[0].x, IN[0].xxxx\n"
      "RCP OUT[3].w, TEMP[0].xxxx\n" /* the last one's root */
      "END\n";
   static const uint32_t quirks[] = {0, TG_QUIRK_ROOT_BY_RECIPROCALS};
   (void)state;

   for (unsigned i = 0; i < 2; i++) {
      struct session session;

      begin_with(&session, text, quirks[i], 1, NULL);
      const struct roots roots = set_root(&session);
      const float root = quirks[i] ? roots.once : roots.twice;

      execute(&session);
      check_float(&session, 0, 0, 0, root);
      check_float(&session, 0, 0, 1, root);
      check_float(&session, 0, 0, 2, 1.0f);
      check_float(&session, 0, 0, 3, root);
      check_float(&session, 1, 0, 0, roots.twice);
      check_float(&session, 1, 0, 1, -roots.twice);
      check_float(&session, 1, 0, 2, roots.twice);
      check_float(&session, 1, 0, 3, roots.twice);
      check_float(&session, 2, 0, 0, 1.0f);
      check_float(&session, 2, 0, 1, roots.twice);
      check_float(&session, 2, 0, 2, roots.twice);
      check_float(&session, 2, 0, 3, 1.0f);
      check_float(&session, 3, 0, 0, roots.twice);
      check_float(&session, 3, 0, 1, roots.twice);
      check_float(&session, 3, 0, 2, roots.twice);
      check_float(&session, 3, 0, 3, root);
      end(&session);
   }
}

/* It is looked for 64 instructions back. */
static void
test_root_of_far_reciprocal(void **state)
{
   (void)state;

   for (unsigned between = 63; between <= 64; between++) {
      char text[4096] = "VERT\n"
                        "DCL IN[0]\n"
                        "DCL OUT[0], GENERIC[0]\n"
                        "DCL TEMP[0..1]\n"
                        "RSQ TEMP[0].x, IN[0].xxxx\n";
      struct session session;

      for (unsigned i = 0; i < between; i++)
         strcat(text, "MOV TEMP[1].x, IN[0].xxxx\n");
      strcat(text, "RCP OUT[0].x, TEMP[0].xxxx\n"
                   "END\n");
      begin_with(&session, text, TG_QUIRK_ROOT_BY_RECIPROCALS, 1, NULL);
      const struct roots roots = set_root(&session);

      execute(&session);
      check_float(&session, 0, 0, 0, between == 63 ? roots.once : roots.twice);
      end(&session);
   }
}

/* What a predicate or a jump leaves out wrote no reciprocal. */
static void
test_root_of_2011(void **state)
{
   static const char predicate_text[] = "VERT\n"
                                        "DCL IN[0]\n"
                                        "DCL OUT[0], GENERIC[0]\n"
                                        "DCL TEMP[0]\n"
                                        "DCL PRED[0]\n"
                                        "MOV TEMP[0].x, IN[0].yyyy\n"
                                        "SLT PRED[0], IN[0], IN[0]\n"
                                        "(PRED[0].x) RSQ TEMP[0].x, "
                                        "IN[0].xxxx\n"
                                        "RCP OUT[0].x, TEMP[0].xxxx\n"
                                        "END\n";
   static const char jump_text[] = "VERT\n"
                                   "DCL IN[0]\n"
                                   "DCL OUT[0], GENERIC[0]\n"
                                   "DCL TEMP[0]\n"
                                   "0: RSQ TEMP[0].x, IN[0].xxxx\n"
                                   "1: BRA :3\n"
                                   "2: RSQ TEMP[0].x, IN[0].yyyy\n"
                                   "3: RCP OUT[0].x, TEMP[0].xxxx\n"
                                   "4: END\n";
   struct session session;
   (void)state;

   begin_in(&session, TG_DIALECT_2011, predicate_text,
            TG_QUIRK_ROOT_BY_RECIPROCALS, 1, NULL);
   set_root(&session);
   execute(&session);
   check_float(&session, 0, 0, 0, 4.0f); /* of 0.25 */
   end(&session);
   begin_in(&session, TG_DIALECT_2011, jump_text, TG_QUIRK_ROOT_BY_RECIPROCALS,
            1, NULL);
   const struct roots roots = set_root(&session);
   execute(&session);
   check_float(&session, 0, 0, 0, roots.twice);
   end(&session);
}

/* Of a row of floats, of which the first is 1 and the others are 0. */
static void
bind_texture(struct tg_bindings *bindings, unsigned place, uint32_t target,
             uint32_t width, uint32_t layers)
{
   const uint32_t format = (uint32_t)tg_format_number("R32_FLOAT");
   const struct tg_resource_desc desc =
      DESC(target, format, width, 1, 1, layers, 0, 1);
   static const struct tg_box first = {0, 0, 0, 1, 1, 1};
   const float one = 1.0f;
   struct tg_resource *texture;

   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &texture), TG_OK);
   assert_int_equal(tg_resource_write(texture, 0, 0, &first, &one, 0, 0),
                    TG_OK);
   const struct tg_view_desc view = tg_view_desc_of(texture);
   assert_int_equal(bind_view(bindings, place, &view, NULL), TG_OK);
   assert_int_equal(bind_sampler(bindings, place, NULL, NULL), TG_OK);
   tg_resource_destroy(texture);
}

/* One face of a cube is 1, and the others are 0. TXP divides a direction by w,
 * which turns it round, or ignores w. In the plane it divides always: the first
 * of two texels is 1. */
static void
test_cubes_without_q(void **state)
{
   static const char text[] = "VERT\n"
                              "DCL IN[0]\n"
                              "DCL OUT[0..2], GENERIC[0]\n"
                              "DCL SAMP[0..1]\n"
                              "DCL SVIEW[0], CUBE, FLOAT\n"
                              "DCL SVIEW[1], 2D, FLOAT\n"
                              "TXP OUT[0], IN[0], SAMP[0], CUBE\n"
                              "TEX OUT[1], IN[0], SAMP[0], CUBE\n"
                              "TXP OUT[2], IN[0], SAMP[1], 2D\n"
                              "END\n";
   static const uint32_t quirks[] = {0, TG_QUIRK_CUBES_WITHOUT_Q};
   static const float w[] = {2.0f, -2.0f, 0.0f};
   struct tg_bindings *bindings;
   (void)state;

   assert_int_equal(tg_bindings_create(NULL, &bindings), TG_OK);
   bind_texture(bindings, 0, TG_TEXTURE_CUBE, 1, 6);
   bind_texture(bindings, 1, TG_TEXTURE_2D, 2, 1);
   for (unsigned i = 0; i < 2; i++) {
      struct session session;

      begin_with(&session, text, quirks[i], 3, NULL);
      for (int lane = 0; lane < 3; lane++) {
         const uint32_t input[4] = {
            tg_bits_of_float(0.75f), tg_bits_of_float(0.25f),
            tg_bits_of_float(0.125f), tg_bits_of_float(w[lane])};

         assert_int_equal(
            tg_run_set(session.run, TG_RUN_INPUT, 0, 0, lane, input), TG_OK);
      }
      tg_run_set_bindings(session.run, bindings);
      execute(&session);
      check_float(&session, 0, 0, 0, 1.0f);
      check_float(&session, 0, 1, 0, quirks[i] ? 1.0f : 0.0f);
      if (quirks[i])
         check_float(&session, 0, 2, 0, 1.0f);
      for (unsigned lane = 0; lane < 3; lane++)
         check_float(&session, 1, lane, 0, 1.0f);
      check_float(&session, 2, 0, 0, 1.0f);
      end(&session);
   }
   tg_bindings_destroy(bindings);
}

/* Counters by the register and the offset, or by the register alone. */
static void
test_counters_by_register(void **state)
{
   static const char text[] = "VERT\n"
                              "DCL HWATOMIC[0][0..7]\n"
                              "DCL OUT[0..2], GENERIC[0]\n"
                              "IMM[0] UINT32 {0, 4, 8, 0}\n"
                              "LOAD OUT[0].x, HWATOMIC[0][2], IMM[0].xxxx\n"
                              "LOAD OUT[1].x, HWATOMIC[0][2], IMM[0].yyyy\n"
                              "LOAD OUT[2].x, HWATOMIC[0][2], IMM[0].zzzz\n"
                              "END\n";
   static const uint32_t quirks[] = {0, TG_QUIRK_COUNTERS_BY_REGISTER};
   const struct tg_resource_desc desc = {.size = sizeof(desc), .width = 32};
   (void)state;

   for (unsigned i = 0; i < 2; i++) {
      struct tg_resource *buffer;
      struct tg_bindings *bindings;
      struct session session;

      begin_with(&session, text, quirks[i], 1, NULL);
      assert_int_equal(tg_resource_create(NULL, &desc, NULL, &buffer), TG_OK);
      assert_int_equal(tg_bindings_create(NULL, &bindings), TG_OK);
      for (uint32_t k = 0; k < 8; k++)
         ((uint32_t *)tg_resource_map_buffer(buffer))[k] = 10 + k;
      assert_int_equal(tg_bindings_set_buffer(bindings, TG_BUFFER_COUNTER, 0,
                                              buffer, 0, 32, NULL),
                       TG_OK);
      tg_run_set_bindings(session.run, bindings);
      execute(&session);
      /* 8 is the register once more, in bytes. */
      expect_output(&session, 0, 0, 12, 0, 0, 0);
      expect_output(&session, 1, 0, quirks[i] ? 12 : 16, 0, 0, 0);
      expect_output(&session, 2, 0, 12, 0, 0, 0);
      tg_bindings_destroy(bindings);
      tg_resource_destroy(buffer);
      end(&session);
   }
}

/* A value for all lanes, and registers that are not there. */
static void
test_set(void **state)
{
   const uint32_t words[4] = {5, 6, 7, 8};
   uint32_t out[4];
   struct session session;
   struct tg_run *run;

   (void)state;
   begin(&session, add_text, 16, NULL);
   run = session.run;
   assert_int_equal(tg_run_set(run, TG_RUN_INPUT, 0, 0, -1, words), TG_OK);
   execute(&session);
   expect_output(&session, 0, 0, 5, 6, 7, 8);
   expect_output(&session, 0, 15, 5, 6, 7, 8);

   assert_int_equal(tg_run_set(run, TG_RUN_INPUT, 1, 0, 0, words),
                    TG_ERROR_INPUT);
   assert_int_equal(tg_run_set(run, TG_RUN_INPUT, 0, 1, 0, words),
                    TG_ERROR_INPUT);
   assert_int_equal(tg_run_set(run, TG_RUN_INPUT, 0, 0, 16, words),
                    TG_ERROR_INPUT);
   assert_int_equal(tg_run_set(run, TG_RUN_INPUT, 0, 0, -2, words),
                    TG_ERROR_INPUT);
   assert_int_equal(tg_run_set(run, TG_RUN_SYSVAL, 0, 1, 0, words),
                    TG_ERROR_INPUT);
   assert_int_equal(tg_run_set(run, TG_RUN_CONSTANT, 1, 0, -1, words),
                    TG_ERROR_INPUT);
   assert_int_equal(tg_run_set(run, TG_RUN_CONSTANT, 0, 2, -1, words),
                    TG_ERROR_INPUT);
   assert_int_equal(tg_run_get_output(run, 0, 2, 0, out), TG_ERROR_INPUT);
   assert_int_equal(tg_run_get_output(run, 1, 0, 0, out), TG_ERROR_INPUT);
   assert_int_equal(tg_run_get_output(run, 0, 0, 16, out), TG_ERROR_INPUT);
   end(&session);

   begin(&session, add_text, 1, NULL);
   assert_int_equal(tg_run_get_output(session.run, 0, 0, 1, out),
                    TG_ERROR_INPUT);
   assert_int_equal(tg_run_create(session.program, 0, &run), TG_ERROR_INPUT);
   assert_int_equal(tg_run_create(session.program, 17, &run), TG_ERROR_INPUT);
   end(&session);
}

/* ---- lanes that are discarded -------------------------------------------- */

static void
test_killed(void **state)
{
   static const char text[] = "FRAG\n"
                              "DCL IN[0], GENERIC[0], CONSTANT\n"
                              "DCL OUT[0], COLOR\n"
                              "  0: KILL_IF IN[0].xxxx\n"
                              "  1: MOV OUT[0], IN[0]\n"
                              "  2: END\n";
   const uint32_t minus_one[4] = {0xbf800000, 0, 0, 0};
   struct session session;

   (void)state;
   begin(&session, text, 6, NULL);
   tg_run_set(session.run, TG_RUN_INPUT, 0, 0, 2, minus_one);
   tg_run_set(session.run, TG_RUN_INPUT, 0, 0, 5, minus_one);
   execute(&session);
   assert_int_equal(tg_run_killed(session.run), 1 << 2 | 1 << 5);

   const uint32_t one[4] = {0x3f800000, 0, 0, 0};
   tg_run_set(session.run, TG_RUN_INPUT, 0, 0, 5, one);
   execute(&session);
   assert_int_equal(tg_run_killed(session.run), 1 << 2);
   expect_output(&session, 0, 5, 0x3f800000, 0, 0, 0);
   end(&session);
}

/* ---- limits -------------------------------------------------------------- */

static void
test_loop_budget(void **state)
{
   static const char text[] = "VERT\n"
                              "DCL OUT[0], POSITION\n"
                              "  0: BGNLOOP\n"
                              "  1: MOV OUT[0], OUT[0]\n"
                              "  2: ENDLOOP\n"
                              "  3: END\n";
   struct session session;

   (void)state;
   begin(&session, text, 4, NULL);
   tg_run_set_loop_budget(session.run, 1000);
   assert_int_equal(tg_run_execute(session.run, session.diagnostics),
                    TG_ERROR_LIMIT);

   size_t count = tg_diagnostics_count(session.diagnostics);
   assert_true(count > 0);
   const struct tg_diagnostic *last =
      tg_diagnostics_get(session.diagnostics, count - 1);
   assert_string_equal(last->code, "limit");
   assert_string_equal(last->message, "the loop budget is used up");
   assert_int_equal(last->line, 5);
   end(&session);
}

/* Turns 200,000 times, and has `num_more` instructions that do nothing. */
static enum tg_result
run_long_shader(unsigned num_more)
{
   static char text[100000];
   static const char loop[] = "VERT\n"
                              "DCL OUT[0], POSITION\n"
                              "DCL TEMP[0..1]\n"
                              "IMM[0] UINT32 {1, 200000, 0, 0}\n"
                              "BGNLOOP\n"
                              "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
                              "USGE TEMP[1].x, TEMP[0].xxxx, IMM[0].yyyy\n"
                              "UIF TEMP[1].xxxx\n"
                              "BRK\n"
                              "ENDIF\n"
                              "ENDLOOP\n";
   struct session session;
   char *end_of_text = stpcpy(text, loop);

   for (unsigned i = 0; i < num_more; i++)
      end_of_text = stpcpy(end_of_text, "NOP\n");
   stpcpy(end_of_text, "END\n");
   begin(&session, text, 1, NULL);
   enum tg_result result = tg_run_execute(session.run, session.diagnostics);
   end(&session);
   return result;
}

/* 2^27 / 600 is more than 200,000, and 2^27 / 800 less. */
static void
test_default_loop_budget(void **state)
{
   (void)state;
   assert_int_equal(run_long_shader(0), TG_OK);
   assert_int_equal(run_long_shader(590), TG_OK);
   assert_int_equal(run_long_shader(800), TG_ERROR_LIMIT);
}

/* ---- events -------------------------------------------------------------- */

struct traced {
   unsigned num;
   uint32_t instruction[8], channel[8], lanes[8], word[8];
};

static void
note_trace(void *user, uint32_t instruction, unsigned dst, unsigned channel,
           uint32_t lanes, const uint32_t words[TG_MAX_LANES])
{
   struct traced *traced = user;

   assert_true(traced->num < 8);
   assert_int_equal(dst, 0);
   traced->instruction[traced->num] = instruction;
   traced->channel[traced->num] = channel;
   traced->lanes[traced->num] = lanes;
   traced->word[traced->num] = words[1];
   traced->num++;
}

static void
test_trace(void **state)
{
   static const char text[] = "VERT\n"
                              "DCL IN[0]\n"
                              "DCL OUT[0], POSITION\n"
                              "DCL TEMP[0]\n"
                              "  0: UADD TEMP[0].xz, IN[0], IN[0]\n"
                              "  1: MOV OUT[0].y, TEMP[0].zzzz\n"
                              "  2: END\n";
   const uint32_t input[4] = {1, 2, 3, 4};
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   struct traced traced = {0};
   struct session session;

   (void)state;
   options.trace = true;
   begin(&session, text, 3, &options);
   tg_run_set(session.run, TG_RUN_INPUT, 0, 0, -1, input);
   execute(&session);
   assert_int_equal(traced.num, 0);

   tg_run_set_trace(session.run, note_trace, &traced);
   execute(&session);
   assert_int_equal(traced.num, 3);
   static const uint32_t expected[3][3] = {{0, 0, 2}, {0, 2, 6}, {1, 1, 6}};
   for (unsigned i = 0; i < 3; i++) {
      assert_int_equal(traced.instruction[i], expected[i][0]);
      assert_int_equal(traced.channel[i], expected[i][1]);
      assert_int_equal(traced.word[i], expected[i][2]);
      assert_int_equal(traced.lanes[i], 7);
   }
   end(&session);
}

struct emitted {
   const struct session *session;
   unsigned num;
   char log[64]; /* lane and x of a vertex, or lane and | */
};

static void
note_emit(void *user, unsigned lane, uint32_t stream, bool is_end_of_primitive)
{
   struct emitted *emitted = user;
   uint32_t words[4];

   assert_int_equal(stream, 0);
   assert_int_equal(tg_run_get_output(emitted->session->run, 0, 0, lane, words),
                    TG_OK);
   assert_true(emitted->num + 3 < sizeof(emitted->log));
   emitted->log[emitted->num++] = (char)('A' + lane);
   emitted->log[emitted->num++] =
      is_end_of_primitive ? '|' : (char)('0' + words[0]);
}

/* Two lanes emit four vertices each, of which the shader declares three. */
static void
test_emit(void **state)
{
   static const char text[] = "GEOM\n"
                              "PROPERTY GS_INPUT_PRIMITIVE POINTS\n"
                              "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                              "PROPERTY GS_MAX_OUTPUT_VERTICES 3\n"
                              "DCL IN[][0], POSITION\n"
                              "DCL OUT[0], POSITION\n"
                              "IMM[0] UINT32 {0, 1, 2, 3}\n"
                              "  0: MOV OUT[0], IN[0][0]\n"
                              "  1: EMIT IMM[0].xxxx\n"
                              "  2: UADD OUT[0].x, OUT[0], IMM[0].yyyy\n"
                              "  3: EMIT IMM[0].xxxx\n"
                              "  4: ENDPRIM IMM[0].xxxx\n"
                              "  5: UADD OUT[0].x, OUT[0], IMM[0].yyyy\n"
                              "  6: EMIT IMM[0].xxxx\n"
                              "  7: EMIT IMM[0].xxxx\n"
                              "  8: END\n";
   struct session session;
   struct emitted emitted = {.session = &session};

   (void)state;
   begin(&session, text, 2, NULL);
   tg_run_set_emit(session.run, note_emit, &emitted);
   for (uint32_t lane = 0; lane < 2; lane++) {
      const uint32_t input[4] = {lane + 1, 0, 0, 0};
      tg_run_set(session.run, TG_RUN_INPUT, 0, 0, (int)lane, input);
   }
   execute(&session);
   assert_string_equal(emitted.log, "A1B2A2B3A|B|A3B4");
   assert_int_equal(tg_run_num_emitted(session.run, 0), 3);
   assert_int_equal(tg_run_num_emitted(session.run, 1), 3);
   assert_int_equal(tg_run_num_emitted(session.run, 2), 0);
   end(&session);
}

/* ---- what is refused ----------------------------------------------------- */

/* A shader that breaks a rule becomes no program. */
static void
test_refused(void **state)
{
   static const char text[] = "VERT\n"
                              "  0: MOV OUT[0], IN[0]\n"
                              "  1: END\n";
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader;
   struct tg_program *program = NULL;

   (void)state;
   assert_int_equal(tg_shader_parse(NULL, "bad", text, strlen(text),
                                    TG_DIALECT_2019, diagnostics, &shader),
                    TG_OK);
   assert_int_equal(
      tg_program_create(NULL, shader, NULL, diagnostics, &program),
      TG_ERROR_INPUT);
   assert_null(program);
   assert_true(tg_diagnostics_num_errors(diagnostics) > 0);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
   tg_program_destroy(NULL);
   tg_run_destroy(NULL);
}

/* ---- bindings ------------------------------------------------------------ */

/* What is bound as a constant buffer stands in front of what was set. */
static void
test_constant_buffer(void **state)
{
   (void)state;
   static const char text[] = "VERT\n"
                              "DCL CONST[0][0]\n"
                              "DCL CONST[1][0..1]\n"
                              "DCL OUT[0..1], GENERIC[0]\n"
                              "  0: MOV OUT[0], CONST[0][0]\n"
                              "  1: MOV OUT[1], CONST[1][1]\n"
                              "  2: END\n";
   static const uint32_t set[4] = {1, 2, 3, 4};
   const struct tg_resource_desc desc = {.size = sizeof(desc), .width = 32};
   struct tg_resource *buffer = NULL;
   struct tg_bindings *bindings = NULL;
   struct session session;

   begin(&session, text, 1, NULL);
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &buffer), TG_OK);
   assert_int_equal(tg_bindings_create(NULL, &bindings), TG_OK);
   uint32_t *words = tg_resource_map_buffer(buffer);
   for (uint32_t i = 0; i < 8; i++)
      words[i] = 10 + i;
   for (uint32_t i = 0; i < 2; i++)
      assert_int_equal(tg_run_set(session.run, TG_RUN_CONSTANT, i, i, -1, set),
                       TG_OK);

   /* 28 bytes from the fourth on: CONST[1][1].w is beyond them. */
   assert_int_equal(tg_bindings_set_buffer(bindings, TG_BUFFER_CONSTANT, 1,
                                           buffer, 4, 28, NULL),
                    TG_OK);
   tg_run_set_bindings(session.run, bindings);
   execute(&session);
   expect_output(&session, 0, 0, 1, 2, 3, 4);
   expect_output(&session, 1, 0, 15, 16, 17, 0);

   tg_run_set_bindings(session.run, NULL);
   execute(&session);
   expect_output(&session, 1, 0, 1, 2, 3, 4);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(buffer);
   end(&session);
}

/* ---- compute ------------------------------------------------------------- */

/* Each lane writes its input to shared memory and reads that of the next lane
 * around, and what was there before. */
static void
test_shared_memory(void **state)
{
   static const char text[] =
      "COMP\n"
      "DCL SV[0], THREAD_ID\n"
      "DCL OUT[0]\n"
      "DCL MEMORY[0], SHARED\n"
      "DCL TEMP[0..1]\n"
      "IMM[0] UINT32 {4, 1, 3, 100}\n"
      "  0: UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
      "  1: LOAD TEMP[1].x, MEMORY[0], TEMP[0].xxxx\n"
      "  2: UADD TEMP[1].y, SV[0].xxxx, IMM[0].wwww\n"
      "  3: STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[1].yyyy\n"
      "  4: BARRIER\n"
      "  5: UADD TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\n"
      "  6: AND TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\n"
      "  7: UMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
      "  8: MOV OUT[0].y, TEMP[1].xxxx\n"
      "  9: LOAD OUT[0].x, MEMORY[0], TEMP[0].xxxx\n"
      " 10: END\n";
   struct session session;

   (void)state;
   begin(&session, text, 4, NULL);
   for (uint32_t lane = 0; lane < 4; lane++)
      assert_int_equal(tg_run_set(session.run, TG_RUN_SYSVAL, 0, 0, (int)lane,
                                  (uint32_t[]){lane, 0, 0, 0}),
                       TG_OK);
   for (unsigned i = 0; i < 2; i++) {
      execute(&session);
      for (uint32_t lane = 0; lane < 4; lane++)
         expect_output(&session, 0, lane, 100 + (lane + 1) % 4, 0, 0, 0);
   }
   end(&session);
}

static void
test_barrier(void **state)
{
   static const char text[] = "COMP\n"
                              "DCL SV[0], THREAD_ID\n"
                              "  0: UIF SV[0].xxxx\n"
                              "  1:   BARRIER\n"
                              "  2: ENDIF\n"
                              "  3: END\n";
   struct session session;

   (void)state;
   begin(&session, text, 3, NULL);
   execute(&session); /* no lane is there */
   assert_int_equal(tg_run_set(session.run, TG_RUN_SYSVAL, 0, 0, -1,
                               (uint32_t[]){1, 0, 0, 0}),
                    TG_OK);
   execute(&session); /* all are */
   assert_int_equal(
      tg_run_set(session.run, TG_RUN_SYSVAL, 0, 0, 1, (uint32_t[]){0, 0, 0, 0}),
      TG_OK);
   assert_int_equal(tg_run_execute(session.run, session.diagnostics),
                    TG_ERROR_LIMIT);
   const struct tg_diagnostic *diagnostic =
      tg_diagnostics_get(session.diagnostics, 0);
   assert_string_equal(diagnostic->message,
                       "lane 1 does not reach this barrier");
   assert_int_equal(diagnostic->line, 4);
   end(&session);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_quirks),
      cmocka_unit_test(test_floor_by_fraction),
      cmocka_unit_test(test_floor_and_zero_wins),
      cmocka_unit_test(test_glsl_powers),
      cmocka_unit_test(test_root_by_reciprocals),
      cmocka_unit_test(test_root_of_far_reciprocal),
      cmocka_unit_test(test_root_of_2011),
      cmocka_unit_test(test_cubes_without_q),
      cmocka_unit_test(test_counters_by_register),
      cmocka_unit_test(test_set),
      cmocka_unit_test(test_killed),
      cmocka_unit_test(test_loop_budget),
      cmocka_unit_test(test_default_loop_budget),
      cmocka_unit_test(test_trace),
      cmocka_unit_test(test_emit),
      cmocka_unit_test(test_constant_buffer),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_shared_memory),
      cmocka_unit_test(test_barrier),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
