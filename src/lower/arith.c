/* SPDX-License-Identifier: MIT
 *
 * Float arithmetic, and every opcode that is one LIR operation a channel.
 *
 * Products and sums round one by one, from left to right as the formulas are
 * printed; only FMA rounds once.
 */
#include "lower/each.h"
#include "lower/math_functions.h"
#include "lower/math_parts.h"

/* ---- products --------------------------------------------------------------
 */

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
lower_product(struct lower_context *context, lir_value a, lir_value b)
{
   struct lir_builder *builder = &context->builder;
   lir_value product = lir_fmul(builder, a, b);

   if (!context->mul_zero_wins)
      return product;

   lir_value is_zero = has_zero(builder, a, b);
   lir_value zero = lir_constf(builder, 0.0f);
   return lir_sel32(builder, is_zero, zero, product);
}

/* a * b + c with two roundings. */
static lir_value
product_sum(struct lower_context *context, lir_value a, lir_value b,
            lir_value c)
{
   lir_value product = lower_product(context, a, b);

   return lir_fadd(&context->builder, product, c);
}

/* a[0] * b[0] + a[1] * b[1] + ..., from the left. */
static lir_value
dot(struct lower_context *context, const lir_value *a, const lir_value *b,
    unsigned num_channels)
{
   lir_value sum = lower_product(context, a[0], b[0]);

   for (unsigned i = 1; i < num_channels; i++) {
      lir_value product = lower_product(context, a[i], b[i]);
      sum = lir_fadd(&context->builder, sum, product);
   }
   return sum;
}

/* ---- one operation ---------------------------------------------------------
 */

static lir_value
alu(struct lower_context *context, unsigned channel)
{
   lir_value operands[3];

   for (unsigned i = 0; i < lir_ops[context->op].num_operands; i++)
      operands[i] = lower_src(context, i, channel);
   return lir_build(&context->builder, context->op, operands, 0);
}

void
lower_op_alu(struct lower_context *context)
{
   lower_each_channel(context, alu);
}

/* The operation of channel x, in all channels. */
void
lower_op_scalar(struct lower_context *context)
{
   lir_value value = alu(context, 0);

   lower_dst_all(context, 0, value);
}

static lir_value
mov(struct lower_context *context, unsigned channel)
{
   return lower_src(context, 0, channel);
}

void
lower_op_mov(struct lower_context *context)
{
   lower_each_channel(context, mov);
}

/* ---- a formula for each channel --------------------------------------------
 */

static lir_value
mul(struct lower_context *context, unsigned channel)
{
   lir_value a = lower_src(context, 0, channel);
   lir_value b = lower_src(context, 1, channel);

   return lower_product(context, a, b);
}

void
lower_op_mul(struct lower_context *context)
{
   lower_each_channel(context, mul);
}

static lir_value
mad(struct lower_context *context, unsigned channel)
{
   lir_value a = lower_src(context, 0, channel);
   lir_value b = lower_src(context, 1, channel);
   lir_value c = lower_src(context, 2, channel);

   return product_sum(context, a, b, c);
}

void
lower_op_mad(struct lower_context *context)
{
   lower_each_channel(context, mad);
}

