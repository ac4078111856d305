/* SPDX-License-Identifier: MIT
 *
 * How far the functions of src/lower/math/functions.h are from the true values,
 * over every float or every n-th one, and what a wave of each costs.
 *
 *   math_accuracy [STRIDE]
 *
 * STRIDE 1 takes all 2^32 floats, which is an hour; 64 is the default. Powers
 * have two operands, so theirs are random, as many as the others'.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../tests/lower/evaluator.h"
#include "lower/math/functions.h"

struct subject {
   const char *name;
   unary_function function;
   binary_function power; /* instead */
   long double (*reference)(long double);
   float span;      /* of the logarithms of powers, in each direction */
   bool is_of_glsl; /* what is below the normal floats is 0 */
};

static const struct subject subjects[] = {
   {"exp2", lower_math_exp2, NULL, exp2l, 0, false},
   {"GLSL exp2", lower_math_glsl_exp2, NULL, exp2l, 0, true},
   {"log2", lower_math_log2, NULL, log2l, 0, false},
   {"GLSL log2", lower_math_glsl_log2, NULL, log2l, 0, true},
   {"sin", lower_math_sin, NULL, sinl, 0, false},
   {"cos", lower_math_cos, NULL, cosl, 0, false},
   {"pow", NULL, lower_math_pow, NULL, 150, false},
   {"pow", NULL, lower_math_pow, NULL, 32, false},
   {"GLSL pow", NULL, lower_math_glsl_pow, NULL, 125, true},
   {"GLSL pow", NULL, lower_math_glsl_pow, NULL, 32, true},
   {"GLSL pow", NULL, lower_math_glsl_pow, NULL, 8, true},
   {"GLSL pow", NULL, lower_math_glsl_pow, NULL, 1, true},
};

struct worst {
   uint64_t num_judged;
   uint64_t num_inexact; /* not the nearest float */
   double distance;      /* ulp */
   float x, y;
};

/* Is a case one that GLSL leaves open? */
static bool
is_open(const struct subject *subject, float x, long double expected)
{
   return subject->is_of_glsl &&
          ((subject->reference != exp2l && x < 0x1p-126f) ||
           fabsl(expected) < 0x1p-126L);
}

static void
judge(const struct evaluator *evaluator, const struct subject *subject,
      struct worst *worst)
{
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      float x = bits_float(evaluator->input[0][lane]);
      float y = bits_float(evaluator->input[1][lane]);
      float got = bits_float(evaluator->output[0][lane]);
      long double expected = subject->power
                                ? powl((long double)x, (long double)y)
                                : subject->reference((long double)x);
      double distance = ulp_distance(got, expected);

      if (is_open(subject, x, expected))
         continue;
      worst->num_judged++;
      worst->num_inexact += distance > 0.5;
      if (distance > worst->distance) {
         worst->distance = distance;
         worst->x = x;
         worst->y = y;
      }
   }
}

static uint32_t
next_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
   return (uint32_t)(*state >> 32);
}

/* An x of any exponent, or every other time one around 1, where the logarithm
 * is small; and a y that spreads the powers over 2^-span to 2^span. */
static void
make_power(struct evaluator *evaluator, unsigned lane,
           const struct subject *subject, uint64_t *state)
{
   const uint32_t bits = lane & 1 ? 0x3f3504f3 + next_random(state) % 0x00800000
                                  : next_random(state) % 0x7f7fffff + 1;
   const double part = ldexp((double)next_random(state), -31) - 1.0;
   const double per_y = fabs(log2((double)bits_float(bits)));
   const double y = per_y > 0 ? part * subject->span / per_y : part;

   evaluator->input[0][lane] = bits;
   evaluator->input[1][lane] = float_bits((float)y);
}

static double
seconds(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Nanoseconds of a wave with the operands that are there. */
static double
time_wave(struct evaluator *evaluator)
{
   enum { NUM_WAVES = 100000 };
   double start = seconds();

   for (unsigned i = 0; i < NUM_WAVES; i++) {
      if (!evaluator_run(evaluator))
         return NAN;
   }
   return (seconds() - start) * 1e9 / NUM_WAVES;
}

static bool
measure(struct evaluator *evaluator, const struct subject *subject,
        uint64_t stride)
{
   struct worst worst = {0};
   uint64_t state = 1;
   unsigned lane = 0;

   for (uint64_t bits = 0; bits <= UINT32_MAX; bits += stride) {
      if (subject->power)
         make_power(evaluator, lane, subject, &state);
      else
         evaluator->input[0][lane] = (uint32_t)bits;
      lane = (lane + 1) % LIR_LANES;
      if (lane != 0)
         continue;
      if (!evaluator_run(evaluator))
         return false;
      judge(evaluator, subject, &worst);
   }

   for (lane = 0; lane < LIR_LANES; lane++) {
      evaluator->input[0][lane] = float_bits(1.0f + (float)lane);
      evaluator->input[1][lane] = float_bits(0.75f);
   }
   printf("%-9s %4u %8.0f %11llu %8.4f %7.3f  %a", subject->name,
          evaluator->num_operations, time_wave(evaluator),
          (unsigned long long)worst.num_judged, worst.distance,
          100.0 * (double)worst.num_inexact / (double)worst.num_judged,
          (double)worst.x);
   if (subject->power)
      printf(" %a", (double)worst.y);
   printf("\n");
   fflush(stdout);
   return true;
}

int
main(int argc, char **argv)
{
   uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 0) : 64;

   if (stride == 0 || argc > 2) {
      fprintf(stderr, "usage: math_accuracy [STRIDE]\n");
      return 2;
   }
   printf("name       ops  ns/wave      judged  ulp max  %% >0.5  worst at\n");
   for (unsigned i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
      const struct subject *subject = &subjects[i];
      const struct exec_executor *executor = exec_interpreter();
      struct evaluator evaluator;
      bool ok =
         subject->power
            ? evaluator_init_binary(&evaluator, executor, subject->power)
            : evaluator_init_unary(&evaluator, executor, subject->function);

      ok = ok && measure(&evaluator, subject, stride);
      evaluator_finish(&evaluator);
      if (!ok) {
         fprintf(stderr, "math_accuracy: cannot run %s\n", subject->name);
         return 1;
      }
   }
   return 0;
}
