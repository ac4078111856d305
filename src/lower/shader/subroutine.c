/* SPDX-License-Identifier: MIT
 *
 * Subroutines: CAL, RET and their like. Registers are the program's, so
 * functions talk through them. Recursion is allowed; the executor bounds its
 * depth.
 */
#include "lower/flow/flow.h"

#include <stdio.h>

/* ---- calling ------------------------------------------------------------- */

/* The function of a BGNSUB, which will be written when we are done with those
 * before it. */
static uint32_t
get_function(struct lower_context *context, uint32_t begin)
{
   struct lower_flow *flow = context->flow;
   uint32_t *function = &flow->functions[begin];

   if (*function == UINT32_MAX) {
      char name[16];

      snprintf(name, sizeof(name), "sub%u", (unsigned)begin);
      *function = lir_module_add_function(context->builder.module, name);
      if (*function == UINT32_MAX)
         context->builder.failed = true;
      flow->called[flow->num_called++] = begin;
   }
   return *function;
}

/* Lanes for which the callee reached END leave the caller too. */
static void
leave_if_ended(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   const struct lower_flow *flow = context->flow;

   if (!flow->ends_in_subroutines)
      return;
   lir_value ended = lir_getvar(builder, flow->ended);
   lir_begin_if(builder, lir_i2b(builder, ended));
   lir_br(builder, flow->exit_level);
   lir_end(builder);
}

/* A subroutine that comes round to itself counts its REP loops in the same
 * variables; so those that are counting keep what they have in values. */
static void
call(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   struct lower_flow *flow = context->flow;
   uint32_t begin = flow->info.nodes[context->instruction_index].partner;
   uint32_t function = get_function(context, begin);
   lir_value kept[TG_MAX_NESTING + 1] = {{0}};
   unsigned num_kept = flow->is_subroutine ? flow->num_open : 0;

   for (unsigned i = 0; i < num_kept; i++) {
      if (flow->open[i].counter != UINT32_MAX)
         kept[i] = lir_getvar(builder, flow->open[i].counter);
   }
   lir_call(builder, function);
   for (unsigned i = 0; i < num_kept; i++) {
      if (flow->open[i].counter != UINT32_MAX)
         lir_setvar(builder, flow->open[i].counter, kept[i]);
   }
   leave_if_ended(context);
}

void
lower_op_cal(struct lower_context *context)
{
   call(context);
}

void
lower_op_callnz(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   lir_value value = lower_src(context, 0, 0);

   lir_begin_if(builder, lir_i2b(builder, value));
   call(context);
   lir_end(builder);
}

/* ---- ending -------------------------------------------------------------- */

/* Outside of all constructs there is nobody left for what follows. */
void
lower_op_ret(struct lower_context *context)
{
   if (context->flow->num_open == 1 && !context->instruction->has_predicate)
      context->flow->is_done = true;
   else
      lir_br(&context->builder, context->flow->exit_level);
}

/* Inside of a construct it is a RET, from all callers too. */
void
lower_op_end(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;

   if (context->flow->is_subroutine)
      lir_setvar(builder, context->flow->ended, lir_const32(builder, 1));
   lower_op_ret(context);
}

/* The main part ends where a subroutine begins. */
void
lower_op_bgnsub(struct lower_context *context)
{
   context->flow->is_done = true;
}

/* The end of a body is where writing stops; see program.c. */
void
lower_op_endsub(struct lower_context *context)
{
   context->flow->is_done = true;
}
