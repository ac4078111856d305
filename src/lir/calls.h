/* SPDX-License-Identifier: MIT
 *
 * Effects of calls on variables: what a function, with all that it calls, may
 * read and write. The first 63 functions that are called are classes of their
 * own; others are one class, which may do what any of them does, so that sets
 * of classes are masks and modules of any size take time by their size.
 */
#ifndef LIR_CALLS_H
#define LIR_CALLS_H

#include "lir/lir.h"

enum {
   LIR_CALL_CLASSES = 64,
   LIR_NOT_CALLED = LIR_CALL_CLASSES, /* class of what no place calls */
};

struct lir_calls {
   uint8_t *class_of; /* of each function, or LIR_NOT_CALLED */
   uint64_t *readers; /* for each variable: classes whose calls may read it */
   uint64_t *writers; /* for each variable */
};

/* Works out the effects of each function. The arena owns the arrays. False when
 * out of memory. */
bool
lir_calls_init(struct lir_calls *calls, struct tg_arena *arena,
               const struct lir_module *module);

/* Whether a function runs once, with all lanes of the wave, and nothing of the
 * module runs before or after it: the first, unless somebody calls it. */
static inline bool
lir_calls_only_once(const struct lir_calls *calls, uint32_t function)
{
   assert(calls->class_of);
   return function == 0 && calls->class_of[0] == LIR_NOT_CALLED;
}

/* ---- calls that a walk over a function came by --------------------------- */

/* For each class its call that was met last, walking forward or backward. */
struct lir_met_calls {
   uint32_t at[LIR_CALL_CLASSES];
};

/* No call was met: `nowhere` is given for one. */
void
lir_met_calls_init(struct lir_met_calls *met, uint32_t nowhere);

/* A walk comes to a call, instruction `index`. */
static inline void
lir_met_calls_pass(struct lir_met_calls *met, const struct lir_calls *calls,
                   const struct lir_inst *call, uint32_t index)
{
   assert(call->op == LIR_OP_call);
   assert(calls->class_of[call->imm] < LIR_CALL_CLASSES);
   met->at[calls->class_of[call->imm]] = index;
}

/* The last call, walking forward, of any of a mask of classes, or 0. */
uint32_t
lir_met_calls_last(const struct lir_met_calls *met, uint64_t classes);

/* The next call, walking backward, of any of a mask of classes, or
 * UINT32_MAX. */
uint32_t
lir_met_calls_next(const struct lir_met_calls *met, uint64_t classes);

#endif
