/* SPDX-License-Identifier: MIT
 *
 * Loop-invariant code motion: what each iteration of a loop computes of what
 * does not change in it is computed before it. Nothing is speculated that could
 * be seen where the loop would not have done it: only what is read in no other
 * way than from there is moved.
 */
#include "tegra/optimize/local.h"
#include "tegra/optimize/loops.h"
#include "tegra/optimize/optimize.h"

/* Registers that may hold something throughout the loop; others are for what is
 * done in it. */
enum { MAX_HELD = 20 };

struct hoist {
   struct local local;
   struct loop loop;
   int *num_writers; /* [location][component], in the loop */
   uint32_t num_held;
   struct mir_block moved;
};

static int *
writers_of(const struct hoist *hoist, uint32_t location)
{
   return hoist->num_writers + 4 * (size_t)location;
}

static const uint8_t *
live_at_top(const struct hoist *hoist)
{
   const struct liveness *liveness = &hoist->local.liveness;

   return liveness->in + (size_t)hoist->loop.first * liveness->num_locations;
}

/* ---- the loop ------------------------------------------------------------ */

/* Is the block before it its only predecessor from outside? */
static bool
has_one_entry(const struct mir *mir, const struct loop *loop)
{
   const struct mir_op *before = mir_last(&mir->blocks[loop->first - 1]);

   if (loop->first - 1 == mir->end ||
       (before && mir_is_jump(before) && !before->predicate.enabled &&
        mir_info(before)->effect != TEGRA_EFFECT_CALL))
      return false;
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      const struct mir_op *last = mir_last(&mir->blocks[i]);

      if (last && !loop_has(loop, i) && last->target == loop->first)
         return false;
   }
   return true;
}

/* What it writes is written by one more, or one less. */
static void
count_writer(struct hoist *hoist, const struct mir_op *op, int change)
{
   struct mir_access writes[MIR_MAX_WRITES];
   unsigned count = mir_writes(hoist->local.mir, op, writes);

   for (unsigned i = 0; i < count; i++) {
      for (unsigned j = 0; j < 4; j++) {
         if (tegra_mask_has(writes[i].mask, j))
            writers_of(hoist, writes[i].location)[j] += change;
      }
   }
}

/* False where something else runs within the loop. */
static bool
enter_loop(struct hoist *hoist)
{
   const struct mir *mir = hoist->local.mir;

   for (uint32_t i = 0; i < mir->num_temporaries; i++)
      hoist->num_held += live_at_top(hoist)[i] != 0;
   for (uint32_t i = hoist->loop.first; i <= hoist->loop.last; i++) {
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++) {
         const struct mir_op *op = &mir->blocks[i].ops[j];

         if (mir_info(op)->effect == TEGRA_EFFECT_CALL)
            return false;
         count_writer(hoist, op, 1);
      }
   }
   return true;
}

/* ---- an operation -------------------------------------------------------- */

static bool
is_unchanged(const struct hoist *hoist, const struct mir_op *op)
{
   struct mir_access reads[MIR_MAX_READS];
   unsigned count = mir_reads(hoist->local.mir, op, reads);

   for (unsigned i = 0; i < count; i++) {
      for (unsigned j = 0; j < 4; j++) {
         if (tegra_mask_has(reads[i].mask, j) &&
             writers_of(hoist, reads[i].location)[j])
            return false;
      }
   }
   return true;
}

/* Is what it writes written nowhere else in the loop, and read nowhere without
 * having been written by it? */
static bool
is_all_there_is(const struct hoist *hoist, const struct mir_op *op)
{
   if (live_at_top(hoist)[op->temporary] & op->mask)
      return false;
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(op->mask, i) &&
          writers_of(hoist, op->temporary)[i] != 1)
         return false;
   }
   return true;
}

static bool
can_hoist(const struct hoist *hoist, const struct mir_op *op)
{
   return op->temporary != MIR_NONE && !op->predicate.enabled &&
          !op->sets_condition && op->export_index == TEGRA_NO_EXPORT &&
          hoist->num_held < MAX_HELD && is_unchanged(hoist, op) &&
          is_all_there_is(hoist, op);
}

/* ---- all ----------------------------------------------------------------- */

static bool
move(struct hoist *hoist, struct mir_op *op)
{
   struct mir_block *moved = &hoist->moved;

   if (!tg_arena_reserve(&hoist->local.mir->arena, (void **)&moved->ops,
                         &moved->capacity, moved->num_ops, sizeof(*moved->ops)))
      return false;
   count_writer(hoist, op, -1);
   hoist->num_held++;
   moved->ops[moved->num_ops++] = *op;
   local_remove(op);
   return true;
}

/* Those that read what others wrote follow them. False when out of memory. */
static bool
take_out(struct hoist *hoist)
{
   struct mir_block *blocks = hoist->local.mir->blocks;
   uint32_t before;

   do {
      before = hoist->moved.num_ops;
      for (uint32_t i = hoist->loop.first; i <= hoist->loop.last; i++) {
         for (uint32_t j = 0; j < blocks[i].num_ops; j++) {
            struct mir_op *op = &blocks[i].ops[j];

            if (can_hoist(hoist, op) && !move(hoist, op))
               return false;
         }
      }
   } while (hoist->moved.num_ops > before);
   for (uint32_t i = hoist->loop.first; i <= hoist->loop.last; i++)
      local_sweep(&blocks[i]);
   return true;
}

/* The loop's preheader: the block before it. */
static bool
insert_preheader(struct hoist *hoist)
{
   struct mir *mir = hoist->local.mir;

   if (!mir_insert_blocks(mir, hoist->loop.first, 1))
      return false;
   mir->blocks[hoist->loop.first] = hoist->moved;
   mir->has_grown = true;
   return true;
}

static enum tg_result
hoist_out_of(struct mir *mir, const struct loop *loop, bool *changed)
{
   struct hoist hoist = {.loop = *loop};
   bool fine = local_start(&hoist.local, mir);

   if (fine) {
      hoist.num_writers =
         tg_arena_array(&hoist.local.arena, mir_num_locations(mir),
                        4 * sizeof(*hoist.num_writers));
      fine = hoist.num_writers != NULL;
   }
   if (fine && enter_loop(&hoist)) {
      fine = take_out(&hoist);
      if (fine && hoist.moved.num_ops) {
         *changed = true;
         fine = insert_preheader(&hoist);
      }
   }
   local_finish(&hoist.local);
   return fine ? TG_OK : TG_ERROR_MEMORY;
}

enum tg_result
optimize_hoist(struct mir *mir, bool *changed)
{
   enum tg_result result = TG_OK;

   for (uint32_t i = 1;
        i < mir->num_blocks && result == TG_OK && !mir->is_frugal; i++) {
      struct loop loop;

      if (loop_find(mir, i, &loop) && has_one_entry(mir, &loop))
         result = hoist_out_of(mir, &loop, changed);
   }
   return result;
}
