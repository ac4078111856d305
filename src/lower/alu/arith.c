/* SPDX-License-Identifier: MIT
 *
 * Float arithmetic.
 *
 * Products and sums round one by one, from left to right as the formulas are
 * printed, but in opcodes that fuse: see lower_arith_product_sum().
 */
#include "lower/math/math.h"
#include "lower/operands/each.h"
#include "tgsi/analysis/instruction.h"

/* ---- products ------------------------------------------------------------ */

/* Is a factor +0 or -0, so that MUL_ZERO_WINS decides the product? */
static lir_value
has_zero(struct lir_builder *builder, lir_value a, lir_value b)
{
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value a_is_zero = lir_feq(builder, a, zero);
   lir_value b_is_zero = lir_feq(builder, b, zero);

   return lir_bor(builder, a_is_zero, b_is_zero);
}

lir_value
lower_arith_product(struct lower_context *context, lir_value a, lir_value b)
{
   struct lir_builder *builder = &context->builder;
   lir_value product = lir_fmul(builder, a, b);

   if (!context->mul_zero_wins)
      return product;

   lir_value is_zero = has_zero(builder, a, b);
   lir_value zero = lir_constf(builder, 0.0f);
   return lir_sel32(builder, is_zero, zero, product);
}

/* Fused multiply-add. */
static lir_value
fused(struct lower_context *context, lir_value a, lir_value b, lir_value c)
{
   struct lir_builder *builder = &context->builder;
   lir_value value = lir_ffma(builder, a, b, c);

   if (!context->mul_zero_wins)
      return value;

   lir_value is_zero = has_zero(builder, a, b);
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value sum = lir_fadd(builder, zero, c);
   return lir_sel32(builder, is_zero, sum, value);
}

bool
lower_arith_is_fused(const struct lower_context *context)
{
   return tg_instruction_is_fused(context->instruction, context->info,
                                  context->shader->dialect);
}

lir_value
lower_arith_product_sum(struct lower_context *context, lir_value a, lir_value b,
                        lir_value c)
{
   if (lower_arith_is_fused(context))
      return fused(context, a, b, c);

   lir_value product = lower_arith_product(context, a, b);
   return lir_fadd(&context->builder, product, c);
}

/* ---- a formula for each channel ------------------------------------------ */

static lir_value
mul(struct lower_context *context, unsigned channel)
{
   lir_value a = lower_src(context, 0, channel);
   lir_value b = lower_src(context, 1, channel);

   return lower_arith_product(context, a, b);
}

void
lower_op_mul(struct lower_context *context)
{
   lower_each_channel(context, mul);
}

static lir_value
add(struct lower_context *context, unsigned channel)
{
   lir_value a = lower_src(context, 0, channel);
   lir_value b = lower_src(context, 1, channel);

   if (lower_is_floor_by_fraction(context, channel))
      return lir_ffloor(&context->builder, a);
   return lir_fadd(&context->builder, a, b);
}

void
lower_op_add(struct lower_context *context)
{
   lower_each_channel(context, add);
}

static lir_value
mad(struct lower_context *context, unsigned channel)
{
   lir_value a = lower_src(context, 0, channel);
   lir_value b = lower_src(context, 1, channel);
   lir_value c = lower_src(context, 2, channel);

   if (lower_is_floor_by_fraction(context, channel))
      return lir_ffloor(&context->builder, c);
   return lower_arith_product_sum(context, a, b, c);
}

void
lower_op_mad(struct lower_context *context)
{
   lower_each_channel(context, mad);
}

static lir_value
fma_channel(struct lower_context *context, unsigned channel)
{
   lir_value a = lower_src(context, 0, channel);
   lir_value b = lower_src(context, 1, channel);
   lir_value c = lower_src(context, 2, channel);

   return fused(context, a, b, c);
}

void
lower_op_fma(struct lower_context *context)
{
   lower_each_channel(context, fma_channel);
}

