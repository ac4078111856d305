/* SPDX-License-Identifier: MIT
 *
 * If-conversion: a short branch becomes predicated operations; so do the two
 * arms of an if, one after the other. Only what would change something that is
 * of use on the other way is gated. So the arm that comes first is mostly not
 * gated at all, and may be the one that was made of an if itself: nested arms
 * are converted from the inside out.
 *
 * What an arm tests itself goes to another component of the condition register.
 * Or it is tested under the outer condition, and into its place: then it is not
 * zero where both are not.
 */
#include <assert.h>

#include "tegra/optimize/local.h"
#include "tegra/optimize/optimize.h"

/* In both arms. Of programs with branches fewest words are executed with 3, and
 * fewest there are with 8; with 5 either is less than 1 % more. */
enum { MAX_OPS = 5 };

struct arms {
   struct local local;
   uint32_t branch; /* the block that ends with it */
   struct mir_predicate taken, not_taken;
   uint32_t then, otherwise;   /* blocks; `otherwise` may be MIR_NONE */
   uint32_t join;              /* where both go on */
   bool leaves;                /* both end with the same branch, to there */
   uint32_t *num_jumps;        /* [block]: to its beginning */
   struct mir_op ops[MAX_OPS]; /* what they become */
   uint32_t num_ops;
};

/* An arm, as it is done whether or not the branch leads to it. */
struct arm {
   uint32_t block;
   uint32_t other;            /* where the other way goes on meanwhile */
   struct mir_predicate when; /* it should be done */
   bool is_last;              /* `when` is of no use after it */
   /* A component of its condition register that the arm sets, and what is set
    * instead from then on; 4: none. */
   unsigned set, instead;
   bool is_joint; /* `instead` is that of `when`, and holds where both do */
};

static bool
is_branch(const struct mir_op *op, bool conditional)
{
   return op && mir_info(op)->effect == TEGRA_EFFECT_BRANCH &&
          op->predicate.enabled == conditional;
}

/* ---- the shape ----------------------------------------------------------- */

/* Can only a branch or the block above lead to it, and does it go on? */
static bool
is_arm(const struct arms *arms, uint32_t block, uint32_t num_jumps)
{
   const struct mir *mir = arms->local.mir;

   return block != mir->end && block + 1 < mir->num_blocks &&
          arms->num_jumps[block] == num_jumps;
}

/* Where a block goes on, always; or MIR_NONE. */
static uint32_t
goes_on_at(const struct mir *mir, uint32_t block)
{
   assert(block < mir->num_blocks);
   const struct mir_op *last = mir_last(&mir->blocks[block]);

   if (!last || !mir_is_jump(last))
      return block + 1;
   return is_branch(last, false) ? last->target : MIR_NONE;
}

/* Finds the arms of the branch that ends a block. */
static bool
find_arms(struct arms *arms)
{
   const struct mir *mir = arms->local.mir;
   const struct mir_op *branch = mir_last(&mir->blocks[arms->branch]);

   arms->then = arms->branch + 1;
   arms->otherwise = MIR_NONE;
   arms->leaves = false;
   if (!is_branch(branch, true) || arms->branch == mir->end ||
       arms->then >= mir->num_blocks || !is_arm(arms, arms->then, 0) ||
       branch->target != arms->then + 1 ||
       !mir_opposite(&branch->predicate, &arms->not_taken))
      return false;
   arms->taken = branch->predicate;
   arms->join = goes_on_at(mir, arms->then);
   if (arms->join == branch->target)
      return true;
   arms->otherwise = branch->target;
   if (arms->join == MIR_NONE || !is_arm(arms, arms->otherwise, 1) ||
       goes_on_at(mir, arms->otherwise) != arms->join)
      return false;
   arms->leaves = arms->join != arms->otherwise + 1;
   return true;
}

/* ---- what is of use ------------------------------------------------------ */

static bool
is_live_in(const struct arms *arms, uint32_t block, uint32_t location,
           unsigned mask)
{
   const struct liveness *liveness = &arms->local.liveness;

   return liveness->in[(size_t)block * liveness->num_locations + location] &
          mask;
}

/* Would it change something that is of use on the other way? */
static bool
does_harm(const struct arms *arms, const struct arm *arm,
          const struct mir_op *op)
{
   struct mir_access writes[MIR_MAX_WRITES];
   unsigned count = mir_writes(arms->local.mir, op, writes);

   for (unsigned i = 0; i < count; i++) {
      if (is_live_in(arms, arm->other, writes[i].location, writes[i].mask))
         return true;
   }
   return false;
}

