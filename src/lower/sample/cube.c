/* SPDX-License-Identifier: MIT
 *
 * Cubes: from a direction to a face and coordinates on it, and back. The table
 * of faces is OpenGL's (section 8.13 of 4.6):
 *
 *    face   major   s    t
 *    0, 1   +x -x   -+z  -y
 *    2, 3   +y -y   x    +-z
 *    4, 5   +z -z   +-x  -y
 *
 * A sign that follows the major component's is an exclusive or with its sign
 * bit.
 */
#include "lower/sample/parts.h"

#define SIGN_BIT 0x80000000

/* What stands under s and t in the table, of any vector. */
static void
emit_along(struct lir_builder *builder, const struct sample_face *face,
           const lir_value vector[3], lir_value out[2])
{
   const lir_value sign_bit = lir_const32(builder, SIGN_BIT);
   const lir_value other_sign = lir_ixor(builder, face->sign, sign_bit);
   const lir_value x_signed = lir_ixor(builder, vector[0], face->sign);
   const lir_value z_signed = lir_ixor(builder, vector[2], face->sign);
   const lir_value z_other = lir_ixor(builder, vector[2], other_sign);
   const lir_value y_other = lir_fneg(builder, vector[1]);
   const lir_value s = lir_sel32(builder, face->is_y, vector[0], x_signed);
   out[0] = lir_sel32(builder, face->is_x, z_other, s);
   out[1] = lir_sel32(builder, face->is_y, z_signed, y_other);
}

struct sample_face
sample_cube_face(struct lir_builder *builder, const lir_value direction[3])
{
   struct sample_face face;
   const lir_value x = lir_fabs(builder, direction[0]);
   const lir_value y = lir_fabs(builder, direction[1]);
   const lir_value z = lir_fabs(builder, direction[2]);
   const lir_value x_beats_y = lir_fge(builder, x, y);
   const lir_value x_beats_z = lir_fge(builder, x, z);
   const lir_value y_beats_z = lir_fge(builder, y, z);
   face.is_x = lir_band(builder, x_beats_y, x_beats_z);
   const lir_value is_not_x = lir_bnot(builder, face.is_x);
   face.is_y = lir_band(builder, is_not_x, y_beats_z);

   const lir_value y_or_z =
      lir_sel32(builder, face.is_y, direction[1], direction[2]);
   const lir_value greatest =
      lir_sel32(builder, face.is_x, direction[0], y_or_z);
   const lir_value sign_bit = lir_const32(builder, SIGN_BIT);
   face.sign = lir_iand(builder, greatest, sign_bit);

   /* No direction at all is the middle of a face. */
   const lir_value least = lir_constf(builder, 0x1p-126f);
   const lir_value magnitude = lir_fabs(builder, greatest);
   face.major = lir_fmax(builder, magnitude, least);

   const lir_value zero = lir_const32(builder, 0);
   const lir_value two = lir_const32(builder, 2);
   const lir_value four = lir_const32(builder, 4);
   const lir_value thirty_one = lir_const32(builder, 31);
   const lir_value y_or_z_face = lir_sel32(builder, face.is_y, two, four);
   const lir_value axis = lir_sel32(builder, face.is_x, zero, y_or_z_face);
   const lir_value is_negative = lir_ushr(builder, face.sign, thirty_one);
   face.number = lir_ior(builder, axis, is_negative);

   lir_value along[2];
   emit_along(builder, &face, direction, along);
   face.s = along[0];
   face.t = along[1];
   return face;
}

/* With q = s / major: dq = (ds - q * dmajor) / major. */
void
sample_cube_derivative(struct lir_builder *builder,
                       const struct sample_face *face,
                       const lir_value derivative[3], lir_value out[2])
{
   const lir_value y_or_z =
      lir_sel32(builder, face->is_y, derivative[1], derivative[2]);
   const lir_value along_major =
      lir_sel32(builder, face->is_x, derivative[0], y_or_z);
   const lir_value major = lir_ixor(builder, along_major, face->sign);
   const lir_value place[2] = {face->s, face->t};
   lir_value along[2];

   emit_along(builder, face, derivative, along);
   for (unsigned i = 0; i < 2; i++) {
      const lir_value q = lir_fdiv(builder, place[i], face->major);
      const lir_value moved = lir_fmul(builder, q, major);
      const lir_value rest = lir_fsub(builder, along[i], moved);
      out[i] = lir_fdiv(builder, rest, face->major);
   }
}

void
sample_cube_direction(struct lir_builder *builder,
                      const struct sample_face *face, lir_value s, lir_value t,
                      lir_value major, lir_value direction_out[3])
{
   const lir_value minus_s = lir_fneg(builder, s);
   const lir_value minus_t = lir_fneg(builder, t);
   const lir_value major_signed = lir_ixor(builder, major, face->sign);
   const lir_value s_signed = lir_ixor(builder, s, face->sign);
   const lir_value s_other = lir_ixor(builder, minus_s, face->sign);
   const lir_value t_signed = lir_ixor(builder, t, face->sign);
   const lir_value x = lir_sel32(builder, face->is_y, s, s_signed);
   const lir_value z = lir_sel32(builder, face->is_y, t_signed, major_signed);

   direction_out[0] = lir_sel32(builder, face->is_x, major_signed, x);
   direction_out[1] = lir_sel32(builder, face->is_y, major_signed, minus_t);
   direction_out[2] = lir_sel32(builder, face->is_x, s_other, z);
}
