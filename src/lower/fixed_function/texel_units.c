/* SPDX-License-Identifier: MIT
 *
 * Units of texels and the bits in them.
 */
#include "lower/fixed_function/texel_units.h"

#include <assert.h>

/* ---- memory -------------------------------------------------------------- */

static lir_value
unit_index(struct lir_builder *builder, lir_value index, unsigned unit)
{
   if (unit == 0)
      return index;
   const lir_value offset = lir_const32(builder, unit);
   return lir_iadd(builder, index, offset);
}

lir_value
lower_texel_read_unit(struct lir_builder *builder,
                      const struct format_info *info, enum lir_space space,
                      uint32_t binding, lir_value index, unsigned unit)
{
   const enum lir_op op = info->unit == 4   ? LIR_OP_load32
                          : info->unit == 2 ? LIR_OP_load16
                                            : LIR_OP_load8;
   const lir_value at = unit_index(builder, index, unit);
   return lir_load(builder, op, space, binding, at);
}

void
lower_texel_write_unit(struct lir_builder *builder,
                       const struct format_info *info, enum lir_space space,
                       uint32_t binding, lir_value index, unsigned unit,
                       lir_value word)
{
   const enum lir_op op = info->unit == 4   ? LIR_OP_store32
                          : info->unit == 2 ? LIR_OP_store16
                                            : LIR_OP_store8;
   const lir_value at = unit_index(builder, index, unit);
   lir_store(builder, op, space, binding, at, word);
}

void
lower_texel_read_units(struct lir_builder *builder, enum tg_format format,
                       enum lir_space space, uint32_t binding, lir_value index,
                       lir_value units_out[LOWER_MAX_TEXEL_WORDS])
{
   const struct format_info *info = format_info(format);
   for (unsigned i = 0; i < info->num_units; i++)
      units_out[i] =
         lower_texel_read_unit(builder, info, space, binding, index, i);
}

void
lower_texel_write_units(struct lir_builder *builder, enum tg_format format,
                        enum lir_space space, uint32_t binding, lir_value index,
                        const lir_value units[LOWER_MAX_TEXEL_WORDS])
{
   const struct format_info *info = format_info(format);
   for (unsigned i = 0; i < info->num_units; i++)
      lower_texel_write_unit(builder, info, space, binding, index, i, units[i]);
}

/* ---- bits ---------------------------------------------------------------- */

lir_value
lower_texel_get_unit_bits(struct lir_builder *builder, enum tg_format format,
                          const lir_value units[LOWER_MAX_TEXEL_WORDS],
                          unsigned channel)
{
   assert(channel < format_info(format)->num_channels);
   const struct format_place bits = format_place(format_info(format), channel);
   lir_value value = units[bits.unit];
   if (bits.shift) {
      const lir_value amount = lir_const32(builder, bits.shift);
      value = lir_ushr(builder, value, amount);
   }
   if (bits.mask >> bits.shift == bits.all >> bits.shift)
      return value;
   const lir_value mask = lir_const32(builder, bits.mask >> bits.shift);
   return lir_iand(builder, value, mask);
}

void
lower_texel_set_unit_bits(struct lir_builder *builder, enum tg_format format,
                          unsigned channel, lir_value value,
                          lir_value units[LOWER_MAX_TEXEL_WORDS])
{
   assert(channel < format_info(format)->num_channels);
   const struct format_place bits = format_place(format_info(format), channel);
   if (bits.shift) {
      const lir_value amount = lir_const32(builder, bits.shift);
      value = lir_ishl(builder, value, amount);
   }
   if (bits.mask != bits.all) {
      const lir_value rest = lir_const32(builder, bits.all & ~bits.mask);
      const lir_value kept = lir_iand(builder, units[bits.unit], rest);
      value = lir_ior(builder, value, kept);
   }
   units[bits.unit] = value;
}

uint32_t
lower_texel_unit_mask(enum tg_format format, unsigned unit, unsigned mask)
{
   assert(unit < format_info(format)->num_units);
   assert(mask <= TG_MASK_XYZW);
   const struct format_info *info = format_info(format);
   uint32_t stored = 0;
   for (unsigned i = 0; i < info->num_channels; i++) {
      const struct format_place bits = format_place(info, i);
      const bool is_wide = info->channel[i].bits == 64;
      const bool is_here =
         unit == bits.unit || (is_wide && unit == bits.unit + 1);
      if (is_here && mask >> format_word_of(info, i) & 1)
         stored |= bits.mask;
   }
   return stored;
}
