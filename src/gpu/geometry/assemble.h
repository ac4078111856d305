/* SPDX-License-Identifier: MIT
 *
 * Primitive assembly: draws are cut into parts, each with the vertices that are
 * to be shaded and the primitives that they form. Within a part each vertex is
 * shaded once, whichever indices lead to it.
 *
 * How draws are cut depends on nothing but the draws.
 */
#ifndef TG_GPU_ASSEMBLE_H
#define TG_GPU_ASSEMBLE_H

#include "exec/exec.h"
#include "gpu/geometry/draws.h"
#include "gpu/geometry/primitive.h"
#include "gpu/geometry/stream.h"

enum {
   GPU_ASSEMBLY_VERTICES = 512,
   GPU_ASSEMBLY_PRIMITIVES = 1024,
   GPU_ASSEMBLY_CORNERS = 4096, /* vertices of all primitives */
   GPU_ASSEMBLY_READ = 1 << 16,
   /* Vertices that all primitives of one become in later stages, unless one,
    * or the two of a quad, become more. */
   GPU_ASSEMBLY_AMPLIFIED = 1 << 14,
};

/* A part of one draw. */
struct gpu_assembly {
   bool is_indexed;
   uint32_t base_vertex; /* of unindexed draws the first */
   uint32_t start_instance, draw_id;
   uint32_t num_read;  /* vertices or indices, restarts too */
   uint32_t num_ends;  /* of instances */
   uint32_t num_whole; /* primitives; a quad or polygon is one */

   uint32_t num_vertices;
   uint32_t vertex[GPU_ASSEMBLY_VERTICES]; /* with the base */
   uint32_t instance[GPU_ASSEMBLY_VERTICES];

   uint32_t num_primitives;
   uint32_t vertices_per_primitive;
   uint16_t corner[GPU_ASSEMBLY_CORNERS]; /* places in `vertex` */
   struct gpu_stream_primitive primitives[GPU_ASSEMBLY_PRIMITIVES];
};

/* What stages after assembly want of it. */
struct gpu_assembler_options {
   bool first_provokes;
   bool keeps_adjacency; /* for a geometry shader; else it is left out */
   /* Vertices that a primitive becomes at most in the stages after vertex
    * shading; 0 where there are none. */
   uint32_t amplification;
};

struct gpu_assembler {
   const struct gpu_draws *draws;
   struct gpu_assembler_options options;
   struct exec_memory indices; /* if there are any */
   uint32_t vertices_per_primitive;
   uint32_t max_primitives; /* of an assembly; a quad's second is let in */

   uint32_t next_draw;
   bool is_within; /* a draw: */
   struct gpu_range range;
   uint32_t instance;
   uint32_t next;    /* vertex or index of the instance */
   uint32_t num_ids; /* primitives of the instance that have one */
   struct gpu_decomposer decomposer;

   /* Of the assembly that is being filled: an open hash table of places in it,
    * plus 1, or 0. At most half of its entries, a power of two, get used. */
   uint32_t num_places;
   uint16_t place[2 * GPU_ASSEMBLY_VERTICES];
};

void
gpu_assembler_init(struct gpu_assembler *assembler,
                   const struct gpu_draws *draws,
                   const struct gpu_assembler_options *options);

/* Refills an assembly; it may be without primitives. False when there is
 * nothing left. */
bool
gpu_assembler_fill(struct gpu_assembler *assembler,
                   struct gpu_assembly *assembly);

#endif
