/* SPDX-License-Identifier: MIT
 *
 * Conversion of one channel, between bits and floats.
 */
#include "format/channel.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "util/bits.h"

static uint64_t
ones(unsigned bits)
{
   return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* Two's complement of `bits` bits. */
static int64_t
sign_extend(uint64_t value, unsigned bits)
{
   const uint64_t sign = UINT64_C(1) << (bits - 1);
   return (int64_t)((value ^ sign) - sign);
}

/* ---- normalised ---------------------------------------------------------- */

/* value / (2^bits - 1), rounded once. Beyond 24 bits the divisor is no float;
 * but the quotient is value / 2^bits + value / 4^bits + ..., of which the first
 * two terms are enough: they have more than 25 bits from the highest set to the
 * lowest, so what is left out cannot decide a tie. */
static float
divide_by_ones(uint64_t value, unsigned bits)
{
   if (bits <= 24)
      return (float)value / (float)ones(bits);
   return ldexpf((float)(value << bits | value), -2 * (int)bits);
}

static float
unpack_unorm(uint64_t bits, unsigned num_bits)
{
   assert(num_bits > 0 && num_bits <= 32);
   return divide_by_ones(bits, num_bits);
}

static float
unpack_snorm(uint64_t bits, unsigned num_bits)
{
   assert(num_bits > 1 && num_bits <= 32);
   const int64_t value = sign_extend(bits, num_bits);
   const int64_t least = -(int64_t)ones(num_bits - 1);
   if (value < 0)
      return -divide_by_ones((uint64_t) - (value < least ? least : value),
                             num_bits - 1);
   return divide_by_ones((uint64_t)value, num_bits - 1);
}

/* NaN becomes 0. */
static double
clamp(double x, double low, double high)
{
   if (isnan(x))
      return 0;
   return x < low ? low : x > high ? high : x;
}

/* The exact product, to nearest even: it is rounded once, where 1 is the unit
 * of a double's last place. */
static int64_t
round_product(double x, uint64_t factor)
{
   return (int64_t)(fma(x, (double)factor, 0x1.8p52) - 0x1.8p52);
}

/* ---- floats of few bits -------------------------------------------------- */

enum {
   SPECIAL_EXPONENT = (1 << FORMAT_EXPONENT_BITS) - 1, /* infinity and NaN */
   LEAST_EXPONENT = 1 - FORMAT_EXPONENT_BIAS,          /* of normal ones */
};

/* The exponent above `fraction_bits`, and no sign. */
static float
unpack_small_float(uint32_t bits, unsigned fraction_bits)
{
   const uint32_t exponent = bits >> fraction_bits;
   const uint32_t fraction = bits & (uint32_t)ones(fraction_bits);
   const uint32_t hidden = 1u << fraction_bits;
   if (exponent == SPECIAL_EXPONENT)
      return tg_float_of_bits(0x7f800000 | fraction << (23 - fraction_bits));
   if (exponent == 0)
      return ldexpf((float)fraction, LEAST_EXPONENT - (int)fraction_bits);
   return ldexpf((float)(hidden + fraction),
                 (int)exponent - FORMAT_EXPONENT_BIAS - (int)fraction_bits);
}

/* Of what is not negative and not NaN, to nearest even. Counting the units of
 * the last place from the hidden bit, 2^fraction_bits of them are one step of
 * the exponent, so that a carry is right by itself. */
static uint32_t
pack_small_float(float value, unsigned fraction_bits)
{
   const uint32_t infinity = (uint32_t)SPECIAL_EXPONENT << fraction_bits;
   if (isinf(value))
      return infinity;
   int exponent = LEAST_EXPONENT;
   if (value >= ldexpf(1, LEAST_EXPONENT))
      exponent = ilogbf(value);
   const double units = ldexp(value, (int)fraction_bits - exponent);
   const uint32_t bits =
      ((uint32_t)(exponent - LEAST_EXPONENT) << fraction_bits) +
      (uint32_t)rint(units);
   return bits < infinity ? bits : infinity;
}

static float
unpack_half(uint32_t bits)
{
   const float magnitude = unpack_small_float(bits & 0x7fff, 10);
   return tg_float_of_bits(tg_bits_of_float(magnitude) | (bits & 0x8000) << 16);
}

static uint32_t
pack_half(float value)
{
   if (isnan(value))
      return 0x7e00;
   return pack_small_float(fabsf(value), 10) |
          (tg_bits_of_float(value) >> 16 & 0x8000);
}

/* EXT_packed_float: NaN stays, infinity too, what is negative becomes 0, and
 * what is finite stays finite. */
static uint32_t
pack_unsigned_float(float value, unsigned fraction_bits)
{
   const uint32_t infinity = (uint32_t)SPECIAL_EXPONENT << fraction_bits;
   if (isnan(value))
      return infinity | 1u << (fraction_bits - 1);
   if (value <= 0)
      return 0;
   const uint32_t bits = pack_small_float(value, fraction_bits);
   return bits == infinity && !isinf(value) ? infinity - 1 : bits;
}

static float
unpack_float(uint64_t bits, unsigned num_bits)
{
   double value;
   switch (num_bits) {
   case 64: memcpy(&value, &bits, sizeof(value)); return (float)value;
   case 32: return tg_float_of_bits((uint32_t)bits);
   case 16: return unpack_half((uint32_t)bits);
   default:
      return unpack_small_float((uint32_t)bits,
                                num_bits - FORMAT_EXPONENT_BITS);
   }
}

static uint64_t
pack_float(float value, unsigned num_bits)
{
   const double wide = value;
   uint64_t bits;
   switch (num_bits) {
   case 64: memcpy(&bits, &wide, sizeof(bits)); return bits;
   case 32: return tg_bits_of_float(value);
   case 16: return pack_half(value);
   default: return pack_unsigned_float(value, num_bits - FORMAT_EXPONENT_BITS);
   }
}

/* ---- channels ------------------------------------------------------------ */

float
format_channel_to_float(const struct format_channel *channel, uint64_t bits)
{
   const unsigned num_bits = channel->bits;
   switch (channel->type) {
   case FORMAT_TYPE_UNORM: return unpack_unorm(bits, num_bits);
   case FORMAT_TYPE_SNORM: return unpack_snorm(bits, num_bits);
   case FORMAT_TYPE_USCALED: return (float)bits;
   case FORMAT_TYPE_SSCALED: return (float)sign_extend(bits, num_bits);
   case FORMAT_TYPE_FLOAT: return unpack_float(bits, num_bits);
   case FORMAT_TYPE_FIXED:
      return ldexpf((float)sign_extend(bits, num_bits), -16);
   default: assert(!"a channel that is no float"); return 0;
   }
}

uint64_t
format_channel_from_float(const struct format_channel *channel, float value)
{
   const uint64_t all = ones(channel->bits);
   const uint64_t greatest = format_greatest(channel);
   const double most = (double)greatest;
   switch (channel->type) {
   case FORMAT_TYPE_UNORM:
      return (uint64_t)round_product(clamp(value, 0, 1), greatest);
   case FORMAT_TYPE_SNORM:
      return (uint64_t)round_product(clamp(value, -1, 1), greatest) & all;
   case FORMAT_TYPE_USCALED:
      return (uint64_t)clamp(rint((double)value), 0, most);
   case FORMAT_TYPE_SSCALED:
      return (uint64_t)(int64_t)clamp(rint((double)value), -most - 1, most) &
             all;
   case FORMAT_TYPE_FLOAT: return pack_float(value, channel->bits);
   case FORMAT_TYPE_FIXED:
      return (uint64_t)(int64_t)clamp(rint(ldexp(value, 16)), -most - 1, most) &
             all;
   default: assert(!"a channel that is no float"); return 0;
   }
}

uint32_t
format_channel_to_integer(const struct format_channel *channel, uint64_t bits)
{
   if (channel->type == FORMAT_TYPE_SINT)
      return (uint32_t)sign_extend(bits, channel->bits);
   return (uint32_t)bits;
}

uint64_t
format_channel_from_integer(const struct format_channel *channel,
                            uint32_t value)
{
   const uint64_t greatest = format_greatest(channel);
   if (channel->type == FORMAT_TYPE_UINT)
      return value < greatest ? value : greatest;

   const int64_t most = (int64_t)greatest;
   const int64_t integer = (int32_t)value;
   const int64_t above = integer < -most - 1 ? -most - 1 : integer;
   return (uint64_t)(above > most ? most : above) & ones(channel->bits);
}

/* ---- shared exponent ----------------------------------------------------- */

/* Of EXT_texture_shared_exponent: mantissas of N bits, exponents with bias B.
 */

static int
mantissa_bits(const struct format_info *info)
{
   assert(info->channel[0].type == FORMAT_TYPE_MANTISSA);
   return info->channel[0].bits;
}

void
format_shared_channels_to_floats(const struct format_info *info,
                                 const uint32_t bits[4], float rgb_out[3])
{
   const int exponent =
      (int)bits[3] - FORMAT_EXPONENT_BIAS - mantissa_bits(info);
   for (unsigned i = 0; i < 3; i++)
      rgb_out[i] = ldexpf((float)bits[i], exponent);
}

/* floor(value / 2^(exponent - B - N) + 0.5), exact in double. */
static uint32_t
shared_mantissa(const struct format_info *info, double value, int exponent)
{
   const int scale = mantissa_bits(info) + FORMAT_EXPONENT_BIAS - exponent;
   return (uint32_t)floor(ldexp(value, scale) + 0.5);
}

float
format_shared_channels_greatest(const struct format_info *info)
{
   const float mantissa = (float)format_greatest(&info->channel[0]);
   const int exponent = (int)format_greatest(&info->channel[3]);
   return ldexpf(mantissa,
                 exponent - FORMAT_EXPONENT_BIAS - mantissa_bits(info));
}

void
format_shared_channels_from_floats(const struct format_info *info,
                                   const float rgb[3], uint32_t bits_out[4])
{
   const double greatest = format_shared_channels_greatest(info);
   double clamped[3], most = 0;
   for (unsigned i = 0; i < 3; i++) {
      clamped[i] = clamp(rgb[i], 0, greatest);
      most = clamped[i] > most ? clamped[i] : most;
   }
   int exponent = 0;
   if (most >= ldexp(1, -1 - FORMAT_EXPONENT_BIAS))
      exponent = ilogb(most) + 1 + FORMAT_EXPONENT_BIAS;
   if (shared_mantissa(info, most, exponent) >
       format_greatest(&info->channel[0]))
      exponent++;
   bits_out[3] = (uint32_t)exponent;
   for (unsigned i = 0; i < 3; i++)
      bits_out[i] = shared_mantissa(info, clamped[i], exponent);
}
