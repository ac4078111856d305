/* SPDX-License-Identifier: MIT
 *
 * The meaning of one operation on one lane, from its row in ops.def.
 */
#ifndef LIR_EVALUATE_H
#define LIR_EVALUATE_H

#include "lir/lir.h"

/* Words are in the low bits of operands and result, the others are zero. False
 * for operations that have no expression. */
bool
lir_evaluate(enum lir_op op, const uint64_t operands[3], uint64_t *result_out);

#endif
