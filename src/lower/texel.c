/* SPDX-License-Identifier: MIT
 *
 * Formats as LIR: one row a format, one load and one store for each kind.
 */
#include "lower/texel.h"

#include <assert.h>

struct lower_texel_layout
lower_texel_layout(enum tg_format format)
{
   /* clang-format off */
   static const struct lower_texel_layout layouts[TG_NUM_FORMATS] = {
      [TG_FORMAT_R32_FLOAT]          = {LOWER_TEXEL_FLOAT,  1, 1},
      [TG_FORMAT_R32G32_FLOAT]       = {LOWER_TEXEL_FLOAT,  2, 2},
      [TG_FORMAT_R32G32B32_FLOAT]    = {LOWER_TEXEL_FLOAT,  3, 3},
      [TG_FORMAT_R32G32B32A32_FLOAT] = {LOWER_TEXEL_FLOAT,  4, 4},
      [TG_FORMAT_R8G8B8A8_UNORM]     = {LOWER_TEXEL_UNORM8, 1, 4},
      [TG_FORMAT_Z32_FLOAT]          = {LOWER_TEXEL_DEPTH,  1, 1},
   };
   /* clang-format on */

   if ((unsigned)format >= TG_NUM_FORMATS)
      return (struct lower_texel_layout){0};
   return layouts[format];
}

/* Channel `i` of a word of four bytes, as a float: the one nearest to c / 255.
 */
static lir_value
unpack_unorm8(struct lir_builder *builder, lir_value word, unsigned i)
{
   const lir_value shift = lir_const32(builder, i * 8);
   const lir_value shifted = lir_ushr(builder, word, shift);
   const lir_value mask = lir_const32(builder, 0xff);
   const lir_value byte = lir_iand(builder, shifted, mask);
   const lir_value value = lir_u2f(builder, byte);
   const lir_value scale = lir_constf(builder, 255.0f);
   return lir_fdiv(builder, value, scale);
}

static lir_value
load_word(struct lir_builder *builder, enum lir_space space, uint32_t binding,
          lir_value index, unsigned i)
{
   if (!i)
      return lir_load32(builder, space, binding, index);
   const lir_value offset = lir_const32(builder, i);
   const lir_value at = lir_iadd(builder, index, offset);
   return lir_load32(builder, space, binding, at);
}

void
lower_texel_load(struct lir_builder *builder, enum tg_format format,
                 enum lir_space space, uint32_t binding, lir_value index,
                 lir_value texel_out[4])
{
   const struct lower_texel_layout layout = lower_texel_layout(format);
   assert(layout.kind != LOWER_TEXEL_NONE);

   if (layout.kind == LOWER_TEXEL_UNORM8) {
      const lir_value word = load_word(builder, space, binding, index, 0);
      for (unsigned i = 0; i < 4; i++)
         texel_out[i] = unpack_unorm8(builder, word, i);
      return;
   }
   for (unsigned i = 0; i < layout.num_channels; i++)
      texel_out[i] = load_word(builder, space, binding, index, i);
   for (unsigned i = layout.num_channels; i < 4; i++)
      texel_out[i] = lir_constf(builder, i == 3 ? 1.0f : 0.0f);
}

lir_value
lower_clamp01(struct lir_builder *builder, lir_value x)
{
   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value one = lir_constf(builder, 1.0f);
   const lir_value above = lir_fmax(builder, x, zero);
   return lir_fmin(builder, above, one);
}

static lir_value
pack_unorm8(struct lir_builder *builder, lir_value value, unsigned i)
{
   const lir_value clamped = lower_clamp01(builder, value);
   const lir_value scale = lir_constf(builder, 255.0f);
   const lir_value scaled = lir_fmul(builder, clamped, scale);
   const lir_value rounded = lir_fround(builder, scaled);
   const lir_value byte = lir_f2u(builder, rounded);
   const lir_value shift = lir_const32(builder, i * 8);
   return lir_ishl(builder, byte, shift);
}

void
lower_texel_store(struct lir_builder *builder, enum tg_format format,
                  enum lir_space space, uint32_t binding, lir_value index,
                  const lir_value texel[4])
{
   const struct lower_texel_layout layout = lower_texel_layout(format);
   assert(layout.kind != LOWER_TEXEL_NONE);

   if (layout.kind == LOWER_TEXEL_UNORM8) {
      lir_value word = pack_unorm8(builder, texel[0], 0);
      for (unsigned i = 1; i < 4; i++) {
         const lir_value byte = pack_unorm8(builder, texel[i], i);
         word = lir_ior(builder, word, byte);
      }
      lir_store32(builder, space, binding, index, word);
      return;
   }
   for (unsigned i = 0; i < layout.num_channels; i++) {
      const lir_value offset = lir_const32(builder, i);
      const lir_value at = lir_iadd(builder, index, offset);
      lir_store32(builder, space, binding, at, texel[i]);
   }
}
