/* SPDX-License-Identifier: MIT
 *
 * The functions of src/lower/math/functions.h against long double ones, over
 * all exponents, and in every case that has an exact or special value.
 */
#include <assert.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "evaluator.h"
#include "lower/math/functions.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* ---- evaluating one number ----------------------------------------------- */

static float
unary(struct evaluator *evaluator, float x)
{
   for (unsigned lane = 0; lane < LIR_LANES; lane++)
      evaluator->input[0][lane] = float_bits(x);
   assert_true(evaluator_run(evaluator));
   return bits_float(evaluator->output[0][0]);
}

static float
binary(struct evaluator *evaluator, float x, float y)
{
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      evaluator->input[0][lane] = float_bits(x);
      evaluator->input[1][lane] = float_bits(y);
   }
   assert_true(evaluator_run(evaluator));
   return bits_float(evaluator->output[0][0]);
}

/* The same bits, or both NaN. */
static bool
is_same(float a, float b)
{
   return (isnan(a) && isnan(b)) || float_bits(a) == float_bits(b);
}

struct unary_case {
   float x, expected;
};

static void
check_cases(unary_function function, const struct unary_case *cases,
            unsigned num_cases)
{
   struct evaluator evaluator;

   assert_true(
      evaluator_init_unary(&evaluator, exec_find_executor(NULL), function));
   for (unsigned i = 0; i < num_cases; i++) {
      float got = unary(&evaluator, cases[i].x);
      if (!is_same(got, cases[i].expected))
         fail_msg("of %a: %a, expected %a", (double)cases[i].x, (double)got,
                  (double)cases[i].expected);
   }
   evaluator_finish(&evaluator);
}

/* ---- sweeps -------------------------------------------------------------- */

/* A generator of our own, so that every run sees the same numbers. */
static uint32_t
next_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
   return (uint32_t)(*state >> 32);
}

/* Runs what is in `input` and fails where the result is too far off. */
static void
check_wave(struct evaluator *evaluator, long double (*reference)(long double),
           double bound)
{
   assert_true(evaluator_run(evaluator));
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      float x = bits_float(evaluator->input[0][lane]);
      float got = bits_float(evaluator->output[0][lane]);
      double distance = ulp_distance(got, reference((long double)x));
      if (!(distance <= bound))
         fail_msg("of %a: %a, %g ulp off", (double)x, (double)got, distance);
   }
}

/* 64 numbers of each sign and exponent. */
static void
sweep(unary_function function, long double (*reference)(long double),
      double bound)
{
   struct evaluator evaluator;
   uint64_t state = 1;

   assert_true(
      evaluator_init_unary(&evaluator, exec_find_executor(NULL), function));
   for (uint32_t i = 0; i < 512 * 64; i++) {
      uint32_t significand = next_random(&state) >> 9;
      evaluator.input[0][i % LIR_LANES] = (i / 64) << 23 | significand;
      if (i % LIR_LANES == LIR_LANES - 1)
         check_wave(&evaluator, reference, bound);
   }
   evaluator_finish(&evaluator);
}

static void
exp2_is_close(void **state)
{
   (void)state;
   sweep(lower_math_exp2, exp2l, 0.85);
}

static void
log2_is_close(void **state)
{
   (void)state;
   sweep(lower_math_log2, log2l, 0.95);
}

static void
sin_is_close(void **state)
{
   (void)state;
   sweep(lower_math_sin, sinl, 1.6);
}

static void
cos_is_close(void **state)
{
   (void)state;
   sweep(lower_math_cos, cosl, 1.6);
}

/* Floats from `first` on, one after the other. */
static void
check_run(unary_function function, long double (*reference)(long double),
          float first, double bound)
{
   struct evaluator evaluator;

   assert_true(
      evaluator_init_unary(&evaluator, exec_find_executor(NULL), function));
   for (uint32_t i = 0; i < 4096; i++) {
      evaluator.input[0][i % LIR_LANES] = float_bits(first) + i;
      if (i % LIR_LANES == LIR_LANES - 1)
         check_wave(&evaluator, reference, bound);
   }
   evaluator_finish(&evaluator);
}

/* Where results cease to be normal floats, and to be floats. */
static void
exp2_is_close_at_the_ends(void **state)
{
   static const float ends[] = {0x1.f3ff80p6f, -0x1.f3ff80p6f, -0x1.f7ff80p6f,
                                0x1.ffff80p6f, -0x1.29ff80p7f, -0x1.2bff80p7f};

   (void)state;
   for (unsigned i = 0; i < LENGTH(ends); i++)
      check_run(lower_math_exp2, exp2l, ends[i], 0.85);
}

