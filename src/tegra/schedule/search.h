/* SPDX-License-Identifier: MIT
 *
 * Schedules improved by branch and bound: as a whole, or in windows where there
 * are too many operations for that.
 */
#ifndef TEGRA_SCHEDULE_SEARCH_H
#define TEGRA_SCHEDULE_SEARCH_H

#include "tegra/schedule/bound.h"

/* Branch and bound: looks for fewer words than there are until there can be no
 * fewer; if it finds that out it raises bound->words. It looks at no more
 * states than it may, which it takes off `*budget`, and returns how many words
 * there are now, 0 when out of memory. For up to BOUND_MAX_OPS operations. */
uint32_t
schedule_search(const struct dag *dag, struct bound *bound,
                struct dag_word *words, uint32_t num_words, uint32_t *budget,
                struct tg_arena *arena);

/* Branch and bound in windows, for any number of operations. */
uint32_t
schedule_windows(const struct dag *dag, struct bound *bound,
                 struct dag_word *words, uint32_t num_words, uint32_t *budget,
                 struct tg_arena *arena);

#endif
