/* SPDX-License-Identifier: MIT
 *
 * Lines. Aliased ones by OpenGL's diamond rule, each fragment by itself: a
 * pixel is drawn if the segment goes through the diamond about its centre, and
 * does not end in it. What runs along the side of a diamond is moved by a hair
 * to the left, and by a hair of that upwards. Ends are not: on the side of a
 * diamond they are outside, which the specification allows, and which makes a
 * segment from one border of a pixel to the other draw it.
 */
#include <math.h>
#include <stdlib.h>

#include "reference.h"

static double
line_width(const struct ref_shape *shape)
{
   const double width = (double)shape->setup->rasterizer.line_width;
   return fmin(width, (double)TG_MAX_LINE_WIDTH);
}

static bool
is_rectangle(const struct ref_setup *setup)
{
   return (setup->num_samples > 1 && setup->rasterizer.multisample) ||
          setup->rasterizer.line_smooth || setup->rasterizer.line_rectangular;
}

/* ---- aliased ------------------------------------------------------------- */

/* A segment with its longer axis as u, in doubled 256ths with pixel centres at
 * multiples of PIXEL. A line of several pixels is the segment at its first
 * row. */
enum { PIXEL = 2 * REF_SUBPIXELS };

struct segment {
   int64_t u[2], v[2];
   bool is_x_major;
   int width;          /* pixels along v */
   int u_hair, v_hair; /* which way they are moved */
};

static struct segment
make_segment(const struct ref_shape *shape)
{
   const struct ref_place *p = shape->place;
   const int64_t dx = p[1].x - p[0].x, dy = p[1].y - p[0].y;
   const int width = (int)fmax(floor(line_width(shape) + 0.5), 1);
   const bool is_x_major = llabs(dx) >= llabs(dy);
   const int y_hair = shape->setup->rasterizer.bottom_edge_rule ? 1 : -1;
   struct segment segment = {
      .is_x_major = is_x_major,
      .width = width,
      .u_hair = is_x_major ? -1 : y_hair,
      .v_hair = is_x_major ? y_hair : -1,
   };
   for (int i = 0; i < 2; i++) {
      const int64_t x = 2 * p[i].x - PIXEL / 2, y = 2 * p[i].y - PIXEL / 2;
      segment.u[i] = is_x_major ? x : y;
      segment.v[i] = (is_x_major ? y : x) - (width - 1) * (PIXEL / 2);
   }
   return segment;
}

static int
sign(int64_t x)
{
   return (x > 0) - (x < 0);
}

/* Is an end in the diamond about (u, v)? On its sides it is not. */
static bool
is_in_diamond(const struct segment *segment, int end, int64_t u, int64_t v)
{
   return llabs(segment->u[end] - u) + llabs(segment->v[end] - v) < PIXEL / 2;
}

/* On which side of u an end lies, moved by its hair. */
static int
side_of(const struct segment *segment, int end, int64_t u)
{
   const int side = sign(segment->u[end] - u);
   return side ? side : segment->u_hair;
}

/* Does the whole line, moved by its hairs, cross the middle of the diamond?
 * Its v where it has u, times the length, is compared. */
static bool
crosses(const struct segment *segment, int64_t u, int64_t v)
{
   const int64_t du = segment->u[1] - segment->u[0];
   const int64_t dv = segment->v[1] - segment->v[0];
   const int64_t above =
      (segment->v[0] - v) * du + (u - segment->u[0]) * dv; /* times du */
   const int64_t distance = above * sign(du);
   const int64_t half = llabs(du) * (PIXEL / 2);
   /* A hair to the left is one along v by as much as the line rises. */
   const int rise = sign(du) * sign(dv);
   const int hair = segment->is_x_major && rise != 0 ? rise : segment->v_hair;
   if (llabs(distance) != half)
      return llabs(distance) < half;
   return sign(distance) != hair;
}

static bool
draws_fragment(const struct ref_shape *shape, const struct segment *segment,
               int64_t u, int64_t v)
{
   const int direction = sign(segment->u[1] - segment->u[0]);
   const bool has_last = shape->setup->rasterizer.line_last_pixel;
   if (direction == 0) /* no length */
      return has_last && is_in_diamond(segment, 1, u, v);
   if (!crosses(segment, u, v))
      return false;
   if (side_of(segment, 0, u) == direction && !is_in_diamond(segment, 0, u, v))
      return false;
   if (is_in_diamond(segment, 1, u, v))
      return has_last;
   return side_of(segment, 1, u) == direction;
}

