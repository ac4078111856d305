/* SPDX-License-Identifier: MIT
 *
 * Address registers. In 2019 they hold integers. In 2010 and 2011 ARL and ARR
 * do not cast, so there an address register holds a float with a whole value,
 * which is cast when it indexes; MOV from it gives that float. What adds or
 * moves integers (ARA, UARL, and all opcodes of integers: operands.c) sees and
 * writes integers in both, by conversion.
 *
 * PUSHA and POPA move what a register holds, whatever it is.
 */
#include "lower/context.h"

enum { ADDRESS_STACK_WORDS = 64 };

bool
lower_address_holds_floats(const struct lower_context *context)
{
   return context->dialect != TG_DIALECT_2019;
}

/* ---- loading ------------------------------------------------------------- */

/* Each channel, rounded to a whole float. */
static void
load_rounded(struct lower_context *context,
             lir_value (*rounding)(struct lir_builder *builder, lir_value x))
{
   struct lir_builder *builder = &context->builder;

   for (unsigned c = 0; c < 4; c++) {
      if (!lower_writes(context, 0, c))
         continue;

      lir_value value = lower_src(context, 0, c);
      value = rounding(builder, value);
      if (!lower_address_holds_floats(context))
         value = lir_f2i(builder, value);
      lower_dst(context, 0, c, value);
   }
}

void
lower_op_arl(struct lower_context *context)
{
   load_rounded(context, lir_ffloor);
}

void
lower_op_arr(struct lower_context *context)
{
   load_rounded(context, lir_fround);
}

static bool
is_float_register(const struct lower_context *context,
                  const struct tg_register *reg)
{
   return reg->file == TG_FILE_ADDR && lower_address_holds_floats(context);
}

static lir_value
read_integer(struct lower_context *context, unsigned channel)
{
   lir_value value = lower_src(context, 0, channel);

   return is_float_register(context, &context->instruction->src[0].reg)
             ? lir_f2i(&context->builder, value)
             : value;
}

static void
give_integer(struct lower_context *context, unsigned channel, lir_value value)
{
   if (is_float_register(context, &context->instruction->dst[0].reg))
      value = lir_i2f(&context->builder, value);
   lower_dst(context, 0, channel, value);
}

void
lower_op_uarl(struct lower_context *context)
{
   for (unsigned c = 0; c < 4; c++) {
      if (lower_writes(context, 0, c))
         give_integer(context, c, read_integer(context, c));
   }
}

/* x and z get x + z, y and w get y + w. */
void
lower_op_ara(struct lower_context *context)
{
   for (unsigned c = 0; c < 2; c++) {
      lir_value a = read_integer(context, c);
      lir_value b = read_integer(context, c + 2);
      lir_value sum = lir_iadd(&context->builder, a, b);

      give_integer(context, c, sum);
      give_integer(context, c + 2, sum);
   }
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
      lir_add_array(module, ADDRESS_STACK_WORDS, "PUSHA.stack");
   context->address_depth = lir_add_var(module, LIR_TYPE_B32, "PUSHA.depth");
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
