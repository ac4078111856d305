/* SPDX-License-Identifier: MIT
 *
 * See each.h.
 */
#include "lower/operands/each.h"

#include <assert.h>

void
lower_each_channel(struct lower_context *context, lower_formula formula)
{
   for (unsigned channel = 0; channel < 4; channel++) {
      if (!lower_writes(context, 0, channel))
         continue;
      lir_value value = formula(context, channel);
      lower_dst(context, 0, channel, value);
   }
}

void
lower_each_pair(struct lower_context *context, lower_formula formula)
{
   for (unsigned pair = 0; pair < 2; pair++) {
      if (!lower_writes_pair(context, 0, pair))
         continue;
      lir_value value = formula(context, pair);
      lower_dst64(context, 0, pair, value);
   }
}

lir_value
lower_src_in_turn(struct lower_context *context, unsigned src, unsigned pair)
{
   assert(pair < 2);
   const bool is_in_turn = context->shader->quirks & TG_QUIRK_PAIRS_IN_TURN;
   const bool is_first = is_in_turn && !lower_writes_pair(context, 0, 0);

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
