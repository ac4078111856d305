/* SPDX-License-Identifier: MIT
 *
 * Quotients, roots and powers of exact arithmetic are those of C and of the
 * TGSI interpreter: for random operands of many sizes, for those whose results
 * are nearest to a tie, and for what is no ordinary number. Each program is run
 * unoptimised and optimised, and as long as the documentation says.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tungsten/run.h"
#include "tungsten/tegra.h"
#include "util/bits.h"

enum { NUM_VERTICES = 1 << 12 };

/* ---- numbers ------------------------------------------------------------- */

static uint32_t
next_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (uint32_t)(*state >> 32);
}

/* Of either sign, with an exponent from `least` to `greatest`. */
static float
random_number(uint64_t *state, int least, int greatest)
{
   uint32_t word = next_random(state);
   uint32_t range = (uint32_t)(greatest - least + 1);
   uint32_t exponent = next_random(state) % range + (uint32_t)(least + 127);

   return tg_float_of_bits((word & 0x807fffff) | exponent << 23);
}

static bool
is_same(float a, float b)
{
   return tg_bits_of_float(a) == tg_bits_of_float(b) || (isnan(a) && isnan(b));
}

/* ---- programs ------------------------------------------------------------ */

/* Operands and results of one operation, as many as there are vertices. */
struct operands {
   float x[NUM_VERTICES], y[NUM_VERTICES], expected[NUM_VERTICES];
};

/* Of all shaders: 2011, where sums of products round twice, or 2019. */
static enum tg_dialect dialect;

static struct tg_shader *
parse(const char *body)
{
   struct tg_shader *shader = NULL;
   char text[4096];

   snprintf(text, sizeof(text),
            "VERT\nDCL IN[0..1]\nDCL OUT[0], POSITION\nDCL TEMP[0]\n"
            "IMM[0] FLT32 {3.0, 10.0, -0.1, 8.0}\n"
            "IMM[1] FLT32 {0.45, 2.0, -3.0, 300.0}\n"
            "IMM[2] FLT32 {0.0, 0.0, 0.0, 0.0}\n%sEND\n",
            body);
   assert_int_equal(tg_shader_parse(NULL, "exact", text, strlen(text), dialect,
                                    NULL, &shader),
                    TG_OK);
   return shader;
}

static struct tg_tegra_program *
compile(const struct tg_shader *shader, unsigned optimize, bool exact)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_tegra_program *program = NULL;

   options.optimize = optimize;
   options.exact = exact;
   assert_int_equal(tg_tegra_compile(NULL, shader, &options, NULL, &program),
                    TG_OK);
   return program;
}

/* IN[0].x and IN[1].x to OUT[0].x. */
static void
run(const struct tg_tegra_program *program, const struct operands *operands,
    float *results)
{
   static uint32_t attributes[NUM_VERTICES][TG_TEGRA_NUM_ATTRIBUTES][4];
   static uint32_t exports[NUM_VERTICES][TG_TEGRA_NUM_EXPORTS][4];
   struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;

   for (unsigned i = 0; i < NUM_VERTICES; i++) {
      attributes[i][0][0] = tg_bits_of_float(operands->x[i]);
      attributes[i][1][0] = tg_bits_of_float(operands->y[i]);
   }
   batch.num_vertices = NUM_VERTICES;
   batch.attributes = attributes[0][0];
   batch.exports = exports[0][0];
   assert_int_equal(tg_tegra_run(program, &batch, NULL), TG_OK);
   for (unsigned i = 0; i < NUM_VERTICES; i++)
      results[i] = tg_float_of_bits(exports[i][0][0]);
}

static void
expect(const char *body, const struct operands *operands)
{
   static float results[NUM_VERTICES];
   struct tg_shader *shader = parse(body);

   for (unsigned optimize = 0; optimize <= 2; optimize += 2) {
      struct tg_tegra_program *program = compile(shader, optimize, true);

      run(program, operands, results);
      for (unsigned i = 0; i < NUM_VERTICES; i++) {
         if (!is_same(results[i], operands->expected[i]))
            fail_msg("%sof %a and %a is %a, not %a", body, operands->x[i],
                     operands->y[i], results[i], operands->expected[i]);
      }
      tg_tegra_program_destroy(program);
   }
   tg_shader_destroy(shader);
}

