/* SPDX-License-Identifier: MIT
 *
 * Division, roots and powers by the unit's approximations. A quotient is a
 * product with the reciprocal here, a root the reciprocal of RSQ, and a power
 * goes by its logarithm, as hardware is programmed; these round apart from
 * src/lower. With exact arithmetic they are what exact.c has instead.
 */
#include "tegra/select/select.h"

/* ---- quotients ----------------------------------------------------------- */

struct mir_source
select_reciprocals(struct select *select, struct mir_source x, unsigned mask)
{
   if (x.file == MIR_LITERAL) {
      for (unsigned i = 0; i < 4; i++)
         x.literal[i] = tg_bits_of_float(1.0f / tg_float_of_bits(x.literal[i]));
      return x;
   }

   struct select_place t = select_temporary_place(select, mask);
   select_emit_scalars(select, TEGRA_SCALAR_RCP, t, x);
   return select_value(t);
}

void
select_quotient(struct select *select, struct select_place place,
                struct mir_source a, struct mir_source b)
{
   if (select->compile->options->exact) {
      select_exact_quotient(select, place, a, b);
      return;
   }
   select_emit_vector2(select, TEGRA_VECTOR_MUL, place, a,
                       select_reciprocals(select, b, place.mask));
}

void
select_op_div(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);

   select_quotient(select, select_result(select), a, b);
}

/* 1 / x with its magnitude in the range that TGSI prints, which is not that of
 * the unit's RCC, and negative for +inf as src/lower has it. */
void
select_op_rcc(struct select *select)
{
   struct mir_source a = mir_component(select_source(select, 0), 0);
   struct select_place result = select_result_parts(select);
   struct select_place quotient = select_temporary_place(select, TEGRA_MASK_X);
   struct select_place bounded = select_temporary_place(select, TEGRA_MASK_X);
   struct mir_source q = mir_component(select_value(quotient), 0);
   struct mir_source t = mir_component(select_value(bounded), 0);

   quotient.sets_condition = true;
   quotient.condition = 1;
   select_emit_scalar(select, TEGRA_SCALAR_RCP, quotient, a);
   select_emit_vector2(select, TEGRA_VECTOR_MAX, bounded, mir_absolute(q),
                       mir_number(5.42101e-20f));
   select_emit_vector2(select, TEGRA_VECTOR_MIN, bounded, t,
                       mir_number(1.884467e+19f));
   select_emit_vector1(select, TEGRA_VECTOR_MOV, result, mir_negate(t));
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_place_where(result, SELECT_GREATER, TEGRA_XXXX),
                       t);
}

/* ---- roots --------------------------------------------------------------- */

/* 1 / (1 / sqrt(x)): of 0 and infinity it is these. */
void
select_op_sqrt(struct select *select)
{
   struct mir_source a = mir_component(select_source(select, 0), 0);
   struct select_place result = select_result(select);

   if (select->compile->options->exact) {
      select_exact_root(select, result, a);
      return;
   }

   struct select_place t = select_temporary_place(select, TEGRA_MASK_X);
   select_emit_scalar(select, TEGRA_SCALAR_RSQ, t, a);
   select_emit_scalar(select, TEGRA_SCALAR_RCP, result,
                      mir_component(select_value(t), 0));
}

void
select_quotient_by_length(struct select *select, enum tegra_vector_op dot,
                          struct select_place place, struct mir_source a)
{
   struct select_place t = select_temporary_place(select, TEGRA_MASK_X);
   struct mir_source length = mir_component(select_value(t), 0);

   select_rounded_dot_product(select, dot, t, a, a);
   if (select->compile->options->exact) {
      select_exact_root(select, t, length);
      select_exact_quotient(select, place, a, length);
      return;
   }
   select_emit_scalar(select, TEGRA_SCALAR_RSQ, t, length);
   select_emit_vector2(select, TEGRA_VECTOR_MUL, place, a, length);
}

/* ---- powers -------------------------------------------------------------- */

void
select_op_pow(struct select *select)
{
   struct mir_source a = mir_component(select_source(select, 0), 0);
   struct mir_source b = mir_component(select_source(select, 1), 0);
   struct select_place result = select_result(select);

   if (select->compile->options->exact) {
      select_exact_power(select, result, a, b);
      return;
   }

   struct select_place t = select_temporary_place(select, TEGRA_MASK_X);
   struct mir_source x = mir_component(select_value(t), 0);
   select_emit_scalar(select, TEGRA_SCALAR_LG2, t, a);
   select_emit_vector2(select, TEGRA_VECTOR_MUL, t, x, b);
   select_emit_scalar(select, TEGRA_SCALAR_EX2, result, x);
}
