/* SPDX-License-Identifier: MIT
 *
 * Address registers. In 2019 they hold integers. In 2010 and 2011 ARL and ARR
 * do not cast, so there an address register holds a float with a whole value,
 * which is cast when it indexes; MOV from it gives that float. What adds or
 * moves integers (ARA, UARL, and all opcodes of integers: operands/operands.c)
 * sees and writes integers in both, by conversion.
 *
 * PUSHA and POPA move what a register holds, whatever it is.
 */
#include "lower/operands/each.h"

enum { ADDRESS_STACK_WORDS = 64 };

/* ---- loading ------------------------------------------------------------- */

/* A whole float, as the register holds it. */
static lir_value
as_address(struct lower_context *context, lir_value whole)
{
   return lower_address_registers_hold_floats(context)
             ? whole
             : lir_f2i(&context->builder, whole);
}

static lir_value
round_down(struct lower_context *context, unsigned channel)
{
   lir_value value = lower_src(context, 0, channel);
   lir_value whole = lir_ffloor(&context->builder, value);

   return as_address(context, whole);
}

void
lower_op_arl(struct lower_context *context)
{
   lower_each_channel(context, round_down);
}

static lir_value
round_to_nearest(struct lower_context *context, unsigned channel)
{
   lir_value value = lower_src(context, 0, channel);
   lir_value whole = lir_fround(&context->builder, value);

   return as_address(context, whole);
}

void
lower_op_arr(struct lower_context *context)
{
   lower_each_channel(context, round_to_nearest);
}

static bool
is_float_register(const struct lower_context *context,
                  const struct tg_register *reg)
{
   return reg->file == TG_FILE_ADDR &&
          lower_address_registers_hold_floats(context);
}

static lir_value
read_integer(struct lower_context *context, unsigned channel)
{
   lir_value value = lower_src(context, 0, channel);

   return is_float_register(context, &context->instruction->src[0].reg)
             ? lir_f2i(&context->builder, value)
             : value;
}

static lir_value
from_integer(struct lower_context *context, lir_value value)
{
   return is_float_register(context, &context->instruction->dst[0].reg)
             ? lir_i2f(&context->builder, value)
             : value;
}

static lir_value
move_integer(struct lower_context *context, unsigned channel)
{
   lir_value value = read_integer(context, channel);

   return from_integer(context, value);
}

void
lower_op_uarl(struct lower_context *context)
{
   lower_each_channel(context, move_integer);
}

/* x and z are x + z, y and w are y + w. */
static lir_value
add_pair(struct lower_context *context, unsigned channel)
{
   lir_value a = read_integer(context, channel % 2);
   lir_value b = read_integer(context, channel % 2 + 2);
   lir_value sum = lir_iadd(&context->builder, a, b);

   return from_integer(context, sum);
}

void
lower_op_ara(struct lower_context *context)
{
   lower_each_channel(context, add_pair);
}

/* ---- the stack ----------------------------------------------------------- */

static void
need_stack(struct lower_context *context)
{
   struct lir_module *module = context->builder.module;

   if (context->has_address_stack)
      return;
   context->has_address_stack = true;
   context->address_stack =
      lir_module_add_array(module, ADDRESS_STACK_WORDS, "PUSHA.stack");
   context->address_depth =
      lir_module_add_var(module, LIR_TYPE_B32, "PUSHA.depth");
   if (context->address_stack == UINT32_MAX)
      context->builder.failed = true;
}

/* x first. A word for which there is no room is lost. */
void
lower_op_pusha(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;

   need_stack(context);
   lir_value one = lir_const32(builder, 1);
   lir_value bound = lir_const32(builder, ADDRESS_STACK_WORDS);
   for (unsigned c = 0; c < 4; c++) {
      lir_value value = lower_src(context, 0, c);
      lir_value depth = lir_getvar(builder, context->address_depth);
      lir_value deeper = lir_iadd(builder, depth, one);
      lir_value new_depth = lir_umin(builder, deeper, bound);

      lir_store32(builder, LIR_SPACE_ARRAY, context->address_stack, depth,
                  value);
      lir_setvar(builder, context->address_depth, new_depth);
   }
}

/* w first, and all four whatever the write mask is. An empty stack gives 0,
 * since word -1 is out of bounds. */
void
lower_op_popa(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;

   need_stack(context);
   lir_value one = lir_const32(builder, 1);
   for (unsigned c = 4; c-- > 0;) {
      lir_value depth = lir_getvar(builder, context->address_depth);
      lir_value top = lir_isub(builder, depth, one);
      lir_value value =
         lir_load32(builder, LIR_SPACE_ARRAY, context->address_stack, top);
      lir_value is_empty = lir_ult(builder, depth, one);
      lir_value new_depth = lir_sel32(builder, is_empty, depth, top);

      lir_setvar(builder, context->address_depth, new_depth);
      lower_dst(context, 0, c, value);
   }
}
