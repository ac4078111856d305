/* SPDX-License-Identifier: MIT
 *
 * Line rasterization. Most lines are Bresenham's: one step along the axis that
 * they follow, one pixel, or as many across as they are wide. With samples and
 * smooth ones are rectangles. A stippled line is cut into pieces.
 */
#include <math.h>
#include <stdlib.h>

#include "gpu/setup/setup_parts.h"
#include "util/bits.h"
#include "util/clones.h"

/* A line that is being drawn. Places on it are counted from its beginning, in
 * pixels, or in steps if it is a row of pixels. */
struct line {
   struct gpu_setup_work *work;
   struct gpu_planes planes;
   struct gpu_bounds visible;
   const struct gpu_window_vertex *v; /* both ends */
   bool is_rectangle, is_smooth;
   double width;
   double x, y; /* rectangle: one pixel along it */
   /* Steps: the axis is y; pixel of the first, and 1 or -1. */
   bool is_steep;
   int32_t first, direction;
   double length;
   bool has_constants;
   uint32_t constants;
};

static double
width_of(const struct gpu_setup_state *state, bool is_rectangle)
{
   const double width = state->rasterizer->line_width;
   const bool is_smooth = gpu_raster_is_smooth(
      state->rasterizer, state->num_samples, GPU_SHAPE_LINE);
   const double least = is_smooth ? 1.0 / GPU_SUBPIXELS : 1.0;
   const double held = width >= least ? fmin(width, TG_MAX_LINE_WIDTH) : least;
   return is_rectangle ? held : floor(held + 0.5);
}

static bool
is_rectangle(const struct gpu_setup_state *state)
{
   const struct tg_rasterizer_state *rasterizer = state->rasterizer;
   return rasterizer->line_rectangular ||
          gpu_raster_has_samples(rasterizer, state->num_samples) ||
          gpu_raster_is_smooth(rasterizer, state->num_samples, GPU_SHAPE_LINE);
}

bool
gpu_line_is_wide(const struct gpu_setup_state *state)
{
   return state->rasterizer->line_width > 1.0f ||
          gpu_raster_is_smooth(state->rasterizer, state->num_samples,
                               GPU_SHAPE_LINE);
}

/* ---- constants ----------------------------------------------------------- */

/* Distances from the middle of the piece from `from` to `to`. */
static void
store_distances(const struct line *line, double from, double to,
                uint32_t *words)
{
   const struct gpu_window_vertex *v = &line->v[0];
   const double to_middle = (from + to) / 2.0;
   gpu_store_plane(&line->planes, 0.0, v->x, v->y,
                   (struct gpu_slope){-line->y, line->x},
                   &words[GPU_SHAPE_ACROSS]);
   gpu_store_plane(&line->planes, -to_middle, v->x, v->y,
                   (struct gpu_slope){line->x, line->y},
                   &words[GPU_SHAPE_ALONG]);
   words[GPU_SHAPE_HALF_ACROSS] = tg_bits_of_float((float)(line->width / 2.0));
   words[GPU_SHAPE_HALF_ALONG] = tg_bits_of_float((float)((to - from) / 2.0));
}

/* Pieces share them, unless they are smooth. */
static bool
store_constants(struct line *line, double from, double to)
{
   if (line->has_constants && !line->is_smooth)
      return true;
   uint32_t *words = gpu_reserve_planes(line->work, &line->constants);
   if (!words)
      return false;
   gpu_store_planes(&line->planes, NULL, words);
   if (line->is_smooth)
      store_distances(line, from, to, words);
   line->work->setup->num_lines += !line->has_constants;
   line->has_constants = true;
   return true;
}

/* Where the next shape is to be written. NULL: there is no memory. */
static struct gpu_shape *
begin_shape(const struct line *line, bool is_by_pixel)
{
   const struct gpu_shape_sink *sink = &line->work->setup->sink;
   struct gpu_shape *shape = sink->room(sink->user, 1);
   if (shape)
      gpu_begin_shape(line->work, GPU_SHAPE_LINE, is_by_pixel, shape);
   return shape;
}

