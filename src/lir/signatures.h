/* SPDX-License-Identifier: MIT
 *
 * Variables that parameters and results of functions become.
 */
#ifndef LIR_SIGNATURES_H
#define LIR_SIGNATURES_H

#include "lir/lir.h"

/* Adds a variable for each result of a function, in their order; the first of
 * them, or UINT32_MAX when there are too many or memory is out. A function
 * without results has the number that the next variable will have. */
uint32_t
lir_add_result_vars(struct lir_module *module, uint32_t function);

#endif
