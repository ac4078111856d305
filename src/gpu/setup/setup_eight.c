/* SPDX-License-Identifier: MIT
 *
 * Setup of eight triangles at once, a triangle in each lane of SIMD vectors:
 * culling, bounds and slopes, in 32 bits, and the coverage of small ones, whose
 * shapes have no edges then. Whatever is larger than a tile or two, or has to
 * be clipped, is set up by itself; either way gives the same pixels and
 * constants.
 */
#include <assert.h>

#include "gpu/setup/plain_triangle.h"
#include "util/clones.h"

typedef tg_eight_ints ints;
typedef double doubles __attribute__((vector_size(4 * sizeof(double))));

/* Subpixels between corners, each way, so that 32 bits hold a triangle's area.
 */
enum { MOST_EXTENT = (1 << 15) - 1 };

/* Of each triangle; masks are 0 or -1. */
struct lanes {
   const struct gpu_window_vertex *v[GPU_SETUP_AT_ONCE][3];
   ints x[3], y[3]; /* corners, in fixed point */
   ints is_known;   /* the rest holds; else it is set up by itself */
   ints is_drawn;   /* it is not culled, has an area and bounds, */
   ints is_small;   /* and its pixels are known: */
   tg_eight quads;  /* see struct gpu_shape */
   ints is_clockwise, is_cut;
   ints min_x, min_y, max_x, max_y; /* pixels */
   ints reference_x, reference_y;
   /* See struct gpu_planes; four lanes each. */
   doubles slope_x[2][2], slope_y[2][2], scale[2];
   doubles to_x[2], to_y[2];
};

/* ---- vectors of integers ------------------------------------------------- */

static inline ints
all(int32_t value)
{
   return (ints){0} + value;
}

static inline ints
choose(ints mask, ints a, ints b)
{
   return (a & mask) | (b & ~mask);
}

static inline ints
least(ints a, ints b)
{
   return choose(a < b, a, b);
}

static inline ints
greatest(ints a, ints b)
{
   return choose(a > b, a, b);
}

/* The lanes of a mask, a bit each. */
static inline uint32_t
bits_of(ints mask)
{
   return tg_sixteen_signs(mask, (ints){0});
}

/* Is a mask set in some lane? */
static inline bool
any(ints mask)
{
   return bits_of(mask);
}

/* Bits from `first` to the one before `end`. */
static inline uint32_t
bits_between(uint32_t first, uint32_t end)
{
   return (UINT32_C(1) << end) - (UINT32_C(1) << first);
}

/* Lanes that are too large wrap. */
static inline ints
times(ints a, ints b)
{
   return (ints)((tg_eight)a * (tg_eight)b);
}

static inline ints
plus(ints a, ints b)
{
   return (ints)((tg_eight)a + (tg_eight)b);
}

static inline ints
minus(ints a, ints b)
{
   return (ints)((tg_eight)a - (tg_eight)b);
}

/* ---- corners ------------------------------------------------------------- */

/* A vertex's x and y. */
static inline int64_t
load_place(const struct gpu_window_vertex *v)
{
   int64_t place;
   static_assert(offsetof(struct gpu_window_vertex, y) == sizeof(v->x) &&
                    offsetof(struct gpu_window_vertex, z) == sizeof(place),
                 "they are a pair");
   memcpy(&place, v, sizeof(place));
   return place;
}

/* Of four lanes, one after the other. */
static inline ints
load_places(const struct lanes *lanes, uint32_t first, unsigned corner)
{
   typedef int64_t places __attribute__((vector_size(4 * sizeof(int64_t))));
   return (ints)(places){load_place(lanes->v[first][corner]),
                         load_place(lanes->v[first + 1][corner]),
                         load_place(lanes->v[first + 2][corner]),
                         load_place(lanes->v[first + 3][corner])};
}