/* The place of a pixel's first row, if it is `row` rows behind that. */
static void
to_first_row(const struct segment *segment, int x, int y, int row, int64_t *u,
             int64_t *v)
{
   *u = (int64_t)(segment->is_x_major ? x : y) * PIXEL;
   *v = ((int64_t)(segment->is_x_major ? y : x) - row) * PIXEL;
}

static bool
draws_pixel(const struct ref_shape *shape, int x, int y)
{
   const struct segment segment = make_segment(shape);
   for (int row = 0; row < segment.width; row++) {
      int64_t u, v;
      to_first_row(&segment, x, y, row, &u, &v);
      if (draws_fragment(shape, &segment, u, v))
         return true;
   }
   return false;
}

/* ---- stipple ------------------------------------------------------------- */

/* Does the segment draw anything in the column at u? */
static bool
draws_column(const struct ref_shape *shape, const struct segment *segment,
             int64_t u)
{
   const int64_t du = segment->u[1] - segment->u[0];
   const int64_t dv = segment->v[1] - segment->v[0];
   const double at = (double)segment->v[0] +
                     (double)(u - segment->u[0]) * (double)dv / (double)du;
   const int64_t near = (int64_t)floor(at / PIXEL) * PIXEL;
   return draws_fragment(shape, segment, u, near - PIXEL) ||
          draws_fragment(shape, segment, u, near) ||
          draws_fragment(shape, segment, u, near + PIXEL);
}

static int64_t
first_column(const struct segment *segment)
{
   return (int64_t)round((double)segment->u[0] / PIXEL);
}

/* The first fragment is a column before, at or behind the first end. */
static int64_t
start_column(const struct ref_shape *shape, const struct segment *segment)
{
   const int direction = sign(segment->u[1] - segment->u[0]);
   int64_t column = first_column(segment) - direction;
   for (int i = 0; i < 3; i++, column += direction) {
      if (draws_column(shape, segment, column * PIXEL))
         break;
   }
   return column;
}

int
ref_line_step(const struct ref_shape *shape, int x, int y)
{
   const struct segment segment = make_segment(shape);
   const int64_t column = segment.is_x_major ? x : y;
   return (int)llabs(column - start_column(shape, &segment));
}

int
ref_line_length(const struct ref_shape *shape)
{
   const struct segment segment = make_segment(shape);
   const int direction = sign(segment.u[1] - segment.u[0]);
   if (direction == 0)
      return 0;
   int length = 0;
   for (int64_t column = start_column(shape, &segment);
        draws_column(shape, &segment, column * PIXEL); column += direction)
      length++;
   return length;
}

static bool
is_stippled_away(const struct ref_shape *shape, int x, int y)
{
   const struct tg_rasterizer_state *rasterizer = &shape->setup->rasterizer;
   if (!rasterizer->line_stipple_enable)
      return false;
   const int step = shape->stipple_start + ref_line_step(shape, x, y);
   const int bit = step / (rasterizer->line_stipple_factor + 1) % 16;
   return !(rasterizer->line_stipple_pattern >> bit & 1);
}

/* ---- rectangles ---------------------------------------------------------- */

/* Rounding moves the sides by less than a 256th of a pixel each way. */
static enum ref_cover
rectangle_covers(const struct ref_shape *shape, struct ref_place at)
{
   const struct ref_place *p = shape->place;
   const double slack = shape->setup->rasterizer.line_smooth
                           ? 1.5 * REF_SUBPIXELS /* what is touched at all */
                           : 1.0;
   const double dx = (double)(p[1].x - p[0].x), dy = (double)(p[1].y - p[0].y);
   const double length = hypot(dx, dy);
   if (length == 0)
      return REF_OUT;
   const double x = (double)(at.x - p[0].x), y = (double)(at.y - p[0].y);
   const double along = (x * dx + y * dy) / length;
   const double across = fabs(x * dy - y * dx) / length;
   const double half = line_width(shape) * REF_SUBPIXELS / 2;
   const double inside = fmin(fmin(along, length - along), half - across);
   return fabs(inside) <= slack ? REF_OPEN : inside > 0 ? REF_IN : REF_OUT;
}

enum ref_cover
ref_line_covers(const struct ref_shape *shape, struct ref_place at)
{
   if (is_rectangle(shape->setup))
      return rectangle_covers(shape, at);
   const int x = (int)(at.x / REF_SUBPIXELS), y = (int)(at.y / REF_SUBPIXELS);
   return draws_pixel(shape, x, y) && !is_stippled_away(shape, x, y) ? REF_IN
                                                                     : REF_OUT;
}
