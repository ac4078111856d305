/* SPDX-License-Identifier: MIT
 *
 * Operations into words, two where they can.
 */
#ifndef TEGRA_SCHEDULE_H
#define TEGRA_SCHEDULE_H

#include "tegra/compile.h"

/* Reorders and pairs the operations of all blocks; none when the options ask
 * for single issue. With `gathers` it may add registers. TG_ERROR_MEMORY. */
enum tg_result
compile_schedule(const struct compile *compile, struct mir *mir, bool gathers);

/* How few words no scheduler could beat that has these operations, moves of
 * either unit, sums either way around and exports gathered or not. For figures:
 * its time doubles with each export that can be gathered. TG_ERROR_MEMORY. */
enum tg_result
compile_least_words(struct mir *mir, uint32_t *words);

#endif