/* Those of triangles that are not plain, and of lanes without one, are at 0. */
static inline void
load_corners(const struct gpu_setup *setup,
             const struct gpu_setup_primitive *primitives, uint32_t count,
             struct lanes *lanes)
{
   static const struct gpu_window_vertex nowhere = {.reciprocal_w = 1.0};
   const struct gpu_window_vertex *window = setup->records->window;
   ints is_plain = {0};
   for (uint32_t i = 0; i < GPU_SETUP_AT_ONCE; i++) {
      const struct gpu_setup_primitive *primitive =
         &primitives[i < count ? i : 0];
      const uint32_t *number = primitive->number;
      const bool is_one = i < count && gpu_setup_is_plain(setup, primitive);
      is_plain[i] = -(int32_t)is_one;
      /* One by one: no loop, and one test. */
      lanes->v[i][0] = is_one ? &window[number[0]] : &nowhere;
      lanes->v[i][1] = is_one ? &window[number[1]] : &nowhere;
      lanes->v[i][2] = is_one ? &window[number[2]] : &nowhere;
   }
   for (unsigned k = 0; k < 3; k++) {
      const ints low = load_places(lanes, 0, k),
                 high = load_places(lanes, 4, k);
      lanes->x[k] =
         __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
      lanes->y[k] =
         __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
   }
   lanes->is_known = is_plain;
}

/* ---- bounds -------------------------------------------------------------- */

/* Along one axis: what is within bounds in fixed point and visible, and whether
 * that leaves something out. See gpu_cut_bounds(). */
static inline void
cut_bounds(bool goes_by_center, ints first, ints last, int32_t visible_first,
           int32_t visible_last, ints *min_out, ints *max_out, ints *is_cut)
{
   const int32_t to_first = goes_by_center ? GPU_HALF_PIXEL - 1 : 0;
   const int32_t to_last = goes_by_center ? -GPU_HALF_PIXEL : 0;
   const ints min = (first + to_first) >> GPU_SUBPIXEL_BITS;
   const ints max = (last + to_last) >> GPU_SUBPIXEL_BITS;
   *min_out = greatest(min, all(visible_first));
   *max_out = least(max, all(visible_last));
   *is_cut |= (first >> GPU_SUBPIXEL_BITS < visible_first) |
              (last >> GPU_SUBPIXEL_BITS > visible_last);
}

/* Like gpu_is_within_quads(). */
static inline ints
are_within_quads(ints min, ints max)
{
   const ints first = min & ~1;
   return (max - first < GPU_BLOCK_SIZE) &
          (((max ^ first) & -GPU_TILE_SIZE) == 0);
}

static inline void
find_bounds(const struct gpu_window_setup *window, struct lanes *lanes)
{
   const struct gpu_bounds *visible = &window->visible;
   const bool goes_by_center = window->goes_by_center;
   const ints *x = lanes->x, *y = lanes->y;
   const ints left = least(least(x[0], x[1]), x[2]);
   const ints right = greatest(greatest(x[0], x[1]), x[2]);
   const ints top = least(least(y[0], y[1]), y[2]);
   const ints bottom = greatest(greatest(y[0], y[1]), y[2]);
   const ints extent = greatest(right - left, bottom - top);
   lanes->is_cut = (ints){0};
   cut_bounds(goes_by_center, left, right, visible->min_x, visible->max_x,
              &lanes->min_x, &lanes->max_x, &lanes->is_cut);
   cut_bounds(goes_by_center, top, bottom, visible->min_y, visible->max_y,
              &lanes->min_y, &lanes->max_y, &lanes->is_cut);
   lanes->is_known &= extent <= MOST_EXTENT;
   lanes->is_drawn &=
      (lanes->min_x <= lanes->max_x) & (lanes->min_y <= lanes->max_y);
   lanes->is_small = (extent <= GPU_SMALL_EXTENT) &
                     are_within_quads(lanes->min_x, lanes->max_x) &
                     are_within_quads(lanes->min_y, lanes->max_y) &
                     -(int32_t)goes_by_center;
}

/* ---- facing -------------------------------------------------------------- */

/* Lanes without an area, and those that are culled, are not drawn. */
static inline void
find_faces(const struct tg_rasterizer_state *rasterizer, struct lanes *lanes)
{
   const ints *x = lanes->x, *y = lanes->y;
   const ints area =
      minus(times(x[1] - x[0], y[2] - y[0]), times(x[2] - x[0], y[1] - y[0]));
   const ints is_front = rasterizer->front_ccw ? area < 0 : area > 0;
   const int32_t shows_front = rasterizer->cull_face & TG_FACE_FRONT ? 0 : -1;
   const int32_t shows_back = rasterizer->cull_face & TG_FACE_BACK ? 0 : -1;
   lanes->is_clockwise = area > 0;
   lanes->is_drawn &=
      (area != 0) & choose(is_front, all(shows_front), all(shows_back));
}

