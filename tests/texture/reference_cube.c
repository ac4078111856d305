/* SPDX-License-Identifier: MIT
 *
 * Cubes of the reference sampler: which face a direction meets and where, and
 * what lies across an edge. The latter is worked out in space: a texel beyond
 * an edge is folded around it, and lands on the face that is there.
 */
#include <math.h>

#include "reference_parts.h"

/* Axes of a face: 0 x, 1 y, 2 z, and their signs. */
struct face_axes {
   int major, s, t;
   int major_sign, s_sign, t_sign;
};

static const struct face_axes faces[6] = {
   {0, 2, 1, 1, -1, -1}, /* +x: s runs along -z, t along -y */
   {0, 2, 1, -1, 1, -1}, /* -x */
   {1, 0, 2, 1, 1, 1},   /* +y */
   {1, 0, 2, -1, 1, -1}, /* -y */
   {2, 0, 1, 1, 1, -1},  /* +z */
   {2, 0, 1, -1, -1, -1} /* -z */
};

static int
find_major_axis(const double v[3])
{
   int axis = 0;

   for (int i = 1; i < 3; i++) {
      if (fabs(v[i]) > fabs(v[axis]))
         axis = i;
   }
   return axis;
}

struct reference_face
reference_find_face(const double direction[3])
{
   const int axis = find_major_axis(direction);
   const int number = axis * 2 + (direction[axis] < 0);
   const struct face_axes *face = &faces[number];
   const double length = fabs(direction[axis]);
   struct reference_face result = {
      .face = number,
      .s = (face->s_sign * direction[face->s] / length + 1) / 2,
      .t = (face->t_sign * direction[face->t] / length + 1) / 2,
   };

   /* The specifications leave open which of two equals is the major axis. */
   const double nearly = length * (1 - 0x1p-18);
   result.is_open = !(length > 0) || fabs(direction[face->s]) >= nearly ||
                    fabs(direction[face->t]) >= nearly;
   return result;
}

void
reference_face_derivative(const double direction[3], const double d[3],
                          double ds_dt[2])
{
   const int axis = find_major_axis(direction);
   const struct face_axes *face = &faces[axis * 2 + (direction[axis] < 0)];
   const double length = fabs(direction[axis]);
   const double d_length = face->major_sign * d[axis];

   ds_dt[0] = face->s_sign *
              (d[face->s] * length - direction[face->s] * d_length) /
              (2 * length * length);
   ds_dt[1] = face->t_sign *
              (d[face->t] * length - direction[face->t] * d_length) /
              (2 * length * length);
}

void
reference_cross_edge(int *face, int *i, int *j, int size)
{
   const struct face_axes *from = &faces[*face];
   const double s = (2 * *i + 1.0) / size - 1;
   const double t = (2 * *j + 1.0) / size - 1;
   double v[3];

   /* What sticks out beyond the edge goes down the other side instead. */
   v[from->s] = from->s_sign * fmax(fmin(s, 1), -1);
   v[from->t] = from->t_sign * fmax(fmin(t, 1), -1);
   v[from->major] = from->major_sign * (1 - 1.0 / size);

   const struct reference_face to = reference_find_face(v);
   *face = to.face;
   *i = (int)floor(to.s * size);
   *j = (int)floor(to.t * size);
}
