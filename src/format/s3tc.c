/* SPDX-License-Identifier: MIT
 *
 * S3TC (DXT1, DXT3, DXT5), as the Khronos Data Format specification has it:
 *
 *   bits 0-15    first colour, 5 bits of blue, 6 of green, 5 of red
 *   bits 16-31   second colour
 *   bits 32-63   a code of 2 bits a texel
 *
 * DXT3 and DXT5 have 64 bits of alpha before that. The values in between are
 * real numbers; they become the nearest of 8 bits, halves going up.
 */
#include "format/blocks.h"

/* ---- colours ------------------------------------------------------------- */

/* 255 * numerator / denominator, to nearest. */
static uint8_t
nearest255(unsigned numerator, unsigned denominator)
{
   return (uint8_t)((2 * 255 * numerator + denominator) / (2 * denominator));
}

/* a * first + b * second, over a + b. */
static void
mix(const unsigned first[3], const unsigned second[3], unsigned a, unsigned b,
    uint8_t color_out[4])
{
   static const unsigned most[3] = {31, 63, 31};
   for (unsigned i = 0; i < 3; i++)
      color_out[i] =
         nearest255(a * first[i] + b * second[i], (a + b) * most[i]);
   color_out[3] = 255;
}

static void
split565(uint32_t color, unsigned rgb_out[3])
{
   rgb_out[0] = color >> 11;
   rgb_out[1] = color >> 5 & 63;
   rgb_out[2] = color & 31;
}

/* Only DXT1 has three colours and a transparent black. */
static void
make_palette(const uint8_t *block, bool has_black, uint8_t palette[4][4])
{
   const uint32_t first = format_bits(block, 0, 16);
   const uint32_t second = format_bits(block, 16, 16);
   unsigned a[3], b[3];
   split565(first, a);
   split565(second, b);
   mix(a, b, 1, 0, palette[0]);
   mix(a, b, 0, 1, palette[1]);
   if (has_black && first <= second) {
      mix(a, b, 1, 1, palette[2]);
      for (unsigned i = 0; i < 4; i++)
         palette[3][i] = 0;
   } else {
      mix(a, b, 2, 1, palette[2]);
      mix(a, b, 1, 2, palette[3]);
   }
}

static void
decode_colors(const uint8_t *block, bool has_black, uint8_t *texels)
{
   uint8_t palette[4][4];
   make_palette(block, has_black, palette);
   for (unsigned i = 0; i < 16; i++) {
      const uint8_t *color = palette[format_bits(block, 32 + i * 2, 2)];
      for (unsigned c = 0; c < 4; c++)
         texels[i * 4 + c] = color[c];
   }
}

/* ---- blocks -------------------------------------------------------------- */

void
format_decode_dxt1(const struct format_info *info, const uint8_t *block,
                   uint8_t *texels)
{
   (void)info;
   decode_colors(block, true, texels);
}

void
format_decode_dxt3(const struct format_info *info, const uint8_t *block,
                   uint8_t *texels)
{
   (void)info;
   decode_colors(block + 8, false, texels);
   for (unsigned i = 0; i < 16; i++)
      texels[i * 4 + 3] = (uint8_t)(format_bits(block, i * 4, 4) * 17);
}

void
format_decode_dxt5(const struct format_info *info, const uint8_t *block,
                   uint8_t *texels)
{
   static const int range[2] = {0, 255};
   const int ends[2] = {block[0], block[1]};
   int ramp[8];
   (void)info;
   decode_colors(block + 8, false, texels);
   format_rgtc_ramp(ends, ends[0] > ends[1], range, ramp);
   for (unsigned i = 0; i < 16; i++) {
      const int value = ramp[format_bits(block, 16 + i * 3, 3)];
      texels[i * 4 + 3] = (uint8_t)((2 * value + 35) / 70);
   }
}
