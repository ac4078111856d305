/* SPDX-License-Identifier: MIT
 *
 * Plane equations: how z, 1 / w and attributes change over a shape.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "gpu/setup/four_planes.h"
#include "util/bits.h"
#include "util/clones.h"
#include "util/length.h"

/* ---- slopes -------------------------------------------------------------- */

/* Those of a line are along it, as if nothing changed across. */
static void
choose_line_slopes(struct gpu_planes *planes,
                   const struct gpu_window_vertex v[2])
{
   const double to_pixels = 1.0 / GPU_SUBPIXELS;
   const double x = (v[1].x - v[0].x) * to_pixels;
   const double y = (v[1].y - v[0].y) * to_pixels;
   if (x == 0.0 && y == 0.0)
      return;
   planes->x[0] = x;
   planes->y[0] = y;
   planes->scale = 1.0 / (x * x + y * y);
}

void
gpu_planes_init(struct gpu_planes *planes, const struct gpu_setup_work *work,
                const struct gpu_window_vertex *corner,
                const struct gpu_window_share *share, unsigned num_corners,
                const struct gpu_bounds *bounds)
{
   planes->work = work;
   planes->num_corners = num_corners;
   planes->is_clipped = share;
   planes->x[0] = planes->x[1] = planes->y[0] = planes->y[1] = 0.0;
   planes->scale = 0.0;
   for (unsigned i = 0; i < num_corners; i++) {
      planes->corner[i] = corner[i];
      if (share)
         planes->share[i] = share[i];
   }
   gpu_choose_reference(planes, &corner[0], bounds);
   if (num_corners == 3)
      gpu_choose_slopes(planes, (const struct gpu_window_vertex *const[3]){
                                   &corner[0], &corner[1], &corner[2]});
   else if (num_corners == 2)
      choose_line_slopes(planes, corner);
}

/* Infinite values have none. */
struct gpu_slope
gpu_plane_slope(const struct gpu_planes *planes, const double value[3])
{
   if (planes->num_corners == 1)
      return (struct gpu_slope){0.0, 0.0};
   const double d1 = value[1] - value[0];
   if (planes->num_corners == 2)
      return (struct gpu_slope){
         .dx = d1 * planes->x[0] * planes->scale,
         .dy = d1 * planes->y[0] * planes->scale,
      };
   const double d2 = value[2] - value[0];
   return (struct gpu_slope){
      .dx = (d1 * planes->x[0] + d2 * planes->x[1]) * planes->scale,
      .dy = (d1 * planes->y[0] + d2 * planes->y[1]) * planes->scale,
   };
}

void
gpu_store_plane(const struct gpu_planes *planes, double value, int32_t x,
                int32_t y, struct gpu_slope slope, uint32_t *words)
{
   const double to_pixels = 1.0 / GPU_SUBPIXELS;
   const double to_x = planes->reference_x - x * to_pixels;
   const double to_y = planes->reference_y - y * to_pixels;
   const double at_reference = value + slope.dx * to_x + slope.dy * to_y;
   words[0] = tg_bits_of_float((float)at_reference);
   words[GPU_PLANE_DX] = tg_bits_of_float((float)slope.dx);
   words[GPU_PLANE_DY] = tg_bits_of_float((float)slope.dy);
}

/* ---- four planes at once ------------------------------------------------- */

/* gpu_plane_slope() and gpu_store_plane() for four values, which are known at
 * the corners. */
static void
store_planes(const struct gpu_planes *planes, const gpu_channels value[3],
             uint32_t *words)
{
   const gpu_channels none = {0.0};
   if (planes->num_corners == 3) {
      gpu_store_four_planes(planes, value, words);
   } else if (planes->num_corners == 2) {
      const gpu_channels d1 = value[1] - value[0];
      gpu_store_four_slopes(planes, value[0], d1 * planes->x[0] * planes->scale,
                            d1 * planes->y[0] * planes->scale, words);
   } else {
      gpu_store_four_slopes(planes, value[0], none, none, words);
   }
}

static void
store_constant(uint32_t bits, uint32_t *words)
{
   words[0] = bits;
   words[GPU_PLANE_DX] = words[GPU_PLANE_DY] = 0;
}

/* ---- attributes ---------------------------------------------------------- */

/* Channel c of the values at the vertices goes the shorter way around from the
 * first. */
static void
wrap(gpu_channels value[3], unsigned c, unsigned count)
{
   for (unsigned i = 1; i < count; i++) {
      if (value[i][c] - value[0][c] > 0.5)
         value[i][c] -= 1.0;
      else if (value[i][c] - value[0][c] < -0.5)
         value[i][c] += 1.0;
   }
}

/* Shares of nothing do not count, whatever they are of. */
static inline void
mix(const double share[3], const gpu_channels value[3], gpu_channels *sum)
{
   *sum = (gpu_channels){0.0};
   for (unsigned i = 0; i < 3; i++) {
      if (share[i] != 0.0)
         *sum += share[i] * value[i];
   }
}

/* From values at the vertices to what has a plane, at the corners. */
static void
to_corners(const struct gpu_planes *planes, bool is_perspective,
           gpu_channels value[3])
{
   const gpu_channels at_vertex[3] = {value[0], value[1], value[2]};
   for (unsigned i = 0; i < planes->num_corners; i++) {
      const struct gpu_window_share *share = &planes->share[i];
      if (planes->is_clipped)
         mix(is_perspective ? share->over_w : share->on_screen, at_vertex,
             &value[i]);
      else if (is_perspective)
         value[i] *= planes->corner[i].reciprocal_w;
   }
}

