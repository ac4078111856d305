/* SPDX-License-Identifier: MIT
 *
 * Clipping triangles to the view volume, in homogeneous space.
 */
#ifndef TG_GPU_CLIP_H
#define TG_GPU_CLIP_H

#include "gpu/link.h"
#include "gpu/stage.h"

enum {
   GPU_NUM_CLIP_PLANES = 6,
   GPU_MAX_POLYGON = 3 + GPU_NUM_CLIP_PLANES,
   /* A plane cuts the outline twice at most. */
   GPU_MAX_CLIP_VERTICES = 2 * GPU_NUM_CLIP_PLANES,
};

struct gpu_clipper {
   const struct gpu_interface *interface;
   bool halfz; /* the near plane is z = 0, else z = -w */

   uint32_t num_made;
   float made[GPU_MAX_CLIP_VERTICES][LOWER_MAX_OUTPUTS * 4];
};

/* The part of a triangle that is inside, as a convex polygon of vertex records
 * with w > 0, in the triangle's order. Returns its corners, 0 when nothing is
 * left or a position is infinite or NaN. The records belong to the clipper
 * until its next call, or are the triangle's own.
 *
 * Triangles that share an edge share the vertices that clipping puts on it,
 * to the bit. CONSTANT attributes of made vertices are not set. */
uint32_t
gpu_clip_triangle(struct gpu_clipper *clipper, const float *const triangle[3],
                  const float *polygon_out[GPU_MAX_POLYGON]);

#endif