/* At the least normal float, at 1, and on both sides of a significand that is
 * split off. */
static void
log2_is_close_at_its_seams(void **state)
{
   static const float seams[] = {0x1.fff000p-127f, 0x1.ffff00p-1f,
                                 0x1.6a0000p-1f, 0x1.6a0000p-64f};

   (void)state;
   for (unsigned i = 0; i < LENGTH(seams); i++)
      check_run(lower_math_log2, log2l, seams[i], 0.95);
}

/* Where the reduction changes, of both signs. */
static void
trigonometry_is_close_at_its_seam(void **state)
{
   (void)state;
   check_run(lower_math_sin, sinl, 0x1.fff800p16f, 1.6);
   check_run(lower_math_sin, sinl, -0x1.fff800p16f, 1.6);
   check_run(lower_math_cos, cosl, 0x1.fff800p16f, 1.6);
   check_run(lower_math_cos, cosl, -0x1.fff800p16f, 1.6);
}

/* The first turns, where most operands are. */
static void
trigonometry_is_close_in_the_first_turns(void **state)
{
   (void)state;
   for (float first = 0.0625f; first < 40.0f; first += 0.0625f) {
      check_run(lower_math_sin, sinl, first, 1.6);
      check_run(lower_math_cos, cosl, first, 1.6);
   }
}

/* sin(-x) is -sin(x) and cos(-x) is cos(x), to the bit. */
static void
trigonometry_is_symmetric(void **state)
{
   struct evaluator sine, cosine;
   uint64_t random = 4;

   (void)state;
   assert_true(
      evaluator_init_unary(&sine, exec_find_executor(NULL), lower_math_sin));
   assert_true(
      evaluator_init_unary(&cosine, exec_find_executor(NULL), lower_math_cos));
   for (unsigned i = 0; i < 4096; i++) {
      float x = bits_float(next_random(&random) % 0x7f800000);
      assert_true(is_same(unary(&sine, -x), -unary(&sine, x)));
      assert_true(is_same(unary(&cosine, -x), unary(&cosine, x)));
   }
   evaluator_finish(&sine);
   evaluator_finish(&cosine);
}

/* Floats next to multiples of pi/2 leave the least behind. */
static void
check_near_multiples(unary_function function,
                     long double (*reference)(long double))
{
   const long double quarter_turn = acosl(-1) / 2;
   struct evaluator evaluator;
   uint64_t state = 2;

   assert_true(
      evaluator_init_unary(&evaluator, exec_find_executor(NULL), function));
   for (unsigned i = 0; i < 4096; i++) {
      unsigned bits = 1 + i % 24;
      uint32_t multiple = next_random(&state) >> (32 - bits);
      float nearest = (float)(multiple * quarter_turn);
      for (unsigned lane = 0; lane < LIR_LANES; lane++)
         evaluator.input[0][lane] = float_bits(nearest) + lane;
      check_wave(&evaluator, reference, 1.6);
   }
   evaluator_finish(&evaluator);
}

static void
trigonometry_near_multiples_of_a_quarter_turn(void **state)
{
   (void)state;
   check_near_multiples(lower_math_sin, sinl);
   check_near_multiples(lower_math_cos, cosl);
}

/* Lanes that take the two ways of reduction, side by side. */
static void
trigonometry_reduces_each_lane_its_own_way(void **state)
{
   struct evaluator evaluator;

   (void)state;
   assert_true(evaluator_init_unary(&evaluator, exec_find_executor(NULL),
                                    lower_math_sin));
   for (unsigned lane = 0; lane < LIR_LANES; lane++)
      evaluator.input[0][lane] = float_bits(ldexpf(1.1f, 10 + (int)lane));
   check_wave(&evaluator, sinl, 1.6);
   evaluator_finish(&evaluator);
}

/* ---- values that are exact or special ------------------------------------ */

