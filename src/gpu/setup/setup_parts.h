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

#include <assert.h>

#include "gpu/raster/raster.h"
#include "gpu/raster/small.h"
#include "gpu/setup/clip.h"
#include "gpu/setup/guard_band.h"
#include "gpu/setup/setup.h"
#include "gpu/setup/view_sides.h"
#include "util/bits.h"
#include "util/minmax.h"

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
gpu_setup_project(const struct gpu_setup_work *work,
                  const struct gpu_corner *corner);
struct gpu_window_share
gpu_setup_window_share(const struct gpu_setup_work *work,
                       const struct gpu_corner *corner);

/* Trivial reject: are all vertices of a primitive outside of the same side of
 * the view, so that nothing else need be known of it? */
bool
gpu_setup_is_beside_view(const struct gpu_setup_state *state,
                         const uint32_t *const *vertex, unsigned num_vertices);

float
gpu_setup_record_float(const uint32_t *record, uint8_t output,
                       unsigned channel);

/* ---- fixed point --------------------------------------------------------- */

/* To the nearest, halves up. */
int32_t
gpu_to_fixed(double pixels);

/* That of the viewport, lower end first. */
struct gpu_depth_range
gpu_depth_range(const struct gpu_setup_work *work);

/* What can be seen: of the framebuffer, within the scissor and the viewport. */
struct gpu_bounds
gpu_visible_bounds(const struct gpu_setup_work *work);

/* The same, in the viewport or not. */
struct gpu_bounds
gpu_scissor_bounds(const struct gpu_setup_work *work);

/* Twice the area, in fixed point; positive when a, b, c run clockwise as one
 * sees them, with y downwards. */
static inline int64_t
gpu_area_of(const struct gpu_window_vertex *a,
            const struct gpu_window_vertex *b,
            const struct gpu_window_vertex *c)
{
   const int64_t dx1 = (int64_t)b->x - a->x, dy1 = (int64_t)b->y - a->y;
   const int64_t dx2 = (int64_t)c->x - a->x, dy2 = (int64_t)c->y - a->y;
   return dx1 * dy2 - dx2 * dy1;
}

/* The side from p to q of a shape that runs clockwise. What lies on it belongs
 * to it if it is a left or a top one, or a bottom one with the other rule: the
 * inside is to the right of a left side and below a top one. */
static inline struct gpu_edge
gpu_edge_between(bool is_bottom_owner, int32_t p_x, int32_t p_y, int32_t q_x,
                 int32_t q_y)
{
   const int64_t a = (int64_t)p_y - q_y;
   const int64_t b = (int64_t)q_x - p_x;
   const bool is_left = a > 0;
   const bool is_owner = a == 0 && (is_bottom_owner ? b < 0 : b > 0);
   const int64_t at_centre =
      a * (GPU_HALF_PIXEL - p_x) + b * (GPU_HALF_PIXEL - p_y);
   return (struct gpu_edge){
      .a = (int32_t)a,
      .b = (int32_t)b,
      .c = at_centre - (is_left || is_owner ? 0 : 1),
   };
}

/* Are a shape's bounds those of pixels' centres? Else samples are anywhere in a
 * pixel, its left and top rim included. */
bool
gpu_bounds_go_by_center(const struct gpu_setup_work *work,
                        const struct gpu_shape *shape);

/* Pixels within bounds in fixed point, which are around all that is inside the
 * edges, and visible ones. False when there are none. */
static inline bool
gpu_cut_bounds(struct gpu_shape *shape, bool goes_by_center,
               const struct gpu_bounds *visible,
               const struct gpu_bounds *bounds)
{
   const int32_t to_first = goes_by_center ? GPU_HALF_PIXEL - 1 : 0;
   const int32_t to_last = goes_by_center ? -GPU_HALF_PIXEL : 0;
   shape->min_x = tg_max_i32((bounds->min_x + to_first) >> GPU_SUBPIXEL_BITS,
                             visible->min_x);
   shape->min_y = tg_max_i32((bounds->min_y + to_first) >> GPU_SUBPIXEL_BITS,
                             visible->min_y);
   shape->max_x = tg_min_i32((bounds->max_x + to_last) >> GPU_SUBPIXEL_BITS,
                             visible->max_x);
   shape->max_y = tg_min_i32((bounds->max_y + to_last) >> GPU_SUBPIXEL_BITS,
                             visible->max_y);
   shape->is_cut = bounds->min_x >> GPU_SUBPIXEL_BITS < visible->min_x ||
                   bounds->min_y >> GPU_SUBPIXEL_BITS < visible->min_y ||
                   bounds->max_x >> GPU_SUBPIXEL_BITS > visible->max_x ||
                   bounds->max_y >> GPU_SUBPIXEL_BITS > visible->max_y;
   return shape->min_x <= shape->max_x && shape->min_y <= shape->max_y;
}

/* Finds the pixels of a triangle that is small, whose corners are within bounds
 * in fixed point. False when it has none. */
