/* SPDX-License-Identifier: MIT
 *
 * Control-flow simplification: jump threading (a jump to a jump goes where that
 * goes), removal of jumps to what comes next, inversion of branches around a
 * jump, tail calls (a call with nothing but a return after it becomes a
 * branch), unreachable-block removal, and merging of a block into its only
 * predecessor.
 */
#include <string.h>

#include "tegra/mir/liveness.h"
#include "tegra/optimize/optimize.h"

struct flow {
   struct mir *mir;
   struct tg_arena arena;
   bool *reached;
   uint32_t *num_jumps; /* to the beginning of each block, calls' returns too */
};

static bool
has_effect(const struct mir_op *op, enum tegra_effect effect)
{
   return op && mir_info(op)->effect == effect;
}

static bool
is_branch(const struct mir_op *op)
{
   return has_effect(op, TEGRA_EFFECT_BRANCH);
}

/* Is a jump that is always taken all that the block has? */
static bool
is_only_jump(const struct mir_block *block)
{
   return block->num_ops == 1 && mir_is_jump(block->ops) &&
          !block->ops[0].predicate.enabled;
}

/* Jump threading: the block that a jump to `block` ends up in, past those that
 * are empty or only jump on. */
static uint32_t
thread(const struct mir *mir, uint32_t block)
{
   for (uint32_t steps = 0; steps < mir->num_blocks; steps++) {
      const struct mir_block *it = &mir->blocks[block];

      if (block == mir->end)
         return block;
      if (it->num_ops == 0 && block + 1 < mir->num_blocks)
         block++;
      else if (is_only_jump(it) && is_branch(it->ops))
         block = it->ops[0].target;
      else
         return block;
   }
   return block;
}

/* Does execution reach `target` from the end of `block` without a jump? */
static bool
falls_to(const struct mir *mir, uint32_t block, uint32_t target)
{
   if (target <= block)
      return false;
   for (uint32_t i = block; i < target; i++) {
      if (i == mir->end || (i > block && mir->blocks[i].num_ops))
         return false;
   }
   return true;
}

/* Is a return all that is done at a block, which thread() gave? */
static bool
only_returns(const struct mir *mir, uint32_t block)
{
   const struct mir_block *it = &mir->blocks[block];

   return block != mir->end && is_only_jump(it) &&
          has_effect(it->ops, TEGRA_EFFECT_RETURN);
}

/* A branch to a return is one, and a call that is followed by one needs not
 * come back. */
static bool
shorten_return(struct mir *mir, uint32_t block)
{
   struct mir_op *op = mir_last(&mir->blocks[block]);

   if (is_branch(op) && only_returns(mir, op->target)) {
      op->opcode = TEGRA_SCALAR_RET;
      op->target = MIR_NONE;
      return true;
   }
   if (has_effect(op, TEGRA_EFFECT_CALL) && block != mir->end &&
       block + 1 < mir->num_blocks &&
       only_returns(mir, thread(mir, block + 1))) {
      op->opcode = TEGRA_SCALAR_BRA;
      return true;
   }
   return false;
}

static bool
shorten_jumps(struct mir *mir)
{
   bool changed = false;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      struct mir_op *op = mir_last(&mir->blocks[i]);

      if (!op || op->target == MIR_NONE)
         continue;
      uint32_t target = thread(mir, op->target);
      changed |= target != op->target;
      op->target = target;
      if (is_branch(op) && falls_to(mir, i, target)) {
         mir->blocks[i].num_ops--;
         changed = true;
      } else {
         changed |= shorten_return(mir, i);
      }
   }
   return changed;
}

/* ---- what leads where ---------------------------------------------------- */

static bool
is_call(const struct mir_op *op)
{
   return op && mir_info(op)->effect == TEGRA_EFFECT_CALL;
}

/* Blocks follow each other, so a few walks mark all that can be reached. */
static void
find_reached(struct flow *flow)
{
   const struct mir *mir = flow->mir;
   bool changed = true;

   flow->reached[0] = true;
   while (changed) {
      changed = false;
      for (uint32_t i = 0; i < mir->num_blocks; i++) {
         uint32_t successors[MIR_MAX_SUCCESSORS + 1];
         unsigned count = mir_successors(mir, i, successors);

         if (is_call(mir_last(&mir->blocks[i])) && i + 1 < mir->num_blocks)
            successors[count++] = i + 1;
         for (unsigned j = 0; j < count && flow->reached[i]; j++) {
            if (successors[j] == mir->num_blocks ||
                flow->reached[successors[j]])
               continue;
            flow->reached[successors[j]] = true;
            changed = true;
         }
      }
   }
}

