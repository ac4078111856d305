/* SPDX-License-Identifier: MIT
 *
 * Splitting of vector operations: what is only moved to exports, in parts, is
 * computed where each part is wanted, if something of the same kind is computed
 * there for other components: the vectorizer (merge.c) then makes one operation
 * of both, which were two moves.
 */
#include <assert.h>

#include "tegra/optimize/local.h"
#include "tegra/optimize/optimize.h"

struct spread {
   const struct local *local;
   uint32_t index; /* of the operation whose result is moved */
};

static bool
is_plain_move(const struct mir_op *op)
{
   return mir_is_move(op) && op->temporary == MIR_NONE &&
          op->export_index != TEGRA_NO_EXPORT && !op->export_relative &&
          !op->predicate.enabled && !op->sets_condition &&
          op->source[0].file == MIR_TEMPORARY && !op->source[0].negate &&
          !op->source[0].absolute;
}

static bool
is_candidate(const struct mir_op *op)
{
   return mir_info(op)->result == TEGRA_RESULT_COMP &&
          mir_info(op)->reads == TEGRA_READS_MASK && !mir_is_move(op) &&
          !op->sets_condition && !op->predicate.enabled &&
          op->export_index == TEGRA_NO_EXPORT && !op->export_relative &&
          op->temporary != MIR_NONE;
}

/* ---- is there something to be merged with? ------------------------------- */

static bool
is_alike(const struct mir_op *a, const struct mir_op *b)
{
   if (a->unit != b->unit || a->opcode != b->opcode)
      return false;
   for (unsigned i = 0; i < mir_num_sources(a); i++) {
      const struct mir_source *x = &a->source[i], *y = &b->source[i];
      bool are_literals = x->file == MIR_LITERAL && y->file == MIR_LITERAL;

      if (x->negate != y->negate || x->absolute != y->absolute ||
          (!are_literals && !mir_same_register(x, y)))
         return false;
   }
   return true;
}

/* Does something alike write other components of the export that the move
 * writes, or is it moved there? */
static bool
has_partner(const struct spread *spread, const struct mir_op *move)
{
   const struct local *local = spread->local;
   const struct mir_block *block = local->block;
   const struct mir_op *op = &block->ops[spread->index];

   for (uint32_t i = 0; i < block->num_ops; i++) {
      const struct mir_op *other = &block->ops[i];
      bool saturates = other->saturate;

      if (other == move || other->export_index != move->export_index ||
          (other->mask & move->mask))
         continue;
      if (is_plain_move(other)) {
         uint32_t producer = local_producer(local, i, 0);

         if (producer == spread->index || producer == LOCAL_NONE)
            continue;
         other = &block->ops[producer];
         saturates |= other->saturate;
      }
      if (is_alike(op, other) && saturates == (op->saturate || move->saturate))
         return true;
   }
   return false;
}

/* ---- may it? ------------------------------------------------------------- */

/* Could the operation stand where the move does? */
static bool
can_move(const struct spread *spread, uint32_t to)
{
   const struct local *local = spread->local;
   const struct mir_op *op = &local->block->ops[spread->index];

   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      if (!local_is_kept(local, &op->source[i], mir_components_read(op, i),
                         spread->index, to))
         return false;
   }
   return local_producer(local, to, 0) == spread->index;
}

static bool
reads(const struct spread *spread, uint32_t index)
{
   const struct mir_op *op = &spread->local->block->ops[spread->index];

   return local_is_read(spread->local, index, index + 1, op->temporary,
                        op->mask);
}

/* Do only such moves read it, and is it worth it for one of them? */
static bool
can_spread(const struct spread *spread)
{
   const struct local *local = spread->local;
   const struct mir_block *block = local->block;
   const struct mir_op *op = &block->ops[spread->index];
   bool is_worth = false;

   if (local->at_end[op->temporary] & op->mask)
      return false;
   for (uint32_t i = spread->index + 1; i < block->num_ops; i++) {
      if (!reads(spread, i))
         continue;
      if (!is_plain_move(&block->ops[i]) || !can_move(spread, i))
         return false;
      is_worth |= has_partner(spread, &block->ops[i]);
   }
   return is_worth;
}

/* ---- doing it ------------------------------------------------------------ */

static struct mir_op
part(const struct mir_op *op, const struct mir_op *move)
{
   struct mir_op result = *move;

   result.unit = op->unit;
   result.opcode = op->opcode;
   result.saturate |= op->saturate;
   for (unsigned i = 0; i < mir_num_sources(op); i++)
      result.source[i] = mir_swizzle(op->source[i], move->source[0].swizzle);
   return result;
}

static bool
spread_at(const struct local *local, uint32_t index)
{
   const struct spread spread = {local, index};
   struct mir_block *block = local->block;
   assert(index < block->num_ops);
   struct mir_op *op = &block->ops[index];

   if (!is_candidate(op) || !can_spread(&spread))
      return false;
   for (uint32_t i = index + 1; i < block->num_ops; i++) {
      if (reads(&spread, i))
         block->ops[i] = part(op, &block->ops[i]);
   }
   local_remove(op);
   return true;
}

enum tg_result
optimize_spread(struct mir *mir, bool *changed)
{
   return local_each(mir, spread_at, changed);
}
