/* SPDX-License-Identifier: MIT
 *
 * A block as a scheduler sees it: operations, what has to come before what, and
 * which can share a word in which form. The schedulers (schedule_list.c,
 * schedule_search.c) put it into an order of words.
 */
#ifndef TEGRA_DAG_H
#define TEGRA_DAG_H

#include "tegra/depend.h"
#include "tegra/word.h"

enum { DAG_MAX_FORMS = 2, DAG_NONE = UINT16_MAX };

/* An operation written another way: a move of the other unit, an addition the
 * other way around. */
struct dag_node {
   struct mir_op forms[DAG_MAX_FORMS];
   struct word_claim claims[DAG_MAX_FORMS];
   uint32_t num_forms;
   uint32_t height; /* words from this to the end, at least */
};

/* Operations of a word, vector first, in the forms in which they share it. */
struct dag_word {
   uint16_t op[2]; /* the second may be DAG_NONE */
   uint8_t form[2];
};

struct dag {
   struct depend depend;
   uint32_t num_ops;
   struct dag_node *nodes;
};

/* False when out of memory, of which it takes what it needs from `arena`. */
bool
dag_find(struct dag *dag, const struct mir *mir, const struct mir_block *block,
         struct tg_arena *arena);

/* Can the two be in one word, whichever is the vector operation? */
bool
dag_can_pair(const struct dag *dag, uint32_t a, uint32_t b,
             struct dag_word *word_out);

/* Puts operations into words one after the other, the most urgent first. Gives
 * each operation once; returns how many words there are, 0 when out of memory.
 * `words` has room for as many as there are operations. */
uint32_t
schedule_list(const struct dag *dag, struct dag_word *words,
              struct tg_arena *arena);

/* Looks for fewer words than `num_words`, within bounds; returns how many there
 * are now. Blocks of more than 64 operations stay as they are. */
uint32_t
schedule_search(const struct dag *dag, struct dag_word *words,
                uint32_t num_words, struct tg_arena *arena);

#endif
