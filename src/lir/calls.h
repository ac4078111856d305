/* SPDX-License-Identifier: MIT
 *
 * What calls may do to variables, as coarse as it can be: every call may do
 * what any function does that is called at all.
 */
#ifndef LIR_CALLS_H
#define LIR_CALLS_H

#include "lir/lir.h"

struct lir_calls {
   bool *is_called; /* for each function */
   bool *reads;     /* for each variable: some called function reads it */
   bool *writes;    /* for each variable */
};

/* Works out the effects of each function, with those that it calls. The arena
 * owns the arrays. False when out of memory. */
bool
lir_calls_init(struct lir_calls *calls, struct tg_arena *arena,
               const struct lir_module *module);

/* Whether a function runs once, with all lanes of the wave, and nothing of the
 * module runs before or after it: the first, unless somebody calls it. */
static inline bool
lir_calls_only_once(const struct lir_calls *calls, uint32_t function)
{
   assert(calls->is_called);
   return function == 0 && !calls->is_called[0];
}

#endif
