/* SPDX-License-Identifier: MIT
 *
 * Topologies in closed form: which vertices are the corners of primitive n, and
 * which of them provokes.
 */
#include "gpu/geometry/topology.h"

#include <assert.h>
#include <string.h>

#include "util/four.h"

enum { ALL_EDGES = 7 };

/* `begins` is that of the run's first primitive. */
static void
write_primitives(const struct gpu_primitive_run *run, uint8_t provoking,
                 bool begins, bool all_begin,
                 struct gpu_stream_primitive *primitives)
{
   const struct gpu_stream_primitive two[2] = {
      {run->first, provoking, ALL_EDGES, all_begin, 0},
      {run->first + 1, provoking, ALL_EDGES, all_begin, 0},
   };
   const tg_four step = {2, 0, 2, 0};
   tg_four words;
   memcpy(&words, two, sizeof(words));
   for (uint32_t i = 0; i + 2 <= run->count; i += 2, words += step)
      memcpy(&primitives[i], &words, sizeof(words));
   if (run->count % 2)
      memcpy(&primitives[run->count - 1], &words, sizeof(*primitives));
   primitives[0].begins = begins;
}

_Static_assert(sizeof(struct gpu_stream_primitive) == 2 * sizeof(uint32_t),
               "two of them are four words");

/* Of a list, each vertex is that of one primitive. */
static void
write_list(const struct gpu_primitive_run *run, unsigned num_vertices,
           const uint16_t *place, uint16_t *corner,
           struct gpu_stream_primitive *primitives)
{
   memcpy(corner, place, run->count * num_vertices * sizeof(*corner));
   write_primitives(run, (uint8_t)(run->first_provokes ? 0 : num_vertices - 1),
                    true, true, primitives);
}

static void
write_points(const struct gpu_primitive_run *run, const uint16_t *place,
             uint16_t *corner, struct gpu_stream_primitive *primitives)
{
   write_list(run, 1, place, corner, primitives);
}

static void
write_lines(const struct gpu_primitive_run *run, const uint16_t *place,
            uint16_t *corner, struct gpu_stream_primitive *primitives)
{
   write_list(run, 2, place, corner, primitives);
}

static void
write_triangles(const struct gpu_primitive_run *run, const uint16_t *place,
                uint16_t *corner, struct gpu_stream_primitive *primitives)
{
   write_list(run, 3, place, corner, primitives);
}

/* The second line of a strip, and those after it, go on with it. */
static void
write_line_strip(const struct gpu_primitive_run *run, const uint16_t *place,
                 uint16_t *corner, struct gpu_stream_primitive *primitives)
{
   for (uint32_t i = 0; i < run->count; i++) {
      corner[i * 2] = place[i];
      corner[i * 2 + 1] = place[i + 1];
   }
   write_primitives(run, run->first_provokes ? 0 : 1, run->first == 0, false,
                    primitives);
}

/* Every second triangle is turned round; the provoking vertex stays where it
 * is. */
static void
write_triangle_strip(const struct gpu_primitive_run *run, const uint16_t *place,
                     uint16_t *corner, struct gpu_stream_primitive *primitives)
{
   const unsigned fixed = run->first_provokes ? 0 : 2;
   for (uint32_t i = 0; i < run->count; i++) {
      const uint32_t odd = (run->first + i) & 1;
      uint16_t *triangle = &corner[i * 3];
      triangle[fixed] = place[i + fixed];
      triangle[run->first_provokes ? 1 : 0] =
         place[i + (run->first_provokes ? 1 + odd : odd)];
      triangle[run->first_provokes ? 2 : 1] =
         place[i + (run->first_provokes ? 2 - odd : 1 - odd)];
   }
   write_primitives(run, (uint8_t)fixed, true, true, primitives);
}

static void
write_triangle_fan(const struct gpu_primitive_run *run, const uint16_t *place,
                   uint16_t *corner, struct gpu_stream_primitive *primitives)
{
   const unsigned hub = run->first_provokes ? 2 : 0;
   const unsigned rim = run->first_provokes ? 0 : 1;
   for (uint32_t i = 0; i < run->count; i++) {
      uint16_t *triangle = &corner[i * 3];
      triangle[hub] = place[0];
      triangle[rim] = place[i + 1];
      triangle[rim + 1] = place[i + 2];
   }
   write_primitives(run, run->first_provokes ? 0 : 2, true, true, primitives);
}

static const struct gpu_topology topologies[] = {
   /* clang-format off */
   [TG_PRIMITIVE_POINTS]         = {1, 1, false, write_points},
   [TG_PRIMITIVE_LINES]          = {2, 2, false, write_lines},
   [TG_PRIMITIVE_LINE_STRIP]     = {2, 1, false, write_line_strip},
   [TG_PRIMITIVE_TRIANGLES]      = {3, 3, false, write_triangles},
   [TG_PRIMITIVE_TRIANGLE_STRIP] = {3, 1, false, write_triangle_strip},
   [TG_PRIMITIVE_TRIANGLE_FAN]   = {3, 1, true,  write_triangle_fan},
   [TG_PRIMITIVE_PATCHES]        = {0},
   /* clang-format on */
};

const struct gpu_topology *
gpu_topology_of(enum tg_primitive mode)
{
   assert((unsigned)mode <= TG_PRIMITIVE_PATCHES);
   return topologies[mode].write ? &topologies[mode] : NULL;
}
