/* SPDX-License-Identifier: MIT
 *
 * The operands of the instruction at hand, for those who drive the lowering.
 * Lowering functions reach them through context.h.
 */
#ifndef TG_LOWER_OPERANDS_H
#define TG_LOWER_OPERANDS_H

#include "lower/operands/context.h"
#include "lower/operands/location.h"

/* The state of operands of the instruction at hand. False when out of memory.
 */
bool
lower_operands_create(struct lower_context *context);

/* Makes an instruction the one at hand: finds its registers and reads its
 * predicate. What was given to the one before and not stored is forgotten. */
void
lower_begin_instruction(struct lower_context *context, uint32_t index);

/* The location of destination `dst`. */
const struct lower_location *
lower_dst_location(const struct lower_context *context, unsigned dst);

/* A channel of a source, after its swizzle, without its modifiers; and a value
 * with the modifiers of a source of floats. */
lir_value
lower_src_bare(struct lower_context *context, unsigned src, unsigned channel);
lir_value
lower_modify_float(struct lower_context *context, unsigned src,
                   lir_value value);

/* The predicate's truth value for a channel, in an instruction that has one. */
lir_value
lower_guard(const struct lower_context *context, unsigned channel);

#endif
