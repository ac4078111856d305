/* SPDX-License-Identifier: MIT
 *
 * Tracing: the events, as trace operations and their numbers.
 */
#include "lower/operands/trace.h"

#include <assert.h>

#include "lower/operands/location.h"
#include "lower/operands/operands.h"

static void
trace(struct lower_context *context, enum abi_event event, unsigned detail,
      lir_value value)
{
   lir_trace(&context->builder,
             ABI_TAG(event, context->instruction_index, detail), value);
}

static void
trace_brackets(struct lower_context *context, unsigned operand,
               const struct tg_register *reg)
{
   if (reg->index.indirect)
      trace(context, ABI_EVENT_INDEX, operand << 1,
            lower_index_location(context, &reg->index));
   if (reg->has_dimension && reg->dimension.indirect)
      trace(context, ABI_EVENT_INDEX, operand << 1 | 1,
            lower_index_location(context, &reg->dimension));
}

static void
trace_guards(struct lower_context *context)
{
   for (unsigned c = 0; c < 4; c++) {
      lir_value word =
         lir_b2i(&context->builder, lower_operands_predicate(context, c));

      trace(context, ABI_EVENT_GUARD, c, word);
   }
}

/* Only in fragment shaders are there lanes that are not live. */
static lir_value
live_lanes(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;

   if (context->shader->processor != TG_PROCESSOR_FRAG)
      return lir_const32(builder, UINT32_MAX);
   return lir_b2i(builder, lir_live(builder));
}

void
lower_trace_step(struct lower_context *context)
{
   const struct tg_instruction *instruction = context->instruction;

   if (!context->options->check)
      return;
   for (unsigned s = 0; s < instruction->num_src; s++)
      trace_brackets(context, s, &instruction->src[s].reg);
   for (unsigned d = 0; d < instruction->num_dst; d++)
      trace_brackets(context, TG_MAX_SRC + d, &instruction->dst[d].reg);
   if (instruction->has_predicate)
      trace_guards(context);
   trace(context, ABI_EVENT_STEP, 0, live_lanes(context));
}

void
lower_trace_choice(struct lower_context *context, unsigned channel,
                   lir_value condition, unsigned first, unsigned second)
{
   assert(channel < 4);
   assert(first < 8);
   if (context->options->check)
      trace(context, ABI_EVENT_CHOICE, second << 5 | first << 2 | channel,
            lir_b2i(&context->builder, condition));
}

void
lower_trace_write(struct lower_context *context, unsigned dst, unsigned channel,
                  lir_value value)
{
   assert(channel < 4);
   if (context->options->trace || context->options->check)
      trace(context, ABI_EVENT_WRITE, dst << 2 | channel, value);
}

void
lower_trace_word(struct lower_context *context, enum abi_access_kind kind,
                 enum lir_space space, uint32_t binding, lir_value word)
{
   if (context->options->check)
      trace(context, ABI_EVENT_ACCESS,
            ABI_ACCESS(kind, sizeof(uint32_t), 1, space, binding), word);
}

void
lower_trace_coordinate(struct lower_context *context, unsigned number,
                       lir_value value)
{
   assert(number < 4);
   if (context->options->check)
      trace(context, ABI_EVENT_COORDINATE, number, value);
}

void
lower_trace_units(struct lower_context *context, enum abi_access_kind kind,
                  uint32_t binding, unsigned unit, unsigned num_units,
                  lir_value index, lir_value is_inside)
{
   struct lir_builder *builder = &context->builder;

   if (!context->options->check)
      return;

   lir_value outside = lir_const32(builder, UINT32_MAX);
   lir_value at = lir_sel32(builder, is_inside, index, outside);
   trace(context, ABI_EVENT_ACCESS,
         ABI_ACCESS(kind, unit, num_units, LIR_SPACE_IMAGE, binding), at);
}

void
lower_trace_no_texel(struct lower_context *context, enum abi_access_kind kind,
                     uint32_t binding)
{
   if (context->options->check)
      trace(context, ABI_EVENT_ACCESS,
            ABI_ACCESS(kind, 0, 0, LIR_SPACE_IMAGE, binding),
            lir_const32(&context->builder, UINT32_MAX));
}
