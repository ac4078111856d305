/* SPDX-License-Identifier: MIT
 *
 * Votes and broadcasts among the active lanes of the wave, helpers included.
 */
#include "lower/context.h"

/* In how many active lanes is `condition` true: none, as ~0 or 0? */
static lir_value
is_nowhere(struct lower_context *context, lir_value condition)
{
   struct lir_builder *builder = &context->builder;
   lir_value lanes = lir_ballot(builder, condition);
   lir_value zero = lir_const32(builder, 0);
   lir_value is_none = lir_ieq(builder, lanes, zero);

   return lir_b2i(builder, is_none);
}

void
lower_op_vote_any(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;

   for (unsigned c = 0; c < 4; c++) {
      if (!lower_writes(context, 0, c))
         continue;

      lir_value value = lower_src(context, 0, c);
      lir_value is_set = lir_i2b(builder, value);
      lir_value none = is_nowhere(context, is_set);
      lower_dst(context, 0, c, lir_inot(builder, none));
   }
}

void
lower_op_vote_all(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;

   for (unsigned c = 0; c < 4; c++) {
      if (!lower_writes(context, 0, c))
         continue;

      lir_value value = lower_src(context, 0, c);
      lir_value is_set = lir_i2b(builder, value);
      lir_value is_clear = lir_bnot(builder, is_set);
      lower_dst(context, 0, c, is_nowhere(context, is_clear));
   }
}

/* The same bits, not the same truth. */
void
lower_op_vote_eq(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;

   for (unsigned c = 0; c < 4; c++) {
      if (!lower_writes(context, 0, c))
         continue;

      lir_value value = lower_src(context, 0, c);
      lir_value first = lir_read_first(builder, value);
      lir_value differs = lir_ine(builder, value, first);
      lower_dst(context, 0, c, is_nowhere(context, differs));
   }
}

/* 64 bits, of which the upper half is empty: a wave has 16 lanes. */
void
lower_op_ballot(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   lir_value value = lower_src(context, 0, 0);
   lir_value is_set = lir_i2b(builder, value);
   lir_value lanes = lir_ballot(builder, is_set);
   lir_value wide = lir_u2l(builder, lanes);

   lower_dst64(context, 0, 0, wide);
   lower_dst64(context, 0, 1, wide);
}

void
lower_op_read_first(struct lower_context *context)
{
   for (unsigned c = 0; c < 4; c++) {
      if (!lower_writes(context, 0, c))
         continue;

      lir_value value = lower_src(context, 0, c);
      lower_dst(context, 0, c, lir_read_first(&context->builder, value));
   }
}

/* Each lane names a lane of its own. */
void
lower_op_read_invoc(struct lower_context *context)
{
   lir_value lane = lower_src(context, 1, 0);

   for (unsigned c = 0; c < 4; c++) {
      if (!lower_writes(context, 0, c))
         continue;

      lir_value value = lower_src(context, 0, c);
      lower_dst(context, 0, c, lir_read_lane(&context->builder, value, lane));
   }
}
