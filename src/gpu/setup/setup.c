/* SPDX-License-Identifier: MIT
 *
 * Primitive setup that points, lines and triangles have in common: a
 * primitive's viewport and layer, its vertices in clip space, and whether it is
 * culled.
 */
#include "gpu/setup/setup.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "format/format.h"
#include "gpu/setup/setup_parts.h"
#include "util/bits.h"
#include "util/four.h"
#include "util/length.h"

static enum gpu_depth_kind
depth_kind(enum tg_format format)
{
   const struct format_channel *depth = format_depth_channel(format);
   if (!depth)
      return GPU_DEPTH_UNORM24;
   if (depth->type == FORMAT_TYPE_FLOAT)
      return GPU_DEPTH_FLOAT;
   return depth->bits == 16 ? GPU_DEPTH_UNORM16 : GPU_DEPTH_UNORM24;
}

void
gpu_setup_state_init(struct gpu_setup_state *setup,
                     const struct gpu_state *state,
                     const struct tg_gpu_shader *last,
                     const struct gpu_interface *interface)
{
   const struct tg_framebuffer_state *framebuffer = &state->framebuffer;
   *setup = (struct gpu_setup_state){
      .rasterizer = &state->rasterizer->state,
      .viewports = state->viewports,
      .scissors = state->scissors,
      .clip_planes = state->clip_planes,
      .width = framebuffer->width,
      .height = framebuffer->height,
      .num_layers = framebuffer->layers,
      .num_samples = framebuffer->samples,
      .depth_kind = (uint8_t)depth_kind(framebuffer->depth_stencil.format),
      .interface = interface,
   };
   gpu_link_record_layout(last, &setup->layout);
}

void
gpu_setup_init(struct gpu_setup *setup, const struct gpu_setup_state *state,
               const struct gpu_shape_sink *sink)
{
   setup->state = state;
   setup->sink = *sink;
   setup->records = NULL;
   setup->uses_window = false;
   setup->stipple_pixels = 0.0;
   setup->num_visible = 0;
   setup->num_polygons = setup->num_lines = setup->num_points = 0;
   setup->known_bounds = 0;
}

/* ---- records ------------------------------------------------------------- */

float
gpu_setup_record_float(const uint32_t *record, uint8_t output, unsigned channel)
{
   assert(channel < 4);
   return tg_float_of_bits(record[output * 4u + channel]);
}

/* The x of a register, or `otherwise`. */
static uint32_t
record_word(const uint32_t *record, uint8_t output, uint32_t otherwise)
{
   return output == GPU_NO_REGISTER ? otherwise : record[output * 4u];
}

/* ---- user planes --------------------------------------------------------- */

static bool
has_distances(const struct gpu_record_layout *layout)
{
   return layout->clip_distance[0] != GPU_NO_REGISTER ||
          layout->clip_distance[1] != GPU_NO_REGISTER;
}

/* Clip distance, or cull distance after these; 0 if it is not written. */
static float
written_distance(const struct gpu_record_layout *layout, const uint32_t *record,
                 unsigned i)
{
   const uint8_t output = layout->clip_distance[i / 4];
   return output == GPU_NO_REGISTER
             ? 0.0f
             : gpu_setup_record_float(record, output, i % 4);
}

static double
plane_distance(const struct gpu_setup_state *state, const uint32_t *record,
               unsigned i)
{
   const struct gpu_record_layout *layout = &state->layout;
   const uint8_t output = layout->clip_vertex != GPU_NO_REGISTER
                             ? layout->clip_vertex
                             : layout->position;
   double sum = 0.0;
   for (unsigned c = 0; c < 4; c++)
      sum += (double)gpu_setup_record_float(record, output, c) *
             state->clip_planes[i][c];
   return sum;
}

/* NaN is outside. */
static double
make_finite(double distance)
{
   return distance >= -FLT_MAX ? fmin(distance, FLT_MAX) : -FLT_MAX;
}

/* Bit i: plane or distance i cuts. */
static uint32_t
user_planes(const struct gpu_setup_state *state)
{
   const struct gpu_record_layout *layout = &state->layout;
   const uint32_t enabled = state->rasterizer->clip_plane_enable;
   if (layout->is_window_space)
      return 0;
   if (has_distances(layout))
      return enabled & ((UINT32_C(1) << layout->num_clip_distances) - 1);
   return layout->prohibits_user_planes ? 0 : enabled;
}

