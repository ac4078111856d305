/* SPDX-License-Identifier: MIT
 *
 * Coverage by triangles and points, and where samples are.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "reference.h"

/* ---- samples ------------------------------------------------------------- */

/* Direct3D's standard patterns: 16ths of a pixel from its centre. */
static const signed char patterns[5][REF_MAX_SAMPLES][2] = {
   {{0, 0}},
   {{4, 4}, {-4, -4}},
   {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}},
   {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}},
   {{1, 1},
    {-1, -3},
    {-3, 2},
    {4, -1},
    {-5, -2},
    {2, 5},
    {5, 3},
    {3, -5},
    {-2, 6},
    {0, -7},
    {-4, -6},
    {-6, 4},
    {-8, 0},
    {7, -4},
    {6, 7},
    {-7, -8}},
};

struct ref_place
ref_sample_place(int num_samples, int sample)
{
   int row = 0;
   while (1 << row < num_samples)
      row++;
   assert(row < 5 && sample >= 0 && sample < num_samples);
   const signed char *offset = patterns[row][sample];
   return (struct ref_place){(8 + offset[0]) * (REF_SUBPIXELS / 16),
                             (8 + offset[1]) * (REF_SUBPIXELS / 16)};
}

/* ---- triangles ----------------------------------------------------------- */

/* Twice the area of p, q, r; positive when r is to the right of the way from p
 * to q, as one sees memory. */
static int64_t
area(struct ref_place p, struct ref_place q, struct ref_place r)
{
   return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
}

/* Does a clockwise triangle own what lies on its edge from p to q? Left edges
 * lead upwards, a top edge leads to the right. */
static bool
owns_edge(struct ref_place p, struct ref_place q, bool bottom_edge_rule)
{
   if (q.y != p.y)
      return q.y < p.y;
   return bottom_edge_rule ? q.x < p.x : q.x > p.x;
}

static bool
is_inside(const struct ref_place corner[], int num_corners, struct ref_place at,
          bool bottom_edge_rule)
{
   for (int i = 0; i < num_corners; i++) {
      const struct ref_place p = corner[i], q = corner[(i + 1) % num_corners];
      const int64_t side = area(p, q, at);
      if (side < 0 || (side == 0 && !owns_edge(p, q, bottom_edge_rule)))
         return false;
   }
   return true;
}

/* Rounding a cut end moves an edge by less than a 256th of a pixel each way. */
static enum ref_cover
is_inside_cut(const struct ref_shape *shape, struct ref_place at)
{
   const double slack = 1.5 / REF_SUBPIXELS;
   enum ref_cover cover = REF_IN;
   for (int i = 0; i < shape->num_half_planes; i++) {
      const struct ref_half_plane *plane = &shape->half_plane[i];
      const double distance = plane->a * ((double)at.x / REF_SUBPIXELS) +
                              plane->b * ((double)at.y / REF_SUBPIXELS) +
                              plane->c;
      if (distance < -slack)
         return REF_OUT;
      if (!(distance > slack))
         cover = REF_OPEN;
   }
   return cover;
}

/* What sticks out of the viewport is cut off there. Who owns its rim is open,
 * and whether samples are cut off by themselves or with their pixel. */
static enum ref_cover
viewport_covers(const struct ref_setup *setup, struct ref_place at)
{
   const double centre = setup->rasterizer.half_pixel_center ? 0 : 0.5;
   const double place[2] = {(double)at.x / REF_SUBPIXELS,
                            (double)at.y / REF_SUBPIXELS};
   enum ref_cover cover = REF_IN;
   for (int i = 0; i < 2; i++) {
      const double middle = (double)setup->viewport.translate[i] + centre;
      const double half = fabs((double)setup->viewport.scale[i]);
      const double of_sample = half - fabs(place[i] - middle);
      const double of_pixel = half - fabs(floor(place[i]) + 0.5 - middle);
      if (of_sample < 0 && of_pixel < 0)
         return REF_OUT;
      if (of_sample <= 0 || of_pixel <= 0)
         cover = REF_OPEN;
   }
   return cover;
}

