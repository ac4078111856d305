/* SPDX-License-Identifier: MIT
 *
 * Packing of the constant pool: words that are equal share a component of c[],
 * and as a source has one sign for all, those that differ in it may too. All
 * literals of one operation come to lie in one c[], as it can read no more.
 * Places are given to the operations with the most words first; the others
 * mostly find theirs there already.
 */
#include "tegra/schedule/literals.h"

#include <assert.h>
#include <string.h>

#include "util/length.h"

enum { SIGN = (int)0x80000000 };

struct slot {
   uint32_t words[4];
   unsigned count;
};

struct placing {
   const struct compile *compile;
   struct mir *mir;
   struct slot slots[TG_TEGRA_NUM_CONSTANTS];
   uint32_t num_slots;
};

/* ---- one source ---------------------------------------------------------- */

/* The word of a component as it has to stand in c[]. */
static uint32_t
stored_word(const struct mir_source *source, unsigned component, bool flipped)
{
   assert(component < TG_LENGTH(source->literal));
   uint32_t word = source->literal[component];

   if (source->absolute)
      return word & ~(uint32_t)SIGN;
   return flipped ? word ^ (uint32_t)SIGN : word;
}

static int
find_word(const struct slot *slot, uint32_t word)
{
   for (unsigned i = 0; i < slot->count; i++) {
      if (slot->words[i] == word)
         return (int)i;
   }
   return -1;
}

/* Adds the words that are not there. False when there is no room. */
static bool
add_words(struct slot *slot, const struct mir_source *source,
          unsigned components, bool flipped)
{
   for (unsigned i = 0; i < 4; i++) {
      uint32_t word = stored_word(source, i, flipped);

      if (!tegra_mask_has(components, i) || find_word(slot, word) >= 0)
         continue;
      if (slot->count == 4)
         return false;
      slot->words[slot->count++] = word;
   }
   return true;
}

/* Adds them as they are or with their signs changed, whichever takes less. */
static bool
add_source(struct slot *slot, const struct mir_source *source,
           unsigned components, bool *flipped_out)
{
   struct slot plain = *slot, flipped = *slot;
   bool plain_fits = add_words(&plain, source, components, false);
   bool flipped_fits =
      !source->absolute && add_words(&flipped, source, components, true);

   *flipped_out = flipped_fits && (!plain_fits || flipped.count < plain.count);
   *slot = *flipped_out ? flipped : plain;
   return plain_fits || flipped_fits;
}

/* The source reads c[index], whose words are those of `slot`. */
static void
redirect(struct mir_source *source, unsigned components,
         const struct slot *slot, uint32_t index, bool flipped)
{
   unsigned place[4], any = 0;

   for (unsigned i = 4; i-- > 0;) {
      if (!tegra_mask_has(components, i))
         continue;
      place[i] = (unsigned)find_word(slot, stored_word(source, i, flipped));
      any = place[i];
   }
   for (unsigned i = 0; i < 4; i++) {
      if (!tegra_mask_has(components, i))
         place[i] = any;
   }
   source->file = MIR_CONSTANT;
   source->index = index;
   source->negate ^= flipped;
   source->swizzle =
      (uint8_t)tegra_swizzle(place[0], place[1], place[2], place[3]);
}

/* ---- one operation ------------------------------------------------------- */

/* Adds all literals of an operation to a slot. */
static bool
add_op(struct slot *slot, const struct mir_op *op)
{
   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      bool flipped;

      if (op->source[i].file == MIR_LITERAL &&
          !add_source(slot, &op->source[i], mir_components_read(op, i),
                      &flipped))
         return false;
   }
   return true;
}

/* How many words it has; 5 when they are more than fit. */
static unsigned
count_words(const struct mir_op *op)
{
   struct slot slot = {.count = 0};

   return add_op(&slot, op) ? slot.count : 5;
}

