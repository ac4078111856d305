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

#endif
