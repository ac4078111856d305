/* SPDX-License-Identifier: MIT
 *
 * Primitive decomposition. A row of `modes` says how many vertices the first
 * primitive takes, how many each further one, and which function picks them;
 * some can be picked only when it is known whether more follow.
 */
#include "gpu/geometry/primitive.h"

#include <assert.h>

enum { ALL_EDGES = 7 };

/* Vertex n since the beginning, from 0; of those long past only the first. */
static uint32_t
vertex_at(const struct gpu_decomposer *decomposer, uint32_t n)
{
   return n == 0 ? decomposer->first
                 : decomposer->held[n % GPU_MAX_PATCH_VERTICES];
}

/* A primitive of up to six vertices since the beginning. Vertices after them
 * are left as they are, since most primitives have few. */
static void
pick(const struct gpu_decomposer *decomposer, unsigned num,
     const uint32_t vertices[6], unsigned provoking, struct gpu_primitive *out)
{
   for (unsigned i = 0; i < num; i++)
      out->vertex[i] = vertex_at(decomposer, vertices[i]);
   out->num_vertices = (uint8_t)num;
   out->provoking = (uint8_t)provoking;
   out->edges = ALL_EDGES;
   out->is_more = false;
   out->begins = true;
}

static void
pick_triangle(const struct gpu_decomposer *decomposer, uint32_t a, uint32_t b,
              uint32_t c, unsigned provoking, unsigned edges,
              struct gpu_primitive *out)
{
   pick(decomposer, 3, (const uint32_t[6]){a, b, c}, provoking, out);
   out->edges = (uint8_t)edges;
}

/* A triangle of what the one before it is of. */
static void
pick_more(const struct gpu_decomposer *decomposer, uint32_t a, uint32_t b,
          uint32_t c, unsigned provoking, unsigned edges,
          struct gpu_primitive *out)
{
   pick_triangle(decomposer, a, b, c, provoking, edges, out);
   out->is_more = true;
   out->begins = false;
}

/* ---- one function for each way to pick ----------------------------------- */

/* Each is called with the number of the vertex after the primitive's last. */

/* The newest vertices in their order: points, lines, triangles, lines with
 * adjacency; lists and strips alike. */
static unsigned
pick_newest(const struct gpu_decomposer *decomposer, uint32_t end,
            unsigned num_vertices, unsigned first, unsigned last,
            struct gpu_primitive *out)
{
   uint32_t vertices[6];

   for (unsigned i = 0; i < num_vertices; i++)
      vertices[i] = end - num_vertices + i;
   pick(decomposer, num_vertices, vertices,
        decomposer->first_provokes ? first : last, out);
   return 1;
}

static unsigned
pick_point(const struct gpu_decomposer *decomposer, uint32_t end,
           struct gpu_primitive *out)
{
   return pick_newest(decomposer, end, 1, 0, 0, out);
}

static unsigned
pick_line(const struct gpu_decomposer *decomposer, uint32_t end,
          struct gpu_primitive *out)
{
   return pick_newest(decomposer, end, 2, 0, 1, out);
}

/* The second line of a strip, and those after it, go on with it. */
static unsigned
pick_strip_line(const struct gpu_decomposer *decomposer, uint32_t end,
                struct gpu_primitive *out)
{
   pick_line(decomposer, end, out);
   out->begins = end == 2;
   return 1;
}

static unsigned
pick_list_triangle(const struct gpu_decomposer *decomposer, uint32_t end,
                   struct gpu_primitive *out)
{
   return pick_newest(decomposer, end, 3, 0, 2, out);
}

static unsigned
pick_line_adjacency(const struct gpu_decomposer *decomposer, uint32_t end,
                    struct gpu_primitive *out)
{
   return pick_newest(decomposer, end, 4, 1, 2, out);
}

static unsigned
pick_strip_line_adjacency(const struct gpu_decomposer *decomposer, uint32_t end,
                          struct gpu_primitive *out)
{
   pick_line_adjacency(decomposer, end, out);
   out->begins = end == 4;
   return 1;
}

static unsigned
pick_triangle_adjacency(const struct gpu_decomposer *decomposer, uint32_t end,
                        struct gpu_primitive *out)
{
   return pick_newest(decomposer, end, 6, 0, 4, out);
}

/* From the last vertex of a loop back to its first. */
static unsigned
close_loop(const struct gpu_decomposer *decomposer, uint32_t end,
           struct gpu_primitive *out)
{
   pick(decomposer, 2, (const uint32_t[6]){end - 1, 0},
        decomposer->first_provokes ? 0 : 1, out);
   out->begins = false;
   return 1;
}

/* Every second triangle is turned round; the provoking vertex stays where it
 * is. */
static unsigned
pick_strip_triangle(const struct gpu_decomposer *decomposer, uint32_t end,
                    struct gpu_primitive *out)
{
   const bool first = decomposer->first_provokes;
   const uint32_t a = end - 3, b = end - 2, c = end - 1;