enum ref_cover
ref_triangle_covers(const struct ref_shape *shape, struct ref_place at)
{
   const struct ref_place *v = shape->place;
   const enum ref_cover seen = viewport_covers(shape->setup, at);
   if (seen == REF_OUT)
      return REF_OUT;
   if (shape->is_cut) {
      const enum ref_cover cover = is_inside_cut(shape, at);
      return cover == REF_IN ? seen : cover;
   }
   const int64_t size = area(v[0], v[1], v[2]);
   if (size == 0)
      return REF_OUT;
   const struct ref_place corner[3] = {v[0], v[size > 0 ? 1 : 2],
                                       v[size > 0 ? 2 : 1]};
   return is_inside(corner, 3, at, shape->setup->rasterizer.bottom_edge_rule)
             ? seen
             : REF_OUT;
}

/* ---- points -------------------------------------------------------------- */

bool
ref_has_samples(const struct ref_setup *setup)
{
   return setup->num_samples > 1 && setup->rasterizer.multisample;
}

static double
point_size(const struct ref_shape *shape)
{
   const struct tg_rasterizer_state *rasterizer = &shape->setup->rasterizer;
   const double size = rasterizer->point_size_per_vertex
                          ? shape->vertex[0].point_size
                          : (double)rasterizer->point_size;
   const bool is_smooth =
      rasterizer->point_smooth && !ref_has_samples(shape->setup);
   return fmin(fmax(size, is_smooth ? 0 : 1), (double)TG_MAX_POINT_SIZE);
}

static int64_t
floor_to(int64_t x, int64_t step)
{
   return (x - ((x % step) + step) % step);
}

/* A square owns its left and its top side. */
static bool
is_in_square(int64_t offset_x, int64_t offset_y, int64_t side,
             bool bottom_edge_rule)
{
   if (bottom_edge_rule)
      offset_y = side - offset_y;
   return offset_x >= 0 && offset_x < side && offset_y >= 0 && offset_y < side;
}

/* Points of old: as many pixels wide as the size rounded, about the nearest
 * pixel's centre or the nearest corner. */
static enum ref_cover
old_point_covers(const struct ref_shape *shape, struct ref_place at)
{
   const int64_t pixels = (int64_t)fmax(floor(point_size(shape) + 0.5), 1);
   const struct ref_place p = shape->place[0];
   const int64_t half = REF_SUBPIXELS / 2;
   const int64_t round = pixels % 2 ? 0 : half;
   const int64_t start = pixels / 2 * REF_SUBPIXELS;
   const int64_t x = floor_to(p.x + round, REF_SUBPIXELS) - start;
   const int64_t y = floor_to(p.y + round, REF_SUBPIXELS) - start;
   return is_in_square(at.x - x, at.y - y, pixels * REF_SUBPIXELS, false)
             ? REF_IN
             : REF_OUT;
}

enum ref_cover
ref_point_covers(const struct ref_shape *shape, struct ref_place at)
{
   const struct tg_rasterizer_state *rasterizer = &shape->setup->rasterizer;
   const struct ref_place p = shape->place[0];
   const double size = point_size(shape) * REF_SUBPIXELS;
   const double dx = (double)(at.x - p.x), dy = (double)(at.y - p.y);
   if (rasterizer->point_smooth && !ref_has_samples(shape->setup)) {
      /* Fragments of a smooth point are those that it touches at all. */
      const double gap = hypot(dx, dy) - size / 2;
      return fabs(gap) < 1.5 * REF_SUBPIXELS ? REF_OPEN
             : gap < 0                       ? REF_IN
                                             : REF_OUT;
   }
   if (!rasterizer->point_quad_rasterization && ref_has_samples(shape->setup)) {
      const double gap = dx * dx + dy * dy - size * size / 4;
      return fabs(gap) < 1 ? REF_OPEN : gap < 0 ? REF_IN : REF_OUT;
   }
   if (!rasterizer->point_quad_rasterization)
      return old_point_covers(shape, at);
   /* In doubled units, of which half of a side is a whole number. */
   const int64_t side = (int64_t)floor(size + 0.5);
   return is_in_square(2 * (at.x - p.x) + side, 2 * (at.y - p.y) + side,
                       2 * side, rasterizer->bottom_edge_rule)
             ? REF_IN
             : REF_OUT;
}

