/* SPDX-License-Identifier: MIT
 *
 * Channels as LIR.
 */
#include "lower/fixed_function/channel.h"

#include <assert.h>

#include "abi/bindings.h"
#include "abi/tables.h"
#include "format/channel.h"
#include "lower/fixed_function/texel.h"
#include "util/bits.h"

static uint32_t
ones(unsigned bits)
{
   return bits == 32 ? UINT32_MAX : (1u << bits) - 1;
}

static uint32_t
greatest(const struct format_channel *channel)
{
   assert(channel->bits <= 32);
   return (uint32_t)format_greatest(channel);
}

static lir_value
shift_left(struct lir_builder *builder, lir_value value, unsigned bits)
{
   if (bits == 0)
      return value;
   const lir_value amount = lir_const32(builder, bits);
   return lir_ishl(builder, value, amount);
}

static lir_value
mask_bits(struct lir_builder *builder, lir_value value, unsigned bits)
{
   if (bits == 32)
      return value;
   const lir_value mask = lir_const32(builder, ones(bits));
   return lir_iand(builder, value, mask);
}

/* ---- bits ---------------------------------------------------------------- */

static lir_value
extract_unsigned(struct lir_builder *builder, unsigned bits, unsigned shift,
                 unsigned above, lir_value unit)
{
   assert(bits > 0 && bits + shift + above <= 32);
   if (shift) {
      const lir_value amount = lir_const32(builder, shift);
      unit = lir_ushr(builder, unit, amount);
   }
   return above ? mask_bits(builder, unit, bits) : unit;
}

static lir_value
extract_signed(struct lir_builder *builder, unsigned bits, unsigned shift,
               lir_value unit)
{
   assert(bits > 0 && bits + shift <= 32);
   const lir_value high = shift_left(builder, unit, 32 - shift - bits);
   if (bits == 32)
      return high;
   const lir_value amount = lir_const32(builder, 32 - bits);
   return lir_ishr(builder, high, amount);
}

/* ---- normalised ---------------------------------------------------------- */

/* number / divisor, rounded once, of an integer of up to 24 bits and a divisor
 * 2^n - 1 that is not less, without a division: the reciprocal is taken as the
 * sum of two floats. */
static lir_value
divide(struct lir_builder *builder, lir_value number, uint32_t divisor)
{
   if (divisor == 1)
      return number;

   const double reciprocal = 1.0 / divisor;
   const lir_value high = lir_constf(builder, (float)reciprocal);
   const lir_value low =
      lir_constf(builder, (float)(reciprocal - (double)(float)reciprocal));
   const lir_value rest = lir_fmul(builder, number, low);
   return lir_ffma(builder, number, high, rest);
}

/* Divided by the greatest, see format_greatest(). */
static lir_value
unpack_unorm(struct lir_builder *builder, const struct format_channel *channel,
             lir_value value)
{
   if (channel->bits > 24) {
      assert(channel->bits == 32);
      /* As format/channel.c has it: value * (2^32 + 1) rounds as it should. */
      const lir_value twice = lir_pack64(builder, value, value);
      const lir_value rounded = lir_ul2f(builder, twice);
      const lir_value scale = lir_constf(builder, 0x1p-64f);
      return lir_fmul(builder, rounded, scale);
   }
   const lir_value number = lir_u2f(builder, value);
   return divide(builder, number, greatest(channel));
}

/* Without the clamp at -1. */
static lir_value
divide_signed(struct lir_builder *builder, const struct format_channel *channel,
              lir_value value)
{
   if (channel->bits > 24) {
      assert(channel->bits == 32);
      const lir_value wide = lir_i2l(builder, value);
      const lir_value factor = lir_const64(builder, (UINT64_C(1) << 31) + 1);
      const lir_value twice = lir_lmul(builder, wide, factor);
      const lir_value rounded = lir_l2f(builder, twice);
      const lir_value scale = lir_constf(builder, 0x1p-62f);
      return lir_fmul(builder, rounded, scale);
   }
   const lir_value number = lir_i2f(builder, value);
   return divide(builder, number, greatest(channel));
}