static void
store_register(const struct gpu_planes *planes, uint32_t attribute,
               uint8_t output, uint32_t *words)
{
   const struct gpu_setup_work *work = planes->work;
   const struct gpu_interface *interface = work->state->interface;
   const uint32_t word = output * 4u;
   gpu_channels value[3] = {{0.0}};
   assert(attribute < TG_LENGTH(interface->wrap));
   for (unsigned i = 0; i < planes->num_corners; i++) {
      value[i] = gpu_load_channels(work->vertex[i] + word);
   }
   for (unsigned c = 0; interface->wrap[attribute] >> c; c++) {
      if (interface->wrap[attribute] >> c & 1)
         wrap(value, c, planes->num_corners);
   }
   to_corners(planes,
              interface->interpolation[attribute] ==
                 GPU_INTERPOLATE_PERSPECTIVE,
              value);
   store_planes(planes, value, words);
}

/* (s, t, 0, 1), or all of it over w. */
static void
store_sprite(const struct gpu_planes *planes, const struct gpu_sprite *sprite,
             bool is_perspective, uint32_t *words)
{
   const bool is_upper = planes->work->state->rasterizer->sprite_coord_mode ==
                         TG_SPRITE_UPPER_LEFT;
   const double one = is_perspective ? planes->corner[0].reciprocal_w : 1.0;
   const double slope = one / sprite->size;
   gpu_store_plane(planes, one / 2.0, sprite->x, sprite->y,
                   (struct gpu_slope){slope, 0.0}, words);
   gpu_store_plane(planes, one / 2.0, sprite->x, sprite->y,
                   (struct gpu_slope){0.0, is_upper ? slope : -slope},
                   words + 1);
   store_constant(0, words + 2);
   store_constant(tg_bits_of_float((float)one), words + 3);
}

static void
store_attribute(const struct gpu_planes *planes, uint32_t attribute,
                const struct gpu_sprite *sprite, uint32_t *words)
{
   const struct gpu_interface *interface = planes->work->state->interface;
   const uint8_t output =
      gpu_visible_output(interface, attribute, planes->work->is_front);
   assert(attribute < TG_LENGTH(interface->is_sprite));
   if (interface->is_sprite[attribute] && sprite) {
      store_sprite(planes, sprite,
                   interface->interpolation[attribute] ==
                      GPU_INTERPOLATE_PERSPECTIVE,
                   words);
      return;
   }
   const bool is_constant =
      interface->interpolation[attribute] == GPU_INTERPOLATE_CONSTANT;
   if (output != GPU_NO_REGISTER && !is_constant) {
      store_register(planes, attribute, output, words);
      return;
   }
   for (unsigned c = 0; c < 4; c++)
      store_constant(output == GPU_NO_REGISTER
                        ? 0
                        : planes->work->provoking[output * 4u + c],
                     words + c);
}

uint32_t *
gpu_reserve_planes(const struct gpu_setup_work *work, uint32_t *first_out)
{
   const struct gpu_shape_sink *sink = &work->setup->sink;
   const uint32_t count = work->state->interface->num_attributes;
   return sink->reserve(sink->user, gpu_shape_num_words(count), first_out);
}

/* ---- everything ---------------------------------------------------------- */

TG_CLONES static void
store_all(const struct gpu_planes *planes, const struct gpu_sprite *sprite,
          uint32_t *words)
{
   const struct gpu_setup_work *work = planes->work;
   gpu_channels zw[3] = {{0.0}};
   for (unsigned i = 0; i < planes->num_corners; i++)
      zw[i] = (gpu_channels){planes->corner[i].z + work->z_offset,
                             planes->corner[i].reciprocal_w};
   words[GPU_SHAPE_X] = tg_bits_of_float((float)planes->reference_x);
   words[GPU_SHAPE_Y] = tg_bits_of_float((float)planes->reference_y);
   words[GPU_SHAPE_FACE] = tg_bits_of_float(work->is_front ? 1.0f : -1.0f);
   words[GPU_SHAPE_ID] = work->id;
   words[GPU_SHAPE_LAYER] = work->layer;
   words[GPU_SHAPE_WRITTEN_LAYER] = work->written_layer;
   words[GPU_SHAPE_WRITTEN_VIEWPORT] = work->written_viewport;
   const struct gpu_depth_range range = gpu_depth_range(work);
   words[GPU_SHAPE_MIN_DEPTH] = tg_bits_of_float(range.min);
   words[GPU_SHAPE_MAX_DEPTH] = tg_bits_of_float(range.max);
   words[GPU_SHAPE_HALF_ACROSS] = words[GPU_SHAPE_HALF_ALONG] = 0;
   store_planes(planes, zw, &words[GPU_SHAPE_Z]);
   for (uint32_t i = 0; i < work->state->interface->num_attributes; i++)
      store_attribute(planes, i, sprite, words + gpu_shape_attribute(i, 0));
}

void
gpu_store_planes(const struct gpu_planes *planes,
                 const struct gpu_sprite *sprite, uint32_t *words)
{
   store_all(planes, sprite, words);
}