static void
find_distances(struct gpu_setup_work *work, uint32_t planes, unsigned count)
{
   const struct gpu_setup_state *state = work->state;
   const bool is_written = has_distances(&state->layout);
   for (unsigned i = 0; planes >> i; i++) {
      for (unsigned v = 0; v < count && planes >> i & 1; v++)
         work->clipper.distance[v][i] = make_finite(
            is_written ? written_distance(&state->layout, work->vertex[v], i)
                       : plane_distance(state, work->vertex[v], i));
      for (unsigned v = count; v < 3; v++)
         work->clipper.distance[v][i] = 0.0;
   }
}

/* Is every vertex outside of the same cull distance? */
static bool
is_culled_by_distance(const struct gpu_setup_work *work, unsigned count)
{
   const struct gpu_record_layout *layout = &work->state->layout;
   const unsigned first = layout->num_clip_distances;
   for (unsigned i = first; i < first + layout->num_cull_distances; i++) {
      unsigned num_outside = 0;
      for (unsigned v = 0; v < count; v++)
         num_outside += !(written_distance(layout, work->vertex[v], i) >= 0.0f);
      if (num_outside == count)
         return true;
   }
   return false;
}

/* ---- positions ----------------------------------------------------------- */

/* In clip space, without shares. False when the position is not finite. */
static bool
place_corner(const struct gpu_setup_state *state,
             const struct tg_viewport *viewport, const uint32_t *record,
             struct gpu_corner *corner)
{
   float p[4];
   for (unsigned c = 0; c < 4; c++) {
      p[c] = gpu_setup_record_float(record, state->layout.position, c);
      if (!isfinite(p[c]))
         return false;
   }
   const bool is_window_space = state->layout.is_window_space;
   const double w = is_window_space ? 1.0 : p[3];
   const double shift = state->rasterizer->half_pixel_center ? 0.0 : 0.5;
   corner->z = p[2];
   corner->w = w;
   corner->x = (is_window_space ? p[0]
                                : (double)p[0] * viewport->scale[0] +
                                     w * viewport->translate[0]) +
               w * shift;
   corner->y = (is_window_space ? p[1]
                                : (double)p[1] * viewport->scale[1] +
                                     w * viewport->translate[1]) +
               w * shift;
   return true;
}

static bool
find_corner(struct gpu_setup_work *work, unsigned i)
{
   const struct gpu_setup_state *state = work->state;
   assert(i < TG_LENGTH(work->corner));
   struct gpu_corner *corner = &work->corner[i];
   if (!place_corner(state, &work->viewport, work->vertex[i], corner))
      return false;
   for (unsigned k = 0; k < 3; k++)
      corner->share[k] = k == i ? 1.0 : 0.0;
   work->reciprocal_w[i] =
      state->layout.is_window_space
         ? gpu_setup_record_float(work->vertex[i], state->layout.position, 3)
         : 0.0;
   return true;
}

/* What clipping left is within the guard band, but for its rounding: where
 * large coordinates cancel out, that may be anything. */
static int32_t
to_window(double coordinate, double w)
{
   const double pixels = coordinate / w;
   const double bound = GPU_GUARD_BAND;
   return gpu_to_fixed(pixels < -bound  ? -bound
                       : pixels > bound ? bound
                                        : pixels);
}

struct gpu_window_vertex
gpu_setup_project(const struct gpu_setup_work *work,
                  const struct gpu_corner *corner)
{
   const bool is_window_space = work->state->layout.is_window_space;
   struct gpu_window_vertex v = {
      .x = to_window(corner->x, corner->w),
      .y = to_window(corner->y, corner->w),
      .z = is_window_space ? corner->z
                           : corner->z / corner->w * work->viewport.scale[2] +
                                work->viewport.translate[2],
      .reciprocal_w = is_window_space ? 0.0 : 1.0 / corner->w,
   };
   for (unsigned i = 0; i < 3 && is_window_space; i++)
      v.reciprocal_w += corner->share[i] * work->reciprocal_w[i];
   return v;
}

struct gpu_window_share
gpu_setup_window_share(const struct gpu_setup_work *work,
                       const struct gpu_corner *corner)
{
   const bool is_window_space = work->state->layout.is_window_space;
   const double reciprocal_w = 1.0 / corner->w;
   struct gpu_window_share share;
   for (unsigned i = 0; i < 3; i++) {
      if (is_window_space) {
         share.on_screen[i] = corner->share[i];
         share.over_w[i] = corner->share[i] * work->reciprocal_w[i];
      } else {
         share.over_w[i] = corner->share[i] * reciprocal_w;
         share.on_screen[i] = share.over_w[i] * work->corner[i].w;
      }
   }
   return share;
}

/* ---- what is gone -------------------------------------------------------- */