/* x - floor(x), which rounds to 1 for some x just below an integer. */
static lir_value
frc(struct lower_context *context, unsigned channel)
{
   lir_value x = lower_src(context, 0, channel);
   lir_value floor = lir_ffloor(&context->builder, x);

   return lir_fsub(&context->builder, x, floor);
}

void
lower_op_frc(struct lower_context *context)
{
   lower_each_channel(context, frc);
}

/* t * a + (1 - t) * b, or t * (a - b) + b. */
static lir_value
lrp(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value t = lower_src(context, 0, channel);
   lir_value a = lower_src(context, 1, channel);
   lir_value b = lower_src(context, 2, channel);

   if (context->dialect->lrp_difference) {
      lir_value difference = lir_fsub(builder, a, b);
      return lower_arith_product_sum(context, t, difference, b);
   }

   lir_value one = lir_constf(builder, 1.0f);
   lir_value rest = lir_fsub(builder, one, t);
   lir_value right = lower_arith_product(context, rest, b);
   return lower_arith_product_sum(context, t, a, right);
}

void
lower_op_lrp(struct lower_context *context)
{
   lower_each_channel(context, lrp);
}

/* x < low ? low : x > high ? high : x. So low wins over a high below it, and a
 * NaN stays one. */
static lir_value
clamp(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value x = lower_src(context, 0, channel);
   lir_value low = lower_src(context, 1, channel);
   lir_value high = lower_src(context, 2, channel);
   lir_value is_below = lir_flt(builder, x, low);
   lir_value is_above = lir_flt(builder, high, x);
   lir_value at_most = lir_sel32(builder, is_above, high, x);

   return lir_sel32(builder, is_below, low, at_most);
}

void
lower_op_clamp(struct lower_context *context)
{
   lower_each_channel(context, clamp);
}

/* 1, -1, or +0 for zeros and NaN. */
static lir_value
ssg(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value x = lower_src(context, 0, channel);
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value minus_one = lir_constf(builder, -1.0f);
   lir_value is_negative = lir_flt(builder, x, zero);
   lir_value is_positive = lir_flt(builder, zero, x);
   lir_value otherwise = lir_sel32(builder, is_negative, minus_one, zero);
   lir_value one = lir_constf(builder, 1.0f);

   return lir_sel32(builder, is_positive, one, otherwise);
}

void
lower_op_ssg(struct lower_context *context)
{
   lower_each_channel(context, ssg);
}

/* ---- scalars in all channels --------------------------------------------- */

static lir_value
reciprocal(struct lir_builder *builder, lir_value x)
{
   lir_value one = lir_constf(builder, 1.0f);

   return lir_fdiv(builder, one, x);
}

void
lower_op_rcp(struct lower_context *context)
{
   const lir_value *root = lower_find_root(context);
   lir_value x = lower_src(context, 0, 0);

   lower_dst_all(context, 0, root ? *root : reciprocal(&context->builder, x));
}

/* Of x, or of |x|. */
void
lower_op_rsq(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   lir_value x = lower_src(context, 0, 0);

   if (context->dialect->rsq_magnitude)
      x = lir_fabs(builder, x);
   lir_value root = lir_fsqrt(builder, x);
   if (context->roots)
      context->roots[context->instruction_index] = root;
   lower_dst_all(context, 0, reciprocal(builder, root));
}

/* 1 / x with its magnitude in [5.42101e-20, 1.884467e+19], the numbers that
 * the specifications print. Only 1 / x > 0 takes the positive range, so the
 * reciprocal of +inf is negative here. */
void
lower_op_rcc(struct lower_context *context)
{
   static const float least = 5.42101e-20f;
   static const float most = 1.884467e+19f;
   struct lir_builder *builder = &context->builder;
   lir_value x = lower_src(context, 0, 0);
   lir_value quotient = reciprocal(builder, x);
   lir_value positive = lower_math_clamp(builder, quotient, least, most);
   lir_value negative = lower_math_clamp(builder, quotient, -most, -least);
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value is_positive = lir_flt(builder, zero, quotient);
   lir_value value = lir_sel32(builder, is_positive, positive, negative);

   lower_dst_all(context, 0, value);
}
