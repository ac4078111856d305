/* SPDX-License-Identifier: MIT
 *
 * Dither by a pattern of 4 by 4 pixels.
 */
#include "lower/fixed_function/dither.h"

#include <assert.h>

#include "lower/fixed_function/texel.h"
#include "util/length.h"

/* Between -15 and 15 32nds of a step. The bits of x ^ y and y in turn, the
 * lowest first, make a number from 0 to 15 (Bayer, 1973): neighbours have far
 * ones, and each square of 2 by 2 has one of each quarter. */
static lir_value
threshold(struct lir_builder *builder, lir_value x, lir_value y)
{
   const lir_value one = lir_const32(builder, 1);
   const lir_value two = lir_const32(builder, 2);
   const lir_value three = lir_const32(builder, 3);
   const lir_value mixed = lir_ixor(builder, x, y);
   const lir_value mixed_low = lir_iand(builder, mixed, one);
   const lir_value y_low = lir_iand(builder, y, one);
   const lir_value mixed_high = lir_iand(builder, mixed, two);
   const lir_value y_high = lir_iand(builder, y, two);
   const lir_value eights = lir_ishl(builder, mixed_low, three);
   const lir_value fours = lir_ishl(builder, y_low, two);
   const lir_value ones = lir_ushr(builder, y_high, one);
   const lir_value high = lir_ior(builder, eights, fours);
   const lir_value low = lir_ior(builder, mixed_high, ones);
   const lir_value number = lir_ior(builder, high, low);
   const lir_value value = lir_u2f(builder, number);
   const lir_value scale = lir_constf(builder, 1.0f / 16);
   const lir_value middle = lir_constf(builder, 15.0f / 32);
   const lir_value share = lir_fmul(builder, value, scale);
   return lir_fsub(builder, share, middle);
}

/* The steps of a word's channel, or 0 if it is not dithered. */
static unsigned
num_steps(const struct format_info *info, unsigned word)
{
   const struct format_channel *channel = format_channel_of(info, word);
   if (info->layout != FORMAT_LAYOUT_PLAIN ||
       info->colorspace != FORMAT_COLORSPACE_RGB || !channel ||
       channel->type != FORMAT_TYPE_UNORM || channel->bits >= 8)
      return 0;
   return (unsigned)format_greatest(channel);
}

bool
lower_dithers(enum tg_format format)
{
   bool found = false;
   for (unsigned i = 0; i < 4; i++)
      found |= num_steps(format_info(format), i) > 0;
   return found;
}

void
lower_dither(struct lir_builder *builder, enum tg_format format, lir_value x,
             lir_value y, lir_value color[4])
{
   const struct format_info *info = format_info(format);
   for (unsigned i = 0; i < 4; i++) {
      const unsigned steps = num_steps(info, i);
      if (!steps)
         continue;
      const lir_value share = threshold(builder, x, y);
      const lir_value step = lir_constf(builder, 1.0f / (float)steps);
      const lir_value clamped = lir_fsat(builder, color[i]);
      const lir_value way = lir_fmul(builder, share, step);
      color[i] = lir_fadd(builder, clamped, way);
   }
}
