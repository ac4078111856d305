/* SPDX-License-Identifier: MIT
 *
 * Branch and bound on the number of words. The state is the set of operations
 * that are done: nothing else matters for what can follow. Dominated choices
 * are pruned: an operation that can share its word with others never goes
 * alone, as to do more at once leaves no less to choose from.
 */
#include "tegra/schedule/search.h"

#include "util/minmax.h"

enum {
   MAX_OPS = BOUND_MAX_OPS,
   MAX_STATES = 4000, /* looked at in one search */
   NUM_SEEN = 4096,   /* slots of the table of states */
   SEEN_SHIFT = 52,
};

struct seen {
   uint64_t done;
   uint32_t num_words; /* with which it was reached, and 1 */
};

struct search {
   const struct dag *dag;
   const struct bound *bound;
   uint64_t all, strict[MAX_OPS], weak[MAX_OPS];
   struct seen *seen;
   uint32_t states, limit; /* looked at, and how many may be */
   uint32_t best;          /* words */
   uint64_t path[MAX_OPS]; /* operations of each word to here */
   struct dag_word *words;
};

/* A state. */
struct stop {
   uint64_t done, left;
   uint32_t num_words;
   uint64_t ready; /* what can go into the next word */
   uint64_t near;  /* what can, too, if it shares the word with something */
};

/* Was the set reached in as few words already? */
static bool
was_seen(struct search *search, uint64_t done, uint32_t num_words)
{
   uint64_t hash = done * UINT64_C(0x9e3779b97f4a7c15);
   struct seen *seen = &search->seen[hash >> SEEN_SHIFT];

   if (seen->done == done && seen->num_words &&
       seen->num_words <= num_words + 1)
      return true;
   *seen = (struct seen){done, num_words + 1};
   return false;
}

/* ---- what can come next -------------------------------------------------- */

static void
find_ready(const struct search *search, struct stop *stop)
{
   for (uint64_t set = stop->left; set; set &= set - 1) {
      unsigned i = (unsigned)__builtin_ctzll(set);

      if (search->strict[i] & ~stop->done)
         continue;
      stop->near |= set & -set;
      if (!(search->weak[i] & ~stop->done))
         stop->ready |= set & -set;
   }
}

/* What can share the next word with `op`, which is ready. */
static uint64_t
find_others(const struct search *search, const struct stop *stop, unsigned op)
{
   uint64_t with = stop->done | UINT64_C(1) << op, others = 0;

   for (uint64_t set = stop->near & *dag_partners(search->dag, op); set;
        set &= set - 1) {
      if (!(search->weak[__builtin_ctzll(set)] & ~with))
         others |= set & -set;
   }
   return others;
}

/* Takes one of the most urgent out of a set. */
static unsigned
take(const struct bound *bound, uint64_t *set)
{
   uint32_t level = bound->num_levels;

   while (!(*set & bound->levels[level - 1]))
      level--;

   uint64_t urgent = *set & bound->levels[level - 1];
   *set &= ~(urgent & -urgent);
   return (unsigned)__builtin_ctzll(urgent);
}

/* ---- the search ---------------------------------------------------------- */

static void
explore(struct search *search, uint64_t done, uint32_t num_words);

static void
explore_word(struct search *search, const struct stop *stop, uint64_t ops)
{
   search->path[stop->num_words] = ops;
   explore(search, stop->done | ops, stop->num_words + 1);
}

/* An operation that nothing left can share a word with may as well come now,
 * and so may a pair of which one could share its word with nothing else. False
 * when there are none. */
static bool
explore_forced(struct search *search, const struct stop *stop)
{
   for (uint64_t set = stop->ready; set; set &= set - 1) {
      unsigned i = (unsigned)__builtin_ctzll(set);
      uint64_t partners = *dag_partners(search->dag, i) & stop->left;

      if (partners & (partners - 1) ||
          (partners && !find_others(search, stop, i)))
         continue;
      explore_word(search, stop, (set & -set) | partners);
      return true;
   }
   return false;
}

static void
explore_all(struct search *search, const struct stop *stop)
{
   for (uint64_t ready = stop->ready; ready;) {
      unsigned i = take(search->bound, &ready);
      uint64_t others = find_others(search, stop, i);

      if (!others)
         explore_word(search, stop, UINT64_C(1) << i);
      /* With what is ready and was taken before it has been. */
      others &= ~(stop->ready & ~ready);
      while (others)
         explore_word(search, stop,
                      UINT64_C(1) << i | UINT64_C(1)
                                            << take(search->bound, &others));
   }
}

/* The way here is the best so far. */
static void
take_words(struct search *search, uint32_t num_words)
{
   search->best = num_words;
   for (uint32_t i = 0; i < num_words; i++) {
      uint64_t ops = search->path[i], more = ops & (ops - 1);
      uint32_t first = (uint32_t)__builtin_ctzll(ops);

      search->words[i] =
         more ? dag_pair(search->dag, first, (uint32_t)__builtin_ctzll(more))
              : dag_alone(first);
   }
}

static void
explore(struct search *search, uint64_t done, uint32_t num_words)
{
   struct stop stop = {
      .done = done,
      .left = search->all & ~done,
      .num_words = num_words,
   };

   if (!stop.left && num_words < search->best)
      take_words(search, num_words);
   if (!stop.left || search->best <= search->bound->words ||
       ++search->states > search->limit || was_seen(search, done, num_words) ||
       num_words >= search->best ||
       bound_left(search->bound, stop.left, search->best - num_words) >=
          search->best - num_words)
      return;
   find_ready(search, &stop);
   if (!explore_forced(search, &stop))
      explore_all(search, &stop);
}

uint32_t
schedule_search(const struct dag *dag, struct bound *bound,
                struct dag_word *words, uint32_t num_words, uint32_t *budget,
                struct tg_arena *arena)
{
   struct search *search;

   if (num_words <= bound->words)
      return num_words;
   search = tg_arena_alloc(arena, sizeof(*search));
   if (!search)
      return 0;
   search->seen = tg_arena_array(arena, NUM_SEEN, sizeof(*search->seen));
   if (!search->seen)
      return 0;
   search->dag = dag;
   search->bound = bound;
   search->limit = tg_min_u32(*budget, MAX_STATES);
   search->words = words;
   search->best = num_words;
   for (uint32_t i = 0; i < dag->num_ops; i++) {
      search->all |= UINT64_C(1) << i;
      search->strict[i] = *depend_strict(&dag->depend, i);
      search->weak[i] = *depend_weak(&dag->depend, i);
   }
   explore(search, 0, 0);
   if (search->states <= search->limit)
      bound->words = search->best;
   *budget -= tg_min_u32(search->states, search->limit);
   return search->best;
}
