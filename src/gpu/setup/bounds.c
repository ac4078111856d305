/* SPDX-License-Identifier: MIT
 *
 * Bounds of what can be seen, and of shapes.
 */
#include <math.h>

#include "gpu/setup/setup_parts.h"

/* The first pixel whose centre is at or beyond a coordinate, and the last one
 * whose centre is at or before it. Shifts round down. */
static int32_t
first_pixel(int32_t fixed)
{
   return (fixed - GPU_HALF_PIXEL + GPU_SUBPIXELS - 1) >> GPU_SUBPIXEL_BITS;
}

static int32_t
last_pixel(int32_t fixed)
{
   return (fixed - GPU_HALF_PIXEL) >> GPU_SUBPIXEL_BITS;
}

static struct gpu_bounds
intersect(struct gpu_bounds a, struct gpu_bounds b)
{
   return (struct gpu_bounds){
      .min_x = tg_max_i32(a.min_x, b.min_x),
      .min_y = tg_max_i32(a.min_y, b.min_y),
      .max_x = tg_min_i32(a.max_x, b.max_x),
      .max_y = tg_min_i32(a.max_y, b.max_y),
   };
}

/* Pixels whose centres are within the viewport; on its rim the same rule goes
 * as on edges. */
static struct gpu_bounds
viewport_bounds(const struct gpu_setup_work *work)
{
   const struct tg_viewport *viewport = &work->viewport;
   const double width = fabs((double)viewport->scale[0]);
   const double height = fabs((double)viewport->scale[1]);
   const double shift = work->state->rasterizer->half_pixel_center ? 0.0 : 0.5;
   const double x = viewport->translate[0] + shift;
   const double y = viewport->translate[1] + shift;
   const int32_t below = work->state->rasterizer->bottom_edge_rule ? 1 : 0;
   return (struct gpu_bounds){
      .min_x = first_pixel(gpu_to_fixed(x - width)),
      .min_y = first_pixel(gpu_to_fixed(y - height) + below),
      .max_x = last_pixel(gpu_to_fixed(x + width) - 1),
      .max_y = last_pixel(gpu_to_fixed(y + height) - 1 + below),
   };
}

struct gpu_bounds
gpu_scissor_bounds(const struct gpu_setup_work *work)
{
   const struct gpu_setup_state *state = work->state;
   const struct gpu_bounds bounds = {
      .max_x = (int32_t)state->width - 1,
      .max_y = (int32_t)state->height - 1,
   };
   if (!state->rasterizer->scissor)
      return bounds;
   const struct tg_scissor *scissor = &state->scissors[work->viewport_index];
   return intersect(bounds, (struct gpu_bounds){
                               .min_x = scissor->min_x,
                               .min_y = scissor->min_y,
                               .max_x = scissor->max_x - 1,
                               .max_y = scissor->max_y - 1,
                            });
}

static struct gpu_bounds
make_bounds(const struct gpu_setup_work *work)
{
   const struct gpu_bounds bounds = gpu_scissor_bounds(work);
   return work->state->layout.is_window_space
             ? bounds
             : intersect(bounds, viewport_bounds(work));
}

static struct gpu_depth_range
make_depth_range(const struct gpu_setup_work *work)
{
   const float translate = work->viewport.translate[2];
   const float scale = work->viewport.scale[2];
   const float end = translate + scale;
   const float begin =
      work->state->rasterizer->clip_halfz ? translate : translate - scale;
   return (struct gpu_depth_range){fminf(begin, end), fmaxf(begin, end)};
}

/* What follows from a viewport, for the first primitive in it. */
static void
know_viewport(const struct gpu_setup_work *work)
{
   struct gpu_setup *setup = work->setup;
   const uint32_t index = work->viewport_index;
   if (setup->known_bounds >> index & 1)
      return;
   setup->bounds[index] = make_bounds(work);
   setup->depth[index] = make_depth_range(work);
   setup->known_bounds |= UINT32_C(1) << index;
}

struct gpu_bounds
gpu_visible_bounds(const struct gpu_setup_work *work)
{
   know_viewport(work);
   return work->setup->bounds[work->viewport_index];
}

struct gpu_depth_range
gpu_depth_range(const struct gpu_setup_work *work)
{
   know_viewport(work);
   return work->setup->depth[work->viewport_index];
}

bool
gpu_bounds_go_by_center(const struct gpu_setup_work *work,
                        const struct gpu_shape *shape)
{
   const struct gpu_setup_state *state = work->state;
   return (shape->is_by_pixel || state->num_samples <= 1) &&
          !(shape->kind == GPU_SHAPE_POLYGON &&
            gpu_raster_is_smooth(state->rasterizer, state->num_samples,
                                 GPU_SHAPE_POLYGON));
}

bool
gpu_bound_shape(const struct gpu_setup_work *work, struct gpu_shape *shape,
                const struct gpu_bounds *visible, int32_t min_x, int32_t min_y,
                int32_t max_x, int32_t max_y)
{
   const struct gpu_bounds bounds = {min_x, min_y, max_x, max_y};
   const bool is_visible = gpu_cut_bounds(
      shape, gpu_bounds_go_by_center(work, shape), visible, &bounds);
   shape->is_cut = true;
   return is_visible;
}
