/* SPDX-License-Identifier: MIT
 *
 * Texture opcodes: what they read and write is worked out here, what happens in
 * between is the stage's.
 */
#include "lower/context.h"

/* Puts the channels of the sources that have values into `values`. */
static void
read_values(struct lower_context *context, lir_value values[TG_MAX_SRC][4])
{
   unsigned count = 0;

   for (unsigned s = 0; s < context->instruction->num_src; s++) {
      if (tg_type_is_object(context->info->src_type[s]))
         continue;
      for (unsigned c = 0; c < 4; c++)
         values[count][c] = lower_src(context, s, c);
      count++;
   }
}

void
lower_op_texture(struct lower_context *context)
{
   const struct lower_stage *stage = context->options->stage;
   lir_value values[TG_MAX_SRC + 1][4] = {{{0}}};
   lir_value texel[4] = {{0}};

   read_values(context, values);
   if (!stage || !stage->texture ||
       !stage->texture(stage->user, &context->builder, context->instruction,
                       values[0], (const lir_value(*)[4]) & values[1], texel)) {
      lower_error(context, TG_ERROR_UNSUPPORTED, "unsupported-opcode",
                  "%s is not supported here", context->info->name);
      return;
   }
   for (unsigned c = 0; c < 4; c++)
      lower_dst(context, 0, c, texel[c]);
}
