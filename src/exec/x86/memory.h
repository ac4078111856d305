/* SPDX-License-Identifier: MIT
 *
 * Instructions of memory: see memory.c.
 */
#ifndef TG_EXEC_X86_MEMORY_H
#define TG_EXEC_X86_MEMORY_H

#include "exec/x86/emitter.h"

/* Before the waves: the bounds of what is read and written. */
void
x86_emit_memory_bounds(struct x86_emitter *e);

/* By halves: loads, stores of lane memory. */
void
x86_load_half(struct x86_emitter *e, const struct x86_inst *inst);
void
x86_store_half(struct x86_emitter *e, const struct x86_inst *inst);
void
x86_memsize(struct x86_emitter *e, const struct x86_inst *inst);

/* Both halves. */
void
x86_load_both(struct x86_emitter *e, const struct x86_inst *inst);
void
x86_store_both(struct x86_emitter *e, const struct x86_inst *inst);

/* atomic.c */
void
x86_atomic(struct x86_emitter *e, const struct x86_inst *inst);
void
x86_fence_memory(struct x86_emitter *e, const struct x86_inst *inst);

/* Operands of a helper: both halves of a value, as a field of the frame, and
 * the active lanes. */
void
x86_give_row(struct x86_emitter *e, uint32_t value, size_t field);
void
x86_give_active(struct x86_emitter *e);

/* For files of memory. The last index of a unit, in all lanes; where a binding
 * begins, in a general register; a general register in all lanes; words of an
 * array. */
struct x86_operand
x86_bound_of(struct x86_emitter *e, const struct x86_inst *inst);
void
x86_load_data(struct x86_emitter *e, uint64_t mem, enum x86_general to);
void
x86_broadcast(struct x86_emitter *e, unsigned target, enum x86_general from);
uint32_t
x86_array_words(const struct x86_emitter *e, uint64_t mem);

#endif
