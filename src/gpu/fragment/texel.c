/* SPDX-License-Identifier: MIT
 *
 * Texels of surfaces: where that of a lane is.
 */
#include "gpu/fragment/fragment_parts.h"
#include "lower/fixed_function/microtile.h"

static lir_value
surface_word(struct lir_builder *builder, uint32_t binding,
             enum gpu_frame_surface_word word)
{
   return fragment_frame_word(builder, GPU_FRAME_SURFACES +
                                          binding * GPU_SURFACE_WORDS +
                                          (uint32_t)word);
}

/* The first unit of the shape's layer. */
static lir_value
layer_start(struct lir_builder *builder, uint32_t binding)
{
   const lir_value layer = fragment_shape_word(builder, GPU_SHAPE_LAYER);
   const lir_value slice = surface_word(builder, binding, GPU_SURFACE_SLICE);
   const lir_value offset = surface_word(builder, binding, GPU_SURFACE_OFFSET);
   const lir_value to_layer = lir_imul(builder, layer, slice);
   return lir_iadd(builder, offset, to_layer);
}

lir_value
fragment_texel_sample_pitch(struct lir_builder *builder, uint32_t binding)
{
   return surface_word(builder, binding, GPU_SURFACE_SAMPLE);
}

static lir_value
linear_pixel(struct lir_builder *builder, uint32_t binding, uint32_t num_units)
{
   const lir_value x = fragment_texel_word(builder, 0);
   const lir_value y = fragment_texel_word(builder, 1);
   const lir_value units = lir_const32(builder, num_units);
   const lir_value row = surface_word(builder, binding, GPU_SURFACE_ROW);
   const lir_value to_row = lir_imul(builder, y, row);
   const lir_value in_row = lir_imul(builder, x, units);
   return lir_iadd(builder, to_row, in_row);
}

/* Surfaces with samples are tiled, and so is a plane of pixels of one colour.
 */
static lir_value
tiled_pixel(struct lir_builder *builder, uint32_t binding, uint32_t num_units)
{
   const lir_value x = fragment_texel_word(builder, 0);
   const lir_value y = fragment_texel_word(builder, 1);
   const lir_value row = surface_word(builder, binding, GPU_SURFACE_ROW);
   const lir_value to_row = lower_microtile_row(builder, y, row, num_units);
   const lir_value in_row = lower_microtile_column(builder, x, num_units);
   return lir_iadd(builder, to_row, in_row);
}

lir_value
fragment_first_texel(struct lir_builder *builder,
                     const struct fragment_kernel *kernel, uint32_t binding,
                     enum tg_format format)
{
   const lir_value index =
      kernel->key->num_samples > 1
         ? tiled_pixel(builder, binding, format_info(format)->num_units)
         : linear_pixel(builder, binding, format_info(format)->num_units);
   if (!kernel->key->is_layered)
      return index;
   const lir_value start = layer_start(builder, binding);
   return lir_iadd(builder, index, start);
}

lir_value
fragment_texel(struct lir_builder *builder,
               const struct fragment_kernel *kernel, uint32_t binding,
               enum tg_format format)
{
   const lir_value first =
      fragment_first_texel(builder, kernel, binding, format);
   if (!kernel->key->is_per_sample)
      return first;
   const lir_value number = fragment_input_word(builder, GPU_FRAGMENT_SAMPLE);
   const lir_value pitch = fragment_texel_sample_pitch(builder, binding);
   const lir_value to_sample = lir_imul(builder, number, pitch);
   return lir_iadd(builder, first, to_sample);
}
