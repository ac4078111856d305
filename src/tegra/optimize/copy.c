/* SPDX-License-Identifier: MIT
 *
 * Copy propagation: sources that read what a move wrote read what the move
 * read. Lanes may come from several moves, if those read the same register;
 * that may be the one that they write, and then lanes that no move wrote stay.
 * Literals may come from anywhere. Moves whose results are not read any more
 * are left to dead code elimination.
 *
 * Beyond its block a move is seen if it stands in the first one, which is
 * before all others, reads what never changes, and is all that writes its
 * register.
 */
#include <assert.h>
#include <string.h>

#include "tegra/optimize/local.h"
#include "tegra/optimize/optimize.h"
#include "util/length.h"

struct copy {
   struct local local;
   /* [register]: the only operation that writes it, if that is in the first
    * block, and 1; else 0 */
   uint32_t *only;
   uint32_t block;
};

/* ---- moves --------------------------------------------------------------- */

static bool
is_plain_move(const struct mir_op *op)
{
   return mir_is_move(op) && !op->saturate && !op->predicate.enabled &&
          op->temporary != MIR_NONE;
}

static bool
never_changes(const struct mir_source *source)
{
   return source->file != MIR_TEMPORARY && !source->relative;
}

/* The move that wrote a component of a register before `index`, if what it read
 * is still there; or NULL. */
static const struct mir_op *
find_move(const struct copy *copy, uint32_t index, uint32_t temporary,
          unsigned component)
{
   const struct local *local = &copy->local;
   uint32_t writer = local_writer(local, index, temporary, component);

   if (writer == LOCAL_NONE) {
      const struct mir_op *first = local->mir->blocks[0].ops;
      uint32_t only = copy->only[temporary];

      if (copy->block == 0 || !only || !is_plain_move(&first[only - 1]) ||
          !tegra_mask_has(first[only - 1].mask, component) ||
          !never_changes(&first[only - 1].source[0]))
         return NULL;
      return &first[only - 1];
   }

   const struct mir_op *move = &local->block->ops[writer];
   if (!is_plain_move(move))
      return NULL;
   unsigned read =
      tegra_mask_bit(tegra_swizzle_get(move->source[0].swizzle, component));
   return local_is_kept(local, &move->source[0], read, writer, index) ? move
                                                                      : NULL;
}

/* ---- sources ------------------------------------------------------------- */

/* Lane `lane` of `source`, which reads component `component` of what a move
 * wrote, reads what the move did. False when the lanes before do not let it. */
static bool
add_lane(struct mir_source *source, bool is_first, unsigned lane,
         const struct mir_source *moved, unsigned component)
{
   unsigned from = tegra_swizzle_get(moved->swizzle, component);

   if (is_first) {
      bool negate = source->negate, absolute = source->absolute;

      *source = *moved;
      memset(source->literal, 0, sizeof(source->literal));
      source->swizzle = (uint8_t)tegra_swizzle(from, from, from, from);
      source->negate = negate;
      source->absolute = absolute;
      if (moved->file != MIR_LITERAL) {
         source->negate = absolute ? negate : negate ^ moved->negate;
         source->absolute = absolute || moved->absolute;
      }
   }
   if (moved->file == MIR_LITERAL) {
      source->swizzle = TEGRA_IDENTITY;
      assert(lane < TG_LENGTH(source->literal));
      source->literal[lane] = mir_literal(moved, component);
      return source->file == MIR_LITERAL;
   }
   source->swizzle &= (uint8_t) ~(3u << (6 - 2 * lane));
   source->swizzle |= (uint8_t)(from << (6 - 2 * lane));
   return mir_same_register(source, moved);
}

static bool
copy_source(const struct copy *copy, uint32_t index, unsigned which)
{
   struct mir_op *op = &copy->local.block->ops[index];
   assert(which < TG_LENGTH(op->source));
   const struct mir_source old = op->source[which];
   const struct mir_source itself = {
      .file = MIR_TEMPORARY, .index = old.index, .swizzle = TEGRA_IDENTITY};
   unsigned lanes = tegra_isa_components_read(mir_info(op), op->mask);
   struct mir_source source = old;
   const struct mir_source *first = NULL;
   bool is_moved = false;

   for (unsigned i = 0; i < 4; i++) {
      unsigned component = tegra_swizzle_get(old.swizzle, i);

      if (!tegra_mask_has(lanes, i))
         continue;
      const struct mir_op *move = find_move(copy, index, old.index, component);
      const struct mir_source *moved = move ? &move->source[0] : &itself;
      bool same_sign =
         !first || moved->file == MIR_LITERAL ||
         (first->negate == moved->negate && first->absolute == moved->absolute);
      if (!same_sign || !add_lane(&source, !first, i, moved, component))
         return false;
      first = moved;
      is_moved |= move != NULL;
   }
   if (!is_moved || (source.relative && mir_writes_address(op)))
      return false;
   op->source[which] = source;
   return true;
}

/* ---- all ----------------------------------------------------------------- */

/* The first block has only one way to its operations if nothing jumps there. */
static bool
is_entered_again(const struct mir *mir)
{
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      const struct mir_block *block = &mir->blocks[i];

      if (block->num_ops && block->ops[block->num_ops - 1].target == 0)
         return true;
   }
   return false;
}

static void
find_only_writers(struct copy *copy, const struct mir *mir, uint32_t *count)
{
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++) {
         uint32_t temporary = mir->blocks[i].ops[j].temporary;

         if (temporary == MIR_NONE)
            continue;
         copy->only[temporary] = i == 0 && !count[temporary]++ ? j + 1 : 0;
      }
   }
}

static bool
copy_block(struct copy *copy)
{
   const struct mir_block *block = copy->local.block;
   bool changed = false;

   for (uint32_t i = 0; i < block->num_ops; i++) {
      for (unsigned j = 0; j < mir_num_sources(&block->ops[i]); j++) {
         if (block->ops[i].source[j].file == MIR_TEMPORARY)
            changed |= copy_source(copy, i, j);
      }
   }
   return changed;
}

enum tg_result
optimize_copy(struct mir *mir, bool *changed)
{
   struct copy copy = {.block = 0};
   bool started = local_start(&copy.local, mir);
   uint32_t *count = NULL;

   if (started) {
      copy.only = tg_arena_array(&copy.local.arena, mir->num_temporaries,
                                 sizeof(*copy.only));
      count = tg_arena_array(&copy.local.arena, mir->num_temporaries,
                             sizeof(*count));
      started = copy.only && count;
   }
   if (started && !is_entered_again(mir))
      find_only_writers(&copy, mir, count);
   for (; copy.block < mir->num_blocks && started; copy.block++) {
      local_enter(&copy.local, copy.block);
      *changed |= copy_block(&copy);
   }
   local_finish(&copy.local);
   return started ? TG_OK : TG_ERROR_MEMORY;
}