/* The interpreter's results, a wave after the other. */
static void
interpret(const char *body, struct operands *operands)
{
   struct tg_shader *shader = parse(body);
   struct tg_program *program;

   assert_int_equal(tg_program_create(NULL, shader, NULL, NULL, &program),
                    TG_OK);
   for (unsigned i = 0; i < NUM_VERTICES; i += TG_MAX_LANES) {
      struct tg_run *wave;

      assert_int_equal(tg_run_create(program, TG_MAX_LANES, &wave), TG_OK);
      for (unsigned lane = 0; lane < TG_MAX_LANES; lane++) {
         uint32_t x[4] = {tg_bits_of_float(operands->x[i + lane])};
         uint32_t y[4] = {tg_bits_of_float(operands->y[i + lane])};

         tg_run_set(wave, TG_RUN_INPUT, 0, 0, (int)lane, x);
         tg_run_set(wave, TG_RUN_INPUT, 0, 1, (int)lane, y);
      }
      assert_int_equal(tg_run_execute(wave, NULL), TG_OK);
      for (unsigned lane = 0; lane < TG_MAX_LANES; lane++) {
         uint32_t result[4];

         tg_run_get_output(wave, 0, 0, lane, result);
         operands->expected[i + lane] = tg_float_of_bits(result[0]);
      }
      tg_run_destroy(wave);
   }
   tg_program_destroy(program);
   tg_shader_destroy(shader);
}

/* ---- quotients ----------------------------------------------------------- */

static void
divide(struct operands *operands)
{
   for (unsigned i = 0; i < NUM_VERTICES; i++)
      operands->expected[i] = operands->x[i] / operands->y[i];
}

static const char quotient[] = "DIV OUT[0].x, IN[0].xxxx, IN[1].xxxx\n";

/* Operands and quotient from 2^-100 to 2^115. */
static void
quotients_are_those_of_c(void **state)
{
   static const int ranges[][2] = {
      {0, 0}, {-10, 10}, {-50, 56}, {57, 114}, {-100, -1}};
   static struct operands operands;
   uint64_t seed = 1;

   (void)state;
   for (size_t r = 0; r < sizeof(ranges) / sizeof(ranges[0]); r++) {
      for (unsigned i = 0; i < NUM_VERTICES; i++) {
         operands.x[i] = random_number(&seed, ranges[r][0], ranges[r][1]);
         operands.y[i] = random_number(&seed, ranges[r][0], ranges[r][1]);
      }
      divide(&operands);
      expect(quotient, &operands);
   }
}

/* For an odd divisor b of 24 bits a dividend a such that a 2^24 is m b + 1 or
 * - 1 for an odd m of 25 bits: the quotient of a and b is as far from m / 2^24,
 * half between two floats, as another float divided by b can be. */
static bool
find_nearest_to_tie(uint32_t b, int apart, uint32_t *a_out)
{
   uint32_t inverse = b; /* mod 2^3, then 2^6, 2^12, 2^24 */

   for (unsigned i = 0; i < 3; i++)
      inverse *= 2 - b * inverse;
   uint32_t m = ((uint32_t)-apart * inverse & 0xffffff) | 1 << 24;
   *a_out = (uint32_t)(((uint64_t)m * b + (uint64_t)(int64_t)apart) >> 24);
   return *a_out >= 1 << 23 && *a_out < 1 << 24;
}

static void
quotients_next_to_a_tie_are_those_of_c(void **state)
{
   static struct operands operands;
   uint64_t seed = 1;
   unsigned i = 0;

   (void)state;
   while (i < NUM_VERTICES) {
      uint32_t b = next_random(&seed) >> 9 | 1 << 23 | 1;
      uint32_t a;

      if (!find_nearest_to_tie(b, i % 2 ? 1 : -1, &a))
         continue;
      operands.x[i] = (float)a;
      operands.y[i] = (float)b;
      i++;
   }
   divide(&operands);
   expect(quotient, &operands);
}

static void
quotients_by_literals_are_those_of_c(void **state)
{
   static const struct {
      const char *body;
      float divisor;
   } rows[] = {
      {"DIV OUT[0].x, IN[0], IMM[0].xxxx\n", 3.0f},
      {"DIV OUT[0].x, IN[0], -IMM[0].yyyy\n", -10.0f},
      {"DIV OUT[0].x, IN[0], |IMM[0].zzzz|\n", 0.1f},
      {"DIV OUT[0].x, IN[0], IMM[0].wwww\n", 8.0f},
      {"DIV TEMP[0], IN[0], IMM[0]\nMOV OUT[0].x, TEMP[0]\n", 3.0f},
      {"DIV TEMP[0].zw, IN[0].xxxx, IMM[0].xyzw\nMOV OUT[0].x, TEMP[0].zzzz\n",
       -0.1f},
   };
   static struct operands operands;
   uint64_t seed = 1;

   (void)state;
   for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
      for (unsigned i = 0; i < NUM_VERTICES; i++) {
         operands.x[i] = random_number(&seed, -98, 110);
         operands.y[i] = rows[r].divisor;
      }
      divide(&operands);
      expect(rows[r].body, &operands);
   }
}

