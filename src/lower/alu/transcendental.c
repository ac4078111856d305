/* SPDX-License-Identifier: MIT
 *
 * The opcodes over exp2, log2, pow, sine and cosine. All read channel x alone.
 */
#include <math.h>

#include "lower/math/functions.h"
#include "lower/operands/each.h"

/* ---- scalars in all channels --------------------------------------------- */

typedef lir_value (*math_function)(struct lir_builder *builder, lir_value x);

static void
replicate(struct lower_context *context, math_function function)
{
   lir_value x = lower_src(context, 0, 0);
   lir_value value = function(&context->builder, x);

   lower_dst_all(context, 0, value);
}

static bool
has_glsl_powers(const struct lower_context *context)
{
   return context->shader->quirks & TG_QUIRK_GLSL_POWERS;
}

void
lower_op_ex2(struct lower_context *context)
{
   replicate(context,
             has_glsl_powers(context) ? lower_math_glsl_exp2 : lower_math_exp2);
}

void
lower_op_lg2(struct lower_context *context)
{
   replicate(context,
             has_glsl_powers(context) ? lower_math_glsl_log2 : lower_math_log2);
}

void
lower_op_sin(struct lower_context *context)
{
   replicate(context, lower_math_sin);
}

void
lower_op_cos(struct lower_context *context)
{
   replicate(context, lower_math_cos);
}

lir_value
lower_pow(struct lower_context *context, lir_value x, lir_value y)
{
   return has_glsl_powers(context)
             ? lower_math_glsl_pow(&context->builder, x, y)
             : lower_math_pow(&context->builder, x, y);
}

void
lower_op_pow(struct lower_context *context)
{
   lir_value x = lower_src(context, 0, 0);
   lir_value y = lower_src(context, 1, 0);
   lir_value value = lower_pow(context, x, y);

   lower_dst_all(context, 0, value);
}

/* ---- a formula for each channel ------------------------------------------ */

/* (cos x, sin x, 0, 1). */
static lir_value
scs(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;

   if (channel >= 2)
      return lir_constf(builder, channel == 2 ? 0.0f : 1.0f);

   lir_value x = lower_src(context, 0, 0);
   return channel == 0 ? lower_math_cos(builder, x)
                       : lower_math_sin(builder, x);
}

void
lower_op_scs(struct lower_context *context)
{
   lower_each_channel(context, scs);
}

/* x - floor(x), but 0 where x is infinite. */
static lir_value
finite_fraction(struct lir_builder *builder, lir_value x)
{
   lir_value floor = lir_ffloor(builder, x);
   lir_value fraction = lir_fsub(builder, x, floor);
   lir_value magnitude = lir_fabs(builder, x);
   lir_value infinity = lir_constf(builder, INFINITY);
   lir_value is_infinite = lir_feq(builder, magnitude, infinity);
   lir_value zero = lir_constf(builder, 0.0f);

   return lir_sel32(builder, is_infinite, zero, fraction);
}

/* (2^floor(x), x - floor(x), 2^x, 1). */
static lir_value
exp_channel(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;

   if (channel == 3)
      return lir_constf(builder, 1.0f);

   lir_value x = lower_src(context, 0, 0);
   if (channel == 1)
      return finite_fraction(builder, x);
   if (channel == 0)
      x = lir_ffloor(builder, x);
   return lower_math_exp2(builder, x);
}

void
lower_op_exp(struct lower_context *context)
{
   lower_each_channel(context, exp_channel);
}

/* (exponent, significand in [1, 2), log2, 1) of |x|. The exponent is that of
 * the number itself: a rounded logarithm may have reached the next integer. Of
 * 0 and infinity it is their logarithm, and the significand 1. */
static lir_value
log_channel(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;

   if (channel == 3)
      return lir_constf(builder, 1.0f);

   lir_value x = lower_src(context, 0, 0);
   lir_value magnitude = lir_fabs(builder, x);
   switch (channel) {
   case 0: return lower_math_exponent(builder, magnitude);
   case 1: return lower_math_significand(builder, magnitude);
   default: return lower_math_log2(builder, magnitude);
   }
}

void
lower_op_log(struct lower_context *context)
{
   lower_each_channel(context, log_channel);
}
