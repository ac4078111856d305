/* SPDX-License-Identifier: MIT
 *
 * Fused multiply-add: FMA rounds once. Where MAD does not, by error-free
 * transformations: the product is a float and its error, and so are the sums of
 * them and c: in the end there are three floats whose sum is exact, of which
 * the first is nearly all. Rounding the last two before they are added to it
 * goes wrong only where that sum is in the middle between two floats, and then
 * what was lost says which of them is nearer.
 */
#include "tegra/select/select.h"

/* A sum as a float, and what was lost when it was rounded. */
struct sum {
   struct mir_source value, error;
};

/* Knuth's: in whatever order of size. */
static struct sum
add(struct select *select, struct mir_source a, struct mir_source b,
    unsigned mask)
{
   struct select_place value = select_temporary_place(select, mask);
   struct select_place part = select_temporary_place(select, mask);
   struct select_place error = select_temporary_place(select, mask);
   struct sum sum = {select_value(value), select_value(error)};
   struct mir_source t = select_value(part);

   select_emit_vector2(select, TEGRA_VECTOR_ADD, value, a, b);
   select_emit_vector2(select, TEGRA_VECTOR_ADD, part, sum.value,
                       mir_negate(a));
   select_emit_vector2(select, TEGRA_VECTOR_ADD, error, sum.value,
                       mir_negate(t));
   select_emit_vector2(select, TEGRA_VECTOR_ADD, part, b, mir_negate(t));
   select_emit_vector2(select, TEGRA_VECTOR_ADD, error, a,
                       mir_negate(sum.error));
   select_emit_vector2(select, TEGRA_VECTOR_ADD, error, sum.error, t);
   return sum;
}

/* `sum` is rounded from a value that `lost` has to be added to yet. Its error
 * is half of the distance to the next float if that is twice the error away;
 * and the value is beyond the middle if both have the same sign. */
static struct mir_source
round_once(struct select *select, const struct sum *sum, struct mir_source lost,
           unsigned mask)
{
   struct select_place twice = select_temporary_place(select, mask);
   struct select_place next = select_temporary_place(select, mask);
   struct select_place is_next = select_temporary_place(select, mask);
   struct select_place sign = select_temporary_place(select, mask);
   struct mir_source distance = select_value(twice), t = select_value(next);
   struct mir_source flag = select_value(is_next), s = select_value(sign);

   select_emit_vector2(select, TEGRA_VECTOR_ADD, twice, sum->error, sum->error);
   select_emit_vector2(select, TEGRA_VECTOR_ADD, next, sum->value, distance);
   select_emit_vector2(select, TEGRA_VECTOR_ADD, next, t,
                       mir_negate(sum->value));
   select_emit_vector2(select, TEGRA_VECTOR_SEQ, is_next, t, distance);
   select_emit_vector1(select, TEGRA_VECTOR_SSG, sign, sum->error);
   select_emit_vector1(select, TEGRA_VECTOR_SSG, next, lost);
   select_emit_vector2(select, TEGRA_VECTOR_SEQ, sign, s, t);
   select_emit_vector2(select, TEGRA_VECTOR_MUL, is_next, flag, s);
   select_emit_vector3(select, TEGRA_VECTOR_MAD, next, distance, flag,
                       sum->value);
   return t;
}

/* `value` to the result unless something overflowed, or the product is so small
 * that its error may not be a float. What is there else is rounded twice. */
static void
take_if_valid(struct select *select, struct mir_source value,
              struct mir_source product, unsigned mask)
{
   struct select_place size = select_temporary_place(select, mask);

   select_emit_vector2(select, TEGRA_VECTOR_ADD, size, mir_absolute(product),
                       mir_number(-0x1p-100f));
   select_emit_vector3(select, TEGRA_VECTOR_MAD,
                       select_condition_place(1, mask), value, mir_number(0),
                       select_value(size));
   select_emit_vector1(
      select, TEGRA_VECTOR_MOV,
      select_place_where(select_result(select), SELECT_GREATER, TEGRA_IDENTITY),
      value);
}

static void
exact_sum(struct select *select)
{
   struct select_place result = select_result(select);
   unsigned mask = result.mask;
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);
   struct mir_source c = select_source(select, 2);
   struct select_halves of_a = select_split_halves(select, a, mask);
   struct select_halves of_b = select_split_halves(select, b, mask);
   struct select_place product = select_temporary_place(select, mask);
   struct mir_source p = select_value(product);

   select_emit_vector2(select, TEGRA_VECTOR_MUL, product, a, b);
   struct mir_source rest = select_halves_rest(select, p, &of_a, &of_b, mask);
   struct sum low = add(select, c, mir_negate(rest), mask);
   struct sum high = add(select, p, low.value, mask);
   struct sum small = add(select, low.error, high.error, mask);
   struct sum all = add(select, high.value, small.value, mask);
   struct mir_source value = round_once(select, &all, small.error, mask);
   select_product_sum(select, result, a, b, c);
   take_if_valid(select, value, p, mask);
}

void
select_op_fma(struct select *select)
{
   if (select->mir->fused)
      select_fused_product_sum(
         select, select_result(select), select_source(select, 0),
         select_source(select, 1), select_source(select, 2));
   else
      exact_sum(select);
}