static lir_value
unpack_snorm(struct lir_builder *builder, const struct format_channel *channel,
             lir_value value)
{
   const lir_value quotient = divide_signed(builder, channel, value);
   const lir_value least = lir_constf(builder, -1.0f);
   return lir_fmax(builder, quotient, least);
}

/* NaN gives 0. */
static lir_value
clamp_signed(struct lir_builder *builder, lir_value x)
{
   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value least = lir_constf(builder, -1.0f);
   const lir_value most = lir_constf(builder, 1.0f);
   const lir_value above = lir_fmax(builder, x, least);
   const lir_value clamped = lir_fmin(builder, above, most);
   const lir_value is_number = lir_feq(builder, x, x);
   return lir_sel32(builder, is_number, clamped, zero);
}

/* x * factor as an integer, rounded once, to nearest even; 0 <= x <= 1. From
 * 2^23 to 2^24 the last place of a float counts ones: the product is there, or
 * comes there when 2^23 is added. */
static lir_value
round_24_bits(struct lir_builder *builder, lir_value factor, lir_value x)
{
   const float unit = 0x1p23f;
   const uint32_t bits = tg_bits_of_float(unit);
   const lir_value none = lir_const32(builder, 0);
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value magic = lir_constf(builder, unit);
   const lir_value is_low = lir_fge(builder, half, x);
   const lir_value added = lir_sel32(builder, is_low, magic, none);
   const lir_value sum = lir_ffma(builder, x, factor, added);
   const lir_value low = lir_const32(builder, bits);
   const lir_value high = lir_const32(builder, bits - (1u << 23));
   const lir_value first = lir_sel32(builder, is_low, low, high);
   return lir_isub(builder, sum, first);
}

/* x * factor as an integer, rounded once, to nearest even; |x| <= 1. Added to a
 * number whose last place counts ones, it stands in the lowest bits, as two's
 * complement: 22 bits of a float, all of the low word of a double. */
static lir_value
round_product(struct lir_builder *builder, const struct format_channel *channel,
              lir_value x)
{
   const unsigned bits = channel->bits;
   const uint32_t factor = greatest(channel);
   if (bits <= 22) {
      const lir_value scale = lir_constf(builder, (float)factor);
      const lir_value magic = lir_constf(builder, 0x1.8p23f);
      const lir_value sum = lir_ffma(builder, x, scale, magic);
      return mask_bits(builder, sum, bits);
   }
   if (bits == 24 && !format_is_signed(channel)) {
      const lir_value scale = lir_constf(builder, (float)factor);
      return round_24_bits(builder, scale, x);
   }
   const lir_value wide = lir_f2d(builder, x);
   const lir_value scale = lir_constd(builder, factor);
   const lir_value magic = lir_constd(builder, 0x1.8p52);
   const lir_value sum = lir_dfma(builder, wide, scale, magic);
   const lir_value low = lir_lo64(builder, sum);
   return mask_bits(builder, low, bits);
}

/* ---- floats of few bits -------------------------------------------------- */

enum {
   HALF_MAGNITUDE_BITS = 15,
   SPECIAL_EXPONENT = (1 << FORMAT_EXPONENT_BITS) - 1, /* infinity and NaN */
   LEAST_EXPONENT = 1 - FORMAT_EXPONENT_BIAS,          /* of normal ones */
   FLOAT_BIAS = 127,
   FLOAT_FRACTION_BITS = 23,
};

/* 2^exponent. */
static float
power_of_two(int exponent)
{
   return tg_float_of_bits((uint32_t)(FLOAT_BIAS + exponent)
                           << FLOAT_FRACTION_BITS);
}

/* Unsigned floats are halves without the sign and the last bits. */
static lir_value
unpack_float(struct lir_builder *builder, lir_value value, unsigned bits)
{
   if (bits == 32)
      return value;
   const lir_value half =
      bits == 16 ? value
                 : shift_left(builder, value, HALF_MAGNITUDE_BITS - bits);
   return lir_h2f(builder, half);
}

