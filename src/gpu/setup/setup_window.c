/* SPDX-License-Identifier: MIT
 *
 * Setup by window coordinates, for most primitives of most draws: their
 * vertices are put into the window once, four at a time, and triangles of which
 * nothing is cut off become shapes with no more ado. Everything else is set up
 * primitive by primitive, and both ways give the same bits.
 */
#include <assert.h>
#include <math.h>

#include "gpu/setup/plain_triangle.h"
#include "util/bits.h"
#include "util/clones.h"
#include "util/minmax.h"

/* ---- vertices ------------------------------------------------------------ */

typedef double doubles __attribute__((vector_size(4 * sizeof(double))));
typedef int64_t truths __attribute__((vector_size(4 * sizeof(int64_t))));

/* Four positions in clip space, coordinate by coordinate. */
struct four_positions {
   tg_four_floats x, y, z, w;
};

static inline struct four_positions
load_positions(const uint32_t *position, size_t stride)
{
   tg_four a = tg_load_four(position);
   tg_four b = tg_load_four(position + stride);
   tg_four c = tg_load_four(position + stride * 2);
   tg_four d = tg_load_four(position + stride * 3);
   tg_transpose_four(&a, &b, &c, &d);
   return (struct four_positions){(tg_four_floats)a, (tg_four_floats)b,
                                  (tg_four_floats)c, (tg_four_floats)d};
}

/* Four places in the window times w, and the rest of their positions: see
 * struct gpu_corner. */
struct four_corners {
   doubles x, y, z, w;
};

static inline doubles
to_doubles(tg_four_floats v)
{
   return __builtin_convertvector(v, doubles);
}

static inline struct four_corners
place_corners(const struct gpu_window_setup *window,
              const struct four_positions *positions)
{
   const struct tg_viewport *viewport = window->viewport;
   const doubles w = to_doubles(positions->w);
   const doubles x = to_doubles(positions->x) * (double)viewport->scale[0];
   const doubles y = to_doubles(positions->y) * (double)viewport->scale[1];
   return (struct four_corners){
      .x = (x + w * (double)viewport->translate[0]) + w * window->shift,
      .y = (y + w * (double)viewport->translate[1]) + w * window->shift,
      .z = to_doubles(positions->z),
      .w = w,
   };
}

/* Infinity and NaN have all bits of the exponent. */
static inline tg_four
is_infinite(tg_four_floats v)
{
   const uint32_t exponent = 0x7f800000;
   return (tg_four)(((tg_four)v & exponent) == exponent);
}

static inline tg_four
are_infinite(const struct four_positions *p)
{
   return is_infinite(p->x) | is_infinite(p->y) | is_infinite(p->z) |
          is_infinite(p->w);
}

/* Which of them clipping would change: gpu_clip_outcode() is not 0. */
static inline truths
are_clipped(const struct gpu_window_setup *window, const struct four_corners *c)
{
   const doubles band = c->w * (double)GPU_GUARD_BAND;
   const doubles near = window->clip_halfz ? c->z : c->w + c->z;
   const doubles far = c->w - c->z;
   truths clipped = (c->w - GPU_CLIP_LEAST_W < 0.0) | (band + c->x < 0.0) |
                    (band - c->x < 0.0) | (band + c->y < 0.0) |
                    (band - c->y < 0.0);
   if (window->clips_near)
      clipped |= near < 0.0;
   if (window->clips_far)
      clipped |= far < 0.0;
   return clipped;
}

/* To the nearest, halves up: gpu_to_fixed(). */
static inline tg_four_ints
to_fixed(doubles pixels)
{
   const doubles scaled = pixels * (double)GPU_SUBPIXELS + 0.5;
   const tg_four_ints towards_zero =
      __builtin_convertvector(scaled, tg_four_ints);
   const doubles back = __builtin_convertvector(towards_zero, doubles);
   return towards_zero + __builtin_convertvector(back > scaled, tg_four_ints);
}

/* Coordinates over w, held to the guard band; those that are cut are 0. */
static inline tg_four_ints
to_window(doubles coordinate, doubles w, truths is_cut)
{
   const double bound = GPU_GUARD_BAND;
   const doubles pixels = coordinate / w;
   const truths low = pixels<-bound, high = pixels> bound;
   const truths rest = ~(low | high | is_cut);
   const truths held = ((truths)pixels & rest) |
                       ((truths)((doubles){0} - bound) & low & ~is_cut) |
                       ((truths)((doubles){0} + bound) & high & ~is_cut);
   return to_fixed((doubles)held);
}

static inline void
place_four(const struct gpu_window_setup *window, const uint32_t *position,
           size_t stride, struct gpu_window_vertex *v, uint8_t *bits)
{
   const struct tg_viewport *viewport = window->viewport;
   const struct four_positions positions = load_positions(position, stride);
   const struct four_corners c = place_corners(window, &positions);
   const truths infinite =
      __builtin_convertvector((tg_four_ints)are_infinite(&positions), truths);
   const truths is_cut = are_clipped(window, &c) | infinite;
   const tg_four_ints x = to_window(c.x, c.w, is_cut);
   const tg_four_ints y = to_window(c.y, c.w, is_cut);
   const doubles z =
      c.z / c.w * (double)viewport->scale[2] + (double)viewport->translate[2];
   const doubles reciprocal_w = 1.0 / c.w;
   for (unsigned i = 0; i < 4; i++) {
      v[i] = (struct gpu_window_vertex){x[i], y[i], z[i], reciprocal_w[i]};
      bits[i] |=
         (uint8_t)(GPU_SETUP_IS_KNOWN | (is_cut[i] ? GPU_SETUP_IS_CUT : 0));
   }
}

