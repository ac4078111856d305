/* SPDX-License-Identifier: MIT
 *
 * Time and order. Memory of a wave is always in order, so MEMBAR does nothing.
 */
#include "lower/context.h"

void
lower_op_clock(struct lower_context *context)
{
   lir_value clock = lir_clock(&context->builder);

   lower_dst64(context, 0, 0, clock);
   lower_dst64(context, 0, 1, clock);
}

void
lower_op_barrier(struct lower_context *context)
{
   lir_build(&context->builder, LIR_OP_barrier, NULL, 0);
}
