/* SPDX-License-Identifier: MIT
 *
 * Addresses of tiled levels as LIR: see microtile.h.
 */
#include "lower/fixed_function/microtile.h"

#include "abi/bindings.h"

static lir_value
and_const(struct lir_builder *builder, lir_value value, uint32_t mask)
{
   const lir_value bits = lir_const32(builder, mask);

   return lir_iand(builder, value, bits);
}

static lir_value
mul_const(struct lir_builder *builder, lir_value value, uint32_t factor)
{
   const lir_value by = lir_const32(builder, factor);

   return factor == 1 ? value : lir_imul(builder, value, by);
}

/* The coordinate of the microtile's first pixel. */
static lir_value
first_of_microtile(struct lir_builder *builder, lir_value value)
{
   return and_const(builder, value, ~(ABI_MICROTILE - 1u));
}

/* The two low bits of a coordinate in Morton order, where that of a column is
 * bits 0 and 2. */
static lir_value
spread_bits(struct lir_builder *builder, lir_value value)
{
   const lir_value low = and_const(builder, value, 1);
   const lir_value high = and_const(builder, value, 2);
   const lir_value twice = lir_iadd(builder, high, high);

   return lir_iadd(builder, low, twice);
}

lir_value
lower_microtile_column(struct lir_builder *builder, lir_value x, unsigned units)
{
   const lir_value first = first_of_microtile(builder, x);
   const lir_value before = mul_const(builder, first, ABI_MICROTILE);
   const lir_value number = spread_bits(builder, x);
   const lir_value column = lir_iadd(builder, before, number);

   return mul_const(builder, column, units);
}

/* Bits 1 and 3 are those of a row. */
lir_value
lower_microtile_row(struct lir_builder *builder, lir_value y,
                    lir_value row_pitch, unsigned units)
{
   const lir_value first = first_of_microtile(builder, y);
   const lir_value before = lir_imul(builder, first, row_pitch);
   const lir_value number = spread_bits(builder, y);
   const lir_value in_microtile = mul_const(builder, number, 2 * units);

   return lir_iadd(builder, before, in_microtile);
}
