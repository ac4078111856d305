/* SPDX-License-Identifier: MIT
 *
 * The dependence graph of a block: operations, what has to come before what,
 * and which can share a word in which form. The schedulers (list.c, search.c)
 * put it into an order of words.
 */
#ifndef TEGRA_SCHEDULE_DAG_H
#define TEGRA_SCHEDULE_DAG_H

#include "tegra/mir/word.h"
#include "tegra/schedule/depend.h"

enum { DAG_MAX_FORMS = 3, DAG_NONE = UINT16_MAX };

/* An operation written another way: a move of the other unit, one of 0 or 1
 * that reads no constant, an addition the other way around. */
struct dag_node {
   struct mir_op forms[DAG_MAX_FORMS];
   struct word_claim claims[DAG_MAX_FORMS];
   uint32_t num_forms;
   uint8_t units;   /* of the forms, bits by enum tegra_unit */
   uint32_t height; /* words from this to the end, at least */
   uint32_t depth;  /* from the beginning to this */
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
   uint64_t
      *compatible;     /* rows: what can share its word but for dependencies */
   uint64_t *partners; /* rows: what can share its word in some order of all */
};

/* Builds the dependence graph of a block. `like` is NULL or the dag of a block
 * most of whose operations are the same, with the same numbers; that saves
 * time. False when out of memory, which is taken from `arena`. */
bool
dag_find(struct dag *dag, const struct mir *mir, const struct mir_block *block,
         const struct dag *like, struct tg_arena *arena);

/* The subgraph of a dag that is some operations, in their order; there their
 * numbers are places in `ops`. False when out of memory. */
bool
dag_restrict(struct dag *part, const struct dag *dag, const uint32_t *ops,
             uint32_t num_ops, struct tg_arena *arena);

static inline uint64_t *
dag_compatible(const struct dag *dag, uint32_t op)
{
   return dag->compatible + (size_t)op * dag->depend.row_size;
}
static inline uint64_t *
dag_partners(const struct dag *dag, uint32_t op)
{
   return dag->partners + (size_t)op * dag->depend.row_size;
}

/* The word of one operation. */
static inline struct dag_word
dag_alone(uint32_t op)
{
   return (struct dag_word){{(uint16_t)op, DAG_NONE}, {0, 0}};
}

/* The word that two partners share. */
struct dag_word
dag_pair(const struct dag *dag, uint32_t a, uint32_t b);

/* List scheduling: puts operations into words one after the other, the most
 * urgent first. Gives each operation once; returns how many words there are, 0
 * when out of memory. `words` has room for as many as there are operations. */
uint32_t
schedule_list(const struct dag *dag, struct dag_word *words,
              struct tg_arena *arena);

#endif
