/* SPDX-License-Identifier: MIT
 *
 * SWITCH: a block that BRK leaves, with an if for each label.
 */
#include "lower/flow/flow.h"
#include "lower/operands/operands.h"

#define NO_LABEL UINT32_MAX

/* The labels of a SWITCH are numbered from 1 in their order. Each lane's entry
 * is worked out here, from all CASE operands as they are now: the first that
 * equals the selector, else DEFAULT, wherever it stands, else no label. A lane
 * runs what follows label n if its entry is n or one before, from which it
 * falls through unless it broke off. */
static lir_value
find_entry(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   const struct tg_flow_node *nodes = context->flow->info.nodes;
   uint32_t begin = context->instruction_index;
   lir_value selector = lower_src(context, 0, 0);
   lir_value none = lir_const32(builder, NO_LABEL);
   lir_value entry = none;
   uint32_t num_labels = 0, default_number = NO_LABEL;

   for (uint32_t i = nodes[begin].next; i != TG_NO_INSTRUCTION;
        i = nodes[i].next) {
      num_labels++;
      if (i == nodes[begin].default_label) {
         default_number = num_labels;
         continue;
      }
      lower_operands_begin(context, i);
      lir_value label = lower_src(context, 0, 0);
      lir_value is_equal = lir_ieq(builder, selector, label);
      lir_value number = lir_const32(builder, num_labels);
      lir_value match = lir_sel32(builder, is_equal, number, none);
      entry = lir_umin(builder, entry, match);
   }
   lower_operands_begin(context, begin);
   if (default_number == NO_LABEL)
      return entry;

   lir_value otherwise = lir_const32(builder, default_number);
   lir_value is_none = lir_ieq(builder, entry, none);
   return lir_sel32(builder, is_none, otherwise, entry);
}

void
lower_op_switch(struct lower_context *context)
{
   const struct tg_flow_node *nodes = context->flow->info.nodes;
   lir_value entry = find_entry(context);
   uint32_t break_level = lir_begin_block(&context->builder);
   struct lower_construct *construct = lower_flow_open(context, 1);
   const struct tg_flow_node *node = &nodes[construct->begin];

   construct->entry = entry;
   construct->break_level = break_level;

   /* Nothing leads to what stands before the first label. */
   context->flow->next =
      node->next == TG_NO_INSTRUCTION ? node->partner : node->next;
}

static void
close_label(struct lower_context *context)
{
   if (lower_flow_innermost(context)->num_labels)
      lir_end(&context->builder);
}

void
lower_op_case(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   const struct tg_flow_node *nodes = context->flow->info.nodes;
   struct lower_construct *construct = lower_flow_innermost(context);
   uint32_t label = context->instruction_index;
   uint32_t next = nodes[label].next;

   close_label(context);
   construct->num_labels++;
   lir_value number = lir_const32(builder, construct->num_labels);
   lir_begin_if(builder, lir_uge(builder, number, construct->entry));
   lower_flow_enter_part(
      context, label + 1,
      next == TG_NO_INSTRUCTION ? nodes[construct->begin].partner : next);
}

void
lower_op_default(struct lower_context *context)
{
   lower_op_case(context);
}

void
lower_op_endswitch(struct lower_context *context)
{
   close_label(context);
   lower_flow_close(context);
}
