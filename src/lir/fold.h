/* SPDX-License-Identifier: MIT
 *
 * The rules of fold.def in memory, for the pass and for the test that proves
 * each of them on special values.
 */
#ifndef LIR_FOLD_H
#define LIR_FOLD_H

#include "lir/lir.h"

enum lir_pattern_kind {
   LIR_PATTERN_ANY,    /* any value; `number` says which, 0 to 2 */
   LIR_PATTERN_NUMBER, /* the constant `number` */
   LIR_PATTERN_OP,     /* an operation on patterns */
};

struct lir_pattern {
   enum lir_pattern_kind kind;
   enum lir_op op;
   uint64_t number;
   const struct lir_pattern *operand[3];
};

/* Where `before` is found it may become `after`, which is a value of `before`,
 * a constant, or one operation on those. */
struct lir_fold_rule {
   const struct lir_pattern *before;
   const struct lir_pattern *after;
   const char *text; /* as in fold.def, for messages */
};

extern const struct lir_fold_rule lir_fold_rules[];
extern const uint32_t lir_num_fold_rules;

#endif
