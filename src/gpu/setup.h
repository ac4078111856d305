/* SPDX-License-Identifier: MIT
 *
 * Setup: from a triangle of vertex records to what rasteriser and fragment
 * kernel need: edges in fixed point, and planes.
 *
 * Window coordinates have 8 bits behind the point. An edge function is 0 or
 * more at the centres of the pixels that belong to its side; the top-left rule
 * is folded into its constant, so that a pixel on an edge that two triangles
 * share belongs to exactly one of them.
 */
#ifndef TG_GPU_SETUP_H
#define TG_GPU_SETUP_H

#include "gpu/link.h"
#include "gpu/shape.h"

/* A vertex in the window. */
struct gpu_window_vertex {
   int32_t x, y; /* fixed point */
   double z;
   double reciprocal_w;
   const float *record;
};

/* Of a record with w > 0. */
struct gpu_window_vertex
gpu_window_vertex(const struct tg_viewport *viewport,
                  const struct gpu_interface *interface, const float *record);

/* Twice the area, in fixed point; positive when the triangle runs clockwise as
 * one sees it, with y downwards. */
int64_t
gpu_area(const struct gpu_window_vertex v[3]);

/* Edges and bounds, the latter cut to the framebuffer. False when no pixel
 * centre can be inside. */
bool
gpu_setup_edges(const struct gpu_window_vertex v[3], uint32_t width,
                uint32_t height, struct gpu_shape *shape_out);

struct gpu_setup_info {
   const struct gpu_interface *interface;
   const float *provoking; /* record that CONSTANT attributes come from */
   bool is_front;
   uint32_t primitive_id;
   uint32_t layer, viewport;
   float min_depth, max_depth; /* of the viewport */
};

void
gpu_setup_planes(const struct gpu_setup_info *info,
                 const struct gpu_window_vertex v[3], uint32_t *words_out);

#endif
