/* SPDX-License-Identifier: MIT
 *
 * Sine and cosine. |x| is reduced to r = |x| - quadrant * pi/2 in about
 * [-pi/4, pi/4], where two short polynomials do; the quadrant says which of
 * them it is, and its sign. 33 operations that are no constants, and those of
 * reduce_large() when some lane has |x| >= 2^17.
 *
 * Furthest from the true value, over all floats (bench/math_accuracy.c):
 * 1.55 ulp; in [-100 pi, 100 pi] 2^-23.7 in absolute terms.
 */
#include <math.h>

#include "lower/math/functions.h"
#include "lower/math/parts.h"

struct angle {
   lir_value rest;     /* float */
   lir_value quadrant; /* integer; its low two bits count */
};

/* ---- reduction ----------------------------------------------------------- */

/* From here on the quotient by pi/2 has too many bits for reduce_small(). */
#define LARGE 0x1p17f

/* pi/2 as the sum of three floats. The first subtraction is exact: r is below
 * 1 and a multiple of 2^-23, the last place of the first part. The quotient is
 * rounded, so r may exceed pi/4 by up to 0.013. */
static struct angle
reduce_small(struct lir_builder *builder, lir_value magnitude)
{
   lir_value inverse = lir_constf(builder, 0x1.45f306p-1f); /* 2 / pi */
   lir_value first = lir_constf(builder, -0x1.921fb6p+0f);
   lir_value second = lir_constf(builder, 0x1.777a5cp-25f);
   lir_value third = lir_constf(builder, 0x1.ee59dap-50f);
   lir_value quotient = lir_fmul(builder, magnitude, inverse);
   struct lower_nearest nearest = lower_nearest(builder, quotient);
   lir_value rest = lir_ffma(builder, nearest.number, first, magnitude);
   struct angle angle;

   rest = lir_ffma(builder, nearest.number, second, rest);
   angle.rest = lir_ffma(builder, nearest.number, third, rest);
   angle.quadrant = nearest.integer;
   return angle;
}

/* Four of these words hold the bits of 2/pi that matter for a given exponent:
 * those of more weight make whole turns, those of less vanish. The first eight
 * bits are before the point, where 2/pi has none. */
static const uint32_t two_over_pi[] = {
   0x00a2f983, 0x6e4e4415, 0x29fc2757, 0xd1f534dd,
   0xc0db6295, 0x993c4390, 0x41fe5163,
};

/* Words first + index and the one after it, for an index of 0 to 3. */
static lir_value
pick_words(struct lir_builder *builder, unsigned first, lir_value index)
{
   const uint32_t *words = two_over_pi + first;
   lir_value picked = lir_const64(builder, (uint64_t)words[0] << 32 | words[1]);

   for (unsigned i = 1; i < 4; i++) {
      uint64_t pair = (uint64_t)words[i] << 32 | words[i + 1];
      lir_value candidate = lir_const64(builder, pair);
      lir_value number = lir_const32(builder, i);
      lir_value is_it = lir_ieq(builder, index, number);
      picked = lir_sel64(builder, is_it, candidate, picked);
   }
   return picked;
}

/* magnitude * 2/pi modulo 4, in units of 2^-62; magnitude is finite and at
 * least LARGE. That is its significand, an integer, times 96 bits of 2/pi. */
static lir_value
quadrants(struct lir_builder *builder, lir_value magnitude)
{
   /* Where the bits begin: 0 to 110. */
   lir_value significand_bits = lir_const32(builder, 23);
   lir_value exponent_of_large = lir_const32(builder, 127 + 17);
   lir_value exponent = lir_ushr(builder, magnitude, significand_bits);
   lir_value position = lir_isub(builder, exponent, exponent_of_large);
   lir_value word_bits = lir_const32(builder, 5);
   lir_value bit_mask = lir_const32(builder, 31);
   lir_value index = lir_ushr(builder, position, word_bits);
   lir_value shift = lir_iand(builder, position, bit_mask);

   /* 64 bits, then 32 more. */
   lir_value upper = pick_words(builder, 0, index);
   lir_value lower = pick_words(builder, 2, index);
   lir_value one = lir_const32(builder, 1);
   lir_value last_bit = lir_const32(builder, 63);
   lir_value shifted_upper = lir_lshl(builder, upper, shift);
   lir_value half_lower = lir_ulshr(builder, lower, one);
   lir_value complement = lir_isub(builder, last_bit, shift);
   lir_value carried = lir_ulshr(builder, half_lower, complement);
   lir_value high = lir_lor(builder, shifted_upper, carried);
   lir_value shifted_lower = lir_lshl(builder, lower, shift);
   lir_value low_word = lir_hi64(builder, shifted_lower);

   lir_value mask = lir_const32(builder, 0x007fffff);
   lir_value hidden_bit = lir_const32(builder, 0x00800000);
   lir_value fraction = lir_iand(builder, magnitude, mask);
   lir_value significand = lir_ior(builder, fraction, hidden_bit);
   lir_value factor = lir_u2l(builder, significand);
   lir_value high_product = lir_lmul(builder, factor, high);
   lir_value low = lir_u2l(builder, low_word);
   lir_value low_product = lir_lmul(builder, factor, low);
   lir_value word = lir_const32(builder, 32);
   lir_value carry = lir_ulshr(builder, low_product, word);
   return lir_ladd(builder, high_product, carry);
}

