/* SPDX-License-Identifier: MIT
 *
 * FMA gives what the TGSI interpreter gives, where its product is not beyond
 * normal numbers: of random operands, of which many have few bits, so that sums
 * come to lie in the middle between two floats or nothing is left of them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "corpus.h"
#include "tgsi/shader/shader.h"
#include "util/bits.h"

enum { NUM_ROUNDS = 200 };

struct work {
   struct corpus_layout layout;
   struct corpus_inputs inputs;
   struct corpus_outputs expected, got;
};

/* ---- operands ------------------------------------------------------------ */

/* A float with an exponent, and a fraction of which some bits may be 0. */
static uint32_t
random_float(int exponent, uint64_t *state)
{
   uint32_t word = corpus_random(state);
   uint32_t fraction = word & 0x7fffff, zeros = corpus_random(state) % 46;

   if (zeros < 23)
      fraction &= ~0u << zeros;
   return (word & 0x80000000) | (uint32_t)(exponent + 127) << 23 | fraction;
}

/* The third is about the product, up to 30 places apart, or very nearly takes
 * it away. */
static void
random_operands(corpus_vector *operands, unsigned c, uint64_t *state)
{
   int first = (int)(corpus_random(state) % 120) - 60;
   int second = (int)(corpus_random(state) % 90) - 35 - (first > 0 ? first : 0);

   operands[0][c] = random_float(first, state);
   operands[1][c] = random_float(second, state);
   float product =
      tg_float_of_bits(operands[0][c]) * tg_float_of_bits(operands[1][c]);
   int exponent = (int)(tg_bits_of_float(product) >> 23 & 255) - 127 +
                  (int)(corpus_random(state) % 61) - 30;
   operands[2][c] = random_float(exponent < -126  ? -126
                                 : exponent > 120 ? 120
                                                  : exponent,
                                 state);
   if (corpus_random(state) % 8 == 0)
      operands[2][c] =
         tg_bits_of_float(-product) + corpus_random(state) % 5 - 2;
   if (corpus_random(state) % 64 == 0)
      operands[corpus_random(state) % 3][c] = corpus_random(state) << 31;
   if (corpus_random(state) % 64 == 0)
      operands[corpus_random(state) % 3][c] = 0x7f800000 | corpus_random(state)
                                                              << 31;
}

/* ---- rows ---------------------------------------------------------------- */

static void
try_shader(const char *text, int optimize)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_shader *shader =
      corpus_parse("fused", text, strlen(text), TG_DIALECT_2019);
   struct tg_tegra_program *program = NULL;
   struct work *work = calloc(1, sizeof(*work));
   uint64_t state = 1;

   assert_non_null(shader);
   assert_non_null(work);
   options.optimize = optimize;
   assert_int_equal(tg_tegra_compile(NULL, shader, &options, NULL, &program),
                    TG_OK);
   corpus_lay_out(shader, &work->layout);
   for (unsigned round = 0; round < NUM_ROUNDS; round++) {
      struct corpus_difference difference = {0};

      for (unsigned i = 0; i < CORPUS_VERTICES * 4; i++)
         random_operands(work->inputs.attributes[i / 4], i % 4, &state);
      assert_true(corpus_interpret(shader, &work->layout, &work->inputs,
                                   &work->expected));
      assert_true(corpus_simulate(program, &work->inputs, &work->got));
      corpus_compare(&work->layout, &work->expected, &work->got, &difference);
      if (difference.num_different) {
         corpus_vector *in = work->inputs.attributes[difference.vertex];
         unsigned c = difference.component;
         fail_msg(
            "%a, %a, %a give %a, not %a", tg_float_of_bits(in[0][c]),
            tg_float_of_bits(in[1][c]), tg_float_of_bits(in[2][c]),
            tg_float_of_bits(work->got.exports[difference.vertex][0][c]),
            tg_float_of_bits(work->expected.exports[difference.vertex][0][c]));
      }
   }
   tg_tegra_program_destroy(program);
   tg_shader_destroy(shader);
   free(work);
}

#define SHADER(body)                                                           \
   "VERT\nDCL IN[0..2]\nDCL OUT[0], POSITION\nDCL TEMP[0]\n"                   \
   "IMM[0] FLT32 {3.3, -0.1, 1.0, 16777215.0}\n" body "END\n"

static void
operands_are_fused(void **state)
{
   static const char text[] = SHADER("FMA OUT[0], IN[0], IN[1], IN[2]\n");

   (void)state;
   try_shader(text, 0);
   try_shader(text, 2);
}

/* Where components are exchanged, products have nothing to do with the sums. */
static void
operands_of_all_forms_are_fused(void **state)
{
   (void)state;
   try_shader(SHADER("MOV TEMP[0], IN[0]\n"
                     "FMA_SAT TEMP[0].xw, -TEMP[0], |IN[1]|, IN[2].wxyz\n"
                     "MOV OUT[0], TEMP[0]\n"),
              2);
   try_shader(SHADER("FMA OUT[0], IN[0], -|IMM[0]|, IN[2]\n"), 2);
   try_shader(SHADER("FMA OUT[0], IMM[0].wzyx, IN[1], -IN[2]\n"), 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(operands_are_fused),
      cmocka_unit_test(operands_of_all_forms_are_fused),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
