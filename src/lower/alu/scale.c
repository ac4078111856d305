/* SPDX-License-Identifier: MIT
 *
 * LDEXP, DLDEXP and DFRACEXP: exponents as numbers. Results round once, also
 * among the denormals; any 32-bit exponent will do.
 */
#include <math.h>

#include "lower/math/math.h"
#include "lower/operands/each.h"

/* ---- floats -------------------------------------------------------------- */

/* In doubles the product is exact: the exponent of a float that is neither 0
 * nor infinite is -149 to 127, so one beyond 300 makes no difference. */
static lir_value
ldexp_channel(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value x = lower_src(context, 0, channel);
   lir_value exponent = lower_src(context, 1, channel);
   lir_value bounded = lower_math_clamp_int(builder, exponent, -300, 300);
   lir_value power = lower_math_power_of_two64(builder, bounded);
   lir_value wide = lir_f2d(builder, x);
   lir_value product = lir_dmul(builder, wide, power);

   return lir_d2f(builder, product);
}

void
lower_op_ldexp(struct lower_context *context)
{
   lower_each_channel(context, ldexp_channel);
}

/* ---- doubles ------------------------------------------------------------- */

struct split64 {
   lir_value exponent;    /* integer */
   lir_value significand; /* double, magnitude in [1/2, 1) */
};

/* x as significand * 2^exponent. 0, inf and NaN are their own significand, and
 * have exponent 0. */
static struct split64
split64(struct lir_builder *builder, lir_value x)
{
   /* A denormal is made a normal one first. */
   lir_value magnitude = lir_dabs(builder, x);
   lir_value least_normal = lir_constd(builder, 0x1p-1022);
   lir_value factor = lir_constd(builder, 0x1p54);
   lir_value is_denormal = lir_dlt(builder, magnitude, least_normal);
   lir_value scaled = lir_dmul(builder, x, factor);
   lir_value normal = lir_sel64(builder, is_denormal, scaled, x);
   lir_value usual_bias = lir_const32(builder, 1022);
   lir_value denormal_bias = lir_const32(builder, 1022 + 54);
   lir_value bias = lir_sel32(builder, is_denormal, denormal_bias, usual_bias);

   /* Take the exponent out of the high word and put that of 1/2 in. */
   lir_value high = lir_hi64(builder, normal);
   lir_value low = lir_lo64(builder, normal);
   lir_value shift = lir_const32(builder, 20);
   lir_value shifted = lir_ushr(builder, high, shift);
   lir_value field_mask = lir_const32(builder, 0x7ff);
   lir_value field = lir_iand(builder, shifted, field_mask);
   lir_value exponent = lir_isub(builder, field, bias);
   lir_value other_mask = lir_const32(builder, 0x800fffff);
   lir_value other_bits = lir_iand(builder, high, other_mask);
   lir_value field_of_half = lir_const32(builder, 1022u << 20);
   lir_value new_high = lir_ior(builder, other_bits, field_of_half);
   lir_value significand = lir_pack64(builder, low, new_high);

   lir_value zero = lir_const32(builder, 0);
   lir_value zero64 = lir_constd(builder, 0.0);
   lir_value infinity = lir_constd(builder, INFINITY);
   lir_value is_not_zero = lir_dlt(builder, zero64, magnitude);
   lir_value is_finite = lir_dlt(builder, magnitude, infinity);
   lir_value is_usual = lir_band(builder, is_not_zero, is_finite);
   struct split64 result;
   result.exponent = lir_sel32(builder, is_usual, exponent, zero);
   result.significand = lir_sel64(builder, is_usual, significand, x);
   return result;
}

/* significand * 2^exponent for a magnitude in [1/2, 2), 0, inf or NaN. In two
 * steps, since 2^exponent need not be a double; only the second can round. */
static lir_value
join64(struct lir_builder *builder, lir_value significand, lir_value exponent)
{
   lir_value bounded = lower_math_clamp_int(builder, exponent, -1200, 1200);
   lir_value one = lir_const32(builder, 1);
   lir_value half = lir_ishr(builder, bounded, one);
   lir_value rest = lir_isub(builder, bounded, half);
   lir_value first = lower_math_power_of_two64(builder, half);
   lir_value second = lower_math_power_of_two64(builder, rest);
   lir_value scaled = lir_dmul(builder, significand, first);

   return lir_dmul(builder, scaled, second);
}