/* The reduction of Payne and Hanek. */
static struct angle
reduce_large(struct lir_builder *builder, lir_value magnitude)
{
   lir_value product = quadrants(builder, magnitude);
   lir_value half = lir_const64(builder, UINT64_C(1) << 61);
   lir_value rounded = lir_ladd(builder, product, half);
   lir_value integer_mask = lir_const64(builder, UINT64_C(3) << 62);
   lir_value nearest = lir_land(builder, rounded, integer_mask);
   lir_value fraction = lir_lsub(builder, product, nearest);
   lir_value unit = lir_constd(builder, 0x1.921fb54442d18p+0 * 0x1p-62);
   lir_value fraction_as_double = lir_l2d(builder, fraction);
   lir_value wide_rest = lir_dmul(builder, fraction_as_double, unit);
   lir_value top = lir_hi64(builder, nearest);
   lir_value shift = lir_const32(builder, 30);
   struct angle angle;

   angle.rest = lir_d2f(builder, wide_rest);
   angle.quadrant = lir_ushr(builder, top, shift);
   return angle;
}

/* For inf the small reduction gives NaN, as for NaN. */
static struct angle
reduce(struct lir_builder *builder, lir_value magnitude)
{
   uint32_t rest = lir_add_var(builder->module, LIR_TYPE_B32, "angle.rest");
   uint32_t quadrant =
      lir_add_var(builder->module, LIR_TYPE_B32, "angle.quadrant");
   struct angle small = reduce_small(builder, magnitude);

   lir_setvar(builder, rest, small.rest);
   lir_setvar(builder, quadrant, small.quadrant);

   lir_value large = lir_constf(builder, LARGE);
   lir_value infinity = lir_constf(builder, INFINITY);
   lir_value is_at_least = lir_fge(builder, magnitude, large);
   lir_value is_finite = lir_flt(builder, magnitude, infinity);
   lir_value is_large = lir_band(builder, is_at_least, is_finite);

   lir_begin_if(builder, is_large);
   struct angle exact = reduce_large(builder, magnitude);
   lir_setvar(builder, rest, exact.rest);
   lir_setvar(builder, quadrant, exact.quadrant);
   lir_end(builder);

   struct angle angle;
   angle.rest = lir_getvar(builder, rest);
   angle.quadrant = lir_getvar(builder, quadrant);
   return angle;
}

/* ---- polynomials --------------------------------------------------------- */

/* r + r^3 * (...), so that a small r is its own sine. */
static lir_value
sine_of_rest(struct lir_builder *builder, lir_value r, lir_value square)
{
   /* (sin r - r) / r^3 by powers of r^2; error 2^-27.7 of the sine. */
   static const float quotient[] = {
      -0x1.555544p-3f,
      0x1.1106aep-7f,
      -0x1.990f92p-13f,
   };
   lir_value q =
      lower_polynomial(builder, square, quotient, LOWER_LENGTH(quotient));
   lir_value cube = lir_fmul(builder, r, square);

   return lir_ffma(builder, cube, q, r);
}

static lir_value
cosine_of_rest(struct lir_builder *builder, lir_value square)
{
   /* By powers of r^2; error 2^-32.5. */
   static const float cosine[] = {
      1.0f, -0.5f, 0x1.555548p-5f, -0x1.6c0af4p-10f, 0x1.99911cp-16f,
   };

   return lower_polynomial(builder, square, cosine, LOWER_LENGTH(cosine));
}

/* The sine of an angle: that of its rest in quadrant 0, its cosine in 1, and
 * both negated in 2 and 3, and where the sign bit of `sign` is set. */
static lir_value
sine_of_angle(struct lir_builder *builder, struct angle angle, lir_value sign)
{
   lir_value square = lir_fmul(builder, angle.rest, angle.rest);
   lir_value sine = sine_of_rest(builder, angle.rest, square);
   lir_value cosine = cosine_of_rest(builder, square);
   lir_value zero = lir_const32(builder, 0);
   lir_value sign_bit = lir_const32(builder, 0x80000000);
   lir_value from_odd = lir_const32(builder, 31);
   lir_value from_half = lir_const32(builder, 30);
   lir_value odd = lir_ishl(builder, angle.quadrant, from_odd);
   lir_value is_odd = lir_ilt(builder, odd, zero);
   lir_value value = lir_sel32(builder, is_odd, cosine, sine);
   lir_value half_turn = lir_ishl(builder, angle.quadrant, from_half);
   lir_value signs = lir_ixor(builder, half_turn, sign);
   lir_value flip = lir_iand(builder, signs, sign_bit);

   return lir_ixor(builder, value, flip);
}

lir_value
lower_math_sin(struct lir_builder *builder, lir_value x)
{
   lir_value magnitude = lir_fabs(builder, x);
   struct angle angle = reduce(builder, magnitude);

   return sine_of_angle(builder, angle, x);
}

/* A quarter turn ahead of the sine. */
lir_value
lower_math_cos(struct lir_builder *builder, lir_value x)
{
   lir_value magnitude = lir_fabs(builder, x);
   struct angle angle = reduce(builder, magnitude);
   lir_value one = lir_const32(builder, 1);

   angle.quadrant = lir_iadd(builder, angle.quadrant, one);
   return sine_of_angle(builder, angle, magnitude);
}