/* ---- coverage ------------------------------------------------------------ */

/* An edge at the centre of the first pixel of the quads, and how it changes
 * from pixel to pixel: see gpu_edge_between(). */
struct edge {
   ints first, a, b;
};

static inline struct edge
edge_after(const struct lanes *lanes, unsigned corner, bool is_bottom_owner)
{
   const unsigned next = corner == 2 ? 0 : corner + 1;
   const ints p_x = lanes->x[corner], p_y = lanes->y[corner];
   const ints turned = ~lanes->is_clockwise; /* a is -a there: ~a + 1 */
   const ints a = ((p_y - lanes->y[next]) ^ turned) - turned;
   const ints b = ((lanes->x[next] - p_x) ^ turned) - turned;
   const ints is_top = (a == 0) & (is_bottom_owner ? b < 0 : b > 0);
   const ints is_owner = (a > 0) | is_top;
   const ints to_x = (lanes->min_x & ~1) * GPU_SUBPIXELS + GPU_HALF_PIXEL - p_x;
   const ints to_y = (lanes->min_y & ~1) * GPU_SUBPIXELS + GPU_HALF_PIXEL - p_y;
   return (struct edge){
      .first = plus(plus(times(a, to_x), times(b, to_y)), ~is_owner),
      .a = a * GPU_SUBPIXELS,
      .b = b * GPU_SUBPIXELS,
   };
}

/* Pixels of the quads that are within the bounds: see gpu_pixels_between(). */
static inline ints
find_bounded(const struct lanes *lanes)
{
   const ints last_column = lanes->max_x - (lanes->min_x & ~1);
   const ints last_row = lanes->max_y - (lanes->min_y & ~1);
   const ints columns = 0x0505 | ((last_column > 0) & 0x0a0a) |
                        ((last_column > 1) & 0x5050) |
                        ((last_column > 2) & 0xa0a0);
   const ints rows = 0x0033 | ((last_row > 0) & 0x00cc) |
                     ((last_row > 1) & 0x3300) | ((last_row > 2) & 0xcc00);
   return columns & rows & ~(-(lanes->min_x & 1) & 0x0505) &
          ~(-(lanes->min_y & 1) & 0x0033);
}

/* Signs of an edge at the pixels of a quad, at whose first it is `at`. */
static inline void
add_signs(ints sign[4], ints at, const struct edge *edge)
{
   sign[0] |= at;
   sign[1] |= at + edge->a;
   at += edge->b;
   sign[2] |= at;
   sign[3] |= at + edge->a;
}

/* Pixels of a quad that are outside of an edge, from the highest bit down, put
 * above those of the quads before it. */
static inline tg_eight
add_quad(tg_eight outside, const struct edge edge[3], bool is_right,
         bool is_lower)
{
   ints sign[4] = {{0}};
   for (unsigned k = 0; k < 3; k++) {
      ints at = edge[k].first;
      if (is_right)
         at += edge[k].a * 2;
      if (is_lower)
         at += edge[k].b * 2;
      add_signs(sign, at, &edge[k]);
   }
   for (unsigned i = 0; i < 4; i++)
      outside = outside >> 1 | ((tg_eight)sign[i] & UINT32_C(0x80000000));
   return outside;
}

/* Pixels that are inside of all edges. */
static inline tg_eight
find_quads(const struct lanes *lanes, bool is_bottom_owner)
{
   const struct edge edge[3] = {edge_after(lanes, 0, is_bottom_owner),
                                edge_after(lanes, 1, is_bottom_owner),
                                edge_after(lanes, 2, is_bottom_owner)};
   tg_eight outside = {0};
   outside = add_quad(outside, edge, false, false);
   outside = add_quad(outside, edge, true, false);
   outside = add_quad(outside, edge, false, true);
   outside = add_quad(outside, edge, true, true);
   return ~(outside >> 16) & (tg_eight)find_bounded(lanes);
}

