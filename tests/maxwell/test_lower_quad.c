/* SPDX-License-Identifier: MIT
 *
 * Derivatives that TXD does not take, done by the threads of a quad for each
 * other: with inputs for which sums and differences are exact, texels are those
 * of the interpreter to the bit, whatever the target, the sampler and the flow
 * around them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lower_trial.h"
#include "util/strbuf.h"

/* ---- shaders ------------------------------------------------------------- */

struct quad_case {
   const char *view;     /* target of the view */
   const char *target;   /* of the instruction */
   const char *mnemonic; /* what the fetches are */
   bool has_offsets;
};

static const struct quad_case cases[] = {
   {"3D", "3D", "TEXS", true},
   {"CUBE", "CUBE", "TEXS", false},
   {"CUBEARRAY", "CUBEARRAY", "TEX", false},
   {"1D", "SHADOW1D", "TEX.DC", true},
   {"2D", "SHADOW2D", "TEXS.DC", true},
   {"RECT", "SHADOWRECT", "TEXS.DC", true},
   {"1D_ARRAY", "SHADOW1D_ARRAY", "TEX.DC", true},
   {"2D_ARRAY", "SHADOW2D_ARRAY", "TEX.DC", true},
   {"CUBE", "SHADOWCUBE", "TEX.DC", false},
};

enum { NUM_CASES = sizeof(cases) / sizeof(cases[0]) };

/* Code with the target for %s, around one TXD. */
static const char *const flows[] = {
   /* all threads at once */
   "TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], %s\n",
   "TXD OUT[0].xz, -IN[0], |IN[1]|, IN[2].yxzw, SAMP[0], %s\n",
   "TXD OUT[0], IN[0], IMM[0], IN[2], SAMP[0], %s\n",
   "TXD OUT[0], IMM[1], IN[1], IMM[0].wwww, SAMP[0], %s\n",
   "TXD_SAT OUT[0], IN[0], IN[1], IN[2], SAMP[0], %s\n",
   "TXD OUT[0], IN[0], IN[1], IN[2], SAMP[ADDR[0].x], %s\n",
   /* the destination is what is read */
   "MOV TEMP[0], IN[0]\n"
   "TXD TEMP[0], TEMP[0], IN[1], IN[2], SAMP[0], %s\n"
   "MOV OUT[0], TEMP[0]\n",
   /* coordinates beside which derivatives are small */
   "MUL TEMP[0], IN[0], IMM[2]\n"
   "TXD OUT[0], TEMP[0], IN[1], IN[2], SAMP[0], %s\n",
   /* other threads have what nobody reads here */
   "UIF IN[3].xxxx\n"
   "TXD TEMP[0], IN[0], IN[1], IN[2], SAMP[0], %s\n"
   "ELSE\n"
   "ADD TEMP[0], IN[4], IN[3]\n"
   "ENDIF\n"
   "MOV OUT[0], TEMP[0]\n",
   "UIF IN[3].xxxx\n"
   "MUL TEMP[0], IN[4], IN[3]\n"
   "ELSE\n"
   "TXD TEMP[1], IN[0], IN[1], IN[2], SAMP[0], %s\n"
   "MOV TEMP[0], TEMP[1].yxwz\n"
   "ENDIF\n"
   "MOV OUT[0], TEMP[0]\n",
   /* threads leave the loop at different times */
   "MOV TEMP[0], IN[0]\n"
   "MOV TEMP[2], IMM[0].wwww\n"
   "BGNLOOP\n"
   "ADD TEMP[2], TEMP[2], IMM[0].xxxx\n"
   "FSGE TEMP[3].x, TEMP[2].xxxx, IN[3].yyyy\n"
   "UIF TEMP[3].xxxx\n"
   "BRK\n"
   "ENDIF\n"
   "TXD TEMP[1], TEMP[0], IN[1], IN[2], SAMP[0], %s\n"
   "MOV TEMP[0].xyz, TEMP[0].yzxw\n"
   "ENDLOOP\n"
   "ADD OUT[0], TEMP[0], TEMP[1]\n",
   /* some are done */
   "MOV OUT[0], IN[4]\n"
   "UIF IN[3].xxxx\n"
   "RET\n"
   "ENDIF\n"
   "TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], %s\n",
   /* or have no part in it */
   "MOV TEMP[0], IN[4]\n"
   "SLT PRED[0], IN[3], IN[4]\n"
   "(PRED[0].xyyz) TXD TEMP[0], IN[0], IN[1], IN[2], SAMP[0], %s\n"
   "MOV OUT[0], TEMP[0]\n",
   /* or were killed */
   "KILL_IF IN[3].xxxx\n"
   "TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], %s\n",
   /* one behind the other, with what the first reads again */
   "TXD TEMP[0], IN[0], IN[1], IN[2], SAMP[0], %s\n"
   "TXD TEMP[1], IN[0].yxzw, IN[2], IN[1], SAMP[0], %s\n"
   "ADD OUT[0], TEMP[0], TEMP[1]\n",
};

