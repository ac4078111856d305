/* SPDX-License-Identifier: MIT
 *
 * Votes and broadcasts among the active lanes of the wave, helpers included.
 */
#include "lower/operands/each.h"

/* ---- votes --------------------------------------------------------------- */

/* ~0 if `condition` is true in no active lane, else 0. */
static lir_value
is_nowhere(struct lower_context *context, lir_value condition)
{
   struct lir_builder *builder = &context->builder;
   lir_value lanes = lir_ballot(builder, condition);
   lir_value zero = lir_const32(builder, 0);
   lir_value is_none = lir_ieq(builder, lanes, zero);

   return lir_b2i(builder, is_none);
}

static lir_value
vote_any(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value value = lower_src(context, 0, channel);
   lir_value is_set = lir_i2b(builder, value);
   lir_value none = is_nowhere(context, is_set);

   return lir_inot(builder, none);
}

void
lower_op_vote_any(struct lower_context *context)
{
   lower_each_channel(context, vote_any);
}

static lir_value
vote_all(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value value = lower_src(context, 0, channel);
   lir_value is_set = lir_i2b(builder, value);
   lir_value is_clear = lir_bnot(builder, is_set);

   return is_nowhere(context, is_clear);
}

void
lower_op_vote_all(struct lower_context *context)
{
   lower_each_channel(context, vote_all);
}

/* The same bits, not the same truth. */
static lir_value
vote_eq(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value value = lower_src(context, 0, channel);
   lir_value first = lir_read_first(builder, value);
   lir_value differs = lir_ine(builder, value, first);

   return is_nowhere(context, differs);
}

void
lower_op_vote_eq(struct lower_context *context)
{
   lower_each_channel(context, vote_eq);
}

/* 64 bits, of which the upper half is empty: a wave has 16 lanes. */
static lir_value
ballot(struct lower_context *context, unsigned pair)
{
   struct lir_builder *builder = &context->builder;
   lir_value value = lower_src(context, 0, 0);
   lir_value is_set = lir_i2b(builder, value);
   lir_value lanes = lir_ballot(builder, is_set);

   (void)pair; /* zw repeat xy */
   return lir_u2l(builder, lanes);
}

void
lower_op_ballot(struct lower_context *context)
{
   lower_each_pair(context, ballot);
}

/* ---- broadcasts ---------------------------------------------------------- */

static lir_value
read_first(struct lower_context *context, unsigned channel)
{
   lir_value value = lower_src(context, 0, channel);

   return lir_read_first(&context->builder, value);
}

void
lower_op_read_first(struct lower_context *context)
{
   lower_each_channel(context, read_first);
}

/* Each lane names a lane of its own. */
static lir_value
read_invoc(struct lower_context *context, unsigned channel)
{
   lir_value value = lower_src(context, 0, channel);
   lir_value lane = lower_src(context, 1, 0);

   return lir_read_lane(&context->builder, value, lane);
}

void
lower_op_read_invoc(struct lower_context *context)
{
   lower_each_channel(context, read_invoc);
}
