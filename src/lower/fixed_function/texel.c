/* SPDX-License-Identifier: MIT
 *
 * Texels as LIR: which channel lies in which unit. channel.c knows what is in
 * a channel.
 */
#include "lower/fixed_function/texel.h"

#include <assert.h>

#include "lower/fixed_function/channel.h"
#include "lower/fixed_function/texel_units.h"
#include "util/length.h"

enum { ALL_WORDS = 15 };

/* A texel in memory, in units; or in words that were loaded already, and go to
 * `units_out` when they are stored. */
struct place {
   struct lir_builder *builder;
   const struct format_info *info;
   unsigned unit_bits;
   enum lir_space space;
   uint32_t binding;
   lir_value index;
   bool is_loaded[LOWER_MAX_TEXEL_WORDS];
   lir_value loaded[LOWER_MAX_TEXEL_WORDS];
   lir_value *units_out; /* or NULL */
   bool keeps_codes;     /* of channels that have some, instead of numbers */
};

static struct place
make_place(struct lir_builder *builder, enum tg_format format,
           enum lir_space space, uint32_t binding, lir_value index)
{
   const struct format_info *info = format_info(format);
   assert(info->layout != FORMAT_LAYOUT_NONE && !format_is_compressed(format));
   return (struct place){
      .builder = builder,
      .info = info,
      .unit_bits = info->unit * 8u,
      .space = space,
      .binding = binding,
      .index = index,
   };
}

/* ---- units --------------------------------------------------------------- */

/* Each unit once, though several channels lie in it. */
static lir_value
load_unit(struct place *place, unsigned unit)
{
   assert(unit < TG_LENGTH(place->loaded));
   if (place->is_loaded[unit])
      return place->loaded[unit];
   place->is_loaded[unit] = true;
   place->loaded[unit] =
      lower_texel_read_unit(place->builder, place->info, place->space,
                            place->binding, place->index, unit);
   return place->loaded[unit];
}

static void
store_unit(const struct place *place, unsigned unit, lir_value word)
{
   assert(unit < place->info->num_units);
   if (place->units_out) {
      place->units_out[unit] = word;
      return;
   }
   lower_texel_write_unit(place->builder, place->info, place->space,
                          place->binding, place->index, unit, word);
}

/* ---- loading ------------------------------------------------------------- */

static lir_value
load_channel(struct place *place, unsigned from, unsigned word)
{
   assert(from < TG_LENGTH(place->info->channel));
   struct lir_builder *builder = place->builder;
   const struct format_channel *channel = &place->info->channel[from];
   const unsigned unit = channel->shift / place->unit_bits;
   const unsigned shift = channel->shift % place->unit_bits;
   const lir_value low = load_unit(place, unit);
   if (channel->bits == 64) {
      const lir_value high = load_unit(place, unit + 1);
      return lower_channel_unpack_double(builder, low, high);
   }
   const unsigned above = place->unit_bits - shift - channel->bits;
   if (place->keeps_codes)
      return lower_channel_unpack_code(builder, channel, shift, above, low);
   if (format_is_srgb(place->info, word))
      return lower_channel_unpack_srgb(builder, channel->bits, shift, above,
                                       low);
   return lower_channel_unpack(builder, channel, shift, above, low);
}

/* What makes (x, y) a unit vector; 0 if it is too long already. */
static lir_value
normal(struct lir_builder *builder, const lir_value texel[2])
{
   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value one = lir_constf(builder, 1.0f);
   const lir_value xx = lir_fmul(builder, texel[0], texel[0]);
   const lir_value yy = lir_fmul(builder, texel[1], texel[1]);
   const lir_value without_x = lir_fsub(builder, one, xx);
   const lir_value rest = lir_fsub(builder, without_x, yy);
   const lir_value above = lir_fmax(builder, rest, zero);
   return lir_fsqrt(builder, above);
}

static lir_value
one(const struct place *place)
{
   if (place->info->class == FORMAT_CLASS_FLOAT)
      return lir_constf(place->builder, 1.0f);
   return lir_const32(place->builder, 1);
}

/* Each channel once, though luminance and depth are in three words. */
static void
load_plain(struct place *place, lir_value texel_out[4])
{
   const uint8_t *swizzle = place->info->swizzle;
   for (unsigned i = 0; i < 4; i++) {
      const bool is_again = i && swizzle[i] == swizzle[i - 1];
      switch (swizzle[i]) {
      case FORMAT_SWIZZLE_0:
         texel_out[i] = lir_const32(place->builder, 0);
         break;
      case FORMAT_SWIZZLE_1: texel_out[i] = one(place); break;
      case FORMAT_SWIZZLE_NORMAL:
         texel_out[i] = normal(place->builder, texel_out);
         break;
      default:
         texel_out[i] =
            is_again ? texel_out[i - 1] : load_channel(place, swizzle[i], i);
         break;
      }
   }
}

static void
load(struct place *place, lir_value texel_out[4])
{
   if (place->info->layout == FORMAT_LAYOUT_R9G9B9E5) {
      const lir_value word = load_unit(place, 0);
      lower_channel_unpack_shared(place->builder, place->info, word, texel_out);
      texel_out[3] = one(place);
   } else {
      load_plain(place, texel_out);
   }
}