/* A shape with all but its constants. */
static bool
add(struct line *line, struct gpu_shape *shape, double from, double to)
{
   const struct gpu_shape_sink *sink = &line->work->setup->sink;
   if (!store_constants(line, from, to))
      return false;
   shape->constants = line->constants;
   return sink->add(sink->user, shape, 1);
}

/* ---- steps --------------------------------------------------------------- */

/* An end of the line's first row of pixels, in fixed point: along the axis and
 * across it. */
struct end {
   int32_t along, across;
};

static struct end
end_of(const struct line *line, unsigned i)
{
   const struct gpu_window_vertex *v = &line->v[i];
   const int32_t to_first = ((int32_t)line->width - 1) * GPU_HALF_PIXEL;
   return (struct end){
      .along = line->is_steep ? v->y : v->x,
      .across = (line->is_steep ? v->x : v->y) - to_first,
   };
}

/* Is it in the diamond about a centre in that column, or row, of pixels? Its
 * sides are not, so that a line from one border of a pixel to another draws it.
 */
static bool
is_in_diamond(const struct end *end, int32_t pixel)
{
   const int32_t u = end->along - (pixel * GPU_SUBPIXELS + GPU_HALF_PIXEL);
   const int32_t v = (end->across & (GPU_SUBPIXELS - 1)) - GPU_HALF_PIXEL;
   return abs(u) + abs(v) < GPU_HALF_PIXEL;
}

/* Is it beyond the middle of a column, or row, as the line goes? Ties are as of
 * edges: the line is moved to the left by a hair, and up by a hair of that. */
static bool
is_beyond(const struct line *line, const struct end *end, int32_t pixel)
{
   const int32_t u = end->along - (pixel * GPU_SUBPIXELS + GPU_HALF_PIXEL);
   const bool hair_is_down =
      line->is_steep && line->work->state->rasterizer->bottom_edge_rule;
   const bool is_beyond = u != 0 ? u > 0 : hair_is_down;
   return is_beyond == (line->direction > 0);
}

/* OpenGL's rule: the pixels whose diamond the line goes through, but for that
 * in which it ends. The latter is drawn with the last pixel. */
static void
find_steps(struct line *line)
{
   const bool has_last = line->work->state->rasterizer->line_last_pixel;
   const struct end begin = end_of(line, 0), end = end_of(line, 1);
   int32_t last = (end.along - 1) >> GPU_SUBPIXEL_BITS;
   line->first = (begin.along - 1) >> GPU_SUBPIXEL_BITS;
   line->direction = begin.along <= end.along ? 1 : -1;
   if (is_beyond(line, &begin, line->first) &&
       !is_in_diamond(&begin, line->first))
      line->first += line->direction;
   if (is_in_diamond(&end, last) ? !has_last : !is_beyond(line, &end, last))
      last -= line->direction;
   const int32_t count = (last - line->first) * line->direction + 1;
   line->length = count > 0 ? count : 0;
}

/* Where across the axis the line is, at a place on the axis. */
static double
across(const struct line *line, int32_t axis)
{
   const struct gpu_window_vertex *v = line->v;
   const double length =
      line->is_steep ? (double)v[1].y - v[0].y : (double)v[1].x - v[0].x;
   const double begin = line->is_steep ? v[0].x : v[0].y;
   const double change = (line->is_steep ? v[1].x : v[1].y) - begin;
   const double to = (double)axis - (line->is_steep ? v[0].y : v[0].x);
   return length != 0.0 ? begin + change * to / length : begin;
}

/* Two sides that run along the line, half its width up and down. */
static void
add_sides(const struct line *line, struct gpu_shape *shape)
{
   const struct gpu_window_vertex *p = &line->v[line->direction > 0 ? 0 : 1];
   const struct gpu_window_vertex *q = &line->v[line->direction > 0 ? 1 : 0];
   const bool is_dot = p->x == q->x && p->y == q->y;
   const int32_t q_x = q->x + (is_dot ? GPU_SUBPIXELS : 0);
   const int32_t half = (int32_t)line->width * GPU_HALF_PIXEL;
   if (line->is_steep) {
      gpu_shape_add_side(line->work, shape, p->x + half, p->y, q_x + half,
                         q->y);
      gpu_shape_add_side(line->work, shape, q_x - half, q->y, p->x - half,
                         p->y);
   } else {
      gpu_shape_add_side(line->work, shape, p->x, p->y - half, q_x,
                         q->y - half);
      gpu_shape_add_side(line->work, shape, q_x, q->y + half, p->x,
                         p->y + half);
   }
}

