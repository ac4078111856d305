/* SPDX-License-Identifier: MIT
 *
 * A lower bound on the words of a whole program. Any operation may leave its
 * export to a move, so exports keep none from sharing a word. Such a move is
 * one operation more, and no more than one pair more, so without it there are
 * as few words as with it. But a word writes one export, and who gathers an
 * export in a register makes fewer operations write it.
 */
#include <string.h>

#include "tegra/schedule/bound.h"
#include "tegra/schedule/gather.h"
#include "tegra/schedule/schedule.h"
#include "util/minmax.h"

struct least {
   struct mir *mir;
   struct tg_arena arena; /* for one block */
   uint32_t words;
};

/* An empty block with room for the operations of `block` and one more. */
static bool
make_room(struct least *least, const struct mir_block *block,
          struct mir_block *out)
{
   *out = (struct mir_block){.capacity = block->num_ops + 1};
   out->ops = tg_arena_array(&least->arena, out->capacity, sizeof(*out->ops));
   return out->ops != NULL;
}

/* Words that there are at least if operations write registers, and no exports.
 */
static bool
find_words(struct least *least, const struct mir_block *block, uint32_t *words)
{
   uint32_t num_temporaries = least->mir->num_temporaries;
   struct mir_block copy;
   struct bound bound = {.words = 0};
   struct dag dag;

   if (!make_room(least, block, &copy))
      return false;
   copy.num_ops = block->num_ops;
   for (uint32_t i = 0; i < copy.num_ops; i++) {
      struct mir_op *op = &copy.ops[i];

      *op = block->ops[i];
      if (op->export_index != TEGRA_NO_EXPORT && op->temporary == MIR_NONE)
         op->temporary = mir_add_temporary(least->mir);
      op->export_index = TEGRA_NO_EXPORT;
      op->export_relative = false;
   }

   bool fine = dag_find(&dag, least->mir, &copy, NULL, &least->arena) &&
               bound_find(&bound, &dag, &least->arena) &&
               bound_raise(&bound, &dag, &least->arena);
   *words = bound.words;
   least->mir->num_temporaries = num_temporaries;
   return fine;
}

/* Lowers least->words to what there are at least with some of the exports from
 * `first` on gathered. Each makes fewer operations write exports, and there are
 * no fewer words without them. */
static bool
try_gathering(struct least *least, const struct mir_block *block,
              unsigned first)
{
   uint32_t exports = gather_count_exports(block), words;

   if (!find_words(least, block, &words))
      return false;
   least->words = tg_min_u32(least->words, tg_max_u32(words, exports));
   for (unsigned i = first; i < TG_TEGRA_NUM_EXPORTS; i++) {
      uint32_t temporary = least->mir->num_temporaries;
      struct mir_block gathered;

      if (words >= tg_min_u32(exports, least->words))
         break;
      if (!make_room(least, block, &gathered))
         return false;
      if (!gather_export(block, i, GATHER_ALL, temporary, &gathered))
         continue;
      mir_add_temporary(least->mir);
      bool fine = try_gathering(least, &gathered, i + 1);
      least->mir->num_temporaries = temporary;
      if (!fine)
         return false;
   }
   return true;
}

enum tg_result
schedule_least_words(struct mir *mir, uint32_t *words)
{
   struct least least = {.mir = mir};
   bool fine = true;

   *words = 0;
   for (uint32_t i = 0; i < mir->num_blocks && fine; i++) {
      least.words = mir->blocks[i].num_ops;
      tg_arena_init(&least.arena, mir->arena.allocator);
      fine = try_gathering(&least, &mir->blocks[i], 0);
      tg_arena_finish(&least.arena);
      *words += least.words;
   }
   return fine ? TG_OK : TG_ERROR_MEMORY;
}
