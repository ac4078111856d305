/* SPDX-License-Identifier: MIT
 *
 * Format capabilities: what each format can be used for. All that refuse a
 * format ask here.
 */
#include "format/format.h"
#include "tungsten/resource.h"

uint32_t
format_uses(enum tg_format format)
{
   const struct format_info *info = format_info(format);
   const bool is_plain = info->layout == FORMAT_LAYOUT_PLAIN;
   const bool is_float = info->class == FORMAT_CLASS_FLOAT;
   uint32_t uses = TG_FORMAT_USE_TRANSFER | TG_FORMAT_USE_SAMPLED;
   if (info->layout == FORMAT_LAYOUT_NONE)
      return 0;
   if (is_float)
      uses |= TG_FORMAT_USE_FILTERED;
   if (format_is_compressed(format))
      return uses;
   uses |= TG_FORMAT_USE_TEXEL_BUFFER | TG_FORMAT_USE_IMAGE |
           TG_FORMAT_USE_MULTISAMPLE;
   if (is_float)
      uses |= TG_FORMAT_USE_MIPMAPS;
   if (info->colorspace == FORMAT_COLORSPACE_ZS) {
      if (format_has_depth(format))
         uses |= TG_FORMAT_USE_DEPTH;
      if (format_has_stencil(format))
         uses |= TG_FORMAT_USE_STENCIL;
      return uses;
   }
   uses |= TG_FORMAT_USE_VERTEX;
   if (is_plain)
      uses |= TG_FORMAT_USE_RENDERED;
   if (is_plain && is_float)
      uses |= TG_FORMAT_USE_BLENDED;
   return uses;
}
