/* SPDX-License-Identifier: MIT
 *
 * Float opcodes over whole vectors: dot products, geometry, lighting. Sums go
 * from left to right as the formulas are printed; each rounds, but in opcodes
 * that fuse.
 */
#include <assert.h>

#include "lower/math/functions.h"
#include "lower/math/math.h"
#include "lower/operands/each.h"

/* ---- dot products -------------------------------------------------------- */

/* a[0] * b[0] + a[1] * b[1] + ..., from the left. */
static lir_value
dot(struct lower_context *context, const lir_value *a, const lir_value *b,
    unsigned num_channels)
{
   assert(num_channels >= 1 && num_channels <= 4);
   lir_value sum = lower_arith_product(context, a[0], b[0]);

   for (unsigned i = 1; i < num_channels; i++)
      sum = lower_arith_product_sum(context, a[i], b[i], sum);
   return sum;
}

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

/* ---- vectors ------------------------------------------------------------- */

/* (1, y * y', z, w'). */
static lir_value
dst(struct lower_context *context, unsigned channel)
{
   if (channel == 0)
      return lir_constf(&context->builder, 1.0f);
   if (channel == 2)
      return lower_src(context, 0, 2);
   if (channel == 3)
      return lower_src(context, 1, 3);

   lir_value a = lower_src(context, 0, 1);
   lir_value b = lower_src(context, 1, 1);
   return lower_arith_product(context, a, b);
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
   lir_value left = lower_arith_product(context, a_next, b_last);
   lir_value right = lower_arith_product(context, b_next, a_last);
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
   lir_value twice = lower_arith_product(context, two, projection);
   lir_value square = dot(context, axis, axis, 3);
   lir_value quotient = lir_fdiv(builder, twice, square);

   for (unsigned channel = 0; channel < 3; channel++) {
      lir_value scaled = lower_arith_product(context, quotient, axis[channel]);
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
   lir_value first = lower_arith_product(context, b_x, m_x);
   lir_value sum = lir_fadd(&context->builder, a, first);
   lir_value second = lower_arith_product(context, b_y, m_y);
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
   assert(num_channels <= 4);
   struct lir_builder *builder = &context->builder;
   lir_value x[4];

   lower_src_vector(context, 0, num_channels, x);
   lir_value square = dot(context, x, x, num_channels);
   lir_value length = lir_fsqrt(builder, square);

   for (unsigned channel = 0; channel < num_channels; channel++) {
      if (!lower_dst_writes(context, 0, channel))
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

/* ---- lighting ------------------------------------------------------------ */

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
   lir_value exponent = lower_math_clamp(builder, shininess, -128.0f, 128.0f);
   lir_value power = lower_pow(context, base, exponent);
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
