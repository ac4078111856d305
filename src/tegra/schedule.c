/* SPDX-License-Identifier: MIT
 *
 * Blocks through the schedulers and back. Where an export is written in pieces
 * the block is also tried with that export gathered in a register, and the
 * shorter of the two is taken.
 */
#include "tegra/schedule.h"

#include "tegra/dag.h"
#include "tegra/gather.h"

/* A block with what a scheduler made of it. */
struct attempt {
   struct mir_block block;
   struct dag dag;
   struct dag_word *words;
   uint32_t num_words;
};

/* False when out of memory. */
static bool
attempt_block(struct attempt *attempt, const struct mir *mir,
              struct tg_arena *arena)
{
   attempt->words =
      tg_arena_array(arena, attempt->block.num_ops, sizeof(*attempt->words));
   if (!attempt->words || !dag_find(&attempt->dag, mir, &attempt->block, arena))
      return false;
   attempt->num_words = schedule_list(&attempt->dag, attempt->words, arena);
   if (attempt->num_words)
      attempt->num_words = schedule_search(&attempt->dag, attempt->words,
                                           attempt->num_words, arena);
   return attempt->num_words != 0;
}

/* Tries export `index` gathered; `*best` is the shorter of itself and that. */
static bool
attempt_gathered(struct attempt *best, struct mir *mir, unsigned index,
                 struct tg_arena *arena)
{
   struct attempt attempt = {.num_words = 0};
   uint32_t temporary = mir->num_temporaries;

   attempt.block.capacity = best->block.num_ops + 1;
   attempt.block.ops =
      tg_arena_array(arena, attempt.block.capacity, sizeof(*attempt.block.ops));
   if (!attempt.block.ops)
      return false;
   if (!gather_export(&best->block, index, temporary, &attempt.block))
      return true;
   mir_add_temporary(mir);
   if (!attempt_block(&attempt, mir, arena))
      return false;
   if (attempt.num_words < best->num_words)
      *best = attempt;
   else
      mir->num_temporaries = temporary;
   return true;
}

/* The operations in the order and in the forms of their words. */
static bool
write_back(struct mir *mir, uint32_t index, const struct attempt *attempt)
{
   struct mir_block *block = &mir->blocks[index];

   block->num_ops = 0;
   for (uint32_t i = 0; i < attempt->num_words; i++) {
      const struct dag_word *word = &attempt->words[i];

      for (unsigned j = 0; j < 2 && word->op[j] != DAG_NONE; j++) {
         struct mir_op op =
            attempt->dag.nodes[word->op[j]].forms[word->form[j]];

         op.paired = j > 0;
         if (!mir_append(mir, index, &op))
            return false;
      }
   }
   return true;
}

static bool
schedule_block(struct mir *mir, uint32_t index, bool gathers,
               struct tg_arena *arena)
{
   struct attempt best = {.block = mir->blocks[index]};

   if (!attempt_block(&best, mir, arena))
      return false;
   for (unsigned i = 0; i < TG_TEGRA_NUM_EXPORTS && gathers; i++) {
      if (!attempt_gathered(&best, mir, i, arena))
         return false;
   }
   return write_back(mir, index, &best);
}

enum tg_result
compile_schedule(const struct compile *compile, struct mir *mir, bool gathers)
{
   bool fine = true;

   if (compile->options->single_issue)
      return TG_OK;
   for (uint32_t i = 0; i < mir->num_blocks && fine; i++) {
      struct tg_arena arena;

      if (mir->blocks[i].num_ops < 2)
         continue;
      tg_arena_init(&arena, mir->arena.allocator);
      fine = schedule_block(mir, i, gathers, &arena);
      tg_arena_finish(&arena);
   }
   return fine ? compile_tell(compile, mir, "schedule", 0) : TG_ERROR_MEMORY;
}
