/* SPDX-License-Identifier: MIT
 *
 * Gathering of exports: a word has one export. Four products that make up a
 * position take all the exports of their words; when they are gathered in a
 * register first, moves to other exports find room beside them. And what writes
 * an export alone may share a word with another export if it writes a register,
 * and the move one with what reads another constant.
 */
#include "tegra/schedule/gather.h"

#include <string.h>

uint32_t
gather_count_exports(const struct mir_block *block)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < block->num_ops; i++)
      count += block->ops[i].export_index != TEGRA_NO_EXPORT;
   return count;
}

static bool
can_gather(const struct mir_op *op)
{
   return op->temporary == MIR_NONE && !op->predicate.enabled &&
          !op->sets_condition;
}

/* As the move comes after all others they must write other components. */
unsigned
gather_mask(const struct mir_block *block, unsigned index, uint32_t only)
{
   unsigned all = 0, gathered = 0, count = 0;

   for (uint32_t i = 0; i < block->num_ops; i++) {
      const struct mir_op *op = &block->ops[i];

      if (op->export_relative)
         return 0;
      if (op->export_index != index)
         continue;
      if (op->mask & all)
         return 0;
      all |= op->mask;
      if (only != GATHER_ALL && i != only)
         continue;
      if (!can_gather(op))
         return 0;
      gathered |= op->mask;
      count++;
   }
   return only != GATHER_ALL || count > 1 ? gathered : 0;
}

bool
gather_export(const struct mir_block *block, unsigned index, uint32_t only,
              uint32_t temporary, struct mir_block *out)
{
   unsigned mask = gather_mask(block, index, only);
   struct mir_op move = mir_op(TEGRA_VECTOR, TEGRA_VECTOR_MOV, 0);
   uint32_t last = block->num_ops - 1;
   bool jumps = block->num_ops && mir_is_jump(&block->ops[last]);

   if (!mask)
      return false;
   memcpy(out->ops, block->ops, block->num_ops * sizeof(*block->ops));
   for (uint32_t i = 0; i < block->num_ops; i++) {
      struct mir_op *op = &out->ops[i];

      if (op->export_index != index || (only != GATHER_ALL && i != only))
         continue;
      op->export_index = TEGRA_NO_EXPORT;
      op->temporary = temporary;
      move.origin = op->origin;
   }
   move.mask = (uint8_t)mask;
   move.export_index = (uint8_t)index;
   move.source[0] = (struct mir_source){
      .file = MIR_TEMPORARY,
      .swizzle = TEGRA_IDENTITY,
      .index = temporary,
   };
   out->num_ops = block->num_ops + 1;
   if (jumps)
      out->ops[last + 1] = out->ops[last];
   out->ops[jumps ? last : last + 1] = move;
   return true;
}
