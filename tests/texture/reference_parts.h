/* SPDX-License-Identifier: MIT
 *
 * What the files of the reference sampler share.
 */
#ifndef TESTS_TEXTURE_REFERENCE_PARTS_H
#define TESTS_TEXTURE_REFERENCE_PARTS_H

#include "reference.h"

/* The index of what lies outside. */
enum { REFERENCE_BORDER = -1 };

const double *
reference_texel(const struct reference_texture *texture, int level, int i,
                int j, int slice, int sample);

/* ---- wrapping ------------------------------------------------------------ */

/* Table 8.20, and GL_EXT_texture_mirror_clamp, of a texel index. */
int
reference_wrap(int i, int size, enum tg_wrap mode);

/* The texels along one axis, and how much of each. */
struct taps {
   int count;
   int index[2];
   double weight[2];
};

struct taps
reference_find_nearest(double u, int size, enum tg_wrap mode, double slack,
                       bool *is_open);
struct taps
reference_find_linear(double u, int size, enum tg_wrap mode);

/* How far from a decision u must be: nothing where single precision is exact,
 * because s is a multiple of 2^-12 of moderate size. */
double
reference_slack(double s, int size);
bool
reference_is_near_integer(double u, double slack);

/* ---- levels -------------------------------------------------------------- */

/* What the level of detail asks for. */
struct level_choice {
   int filter;
   int level[2];
   double fraction; /* of the second */
};

struct level_choice
reference_choose_level(const struct reference_texture *texture,
                       const struct tg_sampler_desc *sampler, double lod);

/* With both biases: the least (`end` 0) or greatest (1) that may be. */
double
reference_lod(const struct tg_sampler_desc *sampler,
              const struct reference_lookup *lookup, int end);

/* ---- axes and faces ------------------------------------------------------ */

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