/* ---- conditions within an arm -------------------------------------------- */

static unsigned
tested(const struct mir_predicate *predicate)
{
   return tegra_swizzle_get(predicate->swizzle, 0);
}

static bool
is_only_condition(const struct mir_op *op)
{
   return op->sets_condition && op->temporary == MIR_NONE &&
          op->export_index == TEGRA_NO_EXPORT && !op->predicate.enabled &&
          mir_info(op)->result != TEGRA_RESULT_VEC &&
          (op->mask & (op->mask - 1)) == 0;
}

/* Components of a condition register that the arms themselves use. */
static unsigned
used_conditions(const struct arms *arms, uint32_t block, unsigned condition)
{
   unsigned components = 0;

   if (block == MIR_NONE)
      return 0;
   for (uint32_t i = 0; i < arms->local.mir->blocks[block].num_ops; i++) {
      const struct mir_op *op = &arms->local.mir->blocks[block].ops[i];

      if (op->sets_condition && op->condition == condition)
         components |= op->mask;
      if (op->predicate.enabled && op->predicate.condition == condition)
         components |= mir_condition_read(op);
   }
   return components;
}

/* A component of the condition register that is free, or 4. */
static unsigned
find_free(const struct arms *arms)
{
   const struct mir *mir = arms->local.mir;
   unsigned condition = arms->taken.condition;
   uint32_t location = mir->num_temporaries + MIR_PLACE_CONDITION + condition;
   unsigned used = used_conditions(arms, arms->then, condition) |
                   used_conditions(arms, arms->otherwise, condition) |
                   tegra_mask_bit(tested(&arms->taken));
   unsigned i = 0;

   while (i < 4 && (tegra_mask_has(used, i) ||
                    is_live_in(arms, arms->join, location, tegra_mask_bit(i))))
      i++;
   return i;
}

/* Is something gated by a component from operation `index` of the arm on, and
 * does harm without the outer condition? Until it is set again. */
static bool
gates_harm(const struct arms *arms, const struct arm *arm, uint32_t index,
           unsigned component)
{
   const struct mir_block *block = &arms->local.mir->blocks[arm->block];

   for (uint32_t i = index; i < block->num_ops; i++) {
      const struct mir_op *op = &block->ops[i];

      if (op->predicate.enabled &&
          op->predicate.condition == arm->when.condition &&
          tegra_mask_has(mir_condition_read(op), component) &&
          does_harm(arms, arm, op))
         return true;
   }
   return false;
}

static bool
is_not_zero(const struct mir_predicate *predicate)
{
   return predicate->less && predicate->greater && !predicate->equal;
}

/* Operation `index`, here `op`, sets a component of the outer condition's
 * register. False when that cannot stay so and it cannot be another. */
static bool
set_instead(const struct arms *arms, struct arm *arm, uint32_t index,
            struct mir_op *op)
{
   unsigned set = tegra_mask_first(op->mask); /* its only one */
   unsigned outer = tested(&arm->when);
   bool is_joint = gates_harm(arms, arm, index + 1, set);

   if (set != outer && !is_joint && arm->set != set)
      return true;
   if (!is_only_condition(op) || arm->is_joint ||
       (arm->set < 4 && (is_joint || arm->set != set)))
      return false;
   if (arm->set == 4) {
      arm->set = set;
      arm->is_joint = is_joint;
      arm->instead = is_joint ? outer : find_free(arms);
   }
   if (arm->instead == 4 ||
       (is_joint && (!arm->is_last || !is_not_zero(&arm->when))))
      return false;
   op->mask = (uint8_t)tegra_mask_bit(arm->instead);
   if (mir_info(op)->reads == TEGRA_READS_MASK) {
      for (unsigned i = 0; i < mir_num_sources(op); i++)
         op->source[i] =
            mir_swizzle(op->source[i], tegra_swizzle(set, set, set, set));
   }
   if (is_joint)
      op->predicate = arm->when;
   return true;
}

/* The predicate of an operation of the arm looks at what is set instead. */
static void
test_instead(const struct arm *arm, struct mir_op *op)
{
   unsigned swizzle = op->predicate.swizzle, lane[4];

   if (arm->set == 4 || !op->predicate.enabled ||
       op->predicate.condition != arm->when.condition)
      return;
   for (unsigned i = 0; i < 4; i++) {
      lane[i] = tegra_swizzle_get(swizzle, i);
      lane[i] = lane[i] == arm->set ? arm->instead : lane[i];
   }
   op->predicate.swizzle =
      (uint8_t)tegra_swizzle(lane[0], lane[1], lane[2], lane[3]);
}

