/* SPDX-License-Identifier: MIT
 *
 * Triangle setup: clipping, face culling, and polygon modes: filled, or as the
 * lines or points of the polygon that they are of.
 */
#include <math.h>
#include <string.h>

#include "gpu/setup/setup_parts.h"
#include "util/bits.h"

/* ---- faces --------------------------------------------------------------- */

/* That of a fan, and the corner after the first with which it has its largest
 * triangle. */
static int64_t
fan_area(const struct gpu_window_vertex *v, uint32_t count, uint32_t *largest)
{
   int64_t sum = 0, most = -1;
   for (uint32_t i = 2; i < count; i++) {
      const int64_t area = gpu_area_of(&v[0], &v[i - 1], &v[i]);
      const int64_t size = area < 0 ? -area : area;
      sum += area;
      if (size > most) {
         most = size;
         *largest = i - 1;
      }
   }
   return sum;
}

/* What has no area is back-facing. */
static bool
find_face(struct gpu_setup_work *work, int64_t area)
{
   const struct tg_rasterizer_state *rasterizer = work->state->rasterizer;
   work->is_front = rasterizer->front_ccw ? area < 0 : area > 0;
   return !(rasterizer->cull_face &
            (work->is_front ? TG_FACE_FRONT : TG_FACE_BACK));
}

/* ---- polygon offset ------------------------------------------------------ */

/* 2^(e - 23), where e is the exponent of the largest depth. */
static double
float_unit(const struct gpu_planes *planes)
{
   double largest = 0.0;
   for (unsigned i = 0; i < 3; i++)
      largest = fmax(largest, fabs(planes->corner[i].z));
   const uint32_t exponent = tg_bits_of_float((float)largest) >> 23;
   return tg_double_of_bits((uint64_t)(exponent + 1023 - 127 - 23) << 52);
}

/* What surely makes a difference in the depth buffer (OpenGL 4.6, 14.6.5). One
 * step of fixed point can be lost: where a depth is half way between two, and
 * where the plane is rounded to floats, which near 1 are as far apart as depths
 * of 24 bits. */
static double
depth_unit(const struct gpu_planes *planes)
{
   if (planes->work->state->rasterizer->offset_units_unscaled)
      return 1.0;
   switch (planes->work->state->depth_kind) {
   case GPU_DEPTH_UNORM16: return 2.0 / 0xffff;
   case GPU_DEPTH_FLOAT: return float_unit(planes);
   default: return 2.0 / 0xffffff;
   }
}

static bool
is_offset(const struct tg_rasterizer_state *rasterizer, uint8_t mode)
{
   switch (mode) {
   case TG_POLYGON_LINE: return rasterizer->offset_line;
   case TG_POLYGON_POINT: return rasterizer->offset_point;
   default: return rasterizer->offset_tri;
   }
}

static double
offset_of(const struct gpu_planes *planes)
{
   const struct tg_rasterizer_state *rasterizer =
      planes->work->state->rasterizer;
   const double z[3] = {planes->corner[0].z, planes->corner[1].z,
                        planes->corner[2].z};
   const struct gpu_slope slope = gpu_plane_slope(planes, z);
   const double steepest = fmax(fabs(slope.dx), fabs(slope.dy));
   const double offset = steepest * rasterizer->offset_scale +
                         depth_unit(planes) * rasterizer->offset_units;
   const double bound = rasterizer->offset_clamp;
   if (bound > 0.0)
      return fmin(offset, bound);
   return bound < 0.0 ? fmax(offset, bound) : offset;
}

/* ---- filled -------------------------------------------------------------- */

/* A polygon in the window. */
struct polygon {
   const struct gpu_window_vertex *v;
   const struct gpu_window_share *share; /* NULL: corners are the vertices */
   uint32_t count;
   int64_t area;     /* twice, and in fixed point */
   uint32_t largest; /* see fan_area() */
};