/* ---- everything ---------------------------------------------------------- */

static bool
is_in_scissor(const struct ref_setup *setup, int x, int y)
{
   const struct tg_scissor *s = &setup->scissor;
   if (x < 0 || y < 0 || x >= setup->width || y >= setup->height)
      return false;
   return !setup->rasterizer.scissor ||
          (x >= s->min_x && x < s->max_x && y >= s->min_y && y < s->max_y);
}

static bool
is_stippled_away(const struct ref_shape *shape, int x, int y)
{
   return shape->setup->rasterizer.poly_stipple_enable && shape->is_polygon &&
          shape->kind == REF_TRIANGLE &&
          !(shape->setup->stipple[y % 32] >> (31 - x % 32) & 1);
}

static enum ref_cover
line_covers(const struct ref_shape *shape, struct ref_place at)
{
   const enum ref_cover cover = ref_line_covers(shape, at);
   const enum ref_cover seen = viewport_covers(shape->setup, at);
   return seen == REF_IN || cover == REF_OUT ? cover : seen;
}

enum ref_cover
ref_covers(const struct ref_shape *shape, int x, int y, int sample)
{
   const struct ref_setup *setup = shape->setup;
   const struct ref_place place =
      ref_sample_place(ref_has_samples(setup) ? setup->num_samples : 1,
                       ref_has_samples(setup) ? sample : 0);
   const struct ref_place at = {x * REF_SUBPIXELS + place.x,
                                y * REF_SUBPIXELS + place.y};
   if (!is_in_scissor(setup, x, y) || is_stippled_away(shape, x, y))
      return REF_OUT;
   switch (shape->kind) {
   case REF_POINT: return ref_point_covers(shape, at);
   case REF_LINE: return line_covers(shape, at);
   case REF_TRIANGLE: return ref_triangle_covers(shape, at);
   }
   return REF_OUT;
}

/* As far as a line or a point reaches from its vertices, in pixels. */
static int
reach(const struct ref_shape *shape)
{
   switch (shape->kind) {
   case REF_POINT: return (int)ceil(point_size(shape) / 2) + 2;
   case REF_LINE: return (int)shape->setup->rasterizer.line_width / 2 + 3;
   case REF_TRIANGLE: return 1;
   }
   return 0;
}

static int
to_pixel(int64_t x, int size)
{
   const int64_t pixel = floor_to(x, REF_SUBPIXELS) / REF_SUBPIXELS;
   return pixel < 0 ? 0 : pixel > size ? size : (int)pixel;
}

struct ref_bounds
ref_get_bounds(const struct ref_shape *shape)
{
   const struct ref_setup *setup = shape->setup;
   struct ref_place min = shape->place[0], max = min;
   if (shape->is_cut)
      return (struct ref_bounds){0, 0, setup->width, setup->height};
   for (int i = 1; i < (int)shape->kind; i++) {
      const struct ref_place p = shape->place[i];
      min.x = p.x < min.x ? p.x : min.x;
      min.y = p.y < min.y ? p.y : min.y;
      max.x = p.x > max.x ? p.x : max.x;
      max.y = p.y > max.y ? p.y : max.y;
   }
   const int64_t margin = (int64_t)reach(shape) * REF_SUBPIXELS;
   return (struct ref_bounds){
      .min_x = to_pixel(min.x - margin, setup->width),
      .min_y = to_pixel(min.y - margin, setup->height),
      .max_x = to_pixel(max.x + margin + REF_SUBPIXELS, setup->width),
      .max_y = to_pixel(max.y + margin + REF_SUBPIXELS, setup->height),
   };
}
