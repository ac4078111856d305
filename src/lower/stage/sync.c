/* SPDX-License-Identifier: MIT
 *
 * Time and order. What one wave does to memory it sees in order itself; waves
 * of other threads do where MEMBAR stands between. Which bits its operand has
 * does not matter: it is a fence for all memory, which is more than each of
 * them asks for.
 */
#include "lower/operands/context.h"

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

void
lower_op_membar(struct lower_context *context)
{
   lir_build(&context->builder, LIR_OP_fence, NULL, 0);
}
