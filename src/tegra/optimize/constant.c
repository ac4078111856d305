/* SPDX-License-Identifier: MIT
 *
 * Conditional constant propagation and branch folding: sources whose words are
 * known become literals, and indices that are known plain numbers. An operation
 * under a predicate, or a branch, that is known to hold needs none, and one
 * that is known not to hold goes.
 */
#include <assert.h>

#include "tegra/mir/word.h"
#include "tegra/optimize/known.h"
#include "tegra/optimize/local.h"
#include "tegra/optimize/optimize.h"
#include "util/length.h"

struct constant {
   struct mir *mir;
   struct tg_arena arena;
   struct known known;
   struct known_value *values; /* before the operation looked at */
};

/* ---- sources ------------------------------------------------------------- */

/* Does it still read what one word can? A copy of the literal would take as
 * much as the register that holds it. */
static bool
is_no_worse(const struct mir_op *before, const struct mir_op *after)
{
   return word_can_hold(after) || !word_can_hold(before);
}

static bool
replace_source(const struct constant *constant, struct mir_op *op,
               unsigned index)
{
   assert(index < TG_LENGTH(op->source));
   unsigned lanes = tegra_isa_components_read(mir_info(op), op->mask);
   struct mir_source literal = {.file = MIR_LITERAL, .swizzle = TEGRA_IDENTITY};
   uint32_t words[4];
   struct mir_op replaced = *op;

   if (op->source[index].file != MIR_TEMPORARY ||
       (lanes & ~known_source(&op->source[index], constant->values, words)))
      return false;
   for (unsigned i = 0; i < 4; i++)
      literal.literal[i] = tegra_mask_has(lanes, i) ? words[i] : 0;
   replaced.source[index] = literal;
   if (!is_no_worse(op, &replaced))
      return false;
   *op = replaced;
   return true;
}

/* The index that A0 makes of one that is counted from it, if it is known and
 * below `bound`. */
static bool
find_index(const struct constant *constant, unsigned component, uint32_t *index,
           uint32_t bound)
{
   const struct known_value *address =
      &constant->values[constant->mir->num_temporaries + MIR_PLACE_ADDRESS];
   int64_t sum = (int64_t)*index + (int32_t)address->words[component];

   if (!tegra_mask_has(address->mask, component) || sum < 0 || sum >= bound)
      return false;
   *index = (uint32_t)sum;
   return true;
}

/* What is outside of the caller's constants depends on where literals are. */
static bool
replace_index(const struct constant *constant, struct mir_source *source)
{
   uint32_t bound = source->file == MIR_CONSTANT ? constant->mir->num_constants
                                                 : TG_TEGRA_NUM_ATTRIBUTES;

   if (!source->relative ||
       !find_index(constant, source->address, &source->index, bound))
      return false;
   source->relative = false;
   return true;
}

static bool
replace_export(const struct constant *constant, struct mir_op *op)
{
   uint32_t index = op->export_index;

   if (!op->export_relative ||
       !find_index(constant, op->export_address, &index, TG_TEGRA_NUM_EXPORTS))
      return false;
   op->export_relative = false;
   op->export_index = (uint8_t)index;
   return true;
}

/* ---- predicates ---------------------------------------------------------- */

static bool
decide(const struct constant *constant, struct mir_op *op)
{
   struct known_gate gate = known_gate(constant->mir, op, constant->values);
   unsigned lanes = mir_is_jump(op) ? tegra_mask_bit(0) : op->mask;

   if (!op->predicate.enabled || !(gate.shut || gate.open == lanes))
      return false;
   if (gate.shut == lanes) {
      local_remove(op);
      return true;
   }
   op->mask &= (uint8_t)~gate.shut;
   op->predicate.enabled = gate.open != (lanes & ~gate.shut);
   return true;
}

/* ---- all ----------------------------------------------------------------- */

static bool
rewrite(const struct constant *constant, struct mir_op *op)
{
   bool changed = decide(constant, op);

   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      changed |= replace_index(constant, &op->source[i]);
      changed |= replace_source(constant, op, i);
   }
   return replace_export(constant, op) || changed;
}

static bool
rewrite_block(struct constant *constant, uint32_t index)
{
   const struct mir *mir = constant->mir;
   assert(index < mir->num_blocks);
   struct mir_block *block = &mir->blocks[index];
   bool changed = false;

   if (!constant->known.reached[index])
      return false;
   constant->values = known_at(&constant->known, index);
   for (uint32_t i = 0; i < block->num_ops; i++) {
      changed |= rewrite(constant, &block->ops[i]);
      known_step(mir, &block->ops[i], constant->values);
   }
   local_sweep(block);
   return changed;
}

enum tg_result
optimize_constant(struct mir *mir, bool *changed)
{
   struct constant constant = {.mir = mir};
   bool found;

   tg_arena_init(&constant.arena, mir->arena.allocator);
   found = known_find(&constant.known, mir, &constant.arena);
   for (uint32_t i = 0; i < mir->num_blocks && found; i++)
      *changed |= rewrite_block(&constant, i);
   tg_arena_finish(&constant.arena);
   return found ? TG_OK : TG_ERROR_MEMORY;
}
