/* SPDX-License-Identifier: MIT
 *
 * Destinations of the instruction at hand: saturation, write masks, and when
 * values are stored.
 */
#include "lower/operands/operands.h"

#include "lower/operands/registers.h"
#include "lower/operands/trace.h"
#include "util/length.h"

const struct lower_location *
lower_dst_location(const struct lower_context *context, unsigned dst)
{
   assert(dst < context->instruction->num_dst);
   return &context->operands->dst[dst];
}

bool
lower_dst_writes(const struct lower_context *context, unsigned dst,
                 unsigned channel)
{
   assert(channel < 4);
   return dst < context->instruction->num_dst &&
          context->instruction->dst[dst].writemask & 1u << channel;
}

bool
lower_dst_writes_pair(const struct lower_context *context, unsigned dst,
                      unsigned pair)
{
   assert(pair < 2);
   return lower_dst_writes(context, dst, pair * 2) ||
          lower_dst_writes(context, dst, pair * 2 + 1);
}

/* min(max(x, 0), 1), or from -1: NaN becomes the lower bound, -0 becomes +0. */
static lir_value
saturate(struct lower_context *context, lir_value value)
{
   struct lir_builder *builder = &context->builder;
   enum tg_saturate how = context->instruction->saturate;

   if (how == TG_SATURATE_NONE)
      return value;
   if (how == TG_SATURATE_ZERO_ONE)
      return lir_fsat(builder, value);

   lir_value least = lir_constf(builder, -1.0f);
   lir_value most = lir_constf(builder, 1.0f);
   lir_value raised = lir_fmax(builder, value, least);
   return lir_fmin(builder, raised, most);
}

static lir_value
saturate64(struct lower_context *context, lir_value value)
{
   struct lir_builder *builder = &context->builder;
   enum tg_saturate how = context->instruction->saturate;

   if (how == TG_SATURATE_NONE)
      return value;

   lir_value least =
      lir_constd(builder, how == TG_SATURATE_ZERO_ONE ? 0.0 : -1.0);
   lir_value most = lir_constd(builder, 1.0);
   lir_value raised = lir_dmax(builder, value, least);
   return lir_dmin(builder, raised, most);
}

static void
give(struct lower_context *context, unsigned dst, unsigned channel,
     lir_value value)
{
   assert(dst < TG_LENGTH(context->operands->given));
   context->operands->given[dst][channel] = value;
   context->operands->is_given[dst][channel] = true;
}

void
lower_dst(struct lower_context *context, unsigned dst, unsigned channel,
          lir_value value)
{
   enum tg_type type = context->info->dst_type;

   if (!lower_dst_writes(context, dst, channel))
      return;
   if (type == TG_TYPE_F32 || type == TG_TYPE_UNTYPED)
      value = saturate(context, value);
   if (lower_is_float_as_integer(context,
                                 context->instruction->dst[dst].reg.file, type))
      value = lir_i2f(&context->builder, value);
   give(context, dst, channel, value);
}

void
lower_dst_all(struct lower_context *context, unsigned dst, lir_value value)
{
   for (unsigned c = 0; c < 4; c++)
      lower_dst(context, dst, c, value);
}

void
lower_dst64(struct lower_context *context, unsigned dst, unsigned pair,
            lir_value value)
{
   struct lir_builder *builder = &context->builder;

   if (!lower_dst_writes_pair(context, dst, pair))
      return;
   if (context->info->dst_type == TG_TYPE_F64)
      value = saturate64(context, value);

   lir_value low = lir_lo64(builder, value);
   lir_value high = lir_hi64(builder, value);
   give(context, dst, pair * 2, low);
   give(context, dst, pair * 2 + 1, high);
}

static void
store_channel(struct lower_context *context, unsigned dst, unsigned channel)
{
   assert(dst < context->instruction->num_dst);
   assert(context->operands->is_given[dst][channel]);
   struct lir_builder *builder = &context->builder;
   const struct lower_operands *operands = context->operands;
   lir_value value = operands->given[dst][channel];
   bool is_guarded = context->instruction->has_predicate;

   if (is_guarded)
      lir_begin_if(builder, operands->guard[channel]);
   lower_store_location(context, &operands->dst[dst], channel, value);
   lower_trace_write(context, dst, channel, value);
   if (is_guarded)
      lir_end(builder);
}

void
lower_dst_commit(struct lower_context *context)
{
   struct lower_operands *operands = context->operands;

   for (unsigned d = 0; d < context->instruction->num_dst; d++) {
      for (unsigned c = 0; c < 4; c++) {
         if (operands->is_given[d][c] && lower_dst_writes(context, d, c))
            store_channel(context, d, c);
         operands->is_given[d][c] = false;
      }
   }
}
