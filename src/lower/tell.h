/* SPDX-License-Identifier: MIT
 *
 * What a shader tells whoever listens: the events of lower.h, as far as the
 * options ask for them. Otherwise these functions build nothing.
 */
#ifndef TG_LOWER_TELL_H
#define TG_LOWER_TELL_H

#include "lower/context.h"

/* The instruction at hand begins; its operands are located and its predicate is
 * read. */
void
lower_tell_step(struct lower_context *context);

/* A channel of its destination is that of source `first` where the condition is
 * true, else that of `second`. */
void
lower_tell_choice(struct lower_context *context, unsigned channel,
                  lir_value condition, unsigned first, unsigned second);

void
lower_tell_write(struct lower_context *context, unsigned dst, unsigned channel,
                 lir_value value);

#endif
