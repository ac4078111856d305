/* SPDX-License-Identifier: MIT
 *
 * Conversion of one channel, between its bits and a float, as format.h says.
 * Written as the definitions read, in exact steps of IEEE arithmetic: this is
 * what LIR's shorter ways are measured by.
 */
#ifndef TG_FORMAT_CHANNEL_H
#define TG_FORMAT_CHANNEL_H

#include <stdint.h>

#include "format/format.h"

/* Converts bits of a channel to a float, and back: of UNORM, SNORM, USCALED,
 * SSCALED, FLOAT and FIXED channels. */
float
format_channel_to_float(const struct format_channel *channel, uint64_t bits);
uint64_t
format_channel_from_float(const struct format_channel *channel, float value);

/* Converts bits of UINT and SINT channels to the word that a shader sees, and
 * back. */
uint32_t
format_channel_to_integer(const struct format_channel *channel, uint64_t bits);
uint64_t
format_channel_from_integer(const struct format_channel *channel,
                            uint32_t value);

/* Converts an sRGB code of 5, 6 or 8 bits to its linear value, and back. */
float
format_srgb_to_float(unsigned bits, uint32_t code);
uint32_t
format_srgb_from_float(unsigned bits, float value);

/* Converts three mantissas that share an exponent to floats, and back, of a
 * format that has them. */
void
format_shared_channels_to_floats(const struct format_info *info,
                                 const uint32_t bits[4], float rgb_out[3]);
void
format_shared_channels_from_floats(const struct format_info *info,
                                   const float rgb[3], uint32_t bits_out[4]);

/* The greatest float that these can be. */
float
format_shared_channels_greatest(const struct format_info *info);

#endif
