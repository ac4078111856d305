/* SPDX-License-Identifier: MIT
 *
 * BGNLOOP, REP and BGNFOR: a loop of LIR, within an if where the count may not
 * be positive, and around a block that CONT leaves. BRK leaves a SWITCH too.
 */
#include "lower/flow/flow.h"
#include "lower/operands/operands.h"

#include <assert.h>

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
   lower_flow_enter_first_part(context);
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
   lower_flow_close(context);
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
   lower_flow_close(context);
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
   lower_flow_close(context);
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
