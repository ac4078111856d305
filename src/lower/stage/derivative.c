/* SPDX-License-Identifier: MIT
 *
 * Derivatives: the difference to the neighbour in each row or column of the
 * quad, for the plain opcodes as for the fine ones. A neighbour's register is
 * read as it is, whether the neighbour is active or not. In compute shaders the
 * quads are threads 4n to 4n + 3 of the block, and the derivative is 0 where
 * there is no neighbour; so it is in stages that have no quads.
 */
#include "lower/stage/derivative.h"

#include "lower/operands/each.h"

void
lower_derivative_keep_launched(struct lower_context *context)
{
   const struct tg_shader *shader = context->shader;
   struct lir_builder *builder = &context->builder;
   bool is_needed = false;

   for (uint32_t i = 0; i < shader->num_instructions && !is_needed; i++)
      is_needed =
         tg_opcode_row(shader->instructions[i].opcode)->group == TG_GROUP_DERIV;
   if (!is_needed || shader->processor != TG_PROCESSOR_COMP)
      return;

   const lir_value all = lir_const1(builder, true);
   const lir_value lanes = lir_ballot(builder, all);
   context->launched =
      lir_module_add_var(builder->module, LIR_TYPE_B32, "launched lanes");
   lir_setvar(builder, context->launched, lanes);
}

/* 0 where the wave has no such neighbour. */
static lir_value
drop_missing(struct lower_context *context, lir_value difference)
{
   struct lir_builder *builder = &context->builder;
   const bool is_row = context->op == LIR_OP_fddx;
   const lir_value lane = lir_lane(builder);
   const lir_value distance = lir_const32(builder, is_row ? 1 : 2);
   const lir_value neighbour = lir_ixor(builder, lane, distance);
   const lir_value launched = lir_getvar(builder, context->launched);
   const lir_value shifted = lir_ushr(builder, launched, neighbour);
   const lir_value one = lir_const32(builder, 1);
   const lir_value bit = lir_iand(builder, shifted, one);
   const lir_value is_there = lir_i2b(builder, bit);
   const lir_value zero = lir_constf(builder, 0.0f);
   return lir_sel32(builder, is_there, difference, zero);
}

static lir_value
derivative(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;

   if (!(context->info->stages & 1u << context->shader->processor))
      return lir_constf(builder, 0.0f);

   const lir_value value = lower_src(context, 0, channel);
   const lir_value difference = lir_build(builder, context->op, &value, 0);
   return context->shader->processor == TG_PROCESSOR_COMP
             ? drop_missing(context, difference)
             : difference;
}

void
lower_op_derivative(struct lower_context *context)
{
   lower_each_channel(context, derivative);
}
