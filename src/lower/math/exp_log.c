/* SPDX-License-Identifier: MIT
 *
 * 2^x, log2(x), and the exponent and significand of x, in floats alone. 18 and
 * 27 operations that are no constants; 15 and 14 more when some lane has no
 * |x| < 125, and of log2 no positive normal float.
 *
 * Furthest from the true value, over all floats (bench/math_accuracy.c):
 * exp2 0.81 ulp, log2 0.93 ulp.
 */
#include "lower/math/exp_log.h"

#include <math.h>

#include "lower/math/functions.h"

/* ---- exp2 ---------------------------------------------------------------- */

/* Below this magnitude of x, 2^x is a normal float, with room for an f that is
 * a little below x - n. */
#define FAR 125.0f

/* p * 2^n for p near 1 and n in [-160, 130]. In two steps, since 2^n itself
 * need not be a float; only the second one can round. */
static lir_value
scale(struct lir_builder *builder, lir_value p, lir_value n)
{
   lir_value one = lir_const32(builder, 1);
   lir_value half = lir_ishr(builder, n, one);
   lir_value rest = lir_isub(builder, n, half);
   lir_value first = lower_math_power_of_two(builder, half);
   lir_value second = lower_math_power_of_two(builder, rest);
   lir_value scaled = lir_fmul(builder, p, first);

   return lir_fmul(builder, scaled, second);
}

/* 2^x where that is no normal float: p * 2^n for the integer n nearest to x.
 * Beyond the bounds of n the result is 0 or infinite anyway, for any p; from
 * 2^22 on, where n and p are not exact, it is 1. NaN stays in p. */
lir_value
lower_math_exp2_far(struct lir_builder *builder, lir_value x, lir_value p,
                    lir_value n)
{
   lir_value integer = lir_f2i(builder, n);
   lir_value bounded = lower_math_clamp_int(builder, integer, -160, 130);
   lir_value one = lir_constf(builder, 1.0f);
   lir_value inexact = lir_constf(builder, 0x1p22f);
   lir_value magnitude = lir_fabs(builder, x);
   lir_value is_inexact = lir_fge(builder, magnitude, inexact);
   lir_value number = lir_sel32(builder, is_inexact, one, p);

   return scale(builder, number, bounded);
}

/* 2^f for f in [-1/2, 1/2]. The polynomial is 1 + f * quotient, so that 2^0 is
 * 1. */
static lir_value
exp2_of_fraction(struct lir_builder *builder, lir_value f)
{
   /* (2^f - 1) / f; error 2^-28.2 of 2^f. The first is ln 2 as a float. */
   static const float quotient[] = {
      0x1.62e430p-1f, 0x1.ebfbdcp-3f,  0x1.c6af76p-5f,
      0x1.3b2daep-7f, 0x1.5f0bdcp-10f, 0x1.41a676p-13f,
   };
   lir_value q =
      lower_math_polynomial(builder, f, quotient, LOWER_LENGTH(quotient));
   lir_value one = lir_constf(builder, 1.0f);

   return lir_ffma(builder, q, f, one);
}

struct lower_power
lower_math_exp2_near(struct lir_builder *builder, lir_value x,
                     struct lower_nearest n, lir_value f)
{
   lir_value to_exponent = lir_const32(builder, 23);
   lir_value exponent = lir_ishl(builder, n.integer, to_exponent);
   lir_value magnitude = lir_fabs(builder, x);
   lir_value bound = lir_constf(builder, FAR);
   lir_value is_near = lir_flt(builder, magnitude, bound);
   struct lower_power power;

   power.of_fraction = exp2_of_fraction(builder, f);
   power.near = lir_iadd(builder, power.of_fraction, exponent);
   power.is_far = lir_bnot(builder, is_near);
   return power;
}

/* 2^x = 2^n * 2^f for the integer n that is nearest, f in [-1/2, 1/2]: an
 * integer x gives 2^n exactly. */
lir_value
lower_math_exp2(struct lir_builder *builder, lir_value x)
{
   struct lower_nearest nearest = lower_math_nearest(builder, x);
   lir_value f = lir_fsub(builder, x, nearest.number);
   struct lower_power power = lower_math_exp2_near(builder, x, nearest, f);
   struct lower_rare rare =
      lower_math_begin_rare(builder, power.is_far, power.near);
   lir_value far =
      lower_math_exp2_far(builder, x, power.of_fraction, nearest.number);

   return lower_math_end_rare(builder, rare, far);
}

/* ---- log2 ---------------------------------------------------------------- */

/* As integers floats are in the order of their values. */
struct lower_split
lower_math_log2_split(struct lir_builder *builder, lir_value x, float least)
{
   lir_value base = lir_constf(builder, least);
   lir_value shift = lir_const32(builder, 23);
   lir_value distance = lir_isub(builder, x, base);
   lir_value exponent = lir_ishr(builder, distance, shift);
   lir_value field = lir_ishl(builder, exponent, shift);
   struct lower_split split;

   split.significand = lir_isub(builder, x, field);
   split.exponent = lir_i2f(builder, exponent);
   return split;
}

