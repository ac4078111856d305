/* SPDX-License-Identifier: MIT
 *
 * Select of two literals turned into arithmetic: what is one literal or
 * another, as a truth value says, is computed from it: the literal for 0 and,
 * times the value, the difference to the other. That takes one operation
 * instead of two, no condition, and no predicate that keeps others out of the
 * word. It is done where it gives both literals to the bit.
 */
#include <assert.h>

#include "tegra/optimize/evaluate.h"
#include "tegra/optimize/local.h"
#include "tegra/optimize/optimize.h"
#include "util/bits.h"

enum {
   ONE = 0x3f800000,
   MAX_DEPTH = 4, /* of truth values that are made of truth values */
};

struct blend {
   struct local local;
   struct mir_op *choice;  /* the move under a predicate */
   struct mir_op *before;  /* the move that it overrides */
   struct mir_op *setting; /* what set the condition */
   uint32_t choice_at, before_at, setting_at;
   uint32_t words[2][4]; /* [truth][lane]: what is wanted */
};

static bool
is_literal_move(const struct mir_op *op)
{
   return mir_is_move(op) && op->source[0].file == MIR_LITERAL &&
          !op->sets_condition && !op->saturate && !op->export_relative;
}

static bool
is_candidate(const struct mir_op *op)
{
   return is_literal_move(op) && op->predicate.enabled &&
          op->predicate.greater != op->predicate.equal;
}

/* ---- the truth value ----------------------------------------------------- */

/* Are all results of operation `index` 1 or 0? */
static bool
is_truth(const struct local *local, uint32_t index, unsigned depth)
{
   assert(index < local->block->num_ops);
   const struct mir_op *op = &local->block->ops[index];
   bool joins = op->unit == TEGRA_VECTOR && (op->opcode == TEGRA_VECTOR_MUL ||
                                             op->opcode == TEGRA_VECTOR_MAX);

   if (mir_info(op)->truth)
      return true;
   if (depth == MAX_DEPTH || !(joins || mir_is_move(op)))
      return false;
   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      uint32_t producer = local_producer(local, index, i);

      if (producer == LOCAL_NONE || op->source[i].negate ||
          !is_truth(local, producer, depth + 1))
         return false;
   }
   return true;
}

/* Finds what set all of the condition that the choice looks at. */
static bool
find_setting(struct blend *blend)
{
   const struct local *local = &blend->local;
   unsigned condition = blend->choice->predicate.condition;
   unsigned components = mir_condition_read(blend->choice);

   for (uint32_t i = blend->choice_at; i-- > 0;) {
      struct mir_op *op = &local->block->ops[i];

      if (!op->sets_condition || op->condition != condition ||
          !(op->mask & components))
         continue;
      blend->setting = op;
      blend->setting_at = i;
      return !(components & ~op->mask) && !op->predicate.enabled &&
             is_truth(local, i, 0);
   }
   return false;
}

/* Is the value still in a register when the choice is made, or can it be? */
static bool
is_at_hand(const struct blend *blend)
{
   const struct mir_op *op = blend->setting;

   return op->temporary == MIR_NONE ||
          !local_is_written(&blend->local, blend->setting_at + 1,
                            blend->choice_at, op->temporary, op->mask);
}

/* ---- the literals -------------------------------------------------------- */

static uint32_t
destination(const struct blend *blend)
{
   const struct mir_op *op = blend->choice;

   return op->temporary != MIR_NONE ? op->temporary
                                    : blend->local.mir->num_temporaries +
                                         MIR_PLACE_EXPORT + op->export_index;
}

/* Finds the move that gives the choice what it otherwise is. */
static bool
find_before(struct blend *blend)
{
   const struct mir_op *choice = blend->choice;
   struct mir_op *ops = blend->local.block->ops;
   uint32_t location = destination(blend);

   if (choice->temporary != MIR_NONE && choice->export_index != TEGRA_NO_EXPORT)
      return false;
   for (uint32_t i = blend->choice_at; i-- > 0;) {
      if (!local_is_written(&blend->local, i, i + 1, location, choice->mask))
         continue;
      blend->before = &ops[i];
      blend->before_at = i;
      return is_literal_move(&ops[i]) && !ops[i].predicate.enabled &&
             ops[i].temporary == choice->temporary &&
             ops[i].export_index == choice->export_index &&
             !(choice->mask & ~ops[i].mask);
   }
   return false;
}

static bool
is_untouched(const struct blend *blend)
{
   const struct local *local = &blend->local;
   uint32_t from = blend->before_at + 1, to = blend->choice_at;
   uint32_t location = destination(blend);

   return !local_is_written(local, from, to, location, blend->before->mask) &&
          !local_is_read(local, from, to, location, blend->before->mask);
}

