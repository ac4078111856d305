/* SPDX-License-Identifier: MIT
 *
 * Plane equations: how z, 1 / w and attributes change over a shape.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "gpu/setup/setup_parts.h"
#include "util/bits.h"
#include "util/four.h"
#include "util/length.h"

/* ---- slopes -------------------------------------------------------------- */

static int32_t
clamp(int32_t x, int32_t low, int32_t high)
{
   return x < low ? low : x > high ? high : x;
}

/* Those of a triangle are by its sides; those of a line are along it, as if
 * nothing changed across. */
static void
init_slopes(struct gpu_planes *planes)
{
   const struct gpu_window_vertex *v = planes->corner;
   const double to_pixels = 1.0 / GPU_SUBPIXELS;
   double x[3], y[3];
   for (unsigned i = 1; i < planes->num_corners; i++) {
      x[i] = (v[i].x - v[0].x) * to_pixels;
      y[i] = (v[i].y - v[0].y) * to_pixels;
   }
   if (planes->num_corners == 3) {
      planes->x[0] = y[2], planes->x[1] = -y[1];
      planes->y[0] = -x[2], planes->y[1] = x[1];
      planes->scale = 1.0 / (x[1] * y[2] - x[2] * y[1]);
   } else if (planes->num_corners == 2 && (x[1] != 0.0 || y[1] != 0.0)) {
      planes->x[0] = x[1];
      planes->y[0] = y[1];
      planes->scale = 1.0 / (x[1] * x[1] + y[1] * y[1]);
   }
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
   /* Near what is drawn, so that little is lost in rounding. */
   planes->reference_x =
      clamp(corner[0].x >> GPU_SUBPIXEL_BITS, bounds->min_x, bounds->max_x);
   planes->reference_y =
      clamp(corner[0].y >> GPU_SUBPIXEL_BITS, bounds->min_y, bounds->max_y);
   const double to_pixels = 1.0 / GPU_SUBPIXELS;
   planes->to_x = planes->reference_x - corner[0].x * to_pixels;
   planes->to_y = planes->reference_y - corner[0].y * to_pixels;
   init_slopes(planes);
}

/* Infinite values have none. */
struct gpu_slope
gpu_slope_of(const struct gpu_planes *planes, const double value[3])
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

/* ---- four planes at once ---------------------------------------------------
 */

/* Values of the four channels of a register, and what they become. */
typedef double channels __attribute__((vector_size(4 * sizeof(double))));
typedef float channel_floats __attribute__((vector_size(4 * sizeof(float))));

/* gpu_slope_of() and gpu_store_plane() for four values, which are known at the
 * corners. */
static inline __attribute__((always_inline)) void
store_planes(const struct gpu_planes *planes, const channels value[3],
             uint32_t *words)
{
   channels dx = {0.0}, dy = {0.0};
   if (planes->num_corners > 1) {
      const channels d1 = value[1] - value[0], d2 = value[2] - value[0];
      const bool is_line = planes->num_corners == 2;
      dx = d1 * planes->x[0];
      dy = d1 * planes->y[0];
      dx = (is_line ? dx : dx + d2 * planes->x[1]) * planes->scale;
      dy = (is_line ? dy : dy + d2 * planes->y[1]) * planes->scale;
   }
   const channels at = value[0] + dx * planes->to_x + dy * planes->to_y;
   tg_store_four(words, (tg_four) __builtin_convertvector(at, channel_floats));
   tg_store_four(words + GPU_PLANE_DX,
                 (tg_four) __builtin_convertvector(dx, channel_floats));
   tg_store_four(words + GPU_PLANE_DY,
                 (tg_four) __builtin_convertvector(dy, channel_floats));
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
wrap(channels value[3], unsigned c, unsigned count)
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
mix(const double share[3], const channels value[3], channels *sum)
{
   *sum = (channels){0.0};
   for (unsigned i = 0; i < 3; i++) {
      if (share[i] != 0.0)
         *sum += share[i] * value[i];
   }
}

/* From values at the vertices to what has a plane, at the corners. */
static void
to_corners(const struct gpu_planes *planes, bool is_perspective,
           channels value[3])
{
   const channels at_vertex[3] = {value[0], value[1], value[2]};
   for (unsigned i = 0; i < planes->num_corners; i++) {
      const struct gpu_window_share *share = &planes->share[i];
      if (planes->is_clipped)
         mix(is_perspective ? share->over_w : share->on_screen, at_vertex,
             &value[i]);
      else if (is_perspective)
         value[i] *= planes->corner[i].reciprocal_w;
   }
}

/* The register that is seen from where the polygon is seen. */
static uint8_t
visible_output(const struct gpu_setup_work *work, uint32_t attribute)
{
   const struct gpu_interface *interface = work->state->interface;
   assert(attribute < TG_LENGTH(interface->back_output));
   const uint8_t back = interface->back_output[attribute];
   return work->is_front || back == GPU_NO_REGISTER
             ? interface->output[attribute]
             : back;
}

static void
store_register(const struct gpu_planes *planes, uint32_t attribute,
               uint8_t output, uint32_t *words)
{
   const struct gpu_setup_work *work = planes->work;
   const struct gpu_interface *interface = work->state->interface;
   const uint32_t word = output * 4u;
   channels value[3] = {{0.0}};
   assert(attribute < TG_LENGTH(interface->wrap));
   for (unsigned i = 0; i < planes->num_corners; i++) {
      channel_floats at_vertex;
      memcpy(&at_vertex, work->vertex[i] + word, sizeof(at_vertex));
      value[i] = __builtin_convertvector(at_vertex, channels);
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
   const uint8_t output = visible_output(planes->work, attribute);
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
gpu_reserve_constants(const struct gpu_setup_work *work, uint32_t *first_out)
{
   const struct gpu_shape_sink *sink = &work->setup->sink;
   const uint32_t count = work->state->interface->num_attributes;
   return sink->reserve(sink->user, gpu_shape_num_words(count), first_out);
}

/* ---- everything ---------------------------------------------------------- */

void
gpu_store_constants(const struct gpu_planes *planes,
                    const struct gpu_sprite *sprite, uint32_t *words)
{
   const struct gpu_setup_work *work = planes->work;
   channels zw[3] = {{0.0}};
   for (unsigned i = 0; i < planes->num_corners; i++)
      zw[i] = (channels){planes->corner[i].z + work->z_offset,
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
