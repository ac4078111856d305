/* SPDX-License-Identifier: MIT
 *
 * Primitive decomposition: a stream of vertices becomes points, lines,
 * triangles, primitives with adjacency and patches (OpenGL 4.6, 10.1; what is
 * no longer core in 10.1 of the compatibility profile). Quads and polygons
 * become triangles that remember which of their edges are real.
 */
#ifndef TG_GPU_PRIMITIVE_H
#define TG_GPU_PRIMITIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tgsi/tables/tables.h"

enum {
   GPU_MAX_PATCH_VERTICES = 32,
   GPU_MAX_PRIMITIVES_AT_ONCE = 2, /* that one vertex completes */
};

/* Vertices are numbers, whatever they count. Primitives with adjacency have the
 * order in which geometry shaders see them: those of a line in the middle,
 * those of a triangle at 0, 2 and 4. Triangles wind alike throughout a strip.
 */
struct gpu_primitive {
   uint32_t vertex[GPU_MAX_PATCH_VERTICES];
   uint8_t num_vertices;
   uint8_t provoking; /* which of them flat shading takes; of patches 0 */
   uint8_t edges;     /* of triangles, bit i: the edge after vertex i is real */
   bool is_more;      /* of the quad or polygon that the one before it is of */
   bool begins; /* of lines: none of the same strip, or loop, came before */
};

struct gpu_decomposer {
   uint8_t mode; /* enum tg_primitive */
   bool first_provokes;
   uint32_t patch_vertices;
   uint32_t first; /* the first vertex since the beginning or a restart */
   uint32_t count; /* vertices since then */
   uint32_t next;  /* what it is when the next primitives are whole */
   uint32_t held[GPU_MAX_PATCH_VERTICES]; /* vertex n at n % 32 */
};

/* Vertices of each primitive that comes of a mode: of quads 3.
 * `patch_vertices`, 1 to 32, is for patches alone, here and below. */
unsigned
gpu_primitive_vertices(enum tg_primitive mode, uint32_t patch_vertices);

void
gpu_primitives_init(struct gpu_decomposer *decomposer, enum tg_primitive mode,
                    bool first_provokes, uint32_t patch_vertices);

/* Takes the next vertex; the number of primitives that are whole now. */
unsigned
gpu_primitives_add(struct gpu_decomposer *decomposer, uint32_t vertex,
                   struct gpu_primitive out[GPU_MAX_PRIMITIVES_AT_ONCE]);

/* A restart, or the end of the draw: what is not whole is dropped, and what
 * waited for the end comes out. */
unsigned
gpu_primitives_end(struct gpu_decomposer *decomposer,
                   struct gpu_primitive out[GPU_MAX_PRIMITIVES_AT_ONCE]);

#endif