   if (a % 2 == 0)
      pick_triangle(decomposer, a, b, c, first ? 0 : 2, ALL_EDGES, out);
   else if (first)
      pick_triangle(decomposer, a, c, b, 0, ALL_EDGES, out);
   else
      pick_triangle(decomposer, b, a, c, 2, ALL_EDGES, out);
   return 1;
}

static unsigned
pick_fan_triangle(const struct gpu_decomposer *decomposer, uint32_t end,
                  struct gpu_primitive *out)
{
   if (decomposer->first_provokes)
      pick_triangle(decomposer, end - 2, end - 1, 0, 0, ALL_EDGES, out);
   else
      pick_triangle(decomposer, 0, end - 2, end - 1, 2, ALL_EDGES, out);
   return 1;
}

/* A fan whose spokes, but for the first and the last, are no edges. Its first
 * vertex provokes in both conventions, and stands where that one looks for it.
 */
static unsigned
polygon_triangle(const struct gpu_decomposer *decomposer, uint32_t end,
                 bool is_last, struct gpu_primitive *out)
{
   const unsigned first = end == 3, last = is_last;

   if (decomposer->first_provokes)
      pick_triangle(decomposer, 0, end - 2, end - 1, 0, first | 2 | last << 2,
                    out);
   else
      pick_triangle(decomposer, end - 2, end - 1, 0, 2,
                    1 | last << 1 | first << 2, out);
   out->is_more = !first;
   out->begins = first;
   return 1;
}

static unsigned
pick_polygon(const struct gpu_decomposer *decomposer, uint32_t end,
             struct gpu_primitive *out)
{
   return polygon_triangle(decomposer, end - 1, false, out);
}

static unsigned
end_polygon(const struct gpu_decomposer *decomposer, uint32_t end,
            struct gpu_primitive *out)
{
   return polygon_triangle(decomposer, end, true, out);
}

/* Both triangles have the provoking vertex. */
static unsigned
pick_quad(const struct gpu_decomposer *decomposer, uint32_t end,
          struct gpu_primitive *out)
{
   const uint32_t a = end - 4, b = end - 3, c = end - 2, d = end - 1;

   if (decomposer->first_provokes) {
      pick_triangle(decomposer, a, b, c, 0, 1 | 2, &out[0]);
      pick_more(decomposer, a, c, d, 0, 2 | 4, &out[1]);
   } else {
      pick_triangle(decomposer, a, b, d, 2, 1 | 4, &out[0]);
      pick_more(decomposer, b, c, d, 2, 1 | 2, &out[1]);
   }
   return 2;
}

/* The last two vertices of a quad in a strip are the other way round, and the
 * newest is the third of them. */
static unsigned
pick_strip_quad(const struct gpu_decomposer *decomposer, uint32_t end,
                struct gpu_primitive *out)
{
   const uint32_t a = end - 4, b = end - 3, c = end - 1, d = end - 2;
   const bool first = decomposer->first_provokes;

   pick_triangle(decomposer, a, b, c, first ? 0 : 2, 1 | 2, &out[0]);
   pick_more(decomposer, a, c, d, first ? 0 : 1, 2 | 4, &out[1]);
   return 2;
}

/* Triangle `t` of a strip with adjacency: its vertices are 2t, 2t + 2 and 2t +
 * 4, turned round where t is odd. The neighbour across the oldest edge is
 * vertex 2t - 2, that of the triangle before, and across the newest edge but
 * one 2t + 6, or 2t + 5 of the last triangle; table 10.1 of OpenGL 4.6 has them
 * all. It begins with the provoking vertex when that is the first, as strips
 * without adjacency do, so that geometry shaders which pass it on do not change
 * what is flat. */
static unsigned
strip_adjacency(const struct gpu_decomposer *decomposer, uint32_t t,
                bool is_last, struct gpu_primitive *out)
{
   const bool first = decomposer->first_provokes;
   const uint32_t a = 2 * t, b = a + 2, c = a + 4;
   const uint32_t before = t == 0 ? 1 : a - 2;
   const uint32_t after = is_last ? a + 5 : a + 6;
   const uint32_t beside = a + 3;

   if (t % 2 == 0)
      pick(decomposer, 6, (const uint32_t[6]){a, before, b, after, c, beside},
           first ? 0 : 4, out);
   else if (first)
      pick(decomposer, 6, (const uint32_t[6]){a, beside, c, after, b, before},
           0, out);
   else
      pick(decomposer, 6, (const uint32_t[6]){b, before, a, beside, c, after},
           4, out);
   return 1;
}

static unsigned
pick_strip_adjacency(const struct gpu_decomposer *decomposer, uint32_t end,
                     struct gpu_primitive *out)
{
   return strip_adjacency(decomposer, (end - 8) / 2, false, out);
}

static unsigned
end_strip_adjacency(const struct gpu_decomposer *decomposer, uint32_t end,
                    struct gpu_primitive *out)
{
   return strip_adjacency(decomposer, (end - 6) / 2, true, out);
}

static unsigned
pick_patch(const struct gpu_decomposer *decomposer, uint32_t end,
           struct gpu_primitive *out)
{
   const uint32_t num = decomposer->patch_vertices;

