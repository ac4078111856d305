/* SPDX-License-Identifier: MIT
 *
 * Backward liveness, iterated through the blocks to a fixed point.
 */
#include "tegra/mir/liveness.h"

#include <assert.h>
#include <string.h>

void
liveness_step(const struct mir *mir, const struct mir_op *ops, uint32_t num_ops,
              uint8_t *live)
{
   for (uint32_t i = 0; i < num_ops; i++) {
      struct mir_access writes[MIR_MAX_WRITES];
      unsigned count = mir_writes(mir, &ops[i], writes);

      for (unsigned j = 0; j < count && !mir_write_is_partial(&ops[i]); j++)
         live[writes[j].location] &= (uint8_t)~writes[j].mask;
   }
   for (uint32_t i = 0; i < num_ops; i++) {
      struct mir_access reads[MIR_MAX_READS];
      unsigned count = mir_reads(mir, &ops[i], reads);

      for (unsigned j = 0; j < count; j++)
         live[reads[j].location] |= reads[j].mask;
   }
}

static void
add_live(const struct liveness *liveness, uint32_t block, uint8_t *live)
{
   const uint8_t *in = liveness->in + (size_t)block * liveness->num_locations;

   for (uint32_t i = 0; i < liveness->num_locations; i++)
      live[i] |= in[i];
}

void
liveness_at_end(const struct liveness *liveness, const struct mir *mir,
                uint32_t block, uint8_t *live)
{
   uint32_t successors[MIR_MAX_SUCCESSORS];
   unsigned count = mir_successors(mir, block, successors);

   memset(live, 0, liveness->num_locations);
   if (block == mir->end)
      memset(live + mir->num_temporaries + MIR_PLACE_EXPORT, TEGRA_MASK_XYZW,
             TG_TEGRA_NUM_EXPORTS);
   for (unsigned i = 0; i < count; i++)
      add_live(liveness, successors[i], live);
}

/* What is live where some call has come back. */
static void
find_returned(const struct liveness *liveness, const struct mir *mir)
{
   uint8_t *live =
      liveness->in + (size_t)mir->num_blocks * liveness->num_locations;

   for (uint32_t i = 0; i + 1 < mir->num_blocks; i++) {
      const struct mir_op *last = mir_last(&mir->blocks[i]);

      if (last && i != mir->end && mir_info(last)->effect == TEGRA_EFFECT_CALL)
         add_live(liveness, i + 1, live);
   }
}

/* Goes through a block if what is live at its `end` is not what it was. */
static bool
find_block(const struct liveness *liveness, const struct mir *mir,
           uint32_t index, bool is_first, uint8_t *end, uint8_t *live)
{
   assert(index < mir->num_blocks);
   const struct mir_block *block = &mir->blocks[index];
   size_t size = liveness->num_locations;

   liveness_at_end(liveness, mir, index, live);
   if (!is_first && memcmp(end, live, size) == 0)
      return false;
   memcpy(end, live, size);
   for (uint32_t i = block->num_ops; i > 0;) {
      uint32_t num_ops = mir_word_size(block, i - 1);

      i -= num_ops;
      liveness_step(mir, &block->ops[i], num_ops, live);
   }
   memcpy(liveness->in + index * size, live, size);
   return true;
}

/* Sets in `wanted` the blocks that another one leads to, or a call comes back
 * to. */
static void
find_entered(const struct mir *mir, bool *wanted)
{
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      const struct mir_op *last = mir_last(&mir->blocks[i]);
      uint32_t successors[MIR_MAX_SUCCESSORS];
      unsigned count = mir_successors(mir, i, successors);

      for (unsigned j = 0; j < count; j++)
         wanted[successors[j]] = true;
      if (last && mir_info(last)->effect == TEGRA_EFFECT_CALL)
         wanted[i + 1] = true;
   }
}

/* Of the blocks that are wanted, which has all that they lead to. */
static bool
find_wanted(struct liveness *liveness, const struct mir *mir,
            const bool *wanted, struct tg_arena *arena)
{
   uint32_t num_locations = mir_num_locations(mir);
   size_t num_blocks = (size_t)mir->num_blocks + 1;
   uint8_t *ends = tg_arena_array(arena, num_blocks, num_locations);
   uint8_t *live = tg_arena_alloc(arena, num_locations);
   bool changed = true;

   liveness->num_locations = num_locations;
   liveness->in = tg_arena_array(arena, num_blocks, num_locations);
   if (!ends || !live || !liveness->in)
      return false;
   for (bool is_first = true; changed; is_first = false) {
      changed = false;
      find_returned(liveness, mir);
      for (uint32_t i = mir->num_blocks; i-- > 0;) {
         if (wanted[i])
            changed |= find_block(liveness, mir, i, is_first,
                                  ends + (size_t)i * num_locations, live);
      }
   }
   return true;
}

bool
liveness_find(struct liveness *liveness, const struct mir *mir,
              struct tg_arena *arena)
{
   bool *wanted = tg_arena_array(arena, mir->num_blocks, sizeof(*wanted));

   if (!wanted)
      return false;
   memset(wanted, true, mir->num_blocks * sizeof(*wanted));
   return find_wanted(liveness, mir, wanted, arena);
}

bool
liveness_find_between(struct liveness *liveness, const struct mir *mir,
                      struct tg_arena *arena)
{
   size_t num_blocks = (size_t)mir->num_blocks + 1;
   bool *wanted = tg_arena_array(arena, num_blocks, sizeof(*wanted));

   if (!wanted)
      return false;
   find_entered(mir, wanted);
   return find_wanted(liveness, mir, wanted, arena);
}
