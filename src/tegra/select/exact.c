/* SPDX-License-Identifier: MIT
 *
 * Quotients, square roots and powers to the bit of src/lower, by residual
 * correction; more operations than quotient.c takes without it. A quotient and
 * a root are a first value, which is that of quotient.c, and a correction by
 * the residual, what it leaves of the operand. That is known exactly, see
 * halves.c; where something overflowed or came near the denormals the first
 * value stays.
 */
#include <math.h>

#include "tegra/select/select.h"

/* ---- what is left -------------------------------------------------------- */

/* CR[1] is greater than 0 where what is left of x is to be believed: it is no
 * NaN and less than 2^-20 of x, as of every good first value, and x is above
 * 2^-100, so that no product came near the denormals. */
static void
test_rest(struct select *select, struct mir_source rest, struct mir_source x,
          unsigned mask)
{
   struct select_place bound = select_temporary_place(select, mask);

   select_emit_vector2(select, TEGRA_VECTOR_MAX, bound, mir_absolute(rest),
                       mir_number(0x1p-120f));
   select_emit_vector3(select, TEGRA_VECTOR_MAD,
                       select_condition_place(1, mask), select_value(bound),
                       mir_number(-0x1p20f), mir_absolute(x));
}

/* ---- quotients ----------------------------------------------------------- */

/* Zero, infinity or a power of two: such a factor rounds nothing, nor does the
 * reciprocal of one. */
static bool
has_no_fraction(const struct mir_source *x, unsigned component)
{
   return x->file == MIR_LITERAL && !(x->literal[component] & 0x007fffff);
}

/* Of such a divisor there are no halves. */
static bool
is_huge(const struct mir_source *x, unsigned component)
{
   return x->file == MIR_LITERAL &&
          !(fabsf(tg_float_of_bits(x->literal[component])) < 0x1p115f);
}

/* Components of a quotient that are to be corrected. */
static unsigned
find_inexact(const struct mir_source *a, const struct mir_source *b,
             unsigned mask)
{
   for (unsigned i = 0; i < 4; i++) {
      if (has_no_fraction(a, i) || has_no_fraction(b, i) || is_huge(b, i))
         mask &= ~tegra_mask_bit(i);
   }
   return mask;
}

/* What is to be added to q, for q + rest / b that is rounded once. It is half
 * an ulp whose side decides, so rest / b is brought to a multiple of that
 * first, g, and what is then left shows the side: exactly, as g is a power of
 * two. Half an ulp of q is an ulp of q / 2. */
static struct mir_source
find_correction(struct select *select, struct mir_source q,
                struct mir_source rest, struct mir_source b,
                struct mir_source reciprocal, unsigned mask)
{
   struct select_place correction = select_temporary_place(select, mask);
   struct select_place step = select_temporary_place(select, mask);
   struct select_place left = select_temporary_place(select, mask);
   struct mir_source c = select_value(correction);
   struct mir_source g = select_value(step);

   select_emit_vector2(select, TEGRA_VECTOR_MUL, correction, rest, reciprocal);
   select_emit_vector3(select, TEGRA_VECTOR_MAD, step, q, mir_number(0.5f), c);
   select_emit_vector3(select, TEGRA_VECTOR_MAD, step, q, mir_number(-0.5f), g);
   select_emit_vector3(select, TEGRA_VECTOR_MAD, left, mir_negate(g), b, rest);
   select_rounded_product_sum(select, correction, select_value(left),
                              reciprocal, g);
   return c;
}

/* A divisor of 12 bits leaves no quotient closer to half between two floats
 * than 2^-13 ulp, which a product with its reciprocal tells apart. */
void
select_exact_quotient(struct select *select, struct select_place place,
                      struct mir_source a, struct mir_source b)
{
   a = mir_plain(a);
   b = mir_plain(b);

   struct mir_source reciprocal = select_reciprocals(select, b, place.mask);
   unsigned inexact = find_inexact(&a, &b, place.mask);
   if (!inexact) {
      select_emit_vector2(select, TEGRA_VECTOR_MUL, place, a, reciprocal);
      return;
   }

   struct select_place first = select_temporary_place(select, place.mask);
   struct mir_source q = select_value(first);
   select_emit_vector2(select, TEGRA_VECTOR_MUL, first, a, reciprocal);

