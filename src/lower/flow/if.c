/* SPDX-License-Identifier: MIT
 *
 * IF, UIF, ELSE, ENDIF: an if of LIR.
 */
#include "lower/flow/flow.h"
#include "lower/operands/operands.h"

static void
open_if(struct lower_context *context, lir_value condition)
{
   lir_begin_if(&context->builder, condition);
   lower_flow_open(context, 1);
   lower_flow_enter_first_part(context);
}

/* True: not 0 as a float, so NaN is true and -0 is false. */
void
lower_op_if(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   lir_value value = lower_src(context, 0, 0);
   lir_value zero = lir_constf(builder, 0.0f);

   open_if(context, lir_fne(builder, value, zero));
}

/* True: any bit is set. */
void
lower_op_uif(struct lower_context *context)
{
   lir_value value = lower_src(context, 0, 0);

   open_if(context, lir_i2b(&context->builder, value));
}

void
lower_op_else(struct lower_context *context)
{
   lir_begin_else(&context->builder);
   lower_flow_enter_first_part(context);
}

void
lower_op_endif(struct lower_context *context)
{
   lower_flow_close(context);
}
