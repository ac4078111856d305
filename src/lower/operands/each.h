/* SPDX-License-Identifier: MIT
 *
 * The shapes that most opcodes have: a value for each written channel, a value
 * for each written pair of channels, a scalar in all of them. A family gives
 * the formula, these walk the write mask of destination 0.
 */
#ifndef TG_LOWER_OPERANDS_EACH_H
#define TG_LOWER_OPERANDS_EACH_H

#include "lower/operands/context.h"

/* Builds and returns the value of one channel (0 to 3) or one pair (0, 1). */
typedef lir_value (*lower_formula)(struct lower_context *context,
                                   unsigned which);

/* Sets each channel that is written to formula(channel). */
void
lower_each_channel(struct lower_context *context, lower_formula formula);

/* Sets each pair to the 64-bit formula(pair) of which a channel is written. */
void
lower_each_pair(struct lower_context *context, lower_formula formula);

#endif
