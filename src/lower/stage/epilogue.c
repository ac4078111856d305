/* SPDX-License-Identifier: MIT
 *
 * What comes after a shader's own code: outputs go to the stage's function, or
 * to lane memory.
 */
#include "lower/stage/prologue.h"

#include "lower/operands/location.h"
#include "lower/operands/registers.h"

void
lower_epilogue_store_outputs(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;

   for (uint32_t r = 0; r < context->registers->layout.num_outputs; r++) {
      if (!context->registers->is_own_output[r])
         continue;

      struct lower_location location =
         lower_locate_direct(context, TG_FILE_OUT, r);
      for (unsigned c = 0; c < 4; c++) {
         lir_value value = lower_load_location(context, &location, c);
         lir_value word = lir_const32(builder, r * 4 + c);

         lir_store32(builder, LIR_SPACE_OUTPUT, 0, word, value);
      }
   }
}

static void
give_outputs(struct lower_context *context)
{
   const struct lower_stage *stage = context->options->stage;
   uint32_t num_outputs = context->registers->layout.num_outputs;
   uint32_t vars[ABI_MAX_OUTPUTS][4];

   for (uint32_t r = 0; r < num_outputs; r++) {
      bool is_own = context->registers->is_own_output[r];
      struct lower_location location =
         lower_locate_direct(context, TG_FILE_OUT, r);

      for (unsigned c = 0; c < 4; c++) {
         vars[r][c] = is_own ? lower_register_var(context, TG_FILE_OUT, r, c)
                             : LOWER_NO_VAR;
         if (!is_own || location.kind == LOWER_LOCATION_VARIABLE)
            continue;

         lir_value value = lower_load_location(context, &location, c);
         lir_setvar(&context->builder, vars[r][c], value);
      }
   }
   stage->epilogue(stage->user, &context->builder, (const uint32_t(*)[4])vars,
                   num_outputs);
}

void
lower_epilogue(struct lower_context *context)
{
   if (context->options->stage && context->options->stage->epilogue)
      give_outputs(context);
   else
      lower_epilogue_store_outputs(context);
}
