/* SPDX-License-Identifier: MIT
 *
 * Signatures: calls with their arguments and results, and the variables that
 * results become.
 */
#ifndef LIR_SIGNATURES_H
#define LIR_SIGNATURES_H

#include "lir/lir.h"

/* Of an argument, a call or a result: the instruction that the call is. */
uint32_t
lir_signature_call(const struct lir_function *function, uint32_t index);

/* Adds a variable for each result of a function, in their order; the first of
 * them, or UINT32_MAX when there are too many or memory is out. A function
 * without results has the number that the next variable will have. */
uint32_t
lir_signature_add_vars(struct lir_module *module, uint32_t function);

#endif
