/* SPDX-License-Identifier: MIT
 *
 * Decoding of compressed blocks: the choice of the decoder, and of what is kept
 * of its texels.
 */
#include <assert.h>
#include <string.h>

#include "format/blocks.h"

static format_block_decoder *const decoders[FORMAT_NUM_LAYOUTS] = {
   [FORMAT_LAYOUT_SUBSAMPLED] = format_decode_pair,
   [FORMAT_LAYOUT_DXT1] = format_decode_dxt1,
   [FORMAT_LAYOUT_DXT3] = format_decode_dxt3,
   [FORMAT_LAYOUT_DXT5] = format_decode_dxt5,
   [FORMAT_LAYOUT_RGTC_UNORM] = format_decode_rgtc_unorm,
   [FORMAT_LAYOUT_RGTC_SNORM] = format_decode_rgtc_snorm,
   [FORMAT_LAYOUT_ETC2_RGB] = format_decode_etc2_rgb,
   [FORMAT_LAYOUT_ETC2_RGBA1] = format_decode_etc2_rgba1,
   [FORMAT_LAYOUT_ETC2_RGBA] = format_decode_etc2_rgba,
   [FORMAT_LAYOUT_EAC_UNORM] = format_decode_eac_unorm,
   [FORMAT_LAYOUT_EAC_SNORM] = format_decode_eac_snorm,
   [FORMAT_LAYOUT_BPTC_UNORM] = format_decode_bptc_unorm,
   [FORMAT_LAYOUT_BPTC_FLOAT] = format_decode_bptc_float,
   [FORMAT_LAYOUT_BPTC_UFLOAT] = format_decode_bptc_ufloat,
   [FORMAT_LAYOUT_ASTC] = format_decode_astc,
};

/* Four bytes: two of them belong to one texel each. */
void
format_decode_pair(const struct format_info *info, const uint8_t *block,
                   uint8_t *texels)
{
   const uint8_t *swizzle = info->swizzle;
   const unsigned left = 6u - swizzle[0] - swizzle[1] - swizzle[2];
   for (unsigned i = 0; i < 3; i++) {
      const bool is_own = swizzle[i] == left - 2;
      texels[i] = block[swizzle[i]];
      texels[4 + i] = block[is_own ? left : swizzle[i]];
   }
   texels[3] = texels[7] = 0;
}

static uint32_t
least(uint32_t a, uint32_t b)
{
   return a < b ? a : b;
}

void
format_decode(enum tg_format format, const void *blocks, size_t block_stride,
              void *texels, size_t texel_stride, uint32_t width,
              uint32_t height)
{
   const struct format_info *info = format_info(format);
   const size_t bytes = format_info(info->decoded)->block_bytes;
   const size_t row_bytes = info->block_width * bytes;
   uint8_t decoded[FORMAT_MAX_BLOCK_TEXELS * FORMAT_MAX_TEXEL_BYTES];
   assert(decoders[info->layout]);

   for (uint32_t y = 0; y < height; y += info->block_height) {
      const uint8_t *block =
         (const uint8_t *)blocks + y / info->block_height * block_stride;
      const uint32_t rows = least(height - y, info->block_height);
      for (uint32_t x = 0; x < width; x += info->block_width) {
         uint8_t *to = (uint8_t *)texels + y * texel_stride + x * bytes;
         const uint32_t columns = least(width - x, info->block_width);
         decoders[info->layout](info, block, decoded);
         for (uint32_t row = 0; row < rows; row++)
            memcpy(to + row * texel_stride, decoded + row * row_bytes,
                   columns * bytes);
         block += info->block_bytes;
      }
   }
}
