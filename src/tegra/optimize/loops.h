/* SPDX-License-Identifier: MIT
 *
 * Contiguous single-entry innermost loops, for passes.
 */
#ifndef TEGRA_OPTIMIZE_LOOPS_H
#define TEGRA_OPTIMIZE_LOOPS_H

#include "tegra/mir/mir.h"

struct loop {
   uint32_t first, last; /* blocks; the last leads back to the first */
};

static inline bool
loop_has(const struct loop *loop, uint32_t block)
{
   return block >= loop->first && block <= loop->last;
}

/* The loop that begins with a block; false when there is none. The program does
 * not end in it. */
bool
loop_find(const struct mir *mir, uint32_t first, struct loop *loop);

#endif