/* The logarithm of what is no positive float: of zeros -inf, of inf itself, of
 * the rest NaN. */
static lir_value
special_logarithm(struct lir_builder *builder, lir_value x)
{
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value infinity = lir_constf(builder, INFINITY);
   lir_value minus_infinity = lir_constf(builder, -INFINITY);
   lir_value nan = lir_const32(builder, 0x7fc00000);
   lir_value is_zero = lir_feq(builder, x, zero);
   lir_value is_infinity = lir_feq(builder, x, infinity);
   lir_value value = lir_sel32(builder, is_infinity, infinity, nan);

   return lir_sel32(builder, is_zero, minus_infinity, value);
}

/* Denormals are scaled, zeros with them; others are as they are. */
static struct lower_normal
normalize_abnormal(struct lir_builder *builder, lir_value x)
{
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value least_normal = lir_constf(builder, 0x1p-126f);
   lir_value infinity = lir_constf(builder, INFINITY);
   lir_value is_denormal = lir_flt(builder, x, least_normal);
   lir_value factor = lir_constf(builder, 0x1p23f);
   lir_value minus_23 = lir_constf(builder, -23.0f);
   lir_value scaled = lir_fmul(builder, x, factor);
   lir_value term = lir_sel32(builder, is_denormal, minus_23, zero);

   lir_value is_positive = lir_flt(builder, zero, x);
   lir_value is_below = lir_flt(builder, x, infinity);
   lir_value is_usual = lir_band(builder, is_positive, is_below);
   lir_value special = special_logarithm(builder, x);
   struct lower_normal normal;

   normal.value = lir_sel32(builder, is_denormal, scaled, x);
   normal.bias = lir_sel32(builder, is_usual, term, special);
   return normal;
}

lir_value
lower_math_log2_is_abnormal(struct lir_builder *builder, lir_value x)
{
   lir_value least = lir_constf(builder, 0x1p-126f);
   lir_value count = lir_const32(builder, 0x7f000000);
   lir_value ordinal = lir_isub(builder, x, least);

   return lir_uge(builder, ordinal, count);
}

struct lower_normal
lower_math_log2_normalize(struct lir_builder *builder, lir_value x,
                          lir_value is_abnormal)
{
   struct lir_module *module = builder->module;
   uint32_t value = lir_module_add_var(module, LIR_TYPE_B32, "normal.value");
   uint32_t bias = lir_module_add_var(module, LIR_TYPE_B32, "normal.bias");
   lir_value zero = lir_constf(builder, 0.0f);
   struct lower_normal normal;

   lir_setvar(builder, value, x);
   lir_setvar(builder, bias, zero);
   lir_begin_if(builder, is_abnormal);
   normal = normalize_abnormal(builder, x);
   lir_setvar(builder, value, normal.value);
   lir_setvar(builder, bias, normal.bias);
   lir_end(builder);

   normal.value = lir_getvar(builder, value);
   normal.bias = lir_getvar(builder, bias);
   return normal;
}

static struct lower_normal
normalize(struct lir_builder *builder, lir_value x)
{
   lir_value is_abnormal = lower_math_log2_is_abnormal(builder, x);

   return lower_math_log2_normalize(builder, x, is_abnormal);
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
   struct lower_normal normal = normalize(builder, x);
   struct lower_split parts =
      lower_math_log2_split(builder, normal.value, LOWER_ROOT);
   lir_value one = lir_constf(builder, 1.0f);
   lir_value f = lir_fsub(builder, parts.significand, one);
   lir_value q = lower_math_polynomial(builder, f, rest, LOWER_LENGTH(rest));
   lir_value small = lir_fmul(builder, f, q);
   lir_value slope = lir_constf(builder, first);
   lir_value fraction = lir_ffma(builder, f, slope, small);
   lir_value integer = lir_fadd(builder, parts.exponent, normal.bias);

   return lir_fadd(builder, fraction, integer);
}

lir_value
lower_math_exponent(struct lir_builder *builder, lir_value x)
{
   struct lower_normal normal = normalize(builder, x);
   struct lower_split parts =
      lower_math_log2_split(builder, normal.value, 1.0f);

   return lir_fadd(builder, parts.exponent, normal.bias);
}

lir_value
lower_math_significand(struct lir_builder *builder, lir_value x)
{
   struct lower_normal normal = normalize(builder, x);
   struct lower_split parts =
      lower_math_log2_split(builder, normal.value, 1.0f);
   lir_value is_nan = lir_fne(builder, x, x);

   return lir_sel32(builder, is_nan, x, parts.significand);
}
