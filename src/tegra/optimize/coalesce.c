/* SPDX-License-Identifier: MIT
 *
 * Copy coalescing: the two registers of a move become one if their live ranges
 * do not interfere: nowhere is one written while what the other holds is of
 * use. Interference is by component: those of the register that is moved to
 * become those that are read. Moves of registers to themselves go, too.
 */
#include "tegra/optimize/local.h"
#include "tegra/optimize/optimize.h"
#include "tegra/optimize/unite.h"

struct coalesce {
   struct local local;
   uint32_t from, to; /* registers of a move; `to` becomes `from` */
   unsigned mask;     /* components of `to` that the move writes */
   unsigned order;    /* what each component of `to` becomes */
};

static bool
is_candidate(const struct mir_op *op)
{
   return mir_is_move(op) && !op->saturate && !op->predicate.enabled &&
          !op->sets_condition && op->export_index == TEGRA_NO_EXPORT &&
          op->temporary != MIR_NONE && op->source[0].file == MIR_TEMPORARY &&
          !op->source[0].negate && !op->source[0].absolute;
}

static bool
moves_to_itself(const struct mir_op *op)
{
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(op->mask, i) &&
          tegra_swizzle_get(op->source[0].swizzle, i) != i)
         return false;
   }
   return op->source[0].index == op->temporary;
}

/* Components of `mask` as components of the other register. */
static unsigned
become(const struct coalesce *coalesce, unsigned mask)
{
   unsigned components = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(mask, i))
         components |= tegra_mask_bit(tegra_swizzle_get(coalesce->order, i));
   }
   return components;
}

/* Finds what the components become. False when two would become one. */
static bool
find_order(struct coalesce *coalesce, const struct mir_op *move)
{
   unsigned taken = 0, places[4];

   for (unsigned i = 0; i < 4; i++) {
      if (!tegra_mask_has(move->mask, i))
         continue;
      places[i] = tegra_swizzle_get(move->source[0].swizzle, i);
      if (tegra_mask_has(taken, places[i]))
         return false;
      taken |= tegra_mask_bit(places[i]);
   }
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(move->mask, i))
         continue;
      places[i] = 0;
      while (tegra_mask_has(taken, places[i]))
         places[i]++;
      taken |= tegra_mask_bit(places[i]);
   }
   coalesce->from = move->source[0].index;
   coalesce->to = move->temporary;
   coalesce->mask = move->mask;
   coalesce->order = tegra_swizzle(places[0], places[1], places[2], places[3]);
   return coalesce->from != coalesce->to;
}

/* Can what the operation writes into `to` be in other components? */
static bool
can_permute(const struct coalesce *coalesce, const struct mir_op *op)
{
   bool is_fixed = mir_info(op)->result == TEGRA_RESULT_VEC ||
                   op->sets_condition || op->export_index != TEGRA_NO_EXPORT;

   if (op->mask & ~coalesce->mask)
      return false;
   for (unsigned i = 0; i < 4 && is_fixed; i++) {
      if (tegra_mask_has(op->mask, i) &&
          tegra_swizzle_get(coalesce->order, i) != i)
         return false;
   }
   return true;
}

/* Does it write one of them while the other is live? `live` is after it. */
static bool
interferes(const struct coalesce *coalesce, const struct mir_op *op,
           const uint8_t *live)
{
   if (op->temporary == coalesce->to)
      return become(coalesce, op->mask) & live[coalesce->from];
   if (op->temporary == coalesce->from)
      return op->mask & become(coalesce, live[coalesce->to]);
   return false;
}

static bool
can_coalesce(struct coalesce *coalesce, const struct mir_op *move)
{
   struct local *local = &coalesce->local;
   const struct mir *mir = local->mir;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      const struct mir_block *block = &mir->blocks[i];

      local_enter(local, i);
      for (uint32_t j = block->num_ops; j-- > 0;) {
         const struct mir_op *op = &block->ops[j];

         if (op->temporary == coalesce->to && !can_permute(coalesce, op))
            return false;
         if (op != move && interferes(coalesce, op, local->at_end))
            return false;
         liveness_step(mir, op, 1, local->at_end);
      }
   }
   return true;
}

/* Takes the move away if that can be, and says whether it did. Liveness is
 * found for each, as each changes it; there are few. */
static bool
coalesce_move(struct mir *mir, struct mir_op *move, bool *out_of_memory)
{
   struct coalesce coalesce = {.from = 0};
   bool goes = moves_to_itself(move);

   if (!goes && find_order(&coalesce, move)) {
      *out_of_memory = !local_start(&coalesce.local, mir);
      goes = !*out_of_memory && can_coalesce(&coalesce, move);
      if (goes)
         unite_as(mir, coalesce.from, coalesce.to, coalesce.order);
      local_finish(&coalesce.local);
   }
   if (goes)
      local_remove(move);
   return goes;
}

enum tg_result
optimize_coalesce(struct mir *mir, bool *changed)
{
   bool out_of_memory = false;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      const struct mir_block *block = &mir->blocks[i];

      for (uint32_t j = 0; j < block->num_ops && !out_of_memory; j++) {
         if (is_candidate(&block->ops[j]))
            *changed |= coalesce_move(mir, &block->ops[j], &out_of_memory);
      }
   }
   return out_of_memory ? TG_ERROR_MEMORY : TG_OK;
}