/* From a float that is not negative and below the greatest one that rounds to
 * infinity. As lir_f2h() does it: rebias and round at the last bit that stays,
 * or let an addition count the units of a denormal. */
static lir_value
round_unsigned_float(struct lir_builder *builder, lir_value x,
                     unsigned fraction_bits)
{
   const unsigned dropped = FLOAT_FRACTION_BITS - fraction_bits;
   const uint32_t bias_change = (uint32_t)(FLOAT_BIAS - FORMAT_EXPONENT_BIAS)
                                << FLOAT_FRACTION_BITS;
   const lir_value amount = lir_const32(builder, dropped);
   const lir_value rebias =
      lir_const32(builder, ones(dropped - 1) - bias_change);
   const lir_value last = lir_ushr(builder, x, amount);
   const lir_value odd = mask_bits(builder, last, 1);
   const lir_value rebiased = lir_iadd(builder, x, rebias);
   const lir_value sum = lir_iadd(builder, rebiased, odd);
   const lir_value normal = lir_ushr(builder, sum, amount);

   const lir_value unit =
      lir_constf(builder, power_of_two(LEAST_EXPONENT + (int)dropped));
   const lir_value added = lir_fadd(builder, x, unit);
   const lir_value denormal = lir_isub(builder, added, unit);

   const lir_value least_normal =
      lir_constf(builder, power_of_two(LEAST_EXPONENT));
   const lir_value is_denormal = lir_flt(builder, x, least_normal);
   return lir_sel32(builder, is_denormal, denormal, normal);
}

/* Finite ones stay finite; what is negative becomes 0. */
static lir_value
pack_unsigned_float(struct lir_builder *builder, lir_value value, unsigned bits)
{
   const unsigned fraction_bits = bits - FORMAT_EXPONENT_BITS;
   const uint32_t infinity = (uint32_t)SPECIAL_EXPONENT << fraction_bits;
   const float end = power_of_two(SPECIAL_EXPONENT - FORMAT_EXPONENT_BIAS);
   const float last_unit = end / (float)(2u << fraction_bits);
   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value most = lir_constf(builder, end - last_unit);
   const lir_value above = lir_fmax(builder, value, zero);
   const lir_value clamped = lir_fmin(builder, above, most);
   lir_value packed = round_unsigned_float(builder, clamped, fraction_bits);

   const lir_value float_infinity = lir_constf(builder, __builtin_inff());
   const lir_value is_infinite = lir_feq(builder, value, float_infinity);
   const lir_value infinite = lir_const32(builder, infinity);
   packed = lir_sel32(builder, is_infinite, infinite, packed);

   const lir_value is_number = lir_feq(builder, value, value);
   const lir_value nan =
      lir_const32(builder, infinity | 1u << (fraction_bits - 1));
   return lir_sel32(builder, is_number, packed, nan);
}

static lir_value
pack_float(struct lir_builder *builder, lir_value value, unsigned bits)
{
   switch (bits) {
   case 32: return value;
   case 16: return lir_f2h(builder, value);
   default: return pack_unsigned_float(builder, value, bits);
   }
}

lir_value
lower_channel_unpack_double(struct lir_builder *builder, lir_value low,
                            lir_value high)
{
   const lir_value wide = lir_pack64(builder, low, high);
   return lir_d2f(builder, wide);
}

/* ---- integers ------------------------------------------------------------ */

static lir_value
clamp_unsigned_integer(struct lir_builder *builder,
                       const struct format_channel *channel, lir_value value)
{
   if (channel->bits == 32)
      return value;
   const lir_value most = lir_const32(builder, greatest(channel));
   return lir_umin(builder, value, most);
}

