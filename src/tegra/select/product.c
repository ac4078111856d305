/* SPDX-License-Identifier: MIT
 *
 * Multiplication of floats. With the property MUL_ZERO_WINS a product with a
 * zero is +0, whatever the other operand: then zeros are looked for, as nobody
 * knows that the unit does it by itself.
 */
#include "tegra/select/select.h"

/* ---- zeros --------------------------------------------------------------- */

/* Is it a literal other than 0? */
static bool
is_never_zero(struct mir_source source, unsigned mask)
{
   bool is_never = source.file == MIR_LITERAL;

   for (unsigned c = 0; c < 4; c++)
      is_never &=
         !tegra_mask_has(mask, c) || (source.literal[c] & 0x7fffffff) != 0;
   return is_never;
}

static void
clear_where_zero(struct select *select, struct select_place product,
                 struct mir_source factor)
{
   if (is_never_zero(factor, product.mask))
      return;
   select_vector1(select, TEGRA_VECTOR_MOV, select_condition(1, product.mask),
                  factor);
   select_vector0(select, TEGRA_VECTOR_SFL,
                  select_where(product, SELECT_EQUAL, TEGRA_IDENTITY));
}

static struct mir_source
product_of(struct select *select, unsigned mask, struct mir_source a,
           struct mir_source b)
{
   struct select_place t = select_temporary(select, mask);

   select_vector2(select, TEGRA_VECTOR_MUL, t, a, b);
   clear_where_zero(select, t, a);
   clear_where_zero(select, t, b);
   return select_value(t);
}

/* ---- products ------------------------------------------------------------ */

void
select_product(struct select *select, struct select_place place,
               struct mir_source a, struct mir_source b)
{
   if (select->zero_wins)
      select_vector1(select, TEGRA_VECTOR_MOV, place,
                     product_of(select, place.mask, a, b));
   else
      select_vector2(select, TEGRA_VECTOR_MUL, place, a, b);
}

void
select_product_sum(struct select *select, struct select_place place,
                   struct mir_source a, struct mir_source b,
                   struct mir_source c)
{
   if (select->zero_wins)
      select_vector2(select, TEGRA_VECTOR_ADD, place,
                     product_of(select, place.mask, a, b), c);
   else
      select_vector3(select, TEGRA_VECTOR_MAD, place, a, b, c);
}

void
select_dot_product(struct select *select, enum tegra_vector_op opcode,
                   struct select_place place, struct mir_source a,
                   struct mir_source b)
{
   unsigned mask =
      opcode == TEGRA_VECTOR_DP3 ? TEGRA_MASK_XYZ : TEGRA_MASK_XYZW;

   if (select->zero_wins) {
      a = product_of(select, mask, a, b);
      b = select_number(1);
   }
   select_vector2(select, opcode, place, a, b);
}

/* ---- opcodes ------------------------------------------------------------- */

void
select_op_mul(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);

   select_product(select, select_result(select), a, b);
}

void
select_op_mad(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);
   struct mir_source c = select_source(select, 2);

   select_product_sum(select, select_result(select), a, b, c);
}

static void
dot_product(struct select *select, enum tegra_vector_op opcode)
{
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);

   select_dot_product(select, opcode, select_result(select), a, b);
}

void
select_op_dp3(struct select *select)
{
   dot_product(select, TEGRA_VECTOR_DP3);
}

void
select_op_dp4(struct select *select)
{
   dot_product(select, TEGRA_VECTOR_DP4);
}
