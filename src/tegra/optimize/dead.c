/* SPDX-License-Identifier: MIT
 *
 * Dead code elimination, by component: masks lose components that are not
 * needed, operations lose destinations, and those that are left with none go.
 */
#include "tegra/optimize/local.h"
#include "tegra/optimize/optimize.h"

/* The components of `mask` that are needed of something the operation writes.
 */
static unsigned
needed(const struct mir_op *op, const uint8_t *live, uint32_t location)
{
   return live[location] & op->mask;
}

/* Takes away destinations that are not needed; returns the components of the
 * others that are. */
static unsigned
trim_destinations(const struct mir *mir, struct mir_op *op, const uint8_t *live)
{
   uint32_t places = mir->num_temporaries;
   unsigned mask = 0, part;

   if (op->temporary != MIR_NONE) {
      mask |= part = needed(op, live, op->temporary);
      op->temporary = part ? op->temporary : MIR_NONE;
   }
   if (op->sets_condition) {
      mask |= part =
         needed(op, live, places + MIR_PLACE_CONDITION + op->condition);
      op->sets_condition = part != 0;
   }
   if (op->export_relative)
      return op->mask;
   if (op->export_index != TEGRA_NO_EXPORT) {
      mask |= part =
         needed(op, live, places + MIR_PLACE_EXPORT + op->export_index);
      op->export_index = part ? op->export_index : TEGRA_NO_EXPORT;
   }
   if (mir_info(op)->result == TEGRA_RESULT_ADDR)
      mask |= needed(op, live, places + MIR_PLACE_ADDRESS);
   return mask;
}

static bool
trim(const struct mir *mir, struct mir_op *op, const uint8_t *live)
{
   struct mir_op before = *op;

   if (mir_info(op)->result == TEGRA_RESULT_NONE)
      return false;
   op->mask &= (uint8_t)trim_destinations(mir, op, live);
   if (!op->mask)
      local_remove(op);
   return op->mask != before.mask || op->temporary != before.temporary ||
          op->export_index != before.export_index ||
          op->sets_condition != before.sets_condition;
}

enum tg_result
optimize_dead(struct mir *mir, bool *changed)
{
   struct local local;
   bool started = local_start(&local, mir);

   for (uint32_t i = 0; i < mir->num_blocks && started; i++) {
      struct mir_block *block = &mir->blocks[i];

      local_enter(&local, i);
      for (uint32_t j = block->num_ops; j-- > 0;) {
         *changed |= trim(mir, &block->ops[j], local.at_end);
         liveness_step(mir, &block->ops[j], 1, local.at_end);
      }
      local_sweep(block);
   }
   local_finish(&local);
   return started ? TG_OK : TG_ERROR_MEMORY;
}
