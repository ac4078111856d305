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

#include "gpu/vertex.h"

enum {
   GPU_SUBPIXEL_BITS = 8,
   /* Window coordinates of a viewport stay within this, so that products of
    * differences stay within 52 bits. */
   GPU_MAX_WINDOW = 65536,
};

/* Value at pixel (x, y): dx * x + dy * y + c. */
struct gpu_edge {
   int64_t dx, dy, c;
};

struct gpu_triangle {
   struct gpu_edge edge[3];
   int32_t min_x, min_y, max_x, max_y; /* pixels, inclusive */
   uint32_t constants; /* first word of the fragment kernel's STAGE binding */
};

/* The words of a triangle's constants. A plane is a, da/dx, da/dy, and has the
 * value (a + dx * da/dx) + dy * da/dy, where dx and dy lead from the reference
 * pixel's corner. A PERSPECTIVE attribute's plane is that of attribute / w;
 * of a CONSTANT one only `a` counts, and is bits. */
enum gpu_triangle_word {
   GPU_TRIANGLE_X, /* of the reference, floats */
   GPU_TRIANGLE_Y,
   GPU_TRIANGLE_FACE,                   /* 1.0 in front, else -1.0 */
   GPU_TRIANGLE_ID,                     /* of the primitive, an integer */
   GPU_TRIANGLE_Z,                      /* plane of the window's z */
   GPU_TRIANGLE_W = GPU_TRIANGLE_Z + 3, /* plane of 1 / w */
   GPU_TRIANGLE_ATTRIBUTES = GPU_TRIANGLE_W + 3,
   GPU_TRIANGLE_PLANE_WORDS = 3,
   GPU_MAX_TRIANGLE_WORDS = GPU_TRIANGLE_ATTRIBUTES +
                            GPU_MAX_ATTRIBUTES * 4 * GPU_TRIANGLE_PLANE_WORDS,
};

/* A vertex in the window. */
struct gpu_window_vertex {
   int32_t x, y; /* fixed point */
   double z;
   double reciprocal_w;
   const float *record;
};

/* Of a record with w > 0. */
struct gpu_window_vertex
gpu_window_vertex(const struct gpu_viewport *viewport, const float *record);

/* Twice the area, in fixed point; positive when the triangle runs clockwise as
 * one sees it, with y downwards. */
int64_t
gpu_area(const struct gpu_window_vertex v[3]);

/* Edges and bounds, the latter cut to the framebuffer. False when no pixel
 * centre can be inside. */
bool
gpu_setup_edges(const struct gpu_window_vertex v[3], uint32_t width,
                uint32_t height, struct gpu_triangle *triangle_out);

struct gpu_setup_info {
   const struct gpu_interface *interface;
   const float *provoking; /* record that CONSTANT attributes come from */
   bool is_front;
   uint32_t primitive_id;
};

/* Words that gpu_setup_planes() writes. */
uint32_t
gpu_setup_num_words(const struct gpu_interface *interface);

void
gpu_setup_planes(const struct gpu_setup_info *info,
                 const struct gpu_window_vertex v[3], uint32_t *words_out);

#endif
