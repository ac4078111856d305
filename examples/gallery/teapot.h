/* SPDX-License-Identifier: MIT
 *
 * Patches of 4 by 4 control points: the teapot, and a floor.
 */
#ifndef EXAMPLES_GALLERY_TEAPOT_H
#define EXAMPLES_GALLERY_TEAPOT_H

#include "mesh.h"

enum { PATCH_VERTICES = 16 };

/* Martin Newell's teapot of 1975, 32 patches, 3.15 high, on y = 0. In
 * normal.x is how much of a relief its corners take: none where it would not
 * fit what is next to them. */
struct mesh
mesh_teapot(void);

/* Level patches around the origin, so many each way, with coordinates from 0 to
 * `repeat` over all of them. */
struct mesh
mesh_floor(float size, uint32_t num_patches, float repeat);

#endif
