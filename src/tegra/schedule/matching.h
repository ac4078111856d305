/* SPDX-License-Identifier: MIT
 *
 * A maximum matching of a graph: as many edges as there can be of which no two
 * meet. Of operations that can share a word it says how few words they take at
 * least, whatever their order.
 */
#ifndef TEGRA_SCHEDULE_MATCHING_H
#define TEGRA_SCHEDULE_MATCHING_H

#include "util/arena.h"

#define MATCHING_NONE UINT32_MAX

struct matching {
   const uint64_t *edges; /* as in rows.h; symmetric */
   uint32_t num_vertices, row_size;
   uint32_t size;     /* edges */
   uint32_t *mates;   /* or MATCHING_NONE */
   uint64_t *present; /* the vertices that were added */
   uint64_t *single;  /* those of them that have no mate */
   /* Of a search: what was reached by an even number of edges, whence each
    * vertex was reached, and the blossom that it is in, by a vertex of it. */
   uint64_t *even, *blossom;
   uint32_t *parents, *bases, *queue, num_queued;
};

/* Maximum matching of a graph that grows: of no vertex yet. `edges` outlives
 * it. False when out of memory. */
bool
matching_start(struct matching *matching, const uint64_t *edges,
               uint32_t num_vertices, uint32_t row_size,
               struct tg_arena *arena);

/* Adds a vertex with its edges to those that are there; the matching stays as
 * large as can be. */
void
matching_add(struct matching *matching, uint32_t vertex);

/* Sets in `inessential` the vertices that some maximum matching leaves out. */
void
matching_find_inessential(struct matching *matching, uint64_t *inessential);

#endif
