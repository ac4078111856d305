/* SPDX-License-Identifier: MIT
 *
 * Integer opcodes, which the vertex unit computes with floats, as the TGSI
 * interpreter computes them: of bounded operands that are random or stand at an
 * edge. Each row has to compile. Quotients and remainders of all pairs of small
 * numbers are those of C.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "corpus.h"
#include "tgsi/shader/shader.h"
#include "util/bits.h"
#include "util/strbuf.h"

enum { NUM_OPERANDS = 4, LARGE = 1 << 24 };

struct bounds {
   int32_t low, high;
};

/* Gives TEMP[4] of TEMP[0] to TEMP[3], which have these bounds. */
struct row {
   const char *body;
   struct bounds bounds[NUM_OPERANDS];
};

static const struct row rows[] = {
#define INTEGER(body, ...) {body, {__VA_ARGS__}},
#include "integers.def"
};

struct work {
   struct corpus_layout layout;
   struct corpus_inputs inputs;
   struct corpus_outputs expected, got;
};

/* ---- shaders ------------------------------------------------------------- */

/* F2I alone has no bounds; what is not bounded in a row keeps those. */
static char *
write_shader(const struct row *row)
{
   struct tg_strbuf text = {0};

   tg_strbuf_add(&text, "VERT\n"
                        "DCL IN[0..3]\n"
                        "DCL OUT[0], POSITION\n"
                        "DCL TEMP[0..5]\n"
                        "IMM[0] INT32 {3, 10, -7, 1}\n"
                        "IMM[1] INT32 {255, -8, 1445, 16777215}\n"
                        "IMM[2] INT32 {5, 31, 33, -1}\n"
                        "IMM[3] INT32 {4, 8, 0, 32}\n"
                        "IMM[4] INT32 {268435455, 2147483647, 65535, -65536}\n"
                        "IMM[5] INT32 {0, 1, 4096, 8388607}\n"
                        "IMM[6] FLT32 {1.0, 0.5, -3.0, 1e-30}\n");
   for (unsigned i = 0; i < NUM_OPERANDS; i++)
      tg_strbuf_printf(&text, "IMM[%u] INT32 {%d, %d, 0, 0}\n", i + 7,
                       row->bounds[i].low, row->bounds[i].high);
   for (unsigned i = 0; i < NUM_OPERANDS; i++) {
      tg_strbuf_printf(&text, "F2I TEMP[%u], IN[%u]\n", i, i);
      if (row->bounds[i].low < row->bounds[i].high)
         tg_strbuf_printf(&text,
                          "IMAX TEMP[%u], TEMP[%u], IMM[%u].xxxx\n"
                          "IMIN TEMP[%u], TEMP[%u], IMM[%u].yyyy\n",
                          i, i, i + 7, i, i, i + 7);
   }
   tg_strbuf_add(&text, row->body);
   tg_strbuf_add(&text, "I2F OUT[0], TEMP[4]\nEND\n");
   return tg_strbuf_take(&text);
}

static struct tg_tegra_program *
compile(const char *text, const struct tg_shader *shader, int optimize)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;

   options.optimize = optimize;
   if (tg_tegra_compile(NULL, shader, &options, diagnostics, &program)) {
      char *said = tg_diagnostics_text(diagnostics);
      fail_msg("%s\n%s", text, said);
   }
   tg_diagnostics_destroy(diagnostics);
   return program;
}

/* ---- operands ------------------------------------------------------------ */

/* One in four is a bound or beside it, one in four beside a power of two, and
 * one in four small; beyond the bounds too. */
static float
random_integer(struct bounds bounds, uint64_t *state)
{
   bool is_bounded = bounds.low < bounds.high;
   int32_t low = is_bounded ? bounds.low : -LARGE;
   int32_t high = is_bounded ? bounds.high : LARGE;
   int32_t step = (int32_t)(corpus_random(state) % 3) - 1;

   switch (corpus_random(state) % 4) {
   case 0: return (float)((corpus_random(state) & 1 ? low : high) + step);
   case 1:
      step += 1 << corpus_random(state) % 25;
      return (float)(corpus_random(state) & 1 ? -step : step);
   case 2: return (float)(corpus_random(state) % 64) - 16;
   default:
      return (float)(low + (int32_t)(corpus_random(state) %
                                     ((uint64_t)high - (uint64_t)low + 1)));
   }
}

static void
fill(struct work *work, const struct row *row, uint64_t seed)
{
   static const float huge[] = {3e9f, -3e9f, 5e9f, 0x1p31f, 2147483520.0f};

   for (unsigned v = 0; v < CORPUS_VERTICES; v++) {
      for (unsigned i = 0; i < NUM_OPERANDS; i++) {
         for (unsigned c = 0; c < 4; c++) {
            float number = random_integer(row->bounds[i], &seed);
            if (corpus_random(&seed) % 32 == 0)
               number = huge[corpus_random(&seed) % 5];
            work->inputs.attributes[v][i][c] = tg_bits_of_float(number);
         }
      }
   }
}

