/* SPDX-License-Identifier: MIT
 *
 * Expansion of float opcodes that take more than one operation, or another one
 * than their name says. They come out as src/lower has them, to the bit for
 * finite operands.
 */
#include "tegra/select/select.h"

void
select_op_nothing(struct select *select)
{
   (void)select;
}

/* ---- one operation, sources changed -------------------------------------- */

void
select_op_sub(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);

   select_emit_vector2(select, TEGRA_VECTOR_ADD, select_result(select), a,
                       mir_negate(b));
}

void
select_op_abs(struct select *select)
{
   struct mir_source a = select_source(select, 0);

   select_emit_vector1(select, TEGRA_VECTOR_MOV, select_result(select),
                       mir_absolute(a));
}

/* Of x, or of |x|. */
void
select_op_rsq(struct select *select)
{
   struct mir_source a = select_source(select, 0);

   if (tg_dialect_row(select->shader->dialect)->rsq_magnitude)
      a = mir_absolute(a);
   select_emit_scalar(select, TEGRA_SCALAR_RSQ, select_result(select),
                      mir_component(a, 0));
}

/* ---- rounding ------------------------------------------------------------ */

/* -floor(-x). */
void
select_op_ceil(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct select_place result = select_result(select);
   struct select_place t = select_temporary_place(select, result.mask);

   select_emit_vector1(select, TEGRA_VECTOR_FLR, t, mir_negate(a));
   select_emit_vector1(select, TEGRA_VECTOR_MOV, result,
                       mir_negate(select_value(t)));
}

/* Down where x > 0, else up: so a -0 stays one. */
void
select_truncate(struct select *select, struct select_place place,
                struct mir_source x)
{
   struct select_place t = select_temporary_place(select, place.mask);

   select_emit_vector1(select, TEGRA_VECTOR_FLR, t, mir_negate(x));
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_condition_place(1, place.mask), x);
   select_emit_vector1(select, TEGRA_VECTOR_MOV, place,
                       mir_negate(select_value(t)));
   select_emit_vector1(
      select, TEGRA_VECTOR_FLR,
      select_place_where(place, SELECT_GREATER, TEGRA_IDENTITY), x);
}

void
select_op_trunc(struct select *select)
{
   struct mir_source x = select_source(select, 0);

   select_truncate(select, select_result_parts(select), x);
}

/* Ties to even: |x| + 2^23 has no room for a fraction, so the sum is rounded to
 * a whole number. What is 0, or has no fraction anyhow, stays as it is: there
 * the condition, x or 0 for a large x, is 0 or NaN. */
void
select_round(struct select *select, struct select_place place,
             struct mir_source x)
{
   const struct mir_source large = mir_number(0x1p23f);
   struct select_place small = select_temporary_place(select, place.mask);
   struct select_place t = select_temporary_place(select, place.mask);
   struct mir_source rounded = select_value(t);

   select_emit_vector2(select, TEGRA_VECTOR_SLT, small, mir_absolute(x), large);
   select_emit_vector2(select, TEGRA_VECTOR_ADD, t, mir_absolute(x), large);
   select_emit_vector2(select, TEGRA_VECTOR_ADD, t, rounded, mir_negate(large));
   select_emit_vector2(select, TEGRA_VECTOR_MUL,
                       select_condition_place(1, place.mask),
                       select_value(small), x);
   select_emit_vector1(select, TEGRA_VECTOR_MOV, place, x);
   select_emit_vector1(
      select, TEGRA_VECTOR_MOV,
      select_place_where(place, SELECT_GREATER, TEGRA_IDENTITY), rounded);
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_place_where(place, SELECT_LESS, TEGRA_IDENTITY),
                       mir_negate(rounded));
}

void
select_op_round(struct select *select)
{
   struct mir_source x = select_source(select, 0);

   select_round(select, select_result_parts(select), x);
}

/* ---- sine and cosine ----------------------------------------------------- */

/* x less the multiple of 2 pi that leaves it in [-pi, pi], where hardware is at
 * its best: (fraction(x / 2 pi + 1/2) - 1/2) * 2 pi. */
