/* SPDX-License-Identifier: MIT
 *
 * Direct evaluation of the operations that compute, one lane at a time, for
 * comparison with executors.
 */
#ifndef TESTS_EXEC_DIRECT_H
#define TESTS_EXEC_DIRECT_H

#include "lir/lir.h"

struct direct_row {
   enum lir_op op;
   uint64_t (*evaluate)(const uint64_t operands[3]);
   const char *expression;
};

extern const struct direct_row direct_rows[];
extern const unsigned direct_num_rows;

/* Are two results of row `index` the same? Where its expression makes a float
 * or a double, one NaN is as good as any other. */
bool
direct_same(unsigned index, uint64_t x, uint64_t y);

#endif
