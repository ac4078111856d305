/* SPDX-License-Identifier: MIT
 *
 * Derivatives: the difference to the neighbour in each row or column of the
 * quad, for the plain opcodes as for the fine ones. A neighbour's register is
 * read as it is, whether the neighbour is active or not. Outside of fragment
 * shaders there are no neighbours, and the derivative is 0.
 */
#include "lower/context.h"

void
lower_op_derivative(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;

   for (unsigned c = 0; c < 4; c++) {
      if (!lower_writes(context, 0, c))
         continue;

      lir_value value = lower_src(context, 0, c);
      if (context->shader->processor == TG_PROCESSOR_FRAG)
         value = lir_build(builder, context->op, &value, 0);
      else
         value = lir_constf(builder, 0.0f);
      lower_dst(context, 0, c, value);
   }
}
