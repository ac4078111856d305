/* SPDX-License-Identifier: MIT
 *
 * Loop rotation: a loop that is left at its top and goes back at its bottom
 * tests at the bottom, too, and goes back from there: one branch an iteration
 * instead of two. What is tested at the top is what decides on the first
 * iteration.
 */
#include "tegra/optimize/loops.h"
#include "tegra/optimize/optimize.h"

/* Operations, without the branch, that are there twice. */
enum { MAX_TEST = 4 };

/* Is the first block a short test that leads after the loop? */
static bool
tests_at_top(const struct mir *mir, const struct loop *loop,
             struct mir_predicate *stays)
{
   const struct mir_block *top = &mir->blocks[loop->first];
   const struct mir_op *branch = mir_last(top);

   return branch && mir_info(branch)->effect == TEGRA_EFFECT_BRANCH &&
          branch->predicate.enabled && branch->target == loop->last + 1 &&
          top->num_ops - 1 <= MAX_TEST &&
          mir_opposite(&branch->predicate, stays);
}

static bool
rotate(struct mir *mir, const struct loop *loop,
       const struct mir_predicate *stays)
{
   const struct mir_block *top = &mir->blocks[loop->first];
   struct mir_op branch = *mir_last(&mir->blocks[loop->last]);

   mir->blocks[loop->last].num_ops--;
   for (uint32_t i = 0; i + 1 < top->num_ops; i++) {
      if (!mir_append(mir, loop->last, &top->ops[i]))
         return false;
   }
   branch.predicate = *stays;
   branch.target = loop->first + 1;
   return mir_append(mir, loop->last, &branch);
}

enum tg_result
optimize_rotate(struct mir *mir, bool *changed)
{
   for (uint32_t i = 0; i < mir->num_blocks && !mir->is_frugal; i++) {
      struct mir_predicate stays;
      struct loop loop;

      if (!loop_find(mir, i, &loop) ||
          mir_last(&mir->blocks[loop.last])->predicate.enabled ||
          !tests_at_top(mir, &loop, &stays))
         continue;
      *changed = mir->has_grown = true;
      if (!rotate(mir, &loop, &stays))
         return TG_ERROR_MEMORY;
   }
   return TG_OK;
}
