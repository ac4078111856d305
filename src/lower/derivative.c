/* SPDX-License-Identifier: MIT
 *
 * Derivatives: the difference to the neighbour in each row or column of the
 * quad, for the plain opcodes as for the fine ones. A neighbour's register is
 * read as it is, whether the neighbour is active or not. Outside of fragment
 * shaders there are no neighbours, and the derivative is 0.
 */
#include "lower/each.h"

static lir_value
derivative(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;

   if (context->shader->processor != TG_PROCESSOR_FRAG)
      return lir_constf(builder, 0.0f);

   lir_value value = lower_src(context, 0, channel);
   return lir_build(builder, context->op, &value, 0);
}

void
lower_op_derivative(struct lower_context *context)
{
   lower_each_channel(context, derivative);
}
