/* SPDX-License-Identifier: MIT
 *
 * IF, loops and SWITCH. LIR is structured as TGSI is, so each construct becomes
 * one, two or three of LIR's:
 *
 *    IF       if
 *    loops    (if the count is positive) loop, (block that CONT leaves)
 *    SWITCH   block that BRK leaves, an if for each label
 */
#include "lower/flow/flow.h"
#include "lower/operands/operands.h"

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

/* The part from the instruction at hand to its partner. */
static void
enter_first_part(struct lower_context *context)
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

static void
close_construct(struct lower_context *context)
{
   close_levels(context, lower_flow_innermost(context)->num_levels);
   context->flow->num_open--;
}

/* ---- IF ------------------------------------------------------------------ */

static void
open_if(struct lower_context *context, lir_value condition)
{
   lir_begin_if(&context->builder, condition);
   lower_flow_open(context, 1);
   enter_first_part(context);
}

/* True: not 0 as a float, so NaN is true and -0 is false. */
void
lower_op_if(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   lir_value value = lower_src(context, 0, 0);
   lir_value zero = lir_constf(builder, 0.0f);

   open_if(context, lir_fne(builder, value, zero));
}

/* True: any bit is set. */
void
lower_op_uif(struct lower_context *context)
{
   lir_value value = lower_src(context, 0, 0);

   open_if(context, lir_i2b(&context->builder, value));
}

void
lower_op_else(struct lower_context *context)
{
   lir_begin_else(&context->builder);
   enter_first_part(context);
}

void
lower_op_endif(struct lower_context *context)
{
   close_construct(context);
}

/* ---- loops --------------------------------------------------------------- */

/* The loop and, where a CONT needs it, the block around its body. */
static struct lower_construct *
open_loop(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   uint32_t break_level = lir_begin_loop(builder);
   uint32_t continue_level = 0;
   uint32_t num_levels = 1;

   if (context->flow->has_continue[context->instruction_index]) {
      continue_level = lir_begin_block(builder);
      num_levels = 2;
   }

   struct lower_construct *loop = lower_flow_open(context, num_levels);
   loop->break_level = break_level;
   loop->continue_level = continue_level;
   enter_first_part(context);
   return loop;
}

/* The same for lanes whose count is positive. */
static struct lower_construct *
open_counted_loop(struct lower_context *context, lir_value is_positive)
{
   lir_begin_if(&context->builder, is_positive);

   struct lower_construct *loop = open_loop(context);
   loop->num_levels++;
   return loop;
}

/* Closes the block, so that what follows is done by lanes that continue too. */
static void
end_body(struct lower_context *context)
{
   struct lower_construct *loop = lower_flow_innermost(context);

   if (loop->continue_level) {
      lir_end(&context->builder);
      loop->num_levels--;
   }
}

static void
leave_loop_unless(struct lower_context *context, lir_value condition)
{
   struct lir_builder *builder = &context->builder;

   lir_begin_if(builder, lir_bnot(builder, condition));
   lir_br(builder, lower_flow_innermost(context)->break_level);
   lir_end(builder);
}

void
lower_op_bgnloop(struct lower_context *context)
{
   open_loop(context);
}

void
lower_op_endloop(struct lower_context *context)
{
   close_construct(context);
}

/* As often as the operand says, rounded down. It is read once. */
void
lower_op_rep(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;

   if (context->instruction->num_src == 0) {
      open_loop(context);
      return;
   }

   lir_value value = lower_src(context, 0, 0);
   lir_value whole = lir_ffloor(builder, value);
   lir_value count = lir_f2i(builder, whole);
   lir_value zero = lir_const32(builder, 0);
   uint32_t counter =
      lir_module_add_var(builder->module, LIR_TYPE_B32, "REP.count");
   lir_setvar(builder, counter, count);
   lir_value is_positive = lir_ilt(builder, zero, count);
   open_counted_loop(context, is_positive)->counter = counter;
}

void
lower_op_endrep(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   const struct lower_construct *loop = lower_flow_innermost(context);

   end_body(context);
   if (loop->counter != UINT32_MAX) {
      lir_value before = lir_getvar(builder, loop->counter);
      lir_value one = lir_const32(builder, 1);
      lir_value after = lir_isub(builder, before, one);
      lir_value zero = lir_const32(builder, 0);

      lir_setvar(builder, loop->counter, after);
      leave_loop_unless(context, lir_ilt(builder, zero, after));
   }
   close_construct(context);
}

/* Index, count and step are x, y and z of the destination, where the shader
 * sees and may change them: floats, but integers in an address register that
 * holds those. */
static bool
counts_in_integers(const struct lower_context *context)
{
   return context->instruction->dst[0].reg.file == TG_FILE_ADDR &&
          !lower_address_registers_hold_floats(context);
}

static void
set_counter(struct lower_context *context, unsigned channel, lir_value value)
{
   if (counts_in_integers(context))
      value = lir_f2i(&context->builder, value);
   lower_dst(context, 0, channel, value);
}

static lir_value
get_counter(struct lower_context *context, unsigned channel)
{
   lir_value value =
      lower_load_location(context, lower_dst_location(context, 0), channel);

   return counts_in_integers(context) ? lir_i2f(&context->builder, value)
                                      : value;
}

void
lower_op_bgnfor(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   lir_value start[3];

   for (unsigned c = 0; c < 3; c++) {
      lir_value value = lower_src(context, 0, c);

      start[c] = lir_ffloor(builder, value);
      set_counter(context, c, start[c]);
   }
   lower_dst_commit(context);

   lir_value zero = lir_constf(builder, 0.0f);
   open_counted_loop(context, lir_flt(builder, zero, start[1]));
}

void
lower_op_endfor(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;

   end_body(context);
   lir_value index = get_counter(context, 0);
   lir_value count = get_counter(context, 1);
   lir_value step = get_counter(context, 2);
   lir_value one = lir_constf(builder, 1.0f);
   lir_value zero = lir_constf(builder, 0.0f);
   lir_value next_index = lir_fadd(builder, index, step);
   lir_value next_count = lir_fsub(builder, count, one);

   set_counter(context, 0, next_index);
   set_counter(context, 1, next_count);
   lower_dst_commit(context);
   leave_loop_unless(context, lir_flt(builder, zero, next_count));
   close_construct(context);
}

/* ---- leaving ------------------------------------------------------------- */

/* The construct that the instruction at hand leaves or continues. */
static const struct lower_construct *
partner_construct(const struct lower_context *context)
{
   const struct lower_flow *flow = context->flow;
   uint32_t begin = flow->info.nodes[context->instruction_index].partner;
   unsigned i = flow->num_open - 1;

   while (flow->open[i].begin != begin) {
      assert(i > 0);
      i--;
   }
   return &flow->open[i];
}

void
lower_op_brk(struct lower_context *context)
{
   lir_br(&context->builder, partner_construct(context)->break_level);
}

void
lower_op_breakc(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   lir_value value = lower_src(context, 0, 0);

   lir_begin_if(builder, lir_i2b(builder, value));
   lower_op_brk(context);
   lir_end(builder);
}

void
lower_op_cont(struct lower_context *context)
{
   lir_br(&context->builder, partner_construct(context)->continue_level);
}

/* ---- SWITCH -------------------------------------------------------------- */

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
   close_construct(context);
}

void
lower_op_nop(struct lower_context *context)
{
   (void)context;
}