   struct mir_source rest = select_halves_residual(select, a, &q, &b, inexact);
   struct mir_source c = {0};
   bool is_short = select_has_short_halves(&b, inexact);
   if (!is_short)
      c = find_correction(select, q, rest, b, reciprocal, inexact);
   test_rest(select, rest, a, inexact);
   select_emit_vector1(select, TEGRA_VECTOR_MOV, place, q);
   place = select_place_where(select_masked_place(place, inexact),
                              SELECT_GREATER, TEGRA_IDENTITY);
   if (is_short)
      select_rounded_product_sum(select, place, rest, reciprocal, q);
   else
      select_emit_vector2(select, TEGRA_VECTOR_ADD, place, q, c);
}

/* ---- roots --------------------------------------------------------------- */

/* With the rest r of a first root s, it is s + (r - c^2) / 2s, where c = r /
 * 2s: two terms of the root of s^2 + r. One would round to the wrong side for
 * the last float before a power of four. */
void
select_exact_root(struct select *select, struct select_place place,
                  struct mir_source x)
{
   struct select_place reciprocal =
      select_temporary_place(select, TEGRA_MASK_X);
   struct select_place half = select_temporary_place(select, TEGRA_MASK_X);
   struct select_place root = select_temporary_place(select, TEGRA_MASK_X);
   struct select_place correction =
      select_temporary_place(select, TEGRA_MASK_X);
   struct select_place left = select_temporary_place(select, TEGRA_MASK_X);
   struct mir_source y = mir_component(select_value(reciprocal), 0);
   struct mir_source by = mir_component(select_value(half), 0);
   struct mir_source s = mir_component(select_value(root), 0);
   struct mir_source c = select_value(correction);
   struct mir_source l = mir_component(select_value(left), 0);

   select_emit_scalar(select, TEGRA_SCALAR_RSQ, reciprocal, x);
   select_emit_scalar(select, TEGRA_SCALAR_RCP, root, y);

   struct mir_source rest =
      select_halves_residual(select, x, &s, &s, TEGRA_MASK_X);
   select_emit_vector2(select, TEGRA_VECTOR_MUL, half, y, mir_number(0.5f));
   select_emit_vector2(select, TEGRA_VECTOR_MUL, correction, rest, by);
   select_rounded_product_sum(select, left, mir_negate(c), c, rest);
   test_rest(select, rest, x, TEGRA_MASK_X);
   select_emit_vector1(select, TEGRA_VECTOR_MOV, place, s);
   select_rounded_product_sum(
      select, select_place_where(place, SELECT_GREATER, TEGRA_XXXX), l, by, s);
}

/* ---- powers -------------------------------------------------------------- */

/* An exponent as far as it is known. */
struct exponent {
   bool may_be_large; /* for LIT */
   bool may_be_odd, may_be_fraction;
};

static struct exponent
look_at_exponent(const struct mir_source *y)
{
   struct exponent exponent = {true, true, true};

   if (y->file != MIR_LITERAL)
      return exponent;

   float number = fabsf(tg_float_of_bits(y->literal[0]));
   bool is_whole = floorf(number) == number;
   exponent.may_be_large = !(number <= TEGRA_LIT_LIMIT);
   exponent.may_be_fraction = !is_whole;
   exponent.may_be_odd = is_whole && floorf(number * 0.5f) != number * 0.5f;
   return exponent;
}

/* |x|^y by LIT, which computes it no less well than POW of src/lower. */
static void
power_by_lit(struct select *select, struct select_place power,
             struct mir_source x, struct mir_source y)
{
   struct select_place operands =
      select_temporary_place(select, TEGRA_MASK_XYZW);

   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_masked_place(operands, TEGRA_MASK_X),
                       mir_number(1.0f));
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_masked_place(operands, TEGRA_MASK_Y),
                       mir_absolute(x));
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_masked_place(operands, TEGRA_MASK_W), y);
   select_emit_scalar(select, TEGRA_SCALAR_LIT, power, select_value(operands));
}

/* LIT takes a NaN for 0: it is added, 0 if it is none. But to the power of 0
 * all is 1. */
static void
keep_nan(struct select *select, struct select_place power, struct mir_source x,
         struct mir_source y)
{
   struct select_place nan = select_temporary_place(select, TEGRA_MASK_Z);
   struct select_place place = power;

   if (select_has_zero_halves(&y, TEGRA_MASK_X))
      return;
   if (y.file != MIR_LITERAL) {
      select_emit_vector1(select, TEGRA_VECTOR_MOV,
                          select_condition_place(1, TEGRA_MASK_Z),
                          mir_absolute(y));
      place = select_place_where(power, SELECT_GREATER, TEGRA_IDENTITY);
   }
   select_emit_vector2(select, TEGRA_VECTOR_MIN, nan, mir_absolute(x),
                       mir_number(0.0f));
   select_emit_vector2(select, TEGRA_VECTOR_ADD, place, select_value(power),
                       select_value(nan));
}

