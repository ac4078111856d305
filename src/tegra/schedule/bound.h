/* SPDX-License-Identifier: MIT
 *
 * Lower bounds on the number of words that the operations of a block take: what
 * no scheduler beats.
 */
#ifndef TEGRA_SCHEDULE_BOUND_H
#define TEGRA_SCHEDULE_BOUND_H

#include "tegra/schedule/dag.h"

enum { BOUND_MAX_OPS = 64 };

/* Of operations whose numbers are bits. No two that share a word are both
 * outside of `cover`, unless both are in the same one of `groups`. */
struct bound_cover {
   uint64_t cover, groups[BOUND_MAX_OPS / 2];
   uint32_t num_groups;
};

struct bound {
   uint32_t words; /* that all operations take at least */
   /* What follows is for what is left of up to BOUND_MAX_OPS operations. */
   uint64_t levels[BOUND_MAX_OPS]; /* [i]: of more than i words to the end */
   uint32_t num_levels;
   uint64_t inessential; /* that some maximum matching leaves out */
   struct bound_cover covers[3];
};

/* A lower bound on the words of a block, as seen from its end. False when out
 * of memory. */
bool
bound_find(struct bound *bound, const struct dag *dag, struct tg_arena *arena);

/* Raises bound->words to what it is seen from the beginning of the block, too.
 * False when out of memory. */
bool
bound_raise(struct bound *bound, const struct dag *dag, struct tg_arena *arena);

/* Words that what is left of a block takes at least; or `enough`, or more than
 * that, if it is found to be so. */
uint32_t
bound_left(const struct bound *bound, uint64_t left, uint32_t enough);

#endif
