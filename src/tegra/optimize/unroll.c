/* SPDX-License-Identifier: MIT
 *
 * Full loop unrolling: a loop of known trip count becomes that many copies of
 * its blocks. The count is found by following constants through one iteration
 * after the other, until the first block is not reached again; exits of the
 * loop that depend on anything else stay.
 *
 * What is computed of constants alone is computed when the program is compiled,
 * and branches that constants decide go. What is left of all iterations may be
 * more than the loop by a quarter of what the unit holds; if the program then
 * does not fit, it is compiled without.
 */
#include <assert.h>
#include <string.h>

#include "tegra/optimize/evaluate.h"
#include "tegra/optimize/known.h"
#include "tegra/optimize/loops.h"
#include "tegra/optimize/optimize.h"

enum {
   MAX_ITERATIONS = 64,
   MAX_COPIES = 1024, /* operations, before what is decided goes */
   GROWTH = 64,       /* operations that may be left beyond those of the loop */
};

struct unroll {
   struct mir *mir;
   struct mir before; /* as it was before copies were made */
   struct tg_arena arena;
   struct known known; /* of `before` */
   struct loop loop;
   struct known_value *values; /* before an operation */
   struct known_value *in;     /* [block of the loop][location] */
   bool *reached;              /* [block of the loop] */
   struct known_value *next;   /* before the next iteration */
   bool goes_on;               /* there is one */
   uint32_t num_iterations, num_left;
   uint32_t copy; /* block where the copy that is made begins */
};

static uint32_t
num_blocks(const struct unroll *unroll)
{
   return unroll->loop.last - unroll->loop.first + 1;
}

/* Blocks of a copy: those of the loop, and one that leads out of it from the
 * end of the last. */
static uint32_t
stride(const struct unroll *unroll)
{
   return num_blocks(unroll) + 1;
}

static void
copy_values(const struct unroll *unroll, struct known_value *to,
            const struct known_value *from)
{
   memcpy(to, from, known_num_locations(unroll->mir) * sizeof(*to));
}

/* Values at the beginning of a block of the loop. */
static struct known_value *
in_of(const struct unroll *unroll, uint32_t block)
{
   return unroll->in + (size_t)(block - unroll->loop.first) *
                          known_num_locations(unroll->mir);
}

static void
meet(const struct unroll *unroll, struct known_value *to, bool *has)
{
   if (*has)
      known_meet(unroll->mir, to, unroll->values);
   else
      copy_values(unroll, to, unroll->values);
   *has = true;
}

/* ---- an iteration -------------------------------------------------------- */

/* Is nothing of an operation left once constants are in their places? */
static bool
is_decided(const struct unroll *unroll, const struct mir_op *op)
{
   struct known_gate gate = known_gate(unroll->mir, op, unroll->values);
   unsigned lanes = tegra_isa_components_read(mir_info(op), op->mask);
   uint32_t words[4];

   if (mir_is_jump(op))
      return op->predicate.enabled && (gate.open || gate.shut);
   if (gate.shut == op->mask)
      return true;
   if (!evaluate_can(op) || op->export_index != TEGRA_NO_EXPORT)
      return false;
   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      if (lanes & ~known_source(&op->source[i], unroll->values, words))
         return false;
   }
   return true;
}

static void
leave_block(struct unroll *unroll, uint32_t block)
{
   uint32_t successors[MIR_MAX_SUCCESSORS];
   unsigned count =
      known_leave(&unroll->known, block, unroll->values, successors);

   for (unsigned i = 0; i < count; i++) {
      uint32_t to = successors[i];

      if (to == unroll->loop.first)
         meet(unroll, unroll->next, &unroll->goes_on);
      else if (loop_has(&unroll->loop, to))
         meet(unroll, in_of(unroll, to),
              &unroll->reached[to - unroll->loop.first]);
   }
}

/* Visits the blocks that are reached, with what is known at their beginnings;
 * the visitor leaves what is known at their ends. */