/* By the largest triangle of a fan. */
static void
init_planes(struct gpu_setup_work *work, const struct polygon *polygon,
            uint8_t mode, struct gpu_planes *planes)
{
   const uint32_t second = polygon->largest, third = second + 1;
   const struct gpu_bounds visible = gpu_visible_bounds(work);
   const struct gpu_window_vertex basis[3] = {polygon->v[0], polygon->v[second],
                                              polygon->v[third]};
   struct gpu_window_share share[3];
   if (polygon->share) {
      share[0] = polygon->share[0];
      share[1] = polygon->share[second];
      share[2] = polygon->share[third];
   }
   gpu_planes_init(planes, work, basis, polygon->share ? share : NULL,
                   polygon->area ? 3 : 1, &visible);
   if (is_offset(work->state->rasterizer, mode))
      work->z_offset = offset_of(planes);
}

/* A polygon that is being filled: all its triangles have the same planes. */
struct filling {
   struct gpu_setup_work *work;
   const struct polygon *polygon;
   struct gpu_bounds visible;
   bool is_clockwise;
   bool has_planes; /* and constants of these: */
   struct gpu_planes planes;
   uint32_t constants;
};

static bool
store_once(struct filling *filling)
{
   if (filling->has_planes)
      return true;
   uint32_t *words = gpu_reserve_planes(filling->work, &filling->constants);
   if (!words)
      return false;
   init_planes(filling->work, filling->polygon, TG_POLYGON_FILL,
               &filling->planes);
   gpu_store_planes(&filling->planes, NULL, words);
   filling->has_planes = true;
   filling->work->setup->num_polygons++;
   return true;
}

/* In fixed point. */
static struct gpu_bounds
bounds_of(const struct gpu_window_vertex *v, uint32_t count)
{
   struct gpu_bounds bounds = {v[0].x, v[0].y, v[0].x, v[0].y};
   for (uint32_t i = 1; i < count; i++) {
      bounds.min_x = v[i].x < bounds.min_x ? v[i].x : bounds.min_x;
      bounds.min_y = v[i].y < bounds.min_y ? v[i].y : bounds.min_y;
      bounds.max_x = v[i].x > bounds.max_x ? v[i].x : bounds.max_x;
      bounds.max_y = v[i].y > bounds.max_y ? v[i].y : bounds.max_y;
   }
   return bounds;
}

/* The inside of three sides, each from a corner to the next one around. */
static bool
fill_sides(struct filling *filling, const struct gpu_window_vertex *v,
           uint32_t count, const uint32_t side[3])
{
   const struct gpu_setup_work *work = filling->work;
   const struct gpu_shape_sink *sink = &work->setup->sink;
   const struct gpu_bounds bounds = bounds_of(v, count);
   struct gpu_shape shape;
   gpu_begin_shape(work, GPU_SHAPE_POLYGON, false, &shape);
   const bool goes_by_center = gpu_bounds_go_by_center(work, &shape);
   if (!gpu_cut_bounds(&shape, goes_by_center, &filling->visible, &bounds))
      return true;
   for (unsigned i = 0; i < 3; i++) {
      const struct gpu_window_vertex *a = &v[side[i]];
      const struct gpu_window_vertex *b = &v[(side[i] + 1) % count];
      const bool is_clockwise = filling->is_clockwise;
      const struct gpu_window_vertex *p = is_clockwise ? a : b;
      const struct gpu_window_vertex *q = is_clockwise ? b : a;
      gpu_shape_add_side(work, &shape, p->x, p->y, q->x, q->y);
   }
   if (!gpu_cover_triangle(&shape, goes_by_center, &bounds))
      return true;
   if (!store_once(filling))
      return false;
   shape.constants = filling->constants;
   return sink->add(sink->user, &shape, 1);
}

/* Is a triangle turned round? */
static bool
is_turned(const struct filling *filling, const struct gpu_window_vertex *a,
          const struct gpu_window_vertex *b, const struct gpu_window_vertex *c)
{
   const int64_t area = gpu_area_of(a, b, c);
   return filling->is_clockwise ? area < 0 : area > 0;
}

/* From one corner; triangles that are turned round are left out. */
static bool
fill_fan(struct filling *filling, const struct gpu_window_vertex *v,
         uint32_t count, uint32_t hub)
{
   static const uint32_t sides[3] = {0, 1, 2};
   for (uint32_t i = 2; i < count; i++) {
      const struct gpu_window_vertex triangle[3] = {
         v[hub], v[(hub + i - 1) % count], v[(hub + i) % count]};
      const int64_t area =
         gpu_area_of(&triangle[0], &triangle[1], &triangle[2]);
      if (area != 0 && (area > 0) == filling->is_clockwise &&
          !fill_sides(filling, triangle, 3, sides))
         return false;
   }
   return true;
}

