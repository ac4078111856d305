/* SPDX-License-Identifier: MIT
 *
 * Comparisons of 32-bit values and what selects by them. Float comparisons are
 * ordered but for "not equal": a NaN makes the others false.
 */
#include "lower/operands/each.h"
#include "lower/operands/trace.h"

/* ---- set ----------------------------------------------------------------- */

/* The truth value that the operation of the row has for sources a and b. */
static lir_value
compare(struct lower_context *context, unsigned a, unsigned b, unsigned channel)
{
   lir_value operands[2];

   operands[0] = lower_src(context, a, channel);
   operands[1] = lower_src(context, b, channel);
   return lir_build(&context->builder, context->op, operands, 0);
}

static lir_value
one_or_zero(struct lir_builder *builder, lir_value condition)
{
   lir_value one = lir_constf(builder, 1.0f);
   lir_value zero = lir_constf(builder, 0.0f);

   return lir_sel32(builder, condition, one, zero);
}

static lir_value
set_float(struct lower_context *context, unsigned channel)
{
   lir_value condition = compare(context, 0, 1, channel);

   return one_or_zero(&context->builder, condition);
}

void
lower_op_set_float(struct lower_context *context)
{
   lower_each_channel(context, set_float);
}

/* a > b as b < a. */
static lir_value
set_float_swapped(struct lower_context *context, unsigned channel)
{
   lir_value condition = compare(context, 1, 0, channel);

   return one_or_zero(&context->builder, condition);
}

void
lower_op_set_float_swapped(struct lower_context *context)
{
   lower_each_channel(context, set_float_swapped);
}

static lir_value
set_mask(struct lower_context *context, unsigned channel)
{
   lir_value condition = compare(context, 0, 1, channel);

   return lir_b2i(&context->builder, condition);
}

void
lower_op_set_mask(struct lower_context *context)
{
   lower_each_channel(context, set_mask);
}

/* STR and SFL: their sources, if any were written, have no meaning. */
void
lower_op_str(struct lower_context *context)
{
   lir_value one = lir_constf(&context->builder, 1.0f);

   lower_dst_all(context, 0, one);
}

void
lower_op_sfl(struct lower_context *context)
{
   lir_value zero = lir_constf(&context->builder, 0.0f);

   lower_dst_all(context, 0, zero);
}

/* ---- select -------------------------------------------------------------- */

/* a < 0 ? b : c. */
static lir_value
cmp(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value a = lower_src(context, 0, channel);
   lir_value b = lower_src(context, 1, channel);
   lir_value c = lower_src(context, 2, channel);
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value is_negative = lir_flt(builder, a, zero);

   lower_trace_choice(context, channel, is_negative, 1, 2);
   return lir_sel32(builder, is_negative, b, c);
}

void
lower_op_cmp(struct lower_context *context)
{
   lower_each_channel(context, cmp);
}

/* c > 0.5 ? a : b. */
static lir_value
cnd(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value a = lower_src(context, 0, channel);
   lir_value b = lower_src(context, 1, channel);
   lir_value c = lower_src(context, 2, channel);
   lir_value half = lir_constf(builder, 0.5f);
   lir_value condition = lir_flt(builder, half, c);

   lower_trace_choice(context, channel, condition, 0, 1);
   return lir_sel32(builder, condition, a, b);
}

void
lower_op_cnd(struct lower_context *context)
{
   lower_each_channel(context, cnd);
}

/* Any bit of a ? b : c. */
static lir_value
ucmp(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value a = lower_src(context, 0, channel);
   lir_value b = lower_src(context, 1, channel);
   lir_value c = lower_src(context, 2, channel);
   lir_value condition = lir_i2b(builder, a);

   lower_trace_choice(context, channel, condition, 1, 2);
   return lir_sel32(builder, condition, b, c);
}

void
lower_op_ucmp(struct lower_context *context)
{
   lower_each_channel(context, ucmp);
}
