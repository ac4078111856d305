/* SPDX-License-Identifier: MIT
 *
 * Steps of exp2 and log2, which pow shares: range reduction, the polynomial and
 * the scaling by a power of two, and the decomposition of a float into its
 * significand and exponent.
 */
#ifndef TG_LOWER_MATH_EXP_LOG_H
#define TG_LOWER_MATH_EXP_LOG_H

#include "lower/math/math.h"

/* ---- exp2 ---------------------------------------------------------------- */

/* 2^x for the integer n nearest to x, and f = x - n to as many bits as there
 * are of x: 2^f, and 2^x where `is_far` is false. */
struct lower_power {
   lir_value of_fraction;
   lir_value near;
   lir_value is_far; /* truth value; of NaN it is true */
};

struct lower_power
lower_math_exp2_near(struct lir_builder *builder, lir_value x,
                     struct lower_nearest n, lir_value f);

/* 2^x for any x, from 2^f and n as a float. */
lir_value
lower_math_exp2_far(struct lir_builder *builder, lir_value x,
                    lir_value of_fraction, lir_value n);

/* ---- log2 ---------------------------------------------------------------- */

/* Is x anything but a positive normal float? */
lir_value
lower_math_log2_is_abnormal(struct lir_builder *builder, lir_value x);

/* log2(x) as that of a float plus a bias: 0 where x is positive and normal, -23
 * where it is denormal, and where it is neither log2(x), with any float. Those
 * of zeros and infinities have significand 1. */
struct lower_normal {
   lir_value value;
   lir_value bias; /* float */
};

struct lower_normal
lower_math_log2_normalize(struct lir_builder *builder, lir_value x,
                          lir_value is_abnormal);

/* x as significand * 2^exponent, with the significand in [least, 2 * least),
 * for positive normal x. `least` is in [1/2, 1]. */
struct lower_split {
   lir_value exponent; /* both floats */
   lir_value significand;
};

struct lower_split
lower_math_log2_split(struct lir_builder *builder, lir_value x, float least);

/* The square root of 1/2: significands from here on are on both sides of 1. */
#define LOWER_ROOT 0x1.6a09e6p-1f

#endif