/* The corner from which no triangle of a fan is turned round, or `count`. */
static uint32_t
find_hub(const struct filling *filling, const struct gpu_window_vertex *v,
         uint32_t count)
{
   for (uint32_t hub = 0; hub < count; hub++) {
      uint32_t i = 2;
      while (i < count &&
             !is_turned(filling, &v[hub], &v[(hub + i - 1) % count],
                        &v[(hub + i) % count]))
         i++;
      if (i == count)
         return hub;
   }
   return count;
}

/* Do the sides after corners i and i + 2 of four cross each other? */
static bool
is_crossed(const struct gpu_window_vertex *v, uint32_t i)
{
   const struct gpu_window_vertex *a = &v[i], *b = &v[i + 1];
   const struct gpu_window_vertex *c = &v[i + 2], *d = &v[(i + 3) % 4];
   return (gpu_area_of(a, b, c) > 0) != (gpu_area_of(a, b, d) > 0) &&
          (gpu_area_of(c, d, a) > 0) != (gpu_area_of(c, d, b) > 0);
}

/* Rounding the corners where a polygon was cut may bend it inwards, or turn a
 * bit of it round where two sides nearly meet. Its neighbours have the same
 * sides; so exactly what is between them has to be filled. */
static bool
fill_cut(struct filling *filling, const struct gpu_window_vertex *v,
         uint32_t count)
{
   const uint32_t hub = find_hub(filling, v, count);
   for (uint32_t i = 0; i < 2 && hub == count && count == 4; i++) {
      if (!is_crossed(v, i))
         continue;
      const bool is_front = !is_turned(filling, &v[i], &v[i + 1], &v[i + 2]);
      const uint32_t sides[3] = {i, i + 2, is_front ? i + 1 : (i + 3) % 4};
      return fill_sides(filling, v, count, sides);
   }
   return fill_fan(filling, v, count, hub == count ? 0 : hub);
}

static bool
fill(struct gpu_setup_work *work, const struct polygon *polygon)
{
   static const uint32_t sides[3] = {0, 1, 2};
   struct filling filling;
   filling.work = work;
   filling.polygon = polygon;
   filling.visible = gpu_visible_bounds(work);
   filling.is_clockwise = polygon->area > 0;
   filling.has_planes = false;
   return polygon->count == 3 ? fill_sides(&filling, polygon->v, 3, sides)
                              : fill_cut(&filling, polygon->v, polygon->count);
}

/* ---- lines and points of a polygon --------------------------------------- */

/* Is there something to draw for the edge after a vertex: is it one of the
 * polygon's outline, and it, or the vertex, not beside the view? */
static bool
has_part(const struct gpu_setup_state *state, const uint32_t *const record[3],
         uint8_t edges, uint8_t mode, unsigned i)
{
   const uint8_t flag = state->layout.edge_flag;
   const uint32_t *const ends[2] = {record[i], record[(i + 1) % 3]};
   const bool is_edge =
      edges >> i & 1 && (flag == GPU_NO_REGISTER ||
                         gpu_setup_record_float(record[i], flag, 0) != 0.0f);
   return is_edge && !gpu_setup_is_beside_view(state, ends,
                                               mode == TG_POLYGON_LINE ? 2 : 1);
}

/* The work of some of the vertices alone. */
static struct gpu_setup_work
part_of(const struct gpu_setup_work *work, unsigned first, unsigned second)
{
   struct gpu_setup_work part = *work;
   const unsigned from[2] = {first, second};
   part.is_part = true;
   for (unsigned i = 0; i < 2; i++) {
      part.vertex[i] = work->vertex[from[i]];
      part.corner[i] = work->corner[from[i]];
      for (unsigned k = 0; k < 3; k++)
         part.corner[i].share[k] = k == i ? 1.0 : 0.0;
      part.reciprocal_w[i] = work->reciprocal_w[from[i]];
      part.outcode[i] = work->outcode[from[i]];
      for (unsigned k = 0; k < TG_MAX_CLIP_PLANES; k++)
         part.clipper.distance[i][k] = work->clipper.distance[from[i]][k];
   }
   return part;
}

