/* SPDX-License-Identifier: MIT
 *
 * Effects happen in live lanes alone, and where the predicate of the
 * instruction holds.
 */
#include "lower/memory/object.h"
#include "lower/operands/operands.h"

/* Only fragments have helpers. */
static bool
may_have_helpers(const struct lower_context *context)
{
   return context->shader->processor == TG_PROCESSOR_FRAG;
}

bool
lower_has_effect_everywhere(const struct lower_context *context)
{
   return !may_have_helpers(context) && !context->instruction->has_predicate;
}

void
lower_begin_effect(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;

   if (may_have_helpers(context))
      lir_begin_if(builder, lir_live(builder));
   if (context->instruction->has_predicate)
      lir_begin_if(builder, lower_operands_predicate(context, channel));
}

void
lower_end_effect(struct lower_context *context)
{
   if (context->instruction->has_predicate)
      lir_end(&context->builder);
   if (may_have_helpers(context))
      lir_end(&context->builder);
}