static void
exp2_special(void **state)
{
   static const struct unary_case cases[] = {
      {0.0f, 1.0f},
      {-0.0f, 1.0f},
      {NAN, NAN},
      {INFINITY, INFINITY},
      {-INFINITY, 0.0f},
      {128.0f, INFINITY},
      {0x1.fffffep+6f, 0x1.ffff4ep+127f}, /* 2^128 * 2^(-2^-17) */
      {-126.0f, 0x1p-126f},
      {-149.0f, 0x1p-149f},
      {-149.5f, 0x1p-149f}, /* 0.71 of the least float */
      {-150.0f, 0.0f},      /* a tie */
      {-0x1.2bffp+7f, 0x1p-149f},
      {-1e30f, 0.0f},
      {1e30f, INFINITY},
      {0x1p-149f, 1.0f},
   };

   (void)state;
   check_cases(lower_math_exp2, cases, LENGTH(cases));
}

static void
check_powers_of_two(unary_function exp2_function, unary_function log2_function,
                    int least)
{
   struct evaluator exp2, log2;

   assert_true(
      evaluator_init_unary(&exp2, exec_find_executor(NULL), exp2_function));
   assert_true(
      evaluator_init_unary(&log2, exec_find_executor(NULL), log2_function));
   for (int n = least; n <= 127; n++) {
      float power = ldexpf(1.0f, n);
      assert_true(is_same(unary(&exp2, (float)n), power));
      assert_true(is_same(unary(&log2, power), (float)n));
   }
   evaluator_finish(&exp2);
   evaluator_finish(&log2);
}

static void
exp2_and_log2_of_powers(void **state)
{
   (void)state;
   check_powers_of_two(lower_math_exp2, lower_math_log2, -149);
   check_powers_of_two(lower_math_glsl_exp2, lower_math_glsl_log2, -126);
}

static void
log2_special(void **state)
{
   static const struct unary_case cases[] = {
      {0.0f, -INFINITY},
      {-0.0f, -INFINITY},
      {1.0f, 0.0f},
      {-1.0f, NAN},
      {-0x1p-149f, NAN},
      {-INFINITY, NAN},
      {NAN, NAN},
      {INFINITY, INFINITY},
      {0x1.fffffep+127f, 128.0f},
      {8.0f, 3.0f},
      {0x1.8p-148f, -147.4150375f},
   };

   (void)state;
   check_cases(lower_math_log2, cases, LENGTH(cases));
}

static void
exponent_special(void **state)
{
   static const struct unary_case cases[] = {
      {0.0f, -INFINITY},      {INFINITY, INFINITY},       {NAN, NAN},
      {1.0f, 0.0f},           {0x1.fffffep-1f, -1.0f},    {3.0f, 1.0f},
      {0x1.8p-148f, -148.0f}, {0x1.fffffep+127f, 127.0f}, {0x1p-126f, -126.0f},
   };

   (void)state;
   check_cases(lower_math_exponent, cases, LENGTH(cases));
}

static void
significand_special(void **state)
{
   static const struct unary_case cases[] = {
      {0.0f, 1.0f},
      {INFINITY, 1.0f},
      {NAN, NAN},
      {1.0f, 1.0f},
      {0x1.fffffep-1f, 0x1.fffffep+0f},
      {3.0f, 1.5f},
      {0x1.8p-148f, 1.5f},
      {0x1.fffffep+127f, 0x1.fffffep+0f},
   };

   (void)state;
   check_cases(lower_math_significand, cases, LENGTH(cases));
}

static void
sin_special(void **state)
{
   static const struct unary_case cases[] = {
      {0.0f, 0.0f},    {-0.0f, -0.0f},           {0x1p-149f, 0x1p-149f},
      {INFINITY, NAN}, {-INFINITY, NAN},         {NAN, NAN},
      {1e-5f, 1e-5f},  {-0x1p-149f, -0x1p-149f},
   };

   (void)state;
   check_cases(lower_math_sin, cases, LENGTH(cases));
}

static void
cos_special(void **state)
{
   static const struct unary_case cases[] = {
      {0.0f, 1.0f},     {-0.0f, 1.0f}, {0x1p-149f, 1.0f}, {INFINITY, NAN},
      {-INFINITY, NAN}, {NAN, NAN},    {1e-5f, 1.0f},
   };

   (void)state;
   check_cases(lower_math_cos, cases, LENGTH(cases));
}

/* ---- pow ----------------------------------------------------------------- */

