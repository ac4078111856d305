/* SPDX-License-Identifier: MIT
 *
 * Lower bounds on the length of a schedule, by maximum matching. Pairs of
 * operations that can share a word, in whatever order, make a graph, and words
 * with two operations a matching of it. So n operations take no fewer words
 * than n less the edges of a maximum matching. That holds of any of them, too:
 * those from which it is still h words to the end, or more, are done when h - 1
 * words are left.
 *
 * For what is left in the middle of a search a matching takes too long. A set
 * of operations that has one of each pair, a cover, is at least as large as any
 * matching, and so is what is left of it.
 */
#include "tegra/schedule/bound.h"

#include "tegra/schedule/matching.h"
#include "util/minmax.h"

/* ---- all operations ------------------------------------------------------ */

/* The height of an operation, or its depth. */
typedef uint32_t (*distance_of)(const struct dag_node *node);

static uint32_t
height_of(const struct dag_node *node)
{
   return node->height;
}

static uint32_t
depth_of(const struct dag_node *node)
{
   return node->depth;
}

/* From those that are the farthest from an end of the block to all; leaves a
 * maximum matching. */
static uint32_t
count_words(const struct dag *dag, distance_of distance,
            struct matching *matching)
{
   uint32_t most = 0, count = 0, farthest = 0;

   for (uint32_t i = 0; i < dag->num_ops; i++)
      farthest = tg_max_u32(farthest, distance(&dag->nodes[i]));
   for (uint32_t far = farthest; far > 0; far--) {
      for (uint32_t i = 0; i < dag->num_ops; i++) {
         if (distance(&dag->nodes[i]) != far)
            continue;
         matching_add(matching, i);
         count++;
      }
      most = tg_max_u32(most, count - matching->size + far - 1);
   }
   return most;
}

/* ---- covers -------------------------------------------------------------- */

/* Of each pair one is scalar, and one has no export. */
static void
find_plain_covers(struct bound *bound, const struct dag *dag)
{
   for (uint32_t i = 0; i < dag->num_ops; i++) {
      const struct dag_node *node = &dag->nodes[i];

      if (!*dag_partners(dag, i))
         continue;
      if (node->units & 1u << TEGRA_SCALAR)
         row_set(&bound->covers[0].cover, i);
      if (node->forms[0].export_index == TEGRA_NO_EXPORT)
         row_set(&bound->covers[1].cover, i);
   }
}

static uint64_t
neighbours(const struct dag *dag, uint64_t set)
{
   uint64_t all = 0;

   for (; set; set &= set - 1)
      all |= *dag_partners(dag, (uint32_t)__builtin_ctzll(set));
   return all;
}

/* By the theorem of Gallai and Edmonds the neighbours of what some maximum
 * matching leaves out are a cover but for pairs within connected parts, and no
 * cover is better for the whole. */
static void
find_best_cover(struct bound_cover *cover, const struct dag *dag,
                uint64_t inessential)
{
   uint64_t all = 0;

   for (uint32_t i = 0; i < dag->num_ops; i++)
      row_set(&all, i);
   cover->cover = neighbours(dag, inessential) & ~inessential;
   for (uint64_t rest = all & ~cover->cover; rest;) {
      uint64_t part = rest & -rest, more;

      while ((more = neighbours(dag, part) & rest & ~part) != 0)
         part |= more;
      rest &= ~part;
      if (part & (part - 1))
         cover->groups[cover->num_groups++] = part;
   }
}

/* ---- both ---------------------------------------------------------------- */

bool
bound_find(struct bound *bound, const struct dag *dag, struct tg_arena *arena)
{
   struct matching matching;

   *bound = (struct bound){.words = 0};
   if (!matching_start(&matching, dag->partners, dag->num_ops,
                       dag->depend.row_size, arena))
      return false;
   bound->words = count_words(dag, height_of, &matching);
   if (dag->num_ops > BOUND_MAX_OPS)
      return true;
   for (uint32_t i = 0; i < dag->num_ops; i++) {
      uint32_t height = dag->nodes[i].height;

      bound->num_levels = tg_max_u32(bound->num_levels, height);
      for (uint32_t j = 0; j < height; j++)
         row_set(&bound->levels[j], i);
   }
   find_plain_covers(bound, dag);
   matching_find_inessential(&matching, &bound->inessential);
   find_best_cover(&bound->covers[2], dag, bound->inessential);
   return true;
}

bool
bound_raise(struct bound *bound, const struct dag *dag, struct tg_arena *arena)
{
   struct matching matching;

   if (!matching_start(&matching, dag->partners, dag->num_ops,
                       dag->depend.row_size, arena))
      return false;
   bound->words =
      tg_max_u32(bound->words, count_words(dag, depth_of, &matching));
   return true;
}

static uint32_t
count_bits(uint64_t set)
{
   return (uint32_t)__builtin_popcountll(set);
}

/* How many pairs there can be of `left`. */
static uint32_t
count_pairs(const struct bound_cover *cover, uint64_t left)
{
   uint32_t pairs = count_bits(left & cover->cover);

   for (uint32_t i = 0; i < cover->num_groups; i++)
      pairs += count_bits(left & cover->groups[i]) / 2;
   return pairs;
}

uint32_t
bound_left(const struct bound *bound, uint64_t left, uint32_t enough)
{
   uint32_t most = 0;

   for (uint32_t i = 0;
        i < bound->num_levels && left & bound->levels[i] && most < enough;
        i++) {
      uint64_t these = left & bound->levels[i];
      uint32_t count = count_bits(these), pairs = count / 2;

      if (i + count <= most)
         continue;
      for (unsigned j = 0; j < 3; j++)
         pairs = tg_min_u32(pairs, count_pairs(&bound->covers[j], these));
      most = tg_max_u32(most, i + count - pairs);
   }
   return most;
}
