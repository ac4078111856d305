/* SPDX-License-Identifier: MIT
 *
 * Liveness by component, and the edges of the control-flow graph: which
 * components of which locations (reads_writes.h) are still of use, and how
 * execution goes from block to block. At the end of the program exports are of
 * use, and nothing else.
 */
#ifndef TEGRA_MIR_LIVENESS_H
#define TEGRA_MIR_LIVENESS_H

#include <assert.h>

#include "tegra/mir/reads_writes.h"

struct liveness {
   uint32_t num_locations;
   uint8_t *in; /* [block][location]: masks at its beginning */
};

/* Live-variable analysis, backwards to a fixed point. False when out of memory,
 * of which it takes what it needs from `arena`. */
bool
liveness_find(struct liveness *liveness, const struct mir *mir,
              struct tg_arena *arena);

/* Live-variable analysis without the beginnings of blocks that nothing leads
 * to, which for a program of one block takes no time. */
bool
liveness_find_between(struct liveness *liveness, const struct mir *mir,
                      struct tg_arena *arena);

/* What is live at the end of a block, into `live`, of num_locations masks. */
void
liveness_at_end(const struct liveness *liveness, const struct mir *mir,
                uint32_t block, uint8_t *live);

/* The transfer function: from after operations that run at once to before them.
 */
void
liveness_step(const struct mir *mir, const struct mir_op *ops, uint32_t num_ops,
              uint8_t *live);

/* How many operations from `index` back are in the word that ends there: an
 * operation that is paired is in one with that before it. */
static inline uint32_t
mir_word_size(const struct mir_block *block, uint32_t index)
{
   assert(index < block->num_ops);
   return block->ops[index].paired ? 2 : 1;
}

#endif
