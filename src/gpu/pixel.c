/* SPDX-License-Identifier: MIT
 *
 * Packing and unpacking one pixel.
 */
#include "gpu/pixel.h"

#include <math.h>
#include <string.h>

#include "lower/texel.h"

void
gpu_pixel_unpack(enum tg_format format, const uint32_t *words, float color[4])
{
   const struct lower_texel_layout layout = lower_texel_layout(format);
   color[0] = color[1] = color[2] = 0.0f;
   color[3] = 1.0f;
   if (layout.kind == LOWER_TEXEL_UNORM8) {
      for (unsigned i = 0; i < 4; i++)
         color[i] = (float)(words[0] >> (i * 8) & 0xff) / 255.0f;
      return;
   }
   memcpy(color, words, layout.num_channels * sizeof(*color));
}

/* NaN counts as 0. Below 2^23, nearbyint is ties to even. */
static uint32_t
pack_unorm8(float value)
{
   const float above = value > 0.0f ? value : 0.0f;
   const float clamped = above < 1.0f ? above : 1.0f;
   return (uint32_t)nearbyintf(clamped * 255.0f);
}

void
gpu_pixel_pack(enum tg_format format, const float color[4], uint32_t *words)
{
   const struct lower_texel_layout layout = lower_texel_layout(format);
   if (layout.kind == LOWER_TEXEL_UNORM8) {
      words[0] = 0;
      for (unsigned i = 0; i < 4; i++)
         words[0] |= pack_unorm8(color[i]) << (i * 8);
      return;
   }
   memcpy(words, color, layout.num_channels * sizeof(*color));
}