static bool
visit_iteration(struct unroll *unroll,
                bool (*visit)(struct unroll *unroll, uint32_t block))
{
   copy_values(unroll, unroll->in, unroll->next);
   memset(unroll->reached, 0, num_blocks(unroll) * sizeof(bool));
   unroll->reached[0] = true;
   unroll->goes_on = false;
   for (uint32_t i = unroll->loop.first; i <= unroll->loop.last; i++) {
      if (!unroll->reached[i - unroll->loop.first])
         continue;
      copy_values(unroll, unroll->values, in_of(unroll, i));
      if (!visit(unroll, i))
         return false;
      leave_block(unroll, i);
   }
   return true;
}

static bool
count_block(struct unroll *unroll, uint32_t index)
{
   assert(index < unroll->before.num_blocks);
   const struct mir_block *block = &unroll->before.blocks[index];

   for (uint32_t i = 0; i < block->num_ops; i++) {
      unroll->num_left += !is_decided(unroll, &block->ops[i]);
      known_step(unroll->mir, &block->ops[i], unroll->values);
   }
   return true;
}

/* ---- may it? ------------------------------------------------------------- */

/* What is known where the loop begins, into `next`. */
static void
enter_loop(struct unroll *unroll)
{
   const struct mir *mir = &unroll->before;
   bool is_entered = false;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      uint32_t successors[MIR_MAX_SUCCESSORS];

      if (loop_has(&unroll->loop, i) || !unroll->known.reached[i])
         continue;
      copy_values(unroll, unroll->values, known_at(&unroll->known, i));
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++)
         known_step(mir, &mir->blocks[i].ops[j], unroll->values);

      unsigned count =
         known_leave(&unroll->known, i, unroll->values, successors);
      for (unsigned j = 0; j < count; j++) {
         if (successors[j] == unroll->loop.first)
            meet(unroll, unroll->next, &is_entered);
      }
   }
}

static uint32_t
count_ops(const struct unroll *unroll)
{
   uint32_t count = 0;

   for (uint32_t i = unroll->loop.first; i <= unroll->loop.last; i++)
      count += unroll->before.blocks[i].num_ops;
   return count;
}

static bool
count_iterations(struct unroll *unroll)
{
   uint32_t size = count_ops(unroll);

   unroll->num_iterations = unroll->num_left = 0;
   enter_loop(unroll);
   do {
      visit_iteration(unroll, count_block);
      unroll->num_iterations++;
   } while (unroll->goes_on && unroll->num_iterations < MAX_ITERATIONS &&
            unroll->num_iterations * size < MAX_COPIES &&
            unroll->num_left <= size + GROWTH);
   return !unroll->goes_on && unroll->num_left <= size + GROWTH &&
          !optimize_is_too_large(unroll->mir, unroll->num_iterations * size,
                                 unroll->num_iterations * stride(unroll));
}

/* ---- copies -------------------------------------------------------------- */

static uint32_t
after_copies(const struct unroll *unroll)
{
   return unroll->loop.first + unroll->num_iterations * stride(unroll);
}

/* The operation as it is in this iteration; false when nothing of it is. In the
 * last iteration no branch back is taken. */
static bool
adapt(const struct unroll *unroll, struct mir_op *op)
{
   struct known_gate gate = known_gate(unroll->mir, op, unroll->values);
   bool is_jump = mir_is_jump(op);

   if (gate.shut && (is_jump || gate.shut == op->mask))
      return false;
   if (is_jump && gate.open)
      op->predicate.enabled = false;
   if (op->target == unroll->loop.first) {
      op->target = unroll->copy + stride(unroll);
      return op->target < after_copies(unroll);
   }
   if (op->target != MIR_NONE && loop_has(&unroll->loop, op->target))
      op->target += unroll->copy - unroll->loop.first;
   return true;
}

