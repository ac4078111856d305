/* SPDX-License-Identifier: MIT
 *
 * Instruction scheduling: blocks through the schedulers and back. A block is
 * also tried with exports gathered in a register, those that are written in
 * pieces and those of single operations, and the shortest is taken.
 */
#include "tegra/schedule/schedule.h"

#include <assert.h>

#include "tegra/schedule/gather.h"
#include "tegra/schedule/search.h"

/* States that the searches of a program may look at. */
enum { MAX_STATES = 8000 };

struct schedule {
   struct mir *mir;
   uint32_t budget; /* of states */
};

/* A block with what a scheduler made of it. */
struct attempt {
   struct tg_arena arena; /* owns all but the first block */
   struct mir_block block;
   struct dag dag;
   struct bound bound;
   struct dag_word *words;
   uint32_t num_words; /* `limit`, if there can be no fewer */
};

/* ---- attempts ------------------------------------------------------------ */

static void
attempt_start(struct attempt *attempt, const struct mir *mir)
{
   *attempt = (struct attempt){.num_words = 0};
   tg_arena_init(&attempt->arena, mir->arena.allocator);
}

/* Looks for fewer words than `limit`. `like` is the dag of a block that is much
 * the same, or NULL. False when out of memory. */
static bool
attempt_block(struct schedule *schedule, struct attempt *attempt,
              const struct dag *like, uint32_t limit)
{
   struct tg_arena *arena = &attempt->arena;

   attempt->num_words = limit;
   if (!dag_find(&attempt->dag, schedule->mir, &attempt->block, like, arena) ||
       !bound_find(&attempt->bound, &attempt->dag, arena))
      return false;
   if (attempt->bound.words >= limit)
      return true;
   attempt->words =
      tg_arena_array(arena, attempt->block.num_ops, sizeof(*attempt->words));
   if (!attempt->words)
      return false;
   attempt->num_words = schedule_list(&attempt->dag, attempt->words, arena);
   if (attempt->num_words > attempt->bound.words &&
       !bound_raise(&attempt->bound, &attempt->dag, arena))
      return false;
   if (attempt->num_words > attempt->bound.words)
      attempt->num_words =
         schedule_windows(&attempt->dag, &attempt->bound, attempt->words,
                          attempt->num_words, &schedule->budget, arena);
   return attempt->num_words != 0;
}

/* `attempt` becomes that of the block of `*best` with export `index` gathered,
 * of all its operations or of one. */
static bool
attempt_gathered(struct schedule *schedule, const struct attempt *best,
                 unsigned index, uint32_t only, struct attempt *attempt)
{
   struct mir_block *block = &attempt->block;

   block->capacity = best->block.num_ops + 1;
   block->ops =
      tg_arena_array(&attempt->arena, block->capacity, sizeof(*block->ops));
   if (!block->ops)
      return false;
   gather_export(&best->block, index, only, mir_add_temporary(schedule->mir),
                 block);
   return attempt_block(schedule, attempt, &best->dag, best->num_words);
}

/* `*best` becomes the block with export `index` gathered if that is shorter. */
static bool
gather(struct schedule *schedule, struct attempt *best, unsigned index,
       uint32_t only)
{
   uint32_t num_temporaries = schedule->mir->num_temporaries;
   struct attempt attempt, worse;

   if (!gather_mask(&best->block, index, only))
      return true;
   attempt_start(&attempt, schedule->mir);
   bool fine = attempt_gathered(schedule, best, index, only, &attempt);
   bool is_better = fine && attempt.num_words < best->num_words;
   worse = is_better ? *best : attempt;
   if (is_better)
      *best = attempt;
   else
      schedule->mir->num_temporaries = num_temporaries;
   tg_arena_finish(&worse.arena);
   return fine;
}

/* ---- which exports ------------------------------------------------------- */

static bool
gather_all(struct schedule *schedule, struct attempt *best)
{
   for (unsigned i = 0; i < TG_TEGRA_NUM_EXPORTS; i++) {
      if (!gather(schedule, best, i, GATHER_ALL))
         return false;
   }
   return true;
}

/* Are there more words than exports, and than operations that need each other?
 * With other pairs there may be fewer. */
static bool
may_pair_better(const struct attempt *best)
{
   return best->block.num_ops <= BOUND_MAX_OPS &&
          best->bound.num_levels < best->num_words &&
          gather_count_exports(&best->block) < best->num_words;
}

/* One operation more must make two pairs more: that cannot be if all matchings
 * have the operation that writes the export in a pair. */
static bool
gather_single(struct schedule *schedule, struct attempt *best)
{
   for (uint32_t i = 0; i < best->block.num_ops && may_pair_better(best); i++) {
      unsigned index = best->block.ops[i].export_index;

      if (index == TEGRA_NO_EXPORT || !(best->bound.inessential >> i & 1))
         continue;
      if (!gather(schedule, best, index, i))
         return false;
   }
   return true;
}

/* ---- blocks -------------------------------------------------------------- */

/* The operations in the order and in the forms of their words. */
static bool
write_back(struct mir *mir, uint32_t index, const struct attempt *attempt)
{
   assert(index < mir->num_blocks);
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
schedule_block(struct schedule *schedule, uint32_t index, bool gathers)
{
   assert(index < schedule->mir->num_blocks);
   struct attempt best;

   attempt_start(&best, schedule->mir);
   best.block = schedule->mir->blocks[index];

   bool fine = attempt_block(schedule, &best, NULL, UINT32_MAX) &&
               (!gathers || (gather_all(schedule, &best) &&
                             gather_single(schedule, &best))) &&
               write_back(schedule->mir, index, &best);
   tg_arena_finish(&best.arena);
   return fine;
}

enum tg_result
schedule_mir(const struct compile *compile, struct mir *mir, bool gathers)
{
   struct schedule schedule = {.mir = mir, .budget = MAX_STATES};
   bool fine = true;

   if (compile->options->single_issue)
      return TG_OK;
   for (uint32_t i = 0; i < mir->num_blocks && fine; i++) {
      if (mir->blocks[i].num_ops > 1)
         fine = schedule_block(&schedule, i, gathers);
   }
   return fine ? mir_trace(compile, mir, "schedule", 0) : TG_ERROR_MEMORY;
}
