/* SPDX-License-Identifier: MIT
 *
 * Exports that are written by a move from a register.
 */
#ifndef TEGRA_GATHER_H
#define TEGRA_GATHER_H

#include "tegra/mir.h"

#define GATHER_ALL UINT32_MAX

/* How many operations write an export. */
uint32_t
gather_count_exports(const struct mir_block *block);

/* Makes `out`, whose array has room for one operation more than `block` has, a
 * copy of the block in which those that write export `index` write `temporary`
 * instead, and a move behind them the export. `only` is the number of one that
 * does; then the others go on to write the export. False when there is nothing
 * to be gathered, or one does it in a way that does not allow it. */
bool
gather_export(const struct mir_block *block, unsigned index, uint32_t only,
              uint32_t temporary, struct mir_block *out);

#endif
