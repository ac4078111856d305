/* SPDX-License-Identifier: MIT
 *
 * Conditional constant propagation, the analysis: blocks are walked until a
 * fixed point, where nothing more is forgotten. A block that no feasible way
 * leads to is not walked at all.
 */
#include "tegra/optimize/known.h"

#include <assert.h>
#include <string.h>

#include "tegra/optimize/evaluate.h"
#include "util/bits.h"

/* ---- an operation -------------------------------------------------------- */

unsigned
known_source(const struct mir_source *source, const struct known_value *values,
             uint32_t words[4])
{
   unsigned known = 0;

   if (source->file != MIR_LITERAL && source->file != MIR_TEMPORARY)
      return 0;
   for (unsigned i = 0; i < 4; i++) {
      unsigned component = tegra_swizzle_get(source->swizzle, i);
      struct mir_source word = *source;

      if (source->file == MIR_TEMPORARY) {
         const struct known_value *value = &values[source->index];

         if (!tegra_mask_has(value->mask, component))
            continue;
         word.literal[i] = value->words[component];
      }
      words[i] = mir_literal(&word, i);
      known |= tegra_mask_bit(i);
   }
   return known;
}

/* A condition that was set by `word`, under a test. */
static bool
holds(const struct mir_predicate *predicate, uint32_t word)
{
   float x = tg_float_of_bits(word);

   return x < 0    ? predicate->less
          : x > 0  ? predicate->greater
          : x == 0 ? predicate->equal
                   : predicate->less && predicate->greater;
}

struct known_gate
known_gate(const struct mir *mir, const struct mir_op *op,
           const struct known_value *values)
{
   unsigned lanes = mir_is_jump(op) ? tegra_mask_bit(0) : op->mask;
   struct known_gate gate = {0, 0};

   if (!op->predicate.enabled)
      return (struct known_gate){(uint8_t)lanes, 0};

   const struct known_value *condition =
      &values[mir->num_temporaries + MIR_PLACE_CONDITION +
              op->predicate.condition];
   for (unsigned i = 0; i < 4; i++) {
      unsigned component = tegra_swizzle_get(op->predicate.swizzle, i);

      if (!tegra_mask_has(lanes, i) ||
          !tegra_mask_has(condition->mask, component))
         continue;
      if (holds(&op->predicate, condition->words[component]))
         gate.open |= (uint8_t)tegra_mask_bit(i);
      else
         gate.shut |= (uint8_t)tegra_mask_bit(i);
   }
   return gate;
}

/* Components of the result that are known. */
static unsigned
compute(const struct mir *mir, const struct mir_op *op,
        const struct known_value *values, uint32_t result[4])
{
   evaluate_words words;
   unsigned known = op->mask;

   if (!evaluate_can(op))
      return 0;
   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      unsigned lanes = known_source(&op->source[i], values, words[i]);

      if (mir_info(op)->result == TEGRA_RESULT_REPL)
         lanes = tegra_mask_has(lanes, 0) ? TEGRA_MASK_XYZW : 0;
      known &= lanes;
   }
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(known, i))
         result[i] = evaluate(mir, op, i, words);
   }
   return known;
}

/* Component i of a location gets a word or, if that is NULL, an unknown one;
 * or it stays, unless it surely does not. */
static void
write(struct known_value *value, unsigned i, const uint32_t *word, bool surely)
{
   uint8_t bit = (uint8_t)tegra_mask_bit(i);
   bool is_same = word && (value->mask & bit) && value->words[i] == *word;

   if (word && (surely || is_same)) {
      value->mask |= bit;
      value->words[i] = *word;
   } else {
      value->mask &= (uint8_t)~bit;
   }
}

void
known_step(const struct mir *mir, const struct mir_op *op,
           struct known_value *values)
{
   struct known_gate gate = known_gate(mir, op, values);
   struct mir_access writes[MIR_MAX_WRITES];
   unsigned count = mir_writes(mir, op, writes);
   uint32_t words[4];
   unsigned known = compute(mir, op, values, words);

   for (unsigned i = 0; i < count; i++) {
      if (writes[i].location >= known_num_locations(mir))
         continue;
      for (unsigned j = 0; j < 4; j++) {
         if (tegra_mask_has(writes[i].mask & ~gate.shut, j))
            write(&values[writes[i].location], j,
                  tegra_mask_has(known, j) ? &words[j] : NULL,
                  tegra_mask_has(gate.open, j));
      }
   }
}

/* ---- blocks -------------------------------------------------------------- */

/* The block after a call, if any. */
static unsigned
leave_call(const struct known *known, uint32_t block,
           struct known_value *values, uint32_t *successor)
{
   const struct mir *mir = known->mir;

   for (uint32_t i = 0; i < known_num_locations(mir); i++)
      values[i].mask &= (uint8_t)~known->called[i];
   *successor = block + 1;
   return block != mir->end && block + 1 < mir->num_blocks;
}

