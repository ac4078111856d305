/* SPDX-License-Identifier: MIT
 *
 * Integer arithmetic in floats, as kinds.h has them. Of zeros that stand for
 * integers the sign may be anything; a float made of one has none.
 */
#include "tegra/select/select.h"

#include <math.h>

/* ---- masks beside integers ----------------------------------------------- */

/* The components of a source that are masks. */
static unsigned
components_with_masks(const struct select *select, unsigned index)
{
   unsigned mask = 0;

   for (unsigned c = 0; c < 4; c++) {
      if (kinds_of(select->kinds, select->index, KINDS_SRC + index, c) ==
          KIND_MASK)
         mask |= tegra_mask_bit(c);
   }
   return mask;
}

/* The place for what takes an operation for masks and one for integers. */
static struct select_place
place_for_both(struct select *select, unsigned masks)
{
   struct select_place result = select_result(select);

   return result.mask & masks && result.mask & ~masks
             ? select_result_parts(select)
             : result;
}

/* Of a mask, -1, it is 1, as which masks are kept. */
void
select_op_ineg(struct select *select)
{
   struct mir_source source = select_source(select, 0);
   unsigned masks = components_with_masks(select, 0);
   struct select_place result = place_for_both(select, masks);

   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_masked_place(result, masks), source);
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_masked_place(result, ~masks), mir_negate(source));
}

/* Of a mask it is -1. Adding 0 makes a -0 a 0. */
void
select_op_i2f(struct select *select)
{
   struct mir_source source = select_source(select, 0);
   struct select_place result = select_result_parts(select);
   unsigned masks = components_with_masks(select, 0) & result.mask;
   unsigned signless = 0;

   for (unsigned c = 0; c < 4; c++) {
      if (!source.negate &&
          !kinds_may_be_minus_zero(select->kinds, select->index, KINDS_SRC, c))
         signless |= tegra_mask_bit(c) & ~masks;
   }
   select_emit_vector2(select, TEGRA_VECTOR_ADD,
                       select_masked_place(result, masks), mir_negate(source),
                       mir_number(0.0f));
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_masked_place(result, signless), source);
   select_emit_vector2(select, TEGRA_VECTOR_ADD,
                       select_masked_place(result, ~(masks | signless)), source,
                       mir_number(0.0f));
}

/* Cut off, and within what the integer can be if more than an index is made of
 * it. Its greatest value is no float; the next one stands for it, as it does
 * when the integer becomes a float again. */
static void
float_to_integer(struct select *select, float least, float greatest)
{
   struct mir_source source = select_source(select, 0);
   struct select_place result = select_result(select);
   struct select_place t = select_temporary_place(select, result.mask);
   bool is_index = true;

   for (unsigned c = 0; c < 4; c++)
      is_index &= !tegra_mask_has(result.mask, c) ||
                  kinds_is_index(select->kinds, select->index, KINDS_DST, c);
   select_truncate(select, is_index ? select_result_parts(select) : t, source);
   if (is_index)
      return;
   select_emit_vector2(select, TEGRA_VECTOR_MAX, t, select_value(t),
                       mir_number(least));
   select_emit_vector2(select, TEGRA_VECTOR_MIN, result, select_value(t),
                       mir_number(greatest));
}

void
select_op_f2i(struct select *select)
{
   float_to_integer(select, -0x1p31f, 0x1p31f);
}

void
select_op_f2u(struct select *select)
{
   float_to_integer(select, 0, 0x1p32f);
}

/* ---- sums and products --------------------------------------------------- */

/* |a - b| + c. */
void
select_op_sad(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);
   struct mir_source c = select_source(select, 2);
   struct select_place result = select_result(select);
   struct select_place t = select_temporary_place(select, result.mask);

   select_emit_vector2(select, TEGRA_VECTOR_ADD, t, a, mir_negate(b));
   select_emit_vector2(select, TEGRA_VECTOR_ADD, result,
                       mir_absolute(select_value(t)), c);
}

/* Bounds have shown that the product has 32 bits: what is above them is its
 * sign. */
void
select_op_mul_hi(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);
   struct select_place result = select_result(select);
   struct select_place t = select_temporary_place(select, result.mask);

   if (!select_source_may_be_negative(select, 0, result.mask) &&
       !select_source_may_be_negative(select, 1, result.mask)) {
      select_emit_vector0(select, TEGRA_VECTOR_SFL, result);
      return;
   }
   select_emit_vector2(select, TEGRA_VECTOR_MUL, t, a, b);
   select_emit_vector2(select, TEGRA_VECTOR_SLT, t, select_value(t),
                       mir_number(0));
   select_emit_vector1(select, TEGRA_VECTOR_MOV, result,
                       mir_negate(select_value(t)));
}

/* ---- quotients ----------------------------------------------------------- */

/* Below 2^22 what a and a + 1/2 give when they are divided by b has the same
 * whole part, and the latter is further away from any whole number than two
 * roundings lead: (a + 1/2) / b * 2^-23 is less than 1 / 2b. */
static void
divide_small(struct select *select, struct select_place q, struct mir_source a,
             struct mir_source reciprocal)
{
   struct mir_source value = select_value(q);