static void
literals_divided_are_those_of_c(void **state)
{
   static struct operands operands;
   uint64_t seed = 1;

   (void)state;
   for (unsigned i = 0; i < NUM_VERTICES; i++) {
      operands.x[i] = i % 2 ? 8.0f : 3.0f;
      operands.y[i] = random_number(&seed, -110, 100);
      operands.expected[i] = 3.0f / operands.y[i];
   }
   expect("DIV OUT[0].x, IMM[0], IN[1].xxxx\n", &operands);
   for (unsigned i = 0; i < NUM_VERTICES; i++)
      operands.expected[i] = 8.0f / operands.y[i];
   expect("DIV OUT[0].x, IMM[0].wwww, IN[1].xxxx\n", &operands);
}

static const float special[] = {
   0.0f, -0.0f, 1.0f, -1.0f, 3.0f, INFINITY, -INFINITY, NAN,
};
enum { NUM_SPECIAL = sizeof(special) / sizeof(special[0]) };

static void
quotients_of_special_numbers_are_those_of_c(void **state)
{
   static struct operands operands;

   (void)state;
   for (unsigned i = 0; i < NUM_VERTICES; i++) {
      operands.x[i] = special[i % NUM_SPECIAL];
      operands.y[i] = special[i / NUM_SPECIAL % NUM_SPECIAL];
   }
   divide(&operands);
   expect(quotient, &operands);
}

/* How many floats lie between; NaN is far from all others. */
static uint32_t
distance(float a, float b)
{
   int64_t x = tg_bits_of_float(a), y = tg_bits_of_float(b);

   if (isnan(a) || isnan(b))
      return isnan(a) && isnan(b) ? 0 : UINT32_MAX;
   x = x >> 31 ? -(x & 0x7fffffff) : x;
   y = y >> 31 ? -(y & 0x7fffffff) : y;
   return (uint32_t)(x < y ? y - x : x - y);
}

/* Any bits, denormals and extremes too: never further away than without exact
 * arithmetic, or by one unit. */
static void
quotients_of_any_bits_are_no_worse(void **state)
{
   static struct operands operands;
   static float exact[NUM_VERTICES], usual[NUM_VERTICES];
   struct tg_shader *shader = parse(quotient);
   struct tg_tegra_program *programs[] = {compile(shader, 2, false),
                                          compile(shader, 2, true)};
   uint64_t seed = 1;

   (void)state;
   for (unsigned round = 0; round < 16; round++) {
      for (unsigned i = 0; i < NUM_VERTICES; i++) {
         operands.x[i] = tg_float_of_bits(next_random(&seed));
         operands.y[i] = tg_float_of_bits(next_random(&seed));
         if (i % 4 == 0) /* a denormal */
            operands.x[i] = tg_float_of_bits(next_random(&seed) & 0x807fffff);
      }
      divide(&operands);
      run(programs[0], &operands, usual);
      run(programs[1], &operands, exact);
      for (unsigned i = 0; i < NUM_VERTICES; i++) {
         uint32_t apart = distance(exact[i], operands.expected[i]);

         if (apart > 1 && apart > distance(usual[i], operands.expected[i]))
            fail_msg("%a / %a is %a, not %a", operands.x[i], operands.y[i],
                     exact[i], operands.expected[i]);
      }
   }
   tg_tegra_program_destroy(programs[0]);
   tg_tegra_program_destroy(programs[1]);
   tg_shader_destroy(shader);
}

/* ---- roots --------------------------------------------------------------- */

static const char square_root[] = "SQRT OUT[0].x, IN[0].xxxx\n";

static void
take_roots(struct operands *operands)
{
   for (unsigned i = 0; i < NUM_VERTICES; i++)
      operands->expected[i] = sqrtf(operands->x[i]);
   expect(square_root, operands);
}

/* All exponents from 2^-100 on, and significands at both ends of theirs, where
 * roots are nearest to a tie. */