static void
pow_special(void **state)
{
   static const struct {
      float x, y, expected;
   } cases[] = {
      /* To the power of zero, and powers of one. */
      {0.0f, 0.0f, 1.0f},
      {NAN, 0.0f, 1.0f},
      {NAN, -0.0f, 1.0f},
      {INFINITY, 0.0f, 1.0f},
      {-3.0f, 0.0f, 1.0f},
      {1.0f, NAN, 1.0f},
      {1.0f, INFINITY, 1.0f},
      {1.0f, -1e30f, 1.0f},
      {-1.0f, INFINITY, 1.0f},
      {-1.0f, -INFINITY, 1.0f},
      {-1.0f, 3.0f, -1.0f},
      {-1.0f, 0x1p24f, 1.0f},
      {-1.0f, NAN, NAN},
      {NAN, 1.0f, NAN},
      {2.0f, NAN, NAN},
      /* Of zero. */
      {0.0f, -1.0f, INFINITY},
      {-0.0f, -1.0f, -INFINITY},
      {-0.0f, -2.0f, INFINITY},
      {-0.0f, -0.5f, INFINITY},
      {0.0f, -INFINITY, INFINITY},
      {-0.0f, -INFINITY, INFINITY},
      {0.0f, 3.0f, 0.0f},
      {-0.0f, 3.0f, -0.0f},
      {-0.0f, 2.0f, 0.0f},
      {-0.0f, 0.5f, 0.0f},
      {0.0f, 1e-40f, 0.0f},
      {-0.0f, INFINITY, 0.0f},
      /* To an infinite power. */
      {0.5f, -INFINITY, INFINITY},
      {-0.5f, -INFINITY, INFINITY},
      {0.5f, INFINITY, 0.0f},
      {1.5f, -INFINITY, 0.0f},
      {1.5f, INFINITY, INFINITY},
      {-1.5f, INFINITY, INFINITY},
      /* Of infinity. */
      {INFINITY, -1.0f, 0.0f},
      {INFINITY, 1e-40f, INFINITY},
      {-INFINITY, -3.0f, -0.0f},
      {-INFINITY, -2.0f, 0.0f},
      {-INFINITY, -0.5f, 0.0f},
      {-INFINITY, 3.0f, -INFINITY},
      {-INFINITY, 2.0f, INFINITY},
      {-INFINITY, 0.5f, INFINITY},
      /* Of negative numbers. */
      {-2.0f, 3.0f, -8.0f},
      {-2.0f, 4.0f, 16.0f},
      {-2.0f, -1.0f, -0.5f},
      {-2.0f, 0.5f, NAN},
      {-0x1p-149f, 1.5f, NAN},
      {-1.0f, 8388607.5f, NAN},
      {-1.0f, 16777215.0f, -1.0f},
      /* Powers that are floats. */
      {3.0f, 2.0f, 9.0f},
      {10.0f, 10.0f, 1e10f},
      {10.0f, -1.0f, 0.1f},
      {5.0f, 10.0f, 9765625.0f},
      {9.0f, 0.5f, 3.0f},
      {8.0f, 1.0f, 8.0f},
      {0x1p-149f, 0.5f, 0x1.6a09e6p-75f},
      {2.0f, -149.0f, 0x1p-149f},
      {2.0f, 127.0f, 0x1p+127f},
      {0x1p-126f, 1.0f, 0x1p-126f},
      /* Beyond the range. */
      {2.0f, 128.0f, INFINITY},
      {-2.0f, 129.0f, -INFINITY},
      {2.0f, -150.0f, 0.0f},
      {-2.0f, -151.0f, -0.0f},
      {0x1.fffffep+127f, 0x1.fffffep+127f, INFINITY},
      {0x1.fffffep+127f, -0x1.fffffep+127f, 0.0f},
      /* Next to one, where only a large power is far from it. */
      {0x1.000002p+0f, 0x1p+127f, INFINITY},
      {0x1.fffffep-1f, 0x1p+127f, 0.0f},
      {0x1.fffffep-1f, -INFINITY, INFINITY},
      {-0x1.fffffep-1f, -0x1p+127f, INFINITY},
      /* Of denormals. */
      {0x1p-149f, -1.0f, INFINITY},
      {0x1p-148f, -0.5f, 0x1p+74f},
      {-0x1p-149f, 3.0f, -0.0f},
      {-0x1p-149f, -2.0f, INFINITY},
      {-0x1p-140f, 1.0f, -0x1p-140f},
      /* Nothing to go by. */
      {0.0f, NAN, NAN},
      {INFINITY, NAN, NAN},
      {NAN, NAN, NAN},
      {NAN, INFINITY, NAN},
   };
   struct evaluator evaluator;

   (void)state;
   assert_true(evaluator_init_binary(&evaluator, exec_find_executor(NULL),
                                     lower_math_pow));
   for (unsigned i = 0; i < LENGTH(cases); i++) {
      float got = binary(&evaluator, cases[i].x, cases[i].y);
      if (!is_same(got, cases[i].expected))
         fail_msg("%a ^ %a: %a, expected %a", (double)cases[i].x,
                  (double)cases[i].y, (double)got, (double)cases[i].expected);
   }
   evaluator_finish(&evaluator);
}