   select_emit_vector2(select, TEGRA_VECTOR_ADD, q, a, mir_number(0.5f));
   select_emit_vector2(select, TEGRA_VECTOR_MUL, q, value, reciprocal);
   select_emit_vector1(select, TEGRA_VECTOR_FLR, q, value);
}

/* Below 2^24 the quotient may be one off, which is seen from what it leaves:
 * that is below 0 or no less than the divisor. */
static void
divide_large(struct select *select, struct select_place q, struct mir_source a,
             struct mir_source b, struct mir_source reciprocal)
{
   struct select_place rest = select_temporary_place(select, q.mask);
   struct select_place off = select_temporary_place(select, q.mask);
   struct mir_source value = select_value(q);

   select_emit_vector2(select, TEGRA_VECTOR_MUL, q, a, reciprocal);
   select_emit_vector1(select, TEGRA_VECTOR_FLR, q, value);
   select_emit_vector3(select, TEGRA_VECTOR_MAD, rest, mir_negate(value), b, a);
   select_emit_vector2(select, TEGRA_VECTOR_SGE, off, select_value(rest), b);
   select_emit_vector2(select, TEGRA_VECTOR_ADD, q, value, select_value(off));
   select_emit_vector2(select, TEGRA_VECTOR_SLT, off, select_value(rest),
                       mir_number(0));
   select_emit_vector2(select, TEGRA_VECTOR_ADD, q, value,
                       mir_negate(select_value(off)));
}

/* The size of an integer: a literal's own, so that it has a reciprocal. */
static struct mir_source
size_of(const struct select *select, unsigned index, unsigned mask,
        struct mir_source source)
{
   if (source.file == MIR_LITERAL)
      return mir_plain(mir_absolute(source));
   return select_source_may_be_negative(select, index, mask)
             ? mir_absolute(source)
             : source;
}

/* |a| / |b| cut off; anything where b is 0. */
static struct mir_source
divide(struct select *select, unsigned mask, struct mir_source a,
       struct mir_source b)
{
   struct kinds_range range = select_source_bounds(select, 0, mask);
   struct select_place q = select_temporary_place(select, mask);
   struct mir_source reciprocal = select_reciprocals(select, b, mask);

   if (range.low > -0x1p22 && range.high < 0x1p22)
      divide_small(select, q, a, reciprocal);
   else
      divide_large(select, q, a, b, reciprocal);
   return select_value(q);
}

/* Gives `value` the sign of `sign`. */
static void
give_sign(struct select *select, struct mir_source value,
          struct mir_source sign, unsigned mask)
{
   struct select_place place = select_no_place(mask);
   struct select_place t = select_temporary_place(select, mask);

   place.temporary = value.index;
   select_emit_vector1(select, TEGRA_VECTOR_SSG, t, sign);
   select_emit_vector2(select, TEGRA_VECTOR_MUL, place, value, select_value(t));
}

/* The result is `value`, but where the divisor is 0. */
static void
finish_division(struct select *select, struct mir_source value,
                struct mir_source divisor, float otherwise)
{
   struct select_place result = select_result(select);
   struct kinds_range range = select_source_bounds(select, 1, result.mask);
   bool may_be_zero = range.low <= 0 && range.high >= 0;

   if (may_be_zero)
      select_emit_vector1(select, TEGRA_VECTOR_MOV,
                          select_condition_place(1, result.mask), divisor);
   select_emit_vector1(select, TEGRA_VECTOR_MOV, result, value);
   if (may_be_zero)
      select_emit_vector1(
         select, TEGRA_VECTOR_MOV,
         select_place_where(result, SELECT_EQUAL, TEGRA_IDENTITY),
         mir_number(otherwise));
}

static void
quotient(struct select *select, float of_zero)
{
   unsigned mask = select_result(select).mask;
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);
   struct mir_source q = divide(select, mask, size_of(select, 0, mask, a),
                                size_of(select, 1, mask, b));

   if (select_source_may_be_negative(select, 1, mask)) {
      struct select_place t = select_temporary_place(select, mask);
      select_emit_vector2(select, TEGRA_VECTOR_MUL, t, a, b);
      give_sign(select, q, select_value(t), mask);
   } else if (select_source_may_be_negative(select, 0, mask)) {
      give_sign(select, q, a, mask);
   }
   finish_division(select, q, b, of_zero);
}

void
select_op_idiv(struct select *select)
{
   quotient(select, 0);
}

/* ~0. */
void
select_op_udiv(struct select *select)
{
   quotient(select, -1);
}

/* What is left has the sign of the dividend; ~0 of a division by 0. */
void
select_op_mod(struct select *select)
{
   unsigned mask = select_result(select).mask;
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);
   struct mir_source size_a = size_of(select, 0, mask, a);
   struct mir_source size_b = size_of(select, 1, mask, b);
   struct mir_source q = divide(select, mask, size_a, size_b);
   struct select_place rest = select_temporary_place(select, mask);

   select_emit_vector3(select, TEGRA_VECTOR_MAD, rest, mir_negate(q), size_b,
                       size_a);
   if (select_source_may_be_negative(select, 0, mask))
      give_sign(select, select_value(rest), a, mask);
   finish_division(select, select_value(rest), b, -1);
}
