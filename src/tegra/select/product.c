/* SPDX-License-Identifier: MIT
 *
 * Multiplication of floats. With the property MUL_ZERO_WINS a product with a
 * zero is +0, whatever the other operand: then zeros are looked for, as nobody
 * knows that the unit does it by itself.
 */
#include <assert.h>

#include "tegra/select/select.h"
#include "tgsi/analysis/instruction.h"

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
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_condition_place(1, product.mask), factor);
   select_emit_vector0(
      select, TEGRA_VECTOR_SFL,
      select_place_where(product, SELECT_EQUAL, TEGRA_IDENTITY));
}

static struct mir_source
product_of(struct select *select, unsigned mask, struct mir_source a,
           struct mir_source b)
{
   struct select_place t = select_temporary_place(select, mask);

   select_emit_vector2(select, TEGRA_VECTOR_MUL, t, a, b);
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
      select_emit_vector1(select, TEGRA_VECTOR_MOV, place,
                          product_of(select, place.mask, a, b));
   else
      select_emit_vector2(select, TEGRA_VECTOR_MUL, place, a, b);
}

bool
select_product_is_fused(const struct select *select)
{
   return tg_instruction_is_fused(select->instruction, select->info,
                                  select->shader->dialect);
}

void
select_rounded_product_sum(struct select *select, struct select_place place,
                           struct mir_source a, struct mir_source b,
                           struct mir_source c)
{
   if (!select->mir->fused) {
      select_emit_vector3(select, TEGRA_VECTOR_MAD, place, a, b, c);
      return;
   }
   struct select_place product = select_temporary_place(select, place.mask);
   select_emit_vector2(select, TEGRA_VECTOR_MUL, product, a, b);
   select_emit_vector2(select, TEGRA_VECTOR_ADD, place, select_value(product),
                       c);
}

/* The sum alone where a factor is zero. */
static void
take_sum_where_zero(struct select *select, struct select_place place,
                    struct mir_source factor, struct mir_source sum)
{
   if (is_never_zero(factor, place.mask))
      return;
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_condition_place(1, place.mask), factor);
   select_emit_vector2(select, TEGRA_VECTOR_ADD,
                       select_place_where(place, SELECT_EQUAL, TEGRA_IDENTITY),
                       sum, mir_number(0));
}

void
select_fused_product_sum(struct select *select, struct select_place place,
                         struct mir_source a, struct mir_source b,
                         struct mir_source c)
{
   assert(select->mir->fused);
   if (!select->zero_wins) {
      select_emit_vector3(select, TEGRA_VECTOR_MAD, place, a, b, c);
      return;
   }
   struct select_place t = select_temporary_place(select, place.mask);
   select_emit_vector3(select, TEGRA_VECTOR_MAD, t, a, b, c);
   take_sum_where_zero(select, t, a, c);
   take_sum_where_zero(select, t, b, c);
   select_emit_vector1(select, TEGRA_VECTOR_MOV, place, select_value(t));
}

void
select_product_sum(struct select *select, struct select_place place,
                   struct mir_source a, struct mir_source b,
                   struct mir_source c)
{
   if (select_product_is_fused(select))
      select_fused_product_sum(select, place, a, b, c);
   else if (select->zero_wins)
      select_emit_vector2(select, TEGRA_VECTOR_ADD, place,
                          product_of(select, place.mask, a, b), c);
   else
      select_rounded_product_sum(select, place, a, b, c);
}

/* Times 1 products stay as they were rounded, also where they are fused. */
void
select_rounded_dot_product(struct select *select, enum tegra_vector_op opcode,
                           struct select_place place, struct mir_source a,
                           struct mir_source b)
{
   if (select->mir->fused) {
      struct select_place t = select_temporary_place(
         select, opcode == TEGRA_VECTOR_DP3 ? TEGRA_MASK_XYZ : TEGRA_MASK_XYZW);

      select_emit_vector2(select, TEGRA_VECTOR_MUL, t, a, b);
      a = select_value(t);
      b = mir_number(1);
   }
   select_emit_vector2(select, opcode, place, a, b);
}

/* Component by component, where zeros decide products before they are fused. */
static void
fused_dot_product(struct select *select, unsigned num_components,
                  struct select_place place, struct mir_source a,
                  struct mir_source b)
{
   struct select_place t = select_temporary_place(select, TEGRA_MASK_X);
   struct mir_source sum = mir_component(select_value(t), 0);

   select_product(select, t, mir_component(a, 0), mir_component(b, 0));
   for (unsigned i = 1; i < num_components; i++)
      select_fused_product_sum(select, t, mir_component(a, i),
                               mir_component(b, i), sum);
   select_emit_vector1(select, TEGRA_VECTOR_MOV, place, sum);
}

void
select_dot_product(struct select *select, enum tegra_vector_op opcode,
                   struct select_place place, struct mir_source a,
                   struct mir_source b)
{
   const bool is_short = opcode == TEGRA_VECTOR_DP3;
   const bool is_fused = select_product_is_fused(select);

   if (is_fused && select->zero_wins)
      fused_dot_product(select, is_short ? 3 : 4, place, a, b);
   else if (is_fused)
      select_emit_vector2(select, opcode, place, a, b);
   else if (select->zero_wins)
      select_emit_vector2(
         select, opcode, place,
         product_of(select, is_short ? TEGRA_MASK_XYZ : TEGRA_MASK_XYZW, a, b),
         mir_number(1));
   else
      select_rounded_dot_product(select, opcode, place, a, b);
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