static void
pow_of_one_is_itself(void **state)
{
   struct evaluator evaluator;

   (void)state;
   assert_true(evaluator_init_binary(&evaluator, exec_find_executor(NULL),
                                     lower_math_pow));
   for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 1000003) {
      float x = bits_float((uint32_t)bits);
      assert_true(is_same(binary(&evaluator, x, 1.0f), x));
   }
   evaluator_finish(&evaluator);
}

/* How far off powers may be: `ulp`, and `ulp_of_log` times their logarithm; and
 * whether 0 is right for those that are denormal. */
struct power_bound {
   binary_function function;
   double ulp, ulp_of_log;
   bool flushes;
};

/* Runs what is in `input` and fails where a power is too far off. */
static void
check_powers(struct evaluator *evaluator, const struct power_bound *bound)
{
   assert_true(evaluator_run(evaluator));
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      float x = bits_float(evaluator->input[0][lane]);
      float y = bits_float(evaluator->input[1][lane]);
      float got = bits_float(evaluator->output[0][lane]);
      long double expected = powl((long double)x, (long double)y);
      double distance = ulp_distance(got, expected);
      double logarithm = fabs((double)y * log2((double)x));
      if (bound->flushes && got == 0 && expected < 0x1.0001p-126L)
         continue;
      if (!(distance <= bound->ulp + bound->ulp_of_log * logarithm))
         fail_msg("%a ^ %a: %a, %g ulp off", (double)x, (double)y, (double)got,
                  distance);
   }
}

/* A number of the interval that begins at `first`, by random bits. */
static float
random_between(uint64_t *random, float first, float size)
{
   return first + ldexpf((float)next_random(random), -32) * size;
}

/* x with bits of `x_first` and some that are random, and y such that the
 * logarithms of the powers spread over an interval and its negative. */
static void
sweep_bound(const struct power_bound *bound, uint32_t x_first, uint32_t x_count,
            float log_first, float log_size)
{
   struct evaluator evaluator;
   uint64_t random = 3;

   assert_true(evaluator_init_binary(&evaluator, exec_find_executor(NULL),
                                     bound->function));
   for (unsigned i = 0; i < 4096; i++) {
      for (unsigned lane = 0; lane < LIR_LANES; lane++) {
         uint32_t x = x_first + next_random(&random) % x_count;
         float sign = next_random(&random) & 1 ? 1.0f : -1.0f;
         float logarithm = random_between(&random, log_first, log_size);
         double per_y = log2((double)bits_float(x));
         evaluator.input[0][lane] = x;
         evaluator.input[1][lane] =
            float_bits((float)((double)(sign * logarithm) / per_y));
      }
      check_powers(&evaluator, bound);
   }
   evaluator_finish(&evaluator);
}

static void
sweep_powers(uint32_t x_first, uint32_t x_count, float log_first,
             float log_size, double ulp)
{
   const struct power_bound bound = {lower_math_pow, ulp, 0, false};

   sweep_bound(&bound, x_first, x_count, log_first, log_size);
}

enum {
   ANY_FLOAT = 1, /* and those after it, up to the greatest */
   NUM_FLOATS = 0x7f7fffff,
   ROOT_OF_HALF = 0x3f3504f3, /* around 1, where the logarithm is small */
   NUM_AROUND_ONE = 0x3fb504f3 - ROOT_OF_HALF,
};

static void
pow_is_close(void **state)
{
   (void)state;
   sweep_powers(ANY_FLOAT, NUM_FLOATS, 0, 150, 1.6);
   sweep_powers(ANY_FLOAT, NUM_FLOATS, 0, 32, 1.0);
   sweep_powers(ROOT_OF_HALF, NUM_AROUND_ONE, 0, 32, 1.0);
   sweep_powers(ROOT_OF_HALF, NUM_AROUND_ONE, 120, 30, 1.6);
}

