/* SPDX-License-Identifier: MIT
 *
 * Loop detection: a loop is found by its last back edge.
 */
#include "tegra/optimize/loops.h"

#include <assert.h>

static uint32_t
target_of(const struct mir *mir, uint32_t block)
{
   assert(block < mir->num_blocks);
   const struct mir_op *last = mir_last(&mir->blocks[block]);

   return last ? last->target : MIR_NONE;
}

static bool
branches_back(const struct mir *mir, uint32_t block, uint32_t first)
{
   assert(block < mir->num_blocks);
   const struct mir_op *last = mir_last(&mir->blocks[block]);

   return target_of(mir, block) == first &&
          mir_info(last)->effect == TEGRA_EFFECT_BRANCH;
}

/* Does what a block leads to fit a loop without another in it? */
static bool
is_fit(const struct mir *mir, uint32_t block, const struct loop *loop)
{
   uint32_t target = target_of(mir, block);

   if (target == MIR_NONE || target == loop->first || !loop_has(loop, target))
      return true;
   return loop_has(loop, block) && target > block;
}

bool
loop_find(const struct mir *mir, uint32_t first, struct loop *loop)
{
   *loop = (struct loop){first, mir->num_blocks};
   while (loop->last-- > first && !branches_back(mir, loop->last, first))
      ;
   if (loop->last + 1 == first || loop_has(loop, mir->end))
      return false;
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      if (!is_fit(mir, i, loop))
         return false;
   }
   return true;
}
