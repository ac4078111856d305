/* SPDX-License-Identifier: MIT
 *
 * Idiom recognition of absolute values: MAX of x and -x is read as |x| where
 * that is as good, and MIN as -|x|. It is as good where 0 and -0 are, as that
 * of the two is taken which comes second.
 */
#include <assert.h>

#include "tegra/mir/word.h"
#include "tegra/optimize/local.h"
#include "tegra/optimize/optimize.h"
#include "util/length.h"

/* ---- readers ------------------------------------------------------------- */

enum sign { BELOW_ZERO = 1 << 0, ABOVE_ZERO = 1 << 1 };

/* Is a source a literal of these signs in all lanes? */
static bool
is_literal(const struct mir_op *op, unsigned source, unsigned signs)
{
   if (op->source[source].file != MIR_LITERAL)
      return false;
   for (unsigned i = 0; i < 4; i++) {
      uint32_t word = mir_literal(&op->source[source], i);

      if (tegra_mask_has(op->mask, i) &&
          (!(word & 0x7fffffff) ||
           !(signs & (word >> 31 ? BELOW_ZERO : ABOVE_ZERO))))
         return false;
   }
   return true;
}

/* Saturation makes 0 of -0, and conditions have one zero. */
static bool
has_one_zero(const struct mir_op *op)
{
   return op->saturate ||
          (op->sets_condition && op->temporary == MIR_NONE &&
           op->export_index == TEGRA_NO_EXPORT && !op->export_relative);
}

/* Is its result the same for 0 and -0 in a source? */
static bool
forgets_sign_of_zero(const struct mir_op *op, unsigned which)
{
   if (op->unit != TEGRA_VECTOR)
      return false;
   if (mir_info(op)->truth)
      return true;
   switch (op->opcode) {
   case TEGRA_VECTOR_SSG: return true;
   case TEGRA_VECTOR_MOV:
   case TEGRA_VECTOR_MUL: return has_one_zero(op);
   case TEGRA_VECTOR_MIN:
      return has_one_zero(op) || is_literal(op, 1 - which, BELOW_ZERO);
   case TEGRA_VECTOR_MAX:
      return has_one_zero(op) || is_literal(op, 1 - which, ABOVE_ZERO);
   case TEGRA_VECTOR_ADD:
      return has_one_zero(op) ||
             is_literal(op, 1 - which, BELOW_ZERO | ABOVE_ZERO);
   case TEGRA_VECTOR_MAD:
      return has_one_zero(op) ||
             (which < 2 && is_literal(op, 2, BELOW_ZERO | ABOVE_ZERO));
   default: return false;
   }
}

/* ---- what is read -------------------------------------------------------- */

/* Is it the greater, or the lesser, of something and its negative? */
static bool
is_magnitude(const struct mir_op *op)
{
   const struct mir_source *a = &op->source[0], *b = &op->source[1];
   bool chooses =
      op->opcode == TEGRA_VECTOR_MAX || op->opcode == TEGRA_VECTOR_MIN;

   if (op->unit != TEGRA_VECTOR || !chooses || op->saturate ||
       a->file == MIR_LITERAL || !mir_same_register(a, b) ||
       a->absolute != b->absolute || a->negate == b->negate)
      return false;
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(op->mask, i) &&
          tegra_swizzle_get(a->swizzle, i) != tegra_swizzle_get(b->swizzle, i))
         return false;
   }
   return true;
}

static bool
read_magnitude(const struct local *local, uint32_t index, unsigned which)
{
   assert(index < local->block->num_ops);
   struct mir_op *op = &local->block->ops[index];
   uint32_t from = local_producer(local, index, which);

   if (from == LOCAL_NONE || !forgets_sign_of_zero(op, which))
      return false;

   const struct mir_op *magnitude = &local->block->ops[from];
   if (!is_magnitude(magnitude) ||
       !local_is_kept(local, &magnitude->source[0],
                      mir_components_read(magnitude, 0), from, index))
      return false;

   assert(which < TG_LENGTH(op->source));
   const struct mir_source *old = &op->source[which];
   struct mir_op after = *op;
   bool is_least = magnitude->opcode == TEGRA_VECTOR_MIN;

   after.source[which] = mir_swizzle(magnitude->source[0], old->swizzle);
   after.source[which].absolute = true;
   after.source[which].negate = old->negate ^ (is_least && !old->absolute);
   if (!word_can_hold(&after))
      return false;
   *op = after;
   return true;
}

static bool
read_magnitudes(const struct local *local, uint32_t index)
{
   assert(index < local->block->num_ops);
   bool changed = false;

   for (unsigned i = 0; i < mir_num_sources(&local->block->ops[index]); i++)
      changed |= read_magnitude(local, index, i);
   return changed;
}

enum tg_result
optimize_absolute(struct mir *mir, bool *changed)
{
   return local_each(mir, read_magnitudes, changed);
}