/* The slot that needs the fewest new words, a new one if none has room. */
static uint32_t
choose_slot(struct placing *placing, const struct mir_op *op)
{
   uint32_t best = placing->num_slots;
   unsigned fewest = 5;

   for (uint32_t i = 0; i < placing->num_slots; i++) {
      struct slot slot = placing->slots[i];
      unsigned before = slot.count;

      if (add_op(&slot, op) && slot.count - before < fewest) {
         fewest = slot.count - before;
         best = i;
      }
   }
   return best;
}

static enum tg_result
complain(const struct placing *placing, const struct mir_op *op)
{
   uint32_t num_uniforms = placing->mir->num_constants;

   return mir_limit(placing->compile, placing->mir, op->origin,
                    "a program has 256 constants, literals included",
                    "no constants are left for literals: uniforms take %u, "
                    "literals before this one %u",
                    num_uniforms, placing->num_slots);
}

static enum tg_result
place_op(struct placing *placing, struct mir_op *op)
{
   uint32_t chosen = choose_slot(placing, op);
   uint32_t index = placing->mir->num_constants + chosen;

   if (index >= TG_TEGRA_NUM_CONSTANTS)
      return complain(placing, op);
   if (chosen == placing->num_slots)
      placing->num_slots++;
   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      struct mir_source *source = &op->source[i];
      unsigned components = mir_components_read(op, i);
      bool flipped;

      if (source->file != MIR_LITERAL)
         continue;
      add_source(&placing->slots[chosen], source, components, &flipped);
      redirect(source, components, &placing->slots[chosen], index, flipped);
   }
   return TG_OK;
}

/* ---- all ----------------------------------------------------------------- */

/* Copies the last literal of an operation that has too many words into a
 * register, before it. */
static bool
copy_literal(struct mir *mir, uint32_t block, uint32_t index)
{
   assert(block < mir->num_blocks);
   struct mir_op *op = &mir->blocks[block].ops[index];
   struct mir_op copy = mir_op(TEGRA_SCALAR, TEGRA_SCALAR_MOV, op->origin);
   unsigned last = mir_num_sources(op) - 1;

   while (op->source[last].file != MIR_LITERAL)
      last--;

   struct mir_source *source = &op->source[last];
   copy.temporary = mir_add_temporary(mir);
   copy.mask = (uint8_t)mir_components_read(op, last);
   copy.source[0] = *source;
   copy.source[0].negate = copy.source[0].absolute = false;
   source->file = MIR_TEMPORARY;
   source->index = copy.temporary;
   return mir_insert(mir, block, index, &copy);
}

static bool
split_block(struct mir *mir, uint32_t block)
{
   assert(block < mir->num_blocks);
   for (uint32_t i = 0; i < mir->blocks[block].num_ops; i++) {
      while (count_words(&mir->blocks[block].ops[i]) > 4) {
         if (!copy_literal(mir, block, i++))
            return false;
      }
   }
   return true;
}

static enum tg_result
place_all(struct placing *placing, unsigned num_words)
{
   struct mir *mir = placing->mir;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++) {
         struct mir_op *op = &mir->blocks[i].ops[j];
         enum tg_result result = TG_OK;

         if (count_words(op) == num_words)
            result = place_op(placing, op);
         if (result != TG_OK)
            return result;
      }
   }
   return TG_OK;
}

enum tg_result
literals_place(const struct compile *compile, struct mir *mir)
{
   struct placing placing = {.compile = compile, .mir = mir};
   enum tg_result result = TG_OK;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      if (!split_block(mir, i))
         return TG_ERROR_MEMORY;
   }
   for (unsigned count = 4; count > 0 && result == TG_OK; count--)
      result = place_all(&placing, count);
   for (uint32_t i = 0; i < placing.num_slots; i++) {
      const struct slot *slot = &placing.slots[i];
      uint32_t index = mir->num_constants + i;

      memcpy(mir->constants[index], slot->words, sizeof(slot->words));
      mir->constant_masks[index] = (uint8_t)((1u << slot->count) - 1);
   }
   return result;
}
