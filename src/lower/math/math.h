/* SPDX-License-Identifier: MIT
 *
 * What the functions of functions.h are made of.
 *
 * Coefficients come from tools/polynomials.py, which says how it finds them.
 */
#ifndef TG_LOWER_MATH_H
#define TG_LOWER_MATH_H

#include "lir/builder.h"

/* For arrays of coefficients. */
#define LOWER_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* coefficients[0] + x * (coefficients[1] + ...), fused, highest power first. */
lir_value
lower_math_polynomial(struct lir_builder *builder, lir_value x,
                      const float *coefficients, unsigned count);
lir_value
lower_math_polynomial64(struct lir_builder *builder, lir_value x,
                        const double *coefficients, unsigned count);

/* The integer nearest to x, |x| < 2^22, ties to even, as a float, and as a word
 * whose low 22 bits are the integer's; NaN gives NaN, and any word. The same of
 * a product, which is rounded once. */
struct lower_nearest {
   lir_value number;
   lir_value integer;
};

struct lower_nearest
lower_math_nearest(struct lir_builder *builder, lir_value x);
struct lower_nearest
lower_math_nearest_product(struct lir_builder *builder, lir_value x,
                           lir_value y);

/* 2^n as a float, for n in [-126, 127], and as a double, for n in
 * [-1022, 1023]. */
lir_value
lower_math_power_of_two(struct lir_builder *builder, lir_value n);
lir_value
lower_math_power_of_two64(struct lir_builder *builder, lir_value n);

/* A value that is `usual`, but in lanes where `is_rare` holds another. That is
 * computed between these two, which costs a branch when no lane needs it. */
struct lower_rare {
   uint32_t result; /* variable */
};

struct lower_rare
lower_math_begin_rare(struct lir_builder *builder, lir_value is_rare,
                      lir_value usual);
lir_value
lower_math_end_rare(struct lir_builder *builder, struct lower_rare rare,
                    lir_value value);

/* x, negated where the sign bit of `sign` is set. */
lir_value
lower_math_flip_sign(struct lir_builder *builder, lir_value x, lir_value sign);

/* x clamped to [low, high] as a float or signed integer; NaN stays. */
lir_value
lower_math_clamp(struct lir_builder *builder, lir_value x, float low,
                 float high);
lir_value
lower_math_clamp_int(struct lir_builder *builder, lir_value x, int32_t low,
                     int32_t high);

#endif
