/* SPDX-License-Identifier: MIT
 *
 * Instruction scheduling: operations into words, two where they can (dual
 * issue).
 */
#ifndef TEGRA_SCHEDULE_H
#define TEGRA_SCHEDULE_H

#include "tegra/mir/compile.h"

/* List scheduling: reorders and pairs the operations of all blocks; none when
 * the options ask for single issue. With `gathers` it may add registers.
 * TG_ERROR_MEMORY. */
enum tg_result
schedule_mir(const struct compile *compile, struct mir *mir, bool gathers);

/* A lower bound on words, for these operations in whatever order, with the
 * scheduler's choices: moves of either unit, sums either way around, each
 * export gathered or not, any other one written by a move. For figures: its
 * time may double with each export that is written in pieces. TG_ERROR_MEMORY.
 */
enum tg_result
schedule_least_words(struct mir *mir, uint32_t *words);

#endif
