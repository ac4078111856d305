/* SPDX-License-Identifier: MIT
 *
 * The constant pool: literals find their places in the constants that the
 * shader leaves free.
 */
#ifndef TEGRA_SCHEDULE_LITERALS_H
#define TEGRA_SCHEDULE_LITERALS_H

#include "tegra/mir/compile.h"

/* Allocates constants for all literals: afterwards no source is one.
 * TG_ERROR_LIMIT, TG_ERROR_MEMORY. */
enum tg_result
literals_place(const struct compile *compile, struct mir *mir);

#endif