static bool
empty_unreached(struct flow *flow)
{
   bool changed = false;

   for (uint32_t i = 0; i < flow->mir->num_blocks; i++) {
      struct mir_block *block = &flow->mir->blocks[i];

      if (flow->reached[i] || !block->num_ops)
         continue;
      block->num_ops = 0;
      changed = true;
   }
   return changed;
}

static void
count_jumps(struct flow *flow)
{
   const struct mir *mir = flow->mir;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      const struct mir_op *op = mir_last(&mir->blocks[i]);

      if (op && op->target != MIR_NONE)
         flow->num_jumps[op->target]++;
   }
}

/* ---- branches around jumps ----------------------------------------------- */

/* The block after `block` that has nothing but a jump, if there is no other
 * way to it; or MIR_NONE. */
static uint32_t
find_lone_jump(const struct flow *flow, uint32_t block)
{
   const struct mir *mir = flow->mir;

   while (block != mir->end && ++block < mir->num_blocks &&
          !flow->num_jumps[block]) {
      if (mir->blocks[block].num_ops)
         return block != mir->end && is_only_jump(&mir->blocks[block])
                   ? block
                   : MIR_NONE;
   }
   return MIR_NONE;
}

static bool
turn_branches(struct flow *flow)
{
   struct mir *mir = flow->mir;
   bool changed = false;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      struct mir_op *branch = mir_last(&mir->blocks[i]);
      struct mir_predicate opposite;

      if (!is_branch(branch) || !branch->predicate.enabled ||
          !mir_opposite(&branch->predicate, &opposite))
         continue;
      uint32_t jump = find_lone_jump(flow, i);
      if (jump == MIR_NONE || !falls_to(mir, jump, branch->target))
         continue;
      flow->num_jumps[branch->target]--;
      *branch = mir->blocks[jump].ops[0];
      branch->predicate = opposite;
      mir->blocks[jump].num_ops = 0;
      changed = true;
   }
   return changed;
}

/* ---- joining blocks ------------------------------------------------------ */

/* The operations of `block` go after those of the block that falls to it. */
static bool
append_block(struct mir *mir, uint32_t to, uint32_t block, bool *changed)
{
   struct mir_block *from = &mir->blocks[block];

   for (uint32_t i = 0; i < from->num_ops; i++) {
      if (!mir_append(mir, to, &from->ops[i]))
         return false;
   }
   *changed |= from->num_ops > 0;
   from->num_ops = 0;
   if (block == mir->end) {
      mir->end = to;
      *changed = true;
   }
   return true;
}

static bool
join_blocks(struct flow *flow, bool *changed)
{
   struct mir *mir = flow->mir;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      for (uint32_t j = i + 1; j < mir->num_blocks && i != mir->end; j++) {
         const struct mir_op *op = mir_last(&mir->blocks[i]);

         if ((op && mir_is_jump(op)) || !flow->reached[i] || flow->num_jumps[j])
            break;
         if (!append_block(mir, i, j, changed))
            return false;
      }
   }
   return true;
}

/* ---- empty blocks -------------------------------------------------------- */

/* Jumps lead to no empty block but the end and the last. */
static bool
drop_empty(struct flow *flow)
{
   struct mir *mir = flow->mir;
   uint32_t *number = flow->num_jumps; /* where jumps to it are not needed */
   uint32_t kept = 0;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      bool stays =
         mir->blocks[i].num_ops || i == mir->end || flow->num_jumps[i];

      number[i] = kept;
      if (!stays)
         continue;
      mir->end = i == mir->end ? kept : mir->end;
      mir->blocks[kept++] = mir->blocks[i];
   }
   if (kept == mir->num_blocks)
      return false;
   memset(&mir->blocks[kept], 0,
          (mir->num_blocks - kept) * sizeof(*mir->blocks));
   mir->num_blocks = kept;
   for (uint32_t i = 0; i < kept; i++) {
      struct mir_op *op = mir_last(&mir->blocks[i]);

      if (op && op->target != MIR_NONE)
         op->target = number[op->target];
   }
   return true;
}

enum tg_result
optimize_flow(struct mir *mir, bool *changed)
{
   struct flow flow = {.mir = mir};
   enum tg_result result = TG_ERROR_MEMORY;

   tg_arena_init(&flow.arena, mir->arena.allocator);
   flow.reached =
      tg_arena_array(&flow.arena, mir->num_blocks, sizeof(*flow.reached));
   flow.num_jumps =
      tg_arena_array(&flow.arena, mir->num_blocks, sizeof(*flow.num_jumps));
   if (flow.reached && flow.num_jumps) {
      *changed |= shorten_jumps(mir);
      find_reached(&flow);
      *changed |= empty_unreached(&flow);
      count_jumps(&flow);
      *changed |= turn_branches(&flow);
      if (join_blocks(&flow, changed)) {
         *changed |= drop_empty(&flow);
         result = TG_OK;
      }
   }
   tg_arena_finish(&flow.arena);
   return result;
}