/* Where powers cease to be normal floats, and to be floats. */
static void
pow_is_close_at_the_ends(void **state)
{
   static const float ends[] = {124.99f, 125.99f, 127.99f, 148.99f, 149.99f};

   (void)state;
   for (unsigned i = 0; i < LENGTH(ends); i++) {
      sweep_powers(ANY_FLOAT, NUM_FLOATS, ends[i], 0.02f, 1.6);
      sweep_powers(ROOT_OF_HALF, NUM_AROUND_ONE, ends[i], 0.02f, 1.6);
   }
}

/* The smallest logarithms, and y that are large. */
static void
pow_is_close_next_to_one(void **state)
{
   (void)state;
   sweep_powers(0x3f7fff00, 0x100, 0, 128, 1.6);
   sweep_powers(0x3f800001, 0x100, 0, 128, 1.6);
}

static void
check_power(struct evaluator *evaluator, float x, float y, float expected)
{
   float got = binary(evaluator, x, y);

   if (!is_same(got, expected))
      fail_msg("%a ^ %a: %a, expected %a", (double)x, (double)y, (double)got,
               (double)expected);
}

/* (base^root * 2^(root * shift)) ^ (n / root), which is base^n * 2^(n * shift),
 * while that has 24 bits. */
static void
check_exact_powers(struct evaluator *evaluator, unsigned base, int root,
                   int shift)
{
   double x = pow(base, root);
   double power = base;

   for (int n = 1; x < 0x1p24 && power < 0x1p24; n++, power *= base)
      check_power(evaluator, ldexpf((float)x, root * shift),
                  (float)n / (float)root, ldexpf((float)power, n * shift));
}

static void
pow_is_exact_where_it_is_a_float(void **state)
{
   struct evaluator evaluator;

   (void)state;
   assert_true(evaluator_init_binary(&evaluator, exec_find_executor(NULL),
                                     lower_math_pow));
   for (int root = 1; root <= 8; root *= 2) {
      for (unsigned base = 3; base < 4096; base += 2) {
         check_exact_powers(&evaluator, base, root, 0);
         check_exact_powers(&evaluator, base, root, 3);
         check_exact_powers(&evaluator, base, root, -4);
      }
   }
   evaluator_finish(&evaluator);
}

/* ---- as GLSL asks -------------------------------------------------------- */

/* What is below the normal floats is 0. */
static long double
normal_exp2(long double x)
{
   const long double power = exp2l(x);

   return power < 0x1p-126L ? 0 : power;
}

static long double
normal_log2(long double x)
{
   return x < 0x1p-126L ? -INFINITY : log2l(x);
}

static void
glsl_exp2_is_close(void **state)
{
   static const float ends[] = {-0x1.f80080p6f, -0x1.f7ff80p6f, 0x1.fffe00p6f,
                                -0x1p-24f};

   (void)state;
   sweep(lower_math_glsl_exp2, normal_exp2, 1.25);
   for (unsigned i = 0; i < LENGTH(ends); i++)
      check_run(lower_math_glsl_exp2, normal_exp2, ends[i], 1.25);
}

static void
glsl_log2_is_close(void **state)
{
   static const float seams[] = {0x1.fff000p-127f, 0x1.ffff00p-1f,
                                 0x1.6a0000p-1f, 0x1.6a0000p-64f};

   (void)state;
   sweep(lower_math_glsl_log2, normal_log2, 1.85);
   for (unsigned i = 0; i < LENGTH(seams); i++)
      check_run(lower_math_glsl_log2, normal_log2, seams[i], 1.85);
}

static void
glsl_exp2_and_log2_special(void **state)
{
   static const struct unary_case of_exp2[] = {
      {0.0f, 1.0f},         {-0.0f, 1.0f},      {0x1p-149f, 1.0f},
      {-INFINITY, 0.0f},    {-1e30f, 0.0f},     {-127.0f, 0.0f},
      {-126.25f, 0.0f},     {128.0f, INFINITY}, {1e30f, INFINITY},
      {INFINITY, INFINITY}, {NAN, NAN},
   };
   static const struct unary_case of_log2[] = {
      {0.0f, -INFINITY},  {-0.0f, -INFINITY},     {0x1p-127f, -INFINITY},
      {-2.0f, -INFINITY}, {-INFINITY, -INFINITY}, {INFINITY, INFINITY},
      {NAN, NAN},
   };

   (void)state;
   check_cases(lower_math_glsl_exp2, of_exp2, LENGTH(of_exp2));
   check_cases(lower_math_glsl_log2, of_log2, LENGTH(of_log2));
}

