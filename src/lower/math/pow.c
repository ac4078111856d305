/* SPDX-License-Identifier: MIT
 *
 * x^y = 2^(y * log2 x). The product multiplies the error of the logarithm by
 * up to 300, so that is a pair of floats, right to 2^-32; and what is rounded
 * at the end is near enough that powers that are floats come out exact.
 *
 * 75 operations that are no constants, and 58 more when some lane has an x that
 * is no positive normal float, or a power beyond 2^125 or 2^-125. Furthest from
 * the true value, over random operands (bench/math_accuracy.c): 1.51 ulp; 0.98
 * ulp of powers in [2^-32, 2^32].
 */
#include <math.h>

#include "lower/math/exp_log.h"
#include "lower/math/functions.h"

/* ---- pairs of floats ----------------------------------------------------- */

/* Its value is the sum. The low one is at most about an ulp of the high one. */
struct pair {
   lir_value high, low;
};

/* a + b exactly, for |a| >= |b| or a = 0 (Dekker). */
static struct pair
sum(struct lir_builder *builder, lir_value a, lir_value b)
{
   struct pair pair;

   pair.high = lir_fadd(builder, a, b);
   lir_value rounded_b = lir_fsub(builder, pair.high, a);
   pair.low = lir_fsub(builder, b, rounded_b);
   return pair;
}

/* a * b exactly. */
static struct pair
product(struct lir_builder *builder, lir_value a, lir_value b)
{
   struct pair pair;

   pair.high = lir_fmul(builder, a, b);
   lir_value minus_high = lir_fneg(builder, pair.high);
   pair.low = lir_ffma(builder, a, b, minus_high);
   return pair;
}

/* ---- the logarithm ------------------------------------------------------- */

/* s = (m - 1) / (m + 1) for m in [sqrt(1/2), sqrt(2)), right to 2^-46: what a
 * quotient leaves is divided once more. The sum is exact with 1 as the greater
 * one too, as it is in [1.7, 2.5]. */
static struct pair
reduce(struct lir_builder *builder, lir_value m)
{
   lir_value one = lir_constf(builder, 1.0f);
   lir_value f = lir_fsub(builder, m, one);
   struct pair divisor = sum(builder, one, m);
   lir_value inverse = lir_fdiv(builder, one, divisor.high);
   struct pair s;

   s.high = lir_fmul(builder, f, inverse);
   lir_value minus_s = lir_fneg(builder, s.high);
   lir_value rest = lir_ffma(builder, minus_s, divisor.high, f);
   rest = lir_ffma(builder, minus_s, divisor.low, rest);
   s.low = lir_fmul(builder, rest, inverse);
   return s;
}

/* log2(m) = s * (2 / ln 2 + cubic) with a cubic of s^2, which is below 2^-5.
 * `slope` is the derivative, for what is beyond s.high. */
static struct pair
log2_of_significand(struct lir_builder *builder, lir_value m)
{
   /* 2 / ln 2 as two floats. */
   static const float first = 0x1.715476p+1f, first_low = 0x1.4ae0c0p-25f;
   /* (log2(m) / s - first) / s^2 by powers of s^2; error 2^-36.4 of log2(m). */
   static const float rest[] = {
      0x1.ec709ep-1f,
      0x1.2776e0p-1f,
      0x1.a5d048p-2f,
      0x1.58901ep-2f,
   };
   struct pair s = reduce(builder, m);
   lir_value square = lir_fmul(builder, s.high, s.high);
   lir_value q =
      lower_math_polynomial(builder, square, rest, LOWER_LENGTH(rest));
   struct pair cubic = product(builder, square, q);
   lir_value constant = lir_constf(builder, first);
   lir_value constant_low = lir_constf(builder, first_low);
   struct pair linear = product(builder, s.high, constant);
   struct pair bend = product(builder, s.high, cubic.high);
   struct pair logarithm = sum(builder, linear.high, bend.high);

   lir_value slope = lir_ffma(builder, square, constant, constant);
   lir_value factor_low = lir_fadd(builder, cubic.low, constant_low);
   lir_value low = lir_ffma(builder, s.low, slope, linear.low);
   low = lir_ffma(builder, s.high, factor_low, low);
   low = lir_fadd(builder, low, bend.low);
   logarithm.low = lir_fadd(builder, low, logarithm.low);
   return logarithm;
}

/* log2 of a float that is not negative. */
static struct pair
log2_wide(struct lir_builder *builder, lir_value x, lir_value is_abnormal)
{
   struct lower_normal normal =
      lower_math_log2_normalize(builder, x, is_abnormal);
   struct lower_split parts =
      lower_math_log2_split(builder, normal.value, LOWER_ROOT);
   struct pair fraction = log2_of_significand(builder, parts.significand);
   lir_value exponent = lir_fadd(builder, parts.exponent, normal.bias);
   struct pair logarithm = sum(builder, exponent, fraction.high);

   logarithm.low = lir_fadd(builder, fraction.low, logarithm.low);
   return logarithm;
}

/* ---- the power ----------------------------------------------------------- */

