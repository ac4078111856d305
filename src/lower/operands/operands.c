/* SPDX-License-Identifier: MIT
 *
 * From registers to operands: swizzles, modifiers, predicates, saturation and
 * write masks.
 *
 * Registers are found before the lowering function runs and written after it,
 * so an instruction that overwrites its own sources, or its own address
 * register, sees them as they were.
 */
#include "lower/operands/operands.h"

#include <assert.h>

#include "tgsi/analysis/reads.h"

#include "lower/operands/trace.h"
#include "util/length.h"

struct lower_operands {
   struct lower_location src[TG_MAX_SRC];
   struct lower_location dst[TG_MAX_DST];
   lir_value guard[4]; /* of the predicate, by channel written */

   /* What the lowering function gave: saturated, not yet masked. */
   lir_value given[TG_MAX_DST][4];
   bool is_given[TG_MAX_DST][4];
};

bool
lower_operands_create(struct lower_context *context)
{
   context->operands =
      tg_arena_alloc(context->arena, sizeof(*context->operands));
   return context->operands != NULL;
}

/* ---- the instruction at hand --------------------------------------------- */

/* One truth value for each channel: is a bit of the predicate set? */
static void
read_predicate(struct lower_context *context)
{
   const struct tg_instruction *instruction = context->instruction;
   struct lir_builder *builder = &context->builder;
   struct tg_register reg = {
      .file = TG_FILE_PRED,
      .index = {.offset = instruction->predicate_index},
   };
   struct lower_location location = lower_locate(context, &reg);

   for (unsigned c = 0; c < 4; c++) {
      lir_value word = lower_load_location(context, &location,
                                           instruction->predicate_swizzle[c]);
      lir_value guard = lir_i2b(builder, word);

      if (instruction->predicate_negate)
         guard = lir_bnot(builder, guard);
      context->operands->guard[c] = guard;
   }
}

void
lower_begin_instruction(struct lower_context *context, uint32_t index)
{
   assert(index < context->shader->num_instructions);
   const struct tg_instruction *instruction =
      &context->shader->instructions[index];
   struct lower_operands *operands = context->operands;

   context->instruction = instruction;
   context->instruction_index = index;
   context->info = tg_instruction_row(context->shader, instruction);
   context->builder.origin = index;

   *operands = (struct lower_operands){0};
   for (unsigned s = 0; s < instruction->num_src; s++)
      operands->src[s] = lower_locate(context, &instruction->src[s].reg);
   for (unsigned d = 0; d < instruction->num_dst; d++)
      operands->dst[d] = lower_locate(context, &instruction->dst[d].reg);
   if (instruction->has_predicate)
      read_predicate(context);
   lower_trace_step(context);
}

const struct lower_location *
lower_dst_location(const struct lower_context *context, unsigned dst)
{
   assert(dst < context->instruction->num_dst);
   return &context->operands->dst[dst];
}

lir_value
lower_guard(const struct lower_context *context, unsigned channel)
{
   assert(channel < TG_LENGTH(context->operands->guard));
   return context->operands->guard[channel];
}

/* ---- what address registers hold ----------------------------------------- */

/* An operand of integers that is an address register holding floats. Opcodes
 * for address registers know what these hold, others are to see integers. */
static bool
is_float_as_integer(const struct lower_context *context, enum tg_file file,
                    enum tg_type type)
{
   return file == TG_FILE_ADDR &&
          (type == TG_TYPE_I32 || type == TG_TYPE_U32) &&
          context->info->group != TG_GROUP_ADDRESS &&
          lower_address_holds_floats(context);
}

/* ---- reading ------------------------------------------------------------- */

lir_value
lower_src_bare(struct lower_context *context, unsigned src, unsigned channel)
{
   const struct tg_src *operand = &context->instruction->src[src];

   assert(channel < TG_LENGTH(operand->swizzle));
   return lower_load_location(context, &context->operands->src[src],
                              operand->swizzle[channel]);
}

lir_value
lower_modify_float(struct lower_context *context, unsigned src, lir_value value)
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
   if (is_float_as_integer(context, operand->reg.file, type))
      value = lir_f2i(builder, value);

   switch (type) {
   case TG_TYPE_UNTYPED:
   case TG_TYPE_F32:
   case TG_TYPE_IN: return lower_modify_float(context, src, value);
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

/* ---- writing ------------------------------------------------------------- */

bool
lower_writes(const struct lower_context *context, unsigned dst,
             unsigned channel)
{
   assert(channel < 4);
   return dst < context->instruction->num_dst &&
          context->instruction->dst[dst].writemask & 1u << channel;
}

bool
lower_writes_pair(const struct lower_context *context, unsigned dst,
                  unsigned pair)
{
   assert(pair < 2);
   return lower_writes(context, dst, pair * 2) ||
          lower_writes(context, dst, pair * 2 + 1);
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

   if (!lower_writes(context, dst, channel))
      return;
   if (type == TG_TYPE_F32 || type == TG_TYPE_UNTYPED)
      value = saturate(context, value);
   if (is_float_as_integer(context, context->instruction->dst[dst].reg.file,
                           type))
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

   if (!lower_writes_pair(context, dst, pair))
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
lower_commit(struct lower_context *context)
{
   struct lower_operands *operands = context->operands;

   for (unsigned d = 0; d < context->instruction->num_dst; d++) {
      for (unsigned c = 0; c < 4; c++) {
         if (operands->is_given[d][c] && lower_writes(context, d, c))
            store_channel(context, d, c);
         operands->is_given[d][c] = false;
      }
   }
}
