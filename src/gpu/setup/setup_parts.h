/* SPDX-License-Identifier: MIT
 *
 * What the files of setup share: the primitive that is at work, edges in fixed
 * point, and planes.
 *
 * Edges are exact. Planes are worked out in doubles from the same rounded
 * positions, and rounded to floats once.
 */
#ifndef TG_GPU_SETUP_PARTS_H
#define TG_GPU_SETUP_PARTS_H

#include "gpu/raster/raster.h"
#include "gpu/setup/clip.h"
#include "gpu/setup/setup.h"

enum {
   GPU_SUBPIXELS = 1 << GPU_SUBPIXEL_BITS,
   GPU_HALF_PIXEL = GPU_SUBPIXELS / 2,
};

/* A primitive, or a part of a polygon, that is drawn. What a primitive does not
 * need is not set. */
struct gpu_setup_work {
   struct gpu_setup *setup;
   const struct gpu_setup_state *state;
   const uint32_t *vertex[3]; /* records */
   const uint32_t *provoking; /* record, not always one of them */
   uint32_t viewport_index, layer, id;
   uint32_t written_layer, written_viewport; /* as fragments read them */
   struct tg_viewport viewport;
   bool is_part; /* of a polygon that is drawn as lines or points */
   bool is_front;
   double z_offset;
   /* Until it is in the window. */
   struct gpu_clipper clipper;
   struct gpu_corner corner[3]; /* the vertices; 0 where there is none */
   double reciprocal_w[3];      /* of vertices in window space */
   uint32_t outcode[3];         /* of these */
};

/* How much of a vertex's attribute / w is in that of a corner, and how much of
 * an attribute that is linear on the screen. */
struct gpu_window_share {
   double over_w[3], on_screen[3];
};

/* ---- vertices ------------------------------------------------------------ */

struct gpu_window_vertex
gpu_window_vertex(const struct gpu_setup_work *work,
                  const struct gpu_corner *corner);
struct gpu_window_share
gpu_window_share(const struct gpu_setup_work *work,
                 const struct gpu_corner *corner);

/* Bits after those of planes: where the vertex is outside of what a viewport
 * shows of x and y. */
uint32_t
gpu_view_outcode(const struct gpu_setup_work *work, unsigned i);

float
gpu_record_float(const uint32_t *record, uint8_t output, unsigned channel);

/* ---- fixed point --------------------------------------------------------- */

/* To the nearest, halves up. */
int32_t
gpu_to_fixed(double pixels);

/* That of the viewport, lower end first. */
struct gpu_depth_range
gpu_depth_range(const struct gpu_setup_work *work);

/* What can be seen: of the framebuffer, within the scissor, and as far as
 * `margin` pixels around the viewport, or anywhere if that is negative. */
struct gpu_bounds
gpu_visible_bounds(const struct gpu_setup_work *work, int32_t margin);

/* Makes an empty shape of the primitive. What it does not use is not set. */
void
gpu_begin_shape(const struct gpu_setup_work *work, enum gpu_shape_kind kind,
                bool is_by_pixel, struct gpu_shape *shape);

/* Adds the side from p to q of a shape that runs clockwise as one sees it, with
 * y downwards. What lies on it belongs to it if it is a left or a top one. */
void
gpu_add_side(const struct gpu_setup_work *work, struct gpu_shape *shape,
             int32_t p_x, int32_t p_y, int32_t q_x, int32_t q_y);

/* Bounds around coordinates that a shape may reach, cut to `visible`. False
 * when nothing is left. */
bool
gpu_bound_shape(const struct gpu_setup_work *work, struct gpu_shape *shape,
                const struct gpu_bounds *visible, int32_t min_x, int32_t min_y,
                int32_t max_x, int32_t max_y);

/* ---- planes -------------------------------------------------------------- */

/* Room for a shape's constants; `*first_out` is the number of the first. NULL:
 * there is no memory. */
uint32_t *
gpu_reserve_constants(const struct gpu_setup_work *work, uint32_t *first_out);

/* How a plane follows from values at up to three corners. Lengths are pixels.
 */
struct gpu_planes {
   const struct gpu_setup_work *work;
   unsigned num_corners;
   struct gpu_window_vertex corner[3];
   bool is_clipped;                  /* else corners are the vertices */
   struct gpu_window_share share[3]; /* of these, if it is */
   double x[2], y[2]; /* slopes by the differences from corner 0 */
   double scale;      /* and all of them by this */
   int32_t reference_x, reference_y;
   double to_x, to_y; /* from corner 0 to the reference */
};

/* Of the corners, and a reference near them that is within the bounds. `share`
 * is theirs, or NULL where they are the vertices. */
void
gpu_planes_init(struct gpu_planes *planes, const struct gpu_setup_work *work,
                const struct gpu_window_vertex *corner,
                const struct gpu_window_share *share, unsigned num_corners,
                const struct gpu_bounds *bounds);

struct gpu_slope {
   double dx, dy;
};

struct gpu_slope
gpu_slope_of(const struct gpu_planes *planes, const double value[3]);

/* A plane through `value` at a place of the window in fixed point. */
void
gpu_store_plane(const struct gpu_planes *planes, double value, int32_t x,
                int32_t y, struct gpu_slope slope, uint32_t *words);

/* All words but those of smooth lines and points. `sprite` is the point whose
 * coordinates replace attributes, or NULL. */
struct gpu_sprite {
   int32_t x, y; /* of the middle */
   double size;  /* pixels */
};
void
gpu_store_constants(const struct gpu_planes *planes,
                    const struct gpu_sprite *sprite, uint32_t *words);

/* ---- primitives ---------------------------------------------------------- */

/* False: there is no memory. */
bool
gpu_setup_point(struct gpu_setup_work *work);
bool
gpu_setup_line(struct gpu_setup_work *work);
bool
gpu_setup_triangle(struct gpu_setup_work *work, uint8_t edges);

/* The same for vertices in the window, of which nothing is cut off. */
bool
gpu_setup_window_triangle(struct gpu_setup_work *work,
                          const struct gpu_window_vertex v[3], uint8_t edges);

#endif
