/* SPDX-License-Identifier: MIT
 *
 * Edmonds' blossom algorithm. A search goes from a vertex without a mate along
 * alternating paths, whose every second edge is of the matching. Where it meets
 * itself in a circle of odd length, a blossom, each vertex of that can be
 * reached by an even number of edges. An augmenting path, to another vertex without
 * a mate, changes roles with the matching and makes it larger by one.
 */
#include "tegra/schedule/matching.h"

#include <string.h>

#include "tegra/schedule/rows.h"

bool
matching_start(struct matching *matching, const uint64_t *edges,
               uint32_t num_vertices, uint32_t row_size, struct tg_arena *arena)
{
   uint32_t *numbers =
      tg_arena_array(arena, num_vertices, 4 * sizeof(uint32_t));
   uint64_t *rows = tg_arena_array(arena, row_size, 4 * sizeof(uint64_t));

   if (!numbers || !rows)
      return false;
   *matching = (struct matching){
      .edges = edges,
      .num_vertices = num_vertices,
      .row_size = row_size,
      .mates = numbers,
      .parents = numbers + num_vertices,
      .bases = numbers + 2 * (size_t)num_vertices,
      .queue = numbers + 3 * (size_t)num_vertices,
      .present = rows,
      .even = rows + row_size,
      .blossom = rows + 2 * (size_t)row_size,
      .single = rows + 3 * (size_t)row_size,
   };
   memset(matching->mates, 0xff, num_vertices * sizeof(*matching->mates));
   return true;
}

/* ---- blossoms ------------------------------------------------------------ */

static void
reach(struct matching *matching, uint32_t vertex)
{
   if (row_has(matching->even, vertex))
      return;
   row_set(matching->even, vertex);
   matching->queue[matching->num_queued++] = vertex;
}

/* The blossom two edges nearer to the root, or MATCHING_NONE. */
static uint32_t
step_back(const struct matching *matching, uint32_t base)
{
   uint32_t mate = matching->mates[base];

   return mate == MATCHING_NONE ? MATCHING_NONE
                                : matching->bases[matching->parents[mate]];
}

/* Where the ways from the root to two vertices part. */
static uint32_t
find_fork(struct matching *matching, uint32_t a, uint32_t b)
{
   uint64_t *passed = matching->blossom;

   memset(passed, 0, matching->row_size * sizeof(*passed));
   for (a = matching->bases[a]; a != MATCHING_NONE; a = step_back(matching, a))
      row_set(passed, a);
   for (b = matching->bases[b]; !row_has(passed, b);)
      b = step_back(matching, b);
   return b;
}

/* Notes the blossoms between a vertex and the fork. Who comes along there to an
 * odd vertex from now on comes from `next`. */
static void
fold_way(struct matching *matching, uint32_t vertex, uint32_t fork,
         uint32_t next)
{
   while (matching->bases[vertex] != fork) {
      uint32_t mate = matching->mates[vertex];

      row_set(matching->blossom, matching->bases[vertex]);
      row_set(matching->blossom, matching->bases[mate]);
      matching->parents[vertex] = next;
      next = mate;
      vertex = matching->parents[mate];
   }
}

/* An edge between two vertices that are both even. */
static void
contract(struct matching *matching, uint32_t a, uint32_t b)
{
   uint32_t fork = find_fork(matching, a, b);

   memset(matching->blossom, 0, matching->row_size * sizeof(uint64_t));
   fold_way(matching, a, fork, b);
   fold_way(matching, b, fork, a);
   for (uint32_t i = 0; i < matching->num_vertices; i++) {
      if (!row_has(matching->blossom, matching->bases[i]))
         continue;
      matching->bases[i] = fork;
      reach(matching, i);
   }
}

/* ---- searches ------------------------------------------------------------ */

/* Goes along the edge to `to`; true when that is another vertex without a mate.
 */
static bool
follow(struct matching *matching, uint32_t from, uint32_t to)
{
   if (matching->bases[from] == matching->bases[to] ||
       matching->mates[from] == to)
      return false;
   if (row_has(matching->even, to)) {
      contract(matching, from, to);
   } else if (matching->parents[to] == MATCHING_NONE) {
      matching->parents[to] = from;
      if (matching->mates[to] == MATCHING_NONE)
         return true;
      reach(matching, matching->mates[to]);
   }
   return false;
}

/* Another vertex without a mate to which there is a path from `root`, or
 * MATCHING_NONE. */
static uint32_t
search(struct matching *matching, uint32_t root)
{
   memset(matching->even, 0, matching->row_size * sizeof(uint64_t));
   memset(matching->parents, 0xff, matching->num_vertices * sizeof(uint32_t));
   for (uint32_t i = 0; i < matching->num_vertices; i++)
      matching->bases[i] = i;
   matching->num_queued = 0;
   reach(matching, root);
   for (uint32_t i = 0; i < matching->num_queued; i++) {
      uint32_t from = matching->queue[i];
      const uint64_t *row = matching->edges + (size_t)from * matching->row_size;

      for (uint32_t j = 0; j < matching->row_size; j++) {
         for (uint64_t set = row[j] & matching->present[j]; set;
              set &= set - 1) {
            uint32_t to = 64 * j + (uint32_t)__builtin_ctzll(set);

            if (follow(matching, from, to))
               return to;
         }
      }
   }
   return MATCHING_NONE;
}

/* One of `set` that is joined to a vertex, or MATCHING_NONE. */
static uint32_t
find_neighbour(const struct matching *matching, uint32_t vertex,
               const uint64_t *set)
{
   const uint64_t *row = matching->edges + (size_t)vertex * matching->row_size;

   for (uint32_t i = 0; i < matching->row_size; i++) {
      if (row[i] & set[i])
         return 64 * i + (uint32_t)__builtin_ctzll(row[i] & set[i]);
   }
   return MATCHING_NONE;
}

/* Makes the edges of the path from the root to `to` those of the matching that
 * were not, and the other way around. */
static void
take_path(struct matching *matching, uint32_t root, uint32_t to)
{
   row_clear(matching->single, root);
   row_clear(matching->single, to);
   while (to != MATCHING_NONE) {
      uint32_t from = matching->parents[to];
      uint32_t next = matching->mates[from];

      matching->mates[to] = from;
      matching->mates[from] = to;
      to = next;
   }
   matching->size++;
}

void
matching_add(struct matching *matching, uint32_t vertex)
{
   uint32_t to = find_neighbour(matching, vertex, matching->single);
   bool is_alone =
      find_neighbour(matching, vertex, matching->present) == MATCHING_NONE;

   row_set(matching->present, vertex);
   row_set(matching->single, vertex);
   if (to != MATCHING_NONE)
      matching->parents[to] = vertex;
   else if (!is_alone)
      to = search(matching, vertex);
   if (to != MATCHING_NONE)
      take_path(matching, vertex, to);
}

void
matching_find_inessential(struct matching *matching, uint64_t *inessential)
{
   for (uint32_t i = 0; i < matching->num_vertices; i++) {
      if (!row_has(matching->single, i))
         continue;
      search(matching, i);
      row_add(inessential, matching->even, matching->row_size);
   }
}
