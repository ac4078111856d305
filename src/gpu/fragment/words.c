/* SPDX-License-Identifier: MIT
 *
 * Words that a kernel reads: of its lanes, the shape and the framebuffer; and
 * the pixel that follows from them.
 */
#include "gpu/fragment/fragment_parts.h"

#include <assert.h>

static lir_value
load_word(struct lir_builder *builder, enum lir_space space, uint32_t binding,
          uint32_t word)
{
   const lir_value index = lir_const32(builder, word);
   return lir_load32(builder, space, binding, index);
}

lir_value
fragment_input_word(struct lir_builder *builder, uint32_t word)
{
   return load_word(builder, LIR_SPACE_INPUT, 0, word);
}

static lir_value
from_base(struct lir_builder *builder, uint32_t word, unsigned axis)
{
   assert(axis < 2);
   const lir_value offset = fragment_input_word(builder, word + axis);
   const lir_value base =
      fragment_input_word(builder, GPU_FRAGMENT_BASE_X + axis);
   return lir_iadd(builder, base, offset);
}

lir_value
fragment_pixel_word(struct lir_builder *builder, unsigned axis)
{
   return from_base(builder, GPU_FRAGMENT_X, axis);
}

lir_value
fragment_texel_word(struct lir_builder *builder, unsigned axis)
{
   return from_base(builder, GPU_FRAGMENT_TEXEL_X, axis);
}

lir_value
fragment_shape_word(struct lir_builder *builder, uint32_t word)
{
   return load_word(builder, LIR_SPACE_SYSVAL, 0, word);
}

lir_value
fragment_frame_word(struct lir_builder *builder, uint32_t word)
{
   return load_word(builder, LIR_SPACE_CONST, GPU_BINDING_FRAME, word);
}

lir_value
fragment_is_front(struct lir_builder *builder)
{
   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value face = fragment_shape_word(builder, GPU_SHAPE_FACE);
   return lir_flt(builder, zero, face);
}
