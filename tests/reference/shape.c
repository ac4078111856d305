/* SPDX-License-Identifier: MIT
 *
 * From vertices to the window: what is cut off, faces, and what a triangle
 * becomes that is drawn as lines or points.
 */
#include <math.h>

#include "reference.h"

/* Pixels: only what reaches farther may be cut at the sides. */
static const double guard_band = 1 << 17;

/* ---- positions ----------------------------------------------------------- */

int64_t
ref_round(double coordinate, bool *is_open_out)
{
   const double scaled = coordinate * REF_SUBPIXELS;
   const double rounded = floor(scaled + 0.5);
   const bool is_near_half = fabs(fabs(scaled - rounded) - 0.5) < 0x1p-5;
   const bool is_exact =
      fabs(scaled) < 0x1p20 && scaled * 8 == floor(scaled * 8);
   if (is_near_half && !is_exact)
      *is_open_out = true;
   return (int64_t)rounded;
}

static double
window(const struct ref_setup *setup, const struct ref_vertex *v, int axis)
{
   const double centre =
      axis < 2 && !setup->rasterizer.half_pixel_center ? 0.5 : 0;
   return v->position[axis] / v->position[3] *
             (double)setup->viewport.scale[axis] +
          (double)setup->viewport.translate[axis] + centre;
}

static bool
is_finite(const struct ref_vertex *v)
{
   for (int i = 0; i < 4; i++) {
      if (!isfinite(v->position[i]))
         return false;
   }
   return true;
}

/* ---- what is visible ----------------------------------------------------- */

enum { NUM_SIDES = 4, NUM_PLANES = 6 + TG_MAX_CLIP_PLANES };

/* Not negative inside of plane `plane`: left, right, top, bottom, near, far,
 * the user's. */
static double
distance(const struct ref_setup *setup, const struct ref_vertex *v, int plane)
{
   const double *p = v->position;
   if (plane >= 6)
      return v->clip_distance[plane - 6];
   if (plane == 4 && setup->rasterizer.clip_halfz)
      return p[2];
   return plane % 2 ? p[3] - p[plane / 2] : p[3] + p[plane / 2];
}

/* Wide lines may reach into the view, and points that are clipped as squares.
 */
static bool
hides_beside_view(const struct ref_setup *setup, enum ref_kind kind)
{
   const struct tg_rasterizer_state *rasterizer = &setup->rasterizer;
   switch (kind) {
   case REF_POINT: return !rasterizer->point_tri_clip;
   case REF_LINE:
      return !(rasterizer->line_width > 1) &&
             (!rasterizer->line_smooth || ref_has_samples(setup));
   case REF_TRIANGLE: return true;
   }
   return true;
}

static bool
is_enabled(const struct ref_setup *setup, enum ref_kind kind, int plane)
{
   const struct tg_rasterizer_state *rasterizer = &setup->rasterizer;
   if (plane < NUM_SIDES)
      return hides_beside_view(setup, kind);
   if (plane == 4)
      return rasterizer->depth_clip_near;
   if (plane == 5)
      return rasterizer->depth_clip_far;
   return rasterizer->clip_plane_enable >> (plane - 6) & 1;
}

static bool
is_far_away(const struct ref_setup *setup, const struct ref_vertex *v)
{
   return fabs(window(setup, v, 0)) > guard_band ||
          fabs(window(setup, v, 1)) > guard_band;
}

enum visibility { HIDDEN, CUT, WHOLE };

static enum visibility
see(const struct ref_setup *setup, const struct ref_vertex *v,
    enum ref_kind kind)
{
   const int num_vertices = (int)kind;
   enum visibility visibility = WHOLE;
   for (int plane = 0; plane < NUM_PLANES; plane++) {
      int num_outside = 0;
      if (!is_enabled(setup, kind, plane))
         continue;
      for (int i = 0; i < num_vertices; i++)
         num_outside += !(distance(setup, &v[i], plane) >= 0);
      if (num_outside == num_vertices)
         return HIDDEN;
      if (num_outside && plane >= NUM_SIDES)
         visibility = CUT;
   }
   for (int i = 0; i < num_vertices; i++) {
      if (!is_finite(&v[i]))
         return HIDDEN;
      if (v[i].position[3] <= 0 || is_far_away(setup, &v[i]))
         visibility = CUT;
   }
   return visibility;
}

/* ---- triangles that are cut ---------------------------------------------- */

/* The point of the triangle's plane that is seen at x, y of clip space is the
 * sum of its vertices times weights. Weight i is coefficient[i] times (x, y,
 * 1), and their sum times w is the same everywhere. */
