/* SPDX-License-Identifier: MIT
 *
 * List scheduling: each word takes the most urgent operation that is ready, and
 * with it the most urgent one that can share the word. Of equally urgent ones
 * that goes first which came first, as then registers are in use no longer than
 * they were.
 */
#include "tegra/schedule/dag.h"

struct list {
   const struct dag *dag;
   uint64_t *done; /* rows */
   uint64_t *with; /* done, and one operation that would be */
};

static bool
is_within(const uint64_t *row, const uint64_t *set, uint32_t row_size)
{
   uint64_t missing = 0;

   for (uint32_t i = 0; i < row_size; i++)
      missing |= row[i] & ~set[i];
   return missing == 0;
}

/* Can an operation go into the next word, if those of `with` are there? */
static bool
is_ready(const struct list *list, uint32_t op)
{
   const struct depend *depend = &list->dag->depend;

   return !row_has(list->done, op) &&
          is_within(depend_strict(depend, op), list->done, depend->row_size) &&
          is_within(depend_weak(depend, op), list->with, depend->row_size);
}

/* The most urgent that is ready and can share a word with `partner`, if there
 * is one. */
static uint32_t
choose(const struct list *list, uint32_t partner)
{
   const struct dag *dag = list->dag;
   uint32_t best = DAG_NONE;

   for (uint32_t i = 0; i < dag->num_ops; i++) {
      if (partner != DAG_NONE && !row_has(dag_partners(dag, partner), i))
         continue;
      if (best != DAG_NONE && dag->nodes[i].height <= dag->nodes[best].height)
         continue;
      if (i != partner && is_ready(list, i))
         best = i;
   }
   return best;
}

uint32_t
schedule_list(const struct dag *dag, struct dag_word *words,
              struct tg_arena *arena)
{
   uint32_t row_size = dag->depend.row_size, num_words = 0;
   struct list list = {
      .dag = dag,
      .done = tg_arena_array(arena, row_size, sizeof(uint64_t)),
      .with = tg_arena_array(arena, row_size, sizeof(uint64_t)),
   };

   if (!list.done || !list.with)
      return 0;
   for (uint32_t left = dag->num_ops; left > 0;) {
      struct dag_word *word = &words[num_words++];
      uint32_t first = choose(&list, DAG_NONE);

      *word = dag_alone(first);
      row_set(list.with, first);
      uint32_t second = choose(&list, first);
      row_set(list.done, first);
      left--;
      if (second == DAG_NONE)
         continue;
      *word = dag_pair(dag, first, second);
      row_set(list.with, second);
      row_set(list.done, second);
      left--;
   }
   return num_words;
}