static lir_value
clamp_signed_integer(struct lir_builder *builder,
                     const struct format_channel *channel, lir_value value)
{
   if (channel->bits == 32)
      return value;
   const lir_value least = lir_const32(builder, ~greatest(channel));
   const lir_value most = lir_const32(builder, greatest(channel));
   const lir_value above = lir_imax(builder, value, least);
   const lir_value clamped = lir_imin(builder, above, most);
   return mask_bits(builder, clamped, channel->bits);
}

static lir_value
clamp_integer(struct lir_builder *builder, const struct format_channel *channel,
              lir_value value)
{
   return format_is_signed(channel)
             ? clamp_signed_integer(builder, channel, value)
             : clamp_unsigned_integer(builder, channel, value);
}

/* The conversions clamp at 32 bits and give 0 for NaN. */
static lir_value
pack_scaled(struct lir_builder *builder, const struct format_channel *channel,
            lir_value value)
{
   const lir_value rounded = lir_fround(builder, value);
   const lir_value integer = format_is_signed(channel)
                                ? lir_f2i(builder, rounded)
                                : lir_f2u(builder, rounded);
   return clamp_integer(builder, channel, integer);
}

static lir_value
unpack_fixed(struct lir_builder *builder, lir_value value)
{
   const lir_value number = lir_i2f(builder, value);
   const lir_value scale = lir_constf(builder, 0x1p-16f);
   return lir_fmul(builder, number, scale);
}

static lir_value
pack_fixed(struct lir_builder *builder, const struct format_channel *channel,
           lir_value value)
{
   const lir_value scale = lir_constf(builder, 0x1p16f);
   const lir_value scaled = lir_fmul(builder, value, scale);
   return pack_scaled(builder, channel, scaled);
}

/* ---- channels ------------------------------------------------------------ */

bool
lower_channel_has_codes(const struct format_channel *channel)
{
   return channel->type == FORMAT_TYPE_UNORM && channel->bits <= 16;
}

lir_value
lower_channel_unpack_code(struct lir_builder *builder,
                          const struct format_channel *channel, unsigned shift,
                          unsigned above, lir_value unit)
{
   if (channel->bits == 8 && shift % 8 == 0 && shift + above) {
      const lir_value number = lir_const32(builder, shift / 8);
      return lir_bytef(builder, unit, number);
   }
   const lir_value code =
      extract_unsigned(builder, channel->bits, shift, above, unit);
   return lir_u2f(builder, code);
}

lir_value
lower_channel_divide_code(struct lir_builder *builder,
                          const struct format_channel *channel, lir_value code)
{
   return divide(builder, code, greatest(channel));
}

lir_value
lower_channel_unpack(struct lir_builder *builder,
                     const struct format_channel *channel, unsigned shift,
                     unsigned above, lir_value unit)
{
   assert(channel->bits <= 32);
   const unsigned bits = channel->bits;
   if (lower_channel_has_codes(channel)) {
      const lir_value code =
         lower_channel_unpack_code(builder, channel, shift, above, unit);
      return lower_channel_divide_code(builder, channel, code);
   }
   const lir_value value =
      format_is_signed(channel)
         ? extract_signed(builder, bits, shift, unit)
         : extract_unsigned(builder, bits, shift, above, unit);
   switch (channel->type) {
   case FORMAT_TYPE_UNORM: return unpack_unorm(builder, channel, value);
   case FORMAT_TYPE_SNORM: return unpack_snorm(builder, channel, value);
   case FORMAT_TYPE_USCALED: return lir_u2f(builder, value);
   case FORMAT_TYPE_SSCALED: return lir_i2f(builder, value);
   case FORMAT_TYPE_FLOAT: return unpack_float(builder, value, bits);
   case FORMAT_TYPE_FIXED: return unpack_fixed(builder, value);
   default: return value;
   }
}