static void
roots_are_those_of_c(void **state)
{
   static struct operands operands;
   uint64_t seed = 1;

   (void)state;
   for (unsigned round = 0; round < 8; round++) {
      for (unsigned i = 0; i < NUM_VERTICES; i++)
         operands.x[i] = fabsf(random_number(&seed, -100, 126));
      take_roots(&operands);
   }
   for (unsigned i = 0; i < NUM_VERTICES; i++) {
      uint32_t exponent = 127 + i % 2, step = i / 4;
      uint32_t significand = i & 2 ? 0x7fffff - step : step;

      operands.x[i] = tg_float_of_bits(exponent << 23 | significand);
   }
   take_roots(&operands);
}

static void
roots_of_special_numbers_are_those_of_c(void **state)
{
   static const float numbers[] = {0.0f, -0.0f,    INFINITY,   -INFINITY,
                                   NAN,  -1.0f,    -0x1p-149f, 0x1.1p-100f,
                                   4.0f, 0x1p100f, 0x1.ffp127f};
   static struct operands operands;

   (void)state;
   for (unsigned i = 0; i < NUM_VERTICES; i++)
      operands.x[i] = numbers[i % (sizeof(numbers) / sizeof(numbers[0]))];
   take_roots(&operands);
}

/* ---- powers -------------------------------------------------------------- */

static const char power[] = "POW OUT[0].x, IN[0].xxxx, IN[1].xxxx\n";

static void
powers_are_those_of_the_interpreter(void **state)
{
   static struct operands operands;
   uint64_t seed = 1;

   (void)state;
   for (unsigned i = 0; i < NUM_VERTICES; i++) {
      operands.x[i] = random_number(&seed, -8, 7);
      operands.y[i] = random_number(&seed, -8, 6);
      if (i % 4 == 0)
         operands.y[i] = truncf(operands.y[i]);
      if (i % 4 == 1)
         operands.x[i] = fabsf(operands.x[i]);
   }
   interpret(power, &operands);
   expect(power, &operands);
}

static void
powers_of_special_numbers_are_those_of_the_interpreter(void **state)
{
   static const float exponents[] = {0.0f, -0.0f, 1.0f,   -1.0f,   2.0f, 3.0f,
                                     0.5f, -0.5f, 128.0f, -127.0f, 2.5f};
   static const float bases[] = {
      0.0f,  -0.0f,    1.0f,      -1.0f,      2.0f,  INFINITY, NAN,
      -2.0f, 0x1p127f, -0x1p127f, -0x1p-149f, -8.0f, -INFINITY};
   static struct operands operands;

   (void)state;
   for (unsigned i = 0; i < NUM_VERTICES; i++) {
      operands.x[i] = bases[i % 13];
      operands.y[i] = exponents[i / 13 % 11];
   }
   interpret(power, &operands);
   expect(power, &operands);
}

static void
powers_by_literals_are_those_of_the_interpreter(void **state)
{
   static const char *const bodies[] = {
      "POW OUT[0].x, IN[0].xxxx, IMM[1].xxxx\n",
      "POW OUT[0].x, IN[0].xxxx, IMM[1].yyyy\n",
      "POW OUT[0].x, IN[0].xxxx, IMM[1].zzzz\n",
      "POW OUT[0].x, -|IN[0].xxxx|, -IMM[0].xxxx\n",
      "POW OUT[0].x, IMM[0].xxxx, IN[0].xxxx\n",
      "POW OUT[0].x, IN[0].xxxx, IMM[2].xxxx\n",
   };
   static struct operands operands;
   uint64_t seed = 1;

   (void)state;
   for (size_t b = 0; b < sizeof(bodies) / sizeof(bodies[0]); b++) {
      for (unsigned i = 0; i < NUM_VERTICES; i++)
         operands.x[i] =
            i < NUM_SPECIAL ? special[i] : random_number(&seed, -20, 6);
      interpret(bodies[b], &operands);
      expect(bodies[b], &operands);
   }
}

/* By logarithm: y log2(x) = p is rounded, and its error is that of the power.
 */
static void
powers_beyond_128_are_near(void **state)
{
   static const char body[] = "POW OUT[0].x, IN[0].xxxx, IMM[1].wwww\n";
   static struct operands operands;
   static float results[NUM_VERTICES];
   struct tg_shader *shader = parse(body);
   struct tg_tegra_program *program = compile(shader, 2, true);

   (void)state;
   for (unsigned i = 0; i < NUM_VERTICES; i++)
      operands.x[i] = 0.8f + (float)i * 0x1p-13f;
   interpret(body, &operands);
   run(program, &operands, results);
   for (unsigned i = 0; i < NUM_VERTICES; i++) {
      float p = 300.0f * log2f(operands.x[i]);

      assert_true(distance(results[i], operands.expected[i]) <=
                  4 + 3 * fabsf(p));
   }
   tg_tegra_program_destroy(program);
   tg_shader_destroy(shader);
}

