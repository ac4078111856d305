/* SPDX-License-Identifier: MIT
 *
 * Random programs of operations, for passes: sums and products, predicates,
 * addresses, an if, loops and a subroutine, all of which come to an end; and
 * what passes look for, mostly as they want it.
 */
#ifndef TESTS_TEGRA_RANDOM_MIR_H
#define TESTS_TEGRA_RANDOM_MIR_H

#include "tegra/mir/mir.h"

enum {
   RANDOM_EXPORTS = 4,
   RANDOM_REGISTERS = 6,              /* that operations read and write */
   RANDOM_COUNTER = RANDOM_REGISTERS, /* of a loop */
   RANDOM_IDIOMS,                     /* the first of those that idioms have */
   RANDOM_ALL = RANDOM_IDIOMS + 4,
};

/* The same seed gives the same program, and then the same words.
 * mir_finish() frees it. */
void
random_mir(uint64_t seed, struct mir *mir);

/* Words that go wrong easily, and plain ones. */
uint32_t
random_mir_word(void);

/* ---- for its parts ------------------------------------------------------- */

uint32_t
random_mir_below(uint32_t bound);

static inline bool
random_mir_one_in(uint32_t chances)
{
   return random_mir_below(chances) == 0;
}

/* A source of any file, and a mask of any components but none. */
struct mir_source
random_mir_source(void);
uint8_t
random_mir_mask(void);

/* A register or export, or both. */
void
random_mir_destination(struct mir_op *op);

struct mir_predicate
random_mir_predicate(unsigned condition);

void
random_mir_add(struct mir *mir, uint32_t block, const struct mir_op *op);

/* At most so many operations of all kinds. */
void
random_mir_add_ops(struct mir *mir, uint32_t block, unsigned most);

/* What some pass looks for, with something about it that may be otherwise. */
void
random_mir_add_idiom(struct mir *mir, uint32_t block);

#endif