lir_value
lower_channel_pack(struct lir_builder *builder,
                   const struct format_channel *channel, lir_value value)
{
   assert(channel->bits > 0 && channel->bits <= 32);
   switch (channel->type) {
   case FORMAT_TYPE_UNORM: {
      const lir_value clamped = lir_fsat(builder, value);
      return round_product(builder, channel, clamped);
   }
   case FORMAT_TYPE_SNORM: {
      const lir_value clamped = clamp_signed(builder, value);
      return round_product(builder, channel, clamped);
   }
   case FORMAT_TYPE_USCALED:
   case FORMAT_TYPE_SSCALED: return pack_scaled(builder, channel, value);
   case FORMAT_TYPE_FLOAT: return pack_float(builder, value, channel->bits);
   case FORMAT_TYPE_FIXED: return pack_fixed(builder, channel, value);
   default: return clamp_integer(builder, channel, value);
   }
}

/* ---- sRGB ---------------------------------------------------------------- */

static lir_value
load_table(struct lir_builder *builder, uint32_t first, lir_value number)
{
   const lir_value start = lir_const32(builder, ABI_TABLE_SRGB + first);
   const lir_value index = lir_iadd(builder, number, start);
   return abi_table_lookup(builder, index);
}

lir_value
lower_channel_unpack_srgb(struct lir_builder *builder, unsigned bits,
                          unsigned shift, unsigned above, lir_value unit)
{
   assert(bits == 5 || bits == 6 || bits == 8);
   const lir_value code = extract_unsigned(builder, bits, shift, above, unit);
   return load_table(builder, format_srgb_decode(bits), code);
}

/* The curve of sRGB from 0 to 1, its power made of square roots. */
static lir_value
srgb_curve(struct lir_builder *builder, lir_value value)
{
   const lir_value end = lir_constf(builder, 0.0031308f);
   const lir_value slope = lir_constf(builder, 12.92f);
   const lir_value is_line = lir_flt(builder, value, end);
   const lir_value line = lir_fmul(builder, value, slope);
   const lir_value square_root = lir_fsqrt(builder, value);
   const lir_value fourth_root = lir_fsqrt(builder, square_root);
   const lir_value eighth_root = lir_fsqrt(builder, fourth_root);
   const lir_value factor1 = lir_constf(builder, -0.0225411470f);
   const lir_value factor8 = lir_constf(builder, -0.323583601f);
   const lir_value factor4 = lir_constf(builder, 0.684122060f);
   const lir_value factor2 = lir_constf(builder, 0.662002687f);
   lir_value power = lir_fmul(builder, value, factor1);
   power = lir_ffma(builder, eighth_root, factor8, power);
   power = lir_ffma(builder, fourth_root, factor4, power);
   power = lir_ffma(builder, square_root, factor2, power);
   return lir_sel32(builder, is_line, line, power);
}

/* The curve is within one code of the nearest for every float from 0 to 1; the
 * least floats of this code and of the next one say which it is. */
lir_value
lower_channel_pack_srgb(struct lir_builder *builder, unsigned bits,
                        lir_value value)
{
   const uint32_t first = format_srgb_encode(bits);
   const lir_value clamped = lir_fsat(builder, value);
   const lir_value curve = srgb_curve(builder, clamped);
   const lir_value scale = lir_constf(builder, (float)ones(bits));
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value scaled = lir_ffma(builder, curve, scale, half);
   const lir_value near = lir_f2u(builder, scaled);
   const lir_value most = lir_const32(builder, ones(bits) - 1);
   const lir_value code = lir_umin(builder, near, most);
   const lir_value least = load_table(builder, first, code);
   const lir_value next = load_table(builder, first + 1, code);
   const lir_value is_below = lir_flt(builder, clamped, least);
   const lir_value is_above = lir_fge(builder, clamped, next);
   const lir_value less = lir_b2i(builder, is_below);
   const lir_value more = lir_b2i(builder, is_above);
   const lir_value lower = lir_iadd(builder, code, less);
   return lir_isub(builder, lower, more);
}

/* ---- shared exponent ----------------------------------------------------- */

static int
mantissa_bits(const struct format_info *info)
{
   assert(info->channel[0].type == FORMAT_TYPE_MANTISSA);
   return info->channel[0].bits;
}