/* Is a primitive with all vertices beyond a side of the view not to be seen?
 * Wide lines may reach into it. Points that are clipped as squares may too, but
 * how far is known of the first viewport. */
static bool
goes_by_view(const struct gpu_setup_state *state, unsigned num_vertices)
{
   if (state->layout.is_window_space)
      return false;
   switch (num_vertices) {
   case 1:
      return !state->rasterizer->point_tri_clip ||
             state->layout.viewport == GPU_NO_REGISTER;
   case 2: return !gpu_line_is_wide(state);
   default: return true;
   }
}

static bool
is_square(const struct gpu_setup_state *state, unsigned num_vertices)
{
   return num_vertices == 1 && state->rasterizer->point_tri_clip;
}

bool
gpu_setup_is_beside_view(const struct gpu_setup_state *state,
                         const uint32_t *const *vertex, unsigned num_vertices)
{
   const size_t position = state->layout.position * 4u;
   uint32_t all = ~UINT32_C(0);
   if (!goes_by_view(state, num_vertices))
      return false;
   for (unsigned i = 0; i < num_vertices && all; i++)
      all &= gpu_view_sides(vertex[i] + position);
   if (!all || !is_square(state, num_vertices))
      return all;
   const struct gpu_guard_band band = gpu_find_guard_band(state, vertex[0]);
   return gpu_is_far_point(&band, vertex[0] + position);
}

/* Is where a vertex is in the window all there is to know of it, whichever
 * primitive it is of? */
static bool
goes_by_position(const struct gpu_setup_state *state)
{
   const struct gpu_record_layout *layout = &state->layout;
   return layout->viewport == GPU_NO_REGISTER && !layout->is_window_space &&
          !layout->num_cull_distances && !user_planes(state);
}

/* Which records are beyond which sides of the view. */
static void
find_beside(const struct gpu_setup *setup, unsigned num_vertices)
{
   if (!goes_by_view(setup->state, num_vertices)) {
      memset(setup->records->bits, 0, setup->records->count);
      return;
   }
   gpu_setup_find_sides(setup);
   if (is_square(setup->state, num_vertices))
      gpu_setup_keep_near_points(setup);
}

void
gpu_setup_use_records(struct gpu_setup *setup,
                      const struct gpu_setup_records *records,
                      unsigned vertices_per_primitive)
{
   const struct gpu_setup_state *state = setup->state;
   setup->records = records;
   setup->uses_window = false;
   if (state->layout.position == GPU_NO_REGISTER) {
      memset(records->bits, GPU_SETUP_OUTSIDE, records->count);
      return;
   }
   find_beside(setup, vertices_per_primitive);
   if (!goes_by_position(state))
      return;
   setup->uses_window = true;
   gpu_setup_init_window(setup, vertices_per_primitive);
   gpu_setup_place_records(setup);
}

static void
choose_planes(struct gpu_clipper *clipper, const struct gpu_setup_state *state,
              uint32_t user)
{
   const struct tg_rasterizer_state *rasterizer = state->rasterizer;
   uint32_t planes = 1u << GPU_CLIP_LEFT | 1u << GPU_CLIP_RIGHT |
                     1u << GPU_CLIP_TOP | 1u << GPU_CLIP_BOTTOM;
   if (!state->layout.is_window_space) {
      planes |= 1u << GPU_CLIP_W;
      planes |= (uint32_t)rasterizer->depth_clip_near << GPU_CLIP_NEAR;
      planes |= (uint32_t)rasterizer->depth_clip_far << GPU_CLIP_FAR;
   }
   clipper->planes = planes | user << GPU_CLIP_USER;
   clipper->halfz = rasterizer->clip_halfz;
}

/* False when nothing of the primitive can be seen. */
static bool
find_corners(struct gpu_setup_work *work, unsigned count)
{
   const uint32_t user = user_planes(work->state);
   uint32_t all = ~UINT32_C(0);
   for (unsigned i = 0; i < count; i++) {
      if (!find_corner(work, i))
         return false;
   }
   if (is_culled_by_distance(work, count))
      return false;
   for (unsigned i = count; i < TG_LENGTH(work->corner); i++) {
      work->corner[i] = (struct gpu_corner){.w = 1.0};
      work->reciprocal_w[i] = 0.0;
   }
   choose_planes(&work->clipper, work->state, user);
   find_distances(work, user, count);
   for (unsigned i = 0; i < count; i++) {
      work->outcode[i] = gpu_clip_outcode(&work->clipper, &work->corner[i]);
      all &= work->outcode[i];
   }
   return !all;
}

