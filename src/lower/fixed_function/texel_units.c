/* SPDX-License-Identifier: MIT
 *
 * Units of texels and the bits in them.
 */
#include "lower/fixed_function/texel_units.h"

#include <assert.h>

#include "util/length.h"

/* ---- memory -------------------------------------------------------------- */

static lir_value
unit_index(struct lir_builder *builder, lir_value index, unsigned unit)
{
   if (unit == 0)
      return index;
   const lir_value offset = lir_const32(builder, unit);
   return lir_iadd(builder, index, offset);
}

void
lower_texel_read_units(struct lir_builder *builder, enum tg_format format,
                       enum lir_space space, uint32_t binding, lir_value index,
                       lir_value units_out[LOWER_MAX_TEXEL_WORDS])
{
   const struct format_info *info = format_info(format);
   const enum lir_op op = info->unit == 4   ? LIR_OP_load32
                          : info->unit == 2 ? LIR_OP_load16
                                            : LIR_OP_load8;
   for (unsigned i = 0; i < info->num_units; i++) {
      const lir_value at = unit_index(builder, index, i);
      units_out[i] = lir_load(builder, op, space, binding, at);
   }
}

void
lower_texel_write_units(struct lir_builder *builder, enum tg_format format,
                        enum lir_space space, uint32_t binding, lir_value index,
                        const lir_value units[LOWER_MAX_TEXEL_WORDS])
{
   const struct format_info *info = format_info(format);
   const enum lir_op op = info->unit == 4   ? LIR_OP_store32
                          : info->unit == 2 ? LIR_OP_store16
                                            : LIR_OP_store8;
   for (unsigned i = 0; i < info->num_units; i++) {
      const lir_value at = unit_index(builder, index, i);
      lir_store(builder, op, space, binding, at, units[i]);
   }
}

/* ---- bits ---------------------------------------------------------------- */

/* Where a channel lies, and all bits of a unit. */
struct bits {
   unsigned unit, shift;
   uint32_t mask; /* in its unit; of 64 bits, which are two units, all */
   uint32_t all;
};

static struct bits
bits_of(const struct format_info *info, unsigned number)
{
   assert(number < TG_LENGTH(info->channel));
   const struct format_channel *channel = &info->channel[number];
   const unsigned unit_bits = info->unit * 8u;
   const unsigned bits = channel->bits > 32 ? 32 : channel->bits;
   return (struct bits){
      .unit = channel->shift / unit_bits,
      .shift = channel->shift % unit_bits,
      .mask = (uint32_t)((UINT64_C(1) << bits) - 1)
              << channel->shift % unit_bits,
      .all = (uint32_t)((UINT64_C(1) << unit_bits) - 1),
   };
}

lir_value
lower_texel_get_bits(struct lir_builder *builder, enum tg_format format,
                     const lir_value units[LOWER_MAX_TEXEL_WORDS],
                     unsigned channel)
{
   assert(channel < format_info(format)->num_channels);
   const struct bits bits = bits_of(format_info(format), channel);
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
lower_texel_set_bits(struct lir_builder *builder, enum tg_format format,
                     unsigned channel, lir_value value,
                     lir_value units[LOWER_MAX_TEXEL_WORDS])
{
   assert(channel < format_info(format)->num_channels);
   const struct bits bits = bits_of(format_info(format), channel);
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

/* A channel is stored from the first word that is read from it. */
static bool
is_stored(const struct format_info *info, unsigned channel, unsigned mask)
{
   assert(mask <= TG_MASK_XYZW);
   for (unsigned word = 0; word < 4; word++) {
      if (info->swizzle[word] == channel)
         return mask >> word & 1;
   }
   return false;
}

uint32_t
lower_texel_unit_mask(enum tg_format format, unsigned unit, unsigned mask)
{
   assert(unit < format_info(format)->num_units);
   const struct format_info *info = format_info(format);
   uint32_t stored = 0;
   for (unsigned i = 0; i < info->num_channels; i++) {
      const struct bits bits = bits_of(info, i);
      const bool is_wide = info->channel[i].bits == 64;
      if ((unit == bits.unit || (is_wide && unit == bits.unit + 1)) &&
          is_stored(info, i, mask))
         stored |= bits.mask;
   }
   return stored;
}
