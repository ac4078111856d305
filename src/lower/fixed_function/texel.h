/* SPDX-License-Identifier: MIT
 *
 * Formats as LIR: how a texel, pixel or vertex attribute in memory becomes four
 * words, and back. Vertex fetch, samplers, images and colour output all go
 * through here. format/format.h says what each format's bits mean; the results
 * are those of format_unpack() and format_pack(), bit for bit (one NaN counting
 * as any other).
 *
 * Formats may not be compressed ones: those lie in memory decoded. sRGB needs
 * abi_tables bound.
 */
#ifndef TG_LOWER_FIXED_FUNCTION_TEXEL_H
#define TG_LOWER_FIXED_FUNCTION_TEXEL_H

#include "format/format.h"
#include "lir/builder.h"

enum { LOWER_MAX_TEXEL_WORDS = 8 };

/* Loads the texel that begins at unit `index`: floats, or integers of a pure
 * integer format. Units outside the binding read as 0 bits. */
void
lower_texel_load(struct lir_builder *builder, enum tg_format format,
                 enum lir_space space, uint32_t binding, lir_value index,
                 lir_value texel_out[4]);

/* In two steps, for those who filter texels: whole numbers where all channels
 * are unorm ones of up to 16 bits and linear, the greatest of which stands for
 * 1, and what was made of several of them divided by it. Constants of the
 * format are what they are, with 1 the greatest. */
bool
lower_texel_has_codes(enum tg_format format);
void
lower_texel_load_codes(struct lir_builder *builder, enum tg_format format,
                       enum lir_space space, uint32_t binding, lir_value index,
                       lir_value codes_out[4]);
float
lower_texel_greatest_code(enum tg_format format, unsigned word);
void
lower_texel_divide_codes(struct lir_builder *builder, enum tg_format format,
                         lir_value codes[4]);

/* lower_texel_load() of a texel whose bytes are in words, the lowest bits
 * first, as many as it takes. What the last word has beyond them does not
 * count. */
void
lower_texel_unpack(struct lir_builder *builder, enum tg_format format,
                   const lir_value words[LOWER_MAX_TEXEL_WORDS],
                   lir_value texel_out[4]);

/* Stores a texel in the active lanes. Where depth and stencil share a texel it
 * is the depth, from x, and the stencil stays: lanes whose texels are the same
 * one, or other threads, must not write between. */
void
lower_texel_store(struct lir_builder *builder, enum tg_format format,
                  enum lir_space space, uint32_t binding, lir_value index,
                  const lir_value texel[4]);

/* lower_texel_store() of the words that `mask` has bits for, 1 for x to 8 for
 * w: channels that are of others keep their bits, and those of a shared
 * exponent their values. The mask of a depth is of no account. */
void
lower_texel_store_masked(struct lir_builder *builder, enum tg_format format,
                         enum lir_space space, uint32_t binding,
                         lir_value index, const lir_value texel[4],
                         unsigned mask);

/* The stencil of a format that has one, 0 to 255; storing keeps the depth. */
lir_value
lower_texel_load_stencil(struct lir_builder *builder, enum tg_format format,
                         enum lir_space space, uint32_t binding,
                         lir_value index);
void
lower_texel_store_stencil(struct lir_builder *builder, enum tg_format format,
                          enum lir_space space, uint32_t binding,
                          lir_value index, lir_value stencil);

#endif
