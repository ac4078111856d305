/* SPDX-License-Identifier: MIT
 *
 * Constant evaluation: what an operation computes of words that are known when
 * it is compiled.
 */
#ifndef TEGRA_OPTIMIZE_EVALUATE_H
#define TEGRA_OPTIMIZE_EVALUATE_H

#include "tegra/mir/mir.h"

/* Words of its sources in their order, swizzled and with their signs. */
typedef uint32_t evaluate_words[TEGRA_NUM_SOURCES][4];

/* Can the operation be evaluated at compile time? The lanes it reads are those
 * that the unit does. */
bool
evaluate_can(const struct mir_op *op);

/* Constant folding: component `component` of the result, to the bit what the
 * simulator has. */
uint32_t
evaluate(const struct mir *mir, const struct mir_op *op, unsigned component,
         evaluate_words words);

#endif
