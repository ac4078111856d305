/* SPDX-License-Identifier: MIT
 *
 * Inlining of subroutines: a call becomes the blocks of what it calls, if that
 * is called from nowhere else, or is short. A return from there is a branch to
 * what follows them.
 */
#include <assert.h>

#include "tegra/mir/liveness.h"
#include "tegra/optimize/optimize.h"

enum { GROWTH = 16 }; /* operations that may be there more than once */

struct inlining {
   struct mir *mir;
   struct tg_arena arena;
   bool *has;            /* [block]: it is of the subroutine */
   uint32_t first, last; /* its blocks */
   uint32_t num_ops, num_users;
};

/* ---- the subroutine ------------------------------------------------------ */

static void
mark(struct inlining *inlining, uint32_t block, bool *changed)
{
   if (block >= inlining->mir->num_blocks || inlining->has[block])
      return;
   inlining->has[block] = true;
   *changed = true;
}

/* Marks the blocks that are reachable from the first until it returns. */
static void
mark_blocks(struct inlining *inlining)
{
   const struct mir *mir = inlining->mir;
   bool changed = false;

   for (uint32_t i = 0; i < mir->num_blocks; i++)
      inlining->has[i] = false;
   mark(inlining, inlining->first, &changed);
   while (changed) {
      changed = false;
      for (uint32_t i = 0; i < mir->num_blocks; i++) {
         const struct mir_op *last = mir_last(&mir->blocks[i]);
         uint32_t successors[MIR_MAX_SUCCESSORS];
         unsigned count = mir_successors(mir, i, successors);

         if (!inlining->has[i])
            continue;
         if (last && mir_info(last)->effect == TEGRA_EFFECT_CALL) {
            successors[0] = i + 1;
            count = 1;
         }
         for (unsigned j = 0; j < count; j++)
            mark(inlining, successors[j], &changed);
      }
   }
}

/* Finds its blocks, if they are contiguous, and its callers. */
static bool
find_subroutine(struct inlining *inlining)
{
   const struct mir *mir = inlining->mir;

   mark_blocks(inlining);
   inlining->num_ops = inlining->num_users = 0;
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      const struct mir_op *last = mir_last(&mir->blocks[i]);

      if (inlining->has[i]) {
         inlining->last = i;
         inlining->num_ops += mir->blocks[i].num_ops;
      } else if (last && last->target == inlining->first) {
         inlining->num_users++;
      }
   }
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      bool is_between = i >= inlining->first && i <= inlining->last;

      if (inlining->has[i] != is_between || (is_between && i == mir->end))
         return false;
   }
   const struct mir_op *last = mir_last(&mir->blocks[inlining->last]);
   return last && mir_is_jump(last) && !last->predicate.enabled;
}

/* ---- the call ------------------------------------------------------------ */

/* What an operation of the subroutine is between `first` and `after`. What it
 * calls has to return, and is no part of the copy. */
static struct mir_op
adapt(const struct inlining *inlining, const struct mir_op *from,
      uint32_t first, uint32_t after)
{
   struct mir_op op = *from;

   if (mir_info(&op)->effect == TEGRA_EFFECT_RETURN) {
      op.opcode = TEGRA_SCALAR_BRA;
      op.target = after;
   } else if (mir_info(&op)->effect == TEGRA_EFFECT_BRANCH &&
              op.target >= inlining->first && op.target <= inlining->last) {
      op.target += first - inlining->first;
   }
   return op;
}

/* The call goes, or becomes a branch around what is there instead. */
static bool
drop_call(struct mir *mir, uint32_t block, uint32_t after)
{
   assert(block < mir->num_blocks);
   struct mir_op *call = mir_last(&mir->blocks[block]);

   if (!call->predicate.enabled) {
      mir->blocks[block].num_ops--;
      return true;
   }
   call->opcode = TEGRA_SCALAR_BRA;
   call->target = after;
   return mir_opposite(&call->predicate, &call->predicate);
}

static bool
copy_after(struct inlining *inlining, uint32_t block)
{
   struct mir *mir = inlining->mir;
   uint32_t count = inlining->last - inlining->first + 1;
   uint32_t first = block + 1, after = first + count;

   if (!mir_insert_blocks(mir, first, count))
      return false;
   inlining->first += inlining->first >= first ? count : 0;
   inlining->last = inlining->first + count - 1;
   for (uint32_t i = 0; i < count; i++) {
      const struct mir_block *from = &mir->blocks[inlining->first + i];

      for (uint32_t j = 0; j < from->num_ops; j++) {
         struct mir_op op = adapt(inlining, &from->ops[j], first, after);

         if (!mir_append(mir, first + i, &op))
            return false;
      }
   }
   return drop_call(mir, block, after);
}

/* ---- all ----------------------------------------------------------------- */

static bool
can_inline(struct inlining *inlining, uint32_t block)
{
   const struct mir *mir = inlining->mir;
   const struct mir_op *call = mir_last(&mir->blocks[block]);
   struct mir_predicate opposite;

   if (!call || mir_info(call)->effect != TEGRA_EFFECT_CALL ||
       block == mir->end ||
       (call->predicate.enabled && !mir_opposite(&call->predicate, &opposite)))
      return false;
   inlining->first = call->target;
   return find_subroutine(inlining) && !inlining->has[block] &&
          (inlining->num_users - 1) * inlining->num_ops <= GROWTH;
}

/* One call; then blocks have other numbers. */
enum tg_result
optimize_inline(struct mir *mir, bool *changed)
{
   struct inlining inlining = {.mir = mir};
   bool fine, copied = false;

   if (mir->end + 1 == mir->num_blocks || mir->is_frugal)
      return TG_OK; /* there is no subroutine */
   tg_arena_init(&inlining.arena, mir->arena.allocator);
   inlining.has =
      tg_arena_array(&inlining.arena, mir->num_blocks, sizeof(*inlining.has));
   fine = inlining.has != NULL;
   for (uint32_t i = 0; i < mir->num_blocks && fine && !copied; i++) {
      if (!can_inline(&inlining, i))
         continue;
      mir->has_grown |= inlining.num_users > 1;
      fine = copy_after(&inlining, i);
      copied = true;
   }
   *changed |= copied;
   tg_arena_finish(&inlining.arena);
   return fine ? TG_OK : TG_ERROR_MEMORY;
}