/* The pixels of some steps: along the axis the shape's bounds say which. */
static bool
add_steps(struct line *line, double from, double to)
{
   const int32_t a = line->first + line->direction * (int32_t)from;
   const int32_t b = line->first + line->direction * ((int32_t)to - 1);
   const int32_t begin = (a < b ? a : b) * GPU_SUBPIXELS;
   const int32_t end = ((a > b ? a : b) + 1) * GPU_SUBPIXELS;
   const double at_begin = across(line, begin), at_end = across(line, end);
   const double reach = (line->width / 2.0 + 1.0) * GPU_SUBPIXELS;
   const int32_t low = (int32_t)floor(fmin(at_begin, at_end) - reach);
   const int32_t high = (int32_t)ceil(fmax(at_begin, at_end) + reach);
   struct gpu_shape *shape = begin_shape(line, true);
   if (!shape)
      return false;
   add_sides(line, shape);
   const bool is_visible =
      line->is_steep ? gpu_bound_shape(line->work, shape, &line->visible, low,
                                       begin, high, end)
                     : gpu_bound_shape(line->work, shape, &line->visible, begin,
                                       low, end, high);
   return !is_visible || add(line, shape, from, to);
}

/* ---- rectangles ---------------------------------------------------------- */

/* From a place on the line to another. What is smooth reaches half a pixel
 * further on all sides, over which its coverage fades. */
static bool
add_rectangle(struct line *line, double from, double to)
{
   const double fade = line->is_smooth ? 0.5 : 0.0;
   const double half = (line->width / 2.0 + fade) * GPU_SUBPIXELS;
   const double place[2] = {(from - fade) * GPU_SUBPIXELS,
                            (to + fade) * GPU_SUBPIXELS};
   int32_t x[4], y[4];
   for (unsigned i = 0; i < 4; i++) {
      const double along = place[i == 1 || i == 2];
      const double out = i < 2 ? half : -half;
      const double at_x = line->v[0].x + along * line->x + out * line->y;
      const double at_y = line->v[0].y + along * line->y - out * line->x;
      x[i] = (int32_t)floor(at_x + 0.5);
      y[i] = (int32_t)floor(at_y + 0.5);
   }
   struct gpu_shape *shape = begin_shape(line, false);
   if (!shape)
      return false;
   int32_t min_x = x[0], min_y = y[0], max_x = x[0], max_y = y[0];
   for (unsigned i = 0; i < 4; i++) {
      const unsigned next = (i + 1) % 4;
      gpu_shape_add_side(line->work, shape, x[i], y[i], x[next], y[next]);
      min_x = x[i] < min_x ? x[i] : min_x;
      min_y = y[i] < min_y ? y[i] : min_y;
      max_x = x[i] > max_x ? x[i] : max_x;
      max_y = y[i] > max_y ? y[i] : max_y;
   }
   return !gpu_bound_shape(line->work, shape, &line->visible, min_x, min_y,
                           max_x, max_y) ||
          add(line, shape, from, to);
}

/* ---- pieces -------------------------------------------------------------- */

static bool
add_piece(struct line *line, double from, double to)
{
   return line->is_rectangle ? add_rectangle(line, from, to)
                             : add_steps(line, from, to);
}

