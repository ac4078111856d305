/* SPDX-License-Identifier: MIT
 *
 * x^y as 2^(y * log2 x) with a logarithm that is one float: GLSL's pow(), half
 * of the work of pow.c.
 *
 * 36 operations that are no constants, and 31 more when some lane has an x that
 * is no positive normal float, or a power beyond 2^125 or 2^-125. The product
 * multiplies the error of the logarithm: at y * log2(x) = p the power is at
 * most 1 + 1.5 |p| ulp from the true value (bench/math_accuracy.c).
 */
#include <math.h>

#include "lower/math/exp_log.h"
#include "lower/math/functions.h"

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

/* 2^(y * log2 x) where log2(x) is not finite: x^0 is 1, and else 0, infinite or
 * NaN, as the product is. Denormal x count as 0. */
static lir_value
power_of_abnormal(struct lir_builder *builder, lir_value x, lir_value y)
{
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value one = lir_constf(builder, 1.0f);
   lir_value infinity = lir_constf(builder, INFINITY);
   lir_value minus_infinity = lir_constf(builder, -INFINITY);
   lir_value nan = lir_const32(builder, 0x7fc00000);
   lir_value least = lir_constf(builder, 0x1p-126f);
   lir_value magnitude = lir_fabs(builder, x);
   lir_value is_zero = lir_flt(builder, magnitude, least);
   lir_value is_infinite = lir_feq(builder, x, infinity);
   lir_value logarithm = lir_sel32(builder, is_infinite, infinity, nan);
   logarithm = lir_sel32(builder, is_zero, minus_infinity, logarithm);

   lir_value product = lir_fmul(builder, y, logarithm);
   lir_value is_flat = lir_feq(builder, y, zero);
   lir_value p = lir_sel32(builder, is_flat, zero, product);
   lir_value is_negative = lir_flt(builder, p, zero);
   lir_value beyond = lir_fadd(builder, p, one);
   return lir_sel32(builder, is_negative, zero, beyond);
}

/* 2^(y * logarithm), of which 2^f and n are known; what is denormal counts as
 * 0. */
static lir_value
power_far(struct lir_builder *builder, lir_value y, lir_value logarithm,
          lir_value of_fraction, lir_value n)
{
   lir_value p = lir_fmul(builder, y, logarithm);
   lir_value power = lower_math_exp2_far(builder, p, of_fraction, n);
   lir_value least = lir_constf(builder, 0x1p-126f);
   lir_value is_denormal = lir_flt(builder, power, least);
   lir_value zero = lir_constf(builder, 0.0f);

   return lir_sel32(builder, is_denormal, zero, power);
}

lir_value
lower_math_pow_by_log2(struct lir_builder *builder, lir_value x, lir_value y)
{
   lir_value is_abnormal = lower_math_log2_is_abnormal(builder, x);
   lir_value logarithm = log2_of_normal(builder, x);
   struct lower_nearest n = lower_math_nearest_product(builder, y, logarithm);
   lir_value minus_n = lir_fneg(builder, n.number);
   lir_value f = lir_ffma(builder, y, logarithm, minus_n);
   struct lower_power power = lower_math_exp2_near(builder, n.number, n, f);

   lir_value is_rare = lir_bor(builder, is_abnormal, power.is_far);
   struct lower_rare rare = lower_math_begin_rare(builder, is_rare, power.near);
   lir_value far =
      power_far(builder, y, logarithm, power.of_fraction, n.number);
   lir_value special = power_of_abnormal(builder, x, y);
   lir_value value = lir_sel32(builder, is_abnormal, special, far);

   return lower_math_end_rare(builder, rare, value);
}
