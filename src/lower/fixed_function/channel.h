/* SPDX-License-Identifier: MIT
 *
 * One channel of a texel as LIR, for texel.c: what format/channel.h does in C,
 * with the same results in fewer operations.
 */
#ifndef TG_LOWER_FIXED_FUNCTION_CHANNEL_H
#define TG_LOWER_FIXED_FUNCTION_CHANNEL_H

#include "format/format.h"
#include "lir/builder.h"

/* The word that a channel of up to 32 bits reads as. It lies in `unit` with
 * `shift` bits below and `above` bits above it; beyond those there are zeros.
 */
lir_value
lower_channel_unpack(struct lir_builder *builder,
                     const struct format_channel *channel, unsigned shift,
                     unsigned above, lir_value unit);

/* Of an unorm channel of up to 16 bits also in two steps: the code, a whole
 * number from 0 to 2^bits - 1, as a float; and the code, or what a filter made
 * of several, divided by the greatest one. */
bool
lower_channel_has_codes(const struct format_channel *channel);
lir_value
lower_channel_unpack_code(struct lir_builder *builder,
                          const struct format_channel *channel, unsigned shift,
                          unsigned above, lir_value unit);
lir_value
lower_channel_divide_code(struct lir_builder *builder,
                          const struct format_channel *channel, lir_value code);

/* Packs a word as a channel, into the lowest bits of the result; all others are
 * zero. */
lir_value
lower_channel_pack(struct lir_builder *builder,
                   const struct format_channel *channel, lir_value value);

/* Unpacks and packs sRGB codes of 5, 6 or 8 bits. */
lir_value
lower_channel_unpack_srgb(struct lir_builder *builder, unsigned bits,
                          unsigned shift, unsigned above, lir_value unit);
lir_value
lower_channel_pack_srgb(struct lir_builder *builder, unsigned bits,
                        lir_value value);

/* Unpacks a float channel of 64 bits as a 32-bit float. */
lir_value
lower_channel_unpack_double(struct lir_builder *builder, lir_value low,
                            lir_value high);

/* Unpacks and packs three mantissas that share an exponent. */
void
lower_channel_unpack_shared(struct lir_builder *builder,
                            const struct format_info *info, lir_value word,
                            lir_value rgb_out[3]);
lir_value
lower_channel_pack_shared(struct lir_builder *builder,
                          const struct format_info *info,
                          const lir_value rgb[3]);

#endif
