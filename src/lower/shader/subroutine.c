/* SPDX-License-Identifier: MIT
 *
 * The functions of a program: the main part, and a LIR function for each
 * subroutine that is called. Registers are the program's, so functions talk
 * through them. Recursion is allowed; the executor bounds its depth.
 */
#include "lower/flow/flow.h"
#include "lower/stage/edges.h"

#include <stdio.h>
#include <string.h>

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
      *function = lir_add_function(context->builder.module, name);
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

/* The end of a body is where writing stops; see write_body(). */
void
lower_op_endsub(struct lower_context *context)
{
   context->flow->is_done = true;
}

/* ---- writing ------------------------------------------------------------- */

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
   lower_enter_part(context, first, end);
   while (!flow->is_done && !context->builder.failed && flow->next < end) {
      if (lower_step_cycle(context))
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
      flow->ended = lir_add_var(builder->module, LIR_TYPE_B32, "ended");
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
