/* SPDX-License-Identifier: MIT
 *
 * Vectorization within a block: operations that do the same to different
 * components become one: of one register or export, or of two registers, which
 * become one as well. So may registers that they read: nothing is lost where x
 * of one is y of another, if both together have no more than four components.
 */
#include "tegra/optimize/local.h"
#include "tegra/optimize/optimize.h"
#include "tegra/optimize/unite.h"
#include "util/minmax.h"

enum { WINDOW = 48 }; /* operations after one that it is compared with */

struct merge {
   struct local local;
   struct unite unite;
   uint32_t first, second; /* operations of the block */
};

/* ---- do they match? ------------------------------------------------------ */

static bool
is_candidate(const struct mir_op *op)
{
   return mir_info(op)->result == TEGRA_RESULT_COMP &&
          mir_info(op)->reads == TEGRA_READS_MASK && !op->sets_condition &&
          !op->export_relative && !op->predicate.enabled;
}

static bool
sources_match(const struct merge *merge, const struct mir_source *a,
              const struct mir_source *b)
{
   if (a->negate != b->negate || a->absolute != b->absolute)
      return false;
   if (a->file == MIR_LITERAL || b->file == MIR_LITERAL)
      return a->file == b->file;
   if (mir_same_register(a, b))
      return true;
   return a->file == MIR_TEMPORARY && b->file == MIR_TEMPORARY &&
          unite_can(&merge->unite, a->index, b->index);
}

/* MIN and MAX do not: of two zeros they give the second. */
static bool
all_sources_match(const struct merge *merge, const struct mir_op *a,
                  const struct mir_op *b)
{
   for (unsigned i = 0; i < mir_num_sources(a); i++) {
      if (!sources_match(merge, &a->source[i], &b->source[i]))
         return false;
   }
   return true;
}

static bool
destinations_match(const struct merge *merge, const struct mir_op *a,
                   const struct mir_op *b)
{
   if (a->export_index != b->export_index)
      return false;
   if (a->temporary == b->temporary)
      return !(a->mask & b->mask);
   return a->export_index == TEGRA_NO_EXPORT &&
          unite_can(&merge->unite, a->temporary, b->temporary);
}

/* ---- may they meet? ------------------------------------------------------ */

static bool
is_untouched(const struct local *local, const struct mir_op *op, uint32_t from,
             uint32_t to)
{
   uint32_t export =
      local->mir->num_temporaries + MIR_PLACE_EXPORT + op->export_index;

   if (op->temporary != MIR_NONE &&
       (local_is_written(local, from, to, op->temporary, op->mask) ||
        local_is_read(local, from, to, op->temporary, op->mask)))
      return false;
   return op->export_index == TEGRA_NO_EXPORT ||
          !local_is_written(local, from, to, export, op->mask);
}

static bool
sources_are_kept(const struct local *local, const struct mir_op *op,
                 uint32_t from, uint32_t to)
{
   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      if (!local_is_kept(local, &op->source[i], mir_components_read(op, i),
                         from, to))
         return false;
   }
   return true;
}

/* The second goes up to the first, or the first down to the second. */
static bool
can_meet(const struct merge *merge, bool *goes_up_out)
{
   const struct local *local = &merge->local;
   const struct mir_op *a = &local->block->ops[merge->first];
   const struct mir_op *b = &local->block->ops[merge->second];
   uint32_t between = merge->first + 1;

   if (!sources_are_kept(local, b, merge->first, between))
      return false; /* it reads what the first writes */
   *goes_up_out = sources_are_kept(local, b, between, merge->second) &&
                  is_untouched(local, b, between, merge->second);
   return *goes_up_out || (sources_are_kept(local, a, between, merge->second) &&
                           is_untouched(local, a, between, merge->second));
}

/* ---- doing it ------------------------------------------------------------ */

/* Lanes of `b` into a source of `a` that now reads the same register. */
static void
add_lanes(struct mir_source *a, const struct mir_source *b, unsigned lanes)
{
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(lanes, i))
         a->literal[i] = b->literal[i];
   }
   if (a->file != MIR_LITERAL)
      a->swizzle = (uint8_t)tegra_swizzle_with(a->swizzle, lanes, b->swizzle);
}

/* The two operations are one if nothing got into the way of their registers. */
static bool
put_together(struct merge *merge, bool goes_up)
{
   struct mir_op *ops = merge->local.block->ops;
   struct mir_op *a = &ops[merge->first], *b = &ops[merge->second];
   struct mir_op op = *a;

   if (a->temporary != b->temporary || (a->mask & b->mask))
      return false;
   for (unsigned i = 0; i < mir_num_sources(a); i++) {
      if (a->source[i].file != MIR_LITERAL &&
          !mir_same_register(&a->source[i], &b->source[i]))
         return false;
      add_lanes(&op.source[i], &b->source[i], b->mask);
   }
   op.mask |= b->mask;
   ops[goes_up ? merge->first : merge->second] = op;
   local_remove(goes_up ? b : a);
   return true;
}

/* Makes one register of two that are not the same, if they still can be. */
static void
unite_if_different(struct merge *merge, uint32_t a, uint32_t b)
{
   if (a != b && unite_can(&merge->unite, a, b))
      unite_two(&merge->unite, a, b);
}

static bool
merge_two(struct merge *merge)
{
   struct mir_op *ops = merge->local.block->ops;
   struct mir_op *a = &ops[merge->first], *b = &ops[merge->second];
   struct mir_op swapped = *b;
   bool goes_up;

   if (a->unit != b->unit || a->opcode != b->opcode ||
       a->saturate != b->saturate || !is_candidate(b) ||
       !destinations_match(merge, a, b))
      return false;
   if (mir_info(b)->swaps) {
      swapped.source[0] = b->source[1];
      swapped.source[1] = b->source[0];
   }
   if (!all_sources_match(merge, a, b)) {
      if (!all_sources_match(merge, a, &swapped))
         return false;
      *b = swapped;
   }
   if (!can_meet(merge, &goes_up))
      return false;
   for (unsigned i = 0; i < mir_num_sources(a); i++) {
      if (a->source[i].file == MIR_TEMPORARY)
         unite_if_different(merge, a->source[i].index, b->source[i].index);
   }
   if (a->temporary != MIR_NONE)
      unite_if_different(merge, a->temporary, b->temporary);
   return put_together(merge, goes_up);
}

/* ---- all ----------------------------------------------------------------- */

/* Merges what operation `merge->first` can be with; returns how often. */
static unsigned
merge_with_others(struct merge *merge)
{
   const struct mir_block *block = merge->local.block;
   uint32_t end = tg_min_u32(block->num_ops, merge->first + 1 + WINDOW);
   unsigned merges = 0;

   for (merge->second = merge->first + 1; merge->second < end;
        merge->second++) {
      if (!is_candidate(&block->ops[merge->first]))
         break;
      if (!merge_two(merge))
         continue;
      unite_look(&merge->unite);
      merges++;
   }
   return merges;
}

enum tg_result
optimize_merge(struct mir *mir, bool *changed)
{
   struct merge merge = {.first = 0};
   bool started = local_start(&merge.local, mir);

   started = started && unite_start(&merge.unite, mir, &merge.local.arena);
   for (uint32_t i = 0; i < mir->num_blocks && started; i++) {
      local_enter(&merge.local, i);
      for (merge.first = 0; merge.first < mir->blocks[i].num_ops; merge.first++)
         *changed |= merge_with_others(&merge) > 0;
   }
   local_finish(&merge.local);
   return started ? TG_OK : TG_ERROR_MEMORY;
}