static struct mir_source
angle(struct select *select)
{
   static const float pi = 0x1.921fb6p1f;
   struct mir_source a = mir_component(select_source(select, 0), 0);

   if (!select->compile->options->reduce_angles)
      return a;

   struct select_place t = select_temporary_place(select, TEGRA_MASK_X);
   struct mir_source x = mir_component(select_value(t), 0);
   select_emit_vector3(select, TEGRA_VECTOR_MAD, t, a,
                       mir_number(0x1.45f306p-3f), mir_number(0.5f));
   select_emit_vector1(select, TEGRA_VECTOR_FRC, t, x);
   select_emit_vector3(select, TEGRA_VECTOR_MAD, t, x, mir_number(2 * pi),
                       mir_number(-pi));
   return x;
}

void
select_op_sin(struct select *select)
{
   struct mir_source a = angle(select);

   select_emit_scalar(select, TEGRA_SCALAR_SIN, select_result(select), a);
}

void
select_op_cos(struct select *select)
{
   struct mir_source a = angle(select);

   select_emit_scalar(select, TEGRA_SCALAR_COS, select_result(select), a);
}

/* (cos x, sin x, 0, 1). */
void
select_op_scs(struct select *select)
{
   struct select_place result = select_result_parts(select);
   struct mir_source a = angle(select);

   select_emit_scalar(select, TEGRA_SCALAR_COS,
                      select_masked_place(result, TEGRA_MASK_X), a);
   select_emit_scalar(select, TEGRA_SCALAR_SIN,
                      select_masked_place(result, TEGRA_MASK_Y), a);
   select_emit_vector0(select, TEGRA_VECTOR_SFL,
                       select_masked_place(result, TEGRA_MASK_Z));
   select_emit_vector0(select, TEGRA_VECTOR_STR,
                       select_masked_place(result, TEGRA_MASK_W));
}

/* ---- blends and choices -------------------------------------------------- */

/* t * a + (1 - t) * b, or t * (a - b) + b. */
void
select_op_lrp(struct select *select)
{
   struct mir_source t = select_source(select, 0);
   struct mir_source a = select_source(select, 1);
   struct mir_source b = select_source(select, 2);
   struct select_place result = select_result(select);
   struct select_place part = select_temporary_place(select, result.mask);
   struct mir_source value = select_value(part);

   if (tg_dialect_row(select->shader->dialect)->lrp_difference) {
      select_emit_vector2(select, TEGRA_VECTOR_ADD, part, a, mir_negate(b));
      select_product_sum(select, result, t, value, b);
      return;
   }
   select_emit_vector2(select, TEGRA_VECTOR_ADD, part, mir_number(1.0f),
                       mir_negate(t));
   select_product(select, part, value, b);
   select_product_sum(select, result, t, a, value);
}

/* `a` where CR[1] is as said, else `b`. */
static void
choose(struct select *select, struct select_place place, unsigned signs,
       struct mir_source a, struct mir_source b)
{
   select_emit_vector1(select, TEGRA_VECTOR_MOV, place, b);
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_place_where(place, signs, TEGRA_IDENTITY), a);
}

/* a < 0 ? b : c. */
void
select_op_cmp(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);
   struct mir_source c = select_source(select, 2);
   struct select_place result = select_result_parts(select);

   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_condition_place(1, result.mask), a);
   choose(select, result, SELECT_LESS, b, c);
}

/* c > 0.5 ? a : b. */
void
select_op_cnd(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);
   struct mir_source c = select_source(select, 2);
   struct select_place result = select_result_parts(select);

   select_emit_vector2(select, TEGRA_VECTOR_SGT,
                       select_condition_place(1, result.mask), c,
                       mir_number(0.5f));
   choose(select, result, SELECT_GREATER, a, b);
}

/* x < low ? low : x > high ? high : x. MIN and MAX would differ for zeros and
 * where high is below low. */
void
select_op_clamp(struct select *select)
{
   struct mir_source x = select_source(select, 0);
   struct mir_source low = select_source(select, 1);
   struct mir_source high = select_source(select, 2);
   struct select_place result = select_result_parts(select);

   select_emit_vector2(select, TEGRA_VECTOR_SGT,
                       select_condition_place(1, result.mask), x, high);
   choose(select, result, SELECT_GREATER, high, x);
   select_emit_vector2(select, TEGRA_VECTOR_SLT,
                       select_condition_place(1, result.mask), x, low);
   select_emit_vector1(
      select, TEGRA_VECTOR_MOV,
      select_place_where(result, SELECT_GREATER, TEGRA_IDENTITY), low);
}
