/* SPDX-License-Identifier: MIT
 *
 * Packing and unpacking one pixel.
 */
#include "gpu/pixel.h"

#include <string.h>

#include "format/format.h"

bool
gpu_format_is_supported(enum tg_format format)
{
   const struct format_info *info = format_info(format);
   return info->layout == FORMAT_LAYOUT_PLAIN &&
          info->class == FORMAT_CLASS_FLOAT &&
          info->colorspace != FORMAT_COLORSPACE_SRGB && info->unit == 4 &&
          info->num_units <= 4;
}

void
gpu_pixel_unpack(enum tg_format format, const uint32_t *words, float color[4])
{
   uint32_t texel[4];
   format_unpack(format, words, texel);
   memcpy(color, texel, sizeof(texel));
}

void
gpu_pixel_pack(enum tg_format format, const float color[4], uint32_t *words)
{
   uint32_t texel[4];
   memcpy(texel, color, sizeof(texel));
   format_pack(format, texel, words);
}
