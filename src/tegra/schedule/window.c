/* SPDX-License-Identifier: MIT
 *
 * Windowed scheduling: blocks with more operations than a search takes go
 * through it in windows: as many words as have few enough operations become as
 * few as they can be, then those from half of them on, and so forth.
 */
#include <string.h>

#include "tegra/schedule/search.h"
#include "util/minmax.h"

struct window {
   struct dag_word *words;
   uint32_t num_words;
   uint32_t ops[BOUND_MAX_OPS], num_ops; /* in their order */
};

/* The first words that have no more than BOUND_MAX_OPS operations. */
static void
open_window(struct window *window, struct dag_word *words, uint32_t num_words)
{
   *window = (struct window){.words = words};
   while (window->num_words < num_words) {
      const struct dag_word *word = &words[window->num_words];
      uint32_t size = word->op[1] == DAG_NONE ? 1 : 2;

      if (window->num_ops + size > BOUND_MAX_OPS)
         break;
      for (uint32_t i = 0; i < size; i++) {
         uint32_t place = window->num_ops++;

         for (; place && window->ops[place - 1] > word->op[i]; place--)
            window->ops[place] = window->ops[place - 1];
         window->ops[place] = word->op[i];
      }
      window->num_words++;
   }
}

/* The words as the search has them, by numbers of the window, become those of
 * the block. */
static void
close_window(struct window *window, const struct dag_word *words,
             uint32_t num_words)
{
   for (uint32_t i = 0; i < num_words; i++) {
      struct dag_word *word = &window->words[i];

      *word = words[i];
      for (unsigned j = 0; j < 2 && word->op[j] != DAG_NONE; j++)
         word->op[j] = (uint16_t)window->ops[word->op[j]];
   }
   window->num_words = num_words;
}

/* False when out of memory. */
static bool
improve_window(struct window *window, const struct dag *dag, uint32_t *budget,
               struct tg_arena *arena)
{
   struct dag_word words[BOUND_MAX_OPS];
   struct dag part;
   struct bound bound;

   if (!dag_restrict(&part, dag, window->ops, window->num_ops, arena) ||
       !bound_find(&bound, &part, arena) || !bound_raise(&bound, &part, arena))
      return false;
   uint32_t num_words =
      schedule_search(&part, &bound, words, window->num_words, budget, arena);
   if (num_words && num_words < window->num_words)
      close_window(window, words, num_words);
   return num_words != 0;
}

uint32_t
schedule_windows(const struct dag *dag, struct bound *bound,
                 struct dag_word *words, uint32_t num_words, uint32_t *budget,
                 struct tg_arena *arena)
{
   struct window window;

   if (dag->num_ops <= BOUND_MAX_OPS)
      return schedule_search(dag, bound, words, num_words, budget, arena);
   for (uint32_t first = 0, last = 0; last < num_words;
        first += (window.num_words + 1) / 2) {
      open_window(&window, words + first, num_words - first);
      last = first + window.num_words;
      if (!improve_window(&window, dag, budget, arena))
         return 0;

      uint32_t saved = last - first - window.num_words;
      memmove(words + last - saved, words + last,
              (num_words - last) * sizeof(*words));
      num_words -= saved;
      last -= saved;
   }
   return num_words;
}