/* ---- planes -------------------------------------------------------------- */

/* Four lanes as doubles. */
static inline doubles
to_doubles(ints lanes, unsigned half)
{
   const tg_four_ints four =
      half ? __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7)
           : __builtin_shufflevector(lanes, lanes, 0, 1, 2, 3);
   return __builtin_convertvector(four, doubles);
}

/* gpu_choose_reference() and gpu_choose_slopes(). */
static inline void
find_planes(const struct gpu_bounds *visible, struct lanes *lanes)
{
   const double to_pixels = 1.0 / GPU_SUBPIXELS;
   const ints *x = lanes->x, *y = lanes->y;
   lanes->reference_x =
      least(greatest(x[0] >> GPU_SUBPIXEL_BITS, all(visible->min_x)),
            all(visible->max_x));
   lanes->reference_y =
      least(greatest(y[0] >> GPU_SUBPIXEL_BITS, all(visible->min_y)),
            all(visible->max_y));
   for (unsigned i = 0; i < 2; i++) {
      const doubles x1 = to_doubles(x[1] - x[0], i) * to_pixels;
      const doubles y1 = to_doubles(y[1] - y[0], i) * to_pixels;
      const doubles x2 = to_doubles(x[2] - x[0], i) * to_pixels;
      const doubles y2 = to_doubles(y[2] - y[0], i) * to_pixels;
      lanes->slope_x[0][i] = y2, lanes->slope_x[1][i] = -y1;
      lanes->slope_y[0][i] = -x2, lanes->slope_y[1][i] = x1;
      lanes->scale[i] = 1.0 / (x1 * y2 - x2 * y1);
      lanes->to_x[i] =
         to_doubles(lanes->reference_x, i) - to_doubles(x[0], i) * to_pixels;
      lanes->to_y[i] =
         to_doubles(lanes->reference_y, i) - to_doubles(y[0], i) * to_pixels;
   }
}

static inline struct gpu_planes
planes_of(const struct lanes *lanes, uint32_t i)
{
   const uint32_t half = i / 4, k = i % 4;
   return (struct gpu_planes){
      .x = {lanes->slope_x[0][half][k], lanes->slope_x[1][half][k]},
      .y = {lanes->slope_y[0][half][k], lanes->slope_y[1][half][k]},
      .scale = lanes->scale[half][k],
      .reference_x = lanes->reference_x[i],
      .reference_y = lanes->reference_y[i],
      .to_x = lanes->to_x[half][k],
      .to_y = lanes->to_y[half][k],
   };
}

/* ---- eight triangles ----------------------------------------------------- */

static inline void
find_lanes(const struct gpu_setup *setup,
           const struct gpu_setup_primitive *primitives, uint32_t count,
           struct lanes *lanes)
{
   const struct gpu_window_setup *window = &setup->window;
   const struct tg_rasterizer_state *rasterizer = setup->state->rasterizer;
   load_corners(setup, primitives, count, lanes);
   lanes->is_drawn = lanes->is_known;
   find_bounds(window, lanes);
   find_faces(rasterizer, lanes);
   lanes->is_drawn &= lanes->is_known;
   lanes->is_small &= lanes->is_drawn;
   if (any(lanes->is_small)) {
      lanes->quads = find_quads(lanes, rasterizer->bottom_edge_rule);
      lanes->is_drawn &= ~lanes->is_small | (ints)(lanes->quads != 0);
   }
   if (any(lanes->is_drawn))
      find_planes(&window->visible, lanes);
}

static inline void
make_shape(const struct gpu_plain_triangle *triangle, const struct lanes *lanes,
           uint32_t i, struct gpu_shape *shape)
{
   shape->num_edges = lanes->is_small[i] ? 0 : 3;
   shape->quads = lanes->is_small[i] ? (uint16_t)lanes->quads[i] : 0;
   shape->kind = GPU_SHAPE_POLYGON;
   shape->is_round = false;
   shape->is_by_pixel = triangle->setup->window.is_by_pixel;
   shape->is_cut = lanes->is_cut[i];
   shape->min_x = lanes->min_x[i];
   shape->min_y = lanes->min_y[i];
   shape->max_x = lanes->max_x[i];
   shape->max_y = lanes->max_y[i];
   shape->layer = triangle->layer;
   if (!lanes->is_small[i])
      gpu_plain_find_edges(triangle, lanes->is_clockwise[i], shape->edge);
}

