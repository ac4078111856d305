/* SPDX-License-Identifier: MIT
 *
 * Elimination of moves that only set a condition: what computed the value sets
 * the condition itself, if it does not already. Where all components of the
 * condition are of one value, one is enough, and predicates look at that.
 */
#include <assert.h>

#include "tegra/optimize/local.h"
#include "tegra/optimize/optimize.h"

struct setting {
   const struct local *local;
   uint32_t move; /* index of the operation */
};

static uint32_t
location_of(const struct setting *setting, unsigned condition)
{
   return setting->local->mir->num_temporaries + MIR_PLACE_CONDITION +
          condition;
}

static bool
only_sets_condition(const struct mir_op *op)
{
   return op->sets_condition && !op->predicate.enabled && !op->saturate &&
          op->temporary == MIR_NONE && op->export_index == TEGRA_NO_EXPORT &&
          mir_is_move(op) && op->source[0].file == MIR_TEMPORARY &&
          !op->source[0].negate && !op->source[0].absolute;
}

/* ---- one component ------------------------------------------------------- */

/* The first operation after the move that sets the same condition register, or
 * the end of the block. */
static uint32_t
find_next_setting(const struct setting *setting, unsigned condition)
{
   const struct mir_block *block = setting->local->block;
   uint32_t index = setting->move + 1;

   while (index < block->num_ops && !(block->ops[index].sets_condition &&
                                      block->ops[index].condition == condition))
      index++;
   return index;
}

/* Is something of the condition needed after the setting that comes next? */
static bool
is_needed_later(const struct setting *setting, uint32_t end, uint32_t location)
{
   const struct local *local = setting->local;
   unsigned kept = TEGRA_MASK_XYZW;

   if (end == local->block->num_ops)
      return local->at_end[location] != 0;
   if (!local->block->ops[end].predicate.enabled)
      kept &= ~(unsigned)local->block->ops[end].mask;
   return local_needed(local, end, location, kept) != 0;
}

/* Makes the move set one component, and predicates look at it. */
static bool
narrow(struct setting *setting)
{
   struct mir_block *block = setting->local->block;
   struct mir_op *move = &block->ops[setting->move];
   uint32_t location = location_of(setting, move->condition);
   uint32_t end = find_next_setting(setting, move->condition);
   unsigned component = 4;

   for (unsigned i = 0; i < 4; i++) {
      unsigned read = tegra_swizzle_get(move->source[0].swizzle, i);

      if (!tegra_mask_has(move->mask, i))
         continue;
      if (component < 4 && component != read)
         return false;
      component = read;
   }
   if (move->mask == tegra_mask_bit(component) ||
       is_needed_later(setting, end, location))
      return false;
   for (uint32_t i = setting->move + 1; i < block->num_ops && i <= end; i++) {
      struct mir_predicate *predicate = &block->ops[i].predicate;

      if (!predicate->enabled || predicate->condition != move->condition)
         continue;
      if (mir_condition_read(&block->ops[i]) & ~move->mask)
         return false;
   }
   for (uint32_t i = setting->move + 1; i < block->num_ops && i <= end; i++) {
      struct mir_predicate *predicate = &block->ops[i].predicate;

      if (predicate->enabled && predicate->condition == move->condition)
         predicate->swizzle =
            (uint8_t)tegra_swizzle(component, component, component, component);
   }
   move->mask = (uint8_t)tegra_mask_bit(component);
   move->source[0].swizzle =
      (uint8_t)tegra_swizzle(component, component, component, component);
   return true;
}

/* ---- no move ------------------------------------------------------------- */

static bool
lanes_stay(const struct mir_op *move)
{
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(move->mask, i) &&
          tegra_swizzle_get(move->source[0].swizzle, i) != i)
         return false;
   }
   return true;
}

/* Did operation `index` set what the move does, and is it still so? */
static bool
is_set(const struct setting *setting, uint32_t index)
{
   const struct local *local = setting->local;
   const struct mir_op *move = &local->block->ops[setting->move];
   assert(index < local->block->num_ops);
   const struct mir_op *op = &local->block->ops[index];

   return op->sets_condition && op->condition == move->condition &&
          !local_is_written(local, index + 1, setting->move,
                            location_of(setting, move->condition), move->mask);
}

static bool
set_earlier(struct setting *setting)
{
   const struct local *local = setting->local;
   struct mir_op *move = &local->block->ops[setting->move];
   uint32_t location = location_of(setting, move->condition);
   uint32_t index = local_producer(local, setting->move, 0);

   if (index == LOCAL_NONE || !lanes_stay(move))
      return false;

   struct mir_op *op = &local->block->ops[index];
   if (is_set(setting, index)) {
      local_remove(move);
      return true;
   }
   if (op->sets_condition ||
       local_is_read(local, index + 1, setting->move, location, op->mask) ||
       local_is_written(local, index + 1, setting->move, location, op->mask) ||
       local_needed(local, setting->move, location, op->mask & ~move->mask))
      return false;
   op->sets_condition = true;
   op->condition = move->condition;
   local_remove(move);
   return true;
}

static bool
rewrite_setting(const struct local *local, uint32_t index)
{
   assert(index < local->block->num_ops);
   struct setting setting = {.local = local, .move = index};
   const struct mir_op *op = &local->block->ops[index];
   bool changed = false;

   if (only_sets_condition(op))
      changed = narrow(&setting);
   if (only_sets_condition(op))
      changed |= set_earlier(&setting);
   return changed;
}

enum tg_result
optimize_condition(struct mir *mir, bool *changed)
{
   return local_each(mir, rewrite_setting, changed);
}
