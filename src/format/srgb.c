/* SPDX-License-Identifier: MIT
 *
 * Codes of sRGB to linear values, and back, by the tables of srgb.def.
 */
#include "format/srgb.h"

#include "format/channel.h"
#include "util/bits.h"

const uint32_t format_srgb[FORMAT_SRGB_WORDS] = {
#include "format/srgb.def"
};

float
format_srgb_to_float(unsigned bits, uint32_t code)
{
   return tg_float_of_bits(format_srgb[format_srgb_decode(bits) + code]);
}

/* NaN is nearest to nothing and becomes 0. */
uint32_t
format_srgb_from_float(unsigned bits, float value)
{
   const uint32_t *least = &format_srgb[format_srgb_encode(bits)];
   uint32_t code = 0;
   for (uint32_t step = 1u << (bits - 1); step; step /= 2)
      if (value >= tg_float_of_bits(least[code + step]))
         code += step;
   return code;
}