/* |x|^y by logarithm where LIT is not asked for y itself. */
static void
power_by_logarithm(struct select *select, struct select_place power,
                   struct mir_source x, struct mir_source y)
{
   struct select_place t = select_temporary_place(select, TEGRA_MASK_X);
   struct mir_source value = mir_component(select_value(t), 0);

   select_emit_scalar(select, TEGRA_SCALAR_LG2, t, mir_absolute(x));
   select_emit_vector2(select, TEGRA_VECTOR_MUL, t, value, y);
   select_emit_vector2(select, TEGRA_VECTOR_SGT,
                       select_condition_place(1, TEGRA_MASK_Z), mir_absolute(y),
                       mir_number(TEGRA_LIT_LIMIT));
   select_emit_scalar(select, TEGRA_SCALAR_EX2,
                      select_place_where(power, SELECT_GREATER, TEGRA_IDENTITY),
                      value);
}

/* `value` where both truth values hold. */
static void
replace(struct select *select, struct select_place power, struct mir_source a,
        struct mir_source b, struct mir_source value)
{
   select_emit_vector2(select, TEGRA_VECTOR_MUL,
                       select_condition_place(1, TEGRA_MASK_Z), a, b);
   select_emit_vector1(
      select, TEGRA_VECTOR_MOV,
      select_place_where(power, SELECT_GREATER, TEGRA_IDENTITY), value);
}

/* Is it negative, infinite ones not? That of -0 is. */
static struct mir_source
is_reciprocal_negative(struct select *select, struct mir_source x)
{
   struct select_place t = select_temporary_place(select, TEGRA_MASK_Z);
   struct mir_source value = select_value(t);

   select_emit_scalar(select, TEGRA_SCALAR_RCP, t, x);
   select_emit_vector2(select, TEGRA_VECTOR_SLT, t, value, mir_number(0.0f));
   return value;
}

/* An odd power has the sign of x, also of a zero. */
static void
give_sign(struct select *select, struct select_place power, struct mir_source x,
          struct mir_source y)
{
   struct select_place sign = select_temporary_place(select, TEGRA_MASK_Z);
   struct select_place odd = select_temporary_place(select, TEGRA_MASK_Z);
   struct mir_source is_odd = select_value(odd);

   select_emit_vector2(select, TEGRA_VECTOR_SLT, sign, x, mir_number(0.0f));
   select_emit_vector2(select, TEGRA_VECTOR_MAX, sign, select_value(sign),
                       is_reciprocal_negative(select, x));
   select_emit_vector2(select, TEGRA_VECTOR_MUL, odd, y, mir_number(0.5f));
   select_emit_vector1(select, TEGRA_VECTOR_FRC, odd, is_odd);
   select_emit_vector2(select, TEGRA_VECTOR_SEQ, odd, is_odd, mir_number(0.5f));
   replace(select, power, select_value(sign), is_odd,
           mir_negate(select_value(power)));
}

/* A negative finite number has none but whole powers. */
static void
give_nan(struct select *select, struct select_place power, struct mir_source x,
         struct mir_source y)
{
   struct select_place negative = select_temporary_place(select, TEGRA_MASK_Z);
   struct select_place fraction = select_temporary_place(select, TEGRA_MASK_Z);

   select_emit_vector2(select, TEGRA_VECTOR_SLT, negative, x, mir_number(0.0f));
   select_emit_vector2(select, TEGRA_VECTOR_MUL, negative,
                       select_value(negative),
                       is_reciprocal_negative(select, x));
   select_emit_vector1(select, TEGRA_VECTOR_FRC, fraction, y);
   replace(select, power, select_value(negative), select_value(fraction),
           mir_number(NAN));
}

void
select_exact_power(struct select *select, struct select_place place,
                   struct mir_source x, struct mir_source y)
{
   struct exponent exponent = look_at_exponent(&y);
   struct select_place power = select_temporary_place(select, TEGRA_MASK_Z);

   power_by_lit(select, power, x, y);
   keep_nan(select, power, x, y);
   if (exponent.may_be_large)
      power_by_logarithm(select, power, x, y);
   if (exponent.may_be_odd)
      give_sign(select, power, x, y);
   if (exponent.may_be_fraction)
      give_nan(select, power, x, y);
   select_emit_vector1(select, TEGRA_VECTOR_MOV, place,
                       mir_component(select_value(power), 2));
}
