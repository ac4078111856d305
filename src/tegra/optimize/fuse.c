/* SPDX-License-Identifier: MIT
 *
 * Multiply-add formation: a product that is only added to something becomes
 * MAD, if that rounds twice as the two did. Not where that would make an
 * operation that reads two constants or two attributes: the copy that it takes
 * is no less than what is saved.
 */
#include <assert.h>

#include "tegra/mir/word.h"
#include "tegra/optimize/local.h"
#include "tegra/optimize/optimize.h"
#include "util/length.h"

static bool
is_vector(const struct mir_op *op, enum tegra_vector_op opcode)
{
   return op->unit == TEGRA_VECTOR && op->opcode == (uint8_t)opcode;
}

/* The sum of operation `index` whose source `which` is the product of operation
 * `from`. */
static struct mir_op
fused(const struct local *local, uint32_t index, unsigned which, uint32_t from)
{
   assert(index < local->block->num_ops);
   assert(from < local->block->num_ops);
   const struct mir_op *sum = &local->block->ops[index];
   const struct mir_op *product = &local->block->ops[from];
   assert(which < TG_LENGTH(sum->source));
   const struct mir_source *source = &sum->source[which];
   struct mir_op op = *sum;

   op.opcode = TEGRA_VECTOR_MAD;
   op.source[0] = mir_swizzle(product->source[0], source->swizzle);
   op.source[1] = mir_swizzle(product->source[1], source->swizzle);
   op.source[2] = sum->source[1 - which];
   op.source[0].negate ^= source->negate;
   return op;
}

static bool
fuse(const struct local *local, uint32_t index, unsigned which)
{
   struct mir_op *sum = &local->block->ops[index];
   uint32_t from = local_producer(local, index, which);

   if (from == LOCAL_NONE || sum->source[which].absolute)
      return false;

   const struct mir_op *product = &local->block->ops[from];
   if (!is_vector(product, TEGRA_VECTOR_MUL) || product->saturate ||
       product->export_index != TEGRA_NO_EXPORT || product->sets_condition ||
       local_is_read(local, from + 1, index, product->temporary, product->mask))
      return false;

   struct mir_op op = fused(local, index, which, from);
   bool is_other = op.source[2].file == MIR_TEMPORARY &&
                   op.source[2].index == product->temporary;
   bool overwritten =
      sum->temporary == product->temporary && !sum->predicate.enabled;
   unsigned needed =
      local_needed(local, index, product->temporary,
                   product->mask & ~(overwritten ? sum->mask : 0u));
   if (is_other || needed || !word_can_hold(&op))
      return false;
   for (unsigned i = 0; i < 2; i++) {
      if (!local_is_kept(local, &product->source[i],
                         mir_components_read(product, i), from, index))
         return false;
   }
   *sum = op;
   return true;
}

static bool
fuse_either(const struct local *local, uint32_t index)
{
   assert(index < local->block->num_ops);
   return is_vector(&local->block->ops[index], TEGRA_VECTOR_ADD) &&
          (fuse(local, index, 0) || fuse(local, index, 1));
}

enum tg_result
optimize_fuse(struct mir *mir, bool *changed)
{
   return mir->fused ? TG_OK : local_each(mir, fuse_either, changed);
}