/* ---- rows ---------------------------------------------------------------- */

static void
compare(const struct work *work, const char *text)
{
   for (unsigned v = 0; v < CORPUS_VERTICES; v++) {
      for (unsigned c = 0; c < 4; c++) {
         float a, b, expected, got;

         memcpy(&a, &work->inputs.attributes[v][0][c], sizeof(a));
         memcpy(&b, &work->inputs.attributes[v][1][c], sizeof(b));
         memcpy(&expected, &work->expected.exports[v][0][c], sizeof(expected));
         memcpy(&got, &work->got.exports[v][0][c], sizeof(got));
         if (tg_bits_of_float(expected) != tg_bits_of_float(got))
            fail_msg("%s%g, %g, ... give %g, not %g, in component %c", text, a,
                     b, got, expected, "xyzw"[c]);
      }
   }
}

static void
try_row(const struct row *row, struct work *work, uint64_t seed)
{
   char *text = write_shader(row);
   struct tg_shader *shader =
      corpus_parse("row", text, strlen(text), TG_DIALECT_2019);

   if (!shader)
      fail_msg("%s", text);
   corpus_lay_out(shader, &work->layout);
   fill(work, row, seed);
   if (!corpus_interpret(shader, &work->layout, &work->inputs, &work->expected))
      fail_msg("%s is not interpreted", text);
   for (int optimize = 0; optimize <= 2; optimize += 2) {
      struct tg_tegra_program *program = compile(text, shader, optimize);

      assert_true(corpus_simulate(program, &work->inputs, &work->got));
      compare(work, text);
      tg_tegra_program_destroy(program);
   }
   tg_shader_destroy(shader);
   tg_string_free(text);
}

static void
integers_are_those_of_the_interpreter(void **state)
{
   struct work *work = calloc(1, sizeof(*work));

   (void)state;
   assert_non_null(work);
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      try_row(&rows[i], work, i);
   free(work);
}

/* ---- all small numbers --------------------------------------------------- */

enum { NUM_SMALL = 4096 };

/* A pair in each component. */
static void
fill_pairs(struct work *work, uint32_t first)
{
   for (uint32_t i = 0; i < CORPUS_VERTICES * 4; i++) {
      uint32_t pair = first + i;
      work->inputs.attributes[i / 4][0][i % 4] =
         tg_bits_of_float((float)(pair / NUM_SMALL % NUM_SMALL));
      work->inputs.attributes[i / 4][1][i % 4] =
         tg_bits_of_float((float)(pair % NUM_SMALL + 1));
   }
}

static void
check_pairs(const struct work *work, uint32_t first)
{
   for (uint32_t i = 0; i < CORPUS_VERTICES * 4; i++) {
      uint32_t pair = first + i;
      uint32_t a = pair / NUM_SMALL % NUM_SMALL, b = pair % NUM_SMALL + 1;

      assert_int_equal(work->got.exports[i / 4][0][i % 4],
                       tg_bits_of_float((float)(a / b)));
      assert_int_equal(work->got.exports[i / 4][1][i % 4],
                       tg_bits_of_float((float)(a % b)));
   }
}

static void
small_quotients_are_those_of_c(void **state)
{
   static const char text[] = "VERT\n"
                              "DCL IN[0..1]\n"
                              "DCL OUT[0], POSITION\n"
                              "DCL OUT[1], GENERIC[0]\n"
                              "DCL TEMP[0..3]\n"
                              "IMM[0] INT32 {8191, 0, 0, 0}\n"
                              "F2U TEMP[0], IN[0]\n"
                              "F2U TEMP[1], IN[1]\n"
                              "AND TEMP[0], TEMP[0], IMM[0].xxxx\n"
                              "AND TEMP[1], TEMP[1], IMM[0].xxxx\n"
                              "UDIV TEMP[2], TEMP[0], TEMP[1]\n"
                              "UMOD TEMP[3], TEMP[0], TEMP[1]\n"
                              "I2F OUT[0], TEMP[2]\n"
                              "I2F OUT[1], TEMP[3]\n"
                              "END\n";
   struct tg_shader *shader =
      corpus_parse("pairs", text, strlen(text), TG_DIALECT_2019);
   struct work *work = calloc(1, sizeof(*work));

   (void)state;
   assert_non_null(shader);
   assert_non_null(work);
   struct tg_tegra_program *program = compile(text, shader, 2);
   for (uint32_t first = 0; first < NUM_SMALL * NUM_SMALL;
        first += CORPUS_VERTICES * 4) {
      fill_pairs(work, first);
      assert_true(corpus_simulate(program, &work->inputs, &work->got));
      check_pairs(work, first);
   }
   tg_tegra_program_destroy(program);
   tg_shader_destroy(shader);
   free(work);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers_are_those_of_the_interpreter),
      cmocka_unit_test(small_quotients_are_those_of_c),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
