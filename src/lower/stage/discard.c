/* SPDX-License-Identifier: MIT
 *
 * Discarding. A lane that was killed runs on as a helper, so that its
 * neighbours keep their derivatives; KILL and DEMOTE are therefore the same.
 */
#include "lower/operands/context.h"

void
lower_op_kill(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;

   lir_kill(builder, lir_const1(builder, true));
}

/* If any channel is below 0, which NaN and -0 are not. */
void
lower_op_kill_if(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value any = lir_const1(builder, false);

   for (unsigned c = 0; c < 4; c++) {
      lir_value value = lower_src(context, 0, c);
      lir_value is_negative = lir_flt(builder, value, zero);

      any = lir_bor(builder, any, is_negative);
   }
   lir_kill(builder, any);
}

void
lower_op_read_helper(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   lir_value is_live = lir_live(builder);
   lir_value is_helper = lir_bnot(builder, is_live);

   lower_dst_all(context, 0, lir_b2i(builder, is_helper));
}
