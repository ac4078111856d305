/* SPDX-License-Identifier: MIT
 *
 * Destination forwarding (copy propagation backwards): a move to an export or
 * to another register goes, and what computed its value writes there itself.
 * The lanes of a move may come from several operations, if all of them can;
 * from what is written under a predicate, and what was there. One whose result
 * only the move reads may have its lanes permuted, and takes the move's
 * saturation; any other must have just the lanes of the move, and goes on
 * writing its register as well.
 */
#include "tegra/optimize/local.h"
#include "tegra/optimize/optimize.h"

enum { MAX_PRODUCERS = 8 };

/* An operation that computes some lanes of the move. */
struct producer {
   uint32_t index;
   unsigned lanes;   /* of the move */
   unsigned swizzle; /* the producer's lane for each */
};

struct forward {
   const struct local *local;
   uint32_t move; /* index of the move */
   struct producer producers[MAX_PRODUCERS];
   unsigned num_producers;
};

static bool
is_plain_move(const struct mir_op *op)
{
   return mir_is_move(op) && !op->predicate.enabled && !op->sets_condition &&
          !op->export_relative && op->source[0].file == MIR_TEMPORARY &&
          !op->source[0].negate && !op->source[0].absolute &&
          (op->temporary == MIR_NONE || op->export_index == TEGRA_NO_EXPORT);
}

/* ---- may it? ------------------------------------------------------------- */

/* Does only the move read what the operation writes? */
static bool
is_only_for_move(const struct forward *forward, const struct mir_op *op,
                 uint32_t index)
{
   const struct local *local = forward->local;

   return !local_is_read(local, index + 1, forward->move, op->temporary,
                         op->mask) &&
          !local_needed(local, forward->move, op->temporary, op->mask);
}

static bool
lanes_stay(const struct producer *producer)
{
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(producer->lanes, i) &&
          tegra_swizzle_get(producer->swizzle, i) != i)
         return false;
   }
   return true;
}

/* Is the place that the move writes free from the operation to it? */
static bool
is_free_between(const struct forward *forward, const struct producer *producer)
{
   const struct local *local = forward->local;
   const struct mir_op *move = &local->block->ops[forward->move];
   uint32_t location =
      move->temporary != MIR_NONE
         ? move->temporary
         : local->mir->num_temporaries + MIR_PLACE_EXPORT + move->export_index;

   return !local_is_written(local, producer->index + 1, forward->move, location,
                            producer->lanes) &&
          !local_is_read(local, producer->index + 1, forward->move, location,
                         producer->lanes);
}

static bool
can_forward(const struct forward *forward, const struct producer *producer)
{
   const struct local *local = forward->local;
   const struct mir_op *move = &local->block->ops[forward->move];
   const struct mir_op *op = &local->block->ops[producer->index];
   unsigned result = mir_info(op)->result;
   bool only = is_only_for_move(forward, op, producer->index);

   if (op->sets_condition || op->export_index != TEGRA_NO_EXPORT ||
       !is_free_between(forward, producer))
      return false;
   if (result == TEGRA_RESULT_VEC && !lanes_stay(producer))
      return false;
   if (only)
      return true;
   return move->temporary == MIR_NONE && !op->predicate.enabled &&
          op->mask == producer->lanes &&
          (result == TEGRA_RESULT_REPL || lanes_stay(producer)) &&
          (!move->saturate || op->saturate);
}

/* ---- doing it ------------------------------------------------------------ */

static void
do_forward(struct forward *forward, const struct producer *producer)
{
   struct mir_op *ops = forward->local->block->ops;
   const struct mir_op *move = &ops[forward->move];
   struct mir_op *op = &ops[producer->index];
   bool only = is_only_for_move(forward, op, producer->index);

   if (only) {
      op->temporary = move->temporary;
      op->mask = (uint8_t)producer->lanes;
      op->saturate |= move->saturate;
      op->predicate.swizzle =
         (uint8_t)tegra_swizzle_of(producer->swizzle, op->predicate.swizzle);
      for (unsigned i = 0;
           i < mir_num_sources(op) && mir_info(op)->reads == TEGRA_READS_MASK;
           i++)
         op->source[i] = mir_swizzle(op->source[i], producer->swizzle);
   }
   op->export_index = move->export_index;
}

/* Lane `lane` of the move comes from operation `index`. False when those are
 * too many. */
static bool
add_producer(struct forward *forward, uint32_t index, unsigned lane,
             unsigned swizzle)
{
   unsigned i = 0;

   while (i < forward->num_producers && forward->producers[i].index != index)
      i++;
   if (i == MAX_PRODUCERS)
      return false;
   if (i == forward->num_producers)
      forward->producers[forward->num_producers++] =
         (struct producer){index, 0, swizzle};
   forward->producers[i].lanes |= tegra_mask_bit(lane);
   return true;
}

/* Finds all that compute lanes of the move. False when they are not all in the
 * block. */
static bool
find_producers(struct forward *forward)
{
   const struct local *local = forward->local;
   const struct mir_op *move = &local->block->ops[forward->move];
   unsigned swizzle = move->source[0].swizzle;

   for (unsigned i = 0; i < 4; i++) {
      uint32_t index = forward->move;

      if (!tegra_mask_has(move->mask, i))
         continue;
      do {
         index = local_writer(local, index, move->source[0].index,
                              tegra_swizzle_get(swizzle, i));
         if (index == LOCAL_NONE || !add_producer(forward, index, i, swizzle))
            return false;
      } while (local->block->ops[index].predicate.enabled);
   }
   return true;
}

static bool
forward_move(struct forward *forward)
{
   struct mir_op *move = &forward->local->block->ops[forward->move];

   if (!is_plain_move(move) || !find_producers(forward))
      return false;
   for (unsigned i = 0; i < forward->num_producers; i++) {
      if (!can_forward(forward, &forward->producers[i]))
         return false;
   }
   for (unsigned i = 0; i < forward->num_producers; i++)
      do_forward(forward, &forward->producers[i]);
   local_remove(move);
   return true;
}

static bool
forward_at(const struct local *local, uint32_t index)
{
   return forward_move(&(struct forward){.local = local, .move = index});
}

enum tg_result
optimize_forward(struct mir *mir, bool *changed)
{
   return local_each(mir, forward_at, changed);
}