static double
get_weights(const struct ref_vertex v[3], double coefficient[3][3])
{
   for (int i = 0; i < 3; i++) {
      const double *p = v[(i + 1) % 3].position, *q = v[(i + 2) % 3].position;
      coefficient[i][0] = p[1] * q[3] - q[1] * p[3];
      coefficient[i][1] = q[0] * p[3] - p[0] * q[3];
      coefficient[i][2] = p[0] * q[1] - q[0] * p[1];
   }
   return coefficient[0][2] * v[0].position[3] +
          coefficient[1][2] * v[1].position[3] +
          coefficient[2][2] * v[2].position[3];
}

static struct ref_half_plane
to_window(const struct ref_setup *setup, const double coefficient[3])
{
   const double *scale = (double[2]){(double)setup->viewport.scale[0],
                                     (double)setup->viewport.scale[1]};
   const double centre = setup->rasterizer.half_pixel_center ? 0 : 0.5;
   struct ref_half_plane plane = {.a = coefficient[0] / scale[0],
                                  .b = coefficient[1] / scale[1]};
   plane.c = coefficient[2] -
             plane.a * ((double)setup->viewport.translate[0] + centre) -
             plane.b * ((double)setup->viewport.translate[1] + centre);
   /* What is far away in relation has no direction but rounding's. */
   const double length = hypot(plane.a, plane.b);
   const bool is_everywhere = length * 0x1p24 < fabs(plane.c);
   plane.a = is_everywhere ? 0 : plane.a / length;
   plane.b = is_everywhere ? 0 : plane.b / length;
   plane.c = is_everywhere ? copysign(0x1p24, plane.c) : plane.c / length;
   return plane;
}

static void
add_half_plane(struct ref_shape *shape, double coefficient[3][3],
               const double distances[3], double side)
{
   double sum[3] = {0};
   for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++)
         sum[k] += coefficient[i][k] * distances[i] * side;
   }
   shape->half_plane[shape->num_half_planes++] = to_window(shape->setup, sum);
}

/* Fills in what says where a cut triangle is; false if it has no area. */
static bool
cut(struct ref_shape *shape)
{
   double coefficient[3][3];
   const double size = get_weights(shape->vertex, coefficient);
   const double side = size > 0 ? 1 : -1;
   if (size == 0)
      return false;
   for (int i = 0; i < 3; i++) {
      double only[3] = {0};
      only[i] = 1;
      add_half_plane(shape, coefficient, only, side);
   }
   for (int plane = NUM_SIDES; plane < NUM_PLANES; plane++) {
      if (!is_enabled(shape->setup, REF_TRIANGLE, plane))
         continue;
      double distances[3];
      for (int i = 0; i < 3; i++)
         distances[i] = distance(shape->setup, &shape->vertex[i], plane);
      add_half_plane(shape, coefficient, distances, side);
   }
   return true;
}

/* ---- faces --------------------------------------------------------------- */

/* Positive when it runs clockwise, as one sees memory. */
static double
signed_area(const struct ref_shape *shape)
{
   const struct ref_place *p = shape->place;
   double coefficient[3][3];
   if (shape->is_cut)
      return get_weights(shape->vertex, coefficient) *
             (double)shape->setup->viewport.scale[0] *
             (double)shape->setup->viewport.scale[1];
   return (double)((p[1].x - p[0].x) * (p[2].y - p[0].y) -
                   (p[2].x - p[0].x) * (p[1].y - p[0].y));
}

static bool
is_front(const struct ref_shape *shape)
{
   const double area = signed_area(shape);
   return shape->setup->rasterizer.front_ccw ? area < 0 : area > 0;
}

static bool
is_culled(const struct ref_shape *shape)
{
   return shape->setup->rasterizer.cull_face &
          (shape->is_front ? TG_FACE_FRONT : TG_FACE_BACK);
}

/* ---- offset -------------------------------------------------------------- */

static double
max_slope(const struct ref_shape *shape)
{
   const struct ref_place *p = shape->place;
   const double *z = shape->z;
   const double x1 = (double)(p[1].x - p[0].x) / REF_SUBPIXELS;
   const double y1 = (double)(p[1].y - p[0].y) / REF_SUBPIXELS;
   const double x2 = (double)(p[2].x - p[0].x) / REF_SUBPIXELS;
   const double y2 = (double)(p[2].y - p[0].y) / REF_SUBPIXELS;
   const double area = x1 * y2 - x2 * y1;
   const double dx = ((z[1] - z[0]) * y2 - (z[2] - z[0]) * y1) / area;
   const double dy = ((z[2] - z[0]) * x1 - (z[1] - z[0]) * x2) / area;
   return area != 0 ? fmax(fabs(dx), fabs(dy)) : 0;
}