enum {
   LEAST_NORMAL = 0x00800000,
   NUM_NORMALS = 0x7f000000,
};

static void
glsl_pow_is_as_close_as_its_logarithm(void **state)
{
   static const struct power_bound bound = {lower_math_glsl_pow, 1.2, 1.7,
                                            true};
   static const float ends[] = {124.99f, 125.99f, 127.99f, 148.99f, 149.99f};

   (void)state;
   sweep_bound(&bound, LEAST_NORMAL, NUM_NORMALS, 0, 150);
   sweep_bound(&bound, LEAST_NORMAL, NUM_NORMALS, 0, 2);
   sweep_bound(&bound, ROOT_OF_HALF, NUM_AROUND_ONE, 0, 150);
   sweep_bound(&bound, ROOT_OF_HALF, NUM_AROUND_ONE, 0, 2);
   sweep_bound(&bound, 0x3f7fff00, 0x100, 0, 128);
   sweep_bound(&bound, 0x3f800001, 0x100, 0, 128);
   for (unsigned i = 0; i < LENGTH(ends); i++)
      sweep_bound(&bound, LEAST_NORMAL, NUM_NORMALS, ends[i], 0.02f);
}

/* What is below the normal floats is 0. */
static void
glsl_pow_special(void **state)
{
   static const struct {
      float x, y, expected;
   } cases[] = {
      {2.0f, 10.0f, 1024.0f},
      {0.25f, 2.5f, 0.03125f},
      {0x1p-126f, 1.0f, 0x1p-126f},
      {0x1p-126f, -1.0f, 0x1p126f},
      {2.0f, -126.0f, 0x1p-126f},
      {2.0f, -126.25f, 0.0f},
      {2.0f, -127.0f, 0.0f},
      {2.0f, -151.0f, 0.0f},
      {2.0f, 127.0f, 0x1p127f},
      {2.0f, 128.0f, INFINITY},
      {1.0f, 0x1p100f, 1.0f},
      {1.0f, -3.5f, 1.0f},
      {2.0f, 0.0f, 1.0f},
      {2.0f, 0x1p-149f, 1.0f},
      {2.0f, 0x1p100f, INFINITY},
      {2.0f, -0x1p100f, 0.0f},
      {0.5f, INFINITY, 0.0f},
      {0.5f, -INFINITY, INFINITY},
      {1.5f, INFINITY, INFINITY},
      {1.5f, -INFINITY, 0.0f},
      {2.0f, NAN, NAN},
      /* Of zeros, denormals and negative numbers. */
      {0.0f, 1.0f, 0.0f},
      {-0.0f, 0.5f, 0.0f},
      {0.0f, 0x1p-90f, 0.0f},
      {0.0f, INFINITY, 0.0f},
      {0.0f, -1.0f, INFINITY},
      {0.0f, -INFINITY, INFINITY},
      {0.0f, 0.0f, 1.0f},
      {-0.0f, -0.0f, 1.0f},
      {0.0f, NAN, NAN},
      {0x1.fffffcp-127f, 0x1p-10f, 0.0f},
      {-0x1p-149f, 2.0f, 0.0f},
      {0x1p-149f, -0x1p-10f, INFINITY},
      {0x1p-149f, 0.0f, 1.0f},
      {-2.0f, 2.0f, 0.0f},
      {-2.0f, -2.0f, INFINITY},
      {-2.0f, 0.0f, 1.0f},
      {-INFINITY, 1.0f, 0.0f},
      {-INFINITY, 0.0f, 1.0f},
      /* Of infinity and NaN. */
      {INFINITY, 0x1p-149f, INFINITY},
      {INFINITY, -0x1p-149f, 0.0f},
      {INFINITY, 0.0f, NAN},
      {INFINITY, INFINITY, INFINITY},
      {INFINITY, -INFINITY, 0.0f},
      {NAN, 1.0f, NAN},
      {NAN, INFINITY, NAN},
   };
   struct evaluator evaluator;

   (void)state;
   assert_true(evaluator_init_binary(&evaluator, exec_find_executor(NULL),
                                     lower_math_glsl_pow));
   for (unsigned i = 0; i < LENGTH(cases); i++)
      check_power(&evaluator, cases[i].x, cases[i].y, cases[i].expected);
   evaluator_finish(&evaluator);
}