enum { NUM_FLOWS = sizeof(flows) / sizeof(flows[0]) };

/* The same, with offsets. */
static const char *const offset_flows[] = {
   "TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], %s, IMM[3].xyz\n",
   "AND TEMP[0], IN[3], IMM[3].wwww\n"
   "TXD OUT[0].xyz, IN[0], IN[1], IN[2], SAMP[0], %s, TEMP[0].xyz\n",
};

enum { NUM_OFFSET_FLOWS = sizeof(offset_flows) / sizeof(offset_flows[0]) };

static struct tg_shader *
make_shader(const struct quad_case *with, const char *code)
{
   struct tg_shader *shader = NULL;
   struct tg_strbuf out = {0};

   tg_strbuf_add(&out, "FRAG\n");
   for (unsigned i = 0; i < 5; i++)
      tg_strbuf_printf(&out, "DCL IN[%u], GENERIC[%u], PERSPECTIVE\n", i, i);
   tg_strbuf_printf(&out,
                    "DCL OUT[0], COLOR\nDCL SAMP[0..1]\n"
                    "DCL SVIEW[0..1], %s, FLOAT\n"
                    "DCL TEMP[0..3]\nDCL ADDR[0]\nDCL PRED[0]\n"
                    "IMM[0] FLT32 {0.25, 0.5, -0.125, 0.0}\n"
                    "IMM[1] FLT32 {0.75, -0.5, 0.25, 1.0}\n"
                    "IMM[2] FLT32 {4096.0, 4096.0, 4096.0, 1.0}\n"
                    "IMM[3] INT32 {1, -2, 3, 7}\n",
                    with->view);
   for (const char *at = code; *at; at++) {
      if (at[0] == '%' && at[1] == 's') {
         tg_strbuf_add(&out, with->target);
         at++;
      } else {
         tg_strbuf_add_char(&out, *at);
      }
   }
   tg_strbuf_add(&out, "END\n");
   char *text = tg_strbuf_take(&out);
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   if (tg_shader_parse(NULL, "quad", text, strlen(text), TG_DIALECT_2019,
                       diagnostics, &shader) != TG_OK) {
      char *complaints = tg_diagnostics_text(diagnostics);
      fail_msg("%s%s", text, complaints);
   }
   tg_diagnostics_destroy(diagnostics);
   tg_string_free(text);
   return shader;
}

/* ---- trials -------------------------------------------------------------- */

static struct tg_maxwell_lowering *
lower(const struct tg_shader *shader, bool is_half)
{
   struct tg_maxwell_lower_options options = TG_MAXWELL_LOWER_OPTIONS_INIT;
   struct tg_maxwell_lowering *lowering = NULL;

   options.half = is_half;
   assert_int_equal(tg_maxwell_lower(NULL, shader, &options, NULL, &lowering),
                    TG_OK);
   return lowering;
}

