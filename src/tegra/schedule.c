/* SPDX-License-Identifier: MIT
 *
 * Blocks through the schedulers and back. Where an export is written in pieces
 * the block is also tried with that export gathered in a register, and the
 * shorter of the two is taken.
 */
#include "tegra/schedule.h"

#include "tegra/bound.h"
#include "tegra/gather.h"
#include "util/minmax.h"

/* States that the searches of a program may look at. */
enum { MAX_STATES = 16000 };

struct schedule {
   struct mir *mir;
   struct tg_arena arena; /* for one block */
   uint32_t budget;       /* of states */
};

/* A block with what a scheduler made of it. */
struct attempt {
   struct mir_block block;
   struct dag dag;
   struct bound bound;
   struct dag_word *words;
   uint32_t num_words; /* 0: it was not tried */
};

/* ---- attempts ------------------------------------------------------------ */

/* False when out of memory. */
static bool
look_at_block(struct schedule *schedule, struct attempt *attempt)
{
   return dag_find(&attempt->dag, schedule->mir, &attempt->block,
                   &schedule->arena) &&
          bound_find(&attempt->bound, &attempt->dag, &schedule->arena);
}

static bool
attempt_block(struct schedule *schedule, struct attempt *attempt)
{
   struct tg_arena *arena = &schedule->arena;

   attempt->words =
      tg_arena_array(arena, attempt->block.num_ops, sizeof(*attempt->words));
   if (!attempt->words)
      return false;
   attempt->num_words = schedule_list(&attempt->dag, attempt->words, arena);
   if (attempt->num_words)
      attempt->num_words =
         schedule_windows(&attempt->dag, &attempt->bound, attempt->words,
                          attempt->num_words, &schedule->budget, arena);
   return attempt->num_words != 0;
}

/* `*to` has the block of `from` with export `index` gathered in a new register;
 * no operations where it cannot be. */
static bool
gather(struct schedule *schedule, const struct attempt *from, unsigned index,
       struct attempt *to)
{
   uint32_t num_ops = from->block.num_ops + 1;

   *to = (struct attempt){.num_words = 0};
   to->block.capacity = num_ops;
   to->block.ops =
      tg_arena_array(&schedule->arena, num_ops, sizeof(*to->block.ops));
   if (!to->block.ops)
      return false;
   if (gather_export(&from->block, index, schedule->mir->num_temporaries,
                     &to->block))
      mir_add_temporary(schedule->mir);
   return true;
}

/* Tries export `index` gathered, if there may be fewer words then; `*best` is
 * the shorter of itself and that. */
static bool
attempt_gathered(struct schedule *schedule, struct attempt *best,
                 unsigned index)
{
   uint32_t num_temporaries = schedule->mir->num_temporaries;
   struct attempt attempt;

   if (!gather(schedule, best, index, &attempt))
      return false;
   if (!attempt.block.num_ops)
      return true;
   if (!look_at_block(schedule, &attempt) ||
       (attempt.bound.words < best->num_words &&
        !attempt_block(schedule, &attempt)))
      return false;
   if (attempt.num_words && attempt.num_words < best->num_words)
      *best = attempt;
   else
      schedule->mir->num_temporaries = num_temporaries;
   return true;
}

/* ---- blocks -------------------------------------------------------------- */

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
schedule_block(struct schedule *schedule, uint32_t index, bool gathers)
{
   struct attempt best = {.block = schedule->mir->blocks[index]};

   if (!look_at_block(schedule, &best) || !attempt_block(schedule, &best))
      return false;
   for (unsigned i = 0; i < TG_TEGRA_NUM_EXPORTS && gathers; i++) {
      if (!attempt_gathered(schedule, &best, i))
         return false;
   }
   return write_back(schedule->mir, index, &best);
}

enum tg_result
compile_schedule(const struct compile *compile, struct mir *mir, bool gathers)
{
   struct schedule schedule = {.mir = mir, .budget = MAX_STATES};
   bool fine = true;

   if (compile->options->single_issue)
      return TG_OK;
   for (uint32_t i = 0; i < mir->num_blocks && fine; i++) {
      if (mir->blocks[i].num_ops < 2)
         continue;
      tg_arena_init(&schedule.arena, mir->arena.allocator);
      fine = schedule_block(&schedule, i, gathers);
      tg_arena_finish(&schedule.arena);
   }
   return fine ? compile_tell(compile, mir, "schedule", 0) : TG_ERROR_MEMORY;
}

/* ---- how few there can be ------------------------------------------------ */

/* Lowers `*least` to what can be come to with some of the exports from `first`
 * on gathered. */
static bool
find_least(struct schedule *schedule, struct attempt *attempt, unsigned first,
           uint32_t *least)
{
   bool fine = look_at_block(schedule, attempt);

   if (fine)
      *least = tg_min_u32(*least, attempt->bound.words);
   for (unsigned i = first; i < TG_TEGRA_NUM_EXPORTS && fine; i++) {
      uint32_t num_temporaries = schedule->mir->num_temporaries;
      struct attempt gathered;

      fine = gather(schedule, attempt, i, &gathered);
      if (fine && gathered.block.num_ops)
         fine = find_least(schedule, &gathered, i + 1, least);
      schedule->mir->num_temporaries = num_temporaries;
   }
   return fine;
}

enum tg_result
compile_least_words(struct mir *mir, uint32_t *words)
{
   struct schedule schedule = {.mir = mir};
   bool fine = true;

   *words = 0;
   for (uint32_t i = 0; i < mir->num_blocks && fine; i++) {
      struct attempt attempt = {.block = mir->blocks[i]};
      uint32_t least = attempt.block.num_ops;

      tg_arena_init(&schedule.arena, mir->arena.allocator);
      fine = find_least(&schedule, &attempt, 0, &least);
      tg_arena_finish(&schedule.arena);
      *words += least;
   }
   return fine ? TG_OK : TG_ERROR_MEMORY;
}
