/* SPDX-License-Identifier: MIT
 *
 * 2^x, log2(x), and the exponent and significand of x. In floats alone; 19 and
 * 30 operations that are no constants.
 *
 * Furthest from the true value, over all floats (bench/math_accuracy.c):
 * exp2 0.81 ulp, log2 0.93 ulp.
 */
#include <math.h>

#include "lower/math/functions.h"
#include "lower/math/parts.h"

/* ---- exp2 ---------------------------------------------------------------- */

/* p * 2^n for p near 1 and n in [-151, 129]. In two steps, since 2^n itself
 * need not be a float; only the second one can round. */
static lir_value
scale(struct lir_builder *builder, lir_value p, lir_value n)
{
   lir_value one = lir_const32(builder, 1);
   lir_value half = lir_ishr(builder, n, one);
   lir_value rest = lir_isub(builder, n, half);
   lir_value first = lower_power_of_two(builder, half);
   lir_value second = lower_power_of_two(builder, rest);
   lir_value scaled = lir_fmul(builder, p, first);

   return lir_fmul(builder, scaled, second);
}

/* 2^x = 2^n * 2^f for the integer n that is nearest, f in [-1/2, 1/2]. The
 * polynomial is 1 + f * quotient, so that an integer x gives 2^n exactly. */
lir_value
lower_math_exp2(struct lir_builder *builder, lir_value x)
{
   /* (2^f - 1) / f; error 2^-28.2 of 2^f. The first is ln 2 as a float. */
   static const float quotient[] = {
      0x1.62e430p-1f, 0x1.ebfbdcp-3f,  0x1.c6af76p-5f,
      0x1.3b2daep-7f, 0x1.5f0bdcp-10f, 0x1.41a676p-13f,
   };
   /* Beyond these the result is 0 or infinite anyway. */
   lir_value bounded = lower_clamp(builder, x, -151.0f, 129.0f);
   struct lower_nearest nearest = lower_nearest(builder, bounded);
   lir_value f = lir_fsub(builder, bounded, nearest.number);
   lir_value q = lower_polynomial(builder, f, quotient, LOWER_LENGTH(quotient));
   lir_value one = lir_constf(builder, 1.0f);
   lir_value p = lir_ffma(builder, q, f, one);

   return scale(builder, p, nearest.integer);
}

/* ---- log2 ---------------------------------------------------------------- */

struct split {
   lir_value exponent;    /* integer */
   lir_value significand; /* float */
};

/* x as significand * 2^exponent, with the significand in [least, 2 * least),
 * for positive finite x. `least` is in [1/2, 1]. */
static struct split
split(struct lir_builder *builder, lir_value x, float least)
{
   lir_value least_normal = lir_constf(builder, 0x1p-126f);
   lir_value factor = lir_constf(builder, 0x1p23f);
   lir_value zero = lir_const32(builder, 0);
   lir_value minus_23 = lir_const32(builder, (uint32_t)-23);
   lir_value is_denormal = lir_flt(builder, x, least_normal);
   lir_value scaled = lir_fmul(builder, x, factor);
   lir_value normal = lir_sel32(builder, is_denormal, scaled, x);
   lir_value bias = lir_sel32(builder, is_denormal, minus_23, zero);

   /* As integers floats are in the order of their values. */
   lir_value base = lir_constf(builder, least);
   lir_value shift = lir_const32(builder, 23);
   lir_value distance = lir_isub(builder, normal, base);
   lir_value exponent = lir_ishr(builder, distance, shift);
   lir_value field = lir_ishl(builder, exponent, shift);
   struct split result;

   result.significand = lir_isub(builder, normal, field);
   result.exponent = lir_iadd(builder, exponent, bias);
   return result;
}

static lir_value
is_positive_and_finite(struct lir_builder *builder, lir_value x)
{
   lir_value one = lir_const32(builder, 1);
   lir_value count = lir_const32(builder, 0x7f7fffff);
   lir_value ordinal = lir_isub(builder, x, one);

   return lir_ult(builder, ordinal, count);
}

/* `logarithm` for positive finite x, else what a logarithm is there: of zeros
 * -inf, of inf itself, of the rest NaN. */
static lir_value
finish_logarithm(struct lir_builder *builder, lir_value x, lir_value logarithm)
{
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value infinity = lir_constf(builder, INFINITY);
   lir_value minus_infinity = lir_constf(builder, -INFINITY);
   lir_value nan = lir_const32(builder, 0x7fc00000);
   lir_value is_usual = is_positive_and_finite(builder, x);
   lir_value is_zero = lir_feq(builder, x, zero);
   lir_value is_infinity = lir_feq(builder, x, infinity);
   lir_value unusual = lir_sel32(builder, is_infinity, infinity, nan);

   unusual = lir_sel32(builder, is_zero, minus_infinity, unusual);
   return lir_sel32(builder, is_usual, logarithm, unusual);
}

/* log2(x) = exponent + log2(1 + f), where 1 + f is in [sqrt(1/2), sqrt(2)).
 * The polynomial's first term, f / ln 2, is split into two floats: near x = 1
 * it is all there is. A power of two has f = 0. */
lir_value
lower_math_log2(struct lir_builder *builder, lir_value x)
{
   static const float first = 0x1.715476p+0f;
   /* log2(1 + f) / f - first; error 2^-27.6 of the whole. */
   static const float rest[] = {
      0x1.49dce8p-26f, -0x1.715470p-1f, 0x1.ec7096p-2f, -0x1.715ae8p-2f,
      0x1.277e3ep-2f,  -0x1.eaa880p-3f, 0x1.a30f08p-3f, -0x1.8806c2p-3f,
      0x1.7cdeb8p-3f,  -0x1.bcd70ep-4f,
   };
   struct split parts = split(builder, x, 0x1.6a09e6p-1f);
   lir_value one = lir_constf(builder, 1.0f);
   lir_value f = lir_fsub(builder, parts.significand, one);
   lir_value q = lower_polynomial(builder, f, rest, LOWER_LENGTH(rest));
   lir_value small = lir_fmul(builder, f, q);
   lir_value slope = lir_constf(builder, first);
   lir_value fraction = lir_ffma(builder, f, slope, small);
   lir_value integer = lir_i2f(builder, parts.exponent);
   lir_value logarithm = lir_fadd(builder, fraction, integer);

   return finish_logarithm(builder, x, logarithm);
}

lir_value
lower_math_exponent(struct lir_builder *builder, lir_value x)
{
   struct split parts = split(builder, x, 1.0f);
   lir_value exponent = lir_i2f(builder, parts.exponent);

   return finish_logarithm(builder, x, exponent);
}

lir_value
lower_math_significand(struct lir_builder *builder, lir_value x)
{
   struct split parts = split(builder, x, 1.0f);
   lir_value one = lir_constf(builder, 1.0f);
   lir_value is_usual = is_positive_and_finite(builder, x);
   lir_value is_nan = lir_fne(builder, x, x);
   lir_value unusual = lir_sel32(builder, is_nan, x, one);

   return lir_sel32(builder, is_usual, parts.significand, unusual);
}
