/* SPDX-License-Identifier: MIT
 *
 * Clipping, in homogeneous space, to a guard band. What comes out is at most as
 * far from the window's origin as GPU_GUARD_BAND pixels; that nothing is seen
 * outside of the viewport is a matter of the bounds of shapes.
 *
 * Corners are positions, and shares that the primitive's own vertices have in
 * them: attributes need not be clipped.
 */
#ifndef TG_GPU_CLIP_H
#define TG_GPU_CLIP_H

#include "gpu/raster/shape.h"
#include "tungsten/gpu.h"

enum gpu_clip_plane {
   GPU_CLIP_W, /* first: after it all w are positive */
   GPU_CLIP_LEFT,
   GPU_CLIP_RIGHT,
   GPU_CLIP_TOP,
   GPU_CLIP_BOTTOM,
   GPU_CLIP_NEAR,
   GPU_CLIP_FAR,
   GPU_CLIP_USER,
   GPU_NUM_CLIP_PLANES = GPU_CLIP_USER + TG_MAX_CLIP_PLANES,
   GPU_MAX_POLYGON = 3 + GPU_NUM_CLIP_PLANES,
};

/* The least w. So small that on the way there from any other w that floats can
 * be, a corner leaves the window's guard band first. */
#define GPU_CLIP_LEAST_W 0x1p-126

struct gpu_corner {
   double x, y; /* of the window, times w */
   double z, w; /* clip coordinates */
   double share[3];
};

struct gpu_clipper {
   uint32_t planes; /* bit for each enum gpu_clip_plane that cuts */
   bool halfz;      /* the near plane is z = 0, else z = -w */
   /* Of the primitive's vertices from user planes; finite. */
   double distance[3][TG_MAX_CLIP_PLANES];
};

/* Bit i: outside of plane i. */
uint32_t
gpu_clip_outcode(const struct gpu_clipper *clipper,
                 const struct gpu_corner *corner);

/* The part of a polygon of `count` corners that is inside of `planes`, in its
 * order. Returns its corners, 0 when nothing is left, else at least 3.
 *
 * Polygons that share an edge share the corners that clipping puts on it, to
 * the bit. */
uint32_t
gpu_clip_polygon(const struct gpu_clipper *clipper, uint32_t planes,
                 struct gpu_corner corner[GPU_MAX_POLYGON], uint32_t count);

/* The part of a line. False when nothing is left. */
bool
gpu_clip_line(const struct gpu_clipper *clipper, uint32_t planes,
              struct gpu_corner corner[2]);

#endif