static lir_value
extract_channel(struct lir_builder *builder,
                const struct format_channel *channel, lir_value word)
{
   const unsigned above = 32u - channel->bits - channel->shift;
   return extract_unsigned(builder, channel->bits, channel->shift, above, word);
}

/* A mantissa of N bits counts 2^(exponent - bias - N); the sum is the exponent
 * field of the float that this is. */
void
lower_channel_unpack_shared(struct lir_builder *builder,
                            const struct format_info *info, lir_value word,
                            lir_value rgb_out[3])
{
   const int unit = FORMAT_EXPONENT_BIAS + mantissa_bits(info);
   const lir_value exponent = extract_channel(builder, &info->channel[3], word);
   const lir_value bias = lir_const32(builder, (uint32_t)(FLOAT_BIAS - unit));
   const lir_value biased = lir_iadd(builder, exponent, bias);
   const lir_value scale = shift_left(builder, biased, FLOAT_FRACTION_BITS);
   for (unsigned i = 0; i < 3; i++) {
      const lir_value mantissa =
         extract_channel(builder, &info->channel[i], word);
      const lir_value number = lir_u2f(builder, mantissa);
      rgb_out[i] = lir_fmul(builder, number, scale);
   }
}

/* The exponent that makes the greatest of the three a mantissa of N bits, or 0.
 * To round it at its Nth bit before looking takes a carry to 2^N into
 * account. */
static lir_value
shared_exponent(struct lir_builder *builder, const struct format_info *info,
                const lir_value rgb[3])
{
   const int rest = FLOAT_FRACTION_BITS - mantissa_bits(info);
   const lir_value first = lir_fmax(builder, rgb[0], rgb[1]);
   const lir_value most = lir_fmax(builder, first, rgb[2]);
   const lir_value half = lir_const32(builder, UINT32_C(1) << rest);
   const lir_value rounded = lir_iadd(builder, most, half);
   const lir_value field = lir_const32(builder, FLOAT_FRACTION_BITS);
   const lir_value biased = lir_ushr(builder, rounded, field);
   const lir_value least =
      lir_const32(builder, FLOAT_BIAS - FORMAT_EXPONENT_BIAS - 1);
   const lir_value clamped = lir_umax(builder, biased, least);
   return lir_isub(builder, clamped, least);
}

/* floor(x * 2^(bias + N - exponent) + 0.5): twice the product is exact, its
 * integer part plus 1, halved, is what is wanted. */
lir_value
lower_channel_pack_shared(struct lir_builder *builder,
                          const struct format_info *info,
                          const lir_value rgb[3])
{
   const int unit = FORMAT_EXPONENT_BIAS + mantissa_bits(info);
   lir_value clamped[3];
   for (unsigned i = 0; i < 3; i++) {
      const lir_value zero = lir_constf(builder, 0.0f);
      const lir_value most =
         lir_constf(builder, format_shared_channels_greatest(info));
      const lir_value above = lir_fmax(builder, rgb[i], zero);
      clamped[i] = lir_fmin(builder, above, most);
   }
   const lir_value exponent = shared_exponent(builder, info, clamped);
   const lir_value bias =
      lir_const32(builder, (uint32_t)(FLOAT_BIAS + unit + 1));
   const lir_value biased = lir_isub(builder, bias, exponent);
   const lir_value scale = shift_left(builder, biased, FLOAT_FRACTION_BITS);
   const lir_value one = lir_const32(builder, 1);

   lir_value word = shift_left(builder, exponent, info->channel[3].shift);
   for (unsigned i = 0; i < 3; i++) {
      const lir_value product = lir_fmul(builder, clamped[i], scale);
      const lir_value twice = lir_f2u(builder, product);
      const lir_value next = lir_iadd(builder, twice, one);
      const lir_value mantissa = lir_ushr(builder, next, one);
      const lir_value placed =
         shift_left(builder, mantissa, info->channel[i].shift);
      word = lir_ior(builder, word, placed);
   }
   return word;
}
