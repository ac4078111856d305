/* SPDX-License-Identifier: MIT
 *
 * Sources of the instruction at hand: swizzles and modifiers.
 */
#include "lower/operands/operands.h"

#include "lower/operands/registers.h"
#include "tgsi/analysis/instruction.h"
#include "util/length.h"

lir_value
lower_src_bare(struct lower_context *context, unsigned src, unsigned channel)
{
   const struct tg_src *operand = &context->instruction->src[src];

   assert(channel < TG_LENGTH(operand->swizzle));
   return lower_load_location(context, &context->operands->src[src],
                              operand->swizzle[channel]);
}

lir_value
lower_src_modify_float(struct lower_context *context, unsigned src,
                       lir_value value)
{
   assert(src < context->instruction->num_src);
   const struct tg_src *operand = &context->instruction->src[src];
   struct lir_builder *builder = &context->builder;

   if (operand->absolute)
      value = lir_fabs(builder, value);
   if (operand->negate)
      value = lir_fneg(builder, value);
   return value;
}

static lir_value
modify_integer(struct lir_builder *builder, const struct tg_src *operand,
               lir_value value)
{
   if (operand->absolute)
      value = lir_iabs(builder, value);
   if (operand->negate)
      value = lir_ineg(builder, value);
   return value;
}

lir_value
lower_src(struct lower_context *context, unsigned src, unsigned channel)
{
   assert(src < TG_LENGTH(context->operands->src));
   struct lir_builder *builder = &context->builder;

   if (src >= context->instruction->num_src)
      return lir_const32(builder, 0);

   const struct tg_src *operand = &context->instruction->src[src];
   enum tg_type type = context->info->src_type[src];
   lir_value value = lower_src_bare(context, src, channel);
   if (lower_is_float_as_integer(context, operand->reg.file, type))
      value = lir_f2i(builder, value);

   switch (type) {
   case TG_TYPE_UNTYPED:
   case TG_TYPE_F32:
   case TG_TYPE_IN: return lower_src_modify_float(context, src, value);
   case TG_TYPE_I32:
   case TG_TYPE_U32: return modify_integer(builder, operand, value);
   default: return value;
   }
}

static lir_value
load_pair(struct lower_context *context, unsigned src, unsigned pair)
{
   assert(pair < 2);
   lir_value low = lower_src_bare(context, src, pair * 2);
   lir_value high = lower_src_bare(context, src, pair * 2 + 1);

   return lir_pack64(&context->builder, low, high);
}

lir_value
lower_src_double(struct lower_context *context, unsigned src, unsigned pair)
{
   assert(pair < 2);
   struct lir_builder *builder = &context->builder;

   if (src >= context->instruction->num_src)
      return lir_const64(builder, 0);

   const struct tg_src *operand = &context->instruction->src[src];
   lir_value value = load_pair(context, src, pair);
   if (operand->absolute)
      value = lir_dabs(builder, value);
   if (operand->negate)
      value = lir_dneg(builder, value);
   return value;
}

lir_value
lower_src64(struct lower_context *context, unsigned src, unsigned pair)
{
   assert(pair < 2);
   struct lir_builder *builder = &context->builder;

   if (src >= context->instruction->num_src)
      return lir_const64(builder, 0);
   if (context->info->src_type[src] == TG_TYPE_F64)
      return lower_src_double(context, src, pair);

   lir_value value = load_pair(context, src, pair);
   if (context->instruction->src[src].negate)
      value = lir_lneg(builder, value);
   return value;
}

lir_value
lower_src_in_turn(struct lower_context *context, unsigned src, unsigned pair)
{
   assert(pair < 2);
   const bool is_in_turn = context->shader->quirks & TG_QUIRK_PAIRS_IN_TURN;
   const bool is_first = is_in_turn && !lower_dst_writes_pair(context, 0, 0);

   return lower_src64(context, src, is_first ? 0 : pair);
}

void
lower_src_vector(struct lower_context *context, unsigned src,
                 unsigned num_channels, lir_value *values_out)
{
   assert(num_channels <= 4);
   for (unsigned channel = 0; channel < num_channels; channel++)
      values_out[channel] = lower_src(context, src, channel);
}
