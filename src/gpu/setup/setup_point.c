/* SPDX-License-Identifier: MIT
 *
 * Point setup: squares, which may be sprites; GL's, which cover as many whole
 * pixels each way as they are large; and round ones.
 */
#include <math.h>

#include "gpu/setup/setup_parts.h"
#include "util/bits.h"
#include "util/clones.h"

enum point_form { POINT_SQUARE, POINT_ALIGNED, POINT_ROUND };

static enum point_form
form_of(const struct gpu_setup_state *state)
{
   const struct tg_rasterizer_state *rasterizer = state->rasterizer;
   if (rasterizer->point_quad_rasterization)
      return POINT_SQUARE;
   const bool has_samples =
      gpu_raster_has_samples(rasterizer, state->num_samples);
   return has_samples || rasterizer->point_smooth ? POINT_ROUND : POINT_ALIGNED;
}

/* Has each point a size of its own? */
static bool
has_sizes(const struct gpu_setup_state *state)
{
   return state->rasterizer->point_size_per_vertex &&
          state->layout.point_size != GPU_NO_REGISTER;
}

/* Pixels; NaN is as small as it gets. */
static double
size_of(const struct gpu_setup_state *state, const uint32_t *record)
{
   const struct tg_rasterizer_state *rasterizer = state->rasterizer;
   const bool is_smooth =
      gpu_raster_is_smooth(rasterizer, state->num_samples, GPU_SHAPE_POINT);
   const double least = is_smooth ? 1.0 / GPU_SUBPIXELS : 1.0;
   double size = rasterizer->point_size;
   if (has_sizes(state))
      size = gpu_setup_record_float(record, state->layout.point_size, 0);
   size = size >= least ? fmin(size, TG_MAX_POINT_SIZE) : least;
   return form_of(state) == POINT_ALIGNED ? floor(size + 0.5) : size;
}

/* 1 and what so many pixels are of half the viewport, rounded up. */
static float
find_limit(double pixels, float scale)
{
   return nextafterf((float)(1.0 + pixels / fabs((double)scale)), INFINITY);
}

/* The middle moves by less than a pixel, and coverage has another around it. */
struct gpu_guard_band
gpu_find_guard_band(const struct gpu_setup_state *state, const uint32_t *record)
{
   const double reach = size_of(state, record) / 2.0 + 2.0;
   const float *scale = state->viewports[0].scale;
   return (struct gpu_guard_band){
      .x = find_limit(reach, scale[0]),
      .y = find_limit(reach, scale[1]),
      .is_of_all = !has_sizes(state),
   };
}

/* Moves the middle of a point with a whole size to where it has whole pixels:
 * to a pixel's centre if that is odd, else to a corner. */
static int32_t
align(int32_t fixed, int32_t size)
{
   if (size & 1)
      return (fixed & -GPU_SUBPIXELS) + GPU_HALF_PIXEL;
   return (fixed + GPU_HALF_PIXEL) & -GPU_SUBPIXELS;
}

/* Ties belong to the left and to the top. A small square of whole pixels is all
 * that is within its bounds. */
static bool
add_square(const struct gpu_setup_work *work, struct gpu_shape *shape,
           const struct gpu_bounds *visible, const struct gpu_sprite *sprite,
           bool is_aligned)
{
   const double half = sprite->size / 2.0 * GPU_SUBPIXELS;
   const int32_t low = (int32_t)floor(half + 0.5);
   const int32_t high =
      (int32_t)floor(sprite->size * GPU_SUBPIXELS + 0.5) - low;
   const int32_t left = sprite->x - low, right = sprite->x + high;
   const int32_t top = sprite->y - low, bottom = sprite->y + high;
   if (!gpu_bound_shape(work, shape, visible, left, top, right, bottom))
      return false;
   if (is_aligned && gpu_is_small(shape)) {
      shape->quads = gpu_cover_bounds(shape);
      return true;
   }
   gpu_shape_add_side(work, shape, left, top, right, top);
   gpu_shape_add_side(work, shape, right, top, right, bottom);
   gpu_shape_add_side(work, shape, right, bottom, left, bottom);
   gpu_shape_add_side(work, shape, left, bottom, left, top);
   return true;
}

