/* SPDX-License-Identifier: MIT
 *
 * From registers to operands, and the predicate.
 *
 * Registers are found before the lowering function runs and written after it,
 * so an instruction that overwrites its own sources, or its own address
 * register, sees them as they were.
 */
#include "lower/operands/operands.h"

#include <assert.h>

#include "tgsi/analysis/instruction.h"

#include "lower/operands/trace.h"
#include "util/length.h"

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
lower_operands_begin(struct lower_context *context, uint32_t index)
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

lir_value
lower_operands_predicate(const struct lower_context *context, unsigned channel)
{
   assert(channel < TG_LENGTH(context->operands->guard));
   return context->operands->guard[channel];
}
