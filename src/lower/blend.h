/* SPDX-License-Identifier: MIT
 *
 * Blending as LIR (OpenGL 4.6, 17.3.6 and 17.3.9): a fragment's colour and what
 * the target holds become what is written. Colours are four floats.
 */
#ifndef TG_LOWER_BLEND_H
#define TG_LOWER_BLEND_H

#include "lir/builder.h"

/* The numbers of these enumerations are Gallium's. */
enum lower_blend_factor {
   LOWER_BLEND_ONE = 1,
   LOWER_BLEND_SRC_COLOR,
   LOWER_BLEND_SRC_ALPHA,
   LOWER_BLEND_DST_ALPHA,
   LOWER_BLEND_DST_COLOR,
   LOWER_BLEND_SRC_ALPHA_SATURATE,
   LOWER_BLEND_CONST_COLOR,
   LOWER_BLEND_CONST_ALPHA,
   LOWER_BLEND_SRC1_COLOR,
   LOWER_BLEND_SRC1_ALPHA,
   /* 1 minus the factor whose number is 16 less; ZERO minus 16 is none. */
   LOWER_BLEND_INVERTED = 0x10,
   LOWER_BLEND_ZERO = LOWER_BLEND_INVERTED + LOWER_BLEND_ONE,
   LOWER_BLEND_MAX_FACTOR = LOWER_BLEND_INVERTED + LOWER_BLEND_SRC1_ALPHA,
};

enum lower_blend_func {
   LOWER_BLEND_ADD,
   LOWER_BLEND_SUBTRACT,         /* source - target */
   LOWER_BLEND_REVERSE_SUBTRACT, /* target - source */
   LOWER_BLEND_MIN,              /* factors play no part */
   LOWER_BLEND_MAX,
   LOWER_NUM_BLEND_FUNCS,
};

enum lower_logic_op {
   LOWER_LOGIC_CLEAR,
   LOWER_LOGIC_NOR,
   LOWER_LOGIC_AND_INVERTED, /* not source, and target */
   LOWER_LOGIC_COPY_INVERTED,
   LOWER_LOGIC_AND_REVERSE, /* source, and not target */
   LOWER_LOGIC_INVERT,      /* not target */
   LOWER_LOGIC_XOR,
   LOWER_LOGIC_NAND,
   LOWER_LOGIC_AND,
   LOWER_LOGIC_EQUIV,
   LOWER_LOGIC_NOOP,
   LOWER_LOGIC_OR_INVERTED,
   LOWER_LOGIC_COPY,
   LOWER_LOGIC_OR_REVERSE,
   LOWER_LOGIC_OR,
   LOWER_LOGIC_SET,
   LOWER_NUM_LOGIC_OPS,
};

/* One target's state. No padding: keys are hashed. */
struct lower_blend_key {
   uint8_t enabled; /* else the source is the result */
   uint8_t rgb_func, rgb_src_factor, rgb_dst_factor;
   uint8_t alpha_func, alpha_src_factor, alpha_dst_factor;
   uint8_t colormask; /* red 1, green 2, blue 4, alpha 8; see the caller */
};

/* What a target can hold: to that colours and factors are clamped before they
 * are blended. */
enum lower_blend_range {
   LOWER_BLEND_UNCLAMPED, /* floats */
   LOWER_BLEND_UNORM,     /* 0 to 1 */
   LOWER_BLEND_SNORM,     /* -1 to 1 */
};

struct lower_blend_colors {
   lir_value src[4];
   lir_value src1[4]; /* the second source, for SRC1 factors */
   lir_value dst[4];  /* as a texture would read it: no alpha is 1 */
   lir_value constant[4];
};

/* The blended colour. Integer targets are not blended. */
void
lower_blend(struct lir_builder *builder, const struct lower_blend_key *key,
            enum lower_blend_range range,
            const struct lower_blend_colors *colors, lir_value out[4]);

/* A logic operation on all bits of two words. */
lir_value
lower_logic(struct lir_builder *builder, enum lower_logic_op op, lir_value src,
            lir_value dst);

#endif