/* y * logarithm. Where that overflows, its high part is infinite. */
static struct pair
exponent_of_power(struct lir_builder *builder, lir_value y,
                  struct pair logarithm)
{
   struct pair t = product(builder, y, logarithm.high);

   t.low = lir_ffma(builder, y, logarithm.low, t.low);
   return t;
}

/* ---- special cases ------------------------------------------------------- */

/* Powers of 0 and infinity: themselves where y is positive, the other where it
 * is negative, and NaN where y is. */
static lir_value
power_of_extreme(struct lir_builder *builder, lir_value magnitude, lir_value y)
{
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value infinity = lir_constf(builder, INFINITY);
   lir_value other = lir_isub(builder, infinity, magnitude);
   lir_value is_positive = lir_flt(builder, zero, y);
   lir_value is_negative = lir_flt(builder, y, zero);
   lir_value inverse = lir_sel32(builder, is_negative, other, y);

   return lir_sel32(builder, is_positive, magnitude, inverse);
}

/* |x|^y from what it is for positive finite x, or NaN. It is 1 when y is 0 or
 * |x| is 1, also where the other is NaN. */
static lir_value
power_of_magnitude(struct lir_builder *builder, lir_value magnitude,
                   lir_value y, lir_value power)
{
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value one = lir_constf(builder, 1.0f);
   lir_value infinity = lir_constf(builder, INFINITY);
   lir_value extreme = power_of_extreme(builder, magnitude, y);
   lir_value is_zero = lir_ieq(builder, magnitude, zero);
   lir_value is_infinite = lir_ieq(builder, magnitude, infinity);
   lir_value is_extreme = lir_bor(builder, is_zero, is_infinite);
   power = lir_sel32(builder, is_extreme, extreme, power);

   lir_value is_one = lir_ieq(builder, magnitude, one);
   lir_value is_flat = lir_feq(builder, y, zero);
   lir_value is_trivial = lir_bor(builder, is_one, is_flat);
   return lir_sel32(builder, is_trivial, one, power);
}

/* Infinity counts as an integer; NaN does not. */
static lir_value
is_integer(struct lir_builder *builder, lir_value y)
{
   lir_value floor = lir_ffloor(builder, y);

   return lir_feq(builder, floor, y);
}

/* x^y from |x|^y. */
static lir_value
power_with_sign(struct lir_builder *builder, lir_value x, lir_value y,
                lir_value power)
{
   lir_value y_is_integer = is_integer(builder, y);

   /* An odd power has the sign of x. Floats from 2^24 on are even. */
   lir_value half = lir_constf(builder, 0.5f);
   lir_value half_y = lir_fmul(builder, y, half);
   lir_value half_is_integer = is_integer(builder, half_y);
   lir_value half_is_not = lir_bnot(builder, half_is_integer);
   lir_value is_odd = lir_band(builder, y_is_integer, half_is_not);
   lir_value sign_bit = lir_const32(builder, 0x80000000);
   lir_value zero = lir_const32(builder, 0);
   lir_value sign_of_x = lir_iand(builder, x, sign_bit);
   lir_value sign = lir_sel32(builder, is_odd, sign_of_x, zero);
   lir_value with_sign = lir_ior(builder, power, sign);

   /* A negative finite x has none but integer powers. */
   lir_value minus_infinity = lir_constf(builder, -INFINITY);
   lir_value is_negative = lir_flt(builder, x, zero);
   lir_value is_finite = lir_flt(builder, minus_infinity, x);
   lir_value has_root = lir_bnot(builder, y_is_integer);
   lir_value is_real_root = lir_band(builder, is_negative, is_finite);
   lir_value is_nan = lir_band(builder, is_real_root, has_root);
   lir_value nan = lir_const32(builder, 0x7fc00000);
   return lir_sel32(builder, is_nan, nan, with_sign);
}

/* Where y is no finite number, or the product is none, that is far. */
lir_value
lower_math_pow(struct lir_builder *builder, lir_value x, lir_value y)
{
   lir_value magnitude = lir_fabs(builder, x);
   lir_value is_abnormal = lower_math_log2_is_abnormal(builder, x);
   struct pair logarithm = log2_wide(builder, magnitude, is_abnormal);
   struct pair t = exponent_of_power(builder, y, logarithm);
   struct lower_nearest n = lower_math_nearest(builder, t.high);
   lir_value rest = lir_fsub(builder, t.high, n.number);
   lir_value f = lir_fadd(builder, rest, t.low);
   struct lower_power power = lower_math_exp2_near(builder, t.high, n, f);

   lir_value is_rare = lir_bor(builder, is_abnormal, power.is_far);
   struct lower_rare rare = lower_math_begin_rare(builder, is_rare, power.near);
   lir_value far =
      lower_math_exp2_far(builder, t.high, power.of_fraction, n.number);
   lir_value positive = power_of_magnitude(builder, magnitude, y, far);
   lir_value with_sign = power_with_sign(builder, x, y, positive);

   return lower_math_end_rare(builder, rare, with_sign);
}
