/* SPDX-License-Identifier: MIT
 *
 * Sine and cosine. x is reduced to r = x - n * pi in about [-pi/2, pi/2], and
 * sin x is sin r, negated where n is odd; for the cosine n is half an odd
 * integer. 23 and 30 operations that are no constants, and 46 more, those of
 * reduce_large(), when some lane has |x| >= 2^17.
 *
 * Furthest from the true value, over all floats (bench/math_accuracy.c):
 * 1.53 ulp; in [-100 pi, 100 pi] 2^-23.4 in absolute terms.
 */
#include <math.h>

#include "lower/math/functions.h"
#include "lower/math/math.h"

/* An angle in half turns and what is left of one. */
struct angle {
   lir_value rest;       /* float, in radians */
   lir_value half_turns; /* integer; its lowest bit counts */
};

/* ---- reduction ----------------------------------------------------------- */

/* From here on the quotient by pi has too many bits for subtract_half_turns().
 */
#define LARGE 0x1p17f

/* pi is the sum of three floats, each rounded down: thus -0 stays. */
static const float pi_parts[] = {0x1.921fb4p+1f, 0x1.4442d0p-23f,
                                 0x1.846988p-47f};

/* x - number * pi_parts[part], rounded once. */
static lir_value
subtract_part(struct lir_builder *builder, lir_value x, lir_value number,
              unsigned part)
{
   lir_value factor = lir_constf(builder, -pi_parts[part]);

   return lir_ffma(builder, number, factor, x);
}

/* x - number * pi, for a number that is an integer or half an odd one. The
 * first subtraction is exact from x = 1 on, or where the number is 0: what it
 * leaves is below 2, and a multiple of 2^-23, half the last place of the part.
 */
static lir_value
subtract_half_turns(struct lir_builder *builder, lir_value x, lir_value number)
{
   lir_value rest = subtract_part(builder, x, number, 0);

   rest = subtract_part(builder, rest, number, 1);
   return subtract_part(builder, rest, number, 2);
}

/* The same for x in [0, 1] and a number that is 1/2 or -1/2. x has bits of less
 * weight than the difference, which would be rounded twice; so the small part
 * goes first. */
static lir_value
subtract_quarter_turn(struct lir_builder *builder, lir_value x,
                      lir_value number)
{
   lir_value less = subtract_part(builder, x, number, 1);

   return subtract_part(builder, less, number, 0);
}

/* For |x| < LARGE. The quotient is rounded, so the rest may exceed pi/2 by up
 * to 0.013; of NaN it is NaN. */
static struct angle
reduce_sine(struct lir_builder *builder, lir_value x)
{
   lir_value inverse = lir_constf(builder, 0x1.45f306p-2f); /* 1 / pi */
   struct lower_nearest nearest =
      lower_math_nearest_product(builder, x, inverse);
   struct angle angle;

   angle.rest = subtract_half_turns(builder, x, nearest.number);
   angle.half_turns = nearest.integer;
   return angle;
}