void
lower_texel_load(struct lir_builder *builder, enum tg_format format,
                 enum lir_space space, uint32_t binding, lir_value index,
                 lir_value texel_out[4])
{
   struct place place = make_place(builder, format, space, binding, index);
   load(&place, texel_out);
}

/* ---- codes --------------------------------------------------------------- */

bool
lower_texel_has_codes(enum tg_format format)
{
   const struct format_info *info = format_info(format);

   if (info->layout != FORMAT_LAYOUT_PLAIN ||
       info->class != FORMAT_CLASS_FLOAT ||
       info->colorspace != FORMAT_COLORSPACE_RGB)
      return false;
   for (unsigned word = 0; word < 4; word++) {
      const struct format_channel *channel = format_channel_of(info, word);
      if (info->swizzle[word] == FORMAT_SWIZZLE_NORMAL ||
          (channel && !lower_channel_has_codes(channel)))
         return false;
   }
   return true;
}

void
lower_texel_load_codes(struct lir_builder *builder, enum tg_format format,
                       enum lir_space space, uint32_t binding, lir_value index,
                       lir_value codes_out[4])
{
   struct place place = make_place(builder, format, space, binding, index);
   assert(lower_texel_has_codes(format));
   place.keeps_codes = true;
   load(&place, codes_out);
}

float
lower_texel_greatest_code(enum tg_format format, unsigned word)
{
   const struct format_channel *channel =
      format_channel_of(format_info(format), word);
   return channel ? (float)format_greatest(channel) : 1.0f;
}

void
lower_texel_divide_codes(struct lir_builder *builder, enum tg_format format,
                         lir_value codes[4])
{
   for (unsigned word = 0; word < 4; word++) {
      const struct format_channel *channel =
         format_channel_of(format_info(format), word);
      if (channel)
         codes[word] = lower_channel_divide_code(builder, channel, codes[word]);
   }
}

/* A place whose first units, or words, were loaded already. */
static struct place
make_loaded(struct lir_builder *builder, enum tg_format format,
            unsigned num_units, const lir_value *units)
{
   assert(num_units <= LOWER_MAX_TEXEL_WORDS);
   struct place place =
      make_place(builder, format, LIR_SPACE_CONST, 0, (lir_value){0});
   for (unsigned i = 0; i < num_units; i++) {
      place.is_loaded[i] = true;
      place.loaded[i] = units[i];
   }
   return place;
}

/* No channel lies across the edge of a word, but for those of two words. */
void
lower_texel_unpack(struct lir_builder *builder, enum tg_format format,
                   const lir_value words[LOWER_MAX_TEXEL_WORDS],
                   lir_value texel_out[4])
{
   const unsigned num_words = (format_info(format)->block_bytes + 3u) / 4;
   struct place place = make_loaded(builder, format, num_words, words);
   place.unit_bits = 32;
   load(&place, texel_out);
}

void
lower_texel_unpack_units(struct lir_builder *builder, enum tg_format format,
                         const lir_value units[LOWER_MAX_TEXEL_WORDS],
                         lir_value texel_out[4])
{
   struct place place =
      make_loaded(builder, format, format_info(format)->num_units, units);
   load(&place, texel_out);
}

lir_value
lower_texel_load_stencil(struct lir_builder *builder, enum tg_format format,
                         enum lir_space space, uint32_t binding,
                         lir_value index)
{
   assert(format_has_stencil(format));
   struct place place = make_place(builder, format, space, binding, index);
   return load_channel(&place, place.info->stencil, 0);
}

/* ---- storing ------------------------------------------------------------- */

/* The channel's bits at their place in the unit, with zeros around. */
static lir_value
pack_channel(const struct place *place, unsigned to, unsigned word,
             lir_value value)
{
   assert(to < TG_LENGTH(place->info->channel));
   struct lir_builder *builder = place->builder;
   const struct format_channel *channel = &place->info->channel[to];
   const unsigned shift = format_place(place->info, to).shift;
   const lir_value bits =
      format_is_srgb(place->info, word)
         ? lower_channel_pack_srgb(builder, channel->bits, value)
         : lower_channel_pack(builder, channel, value);
   if (shift == 0)
      return bits;
   const lir_value amount = lir_const32(builder, shift);
   return lir_ishl(builder, bits, amount);
}

static void
store_double(const struct place *place, unsigned unit, lir_value value)
{
   struct lir_builder *builder = place->builder;
   const lir_value wide = lir_f2d(builder, value);
   const lir_value low = lir_lo64(builder, wide);
   const lir_value high = lir_hi64(builder, wide);
   store_unit(place, unit, low);
   store_unit(place, unit + 1, high);
}

/* The bits of a unit that `keep` has, as they are in memory. */
static lir_value
kept_bits(struct place *place, unsigned unit, uint32_t keep)
{
   const lir_value old = load_unit(place, unit);
   const lir_value mask = lir_const32(place->builder, keep);
   return lir_iand(place->builder, old, mask);
}