/* x * 2^exponent for any integer. */
static lir_value
scale64(struct lir_builder *builder, struct split64 x, lir_value exponent)
{
   /* So that the sum does not overflow. */
   lir_value bounded = lower_math_clamp_int(builder, exponent, -4096, 4096);
   lir_value sum = lir_iadd(builder, x.exponent, bounded);

   return join64(builder, x.significand, sum);
}

static lir_value
dldexp(struct lower_context *context, unsigned pair)
{
   lir_value x = lower_src_in_turn(context, 0, pair);
   lir_value exponent = lower_src(context, 1, 2 * pair);
   struct split64 parts = split64(&context->builder, x);

   return scale64(&context->builder, parts, exponent);
}

/* The fraction of an exponent, [-1/2, 1/2], that `nearest` leaves. An infinite
 * exponent has none. */
static lir_value
exponent_fraction(struct lir_builder *builder, lir_value exponent,
                  lir_value nearest)
{
   lir_value difference = lir_dsub(builder, exponent, nearest);
   lir_value magnitude = lir_dabs(builder, exponent);
   lir_value infinity = lir_constd(builder, INFINITY);
   lir_value is_infinite = lir_deq(builder, magnitude, infinity);
   lir_value zero = lir_constd(builder, 0.0);

   return lir_sel64(builder, is_infinite, zero, difference);
}

/* The exponent of 2011 is a double for each pair. An integer scales exactly;
 * for others the significand takes the fraction's power first, which is 1 when
 * there is no fraction. */
static lir_value
dldexp_of_double(struct lower_context *context, unsigned pair)
{
   /* 2^f; error 2^-54. */
   static const double power[] = {
      1.0,
      0x1.62e42fefa39f3p-1,
      0x1.ebfbdff82c598p-3,
      0x1.c6b08d7048f31p-5,
      0x1.3b2ab6fba1e1bp-7,
      0x1.5d87fe7bbbe7cp-10,
      0x1.43091309613cep-13,
      0x1.ffcbee3aef1c5p-17,
      0x1.62bfd49e6540cp-20,
      0x1.b54167cfcbc29p-24,
      0x1.e605fa38bdf7dp-28,
      0x1.c0634a77395d5p-32,
   };
   struct lir_builder *builder = &context->builder;
   lir_value x = lower_src_in_turn(context, 0, pair);
   lir_value exponent = lower_src_double(context, 1, pair);
   lir_value nearest = lir_dround(builder, exponent);
   lir_value f = exponent_fraction(builder, exponent, nearest);
   lir_value fraction_power =
      lower_math_polynomial64(builder, f, power, LOWER_LENGTH(power));
   lir_value integer = lir_d2i(builder, nearest);
   struct split64 parts = split64(builder, x);

   parts.significand = lir_dmul(builder, parts.significand, fraction_power);
   return scale64(builder, parts, integer);
}

void
lower_op_dldexp(struct lower_context *context)
{
   if (context->dialect->exponent_double)
      lower_each_pair(context, dldexp_of_double);
   else
      lower_each_pair(context, dldexp);
}

/* ---- DFRACEXP ------------------------------------------------------------ */

/* The significand of pair 0 in both pairs of destination 0; its exponent, an
 * integer, in all channels of destination 1. */
static void
dfracexp(struct lower_context *context)
{
   lir_value x = lower_src64(context, 0, 0);
   struct split64 parts = split64(&context->builder, x);

   lower_dst64(context, 0, 0, parts.significand);
   lower_dst64(context, 0, 1, parts.significand);
   lower_dst_all(context, 1, parts.exponent);
}

/* The exponents as doubles in destination 0, the significands in 1. */
static void
dfracexp_to_double(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;

   for (unsigned pair = 0; pair < 2; pair++) {
      lir_value x = lower_src64(context, 0, pair);
      struct split64 parts = split64(builder, x);
      lir_value exponent = lir_i2d(builder, parts.exponent);
      lower_dst64(context, 0, pair, exponent);
      lower_dst64(context, 1, pair, parts.significand);
   }
}

void
lower_op_dfracexp(struct lower_context *context)
{
   if (context->dialect->exponent_double)
      dfracexp_to_double(context);
   else
      dfracexp(context);
}
