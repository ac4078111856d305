/* SPDX-License-Identifier: MIT
 *
 * Expansion of opcodes over whole vectors: dot products and geometry, with
 * products summed from the left as src/lower does.
 */
#include "tegra/select/select.h"

/* ---- dot products -------------------------------------------------------- */

void
select_op_dp2(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);
   struct select_place t = select_temporary_place(select, TEGRA_MASK_XY);
   struct mir_source products = select_value(t);

   if (select_product_is_fused(select)) {
      t.mask = TEGRA_MASK_X;
      select_product(select, t, a, b);
      select_fused_product_sum(select, select_result(select),
                               mir_component(a, 1), mir_component(b, 1),
                               mir_component(products, 0));
      return;
   }
   select_product(select, t, a, b);
   select_emit_vector2(select, TEGRA_VECTOR_ADD, select_result(select),
                       mir_component(products, 0), mir_component(products, 1));
}

void
select_op_dp2a(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);
   struct mir_source c = select_source(select, 2);
   struct select_place t = select_temporary_place(select, TEGRA_MASK_X);
   struct mir_source sum = mir_component(select_value(t), 0);

   select_product(select, t, a, b);
   select_product_sum(select, t, mir_component(a, 1), mir_component(b, 1), sum);
   select_emit_vector2(select, TEGRA_VECTOR_ADD, select_result(select), sum,
                       mir_component(c, 0));
}

/* Not the unit's DPH, of which there are two readings. */
void
select_op_dph(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);
   struct select_place t = select_temporary_place(select, TEGRA_MASK_X);

   select_dot_product(select, TEGRA_VECTOR_DP3, t, a, b);
   select_emit_vector2(select, TEGRA_VECTOR_ADD, select_result(select),
                       mir_component(select_value(t), 0), mir_component(b, 3));
}

/* ---- vectors ------------------------------------------------------------- */

/* (1, a.y * b.y, a.z, b.w). Not the unit's DST, of which there are two
 * readings. */
void
select_op_dst(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);
   struct select_place result = select_result_parts(select);

   select_emit_vector0(select, TEGRA_VECTOR_STR,
                       select_masked_place(result, TEGRA_MASK_X));
   select_product(select, select_masked_place(result, TEGRA_MASK_Y), a, b);
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_masked_place(result, TEGRA_MASK_Z), a);
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_masked_place(result, TEGRA_MASK_W), b);
}

/* Cross product; w is 1. */
void
select_op_xpd(struct select *select)
{
   const unsigned yzx = tegra_swizzle(1, 2, 0, 3);
   const unsigned zxy = tegra_swizzle(2, 0, 1, 3);
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);
   struct select_place result = select_result_parts(select);
   struct select_place right =
      select_temporary_place(select, result.mask & TEGRA_MASK_XYZ);

   select_product(select, right, mir_swizzle(b, yzx), mir_swizzle(a, zxy));
   select_product_sum(select, select_masked_place(result, TEGRA_MASK_XYZ),
                      mir_swizzle(a, yzx), mir_swizzle(b, zxy),
                      mir_negate(select_value(right)));
   select_emit_vector0(select, TEGRA_VECTOR_STR,
                       select_masked_place(result, TEGRA_MASK_W));
}

/* Source 1 reflected about source 0, the axis:
 * 2 * dot(axis, direction) / dot(axis, axis) * axis - direction; w is 1. */
void
select_op_rfl(struct select *select)
{
   struct mir_source axis = select_source(select, 0);
   struct mir_source direction = select_source(select, 1);
   struct select_place result = select_result_parts(select);
   struct select_place projection =
      select_temporary_place(select, TEGRA_MASK_X);
   struct select_place square = select_temporary_place(select, TEGRA_MASK_X);
   struct mir_source p = mir_component(select_value(projection), 0);
   struct mir_source s = mir_component(select_value(square), 0);

   select_dot_product(select, TEGRA_VECTOR_DP3, projection, axis, direction);
   select_emit_vector2(select, TEGRA_VECTOR_ADD, projection, p, p);
   select_dot_product(select, TEGRA_VECTOR_DP3, square, axis, axis);
   select_quotient(select, projection, p, s);
   select_product_sum(select, select_masked_place(result, TEGRA_MASK_XYZ), p,
                      axis, mir_negate(direction));
   select_emit_vector0(select, TEGRA_VECTOR_STR,
                       select_masked_place(result, TEGRA_MASK_W));
}

/* x: a.x + b.x * m.x + b.y * m.y; y: a.y + b.x * m.z + b.y * m.w; z and w
 * repeat them. */
void
select_op_x2d(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct mir_source b = select_source(select, 1);
   struct mir_source m = select_source(select, 2);
   struct select_place result = select_result(select);
   struct select_place t = select_temporary_place(select, result.mask);

   select_product_sum(select, t, mir_component(b, 0),
                      mir_swizzle(m, tegra_swizzle(0, 2, 0, 2)),
                      mir_swizzle(a, tegra_swizzle(0, 1, 0, 1)));
   select_product_sum(select, result, mir_component(b, 1),
                      mir_swizzle(m, tegra_swizzle(1, 3, 1, 3)),
                      select_value(t));
}

/* w is 1. */
void
select_op_nrm(struct select *select)
{
   struct mir_source a = select_source(select, 0);
   struct select_place result = select_result_parts(select);

   if (result.mask & TEGRA_MASK_XYZ)
      select_quotient_by_length(select, TEGRA_VECTOR_DP3,
                                select_masked_place(result, TEGRA_MASK_XYZ), a);
   select_emit_vector0(select, TEGRA_VECTOR_STR,
                       select_masked_place(result, TEGRA_MASK_W));
}

void
select_op_nrm4(struct select *select)
{
   struct mir_source a = select_source(select, 0);

   select_quotient_by_length(select, TEGRA_VECTOR_DP4, select_result(select),
                             a);
}