   out->num_vertices = (uint8_t)num;
   out->provoking = 0;
   out->edges = 0;
   out->is_more = false;
   out->begins = true;
   for (uint32_t i = 0; i < num; i++)
      out->vertex[i] =
         decomposer->held[(end - num + i) % GPU_MAX_PATCH_VERTICES];
   return 1;
}

/* ---- the modes ----------------------------------------------------------- */

typedef unsigned (*pick_function)(const struct gpu_decomposer *decomposer,
                                  uint32_t end, struct gpu_primitive *out);

/* `pick` is called when `first` vertices are there and then after each `step`;
 * `at_end`, if any, when at least `least` are there and no more will come. What
 * they pick has `num_vertices`. */
static const struct mode {
   uint8_t num_vertices, first, step;
   pick_function pick;
   uint8_t least;
   pick_function at_end;
} modes[TG_NUM_PRIMITIVES] = {
   /* clang-format off */
   [TG_PRIMITIVE_POINTS]                   = {1, 1, 1, pick_point},
   [TG_PRIMITIVE_LINES]                    = {2, 2, 2, pick_line},
   [TG_PRIMITIVE_LINE_LOOP]                = {2, 2, 1, pick_strip_line, 2, close_loop},
   [TG_PRIMITIVE_LINE_STRIP]               = {2, 2, 1, pick_strip_line},
   [TG_PRIMITIVE_TRIANGLES]                = {3, 3, 3, pick_list_triangle},
   [TG_PRIMITIVE_TRIANGLE_STRIP]           = {3, 3, 1, pick_strip_triangle},
   [TG_PRIMITIVE_TRIANGLE_FAN]             = {3, 3, 1, pick_fan_triangle},
   [TG_PRIMITIVE_QUADS]                    = {3, 4, 4, pick_quad},
   [TG_PRIMITIVE_QUAD_STRIP]               = {3, 4, 2, pick_strip_quad},
   [TG_PRIMITIVE_POLYGON]                  = {3, 4, 1, pick_polygon, 3, end_polygon},
   [TG_PRIMITIVE_LINES_ADJACENCY]          = {4, 4, 4, pick_line_adjacency},
   [TG_PRIMITIVE_LINE_STRIP_ADJACENCY]     = {4, 4, 1, pick_strip_line_adjacency},
   [TG_PRIMITIVE_TRIANGLES_ADJACENCY]      = {6, 6, 6, pick_triangle_adjacency},
   [TG_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY] = {6, 8, 2, pick_strip_adjacency, 6, end_strip_adjacency},
   [TG_PRIMITIVE_PATCHES]                  = {0, 0, 0, pick_patch},
   /* clang-format on */
};

unsigned
gpu_primitive_vertices(enum tg_primitive mode, uint32_t patch_vertices)
{
   assert((unsigned)mode <= TG_PRIMITIVE_PATCHES);
   return mode == TG_PRIMITIVE_PATCHES ? patch_vertices
                                       : modes[mode].num_vertices;
}

/* Vertices of the first primitive. */
static uint32_t
num_first(const struct gpu_decomposer *decomposer)
{
   return decomposer->mode == TG_PRIMITIVE_PATCHES
             ? decomposer->patch_vertices
             : modes[decomposer->mode].first;
}

void
gpu_primitives_init(struct gpu_decomposer *decomposer, enum tg_primitive mode,
                    bool first_provokes, uint32_t patch_vertices)
{
   assert((unsigned)mode <= TG_PRIMITIVE_PATCHES);
   assert(mode != TG_PRIMITIVE_PATCHES ||
          (patch_vertices >= 1 && patch_vertices <= GPU_MAX_PATCH_VERTICES));
   *decomposer = (struct gpu_decomposer){
      .mode = (uint8_t)mode,
      .first_provokes = first_provokes,
      .patch_vertices = patch_vertices,
   };
   decomposer->next = num_first(decomposer);
}

unsigned
gpu_primitives_add(struct gpu_decomposer *decomposer, uint32_t vertex,
                   struct gpu_primitive out[GPU_MAX_PRIMITIVES_AT_ONCE])
{
   const struct mode *mode = &modes[decomposer->mode];

   if (decomposer->count == 0)
      decomposer->first = vertex;
   decomposer->held[decomposer->count++ % GPU_MAX_PATCH_VERTICES] = vertex;
   if (decomposer->count != decomposer->next)
      return 0;
   decomposer->next += mode->step ? mode->step : decomposer->patch_vertices;
   return mode->pick(decomposer, decomposer->count, out);
}

unsigned
gpu_primitives_end(struct gpu_decomposer *decomposer,
                   struct gpu_primitive out[GPU_MAX_PRIMITIVES_AT_ONCE])
{
   const struct mode *mode = &modes[decomposer->mode];
   unsigned num = 0;

   if (mode->at_end && decomposer->count >= mode->least)
      num = mode->at_end(decomposer, decomposer->count, out);
   decomposer->count = 0;
   decomposer->next = num_first(decomposer);
   return num;
}
