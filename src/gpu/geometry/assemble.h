/* SPDX-License-Identifier: MIT
 *
 * Primitive assembly: draws are cut into parts, each with the vertices that are
 * to be shaded and the primitives that they form. Within a part each vertex is
 * shaded once, whichever indices lead to it.
 *
 * How draws are cut depends on nothing but the draws. Threads take turns to
 * cut; what a part consists of is found afterwards, by each thread for itself,
 * where primitives follow from their numbers.
 */
#ifndef TG_GPU_ASSEMBLE_H
#define TG_GPU_ASSEMBLE_H

#include "exec/exec.h"
#include "gpu/geometry/draws.h"
#include "gpu/geometry/primitive.h"
#include "gpu/geometry/stream.h"
#include "gpu/geometry/topology.h"

enum {
   GPU_ASSEMBLY_VERTICES = 3072,
   GPU_ASSEMBLY_UNINDEXED = 1536, /* of these where none is used twice */
   GPU_ASSEMBLY_PRIMITIVES = 1024,
   GPU_ASSEMBLY_CORNERS = 4096, /* vertices of all primitives */
   GPU_ASSEMBLY_PLACES = 8192,  /* twice as many as vertices, or more */
   GPU_ASSEMBLY_READ = 1 << 16,
   /* Vertices that all primitives of one become in later stages, unless one,
    * or the two of a quad, become more. */
   GPU_ASSEMBLY_AMPLIFIED = 1 << 14,
};

/* How far a draw has been cut. */
struct gpu_cursor {
   struct gpu_range range;
   uint32_t instance;
   uint32_t next;    /* vertex or index of the instance */
   uint32_t num_ids; /* primitives of the instance that have one */
};

/* A part of one draw. */
struct gpu_assembly {
   bool is_indexed;
   uint32_t base_vertex; /* of unindexed draws the first */
   uint32_t start_instance, draw_id;
   uint32_t num_read;  /* vertices or indices, restarts too */
   uint32_t num_restarts;
   uint32_t num_ends;  /* of instances */
   uint32_t num_whole; /* primitives; a quad or polygon is one */

   uint32_t num_vertices;
   uint32_t vertex[GPU_ASSEMBLY_VERTICES]; /* with the base */
   uint32_t instance[GPU_ASSEMBLY_VERTICES];

   uint32_t num_primitives;
   uint32_t vertices_per_primitive;
   uint16_t corner[GPU_ASSEMBLY_CORNERS]; /* places in `vertex` */
   struct gpu_stream_primitive primitives[GPU_ASSEMBLY_PRIMITIVES];

   /* Until it is filled. */
   bool is_plain; /* it is made of runs, from here on: */
   struct gpu_cursor begin;
   uint32_t num_taken; /* vertices of the runs, each of them counted */
   /* An open hash table of places in it, plus 1, or 0. At most half of its
    * entries, a power of two, get used. */
   uint32_t num_places;
   uint16_t place[GPU_ASSEMBLY_PLACES];
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
   struct exec_memory indices;          /* if there are any */
   const struct gpu_topology *topology; /* NULL: vertex by vertex */
   uint32_t vertices_per_primitive;
   uint32_t max_primitives; /* of an assembly; a quad's second is let in */
   uint32_t max_taken;      /* vertices of an assembly's runs */
   uint32_t num_places;     /* of an assembly's table */

   uint32_t next_draw;
   bool is_within; /* a draw: */
   bool is_plain;  /* runs of primitives follow from their numbers */
   struct gpu_cursor at;
   struct gpu_decomposer decomposer; /* where it is not plain */
};

void
gpu_assembler_init(struct gpu_assembler *assembler,
                   const struct gpu_draws *draws,
                   const struct gpu_assembler_options *options);

/* Cuts the next part, which may be without primitives, into an assembly that
 * is to be filled. False when there is nothing left. */
bool
gpu_assembler_cut(struct gpu_assembler *assembler,
                  struct gpu_assembly *assembly);

/* Fills a part that was cut. Any number of threads may do so, each with an
 * assembly of its own, while another one cuts. */
void
gpu_assembler_fill(const struct gpu_assembler *assembler,
                   struct gpu_assembly *assembly);

#endif
