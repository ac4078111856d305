/* SPDX-License-Identifier: MIT
 *
 * Decoders of one compressed block, for decode.c: one a layout. Each writes all
 * texels of the block, rows without gaps, in the format that format_decoded()
 * names. All of them take any bytes.
 */
#ifndef TG_FORMAT_BLOCKS_H
#define TG_FORMAT_BLOCKS_H

#include <assert.h>
#include <stdint.h>

#include "format/format.h"

enum {
   FORMAT_MAX_BLOCK_TEXELS = 12 * 12,
   FORMAT_MAX_TEXEL_BYTES = 8, /* of a decoded texel */
};

typedef void
format_block_decoder(const struct format_info *info, const uint8_t *block,
                     uint8_t *texels);

format_block_decoder format_decode_pair;
format_block_decoder format_decode_dxt1;
format_block_decoder format_decode_dxt3;
format_block_decoder format_decode_dxt5;
format_block_decoder format_decode_rgtc_unorm;
format_block_decoder format_decode_rgtc_snorm;
format_block_decoder format_decode_etc2_rgb;
format_block_decoder format_decode_etc2_rgba1;
format_block_decoder format_decode_etc2_rgba;
format_block_decoder format_decode_eac_unorm;
format_block_decoder format_decode_eac_snorm;
format_block_decoder format_decode_bptc_unorm;
format_block_decoder format_decode_bptc_float;
format_block_decoder format_decode_bptc_ufloat;
format_block_decoder format_decode_astc;

/* `count` bits, up to 32, of a block as a little-endian number. */
static inline uint32_t
format_bits(const uint8_t *block, unsigned first, unsigned count)
{
   assert(count <= 32);
   uint64_t bits = 0;
   for (unsigned i = first / 8; i * 8 < first + count; i++)
      bits |= (uint64_t)block[i] << ((i - first / 8) * 8);
   return (uint32_t)(bits >> first % 8 & ((UINT64_C(1) << count) - 1));
}

/* Clamps to [0, 255]. */
static inline uint8_t
format_clamp255(int value)
{
   return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* The palette of a block of RGTC, and of the alpha of DXT5, in 35ths of the end
 * points' unit: eight from end to end, or six and the two ends of the range. */
void
format_rgtc_ramp(const int ends[2], bool has_eight, const int range[2],
                 int ramp_out[8]);

/* Decodes the alpha of ETC2_RGBA, into every fourth byte. */
void
format_decode_eac_alpha(const uint8_t *block, uint8_t *texels);

#endif