static bool
copy_block(struct unroll *unroll, uint32_t index)
{
   assert(index < unroll->before.num_blocks);
   const struct mir_block *from = &unroll->before.blocks[index];
   uint32_t to = index - unroll->loop.first + unroll->copy;

   for (uint32_t i = 0; i < from->num_ops; i++) {
      struct mir_op op = from->ops[i];

      if (adapt(unroll, &op) && !mir_append(unroll->mir, to, &op))
         return false;
      known_step(unroll->mir, &from->ops[i], unroll->values);
   }
   return true;
}

static bool
add_way_out(struct unroll *unroll)
{
   uint32_t block = unroll->copy + num_blocks(unroll);
   struct mir_op op = mir_op(TEGRA_SCALAR, TEGRA_SCALAR_BRA, 0);
   const struct mir_op *back =
      mir_last(&unroll->before.blocks[unroll->loop.last]);

   if (!back->predicate.enabled || block + 1 == after_copies(unroll))
      return true;
   op.target = after_copies(unroll);
   return mir_append(unroll->mir, block, &op);
}

static bool
make_copies(struct unroll *unroll)
{
   struct mir *mir = unroll->mir;
   struct loop loop = unroll->loop;

   if (!mir_insert_blocks(mir, loop.last + 1,
                          after_copies(unroll) - loop.last - 1))
      return false;
   memset(&mir->blocks[loop.first], 0,
          num_blocks(unroll) * sizeof(*mir->blocks));
   enter_loop(unroll);
   for (unroll->copy = loop.first; unroll->copy < after_copies(unroll);
        unroll->copy += stride(unroll)) {
      if (!visit_iteration(unroll, copy_block) || !add_way_out(unroll))
         return false;
   }
   return true;
}

/* ---- all ----------------------------------------------------------------- */

static bool
start(struct unroll *unroll, struct mir *mir)
{
   struct tg_arena *arena = &unroll->arena;
   uint32_t num_locations = known_num_locations(mir);

   *unroll = (struct unroll){.mir = mir, .before = *mir};
   tg_arena_init(arena, mir->arena.allocator);
   unroll->before.blocks =
      tg_arena_array(arena, mir->num_blocks, sizeof(*mir->blocks));
   unroll->values =
      tg_arena_array(arena, num_locations, sizeof(*unroll->values));
   unroll->next = tg_arena_array(arena, num_locations, sizeof(*unroll->next));
   unroll->in = tg_arena_array(arena, (size_t)mir->num_blocks * num_locations,
                               sizeof(*unroll->in));
   unroll->reached = tg_arena_array(arena, mir->num_blocks, sizeof(bool));
   if (!unroll->before.blocks || !unroll->values || !unroll->next ||
       !unroll->in || !unroll->reached)
      return false;
   memcpy(unroll->before.blocks, mir->blocks,
          mir->num_blocks * sizeof(*mir->blocks));
   return known_find(&unroll->known, &unroll->before, arena);
}

/* One loop; then blocks have other numbers. */
static enum tg_result
unroll_first(struct mir *mir, uint32_t block, bool *changed)
{
   struct unroll unroll;
   bool fine = start(&unroll, mir), unrolled = false;

   for (; block < mir->num_blocks && fine && !unrolled; block++) {
      if (!loop_find(mir, block, &unroll.loop) ||
          !unroll.known.reached[block] || !count_iterations(&unroll))
         continue;
      fine = make_copies(&unroll);
      unrolled = mir->has_grown = true;
   }
   *changed |= unrolled;
   tg_arena_finish(&unroll.arena);
   return fine ? TG_OK : TG_ERROR_MEMORY;
}

/* A loop at the beginning of the program has nothing to begin with. */
enum tg_result
optimize_unroll(struct mir *mir, bool *changed)
{
   struct loop loop;

   for (uint32_t i = 1; i < mir->num_blocks && !mir->is_frugal; i++) {
      if (loop_find(mir, i, &loop))
         return unroll_first(mir, i, changed);
   }
   return TG_OK;
}
