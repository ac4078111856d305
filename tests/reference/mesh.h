/* SPDX-License-Identifier: MIT
 *
 * Random meshes whose triangles share edges and do not overlap, and what their
 * outline contains.
 */
#ifndef TESTS_REFERENCE_MESH_H
#define TESTS_REFERENCE_MESH_H

#include <stdbool.h>
#include <stdint.h>

enum { MESH_MAX_POINTS = 64, MESH_MAX_TRIANGLES = 64 };

struct mesh {
   int num_points, num_triangles, num_corners;
   struct {
      int32_t x, y; /* in 256ths of a pixel */
   } point[MESH_MAX_POINTS];
   int triangle[MESH_MAX_TRIANGLES][3];
   int corner[MESH_MAX_POINTS]; /* points of the outline, in a row */
};

/* The first point of a fan is that which all its triangles share. */
enum mesh_kind { MESH_FAN, MESH_STRIP, MESH_GRID, MESH_CUT_TRIANGLE, MESH_ANY };

/* A mesh within a square of `size` pixels. Some have all points on pixel
 * centres, some are slivers. */
void
mesh_make(struct mesh *mesh, enum mesh_kind kind, int size, uint64_t *seed);

/* Is a place, in 256ths of a pixel, in the outline? Moved to the right by a
 * hair and downwards by a hair of that it lies on no edge, which is the
 * top-left rule. */
bool
mesh_contains(const struct mesh *mesh, int32_t x, int32_t y);

#endif
