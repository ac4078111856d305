/* SPDX-License-Identifier: MIT
 *
 * Transcendental functions as LIR: polynomials over exact IEEE operations, so
 * that every executor gives the same bits. Operands and results are floats.
 * The sources state how many ulp each is off by at most; docs/accuracy.md says
 * how that was measured. They open and close an `if`, which lanes with a rare
 * operand enter.
 */
#ifndef TG_LOWER_MATH_FUNCTIONS_H
#define TG_LOWER_MATH_FUNCTIONS_H

#include "lir/builder.h"

/* 2^x: exact at integers, overflow gives inf, underflow denormals and 0. */
lir_value
lower_math_exp2(struct lir_builder *builder, lir_value x);

/* log2(x): exact at powers of two, log2(0) is -inf, of x < 0 NaN. */
lir_value
lower_math_log2(struct lir_builder *builder, lir_value x);

/* The exponent of x as a float, floor(log2(x)) without rounding, with the
 * special cases of log2; and the significand in [1, 2) that goes with it, 1 for
 * 0 and inf. For x without a sign; NaN stays NaN. */
lir_value
lower_math_exponent(struct lir_builder *builder, lir_value x);
lir_value
lower_math_significand(struct lir_builder *builder, lir_value x);

/* x^y with the special cases of C's powf. */
lir_value
lower_math_pow(struct lir_builder *builder, lir_value x, lir_value y);

/* The same three as GLSL asks, which leaves most special cases open: with about
 * half of the operations and without an `if`. Operands and results below the
 * normal floats, negative operands of log2 and of pow too, count as 0. Powers
 * are further from the true value the larger y * log2(x) is; x^0 is 1 of finite
 * x, and log2(0) in them is -2^100. NaN gives NaN. */
lir_value
lower_math_glsl_exp2(struct lir_builder *builder, lir_value x);
lir_value
lower_math_glsl_log2(struct lir_builder *builder, lir_value x);
lir_value
lower_math_glsl_pow(struct lir_builder *builder, lir_value x, lir_value y);

/* Sine and cosine of any finite x; NaN of inf and NaN. sin(0) is 0, cos(0) is
 * 1. */
lir_value
lower_math_sin(struct lir_builder *builder, lir_value x);
lir_value
lower_math_cos(struct lir_builder *builder, lir_value x);

#endif
