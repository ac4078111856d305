/* SPDX-License-Identifier: MIT
 *
 * Constructs that are open, and their parts. LIR is structured as TGSI is, so
 * each construct becomes one, two or three of LIR's:
 *
 *    IF       if
 *    loops    (if the count is positive) loop, (block that CONT leaves)
 *    SWITCH   block that BRK leaves, an if for each label
 */
#include "lower/flow/flow.h"

#include <assert.h>

enum tg_result
lower_flow_create(struct lower_context *context)
{
   const struct tg_shader *shader = context->shader;
   struct tg_arena *arena = context->arena;
   uint32_t count = shader->num_instructions;
   struct lower_flow *flow = tg_arena_alloc(arena, sizeof(*flow));

   if (!flow)
      return TG_ERROR_MEMORY;
   context->flow = flow;

   enum tg_result result =
      tg_flow_analyse(shader, context->diagnostics, &flow->info);
   if (result)
      return result;

   flow->has_continue = tg_arena_alloc(arena, count);
   flow->is_on_path = tg_arena_alloc(arena, count);
   flow->is_cycle = tg_arena_alloc(arena, count);
   flow->functions = tg_arena_array(arena, count, sizeof(*flow->functions));
   flow->called =
      tg_arena_array(arena, flow->info.num_subroutines, sizeof(*flow->called));
   if (!flow->has_continue || !flow->is_on_path || !flow->is_cycle ||
       !flow->functions || !flow->called)
      return TG_ERROR_MEMORY;

   for (uint32_t i = 0; i < count; i++) {
      enum tg_flow kind = tg_opcode_row(shader->instructions[i].opcode)->flow;

      flow->functions[i] = UINT32_MAX;
      if (kind == TG_FLOW_CONTINUE)
         flow->has_continue[flow->info.nodes[i].partner] = true;
      if (kind == TG_FLOW_BRANCH)
         flow->has_branches = true;
      if (kind == TG_FLOW_END &&
          flow->info.nodes[i].partner != TG_NO_INSTRUCTION)
         flow->ends_in_subroutines = true;
   }
   return TG_OK;
}

void
lower_flow_finish(struct lower_context *context)
{
   if (context->flow)
      tg_flow_finish(&context->flow->info);
}

struct lower_construct *
lower_flow_innermost(const struct lower_context *context)
{
   return &context->flow->open[context->flow->num_open - 1];
}

struct lower_construct *
lower_flow_open(struct lower_context *context, uint32_t num_levels)
{
   struct lower_flow *flow = context->flow;

   assert(flow->num_open <= TG_MAX_NESTING);
   flow->open[flow->num_open++] = (struct lower_construct){
      .begin = context->instruction_index,
      .num_levels = num_levels,
      .counter = UINT32_MAX,
   };
   return lower_flow_innermost(context);
}

void
lower_flow_enter_first_part(struct lower_context *context)
{
   uint32_t index = context->instruction_index;

   lower_flow_enter_part(context, index + 1,
                         context->flow->info.nodes[index].partner);
}

void
lower_flow_enter_part(struct lower_context *context, uint32_t first,
                      uint32_t end)
{
   struct lower_construct *construct = lower_flow_innermost(context);

   construct->first = first;
   construct->end = end;
   context->flow->next = first;
   lower_follow_branches(context);
}

static void
close_levels(struct lower_context *context, uint32_t count)
{
   assert(count <= context->builder.level);
   for (uint32_t i = 0; i < count; i++)
      lir_end(&context->builder);
}

void
lower_flow_close(struct lower_context *context)
{
   close_levels(context, lower_flow_innermost(context)->num_levels);
   context->flow->num_open--;
}

void
lower_op_nop(struct lower_context *context)
{
   (void)context;
}
