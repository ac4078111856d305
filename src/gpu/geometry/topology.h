/* SPDX-License-Identifier: MIT
 *
 * Primitive assembly in closed form: topologies of which primitive n is known
 * from n alone (points, lines, triangles, their strips, and fans), a run of
 * primitives at a time. All others, and what has restarts, are decomposed
 * vertex by vertex; see primitive.h, which gives the same primitives for these.
 */
#ifndef TG_GPU_TOPOLOGY_H
#define TG_GPU_TOPOLOGY_H

#include "gpu/geometry/stream.h"
#include "tgsi/tables/tables.h"

/* Primitives of one instance: numbers `first` to `first + count - 1`. */
struct gpu_primitive_run {
   uint32_t first, count;
   bool first_provokes;
};

struct gpu_topology {
   uint8_t num_vertices; /* of a primitive */
   uint8_t step;         /* vertices from one primitive to the next */
   bool has_hub;         /* vertex 0 is in all primitives */
   /* Places of the vertices of a run become corners, primitive by primitive:
    * place[i] is that of vertex first * step + i, but where there is a hub
    * place[0] is the hub's, and the others follow from vertex first + 1 on. */
   void (*write)(const struct gpu_primitive_run *run, const uint16_t *place,
                 uint16_t *corner, struct gpu_stream_primitive *primitives);
};

/* NULL: primitives of that mode do not follow from their number. */
const struct gpu_topology *
gpu_topology_of(enum tg_primitive mode);

/* Primitives that so many vertices make. */
static inline uint32_t
gpu_topology_primitives(const struct gpu_topology *topology,
                        uint32_t num_vertices)
{
   return num_vertices < topology->num_vertices
             ? 0
             : (num_vertices - topology->num_vertices) / topology->step + 1;
}

/* Vertices of a run of `count` primitives, at least 1. */
static inline uint32_t
gpu_topology_vertices(const struct gpu_topology *topology, uint32_t count)
{
   return (count - 1) * topology->step + topology->num_vertices;
}

#endif
