/* SPDX-License-Identifier: MIT
 *
 * RGTC and LATC, as the Khronos Data Format specification has them. Each
 * component has 64 bits: two end points of a byte, then a code of 3 bits a
 * texel. What lies between two end points becomes the nearest float.
 */
#include <string.h>

#include "format/blocks.h"

void
format_rgtc_ramp(const int ends[2], bool has_eight, const int range[2],
                 int ramp_out[8])
{
   const int steps = has_eight ? 7 : 5;
   ramp_out[0] = ends[0] * 35;
   ramp_out[1] = ends[1] * 35;
   for (int i = 1; i < steps; i++)
      ramp_out[i + 1] = ((steps - i) * ends[0] + i * ends[1]) * (35 / steps);
   if (!has_eight) {
      ramp_out[6] = range[0] * 35;
      ramp_out[7] = range[1] * 35;
   }
}

/* Numerators and denominator are floats, so the quotient is rounded once. */
static void
decode_component(const uint8_t *block, const int ramp[8], int most,
                 uint8_t *texels, unsigned stride)
{
   for (unsigned i = 0; i < 16; i++) {
      const int value = ramp[format_bits(block, 16 + i * 3, 3)];
      const float quotient = (float)value / (float)(35 * most);
      memcpy(texels + i * stride, &quotient, sizeof(quotient));
   }
}

/* One component, or two one after the other. */

void
format_decode_rgtc_unorm(const struct format_info *info, const uint8_t *block,
                         uint8_t *texels)
{
   static const int range[2] = {0, 255};
   const unsigned num = info->block_bytes / 8u;
   for (unsigned c = 0; c < num; c++, block += 8) {
      const int ends[2] = {block[0], block[1]};
      int ramp[8];
      format_rgtc_ramp(ends, ends[0] > ends[1], range, ramp);
      decode_component(block, ramp, 255, texels + c * 4, num * 4);
   }
}

/* -128 means -1.0 as -127 does, but is compared as what it is. */
void
format_decode_rgtc_snorm(const struct format_info *info, const uint8_t *block,
                         uint8_t *texels)
{
   static const int range[2] = {-127, 127};
   const unsigned num = info->block_bytes / 8u;
   for (unsigned c = 0; c < num; c++, block += 8) {
      const int first = (int8_t)block[0], second = (int8_t)block[1];
      const int ends[2] = {first < -127 ? -127 : first,
                           second < -127 ? -127 : second};
      int ramp[8];
      format_rgtc_ramp(ends, first > second, range, ramp);
      decode_component(block, ramp, 127, texels + c * 4, num * 4);
   }
}
