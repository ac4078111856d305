/* SPDX-License-Identifier: MIT
 *
 * Branch and bound on the number of words. The state is the set of operations
 * that are done: nothing else matters for what can follow. An operation that
 * can share its word with others never goes alone, as to do more at once leaves
 * no less to choose from.
 */
#include <string.h>

#include "tegra/dag.h"
#include "util/minmax.h"

enum {
   MAX_OPS = 64,
   MAX_STATES = 4000, /* looked at, for one block */
   NUM_SEEN = 1024,   /* slots of the table of states */
};

struct seen {
   uint64_t done;
   uint32_t num_words; /* with which it was come to, and 1 */
};

struct search {
   const struct dag *dag;
   uint64_t all, strict[MAX_OPS], weak[MAX_OPS];
   uint64_t partners[MAX_OPS];              /* that can ever share its word */
   struct dag_word pairs[MAX_OPS][MAX_OPS]; /* by the lesser, the greater */
   uint64_t vector, scalar, exports;        /* what only one unit can do */
   struct seen seen[NUM_SEEN];
   uint32_t states;
   uint32_t best; /* words */
   struct dag_word path[MAX_OPS], *words;
};

/* ---- bounds -------------------------------------------------------------- */

static uint32_t
count_bits(uint64_t set)
{
   return (uint32_t)__builtin_popcountll(set);
}

/* Words that what is left takes at least. */
static uint32_t
bound(const struct search *search, uint64_t left)
{
   uint32_t most = count_bits(left & search->vector), alone = 0, height = 0;

   most = tg_max_u32(most, count_bits(left & search->scalar));
   most = tg_max_u32(most, count_bits(left & search->exports));
   for (uint64_t set = left; set; set &= set - 1) {
      unsigned i = (unsigned)__builtin_ctzll(set);

      height = tg_max_u32(height, search->dag->nodes[i].height);
      alone += (search->partners[i] & left) == 0;
   }
   most = tg_max_u32(most, height);
   return tg_max_u32(most, alone + (count_bits(left) - alone + 1) / 2);
}

/* Was the set come to in as few words already? */
static bool
was_seen(struct search *search, uint64_t done, uint32_t num_words)
{
   uint64_t hash = done * UINT64_C(0x9e3779b97f4a7c15);
   struct seen *seen = &search->seen[hash >> 54];

   if (seen->done == done && seen->num_words &&
       seen->num_words <= num_words + 1)
      return true;
   *seen = (struct seen){done, num_words + 1};
   return false;
}

/* ---- the search ---------------------------------------------------------- */

static uint64_t
find_ready(const struct search *search, uint64_t done, uint64_t with)
{
   uint64_t ready = 0;

   for (uint64_t set = search->all & ~done & ~with; set; set &= set - 1) {
      unsigned i = (unsigned)__builtin_ctzll(set);

      if (!(search->strict[i] & ~done) && !(search->weak[i] & ~(done | with)))
         ready |= set & -set;
   }
   return ready;
}

static void
explore(struct search *search, uint64_t done, uint32_t num_words);

static void
explore_word(struct search *search, uint64_t done, uint32_t num_words,
             const struct dag_word *word)
{
   for (unsigned i = 0; i < 2 && word->op[i] != DAG_NONE; i++)
      done |= UINT64_C(1) << word->op[i];
   search->path[num_words] = *word;
   explore(search, done, num_words + 1);
}

static void
explore(struct search *search, uint64_t done, uint32_t num_words)
{
   uint64_t left = search->all & ~done;

   if (!left && num_words < search->best) {
      search->best = num_words;
      memcpy(search->words, search->path, num_words * sizeof(*search->path));
   }
   if (!left || ++search->states > MAX_STATES ||
       num_words + bound(search, left) >= search->best ||
       was_seen(search, done, num_words))
      return;
   for (uint64_t ready = find_ready(search, done, 0); ready;
        ready &= ready - 1) {
      unsigned i = (unsigned)__builtin_ctzll(ready);
      uint64_t others =
         find_ready(search, done, ready & -ready) & search->partners[i];
      struct dag_word alone = {{(uint16_t)i, DAG_NONE}, {0, 0}};

      if (!others)
         explore_word(search, done, num_words, &alone);
      for (; others; others &= others - 1) {
         unsigned j = (unsigned)__builtin_ctzll(others);
         const struct dag_word *pair =
            i < j ? &search->pairs[i][j] : &search->pairs[j][i];

         explore_word(search, done, num_words, pair);
      }
   }
}

/* ---- setting up ---------------------------------------------------------- */

/* What only one unit can do, and what takes the one export of a word. */
static void
sort_op(struct search *search, uint32_t op)
{
   const struct dag_node *node = &search->dag->nodes[op];
   bool by[TEGRA_NUM_UNITS] = {false};

   for (uint32_t i = 0; i < node->num_forms; i++)
      by[node->forms[i].unit] = true;
   if (!by[TEGRA_SCALAR])
      search->vector |= UINT64_C(1) << op;
   if (!by[TEGRA_VECTOR])
      search->scalar |= UINT64_C(1) << op;
   if (node->forms[0].export_index != TEGRA_NO_EXPORT)
      search->exports |= UINT64_C(1) << op;
}

static void
find_pairs(struct search *search)
{
   uint32_t n = search->dag->num_ops;

   for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = i + 1; j < n; j++) {
         if (search->strict[j] >> i & 1 ||
             !dag_can_pair(search->dag, i, j, &search->pairs[i][j]))
            continue;
         search->partners[i] |= UINT64_C(1) << j;
         search->partners[j] |= UINT64_C(1) << i;
      }
   }
}

uint32_t
schedule_search(const struct dag *dag, struct dag_word *words,
                uint32_t num_words, struct tg_arena *arena)
{
   struct search *search;

   if (dag->num_ops > MAX_OPS)
      return num_words;
   search = tg_arena_alloc(arena, sizeof(*search));
   if (!search)
      return 0;
   search->dag = dag;
   search->words = words;
   search->best = num_words;
   for (uint32_t i = 0; i < dag->num_ops; i++) {
      search->all |= UINT64_C(1) << i;
      search->strict[i] = *depend_strict(&dag->depend, i);
      search->weak[i] = *depend_weak(&dag->depend, i);
      sort_op(search, i);
   }
   find_pairs(search);
   explore(search, 0, 0);
   return search->best;
}
