/* SPDX-License-Identifier: MIT
 *
 * Blending as LIR. Products and the sum of an equation are rounded one by one.
 */
#include "lower/fixed_function/blend.h"

#include <assert.h>

#include "util/length.h"

const struct tg_member lower_blend_key_members[] = {
   TG_NUMBER(lower_blend_key, enabled),
   TG_NUMBER(lower_blend_key, rgb_func),
   TG_NUMBER(lower_blend_key, rgb_src_factor),
   TG_NUMBER(lower_blend_key, rgb_dst_factor),
   TG_NUMBER(lower_blend_key, alpha_func),
   TG_NUMBER(lower_blend_key, alpha_src_factor),
   TG_NUMBER(lower_blend_key, alpha_dst_factor),
   TG_NUMBER(lower_blend_key, colormask),
   {0},
};

/* ---- clamping ------------------------------------------------------------ */

enum lower_blend_range
lower_blend_range(const struct format_info *info)
{
   const enum format_type type = format_color_type(info);
   return type == FORMAT_TYPE_UNORM   ? LOWER_BLEND_UNORM
          : type == FORMAT_TYPE_SNORM ? LOWER_BLEND_SNORM
                                      : LOWER_BLEND_UNCLAMPED;
}

static lir_value
clamp(struct lir_builder *builder, enum lower_blend_range range, lir_value x)
{
   if (range == LOWER_BLEND_UNCLAMPED)
      return x;
   const lir_value low =
      lir_constf(builder, range == LOWER_BLEND_SNORM ? -1.0f : 0.0f);
   const lir_value high = lir_constf(builder, 1.0f);
   const lir_value above = lir_fmax(builder, x, low);
   return lir_fmin(builder, above, high);
}

static void
clamp_color(struct lir_builder *builder, enum lower_blend_range range,
            const lir_value color[4], lir_value out[4])
{
   for (unsigned c = 0; c < 4; c++)
      out[c] = clamp(builder, range, color[c]);
}

/* ---- factors ------------------------------------------------------------- */

/* The least of the source's alpha and what the target's alpha leaves; 1 for
 * alpha. */
static lir_value
saturate_factor(struct lir_builder *builder,
                const struct lower_blend_colors *colors, unsigned channel)
{
   const lir_value one = lir_constf(builder, 1.0f);

   if (channel == 3)
      return one;
   const lir_value rest = lir_fsub(builder, one, colors->dst[3]);
   return lir_fmin(builder, colors->src[3], rest);
}

/* A factor that is not inverted. */
static lir_value
plain_factor(struct lir_builder *builder, enum tg_blend_factor factor,
             const struct lower_blend_colors *colors, unsigned channel)
{
   assert(channel < TG_LENGTH(colors->src));
   switch (factor) {
   case TG_BLEND_SRC_COLOR: return colors->src[channel];
   case TG_BLEND_SRC_ALPHA: return colors->src[3];
   case TG_BLEND_DST_ALPHA: return colors->dst[3];
   case TG_BLEND_DST_COLOR: return colors->dst[channel];
   case TG_BLEND_SRC_ALPHA_SATURATE:
      return saturate_factor(builder, colors, channel);
   case TG_BLEND_CONST_COLOR: return colors->constant[channel];
   case TG_BLEND_CONST_ALPHA: return colors->constant[3];
   case TG_BLEND_SRC1_COLOR: return colors->src1[channel];
   case TG_BLEND_SRC1_ALPHA: return colors->src1[3];
   default: return lir_constf(builder, 1.0f);
   }
}

/* A colour times a factor. Where the factor is ZERO the product is 0 even of an
 * infinity, and where it is ONE nothing is multiplied. */
static lir_value
weigh(struct lir_builder *builder, unsigned factor,
      const struct lower_blend_colors *colors, lir_value color,
      unsigned channel)
{
   if (factor == TG_BLEND_ONE)
      return color;
   if (factor == TG_BLEND_ZERO)
      return lir_constf(builder, 0.0f);

   lir_value weight = plain_factor(
      builder, (enum tg_blend_factor)(factor & ~LOWER_BLEND_INVERTED), colors,
      channel);
   if (factor & LOWER_BLEND_INVERTED) {
      const lir_value one = lir_constf(builder, 1.0f);
      weight = lir_fsub(builder, one, weight);
   }
   return lir_fmul(builder, color, weight);
}

/* ---- equations ----------------------------------------------------------- */

static lir_value
blend_channel(struct lir_builder *builder, const struct lower_blend_key *key,
              const struct lower_blend_colors *colors, unsigned channel)
{
   assert(key->rgb_func < LOWER_NUM_BLEND_FUNCS);
   assert(key->alpha_func < LOWER_NUM_BLEND_FUNCS);
   const bool is_alpha = channel == 3;
   const unsigned func = is_alpha ? key->alpha_func : key->rgb_func;
   const lir_value a = colors->src[channel];
   const lir_value b = colors->dst[channel];

   if (func == TG_BLEND_MIN)
      return lir_fmin(builder, a, b);
   if (func == TG_BLEND_MAX)
      return lir_fmax(builder, a, b);

   const lir_value src =
      weigh(builder, is_alpha ? key->alpha_src_factor : key->rgb_src_factor,
            colors, a, channel);
   const lir_value dst =
      weigh(builder, is_alpha ? key->alpha_dst_factor : key->rgb_dst_factor,
            colors, b, channel);
   if (func == TG_BLEND_SUBTRACT)
      return lir_fsub(builder, src, dst);
   if (func == TG_BLEND_REVERSE_SUBTRACT)
      return lir_fsub(builder, dst, src);
   return lir_fadd(builder, src, dst);
}

void
lower_blend(struct lir_builder *builder, const struct lower_blend_key *key,
            enum lower_blend_range range,
            const struct lower_blend_colors *colors, lir_value out[4])
{
   assert(range <= LOWER_BLEND_SNORM);
   struct lower_blend_colors clamped = *colors;

   if (!key->enabled) {
      for (unsigned c = 0; c < 4; c++)
         out[c] = colors->src[c];
      return;
   }
   clamp_color(builder, range, colors->src, clamped.src);
   clamp_color(builder, range, colors->src1, clamped.src1);
   clamp_color(builder, range, colors->constant, clamped.constant);
   for (unsigned c = 0; c < 4; c++)
      out[c] = blend_channel(builder, key, &clamped, c);
}

/* ---- logic operations ---------------------------------------------------- */

/* The number of an operation is its truth table: bit 0 is the result where
 * neither source nor target has the bit, bit 1 where the target alone has it,
 * bit 2 the source alone, bit 3 both. */
lir_value
lower_blend_logic(struct lir_builder *builder, enum tg_logic_op op,
                  lir_value src, lir_value dst)
{
   assert(op <= TG_LOGIC_SET);
   const lir_value not_src = lir_inot(builder, src);
   const lir_value not_dst = lir_inot(builder, dst);
   const lir_value cases[4] = {
      lir_iand(builder, not_src, not_dst),
      lir_iand(builder, not_src, dst),
      lir_iand(builder, src, not_dst),
      lir_iand(builder, src, dst),
   };
   lir_value result = lir_const32(builder, 0);

   for (unsigned i = 0; i < 4; i++) {
      if (op >> i & 1)
         result = lir_ior(builder, result, cases[i]);
   }
   return result;
}
