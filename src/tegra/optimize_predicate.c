/* SPDX-License-Identifier: MIT
 *
 * A branch around a few operations goes, and they are done under its condition;
 * so are the two arms of an if. Only what is of use behind the if is gated: the
 * rest does no harm.
 */
#include "tegra/local.h"
#include "tegra/optimize.h"

enum { MAX_OPS = 8 }; /* in both arms */

struct arms {
   struct local local;
   uint32_t branch; /* the block that ends with it */
   struct mir_predicate taken, not_taken;
   uint32_t then, otherwise; /* blocks; `otherwise` may be MIR_NONE */
   uint32_t join;            /* where both go on */
   uint32_t *num_jumps;      /* [block]: to its beginning */
};

static bool
is_branch(const struct mir_op *op, bool conditional)
{
   return op && mir_info(op)->effect == TEGRA_EFFECT_BRANCH &&
          op->predicate.enabled == conditional;
}

/* The first block from `block` on that is not empty or is jumped to or is the
 * end. */
static uint32_t
skip_empty(const struct arms *arms, uint32_t block)
{
   const struct mir *mir = arms->local.mir;

   while (block + 1 < mir->num_blocks && block != mir->end &&
          !mir->blocks[block].num_ops && !arms->num_jumps[block])
      block++;
   return block;
}

/* ---- the shape ----------------------------------------------------------- */

/* Finds the arms of the branch that ends a block. */
static bool
find_arms(struct arms *arms)
{
   const struct mir *mir = arms->local.mir;
   const struct mir_op *branch = mir_last(&mir->blocks[arms->branch]);

   if (!is_branch(branch, true) || arms->branch == mir->end ||
       arms->branch + 1 >= mir->num_blocks ||
       !mir_opposite(&branch->predicate, &arms->not_taken))
      return false;
   arms->taken = branch->predicate;
   arms->then = skip_empty(arms, arms->branch + 1);
   arms->otherwise = MIR_NONE;
   if (arms->num_jumps[arms->then] || arms->then == mir->end ||
       arms->then + 1 >= mir->num_blocks)
      return false;

   const struct mir_op *last = mir_last(&mir->blocks[arms->then]);
   uint32_t next = skip_empty(arms, arms->then + 1);
   arms->join = branch->target;
   if (next != branch->target)
      return false;
   if (!last || !mir_is_jump(last))
      return true;
   if (!is_branch(last, false) || arms->num_jumps[next] != 1 ||
       next == mir->end || next + 1 >= mir->num_blocks)
      return false;
   arms->otherwise = next;
   arms->join = last->target;
   last = mir_last(&mir->blocks[next]);
   return (!last || !mir_is_jump(last)) &&
          skip_empty(arms, next + 1) == arms->join;
}

/* ---- the operations ------------------------------------------------------ */

static bool
is_live_in(const struct arms *arms, uint32_t block, uint32_t location,
           unsigned mask)
{
   const struct liveness *liveness = &arms->local.liveness;

   return block != MIR_NONE &&
          (liveness->in[(size_t)block * liveness->num_locations + location] &
           mask);
}

/* Is something that it writes of use outside its arm? */
static bool
is_of_use(const struct arms *arms, const struct mir_op *op)
{
   struct mir_access writes[MIR_MAX_WRITES];
   unsigned count = mir_writes(arms->local.mir, op, writes);

   if (op->export_index != TEGRA_NO_EXPORT)
      return true;
   for (unsigned i = 0; i < count; i++) {
      if (is_live_in(arms, arms->join, writes[i].location, writes[i].mask) ||
          is_live_in(arms, arms->otherwise, writes[i].location, writes[i].mask))
         return true;
   }
   return false;
}

static bool
can_predicate(const struct arms *arms, const struct mir_op *op)
{
   if (mir_is_jump(op) || mir_writes_address(op) ||
       mir_info(op)->result == TEGRA_RESULT_NONE)
      return false;
   if (op->sets_condition && op->condition == arms->taken.condition)
      return false;
   return !is_of_use(arms, op) ||
          (!op->predicate.enabled && !op->sets_condition);
}

/* Operations of an arm, without the branch at its end. */
static uint32_t
arm_size(const struct arms *arms, uint32_t block)
{
   const struct mir *mir = arms->local.mir;

   if (block == MIR_NONE)
      return 0;
   return mir->blocks[block].num_ops -
          is_branch(mir_last(&mir->blocks[block]), false);
}

static bool
can_predicate_arm(const struct arms *arms, uint32_t block)
{
   for (uint32_t i = 0; i < arm_size(arms, block); i++) {
      if (!can_predicate(arms, &arms->local.mir->blocks[block].ops[i]))
         return false;
   }
   return true;
}

static bool
append_arm(struct arms *arms, uint32_t block,
           const struct mir_predicate *predicate)
{
   struct mir *mir = arms->local.mir;

   for (uint32_t i = 0; i < arm_size(arms, block); i++) {
      struct mir_op op = mir->blocks[block].ops[i];

      if (is_of_use(arms, &op))
         op.predicate = *predicate;
      if (!mir_append(mir, arms->branch, &op))
         return false;
   }
   if (block != MIR_NONE)
      mir->blocks[block].num_ops = 0;
   return true;
}

static bool
convert(struct arms *arms, bool *changed)
{
   uint32_t size = arm_size(arms, arms->then) + arm_size(arms, arms->otherwise);

   if (size > MAX_OPS || !can_predicate_arm(arms, arms->then) ||
       !can_predicate_arm(arms, arms->otherwise))
      return true;
   *changed = true;
   arms->local.mir->blocks[arms->branch].num_ops--;
   return append_arm(arms, arms->then, &arms->not_taken) &&
          append_arm(arms, arms->otherwise, &arms->taken);
}

/* ---- all ----------------------------------------------------------------- */

static void
count_jumps(struct arms *arms)
{
   const struct mir *mir = arms->local.mir;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      const struct mir_op *op = mir_last(&mir->blocks[i]);

      if (op && op->target != MIR_NONE)
         arms->num_jumps[op->target]++;
   }
}

/* Converts one branch a round: then liveness is another. */
enum tg_result
optimize_predicate(struct mir *mir, bool *changed)
{
   struct arms arms = {.branch = 0};
   bool fine = local_start(&arms.local, mir), converted = false;

   if (fine) {
      arms.num_jumps = tg_arena_array(&arms.local.arena, mir->num_blocks,
                                      sizeof(*arms.num_jumps));
      fine = arms.num_jumps != NULL;
   }
   if (fine)
      count_jumps(&arms);
   for (; arms.branch < mir->num_blocks && fine && !converted; arms.branch++) {
      if (find_arms(&arms))
         fine = convert(&arms, &converted);
   }
   *changed |= converted;
   local_finish(&arms.local);
   return fine ? TG_OK : TG_ERROR_MEMORY;
}
