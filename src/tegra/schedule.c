/* SPDX-License-Identifier: MIT
 *
 * Blocks through the schedulers and back.
 */
#include "tegra/schedule.h"

#include <string.h>

#include "tegra/dag.h"

/* The operations of a block in the order and in the forms of its words. */
static void
write_back(struct mir_block *block, const struct dag *dag,
           const struct dag_word *words, uint32_t num_words)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < num_words; i++) {
      for (unsigned j = 0; j < 2 && words[i].op[j] != DAG_NONE; j++) {
         const struct dag_node *node = &dag->nodes[words[i].op[j]];

         block->ops[count] = node->forms[words[i].form[j]];
         block->ops[count++].paired = j > 0;
      }
   }
}

static enum tg_result
schedule_block(const struct mir *mir, struct mir_block *block,
               struct tg_arena *arena)
{
   struct dag dag;
   struct dag_word *words =
      tg_arena_array(arena, block->num_ops, sizeof(*words));

   if (!words || !dag_find(&dag, mir, block, arena))
      return TG_ERROR_MEMORY;

   uint32_t num_words = schedule_list(&dag, words, arena);
   if (num_words)
      num_words = schedule_search(&dag, words, num_words, arena);
   if (!num_words)
      return TG_ERROR_MEMORY;
   write_back(block, &dag, words, num_words);
   return TG_OK;
}

enum tg_result
compile_schedule(const struct compile *compile, struct mir *mir)
{
   enum tg_result result = TG_OK;

   if (compile->options->single_issue)
      return TG_OK;
   for (uint32_t i = 0; i < mir->num_blocks && result == TG_OK; i++) {
      struct tg_arena arena;

      if (mir->blocks[i].num_ops < 2)
         continue;
      tg_arena_init(&arena, mir->arena.allocator);
      result = schedule_block(mir, &mir->blocks[i], &arena);
      tg_arena_finish(&arena);
   }
   return result;
}
