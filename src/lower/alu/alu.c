/* SPDX-License-Identifier: MIT
 *
 * Every opcode that is one LIR operation a channel, or one for all channels,
 * and MOV.
 */
#include "lower/operands/each.h"

static lir_value
alu(struct lower_context *context, unsigned channel)
{
   lir_value operands[3];

   for (unsigned i = 0; i < lir_op_row(context->op)->num_operands; i++)
      operands[i] = lower_src(context, i, channel);
   return lir_build(&context->builder, context->op, operands, 0);
}

void
lower_op_alu(struct lower_context *context)
{
   lower_each_channel(context, alu);
}

/* The operation of channel x, in all channels. */
void
lower_op_alu_scalar(struct lower_context *context)
{
   lir_value value = alu(context, 0);

   lower_dst_all(context, 0, value);
}

static lir_value
mov(struct lower_context *context, unsigned channel)
{
   return lower_src(context, 0, channel);
}

void
lower_op_mov(struct lower_context *context)
{
   lower_each_channel(context, mov);
}