/* The channels from `*to` on that lie in a unit, 0 where there are none, and
 * what is there already where words are not in the mask. */
static void
store_channels(struct place *place, unsigned unit, unsigned *to,
               const lir_value texel[4], unsigned mask)
{
   assert(mask <= ALL_WORDS);
   struct lir_builder *builder = place->builder;
   const struct format_info *info = place->info;
   lir_value packed = {0};
   bool is_empty = true;
   uint32_t keep = 0;
   for (; *to < info->num_channels && format_place(info, *to).unit == unit;
        ++*to) {
      const unsigned word = format_word_of(info, *to);
      if (word == FORMAT_NUM_WORDS)
         continue;
      if (!(mask >> word & 1)) {
         keep |= format_place(info, *to).mask;
         continue;
      }
      const lir_value bits = pack_channel(place, *to, word, texel[word]);
      packed = is_empty ? bits : lir_ior(builder, packed, bits);
      is_empty = false;
   }
   if (is_empty && keep)
      return;
   if (is_empty)
      packed = lir_const32(builder, 0);
   if (keep) {
      const lir_value kept = kept_bits(place, unit, keep);
      packed = lir_ior(builder, packed, kept);
   }
   store_unit(place, unit, packed);
}

/* A unit at a time. */
static void
store_plain(struct place *place, const lir_value texel[4], unsigned mask)
{
   const struct format_info *info = place->info;
   unsigned to = 0;
   for (unsigned unit = 0; unit < info->num_units; unit++) {
      if (to < info->num_channels && info->channel[to].bits == 64) {
         const unsigned word = format_word_of(info, to++);
         if (mask >> word & 1)
            store_double(place, unit, texel[word]);
         unit++;
         continue;
      }
      store_channels(place, unit, &to, texel, mask);
   }
}

/* Three mantissas share an exponent, so that all are written. */
static void
store_shared(struct place *place, const lir_value texel[4], unsigned mask)
{
   lir_value rgb[3];
   if ((mask & 7) == 0)
      return;
   if ((mask & 7) != 7) {
      const lir_value old = load_unit(place, 0);
      lower_channel_unpack_shared(place->builder, place->info, old, rgb);
   }
   for (unsigned i = 0; i < 3; i++) {
      if (mask >> i & 1)
         rgb[i] = texel[i];
   }
   const lir_value word =
      lower_channel_pack_shared(place->builder, place->info, rgb);
   store_unit(place, 0, word);
}

/* One channel; all other bits of its unit stay. */
static void
store_into(struct place *place, unsigned to, lir_value value)
{
   assert(to < TG_LENGTH(place->info->channel));
   struct lir_builder *builder = place->builder;
   const struct format_place own = format_place(place->info, to);
   const uint32_t keep = own.all & ~own.mask;
   lir_value bits = pack_channel(place, to, 0, value);
   if (keep) {
      const lir_value kept = kept_bits(place, own.unit, keep);
      bits = lir_ior(builder, bits, kept);
   }
   store_unit(place, own.unit, bits);
}

/* Depth beside stencil leaves everything else as it is. */
static void
store_depth_stencil(struct place *place, const lir_value texel[4])
{
   const struct format_info *info = place->info;
   if (info->depth == FORMAT_SWIZZLE_NONE ||
       info->stencil == FORMAT_SWIZZLE_NONE)
      store_plain(place, texel, ALL_WORDS);
   else
      store_into(place, info->depth, texel[0]);
}

static void
store(struct place *place, const lir_value texel[4], unsigned mask)
{
   if (place->info->layout == FORMAT_LAYOUT_R9G9B9E5)
      store_shared(place, texel, mask);
   else if (place->info->colorspace == FORMAT_COLORSPACE_ZS)
      store_depth_stencil(place, texel);
   else
      store_plain(place, texel, mask);
}

void
lower_texel_store(struct lir_builder *builder, enum tg_format format,
                  enum lir_space space, uint32_t binding, lir_value index,
                  const lir_value texel[4])
{
   lower_texel_store_masked(builder, format, space, binding, index, texel,
                            ALL_WORDS);
}

void
lower_texel_store_masked(struct lir_builder *builder, enum tg_format format,
                         enum lir_space space, uint32_t binding,
                         lir_value index, const lir_value texel[4],
                         unsigned mask)
{
   struct place place = make_place(builder, format, space, binding, index);
   store(&place, texel, mask);
}

void
lower_texel_pack_units(struct lir_builder *builder, enum tg_format format,
                       const lir_value texel[4], unsigned mask,
                       lir_value units[LOWER_MAX_TEXEL_WORDS])
{
   struct place place =
      make_loaded(builder, format, format_info(format)->num_units, units);
   place.units_out = units;
   store(&place, texel, mask);
}

void
lower_texel_store_stencil(struct lir_builder *builder, enum tg_format format,
                          enum lir_space space, uint32_t binding,
                          lir_value index, lir_value stencil)
{
   assert(format_has_stencil(format));
   struct place place = make_place(builder, format, space, binding, index);
   store_into(&place, place.info->stencil, stencil);
}