/* The part of the line that may be seen. */
static void
find_visible_part(const struct line *line, double *from, double *to)
{
   const struct gpu_bounds *visible = &line->visible;
   double first = INFINITY, last = -INFINITY;
   if (line->is_rectangle) {
      for (unsigned i = 0; i < 4; i++) {
         const double x = i & 1 ? visible->max_x + 1.0 : visible->min_x;
         const double y = i & 2 ? visible->max_y + 1.0 : visible->min_y;
         const double at =
            (x - line->v[0].x * (1.0 / GPU_SUBPIXELS)) * line->x +
            (y - line->v[0].y * (1.0 / GPU_SUBPIXELS)) * line->y;
         first = fmin(first, at - 1.0);
         last = fmax(last, at + 1.0);
      }
   } else {
      const int32_t low = line->is_steep ? visible->min_y : visible->min_x;
      const int32_t high = line->is_steep ? visible->max_y : visible->max_x;
      first = line->direction > 0 ? low - line->first : line->first - high;
      last = line->direction > 0 ? high - line->first : line->first - low;
      last += 1.0;
   }
   *from = fmax(0.0, first);
   *to = fmin(line->length, last);
}

/* The pieces that the pattern has bits for, and how far it has come after
 * them. */
static bool
add_stippled(struct line *line)
{
   const struct tg_rasterizer_state *rasterizer = line->work->state->rasterizer;
   const uint32_t pattern = rasterizer->line_stipple_pattern;
   const double factor = rasterizer->line_stipple_factor + 1.0;
   double *pixels = &line->work->setup->stipple_pixels;
   const double before = *pixels, after = before + line->length;
   double place, last;
   find_visible_part(line, &place, &last);
   *pixels = after - floor(after / (factor * 16.0)) * factor * 16.0;
   while (place < last) {
      uint64_t bit = (uint64_t)floor((before + place) / factor);
      const bool is_drawn = pattern >> (bit & 15) & 1;
      double end;
      do
         end = (double)++bit * factor - before;
      while (end < last && (pattern >> (bit & 15) & 1) == is_drawn);
      end = fmin(end, last);
      if (is_drawn && end > place && !add_piece(line, place, end))
         return false;
      place = end > place ? end : last;
   }
   return true;
}

/* ---- lines --------------------------------------------------------------- */

static void
find_form(struct line *line)
{
   const struct gpu_setup_state *state = line->work->state;
   const struct gpu_window_vertex *v = line->v;
   const double dx = ((double)v[1].x - v[0].x) * (1.0 / GPU_SUBPIXELS);
   const double dy = ((double)v[1].y - v[0].y) * (1.0 / GPU_SUBPIXELS);
   line->is_smooth = gpu_raster_is_smooth(state->rasterizer, state->num_samples,
                                          GPU_SHAPE_LINE);
   line->is_rectangle = is_rectangle(state);
   line->width = width_of(state, line->is_rectangle);
   if (!line->is_rectangle) {
      line->is_steep = fabs(dy) > fabs(dx);
      find_steps(line);
      return;
   }
   line->length = sqrt(dx * dx + dy * dy);
   if (line->length > 0.0) {
      line->x = dx / line->length;
      line->y = dy / line->length;
   }
}

/* `share` is of its ends, or NULL where they are the vertices. */
TG_CLONES static bool
draw(struct gpu_setup_work *work, const struct gpu_window_vertex v[2],
     const struct gpu_window_share *share)
{
   struct line line = {.work = work, .v = v};
   work->setup->num_visible += !work->is_part;
   find_form(&line);
   if (line.length == 0.0)
      return true;
   line.visible = gpu_visible_bounds(work);
   gpu_planes_init(&line.planes, work, v, share, 2, &line.visible);
   return work->state->rasterizer->line_stipple_enable
             ? add_stippled(&line)
             : add_piece(&line, 0.0, line.length);
}

bool
gpu_setup_window_line(struct gpu_setup_work *work,
                      const struct gpu_window_vertex v[2])
{
   return draw(work, v, NULL);
}

bool
gpu_setup_line(struct gpu_setup_work *work)
{
   struct gpu_corner corner[2] = {work->corner[0], work->corner[1]};
   struct gpu_window_vertex v[2];
   struct gpu_window_share share[2];
   const uint32_t planes = work->outcode[0] | work->outcode[1];
   if (!gpu_clip_line(&work->clipper, planes, corner))
      return true;
   for (unsigned i = 0; i < 2; i++) {
      v[i] = gpu_setup_project(work, &corner[i]);
      if (planes)
         share[i] = gpu_setup_window_share(work, &corner[i]);
   }
   return draw(work, v, planes ? share : NULL);
}
