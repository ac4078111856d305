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
      if (!lower_dst_writes(context, 0, channel))
         continue;
      lir_value value = formula(context, channel);
      lower_dst(context, 0, channel, value);
   }
}

void
lower_each_pair(struct lower_context *context, lower_formula formula)
{
   for (unsigned pair = 0; pair < 2; pair++) {
      if (!lower_dst_writes_pair(context, 0, pair))
         continue;
      lir_value value = formula(context, pair);
      lower_dst64(context, 0, pair, value);
   }
}
