/* SPDX-License-Identifier: MIT
 *
 * Bounds of memory whose size the module itself says, which is that of arrays
 * and of constants with a declared size: whether ranges prove that an access is
 * inside of them in all lanes.
 */
#ifndef LIR_BOUNDS_H
#define LIR_BOUNDS_H

#include "lir/range.h"

/* What proofs are made of; zero but for the module and an arena at first. */
struct lir_bounds {
   const struct lir_module *module;
   struct tg_arena *arena;    /* owns the ranges */
   struct lir_range **ranges; /* found when they are first asked for */
   bool failed;               /* out of memory: nothing is proven */
};

/* Is the instruction an access to such memory, at an index that is inside of it
 * in all lanes, whatever they hold? The module verifies up to the instruction.
 */
bool
lir_bounds_prove(struct lir_bounds *bounds, uint32_t function, uint32_t index);

#endif
