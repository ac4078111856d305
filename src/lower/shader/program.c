/* SPDX-License-Identifier: MIT
 *
 * The functions of a program: the main part, and a LIR function for each
 * subroutine that is called.
 */
#include "lower/flow/flow.h"
#include "lower/stage/prologue.h"

#include <string.h>

static void
write_body(struct lower_context *context, uint32_t begin, uint32_t first,
           uint32_t end)
{
   struct lower_flow *flow = context->flow;

   memset(flow->is_on_path + first, 0, end - first);
   memset(flow->is_cycle + first, 0, end - first);
   flow->open[0] = (struct lower_construct){
      .begin = begin,
      .counter = UINT32_MAX,
   };
   flow->num_open = 1;
   flow->is_done = false;
   lower_flow_enter_part(context, first, end);
   while (!flow->is_done && !context->builder.failed && flow->next < end) {
      if (lower_branch_step_cycle(context))
         lower_instruction(context, flow->next++);
   }
}

/* Can a lane leave the body of `begin` before its end? */
static bool
has_early_exit(const struct lower_context *context, uint32_t begin)
{
   const struct tg_shader *shader = context->shader;
   const struct tg_flow_node *nodes = context->flow->info.nodes;

   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      const struct tg_instruction *instruction = &shader->instructions[i];

      const bool leaves = instruction->opcode == TG_OPCODE_RET ||
                          instruction->opcode == TG_OPCODE_END;

      if (leaves && nodes[i].partner == begin &&
          (nodes[i].parent != begin || instruction->has_predicate))
         return true;
   }
   return context->flow->ends_in_subroutines;
}

/* Lanes that return early wait after a block, to give their outputs. */
static void
write_entry(struct lower_context *context, uint32_t begin)
{
   struct lir_builder *builder = &context->builder;
   struct lower_flow *flow = context->flow;
   bool is_main = begin == TG_NO_INSTRUCTION;
   bool needs_block = has_early_exit(context, begin);

   lower_prologue(context);
   if (flow->ends_in_subroutines)
      flow->ended = lir_module_add_var(builder->module, LIR_TYPE_B32, "ended");
   flow->exit_level = needs_block ? lir_begin_block(builder) : 0;
   write_body(context, begin, is_main ? 0 : begin + 1,
              is_main ? context->shader->num_instructions
                      : flow->info.nodes[begin].partner);
   if (context->result != TG_OK || builder->failed)
      return;
   builder->origin = LIR_NO_ORIGIN;
   if (needs_block)
      lir_end(builder);
   lower_epilogue(context);
}

static void
write_subroutine(struct lower_context *context, uint32_t begin)
{
   struct lower_flow *flow = context->flow;

   lir_builder_init(&context->builder, context->builder.module,
                    flow->functions[begin]);
   flow->is_subroutine = true;
   flow->exit_level = 0;
   write_body(context, begin, begin + 1, flow->info.nodes[begin].partner);
}

/* The BGNSUB to begin with, none for the main part. False: there is no such. */
static bool
find_entry(struct lower_context *context, uint32_t *begin_out)
{
   const struct tg_flow_info *info = &context->flow->info;
   uint32_t entry = context->options->entry;

   *begin_out = TG_NO_INSTRUCTION;
   if (entry == 0 && !info->only_subroutines)
      return true;
   *begin_out = entry ? entry : info->subroutines[0];
   return *begin_out < context->shader->num_instructions &&
          context->shader->instructions[*begin_out].opcode == TG_OPCODE_BGNSUB;
}

void
lower_program(struct lower_context *context)
{
   const struct lower_flow *flow = context->flow;
   uint32_t begin;

   if (!find_entry(context, &begin)) {
      tg_diagnose(context->diagnostics, TG_SEVERITY_ERROR, "bad-label",
                  &context->shader->source, (struct tg_position){0},
                  "an entry point is the number of a BGNSUB",
                  "there is no subroutine at instruction %u", (unsigned)begin);
      context->result = TG_ERROR_INPUT;
      return;
   }
   write_entry(context, begin);
   for (uint32_t i = 0; i < flow->num_called && !context->builder.failed; i++)
      write_subroutine(context, flow->called[i]);
}