/* ---- lanes ----------------------------------------------------------------
 */

/* Operands of each kind that a function tells apart. */
static const float kinds[] = {
   0.0f,
   -0.0f,
   1.0f,
   -1.0f,
   0.75f,
   -3.0f,
   0x1p-149f,
   -0x1p-130f,
   0x1p-126f,
   INFINITY,
   -INFINITY,
   NAN,
   0x1.fffffep+127f,
   100.5f,
   -150.0f,
   0x1.8p40f,
};

static_assert(LENGTH(kinds) == LIR_LANES, "one in each lane");

/* A lane gets what it gets where all others have its operands. */
static void
check_lanes(struct evaluator *evaluator, unsigned turn)
{
   uint32_t together[LIR_LANES];

   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      evaluator->input[0][lane] = float_bits(kinds[lane]);
      evaluator->input[1][lane] = float_bits(kinds[(lane + turn) % LIR_LANES]);
   }
   assert_true(evaluator_run(evaluator));
   memcpy(together, evaluator->output[0], sizeof(together));
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      float alone =
         binary(evaluator, kinds[lane], kinds[(lane + turn) % LIR_LANES]);
      if (!is_same(bits_float(together[lane]), alone))
         fail_msg("of %a: %a beside others, %a alone", (double)kinds[lane],
                  (double)bits_float(together[lane]), (double)alone);
   }
}

static void
lanes_of_all_kinds_go_side_by_side(void **state)
{
   static const unary_function functions[] = {
      lower_math_exp2,        lower_math_log2,      lower_math_exponent,
      lower_math_significand, lower_math_sin,       lower_math_cos,
      lower_math_glsl_exp2,   lower_math_glsl_log2,
   };
   static const binary_function powers[] = {
      lower_math_pow,
      lower_math_glsl_pow,
   };
   struct evaluator evaluator;

   (void)state;
   for (unsigned i = 0; i < LENGTH(functions); i++) {
      assert_true(evaluator_init_unary(&evaluator, exec_find_executor(NULL),
                                       functions[i]));
      check_lanes(&evaluator, 0);
      evaluator_finish(&evaluator);
   }
   for (unsigned i = 0; i < LENGTH(powers); i++) {
      assert_true(evaluator_init_binary(&evaluator, exec_find_executor(NULL),
                                        powers[i]));
      for (unsigned turn = 0; turn < LIR_LANES; turn++)
         check_lanes(&evaluator, turn);
      evaluator_finish(&evaluator);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(exp2_is_close),
      cmocka_unit_test(exp2_is_close_at_the_ends),
      cmocka_unit_test(log2_is_close),
      cmocka_unit_test(log2_is_close_at_its_seams),
      cmocka_unit_test(sin_is_close),
      cmocka_unit_test(cos_is_close),
      cmocka_unit_test(trigonometry_is_close_at_its_seam),
      cmocka_unit_test(trigonometry_is_close_in_the_first_turns),
      cmocka_unit_test(trigonometry_is_symmetric),
      cmocka_unit_test(trigonometry_near_multiples_of_a_quarter_turn),
      cmocka_unit_test(trigonometry_reduces_each_lane_its_own_way),
      cmocka_unit_test(exp2_special),
      cmocka_unit_test(exp2_and_log2_of_powers),
      cmocka_unit_test(log2_special),
      cmocka_unit_test(exponent_special),
      cmocka_unit_test(significand_special),
      cmocka_unit_test(sin_special),
      cmocka_unit_test(cos_special),
      cmocka_unit_test(pow_special),
      cmocka_unit_test(pow_of_one_is_itself),
      cmocka_unit_test(pow_is_close),
      cmocka_unit_test(pow_is_close_at_the_ends),
      cmocka_unit_test(pow_is_close_next_to_one),
      cmocka_unit_test(pow_is_exact_where_it_is_a_float),
      cmocka_unit_test(glsl_exp2_is_close),
      cmocka_unit_test(glsl_log2_is_close),
      cmocka_unit_test(glsl_exp2_and_log2_special),
      cmocka_unit_test(glsl_pow_is_as_close_as_its_logarithm),
      cmocka_unit_test(glsl_pow_special),
      cmocka_unit_test(lanes_of_all_kinds_go_side_by_side),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