static double
depth_unit(const struct ref_shape *shape)
{
   const struct ref_setup *setup = shape->setup;
   int exponent;
   if (setup->rasterizer.offset_units_unscaled)
      return 1;
   if (setup->depth_unit > 0)
      return setup->depth_unit;
   frexp(fmax(fmax(fabs(shape->z[0]), fabs(shape->z[1])), fabs(shape->z[2])),
         &exponent);
   return ldexp(1, exponent - 1 - 23);
}

static double
get_offset(const struct ref_shape *shape, enum tg_polygon_mode mode)
{
   const struct tg_rasterizer_state *r = &shape->setup->rasterizer;
   const bool is_on = mode == TG_POLYGON_FILL   ? r->offset_tri
                      : mode == TG_POLYGON_LINE ? r->offset_line
                                                : r->offset_point;
   const double clamp = (double)r->offset_clamp;
   if (!is_on)
      return 0;
   const double offset = max_slope(shape) * (double)r->offset_scale +
                         depth_unit(shape) * (double)r->offset_units;
   return clamp > 0   ? fmin(offset, clamp)
          : clamp < 0 ? fmax(offset, clamp)
                      : offset;
}

/* ---- shapes -------------------------------------------------------------- */

static void
take_vertex(struct ref_shape *shape, int i, const struct ref_shape *from, int k)
{
   shape->vertex[i] = from->vertex[k];
   shape->place[i] = from->place[k];
   shape->z[i] = from->z[k];
}

/* Edges or corners of a triangle, as far as they are seen by themselves. What
 * is constant is the triangle's; one stipple pattern goes around. */
static int
outline(const struct ref_shape *triangle, enum ref_kind kind,
        struct ref_shape shapes[REF_MAX_SHAPES])
{
   int num_shapes = 0, stipple_start = 0;
   for (int i = 0; i < 3; i++) {
      struct ref_shape *shape = &shapes[num_shapes];
      *shape = *triangle;
      shape->kind = kind;
      shape->stipple_start = stipple_start;
      take_vertex(shape, 0, triangle, i);
      take_vertex(shape, 1, triangle, (i + 1) % 3);
      if (!triangle->vertex[i].is_edge ||
          see(triangle->setup, shape->vertex, kind) == HIDDEN)
         continue;
      if (kind == REF_LINE)
         stipple_start += ref_line_length(shape);
      num_shapes++;
   }
   return num_shapes;
}

static int
make_triangle(struct ref_shape *triangle,
              struct ref_shape shapes[REF_MAX_SHAPES])
{
   const struct tg_rasterizer_state *r = &triangle->setup->rasterizer;
   if (triangle->is_cut && !cut(triangle))
      return 0;
   triangle->is_polygon = true;
   triangle->is_front = is_front(triangle);
   if (is_culled(triangle))
      return 0;
   const enum tg_polygon_mode mode =
      triangle->is_front ? r->fill_front : r->fill_back;
   triangle->offset = get_offset(triangle, mode);
   switch (mode) {
   case TG_POLYGON_LINE: return outline(triangle, REF_LINE, shapes);
   case TG_POLYGON_POINT: return outline(triangle, REF_POINT, shapes);
   case TG_POLYGON_FILL: break;
   }
   shapes[0] = *triangle;
   return 1;
}

int
ref_make_shapes(const struct ref_setup *setup, enum ref_kind kind,
                const struct ref_vertex *vertices,
                struct ref_shape shapes[REF_MAX_SHAPES], bool *is_open_out)
{
   const enum visibility visibility = see(setup, vertices, kind);
   struct ref_shape shape = {.setup = setup, .kind = kind, .is_front = true};
   if (visibility == HIDDEN)
      return 0;
   shape.is_cut = visibility == CUT;
   shape.provoking = vertices[setup->rasterizer.flatshade_first ? 0 : kind - 1];
   for (int i = 0; i < (int)kind; i++) {
      shape.vertex[i] = vertices[i];
      shape.z[i] = window(setup, &vertices[i], 2);
      if (shape.is_cut)
         continue;
      shape.place[i].x = ref_round(window(setup, &vertices[i], 0), is_open_out);
      shape.place[i].y = ref_round(window(setup, &vertices[i], 1), is_open_out);
   }
   if (kind == REF_TRIANGLE)
      return make_triangle(&shape, shapes);
   if (shape.is_cut) /* where a line is cut is open */
      *is_open_out = true;
   shapes[0] = shape;
   return 1;
}
