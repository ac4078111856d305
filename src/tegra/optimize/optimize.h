/* SPDX-License-Identifier: MIT
 *
 * The passes. Each says whether it changed something, and fails only with
 * TG_ERROR_MEMORY. Whatever they do, exports are the same to the bit, but that
 * one NaN counts as any other.
 */
#ifndef TEGRA_OPTIMIZE_H
#define TEGRA_OPTIMIZE_H

#include "tegra/mir/compile.h"

/* One round, in the order in which they make work for each other; and what is
 * done when a round has changed nothing. */
#define OPTIMIZE_PASSES(pass)                                                  \
   pass(flow) pass(constant) pass(predicate) pass(split) pass(copy) pass(fold) \
      pass(common) pass(absolute) pass(fuse) pass(dot) pass(spread)            \
         pass(merge) pass(forward) pass(condition) pass(blend) pass(coalesce)  \
            pass(dead)

#define OPTIMIZE_LATE_PASSES(pass)                                             \
   pass(inline) pass(unroll) pass(rotate) pass(hoist)

#define OPTIMIZE_DECLARE(name)                                                 \
   enum tg_result optimize_##name(struct mir *mir, bool *changed);
OPTIMIZE_PASSES(OPTIMIZE_DECLARE)
OPTIMIZE_LATE_PASSES(OPTIMIZE_DECLARE)
#undef OPTIMIZE_DECLARE

/* Would the program be too large for passes, with so much more? */
bool
optimize_is_too_large(const struct mir *mir, uint32_t more_ops,
                      uint32_t more_blocks);

#endif