static bool
add_circle(const struct gpu_setup_work *work, struct gpu_shape *shape,
           const struct gpu_bounds *visible, const struct gpu_sprite *sprite)
{
   const bool is_smooth = gpu_raster_is_smooth(
      work->state->rasterizer, work->state->num_samples, GPU_SHAPE_POINT);
   const double radius =
      (sprite->size / 2.0 + (is_smooth ? 0.5 : 0.0)) * GPU_SUBPIXELS;
   const int32_t reach = (int32_t)ceil(radius);
   shape->is_round = true;
   shape->center_x = sprite->x;
   shape->center_y = sprite->y;
   shape->squared_radius = (int64_t)floor(radius * radius);
   return gpu_bound_shape(work, shape, visible, sprite->x - reach,
                          sprite->y - reach, sprite->x + reach,
                          sprite->y + reach);
}

/* Distances from the middle, for coverage. */
static void
store_distances(const struct gpu_planes *planes,
                const struct gpu_sprite *sprite, uint32_t *words)
{
   const uint32_t radius = tg_bits_of_float((float)(sprite->size / 2.0));
   gpu_store_plane(planes, 0.0, sprite->x, sprite->y,
                   (struct gpu_slope){1.0, 0.0}, &words[GPU_SHAPE_ACROSS]);
   gpu_store_plane(planes, 0.0, sprite->x, sprite->y,
                   (struct gpu_slope){0.0, 1.0}, &words[GPU_SHAPE_ALONG]);
   words[GPU_SHAPE_HALF_ACROSS] = words[GPU_SHAPE_HALF_ALONG] = radius;
}

static bool
add_point(struct gpu_setup_work *work, struct gpu_shape *shape,
          const struct gpu_window_vertex *v, const struct gpu_sprite *sprite)
{
   const struct gpu_shape_sink *sink = &work->setup->sink;
   const struct gpu_bounds bounds = {shape->min_x, shape->min_y, shape->max_x,
                                     shape->max_y};
   struct gpu_planes planes;
   uint32_t *words = gpu_reserve_planes(work, &shape->constants);
   if (!words)
      return false;
   gpu_planes_init(&planes, work, v, NULL, 1, &bounds);
   gpu_store_planes(&planes, sprite, words);
   if (gpu_raster_is_smooth(work->state->rasterizer, work->state->num_samples,
                            GPU_SHAPE_POINT))
      store_distances(&planes, sprite, words);
   work->setup->num_points++;
   return sink->add(sink->user, shape, 1);
}

TG_CLONES static bool
draw(struct gpu_setup_work *work, const struct gpu_window_vertex *v)
{
   const struct gpu_shape_sink *sink = &work->setup->sink;
   const enum point_form form = form_of(work->state);
   const bool is_aligned = form == POINT_ALIGNED;
   const struct gpu_bounds visible = work->state->rasterizer->point_tri_clip
                                        ? gpu_visible_bounds(work)
                                        : gpu_scissor_bounds(work);
   struct gpu_sprite sprite = {
      .x = v->x, .y = v->y, .size = size_of(work->state, work->vertex[0])};
   work->setup->num_visible += !work->is_part;
   struct gpu_shape *shape = sink->room(sink->user, 1);
   if (!shape)
      return false;
   gpu_begin_shape(work, GPU_SHAPE_POINT, is_aligned, shape);
   if (is_aligned) {
      sprite.x = align(v->x, (int32_t)sprite.size);
      sprite.y = align(v->y, (int32_t)sprite.size);
   }
   const bool is_visible =
      form == POINT_ROUND
         ? add_circle(work, shape, &visible, &sprite)
         : add_square(work, shape, &visible, &sprite, is_aligned);
   return !is_visible || add_point(work, shape, v, &sprite);
}

bool
gpu_setup_window_point(struct gpu_setup_work *work,
                       const struct gpu_window_vertex *v)
{
   return draw(work, v);
}

bool
gpu_setup_point(struct gpu_setup_work *work)
{
   if (work->outcode[0])
      return true;
   const struct gpu_window_vertex v = gpu_setup_project(work, &work->corner[0]);
   return draw(work, &v);
}