static lir_value
fma_channel(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value a = lower_src(context, 0, channel);
   lir_value b = lower_src(context, 1, channel);
   lir_value c = lower_src(context, 2, channel);
   lir_value fused = lir_ffma(builder, a, b, c);

   if (!context->mul_zero_wins)
      return fused;

   lir_value is_zero = has_zero(builder, a, b);
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value sum = lir_fadd(builder, zero, c);
   return lir_sel32(builder, is_zero, sum, fused);
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

/* t * (a - b) + b in 2010, t * a + (1 - t) * b later: they round apart, and
 * only the later one gives a for t = 1. */
static lir_value
lrp(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value t = lower_src(context, 0, channel);
   lir_value a = lower_src(context, 1, channel);
   lir_value b = lower_src(context, 2, channel);

   if (context->dialect == TG_DIALECT_2010) {
      lir_value difference = lir_fsub(builder, a, b);
      return product_sum(context, t, difference, b);
   }

   lir_value one = lir_constf(builder, 1.0f);
   lir_value rest = lir_fsub(builder, one, t);
   lir_value left = lower_product(context, t, a);
   lir_value right = lower_product(context, rest, b);
   return lir_fadd(builder, left, right);
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

/* ---- scalars in all channels -----------------------------------------------
 */

static lir_value
reciprocal(struct lir_builder *builder, lir_value x)
{
   lir_value one = lir_constf(builder, 1.0f);

   return lir_fdiv(builder, one, x);
}

void
lower_op_rcp(struct lower_context *context)
{
   lir_value x = lower_src(context, 0, 0);
   lir_value value = reciprocal(&context->builder, x);

   lower_dst_all(context, 0, value);
}

/* Of |x| before 2019. */
void
lower_op_rsq(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   lir_value x = lower_src(context, 0, 0);

   if (context->dialect != TG_DIALECT_2019)
      x = lir_fabs(builder, x);
   lir_value root = lir_fsqrt(builder, x);
   lir_value value = reciprocal(builder, root);
   lower_dst_all(context, 0, value);
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
   lir_value positive = lower_bound(builder, quotient, least, most);
   lir_value negative = lower_bound(builder, quotient, -most, -least);
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value is_positive = lir_flt(builder, zero, quotient);
   lir_value value = lir_sel32(builder, is_positive, positive, negative);

   lower_dst_all(context, 0, value);
}

/* ---- dot products ----------------------------------------------------------
 */

/* The dot product of the first channels of sources 0 and 1. */
static lir_value
dot_of_sources(struct lower_context *context, unsigned num_channels)
{
   lir_value a[4], b[4];

   lower_src_vector(context, 0, num_channels, a);
   lower_src_vector(context, 1, num_channels, b);
   return dot(context, a, b, num_channels);
}

void
lower_op_dp2(struct lower_context *context)
{
   lir_value value = dot_of_sources(context, 2);

   lower_dst_all(context, 0, value);
}

void
lower_op_dp3(struct lower_context *context)
{
   lir_value value = dot_of_sources(context, 3);

   lower_dst_all(context, 0, value);
}

void
lower_op_dp4(struct lower_context *context)
{
   lir_value value = dot_of_sources(context, 4);

   lower_dst_all(context, 0, value);
}

void
lower_op_dp2a(struct lower_context *context)
{
   lir_value product = dot_of_sources(context, 2);
   lir_value addend = lower_src(context, 2, 0);
   lir_value value = lir_fadd(&context->builder, product, addend);

   lower_dst_all(context, 0, value);
}

void
lower_op_dph(struct lower_context *context)
{
   lir_value product = dot_of_sources(context, 3);
   lir_value addend = lower_src(context, 1, 3);
   lir_value value = lir_fadd(&context->builder, product, addend);

   lower_dst_all(context, 0, value);
}

/* ---- vectors ---------------------------------------------------------------
 */

/* (1, y * y', z, w'). */
static lir_value
dst(struct lower_context *context, unsigned channel)
{
   if (channel == 0)
      return lir_constf(&context->builder, 1.0f);
   if (channel == 1)
      return mul(context, 1);
   return lower_src(context, channel == 2 ? 0 : 1, channel);
}

void
lower_op_dst(struct lower_context *context)
{
   lower_each_channel(context, dst);
}

/* Cross product; w is 1. */
static lir_value
xpd(struct lower_context *context, unsigned channel)
{
   if (channel == 3)
      return lir_constf(&context->builder, 1.0f);

   unsigned next = (channel + 1) % 3;
   unsigned last = (channel + 2) % 3;
   lir_value a_next = lower_src(context, 0, next);
   lir_value a_last = lower_src(context, 0, last);
   lir_value b_next = lower_src(context, 1, next);
   lir_value b_last = lower_src(context, 1, last);
   lir_value left = lower_product(context, a_next, b_last);
   lir_value right = lower_product(context, b_next, a_last);
   return lir_fsub(&context->builder, left, right);
}

void
lower_op_xpd(struct lower_context *context)
{
   lower_each_channel(context, xpd);
}

/* Reflection of source 1 about the axis, source 0:
 * ((2 * dot(axis, direction)) / dot(axis, axis)) * axis - direction; w is 1. */
void
lower_op_rfl(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   lir_value axis[3], direction[3];

   lower_src_vector(context, 0, 3, axis);
   lower_src_vector(context, 1, 3, direction);
   lir_value two = lir_constf(builder, 2.0f);
   lir_value projection = dot(context, axis, direction, 3);
   lir_value twice = lower_product(context, two, projection);
   lir_value square = dot(context, axis, axis, 3);
   lir_value quotient = lir_fdiv(builder, twice, square);

   for (unsigned channel = 0; channel < 3; channel++) {
      lir_value scaled = lower_product(context, quotient, axis[channel]);
      lir_value value = lir_fsub(builder, scaled, direction[channel]);
      lower_dst(context, 0, channel, value);
   }
   lir_value one = lir_constf(builder, 1.0f);
   lower_dst(context, 0, 3, one);
}

/* x: a.x + b.x * m.x + b.y * m.y; y: a.y + b.x * m.z + b.y * m.w; z and w
 * repeat them. */
static lir_value
x2d(struct lower_context *context, unsigned channel)
{
   unsigned row = channel % 2;
   lir_value a = lower_src(context, 0, row);
   lir_value b_x = lower_src(context, 1, 0);
   lir_value b_y = lower_src(context, 1, 1);
   lir_value m_x = lower_src(context, 2, 2 * row);
   lir_value m_y = lower_src(context, 2, 2 * row + 1);
   lir_value first = lower_product(context, b_x, m_x);
   lir_value sum = lir_fadd(&context->builder, a, first);
   lir_value second = lower_product(context, b_y, m_y);
   return lir_fadd(&context->builder, sum, second);
}

void
lower_op_x2d(struct lower_context *context)
{
   lower_each_channel(context, x2d);
}

/* Divides `num_channels` channels by their length. A product here is a square,
 * which MUL_ZERO_WINS cannot change. */
static void
normalise(struct lower_context *context, unsigned num_channels)
{
   struct lir_builder *builder = &context->builder;
   lir_value x[4];

   lower_src_vector(context, 0, num_channels, x);
   lir_value square = dot(context, x, x, num_channels);
   lir_value length = lir_fsqrt(builder, square);

   for (unsigned channel = 0; channel < num_channels; channel++) {
      if (!lower_writes(context, 0, channel))
         continue;
      lir_value value = lir_fdiv(builder, x[channel], length);
      lower_dst(context, 0, channel, value);
   }
}

void
lower_op_nrm(struct lower_context *context)
{
   normalise(context, 3);
   lir_value one = lir_constf(&context->builder, 1.0f);
   lower_dst(context, 0, 3, one);
}

void
lower_op_nrm4(struct lower_context *context)
{
   normalise(context, 4);
}

/* ---- lighting --------------------------------------------------------------
 */

/* max(x, 0); of a NaN 0. */
static lir_value
positive_part(struct lower_context *context, unsigned channel)
{
   lir_value x = lower_src(context, 0, channel);
   lir_value zero = lir_constf(&context->builder, 0.0f);

   return lir_fmax(&context->builder, x, zero);
}

/* x > 0 ? max(y, 0) ^ clamp(w, -128, 128) : 0. */
static lir_value
specular(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   lir_value x = lower_src(context, 0, 0);
   lir_value base = positive_part(context, 1);
   lir_value shininess = lower_src(context, 0, 3);
   lir_value exponent = lower_bound(builder, shininess, -128.0f, 128.0f);
   lir_value power = lower_math_pow(builder, base, exponent);
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value is_lit = lir_flt(builder, zero, x);
   return lir_sel32(builder, is_lit, power, zero);
}

static lir_value
lit(struct lower_context *context, unsigned channel)
{
   switch (channel) {
   case 1: return positive_part(context, 0);
   case 2: return specular(context);
   default: return lir_constf(&context->builder, 1.0f);
   }
}

void
lower_op_lit(struct lower_context *context)
{
   lower_each_channel(context, lit);
}
