/* SPDX-License-Identifier: MIT
 *
 * Truth values and integers: what kinds.h says how the unit has them. Of zeros
 * that stand for integers the sign may be anything; a float made of one has
 * none.
 */
#include "tegra/select.h"

#include <math.h>

/* ---- truth values -------------------------------------------------------- */

/* What a mask lets through: the value or 0. Where nothing can go wrong it is a
 * product. */
static void
let_through(struct select *select, struct select_place result,
            struct mir_source mask, struct mir_source value)
{
   bool is_one = value.file == MIR_LITERAL && !value.negate;
   bool is_plain = is_one;

   for (unsigned c = 0; c < 4; c++) {
      if (!tegra_mask_has(result.mask, c))
         continue;
      is_one &= value.literal[c] == 0x3f800000;
      is_plain &= value.literal[c] < 0x7f800000;
   }
   if (is_one) {
      select_vector1(select, TEGRA_VECTOR_MOV, result, mask);
      return;
   }
   if (is_plain) {
      select_vector2(select, TEGRA_VECTOR_MUL, result, mask, value);
      return;
   }
   select_vector1(select, TEGRA_VECTOR_MOV, select_condition(1, result.mask),
                  mask);
   select_vector0(select, TEGRA_VECTOR_SFL, result);
   select_vector1(select, TEGRA_VECTOR_MOV,
                  select_where(result, SELECT_GREATER, TEGRA_IDENTITY), value);
}

/* x AND 2^n - 1: what a division by 2^n leaves. */
static bool
low_bits(struct select *select, struct select_place result,
         struct mir_source value, struct mir_source bits)
{
   struct mir_source up = select_number(0), down = select_number(0);
   struct select_place t = select_temporary(select, result.mask);

   for (unsigned c = 0; c < 4; c++) {
      float ones = select_float(bits.literal[c]);
      int exponent;

      if (!tegra_mask_has(result.mask, c))
         continue;
      if (bits.file != MIR_LITERAL || ones < 0 ||
          frexpf(ones + 1, &exponent) != 0.5f)
         return false;
      up.literal[c] = select_bits(ones + 1);
      down.literal[c] = select_bits(1 / (ones + 1));
   }
   select_vector2(select, TEGRA_VECTOR_MUL, t, value, down);
   select_vector1(select, TEGRA_VECTOR_FRC, t, select_value(t));
   select_vector2(select, TEGRA_VECTOR_MUL, result, select_value(t), up);
   return true;
}

/* What an operand of AND is in one component: a mask or what the result is. */
static enum kind
side_of_and(const struct select *select, unsigned index, unsigned c)
{
   enum kind kind =
      kinds_of(select->kinds, select->index, KINDS_SRC + index, c);

   return kind == KIND_MASK
             ? KIND_MASK
             : kinds_of(select->kinds, select->index, KINDS_DST, c);
}

/* Components of which operands and result are the same as in the first. */
static unsigned
components_alike(const struct select *select, unsigned mask, unsigned first)
{
   unsigned alike = 0;

   for (unsigned c = first; c < 4; c++) {
      if (tegra_mask_has(mask, c) &&
          side_of_and(select, 0, c) == side_of_and(select, 0, first) &&
          side_of_and(select, 1, c) == side_of_and(select, 1, first) &&
          kinds_of(select->kinds, select->index, KINDS_DST, c) ==
             kinds_of(select->kinds, select->index, KINDS_DST, first))
         alike |= tegra_mask_bit(c);
   }
   return alike;
}

/* Components that are alike. */
static bool
and_alike(struct select *select, struct select_place result, unsigned first)
{
   enum kind kind = kinds_of(select->kinds, select->index, KINDS_DST, first);
   enum kind kind_a = side_of_and(select, 0, first);
   enum kind kind_b = side_of_and(select, 1, first);
   struct mir_source a, b;

   if (!select_source_as(select, 0, result.mask, kind_a, &a) ||
       !select_source_as(select, 1, result.mask, kind_b, &b))
      return false;
   if (kind_a == KIND_MASK && kind_b == KIND_MASK) {
      select_vector2(select, TEGRA_VECTOR_MUL, result, a, b);
      return kind == KIND_MASK;
   }
   if (kind_a == KIND_MASK || kind_b == KIND_MASK) {
      let_through(select, result, kind_a == KIND_MASK ? a : b,
                  kind_a == KIND_MASK ? b : a);
      return true;
   }
   return kind == KIND_INTEGER &&
          (low_bits(select, result, a, b) || low_bits(select, result, b, a));
}

void
select_op_and(struct select *select)
{
   struct select_place result = select_parts(select);
   unsigned mask = result.mask;

   for (unsigned c = 0; c < 4; c++) {
      if (!tegra_mask_has(mask, c))
         continue;
      result.mask = components_alike(select, mask, c);
      if (!and_alike(select, result, c)) {
         select_refuse(select, SELECT_REFUSED_BITWISE);
         return;
      }
      mask &= ~result.mask;
   }
}

/* The sources as masks, if the result is one too. */
static bool
get_masks(struct select *select, unsigned count, struct mir_source *sources)
{
   unsigned mask = select_result(select).mask;
   bool are_masks = true;

   for (unsigned c = 0; c < 4; c++)
      are_masks &=
         !tegra_mask_has(mask, c) ||
         kinds_of(select->kinds, select->index, KINDS_DST, c) == KIND_MASK;
   for (unsigned i = 0; i < count; i++)
      are_masks &= select_source_as(select, i, mask, KIND_MASK, &sources[i]);
   if (!are_masks)
      select_refuse(select, SELECT_REFUSED_BITWISE);
   return are_masks;
}