static inline bool
gpu_cover_triangle(struct gpu_shape *shape, bool goes_by_center,
                   const struct gpu_bounds *bounds)
{
   assert(shape->num_edges == 3 && !shape->is_round);
   if (!goes_by_center || !gpu_is_small(shape) ||
       bounds->max_x - bounds->min_x > GPU_SMALL_EXTENT ||
       bounds->max_y - bounds->min_y > GPU_SMALL_EXTENT)
      return true;
   shape->quads = gpu_cover_small(shape);
   return shape->quads;
}

/* Makes an empty shape of the primitive. What it does not use is not set. */
void
gpu_begin_shape(const struct gpu_setup_work *work, enum gpu_shape_kind kind,
                bool is_by_pixel, struct gpu_shape *shape);

/* Adds the side from p to q: see gpu_edge_between(). */
static inline void
gpu_shape_add_side(const struct gpu_setup_work *work, struct gpu_shape *shape,
                   int32_t p_x, int32_t p_y, int32_t q_x, int32_t q_y)
{
   assert(shape->num_edges < GPU_MAX_EDGES);
   shape->edge[shape->num_edges++] = gpu_edge_between(
      work->state->rasterizer->bottom_edge_rule, p_x, p_y, q_x, q_y);
}

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
gpu_reserve_planes(const struct gpu_setup_work *work, uint32_t *first_out);

/* The register that is seen from where the polygon is seen. */
static inline uint8_t
gpu_visible_output(const struct gpu_interface *interface, uint32_t attribute,
                   bool is_front)
{
   assert(attribute < GPU_MAX_ATTRIBUTES);
   const uint8_t back = interface->back_output[attribute];
   return is_front || back == GPU_NO_REGISTER ? interface->output[attribute]
                                              : back;
}

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
gpu_plane_slope(const struct gpu_planes *planes, const double value[3]);

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
gpu_store_planes(const struct gpu_planes *planes,
                 const struct gpu_sprite *sprite, uint32_t *words);

/* ---- primitives ---------------------------------------------------------- */

/* False: there is no memory. */
bool
gpu_setup_point(struct gpu_setup_work *work);
bool
gpu_setup_line(struct gpu_setup_work *work);

/* The guard band of the point at a record. */
struct gpu_guard_band
gpu_find_guard_band(const struct gpu_setup_state *state,
                    const uint32_t *record);

/* May a line reach into the view from beside it? */
bool
gpu_line_is_wide(const struct gpu_setup_state *state);

bool
gpu_setup_triangle(struct gpu_setup_work *work, uint8_t edges);

/* The same for vertices in the window, of which nothing is cut off. */
bool
gpu_setup_window_point(struct gpu_setup_work *work,
                       const struct gpu_window_vertex *v);
bool
gpu_setup_window_line(struct gpu_setup_work *work,
                      const struct gpu_window_vertex v[2]);
bool
gpu_setup_window_triangle(struct gpu_setup_work *work,
                          const struct gpu_window_vertex v[3], uint8_t edges);

/* ---- lists of records ---------------------------------------------------- */

/* Derives `window` of a setup whose vertices are taken from there, so many for
 * each primitive. */
void
gpu_setup_init_window(struct gpu_setup *setup, unsigned num_vertices);

/* Finds which sides of the view records are beyond, as bits, unless it is told.
 */
void
gpu_setup_find_sides(const struct gpu_setup *setup);

/* After that, of points that are clipped as squares: those that may reach into
 * the view are beyond no side of it. */
void
gpu_setup_keep_near_points(const struct gpu_setup *setup);

/* Puts vertices into the window, but for the last ones, which are less than
 * four, and those that are beside the view. */
void
gpu_setup_place_records(const struct gpu_setup *setup);

/* Is it a triangle whose vertices have been put into the window, and of which
 * nothing else need be known? */
static inline bool
gpu_setup_is_plain(const struct gpu_setup *setup,
                   const struct gpu_setup_primitive *primitive)
{
   const struct gpu_setup_records *records = setup->records;
   if (!setup->uses_window || !setup->window.is_plain ||
       primitive->num_vertices != 3)
      return false;
   const uint32_t a = records->bits[primitive->number[0]];
   const uint32_t b = records->bits[primitive->number[1]];
   const uint32_t c = records->bits[primitive->number[2]];
   return a & b & c & GPU_SETUP_IS_KNOWN && !((a | b | c) & GPU_SETUP_IS_CUT);
}

/* Sets up a triangle that is plain. False: there is no memory. */
bool
gpu_setup_plain_triangle(struct gpu_setup *setup,
                         const struct gpu_setup_primitive *primitive);

/* Sets up triangles of which many are small, as gpu_setup_primitive() would
 * each of them: see gpu_setup_at_once(). False: there is no memory. */
bool
gpu_setup_plain_triangles(struct gpu_setup *setup,
                          const struct gpu_setup_primitive *primitives,
                          uint32_t count);

#endif
