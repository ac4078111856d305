/* SPDX-License-Identifier: MIT
 *
 * What the files of the reference sampler share.
 */
#ifndef TESTS_TEXTURE_REFERENCE_PARTS_H
#define TESTS_TEXTURE_REFERENCE_PARTS_H

#include "reference.h"

/* How many coordinates are filtered along: 2 of an array of 2D, 3 of 3D. A cube
 * has 2 within a face. */
int
reference_num_axes(const struct reference_texture *texture);

bool
reference_is_cube(const struct reference_texture *texture);

/* A direction as a place on a face: OpenGL 4.6, table 8.19. */
struct reference_face {
   int face;
   double s, t;  /* 0 to 1 */
   bool is_open; /* another face has as good a claim */
};

struct reference_face
reference_find_face(const double direction[3]);

/* How s and t change on the face of `direction` when that changes by `d`. */
void
reference_face_derivative(const double direction[3], const double d[3],
                          double ds_dt[2]);

/* The texel that lies across one edge of a face: (i, j) with one of the two -1
 * or `size`. */
void
reference_cross_edge(int *face, int *i, int *j, int size);

#endif
