/* SPDX-License-Identifier: MIT
 *
 * What lies beyond a texture: the sampler's border colour, as a texel of the
 * view's format would have it.
 */
#include <assert.h>

#include "format/format.h"
#include "lower/math/math.h"
#include "lower/sample/parts.h"
#include "util/length.h"

/* The component of the border colour that a component of a texel comes from:
 * the first of those that the format reads from the same channel, so that
 * luminance is red, as OpenGL says. Depth and stencil are red, too. */
static unsigned
border_component(const struct format_info *format, unsigned component)
{
   assert(component < TG_LENGTH(format->swizzle));
   return format_word_of(format, format->swizzle[component]);
}

bool
sample_border_is_absent(const struct sample *sample, unsigned component)
{
   const struct format_info *format = format_info(sample->view->format);

   assert(component < TG_LENGTH(format->swizzle));
   return format->swizzle[component] == FORMAT_SWIZZLE_0 ||
          format->swizzle[component] == FORMAT_SWIZZLE_1;
}

/* The channel that holds a component; that of NORMAL is as the others. */
static const struct format_channel *
holding_channel(const struct format_info *format, unsigned component)
{
   const struct format_channel *channel = format_channel_of(format, component);
   return channel ? channel : &format->channel[0];
}

/* A component of the border colour within what the texel's channel can hold:
 * OpenGL 4.6, 8.14.2. A float is taken as it is. */
static lir_value
emit_held(struct lir_builder *builder, const struct format_channel *channel,
          lir_value x)
{
   switch ((enum format_type)channel->type) {
   case FORMAT_TYPE_UNORM: return lower_math_clamp(builder, x, 0.0f, 1.0f);
   case FORMAT_TYPE_SNORM: return lower_math_clamp(builder, x, -1.0f, 1.0f);
   case FORMAT_TYPE_UINT: {
      const uint64_t greatest = format_greatest(channel);
      const lir_value most = lir_const32(builder, (uint32_t)greatest);
      return lir_umin(builder, x, most);
   }
   case FORMAT_TYPE_SINT: {
      const int32_t greatest = (int32_t)format_greatest(channel);
      return lower_math_clamp_int(builder, x, -greatest - 1, greatest);
   }
   default: return x;
   }
}

void
sample_find_border(const struct sample *sample, lir_value border_out[4])
{
   struct lir_builder *builder = sample->builder;
   const struct format_info *format = format_info(sample->view->format);

   for (unsigned c = 0; c < 4; c++) {
      const bool is_one = format->swizzle[c] == FORMAT_SWIZZLE_1;
      if (!sample_border_is_absent(sample, c)) {
         const lir_value given = sample_sampler_word(
            sample, ABI_SAMPLER_BORDER + border_component(format, c));
         border_out[c] = emit_held(builder, holding_channel(format, c), given);
      } else if (sample->is_integer)
         border_out[c] = lir_const32(builder, is_one);
      else
         border_out[c] = lir_constf(builder, is_one ? 1.0f : 0.0f);
   }
}
