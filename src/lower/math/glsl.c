/* SPDX-License-Identifier: MIT
 *
 * exp2, log2 and pow with the precision that GLSL asks for (4.60, section
 * 4.7.1), branch-free: 13, 19 and 33 operations that are no constants.
 *
 * Furthest from the true value (bench/math_accuracy.c): exp2 1.21 ulp,
 * log2 1.77 ulp; of powers the product y * log2(x) = p multiplies the error of
 * the logarithm, to 1.2 + 1.7 |p| ulp at most.
 */
#include <math.h>

#include "lower/math/exp_log.h"
#include "lower/math/functions.h"

/* ---- log2 ---------------------------------------------------------------- */

/* log2(x) of a positive normal float; of others some finite number. A power of
 * two has f = 0, and its exponent is the logarithm. */
static lir_value
log2_of_normal(struct lir_builder *builder, lir_value x)
{
   /* log2(1 + f) / f; error 2^-25.1 of the whole. */
   static const float quotient[] = {
      0x1.715476p+0f,  -0x1.715470p-1f, 0x1.ec735cp-2f,
      -0x1.715c26p-2f, 0x1.26dedep-2f,  -0x1.e96f84p-3f,
      0x1.b92544p-3f,  -0x1.a7c5e0p-3f, 0x1.025fb4p-3f,
   };
   struct lower_split parts = lower_math_log2_split(builder, x, LOWER_ROOT);
   lir_value one = lir_constf(builder, 1.0f);
   lir_value f = lir_fsub(builder, parts.significand, one);
   lir_value q =
      lower_math_polynomial(builder, f, quotient, LOWER_LENGTH(quotient));

   return lir_ffma(builder, f, q, parts.exponent);
}

/* log2(x) of any x. What is below the normal floats, negative too, counts as 0,
 * whose logarithm is given. Infinity and NaN stay. */
static lir_value
log2_from(struct lir_builder *builder, lir_value x, float log2_of_zero)
{
   lir_value least = lir_constf(builder, 0x1p-126f);
   lir_value infinity = lir_constf(builder, INFINITY);
   lir_value of_zero = lir_constf(builder, log2_of_zero);
   lir_value is_below = lir_flt(builder, x, least);
   lir_value is_finite = lir_flt(builder, x, infinity);
   lir_value logarithm = log2_of_normal(builder, x);

   logarithm = lir_sel32(builder, is_finite, logarithm, x);
   return lir_sel32(builder, is_below, of_zero, logarithm);
}

lir_value
lower_math_glsl_log2(struct lir_builder *builder, lir_value x)
{
   return log2_from(builder, x, -INFINITY);
}

/* ---- exp2 ---------------------------------------------------------------- */

/* 2^n for integers in [-127, 128]: of -127 it is 0, as the exponent's bits are.
 * Those are n + 127, the last bits of a sum whose last place is 1. */
static lir_value
power_of_two(struct lir_builder *builder, lir_value n)
{
   lir_value large = lir_constf(builder, 0x1.8p23f + 127.0f);
   lir_value sum = lir_fadd(builder, n, large);
   lir_value to_exponent = lir_const32(builder, 23);

   return lir_ishl(builder, sum, to_exponent);
}

/* 2^x = 2^n * 2^f for n = floor(x), so that what is below the normal floats is
 * 0, and an integer x gives 2^n exactly. NaN stays in f. */
lir_value
lower_math_glsl_exp2(struct lir_builder *builder, lir_value x)
{
   /* (2^f - 1) / f for f in [0, 1]; error 2^-28.8 of 2^f. */
   static const float quotient[] = {
      0x1.62e42cp-1f, 0x1.ebfd3ap-3f,  0x1.c68af6p-5f,
      0x1.3cfd82p-7f, 0x1.473738p-10f, 0x1.c44580p-13f,
   };
   lir_value bounded = lower_math_clamp(builder, x, -127.0f, 128.0f);
   lir_value n = lir_ffloor(builder, bounded);
   lir_value f = lir_fsub(builder, bounded, n);
   lir_value q =
      lower_math_polynomial(builder, f, quotient, LOWER_LENGTH(quotient));
   lir_value one = lir_constf(builder, 1.0f);
   lir_value of_fraction = lir_ffma(builder, q, f, one);
   lir_value of_integer = power_of_two(builder, n);

   return lir_fmul(builder, of_fraction, of_integer);
}

/* ---- pow ----------------------------------------------------------------- */

/* The logarithm of 0 is a finite one, so that its product with 0 is 0. */
lir_value
lower_math_glsl_pow(struct lir_builder *builder, lir_value x, lir_value y)
{
   lir_value logarithm = log2_from(builder, x, -0x1p100f);
   lir_value product = lir_fmul(builder, y, logarithm);

   return lower_math_glsl_exp2(builder, product);
}
