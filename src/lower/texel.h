/* SPDX-License-Identifier: MIT
 *
 * Formats as LIR: how the words of a texel, pixel or vertex attribute become
 * four floats, and back. Vertex fetch, samplers and colour output all go
 * through here.
 */
#ifndef TG_LOWER_TEXEL_H
#define TG_LOWER_TEXEL_H

#include <stdbool.h>

#include "lir/builder.h"
#include "tgsi/tables.h"

enum lower_texel_kind {
   LOWER_TEXEL_NONE,   /* not a format that this build knows */
   LOWER_TEXEL_FLOAT,  /* a word a channel, binary32 */
   LOWER_TEXEL_UNORM8, /* four bytes in one word, the first the lowest */
   LOWER_TEXEL_DEPTH,  /* one binary32, read as (z, 0, 0, 1) */
};

struct lower_texel_layout {
   uint8_t kind; /* enum lower_texel_kind */
   uint8_t num_words;
   uint8_t num_channels;
};

/* Kind LOWER_TEXEL_NONE for formats that are not known. */
struct lower_texel_layout
lower_texel_layout(enum tg_format format);

/* Loads the texel whose first word is `index`. What the format lacks is
 * 0, 0, 0, 1; what lies outside the binding reads as 0 bits. */
void
lower_texel_load(struct lir_builder *builder, enum tg_format format,
                 enum lir_space space, uint32_t binding, lir_value index,
                 lir_value texel_out[4]);

/* Stores a texel in the active lanes. UNORM channels are clamped to [0, 1],
 * NaN counting as 0; their product with 255, a float, is rounded to nearest,
 * ties to even. (The opcodes of pack.c round the exact product.) */
void
lower_texel_store(struct lir_builder *builder, enum tg_format format,
                  enum lir_space space, uint32_t binding, lir_value index,
                  const lir_value texel[4]);

/* min(max(x, 0), 1), where NaN gives 0. */
lir_value
lower_clamp01(struct lir_builder *builder, lir_value x);

#endif
