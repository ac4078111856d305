/* SPDX-License-Identifier: MIT
 *
 * Blending as LIR (OpenGL 4.6, 17.3.6 and 17.3.9): a fragment's colour and what
 * the target holds become what is written. Colours are four floats.
 */
#ifndef TG_LOWER_FIXED_FUNCTION_BLEND_H
#define TG_LOWER_FIXED_FUNCTION_BLEND_H

#include "format/format.h"
#include "lir/builder.h"
#include "tungsten/gpu.h"
#include "util/members.h"

/* The enumerations are those of the public API, and Gallium's. */
enum {
   /* 1 minus the factor whose number is 16 less; ZERO minus 16 is none. */
   LOWER_BLEND_INVERTED = 0x10,
   LOWER_NUM_BLEND_FUNCS = TG_BLEND_MAX + 1,
   LOWER_NUM_LOGIC_OPS = TG_LOGIC_SET + 1,
};

/* One target's state. No padding: keys are hashed. */
struct lower_blend_key {
   uint8_t enabled; /* else the source is the result */
   uint8_t rgb_func, rgb_src_factor, rgb_dst_factor;
   uint8_t alpha_func, alpha_src_factor, alpha_dst_factor;
   uint8_t colormask; /* enum tg_channel_mask; the caller's business */
};

extern const struct tg_member lower_blend_key_members[];

/* What a target can hold: to that colours and factors are clamped before they
 * are blended. */
enum lower_blend_range {
   LOWER_BLEND_UNCLAMPED, /* floats */
   LOWER_BLEND_UNORM,     /* 0 to 1 */
   LOWER_BLEND_SNORM,     /* -1 to 1 */
};

/* The range that blending clamps to for a format. */
enum lower_blend_range
lower_blend_range(const struct format_info *info);

struct lower_blend_colors {
   lir_value src[4];
   lir_value src1[4]; /* the second source, for SRC1 factors */
   lir_value dst[4];  /* as a texture would read it: no alpha is 1 */
   lir_value constant[4];
};

/* Emits the blend equation: the blended colour. Integer targets are not
 * blended. */
void
lower_blend(struct lir_builder *builder, const struct lower_blend_key *key,
            enum lower_blend_range range,
            const struct lower_blend_colors *colors, lir_value out[4]);

/* Emits a logic operation on all bits of two words. */
lir_value
lower_blend_logic(struct lir_builder *builder, enum tg_logic_op op,
                  lir_value src, lir_value dst);

#endif