void
select_op_or(struct select *select)
{
   struct mir_source sources[2];

   if (get_masks(select, 2, sources))
      select_vector2(select, TEGRA_VECTOR_MAX, select_result(select),
                     sources[0], sources[1]);
}

void
select_op_xor(struct select *select)
{
   struct mir_source sources[2];

   if (get_masks(select, 2, sources))
      select_vector2(select, TEGRA_VECTOR_SNE, select_result(select),
                     sources[0], sources[1]);
}

/* -x >= x is true of 0 and false of 1. */
void
select_op_not(struct select *select)
{
   struct mir_source source;

   if (get_masks(select, 1, &source))
      select_vector2(select, TEGRA_VECTOR_SGE, select_result(select),
                     select_negate(source), source);
}

/* Any bit of a ? b : c. */
void
select_op_ucmp(struct select *select)
{
   struct mir_source b = select_source(select, 1);
   struct mir_source c = select_source(select, 2);
   struct select_place result = select_parts(select);
   struct mir_source a = select_truth(select, 0, result.mask);

   select_vector1(select, TEGRA_VECTOR_MOV, select_condition(1, result.mask),
                  a);
   select_vector1(select, TEGRA_VECTOR_MOV, result, c);
   select_vector1(
      select, TEGRA_VECTOR_MOV,
      select_where(result, SELECT_LESS | SELECT_GREATER, TEGRA_IDENTITY), b);
}

/* ---- integers ------------------------------------------------------------ */

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

   return result.mask & masks && result.mask & ~masks ? select_parts(select)
                                                      : result;
}

/* Of a mask, -1, it is 1, as which masks are kept. */
void
select_op_ineg(struct select *select)
{
   struct mir_source source = select_source(select, 0);
   unsigned masks = components_with_masks(select, 0);
   struct select_place result = place_for_both(select, masks);

   select_vector1(select, TEGRA_VECTOR_MOV, select_masked(result, masks),
                  source);
   select_vector1(select, TEGRA_VECTOR_MOV, select_masked(result, ~masks),
                  select_negate(source));
}

/* Of a mask it is -1. Adding 0 makes a -0 a 0. */
void
select_op_i2f(struct select *select)
{
   struct mir_source source = select_source(select, 0);
   struct select_place result = select_parts(select);
   unsigned masks = components_with_masks(select, 0) & result.mask;
   unsigned signless = 0;

   for (unsigned c = 0; c < 4; c++) {
      if (!source.negate &&
          !kinds_may_be_minus_zero(select->kinds, select->index, KINDS_SRC, c))
         signless |= tegra_mask_bit(c) & ~masks;
   }
   if (select->info->src_type[0] == TG_TYPE_U32 &&
       (masks || select_may_be_negative(select, 0, result.mask)))
      select_refuse(select, SELECT_REFUSED_SIGN);
   select_vector2(select, TEGRA_VECTOR_ADD, select_masked(result, masks),
                  select_negate(source), select_number(0.0f));
   select_vector1(select, TEGRA_VECTOR_MOV, select_masked(result, signless),
                  source);
   select_vector2(select, TEGRA_VECTOR_ADD,
                  select_masked(result, ~(masks | signless)), source,
                  select_number(0.0f));
}

/* Cut off, and within what the integer can be if more than an index is made of
 * it. Its greatest value is no float; the next one stands for it, as it does
 * when the integer becomes a float again. */
static void
float_to_integer(struct select *select, float least, float greatest)
{
   struct mir_source source = select_source(select, 0);
   struct select_place result = select_result(select);
   struct select_place t = select_temporary(select, result.mask);
   bool is_index = true;

   for (unsigned c = 0; c < 4; c++)
      is_index &= !tegra_mask_has(result.mask, c) ||
                  kinds_is_index(select->kinds, select->index, KINDS_DST, c);
   select_truncate(select, is_index ? select_parts(select) : t, source);
   if (is_index)
      return;
   select_vector2(select, TEGRA_VECTOR_MAX, t, select_value(t),
                  select_number(least));
   select_vector2(select, TEGRA_VECTOR_MIN, result, select_value(t),
                  select_number(greatest));
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

/* 2^n, or 2^-n, for the literal n that an integer is shifted by. */
static bool
shift_factor(struct select *select, int sign, struct mir_source *factor_out)
{
   unsigned mask = select_result(select).mask;

   *factor_out = select_bare_source(select, 1);
   if (factor_out->file != MIR_LITERAL || factor_out->negate ||
       factor_out->absolute) {
      select_refuse(select, SELECT_REFUSED_SHIFT);
      return false;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (tegra_mask_has(mask, c))
         factor_out->literal[c] =
            select_bits(ldexpf(1, sign * (int)(factor_out->literal[c] & 31)));
   }
   return true;
}

void
select_op_shl(struct select *select)
{
   struct mir_source source = select_source(select, 0);
   struct mir_source factor;

   if (shift_factor(select, 1, &factor))
      select_vector2(select, TEGRA_VECTOR_MUL, select_result(select), source,
                     factor);
}

void
select_op_shr(struct select *select)
{
   struct mir_source source = select_source(select, 0);
   struct select_place result = select_result(select);
   struct select_place t = select_temporary(select, result.mask);
   struct mir_source factor;

   if (select->info->src_type[0] == TG_TYPE_U32 &&
       select_may_be_negative(select, 0, result.mask))
      select_refuse(select, SELECT_REFUSED_SIGN);
   if (!shift_factor(select, -1, &factor))
      return;
   select_vector2(select, TEGRA_VECTOR_MUL, t, source, factor);
   select_vector1(select, TEGRA_VECTOR_FLR, result, select_value(t));
}
