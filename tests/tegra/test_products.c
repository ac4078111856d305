/* SPDX-License-Identifier: MIT
 *
 * Products with zeros, infinities and NaN, as the TGSI interpreter has them:
 * with the property MUL_ZERO_WINS, where a product with 0 is +0, and without;
 * and sums of them as each dialect and PRECISE have them rounded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "corpus.h"
#include "tgsi/shader/shader.h"
#include "util/strbuf.h"

static const struct {
   const char *body;
   enum tg_dialect dialect;
} rows[] = {
   {"MUL OUT[0], IN[0], IN[1]\n", TG_DIALECT_2019},
   {"MUL_SAT OUT[0].xzw, -IN[0].wzyx, |IN[1].yyxx|\n", TG_DIALECT_2019},
   {"MUL OUT[0], IN[0], IMM[0]\n", TG_DIALECT_2019},
   {"MUL OUT[0], IMM[0].xzxz, IN[0]\n", TG_DIALECT_2019},
   {"MUL OUT[0], IN[0], IN[0]\n", TG_DIALECT_2019},
   {"MAD OUT[0], IN[0], IN[1], IN[2]\n", TG_DIALECT_2019},
   {"MOV TEMP[0], IN[0]\nMAD TEMP[0].xw, TEMP[0].yxwz, IN[1], -TEMP[0]\n"
    "MOV OUT[0], TEMP[0]\n",
    TG_DIALECT_2019},
   {"DP2 OUT[0], IN[0], IN[1]\n", TG_DIALECT_2019},
   {"DP3 OUT[0], IN[0], IN[1]\n", TG_DIALECT_2019},
   {"DP4 OUT[0].yz, IN[0], -IN[1].wzyx\n", TG_DIALECT_2019},
   {"DST OUT[0], IN[0], IN[1]\n", TG_DIALECT_2019},
   {"LRP OUT[0], IN[0], IN[1], IN[2]\n", TG_DIALECT_2019},
   {"LRP OUT[0], IN[0], IN[1], IN[2]\n", TG_DIALECT_2010},
   {"DP2A OUT[0], IN[0], IN[1], IN[2]\n", TG_DIALECT_2011},
   {"DPH OUT[0], IN[0], IN[1]\n", TG_DIALECT_2011},
   {"MAD OUT[0], IN[0], IN[1], IN[2]\n", TG_DIALECT_2011},
   /* Folded: (1 + 2^-12)^2 - 1. */
   {"MAD OUT[0], IMM[1].xxxx, IMM[1].xxxx, IMM[1].yyyy\n", TG_DIALECT_2011},
   {"MAD OUT[0], IMM[1].xxxx, IMM[1].xxxx, IMM[1].yyyy\n", TG_DIALECT_2019},
   {"DP3 OUT[0], IN[0], IN[1]\n", TG_DIALECT_2010},
   {"MAD_PRECISE OUT[0], IN[0], IN[1], IN[2]\n", TG_DIALECT_2019},
   {"LRP_PRECISE OUT[0], IN[0], IN[1], IN[2]\n", TG_DIALECT_2019},
   {"DP2_PRECISE OUT[0], IN[0], IN[1]\n", TG_DIALECT_2019},
   {"DP3_PRECISE OUT[0], IN[0], IN[1]\n", TG_DIALECT_2019},
   {"DP4_PRECISE OUT[0], IN[0], IN[1]\n", TG_DIALECT_2019},
   {"FMA OUT[0], IN[0], IN[1], IN[2]\n", TG_DIALECT_2019},
   {"DP2A OUT[0], IN[0], IN[1], IN[2]\n", TG_DIALECT_2019},
   {"DPH OUT[0], IN[0], IN[1]\n", TG_DIALECT_2019},
   {"XPD OUT[0], IN[0], IN[1]\n", TG_DIALECT_2019},
   {"X2D OUT[0], IN[0], IN[1], IN[2]\n", TG_DIALECT_2019},
   {"MUL TEMP[0], IN[0], IN[1]\nADD OUT[0], TEMP[0], IN[2]\n", TG_DIALECT_2019},
   {"XPD OUT[0], IN[0], IN[1]\n", TG_DIALECT_2011},
   {"X2D OUT[0], IN[0], IN[1], IN[2]\n", TG_DIALECT_2011},
};

static const uint32_t special[] = {
   0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
   0xff800000, 0x7fc00000, 0x00000001, 0x80000001, 0x0da24260,
   0xf149f2ca, 0x40200000, 0x3eaaaaab, 0xbf800800, /* 1/3, -1 - 2^-12 */
};

struct work {
   struct corpus_layout layout;
   struct corpus_inputs inputs;
   struct corpus_outputs expected, got;
};

static void
fill(struct work *work)
{
   uint64_t state = 1;

   for (unsigned v = 0; v < CORPUS_VERTICES; v++) {
      for (unsigned i = 0; i < 12; i++) {
         work->inputs.attributes[v][i / 4][i % 4] =
            special[corpus_random(&state) %
                    (sizeof(special) / sizeof(special[0]))];
      }
   }
}

static void
try_shader(struct work *work, const char *text, enum tg_dialect dialect,
           int optimize)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_shader *shader =
      corpus_parse("products", text, strlen(text), dialect);
   struct tg_tegra_program *program = NULL;
   struct corpus_difference difference = {0};

   assert_non_null(shader);
   options.optimize = optimize;
   assert_int_equal(tg_tegra_compile(NULL, shader, &options, NULL, &program),
                    TG_OK);
   corpus_lay_out(shader, &work->layout);
   assert_true(
      corpus_interpret(shader, &work->layout, &work->inputs, &work->expected));
   assert_true(corpus_simulate(program, &work->inputs, &work->got));
   corpus_compare(&work->layout, &work->expected, &work->got, &difference);
   if (difference.num_different)
      fail_msg("%s%llu values differ, that of vertex %u, %c the most", text,
               (unsigned long long)difference.num_different, difference.vertex,
               "xyzw"[difference.component]);
   tg_tegra_program_destroy(program);
   tg_shader_destroy(shader);
}

static void
try_rows(bool zero_wins)
{
   struct work *work = calloc(1, sizeof(*work));

   assert_non_null(work);
   fill(work);
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct tg_strbuf text = {0};

      tg_strbuf_printf(&text,
                       "VERT\nPROPERTY MUL_ZERO_WINS %d\nDCL IN[0..2]\n"
                       "DCL OUT[0], POSITION\nDCL TEMP[0]\n"
                       "IMM[0] FLT32 {2.0, 0.0, -0.5, -0.0}\n"
                       "IMM[1] UINT32 {0x3f800800, 0xbf800000, 0, 0}\n%sEND\n",
                       zero_wins, rows[i].body);
      char *shader = tg_strbuf_take(&text);
      try_shader(work, shader, rows[i].dialect, 0);
      try_shader(work, shader, rows[i].dialect, 2);
      tg_string_free(shader);
   }
   free(work);
}

static void
zero_wins(void **state)
{
   (void)state;
   try_rows(true);
}

static void
zero_does_not_win(void **state)
{
   (void)state;
   try_rows(false);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(zero_wins),
      cmocka_unit_test(zero_does_not_win),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