static inline struct gpu_plain_triangle
triangle_of(struct gpu_setup *setup,
            const struct gpu_setup_primitive *primitive,
            const struct lanes *lanes, uint32_t i)
{
   const bool is_clockwise = lanes->is_clockwise[i];
   return (struct gpu_plain_triangle){
      .setup = setup,
      .primitive = primitive,
      .provoking = primitive->vertex[primitive->provoking],
      .v = {lanes->v[i][0], lanes->v[i][1], lanes->v[i][2]},
      .is_front = is_clockwise != setup->state->rasterizer->front_ccw,
   };
}

/* Lanes from `first` to `end` that are drawn, as bits: those of triangles that
 * have a layer. Counts what is visible. */
static inline uint32_t
find_drawn(struct gpu_setup *setup,
           const struct gpu_setup_primitive *primitives,
           const struct lanes *lanes, uint32_t first, uint32_t end)
{
   uint32_t drawn = bits_of(lanes->is_drawn) & bits_between(first, end);
   setup->num_visible += end - first;
   for (uint32_t i = first; i < end && setup->state->num_layers != 1; i++) {
      struct gpu_plain_triangle triangle =
         triangle_of(setup, &primitives[i], lanes, i);
      if (gpu_plain_find_target(&triangle))
         continue;
      setup->num_visible--;
      drawn &= ~(UINT32_C(1) << i);
   }
   return drawn;
}

/* Adds triangles in a row of which all is known. False: there is no memory. */
static inline bool
add_lanes(struct gpu_setup *setup, const struct gpu_setup_primitive *primitives,
          const struct lanes *lanes, uint32_t first, uint32_t end)
{
   const struct gpu_shape_sink *sink = &setup->sink;
   uint32_t drawn = find_drawn(setup, primitives, lanes, first, end);
   const uint32_t count = (uint32_t)__builtin_popcount(drawn);
   const uint32_t num_words =
      gpu_shape_num_words(setup->state->interface->num_attributes);
   uint32_t first_word;
   if (!drawn)
      return true;
   struct gpu_shape *shapes = sink->room(sink->user, count);
   uint32_t *words = sink->reserve(sink->user, count * num_words, &first_word);
   if (!shapes || !words)
      return false;
   for (uint32_t k = 0; k < count; k++, drawn &= drawn - 1) {
      const uint32_t i = (uint32_t)__builtin_ctz(drawn);
      struct gpu_plain_triangle triangle =
         triangle_of(setup, &primitives[i], lanes, i);
      const struct gpu_planes planes = planes_of(lanes, i);
      gpu_plain_find_target(&triangle);
      make_shape(&triangle, lanes, i, &shapes[k]);
      shapes[k].constants = first_word + k * num_words;
      gpu_plain_store_constants(&triangle, &planes, words + k * num_words);
   }
   setup->num_polygons += count;
   return sink->add(sink->user, shapes, count);
}

TG_CLONES static bool
set_up_eight(struct gpu_setup *setup,
             const struct gpu_setup_primitive *primitives, uint32_t count)
{
   struct lanes lanes;
   assert(count <= GPU_SETUP_AT_ONCE);
   find_lanes(setup, primitives, count, &lanes);
   const uint32_t known = bits_of(lanes.is_known);
   for (uint32_t first = 0, end; first < count; first = end) {
      const bool is_known = known >> first & 1;
      const uint32_t num_known = (uint32_t)__builtin_ctz(~(known >> first));
      end = tg_min_u32(count, first + (is_known ? num_known : 1));
      if (!(is_known ? add_lanes(setup, primitives, &lanes, first, end)
                     : gpu_setup_primitive(setup, &primitives[first])))
         return false;
   }
   return true;
}

bool
gpu_setup_plain_triangles(struct gpu_setup *setup,
                          const struct gpu_setup_primitive *primitives,
                          uint32_t count)
{
   return set_up_eight(setup, primitives, count);
}