static void
find_words(struct blend *blend)
{
   const struct mir_op *choice = blend->choice;

   for (unsigned i = 0; i < 4; i++) {
      uint32_t other = mir_literal(&blend->before->source[0], i);
      uint32_t chosen = tegra_mask_has(choice->mask, i)
                           ? mir_literal(&choice->source[0], i)
                           : other;

      blend->words[choice->predicate.greater][i] = chosen;
      blend->words[!choice->predicate.greater][i] = other;
   }
}

/* ---- the operation ------------------------------------------------------- */

/* Does it compute both literals of the truth value? */
static bool
is_exact(const struct blend *blend, const struct mir_op *op)
{
   for (unsigned i = 0; i < 8; i++) {
      unsigned lane = i / 2, truth = i % 2;
      evaluate_words words = {{0}};

      if (!tegra_mask_has(op->mask, lane))
         continue;
      words[0][lane] = truth ? ONE : 0;
      words[1][lane] = op->source[1].literal[lane];
      words[2][lane] = op->source[2].literal[lane];
      if (evaluate(blend->local.mir, op, lane, words) !=
          blend->words[truth][lane])
         return false;
   }
   return true;
}

/* Are there no more words than a constant has? */
static bool
has_room(const struct mir_op *op)
{
   uint32_t words[8];
   unsigned count = 0;

   for (unsigned i = 0; i < 4 * mir_num_sources(op) - 4; i++) {
      uint32_t word = op->source[1 + i / 4].literal[i % 4];
      unsigned j = 0;

      while (j < count && words[j] != word)
         j++;
      if (j == count && tegra_mask_has(op->mask, i % 4))
         words[count++] = word;
   }
   return count <= 4;
}

/* The value, in all lanes, also in those where it does not matter. */
static struct mir_source
truth_source(const struct blend *blend)
{
   const struct mir_op *choice = blend->choice;
   unsigned first = tegra_mask_first(choice->mask);
   unsigned any = tegra_swizzle_get(choice->predicate.swizzle, first);

   return (struct mir_source){
      .file = MIR_TEMPORARY,
      .index = blend->setting->temporary,
      .swizzle =
         (uint8_t)tegra_swizzle_with(tegra_swizzle(any, any, any, any),
                                     choice->mask, choice->predicate.swizzle),
   };
}

static bool
find_operation(const struct blend *blend, struct mir_op *op)
{
   struct mir_source difference = {MIR_LITERAL, .swizzle = TEGRA_IDENTITY};
   struct mir_source sum = difference;

   for (unsigned i = 0; i < 4; i++) {
      if (!tegra_mask_has(blend->before->mask, i))
         continue;
      sum.literal[i] = blend->words[0][i];
      difference.literal[i] =
         tg_bits_of_float(tg_float_of_bits(blend->words[1][i]) -
                          tg_float_of_bits(blend->words[0][i]));
   }
   *op = *blend->choice;
   op->mask = blend->before->mask;
   op->predicate = (struct mir_predicate){0};
   op->unit = TEGRA_VECTOR;
   op->source[0] = truth_source(blend);
   op->source[1] = difference;
   op->opcode = TEGRA_VECTOR_MUL;
   if (is_exact(blend, op))
      return has_room(op);
   op->source[2] = sum;
   op->opcode = TEGRA_VECTOR_MAD;
   return is_exact(blend, op) && has_room(op);
}

/* ---- all ----------------------------------------------------------------- */

static bool
can_blend(struct blend *blend, struct mir_op *op)
{
   if (!find_setting(blend) || !is_at_hand(blend) || !find_before(blend) ||
       !is_untouched(blend))
      return false;
   find_words(blend);
   return find_operation(blend, op);
}

/* The arrays of `local` do not know a register that is made, so they are made
 * for each choice; there are few. */
static bool
blend_one(struct mir *mir, uint32_t block, uint32_t index, bool *changed)
{
   struct blend blend = {.choice = &mir->blocks[block].ops[index],
                         .choice_at = index};
   bool started = local_start(&blend.local, mir);
   struct mir_op op;

   if (started) {
      local_enter(&blend.local, block);
      if (can_blend(&blend, &op)) {
         if (blend.setting->temporary == MIR_NONE)
            blend.setting->temporary = mir_add_temporary(mir);
         op.source[0].index = blend.setting->temporary;
         *blend.choice = op;
         local_remove(blend.before);
         *changed = true;
      }
   }
   local_finish(&blend.local);
   return started;
}

enum tg_result
optimize_blend(struct mir *mir, bool *changed)
{
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++) {
         if (is_candidate(&mir->blocks[i].ops[j]) &&
             !blend_one(mir, i, j, changed))
            return TG_ERROR_MEMORY;
      }
   }
   return TG_OK;
}
