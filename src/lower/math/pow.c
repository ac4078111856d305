/* SPDX-License-Identifier: MIT
 *
 * x^y = 2^(y * log2 x). The product multiplies the error of the logarithm by
 * up to 150, so both halves are in doubles; what is rounded to a float at the
 * end is right to 2^-34, and powers that are floats come out exact.
 *
 * 71 operations that are no constants. Furthest from the true value, over
 * random operands (bench/math_accuracy.c): 0.501 ulp.
 */
#include <math.h>

#include "lower/math/functions.h"
#include "lower/math/parts.h"

/* log2 of a positive float that is finite, as a double; of others any number.
 * The significand 1 + f is in [sqrt(1/2), sqrt(2)). */
static lir_value
log2_wide(struct lir_builder *builder, lir_value x)
{
   /* log2(1 + f) / f; error 2^-41 of it. */
   static const double quotient[] = {
      0x1.71547652b89dfp+0,  -0x1.715476528d492p-1, 0x1.ec709dbd23ff8p-2,
      -0x1.715476b43fceep-2, 0x1.2776c940c9a0cp-2,  -0x1.ec7061e1af93dp-3,
      0x1.a615466ad918ep-3,  -0x1.715b8d4c80eedp-3, 0x1.488d067a30dc5p-3,
      -0x1.272ba29024548p-3, 0x1.087cb4b1b37fdp-3,  -0x1.e9fc70371dc2fp-4,
      0x1.024d027953c66p-3,  -0x1.f9f10e0135f9fp-4, 0x1.02cb44fe66a08p-4,
   };
   lir_value wide = lir_f2d(builder, x);
   lir_value high = lir_hi64(builder, wide);
   lir_value base = lir_const32(builder, 0x3fe6a09f); /* of sqrt(1/2) */
   lir_value shift = lir_const32(builder, 20);
   lir_value zero = lir_const32(builder, 0);
   lir_value distance = lir_isub(builder, high, base);
   lir_value exponent = lir_ishr(builder, distance, shift);
   lir_value field = lir_ishl(builder, exponent, shift);
   lir_value wide_field = lir_pack64(builder, zero, field);
   lir_value significand = lir_lsub(builder, wide, wide_field);
   lir_value one = lir_constd(builder, 1.0);
   lir_value f = lir_dsub(builder, significand, one);
   lir_value q = lower_even_odd64(builder, f, quotient, LOWER_LENGTH(quotient));
   lir_value integer = lir_i2d(builder, exponent);

   return lir_dfma(builder, q, f, integer);
}

/* 2^t of a double as a float, rounded once. Of NaN it is any float. */
static lir_value
exp2_narrow(struct lir_builder *builder, lir_value t)
{
   /* (2^f - 1) / f; error 2^-39.7 of 2^f. */
   static const double quotient[] = {
      0x1.62e42fef7a795p-1,  0x1.ebfbdff7c5aebp-3,  0x1.c6b08defc1442p-5,
      0x1.3b2ab7f3aa9cfp-7,  0x1.5d872976d7abep-10, 0x1.4306c1237fb5cp-13,
      0x1.00ee068235cbep-16, 0x1.66347a706919dp-20,
   };
   lir_value bounded = lower_clamp64(builder, t, -200.0, 200.0);
   struct lower_nearest nearest = lower_nearest64(builder, bounded);
   lir_value f = lir_dsub(builder, bounded, nearest.number);
   lir_value q = lower_even_odd64(builder, f, quotient, LOWER_LENGTH(quotient));
   lir_value one = lir_constd(builder, 1.0);
   lir_value p = lir_dfma(builder, q, f, one);
   lir_value to_exponent = lir_const32(builder, 52);
   lir_value exponent = lir_lshl(builder, nearest.integer, to_exponent);
   lir_value product = lir_ladd(builder, p, exponent); /* p * 2^n */

   return lir_d2f(builder, product);
}

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

/* |x|^y. It is 1 when y is 0 or |x| is 1, also where the product of logarithm
 * and exponent would be NaN. */
static lir_value
power_of_magnitude(struct lir_builder *builder, lir_value x, lir_value y)
{
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value one = lir_constf(builder, 1.0f);
   lir_value infinity = lir_constf(builder, INFINITY);
   lir_value magnitude = lir_fabs(builder, x);
   lir_value logarithm = log2_wide(builder, magnitude);
   lir_value wide_y = lir_f2d(builder, y);
   lir_value product = lir_dmul(builder, wide_y, logarithm);
   lir_value power = exp2_narrow(builder, product);

   lir_value number = lir_ffma(builder, magnitude, zero, y);
   lir_value is_nan = lir_fne(builder, number, number);
   power = lir_sel32(builder, is_nan, number, power);

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

lir_value
lower_math_pow(struct lir_builder *builder, lir_value x, lir_value y)
{
   lir_value power = power_of_magnitude(builder, x, y);
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
