/* SPDX-License-Identifier: MIT
 *
 * Tracing: what a shader reports to listeners, the events of abi/events.h, as
 * far as the options ask for them. Otherwise these functions build nothing.
 */
#ifndef TG_LOWER_OPERANDS_TRACE_H
#define TG_LOWER_OPERANDS_TRACE_H

#include "abi/events.h"
#include "lower/operands/context.h"

/* Emits ABI_EVENT_STEP: the instruction at hand begins; its operands are
 * located and its predicate is read. */
void
lower_trace_step(struct lower_context *context);

/* Emits ABI_EVENT_CHOICE: a channel of its destination is that of source
 * `first` where the condition is true, else that of `second`. */
void
lower_trace_choice(struct lower_context *context, unsigned channel,
                   lir_value condition, unsigned first, unsigned second);

/* Emits ABI_EVENT_WRITE: a channel of a destination is written. */
void
lower_trace_write(struct lower_context *context, unsigned dst, unsigned channel,
                  lir_value value);

/* Emits ABI_EVENT_ACCESS: words of memory are about to be read or written, or
 * an atomic operation done: the word with this number. */
void
lower_trace_word(struct lower_context *context, enum abi_access_kind kind,
                 enum lir_space space, uint32_t binding, lir_value word);

/* The same of some units of so many bytes in an image, a texel or a word, which
 * are at this number of such a unit if they are inside; or of an image of which
 * there is nothing that fits. The coordinates are told before. */
void
lower_trace_coordinate(struct lower_context *context, unsigned number,
                       lir_value value);
void
lower_trace_units(struct lower_context *context, enum abi_access_kind kind,
                  uint32_t binding, unsigned unit, unsigned num_units,
                  lir_value index, lir_value is_inside);
void
lower_trace_no_texel(struct lower_context *context, enum abi_access_kind kind,
                     uint32_t binding);

#endif