/* Of a polygon that is clipped: each part is clipped by itself. */
static bool
draw_clipped_outline(const struct gpu_setup_work *work, uint8_t edges,
                     uint8_t mode)
{
   for (unsigned i = 0; i < 3; i++) {
      if (!has_part(work->state, work->vertex, edges, mode, i))
         continue;
      struct gpu_setup_work part = part_of(work, i, (i + 1) % 3);
      if (!(mode == TG_POLYGON_LINE ? gpu_setup_line(&part)
                                    : gpu_setup_point(&part)))
         return false;
   }
   return true;
}

/* Of a triangle of which nothing is cut off. It becomes its parts. */
static bool
draw_window_outline(struct gpu_setup_work *work,
                    const struct gpu_window_vertex v[3], uint8_t edges,
                    uint8_t mode)
{
   const uint32_t *const record[3] = {work->vertex[0], work->vertex[1],
                                      work->vertex[2]};
   work->is_part = true;
   for (unsigned i = 0; i < 3; i++) {
      const unsigned next = (i + 1) % 3;
      const struct gpu_window_vertex ends[2] = {v[i], v[next]};
      if (!has_part(work->state, record, edges, mode, i))
         continue;
      work->vertex[0] = record[i];
      work->vertex[1] = record[next];
      if (!(mode == TG_POLYGON_LINE ? gpu_setup_window_line(work, ends)
                                    : gpu_setup_window_point(work, ends)))
         return false;
   }
   return true;
}

/* ---- triangles ----------------------------------------------------------- */

/* What is left of one, in the window. */
static bool
draw(struct gpu_setup_work *work, struct polygon *polygon, uint8_t edges)
{
   const struct tg_rasterizer_state *rasterizer = work->state->rasterizer;
   polygon->largest = 1;
   polygon->area = fan_area(polygon->v, polygon->count, &polygon->largest);
   work->setup->num_visible++;
   if (!find_face(work, polygon->area))
      return true;

   const uint8_t mode =
      work->is_front ? rasterizer->fill_front : rasterizer->fill_back;
   if (mode == TG_POLYGON_FILL)
      return !polygon->area || fill(work, polygon);
   if (is_offset(rasterizer, mode)) {
      struct gpu_planes planes;
      init_planes(work, polygon, mode, &planes);
   }
   work->setup->stipple_pixels = 0.0; /* one pattern goes around */
   return polygon->share ? draw_clipped_outline(work, edges, mode)
                         : draw_window_outline(work, polygon->v, edges, mode);
}

bool
gpu_setup_window_triangle(struct gpu_setup_work *work,
                          const struct gpu_window_vertex v[3], uint8_t edges)
{
   struct polygon polygon = {.v = v, .count = 3};
   return draw(work, &polygon, edges);
}

static bool
draw_clipped(struct gpu_setup_work *work, uint32_t planes, uint8_t edges)
{
   struct gpu_corner corner[GPU_MAX_POLYGON];
   struct gpu_window_vertex v[GPU_MAX_POLYGON];
   struct gpu_window_share share[GPU_MAX_POLYGON];
   memcpy(corner, work->corner, sizeof(work->corner));
   const uint32_t count = gpu_clip_polygon(&work->clipper, planes, corner, 3);
   struct polygon polygon = {.v = v, .share = share, .count = count};
   for (uint32_t i = 0; i < count; i++) {
      v[i] = gpu_setup_project(work, &corner[i]);
      share[i] = gpu_setup_window_share(work, &corner[i]);
   }
   return !count || draw(work, &polygon, edges);
}

bool
gpu_setup_triangle(struct gpu_setup_work *work, uint8_t edges)
{
   const uint32_t planes =
      work->outcode[0] | work->outcode[1] | work->outcode[2];
   if (planes)
      return draw_clipped(work, planes, edges);
   struct gpu_window_vertex v[3];
   for (unsigned i = 0; i < 3; i++)
      v[i] = gpu_setup_project(work, &work->corner[i]);
   return gpu_setup_window_triangle(work, v, edges);
}
