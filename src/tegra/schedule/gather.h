/* SPDX-License-Identifier: MIT
 *
 * Gathering of exports: exports that are written by a move from a register.
 */
#ifndef TEGRA_SCHEDULE_GATHER_H
#define TEGRA_SCHEDULE_GATHER_H

#include "tegra/mir/mir.h"

#define GATHER_ALL UINT32_MAX

/* How many operations write an export. */
uint32_t
gather_count_exports(const struct mir_block *block);

/* The components of export `index` that a move could write after all that
 * write it, or 0: of two operations or more, or of `only` one, whose number it
 * is. */
unsigned
gather_mask(const struct mir_block *block, unsigned index, uint32_t only);

/* Makes `out`, whose array has room for one operation more than `block` has, a
 * copy of the block in which they write `temporary` instead, with that move.
 * False where gather_mask() is 0. */
bool
gather_export(const struct mir_block *block, unsigned index, uint32_t only,
              uint32_t temporary, struct mir_block *out);

#endif
