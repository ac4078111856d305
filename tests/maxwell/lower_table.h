/* SPDX-License-Identifier: MIT
 *
 * What lowered shaders consist of: how many texture instructions of which form,
 * how many of those that have a scalar form got it, and what they cost in moves
 * and conversions. Which have a scalar form is said by a table of its own here,
 * typed from the rows of the specification, not by those of the lowering.
 */
#ifndef TESTS_MAXWELL_LOWER_TABLE_H
#define TESTS_MAXWELL_LOWER_TABLE_H

#include "maxwell/lower/lower.h"

struct lower_table {
   unsigned forms[MAXWELL_NUM_FORMS];
   unsigned scalar, full, dead;
   unsigned expressible, expressible_scalar;
   unsigned moves; /* all, and of them constants at the start */
   unsigned constants;
   unsigned steps[MAXWELL_LOWER_NUM_STEPS];
   unsigned emulated, in_quads; /* instructions, and what they cost: steps, and
                                   fetches but for one each */
   unsigned needed;             /* TGSI's instructions that are */
   double log_of_moves; /* of 1 + moves for each instruction, by shader */
   double log_of_added; /* the same with the cost of quads */
   unsigned shaders;    /* with a texture instruction that is needed */
};

void
table_add(struct lower_table *table,
          const struct tg_maxwell_lowering *lowering);

/* Of what is expressible, how much is scalar: 1 when nothing is. */
double
table_share(const struct lower_table *table);

/* The geometric mean of (1 + moves / instructions), minus 1; and the same with
 * what quads cost. */
double
table_moves(const struct lower_table *table);
double
table_added(const struct lower_table *table);

void
table_print(const struct lower_table *table);

#endif