/* ---- the operations ------------------------------------------------------ */

/* Is an operation that does harm done where both conditions hold? */
static bool
is_gated_by_both(const struct arm *arm, const struct mir_op *op)
{
   return arm->is_joint && op->predicate.enabled && !op->sets_condition &&
          op->predicate.condition == arm->when.condition &&
          is_not_zero(&op->predicate) &&
          mir_condition_read(op) == tegra_mask_bit(arm->instead);
}

static bool
add_op(struct arms *arms, struct arm *arm, uint32_t index)
{
   struct mir_op op = arms->local.mir->blocks[arm->block].ops[index];
   bool harms = does_harm(arms, arm, &op);

   if (mir_is_jump(&op) || mir_info(&op)->result == TEGRA_RESULT_NONE)
      return false;
   test_instead(arm, &op);
   if (op.sets_condition && op.condition == arm->when.condition) {
      if (harms || (op.mask & (op.mask - 1)) ||
          !set_instead(arms, arm, index, &op))
         return false;
   } else if (harms && op.sets_condition) {
      return false;
   } else if (harms && op.predicate.enabled) {
      if (!is_gated_by_both(arm, &op))
         return false;
   } else if (harms) {
      if (arm->is_joint)
         return false;
      op.predicate = arm->when;
   }
   arms->ops[arms->num_ops++] = op;
   return true;
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
add_arm(struct arms *arms, struct arm arm)
{
   for (uint32_t i = 0; i < arm_size(arms, arm.block); i++) {
      if (!add_op(arms, &arm, i))
         return false;
   }
   return true;
}

/* Both arms, in either order. */
static bool
add_arms(struct arms *arms)
{
   bool both = arms->otherwise != MIR_NONE;
   struct arm then = {.block = arms->then, .when = arms->not_taken};
   struct arm otherwise = {.block = arms->otherwise, .when = arms->taken};

   then.set = otherwise.set = 4;
   then.other = both ? arms->otherwise : arms->join;
   then.is_last = !both;
   otherwise.other = arms->join;
   otherwise.is_last = true;
   arms->num_ops = 0;
   if (add_arm(arms, then) && add_arm(arms, otherwise))
      return true;

   then.other = arms->join;
   then.is_last = true;
   otherwise.other = arms->then;
   otherwise.is_last = false;
   arms->num_ops = 0;
   return both && add_arm(arms, otherwise) && add_arm(arms, then);
}

static bool
convert(struct arms *arms, bool *changed)
{
   struct mir *mir = arms->local.mir;
   uint32_t size = arm_size(arms, arms->then) + arm_size(arms, arms->otherwise);

   if (size > MAX_OPS || !add_arms(arms))
      return true;
   *changed = true;
   mir->blocks[arms->branch].num_ops--;
   for (uint32_t i = 0; i < arms->num_ops; i++) {
      if (!mir_append(mir, arms->branch, &arms->ops[i]))
         return false;
   }
   if (arms->leaves &&
       !mir_append(mir, arms->branch, mir_last(&mir->blocks[arms->then])))
      return false;
   mir->blocks[arms->then].num_ops = 0;
   if (arms->otherwise != MIR_NONE)
      mir->blocks[arms->otherwise].num_ops = 0;
   return true;
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

/* Converts one branch, after which liveness is another. */
static enum tg_result
convert_one(struct mir *mir, bool *converted)
{
   struct arms arms = {.branch = 0};
   bool fine = local_start(&arms.local, mir);

   *converted = false;
   if (fine) {
      arms.num_jumps = tg_arena_array(&arms.local.arena, mir->num_blocks,
                                      sizeof(*arms.num_jumps));
      fine = arms.num_jumps != NULL;
   }
   if (fine)
      count_jumps(&arms);
   for (; arms.branch < mir->num_blocks && fine && !*converted; arms.branch++) {
      if (find_arms(&arms))
         fine = convert(&arms, converted);
   }
   local_finish(&arms.local);
   return fine ? TG_OK : TG_ERROR_MEMORY;
}

enum tg_result
optimize_predicate(struct mir *mir, bool *changed)
{
   enum tg_result result = TG_OK;
   bool converted = mir->num_blocks > 1;

   while (converted && result == TG_OK) {
      result = convert_one(mir, &converted);
      *changed |= converted;
   }
   return result;
}
