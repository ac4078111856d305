/* SPDX-License-Identifier: MIT
 *
 * Error-free products (Dekker), of the upper and lower halves of numbers
 * (Veltkamp splitting). Products of halves, and their sum with a number that is
 * nearly the whole product, are exact. Where sums of products are fused they
 * are exact by themselves.
 */
#include "tegra/select/select.h"

static const float splitter = 0x1p12f + 1;

static struct select_halves
split_literal(struct mir_source x)
{
   x = mir_plain(x);
   struct select_halves halves = {x, x};

   for (unsigned i = 0; i < 4; i++) {
      float number = tg_float_of_bits(x.literal[i]);
      float part = number * splitter - number;
      float high = number * splitter - part;

      halves.high.literal[i] = tg_bits_of_float(high);
      halves.low.literal[i] = tg_bits_of_float(number - high);
   }
   return halves;
}

bool
select_has_zero_halves(const struct mir_source *x, unsigned mask)
{
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(mask, i) && x->literal[i] & 0x7fffffff)
         return false;
   }
   return x->file == MIR_LITERAL;
}

struct select_halves
select_split_halves(struct select *select, struct mir_source x, unsigned mask)
{
   if (x.file == MIR_LITERAL)
      return split_literal(x);

   const struct mir_source factor = mir_number(splitter);
   struct select_place high = select_temporary_place(select, mask);
   struct select_place low = select_temporary_place(select, mask);
   struct select_halves halves = {select_value(high), select_value(low)};
   select_rounded_product_sum(select, low, x, factor, mir_negate(x));
   select_rounded_product_sum(select, high, x, factor, mir_negate(halves.low));
   select_emit_vector2(select, TEGRA_VECTOR_ADD, low, x,
                       mir_negate(halves.high));
   return halves;
}

struct mir_source
select_halves_rest(struct select *select, struct mir_source x,
                   const struct select_halves *a, const struct select_halves *b,
                   unsigned mask)
{
   const struct mir_source factors[][2] = {{a->high, b->high},
                                           {a->high, b->low},
                                           {a->low, b->high},
                                           {a->low, b->low}};
   struct select_place rest = select_temporary_place(select, mask);

   for (unsigned i = 0; i < 4; i++) {
      if (select_has_zero_halves(&factors[i][1], mask))
         continue;
      select_emit_vector3(select, TEGRA_VECTOR_MAD, rest,
                          mir_negate(factors[i][0]), factors[i][1], x);
      x = select_value(rest);
   }
   return x;
}

bool
select_has_short_halves(const struct mir_source *x, unsigned mask)
{
   if (x->file != MIR_LITERAL)
      return false;
   const struct select_halves halves = split_literal(*x);
   return select_has_zero_halves(&halves.low, mask);
}

struct mir_source
select_halves_residual(struct select *select, struct mir_source x,
                       const struct mir_source *a, const struct mir_source *b,
                       unsigned mask)
{
   if (select->mir->fused) {
      struct select_place rest = select_temporary_place(select, mask);

      select_emit_vector3(select, TEGRA_VECTOR_MAD, rest, mir_negate(*a), *b,
                          x);
      return select_value(rest);
   }
   struct select_halves of_a = select_split_halves(select, *a, mask);
   struct select_halves of_b =
      a == b ? of_a : select_split_halves(select, *b, mask);
   return select_halves_rest(select, x, &of_a, &of_b, mask);
}