/* ---- limits -------------------------------------------------------------- */

/* A program of so many roots. The same without exact arithmetic has two words
 * for each. */
static void
what_is_too_large_is_told_if_it_fits_otherwise(void **state)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;
   char body[2048] = "MOV TEMP[0], IN[0]\n";
   static const char note[] =
      "a program has 256 instructions; without exact arithmetic this one fits";

   (void)state;
   for (unsigned i = 0; i < 40; i++)
      strcat(body, "SQRT TEMP[0], TEMP[0].yyyy\n");
   strcat(body, "MOV OUT[0], TEMP[0]\n");
   struct tg_shader *shader = parse(body);
   options.exact = true;
   options.optimize = 0;
   assert_int_equal(
      tg_tegra_compile(NULL, shader, &options, diagnostics, &program),
      TG_ERROR_LIMIT);
   assert_int_equal(tg_diagnostics_count(diagnostics), 1);
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->code, "tegra-limit");
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->note, note);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
}

/* ---- lengths ------------------------------------------------------------- */

/* The numbers of docs/tegra.md. */
static void
programs_are_as_long_as_documented(void **state)
{
   static const struct {
      const char *body;
      uint32_t lengths[2]; /* separate, fused */
   } rows[] = {
      {"DIV OUT[0].x, IN[0], IN[1]\n", {19, 12}},
      {"DIV OUT[0], IN[0], IN[1]\n", {22, 15}},
      {"DIV OUT[0], IN[0], IMM[0].zzzz\n", {16, 11}},
      {"DIV OUT[0], IN[0], IMM[0].xxxx\n", {9, 6}},
      {"DIV OUT[0], IN[0], IMM[0].wwww\n", {1, 1}},
      {"DIV OUT[0].x, IMM[0].wwww, IN[0]\n", {2, 2}},
      {"SQRT OUT[0], IN[0].xxxx\n", {14, 10}},
      {"NRM OUT[0], IN[0]\n", {34, 24}},
      {"NRM4 OUT[0], IN[0]\n", {34, 24}},
      {"RFL OUT[0], IN[0], IN[1]\n", {21, 19}},
      {"POW OUT[0], IN[0].xxxx, IN[1].xxxx\n", {19, 19}},
      {"POW OUT[0], IN[0].xxxx, IMM[1].yyyy\n", {4, 4}},
      {"POW OUT[0], IN[0].xxxx, IMM[0].xxxx\n", {8, 8}},
      {"FMA OUT[0], IN[0], IN[1], IN[0].wzyx\n", {48, 2}},
   };

   (void)state;
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct tg_shader *shader = parse(rows[i].body);
      struct tg_tegra_program *program = compile(shader, 2, true);
      uint32_t length = tg_tegra_num_instructions(program);

      if (length != rows[i].lengths[dialect == TG_DIALECT_2019])
         fail_msg("%sbecomes %u instructions, not %u", rows[i].body, length,
                  rows[i].lengths[dialect == TG_DIALECT_2019]);
      tg_tegra_program_destroy(program);
      tg_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(quotients_are_those_of_c),
      cmocka_unit_test(quotients_next_to_a_tie_are_those_of_c),
      cmocka_unit_test(quotients_by_literals_are_those_of_c),
      cmocka_unit_test(literals_divided_are_those_of_c),
      cmocka_unit_test(quotients_of_special_numbers_are_those_of_c),
      cmocka_unit_test(quotients_of_any_bits_are_no_worse),
      cmocka_unit_test(roots_are_those_of_c),
      cmocka_unit_test(roots_of_special_numbers_are_those_of_c),
      cmocka_unit_test(powers_are_those_of_the_interpreter),
      cmocka_unit_test(powers_of_special_numbers_are_those_of_the_interpreter),
      cmocka_unit_test(powers_by_literals_are_those_of_the_interpreter),
      cmocka_unit_test(powers_beyond_128_are_near),
      cmocka_unit_test(what_is_too_large_is_told_if_it_fits_otherwise),
      cmocka_unit_test(programs_are_as_long_as_documented),
   };

   dialect = TG_DIALECT_2011;
   int failed = cmocka_run_group_tests_name("separate", tests, NULL, NULL);
   dialect = TG_DIALECT_2019;
   failed += cmocka_run_group_tests_name("fused", tests, NULL, NULL);
   return failed;
}