static void
try_flow(const struct quad_case *with, const char *flow, bool is_half,
         const struct trial_options *options, struct trial_totals *totals)
{
   struct tg_shader *shader = make_shader(with, flow);
   struct tg_maxwell_lowering *lowering = lower(shader, is_half);

   if (!trial_run(with->target, shader, lowering, options, totals)) {
      char *listing = tg_maxwell_lowering_print(lowering);
      fail_msg("%s", listing);
   }
   tg_maxwell_lowering_destroy(lowering);
   tg_shader_destroy(shader);
}

static struct trial_totals
try_all(const struct trial_options *options, bool is_half)
{
   struct trial_totals totals = {0};

   for (unsigned c = 0; c < NUM_CASES; c++) {
      for (unsigned f = 0; f < NUM_FLOWS; f++)
         try_flow(&cases[c], flows[f], is_half, options, &totals);
      for (unsigned f = 0; f < NUM_OFFSET_FLOWS && cases[c].has_offsets; f++)
         try_flow(&cases[c], offset_flows[f], is_half, options, &totals);
   }
   assert_int_equal(totals.unfit, 0);
   assert_true(totals.texels > 4000);
   return totals;
}

static void
expect_exact(uint32_t anisotropy, uint32_t killed)
{
   struct trial_options options = {
      .inputs = TRIAL_GRID, .anisotropy = anisotropy, .killed = killed};

   assert_int_equal(try_all(&options, false).inexact, 0);
}

static void
exact_derivatives_give_exact_texels(void **state)
{
   (void)state;
   expect_exact(1, 0);
   expect_exact(16, 0);
}

/* Each of a quad's threads in turn, and the three others. */
static void
killed_threads_are_not_needed(void **state)
{
   (void)state;
   expect_exact(1, 0x8421);
   expect_exact(1, 0x7bde);
}

/* Halves are rounded, and nothing else. */
static void
halves_are_kept_as_they_are(void **state)
{
   struct trial_options options = {.inputs = TRIAL_GRID};

   (void)state;
   assert_true(try_all(&options, true).inexact > 0);
}

/* As far as trial_allowance.c says. */
static void
rounded_derivatives_move_the_level_a_little(void **state)
{
   struct trial_options options = {.inputs = TRIAL_FLOATS};

   (void)state;
   assert_true(try_all(&options, false).inexact > 0);
}

/* ---- words --------------------------------------------------------------- */

/* Four fetches of the form with an implicit level, and three of its steps can
 * be told from the listing. */
static void
each_target_has_its_form(void **state)
{
   (void)state;
   for (unsigned c = 0; c < NUM_CASES; c++) {
      struct tg_shader *shader = make_shader(&cases[c], flows[0]);
      struct tg_maxwell_lowering *lowering = lower(shader, false);
      const struct tg_maxwell_program *program =
         tg_maxwell_lowering_program(lowering);
      char *words = tg_maxwell_print(program, 0);
      char *listing = tg_maxwell_lowering_print(lowering);
      size_t length = strlen(cases[c].mnemonic);

      assert_int_equal(tg_maxwell_num_instructions(program), 4);
      if (strncmp(words, cases[c].mnemonic, length) != 0 ||
          strncmp(words + length, ".T ", 3) != 0)
         fail_msg("TXD of %s became %s", cases[c].target, words);
      assert_non_null(strstr(listing, "        SAM;\n"));
      assert_non_null(strstr(listing, "        RAM;\n"));
      tg_string_free(listing);
      tg_string_free(words);
      tg_maxwell_lowering_destroy(lowering);
      tg_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_target_has_its_form),
      cmocka_unit_test(exact_derivatives_give_exact_texels),
      cmocka_unit_test(killed_threads_are_not_needed),
      cmocka_unit_test(halves_are_kept_as_they_are),
      cmocka_unit_test(rounded_derivatives_move_the_level_a_little),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