unsigned
known_leave(const struct known *known, uint32_t block,
            struct known_value *values, uint32_t successors[MIR_MAX_SUCCESSORS])
{
   const struct mir *mir = known->mir;
   assert(block < mir->num_blocks);
   const struct mir_op *last = mir_last(&mir->blocks[block]);
   unsigned count = mir_successors(mir, block, successors);

   if (last && mir_info(last)->effect == TEGRA_EFFECT_CALL)
      return leave_call(known, block, values, successors);
   if (!last || !mir_is_jump(last) || !last->predicate.enabled)
      return count;

   /* The first is where it leads; the second, after it, may be missing. */
   struct known_gate gate = known_gate(mir, last, values);
   if (gate.shut) {
      successors[0] = successors[1];
      return count - 1;
   }
   return gate.open ? 1 : count;
}

bool
known_meet(const struct mir *mir, struct known_value *values,
           const struct known_value *others)
{
   bool changed = false;

   for (uint32_t i = 0; i < known_num_locations(mir); i++) {
      unsigned kept = values[i].mask & others[i].mask;

      for (unsigned j = 0; j < 4; j++) {
         if (values[i].words[j] != others[i].words[j])
            kept &= ~tegra_mask_bit(j);
      }
      changed |= kept != values[i].mask;
      values[i].mask = (uint8_t)kept;
   }
   return changed;
}

struct walk {
   struct known *known;
   struct known_value *values; /* now */
   bool *stale;                /* [block]: it is to be walked again */
};

static void
reach(struct walk *walk, uint32_t block)
{
   struct known *known = walk->known;
   const struct mir *mir = known->mir;

   if (!known->reached[block]) {
      memcpy(known_at(known, block), walk->values,
             known_num_locations(mir) * sizeof(*walk->values));
      known->reached[block] = true;
      walk->stale[block] = true;
   } else {
      walk->stale[block] |=
         known_meet(mir, known_at(known, block), walk->values);
   }
}

/* A subroutine begins with nothing known. */
static void
reach_called(struct walk *walk, const struct mir_block *block)
{
   const struct mir_op *last = mir_last(block);

   if (!last || mir_info(last)->effect != TEGRA_EFFECT_CALL)
      return;
   memset(walk->values, 0,
          known_num_locations(walk->known->mir) * sizeof(*walk->values));
   reach(walk, last->target);
}

static void
walk_block(struct walk *walk, uint32_t index)
{
   const struct mir *mir = walk->known->mir;
   assert(index < mir->num_blocks);
   const struct mir_block *block = &mir->blocks[index];
   uint32_t successors[MIR_MAX_SUCCESSORS];

   memcpy(walk->values, known_at(walk->known, index),
          known_num_locations(mir) * sizeof(*walk->values));
   for (uint32_t i = 0; i < block->num_ops; i++)
      known_step(mir, &block->ops[i], walk->values);

   unsigned count = known_leave(walk->known, index, walk->values, successors);
   for (unsigned i = 0; i < count; i++) {
      if (successors[i] < mir->num_blocks)
         reach(walk, successors[i]);
   }
   reach_called(walk, block);
}

/* ---- all ----------------------------------------------------------------- */

/* Subroutines stand after the end. */
static void
find_called(struct known *known)
{
   const struct mir *mir = known->mir;

   for (uint32_t i = mir->end + 1; i < mir->num_blocks; i++) {
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++) {
         struct mir_access writes[MIR_MAX_WRITES];
         unsigned count = mir_writes(mir, &mir->blocks[i].ops[j], writes);

         for (unsigned k = 0; k < count; k++) {
            if (writes[k].location < known_num_locations(mir))
               known->called[writes[k].location] |= writes[k].mask;
         }
      }
   }
}

/* Conditions are equal to 0 when the program starts. */
static void
start(struct walk *walk)
{
   const struct mir *mir = walk->known->mir;

   for (unsigned i = 0; i < TEGRA_NUM_CONDITIONS; i++)
      walk->values[mir->num_temporaries + MIR_PLACE_CONDITION + i].mask =
         TEGRA_MASK_XYZW;
   reach(walk, 0);
}

bool
known_find(struct known *known, const struct mir *mir, struct tg_arena *arena)
{
   uint32_t num_locations = known_num_locations(mir);
   struct walk walk = {.known = known};
   bool changed = true;

   *known = (struct known){.mir = mir};
   known->in = tg_arena_array(arena, (size_t)mir->num_blocks * num_locations,
                              sizeof(*known->in));
   known->reached = tg_arena_array(arena, mir->num_blocks, sizeof(bool));
   known->called = tg_arena_array(arena, num_locations, 1);
   walk.stale = tg_arena_array(arena, mir->num_blocks, sizeof(bool));
   walk.values = tg_arena_array(arena, num_locations, sizeof(*walk.values));
   if (!known->in || !known->reached || !known->called || !walk.stale ||
       !walk.values)
      return false;
   find_called(known);
   start(&walk);
   while (changed) {
      changed = false;
      for (uint32_t i = 0; i < mir->num_blocks; i++) {
         if (!walk.stale[i])
            continue;
         walk.stale[i] = false;
         walk_block(&walk, i);
         changed = true;
      }
   }
   return true;
}