/* The same of x + pi/2, for x >= 0. */
static struct angle
reduce_cosine(struct lir_builder *builder, lir_value x)
{
   lir_value inverse = lir_constf(builder, 0x1.45f306p-2f); /* 1 / pi */
   lir_value half = lir_constf(builder, 0.5f);
   lir_value one = lir_constf(builder, 1.0f);
   lir_value quotient = lir_ffma(builder, x, inverse, half);
   struct lower_nearest nearest = lower_math_nearest(builder, quotient);
   lir_value number = lir_fsub(builder, nearest.number, half);
   lir_value is_small = lir_flt(builder, x, one);
   lir_value small = subtract_quarter_turn(builder, x, number);
   lir_value rest = subtract_half_turns(builder, x, number);
   struct angle angle;

   angle.rest = lir_sel32(builder, is_small, small, rest);
   angle.half_turns = nearest.integer;
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

/* magnitude / pi modulo 2, in units of 2^-63; magnitude is finite and at least
 * LARGE. That is its significand, an integer, times 96 bits of 2/pi. */
static lir_value
half_turns(struct lir_builder *builder, lir_value magnitude)
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

/* Of a full turn, which is 2^64. */
#define QUARTER_TURN (UINT64_C(1) << 62)

/* The reduction of Payne and Hanek, for magnitudes from LARGE on, of the angle
 * that is `ahead` of it, in units of 2^-63 half turns. Of inf the rest is NaN.
 */
static struct angle
reduce_large(struct lir_builder *builder, lir_value magnitude, uint64_t ahead)
{
   lir_value start = lir_const64(builder, ahead);
   lir_value turns = half_turns(builder, magnitude);
   lir_value product = lir_ladd(builder, turns, start);
   lir_value quarter = lir_const64(builder, QUARTER_TURN);
   lir_value rounded = lir_ladd(builder, product, quarter);
   lir_value integer_mask = lir_const64(builder, UINT64_C(1) << 63);
   lir_value nearest = lir_land(builder, rounded, integer_mask);
   lir_value fraction = lir_lsub(builder, product, nearest);
   lir_value unit = lir_constd(builder, 0x1.921fb54442d18p+1 * 0x1p-63);
   lir_value fraction_as_double = lir_l2d(builder, fraction);
   lir_value wide_rest = lir_dmul(builder, fraction_as_double, unit);
   lir_value rest = lir_d2f(builder, wide_rest);
   lir_value zero_or_nan = lir_fsub(builder, magnitude, magnitude);
   lir_value top = lir_hi64(builder, nearest);
   lir_value shift = lir_const32(builder, 31);
   struct angle angle;

   angle.rest = lir_fadd(builder, rest, zero_or_nan);
   angle.half_turns = lir_ushr(builder, top, shift);
   return angle;
}

/* `small`, but where x is large the angle that is `ahead` of it: of x < 0, for
 * which that is 0, the negated one of -x. */
static struct angle
choose_reduction(struct lir_builder *builder, struct angle small, lir_value x,
                 uint64_t ahead)
{
   struct lir_module *module = builder->module;
   uint32_t rest = lir_module_add_var(module, LIR_TYPE_B32, "angle.rest");
   uint32_t half_turns =
      lir_module_add_var(module, LIR_TYPE_B32, "angle.half_turns");
   lir_value magnitude = lir_fabs(builder, x);
   lir_value large = lir_constf(builder, LARGE);
   lir_value is_large = lir_fge(builder, magnitude, large);
   struct angle angle;

   lir_setvar(builder, rest, small.rest);
   lir_setvar(builder, half_turns, small.half_turns);
   lir_begin_if(builder, is_large);
   angle = reduce_large(builder, magnitude, ahead);
   angle.rest = lower_math_flip_sign(builder, angle.rest, x);
   lir_setvar(builder, rest, angle.rest);
   lir_setvar(builder, half_turns, angle.half_turns);
   lir_end(builder);

   angle.rest = lir_getvar(builder, rest);
   angle.half_turns = lir_getvar(builder, half_turns);
   return angle;
}

/* ---- the sine ------------------------------------------------------------ */

/* (sin r - r) / r. The first term is added last, and so rounded once: near pi/2
 * it is more than half of r. The others go by halves (Estrin), which wait for
 * less than Horner's scheme. */
static lir_value
sine_quotient(struct lir_builder *builder, lir_value r)
{
   /* (sin r - r) / r^3 by powers of r^2; error 2^-31.0 of the sine. */
   static const float first = -0x1.555556p-3f;
   static const float low[] = {0x1.111136p-7f, -0x1.a023ccp-13f};
   static const float high[] = {0x1.72cdd8p-19f, -0x1.b622e4p-26f};
   lir_value square = lir_fmul(builder, r, r);
   lir_value fourth = lir_fmul(builder, square, square);
   lir_value q0 =
      lower_math_polynomial(builder, square, low, LOWER_LENGTH(low));
   lir_value q1 =
      lower_math_polynomial(builder, square, high, LOWER_LENGTH(high));
   lir_value q = lir_ffma(builder, q1, fourth, q0);
   lir_value rest = lir_fmul(builder, fourth, q);
   lir_value slope = lir_constf(builder, first);

   return lir_ffma(builder, square, slope, rest);
}

static lir_value
sine_of_angle(struct lir_builder *builder, struct angle angle)
{
   lir_value quotient = sine_quotient(builder, angle.rest);
   lir_value sine = lir_ffma(builder, angle.rest, quotient, angle.rest);
   lir_value to_sign = lir_const32(builder, 31);
   lir_value sign = lir_ishl(builder, angle.half_turns, to_sign);

   return lir_ixor(builder, sine, sign);
}

lir_value
lower_math_sin(struct lir_builder *builder, lir_value x)
{
   struct angle small = reduce_sine(builder, x);
   struct angle angle = choose_reduction(builder, small, x, 0);

   return sine_of_angle(builder, angle);
}

/* The sine of a quarter turn more. */
lir_value
lower_math_cos(struct lir_builder *builder, lir_value x)
{
   lir_value magnitude = lir_fabs(builder, x);
   struct angle small = reduce_cosine(builder, magnitude);
   struct angle angle =
      choose_reduction(builder, small, magnitude, QUARTER_TURN);

   return sine_of_angle(builder, angle);
}
