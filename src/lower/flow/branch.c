/* SPDX-License-Identifier: MIT
 *
 * BRA. A jump stays among the instructions of one part of one construct, and
 * takes all lanes that are active there along. So all of them follow one path,
 * which is known beforehand: it runs straight on, jumps, and either reaches the
 * end of the part or comes back to where it was and goes round for ever (until
 * BRK, CONT or RET inside take the lanes away).
 *
 * We write instructions in the order of that path. Jumps forward then cost
 * nothing, and where the path runs into itself there is a loop. Whatever it
 * does not touch is not written.
 */
#include "lower/flow/flow.h"

#include <assert.h>

/* The instruction after `index`, and after its end if it opens something. */
static uint32_t
next_sibling(const struct lower_context *context, uint32_t index)
{
   const struct tg_flow_node *nodes = context->flow->info.nodes;
   const struct tg_instruction *instructions = context->shader->instructions;

   switch ((enum tg_flow)tg_opcode_row(instructions[index].opcode)->flow) {
   case TG_FLOW_IF:
      index = nodes[index].partner;
      if (instructions[index].opcode == TG_OPCODE_ELSE)
         index = nodes[index].partner;
      break;
   case TG_FLOW_LOOP:
   case TG_FLOW_SWITCH: index = nodes[index].partner; break;
   default: break;
   }
   return index + 1;
}

/* Does the path through a function's body end here? */
static bool
ends_body(const struct lower_context *context, uint32_t index)
{
   assert(index < context->shader->num_instructions);
   const struct tg_instruction *instruction =
      &context->shader->instructions[index];
   enum tg_flow flow = tg_opcode_row(instruction->opcode)->flow;

   return context->flow->num_open == 1 && !instruction->has_predicate &&
          (flow == TG_FLOW_END || flow == TG_FLOW_RETURN ||
           flow == TG_FLOW_SUB);
}

/* tg_flow_analyse() has seen that both ends have the same parent. What it lets
 * pass are jumps to the end of a neighbour, and from label to label. */
static bool
is_possible(const struct lower_context *context, uint32_t target)
{
   const struct lower_construct *construct = lower_flow_innermost(context);
   enum tg_flow flow =
      tg_opcode_row(context->shader->instructions[target].opcode)->flow;

   if (target == construct->end)
      return true;
   return construct->first <= target && target < construct->end &&
          flow != TG_FLOW_ELSE && flow != TG_FLOW_ENDIF &&
          flow != TG_FLOW_ENDLOOP && flow != TG_FLOW_ENDSWITCH &&
          flow != TG_FLOW_ENDSUB;
}

void
lower_follow_branches(struct lower_context *context)
{
   struct lower_flow *flow = context->flow;
   uint32_t end = lower_flow_innermost(context)->end;
   uint32_t i = flow->next;

   if (!flow->has_branches)
      return;
   while (i < end && !ends_body(context, i)) {
      if (flow->is_on_path[i]) {
         flow->is_cycle[i] = true;
         return;
      }
      flow->is_on_path[i] = true;
      if (context->shader->instructions[i].opcode != TG_OPCODE_BRA)
         i = next_sibling(context, i);
      else if (is_possible(context, flow->info.nodes[i].partner))
         i = flow->info.nodes[i].partner;
      else
         return; /* lower_op_bra() will complain */
   }
}

bool
lower_branch_step_cycle(struct lower_context *context)
{
   struct lower_flow *flow = context->flow;
   struct lower_construct *construct = lower_flow_innermost(context);

   if (!flow->has_branches || flow->next >= construct->end ||
       !flow->is_cycle[flow->next])
      return true;
   if (!construct->is_repeating) {
      lir_begin_loop(&context->builder);
      construct->is_repeating = true;
      return true;
   }
   lir_end(&context->builder);
   construct->is_repeating = false;
   flow->next = construct->end;
   return false;
}

void
lower_op_bra(struct lower_context *context)
{
   uint32_t target =
      context->flow->info.nodes[context->instruction_index].partner;

   if (!is_possible(context, target)) {
      lower_error(context, TG_ERROR_INPUT, "bad-label",
                  "BRA :%u leads into another construct, or to another label "
                  "of SWITCH",
                  (unsigned)target);
      context->flow->is_done = true;
      return;
   }
   context->flow->next = target;
}
