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

/* A fan, a strip, a grid or a triangle that was cut up, within a square of
 * `size` pixels. Some have all points on pixel centres, some are slivers. */
void
mesh_make(struct mesh *mesh, int size, uint64_t *seed);

/* Is a place, in 256ths of a pixel, in the outline? Moved to the right by a
 * hair and downwards by a hair of that it lies on no edge, which is the
 * top-left rule. */
bool
mesh_contains(const struct mesh *mesh, int32_t x, int32_t y);

#endif