/* Is a side of the view known beyond which all four are? */
static bool
are_beside(const uint8_t bits[4])
{
   return bits[0] & bits[1] & bits[2] & bits[3] & GPU_SETUP_OUTSIDE;
}

TG_CLONES static void
place_records(const struct gpu_setup *setup)
{
   const struct gpu_setup_records *records = setup->records;
   const size_t stride = records->words_per_record;
   const uint32_t *position =
      records->words + setup->state->layout.position * 4u;
   for (uint32_t i = 0; i + 4 <= records->count; i += 4) {
      if (!are_beside(&records->bits[i]))
         place_four(&setup->window, position + i * stride, stride,
                    &records->window[i], &records->bits[i]);
   }
}

void
gpu_setup_place_records(const struct gpu_setup *setup)
{
   place_records(setup);
}

/* ---- what triangles have in common --------------------------------------- */

static bool
wraps(const struct gpu_interface *interface)
{
   bool wraps = false;
   for (uint32_t i = 0; i < interface->num_attributes; i++)
      wraps |= interface->wrap[i] != 0;
   return wraps;
}

static bool
is_filled(const struct tg_rasterizer_state *rasterizer)
{
   return rasterizer->fill_front == TG_POLYGON_FILL &&
          rasterizer->fill_back == TG_POLYGON_FILL;
}

void
gpu_setup_init_window(struct gpu_setup *setup, unsigned num_vertices)
{
   const struct gpu_setup_state *state = setup->state;
   const struct tg_rasterizer_state *rasterizer = state->rasterizer;
   const struct gpu_setup_work work = {
      .setup = setup,
      .state = state,
      .viewport = state->viewports[0],
   };
   struct gpu_shape shape;
   gpu_begin_shape(&work, GPU_SHAPE_POLYGON, false, &shape);
   setup->window = (struct gpu_window_setup){
      .viewport = &state->viewports[0],
      .shift = rasterizer->half_pixel_center ? 0.0 : 0.5,
      .clip_halfz = rasterizer->clip_halfz,
      .clips_near = rasterizer->depth_clip_near,
      .clips_far = rasterizer->depth_clip_far,
      .is_plain = num_vertices == 3 && is_filled(rasterizer) &&
                  !rasterizer->offset_tri && !wraps(state->interface),
      .goes_by_center = gpu_bounds_go_by_center(&work, &shape),
      .is_by_pixel = shape.is_by_pixel,
      .visible = gpu_visible_bounds(&work),
      .depth = gpu_depth_range(&work),
   };
}

/* ---- triangles ----------------------------------------------------------- */

/* In fixed point. */
static inline struct gpu_bounds
bounds_of(const struct gpu_window_vertex *const v[3])
{
   return (struct gpu_bounds){
      tg_min_i32(tg_min_i32(v[0]->x, v[1]->x), v[2]->x),
      tg_min_i32(tg_min_i32(v[0]->y, v[1]->y), v[2]->y),
      tg_max_i32(tg_max_i32(v[0]->x, v[1]->x), v[2]->x),
      tg_max_i32(tg_max_i32(v[0]->y, v[1]->y), v[2]->y),
   };
}

static inline void
make_shape(const struct gpu_plain_triangle *triangle, bool is_clockwise,
           struct gpu_shape *shape)
{
   shape->num_edges = 3;
   shape->kind = GPU_SHAPE_POLYGON;
   shape->is_round = false;
   shape->is_by_pixel = triangle->setup->window.is_by_pixel;
   shape->quads = 0;
   shape->layer = triangle->layer;
   gpu_plain_find_edges(triangle, is_clockwise, shape->edge);
}

TG_CLONES static bool
set_up(struct gpu_setup *setup, const struct gpu_setup_primitive *primitive)
{
   const struct gpu_window_vertex *window = setup->records->window;
   const struct gpu_window_vertex *const v[3] = {
      &window[primitive->number[0]],
      &window[primitive->number[1]],
      &window[primitive->number[2]],
   };
   const struct tg_rasterizer_state *rasterizer = setup->state->rasterizer;
   const struct gpu_shape_sink *sink = &setup->sink;
   const int64_t area = gpu_area_of(v[0], v[1], v[2]);
   struct gpu_plain_triangle triangle = {
      .setup = setup,
      .primitive = primitive,
      .provoking = primitive->vertex[primitive->provoking],
      .v = {v[0], v[1], v[2]},
      .is_front = rasterizer->front_ccw ? area < 0 : area > 0,
   };
   struct gpu_shape shape;
   struct gpu_planes planes;
   if (!gpu_plain_find_target(&triangle))
      return true;
   setup->num_visible++;
   if (!area || rasterizer->cull_face &
                   (triangle.is_front ? TG_FACE_FRONT : TG_FACE_BACK))
      return true;
   const struct gpu_bounds bounds = bounds_of(v);
   if (!gpu_cut_bounds(&shape, setup->window.goes_by_center,
                       &setup->window.visible, &bounds))
      return true;
   make_shape(&triangle, area > 0, &shape);
   if (!gpu_cover_triangle(&shape, setup->window.goes_by_center, &bounds))
      return true;
   uint32_t *words = sink->reserve(
      sink->user, gpu_shape_num_words(setup->state->interface->num_attributes),
      &shape.constants);
   if (!words)
      return false;
   gpu_choose_reference(&planes, v[0], &setup->window.visible);
   gpu_choose_slopes(&planes, v);
   gpu_plain_store_constants(&triangle, &planes, words);
   setup->num_polygons++;
   return sink->add(sink->user, &shape, 1);
}

bool
gpu_setup_plain_triangle(struct gpu_setup *setup,
                         const struct gpu_setup_primitive *primitive)
{
   return set_up(setup, primitive);
}