/* Viewport, layer and number, which are those of the provoking vertex. False
 * when there is no such layer; a framebuffer of one is not layered, and what
 * layer is written makes no difference (OpenGL 4.6, 11.3.4.4). */
static bool
find_target(struct gpu_setup_work *work)
{
   const struct gpu_setup_state *state = work->state;
   const struct gpu_record_layout *layout = &state->layout;
   work->written_viewport = record_word(work->provoking, layout->viewport, 0);
   work->viewport_index =
      work->written_viewport < TG_MAX_VIEWPORTS ? work->written_viewport : 0;
   work->written_layer = record_word(work->provoking, layout->layer, 0);
   if (layout->is_layer_relative)
      work->written_layer += work->viewport_index;
   work->layer = state->num_layers > 1 ? work->written_layer : 0;
   work->viewport = state->viewports[work->viewport_index];
   work->id = record_word(work->provoking, layout->primitive_id, work->id);
   return work->layer < state->num_layers;
}

/* ---- vertices that are found once ---------------------------------------- */

/* The bits of a record. */
static uint8_t
find_in_window(const struct gpu_setup_work *work, uint32_t number)
{
   const struct gpu_setup_records *records = work->setup->records;
   assert(number < records->count);
   uint8_t *bits = &records->bits[number];
   struct gpu_clipper clipper;
   struct gpu_corner corner;
   if (*bits & GPU_SETUP_IS_KNOWN)
      return *bits;
   *bits |= GPU_SETUP_IS_KNOWN;
   choose_planes(&clipper, work->state, 0);
   if (!place_corner(work->state, &work->viewport,
                     records->words +
                        (size_t)number * records->words_per_record,
                     &corner) ||
       gpu_clip_outcode(&clipper, &corner))
      *bits |= GPU_SETUP_IS_CUT;
   else
      records->window[number] = gpu_setup_project(work, &corner);
   return *bits;
}

/* Of a primitive. False when it has to be clipped. */
static bool
find_window_vertices(const struct gpu_setup_work *work,
                     const struct gpu_setup_primitive *primitive,
                     struct gpu_window_vertex v[3])
{
   const struct gpu_setup_records *records = work->setup->records;
   if (!work->setup->uses_window)
      return false;
   for (unsigned i = 0; i < primitive->num_vertices; i++) {
      const uint32_t number = primitive->number[i];
      if (find_in_window(work, number) & GPU_SETUP_IS_CUT)
         return false;
      v[i] = records->window[number];
   }
   return true;
}

/* ---- primitives ---------------------------------------------------------- */

bool
gpu_setup_primitive(struct gpu_setup *setup,
                    const struct gpu_setup_primitive *primitive)
{
   struct gpu_window_vertex v[3];
   struct gpu_setup_work work;
   gpu_setup_skip(setup, primitive->restarts_stipple);
   if (setup->state->layout.position == GPU_NO_REGISTER ||
       (!setup->records &&
        gpu_setup_is_beside_view(setup->state, primitive->vertex,
                                 primitive->num_vertices)))
      return true;
   if (gpu_setup_is_plain(setup, primitive))
      return gpu_setup_plain_triangle(setup, primitive);

   work.setup = setup;
   work.state = setup->state;
   work.provoking = primitive->vertex[primitive->provoking];
   work.id = primitive->id;
   work.is_part = false;
   work.is_front = true;
   work.z_offset = 0.0;
   for (unsigned i = 0; i < primitive->num_vertices; i++)
      work.vertex[i] = primitive->vertex[i];
   if (!find_target(&work))
      return true;
   if (find_window_vertices(&work, primitive, v)) {
      switch (primitive->num_vertices) {
      case 1: return gpu_setup_window_point(&work, v);
      case 2: return gpu_setup_window_line(&work, v);
      default: return gpu_setup_window_triangle(&work, v, primitive->edges);
      }
   }
   if (!find_corners(&work, primitive->num_vertices))
      return true;

   switch (primitive->num_vertices) {
   case 1: return gpu_setup_point(&work);
   case 2: return gpu_setup_line(&work);
   default: return gpu_setup_triangle(&work, primitive->edges);
   }
}

uint32_t
gpu_setup_at_once(const struct gpu_setup *setup)
{
   return setup->uses_window && setup->window.is_plain ? GPU_SETUP_AT_ONCE : 1;
}

bool
gpu_setup_primitives(struct gpu_setup *setup,
                     const struct gpu_setup_primitive *primitives,
                     uint32_t count)
{
   assert(count <= gpu_setup_at_once(setup));
   if (count > 1)
      return gpu_setup_plain_triangles(setup, primitives, count);
   return count == 0 || gpu_setup_primitive(setup, primitives);
}
