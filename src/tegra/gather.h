/* SPDX-License-Identifier: MIT
 *
 * Exports that are written in pieces, written in one.
 */
#ifndef TEGRA_GATHER_H
#define TEGRA_GATHER_H

#include "tegra/mir.h"

/* Makes `out`, whose array has room for one operation more than `block` has, a
 * copy of the block in which those that write export `index` write `temporary`
 * instead, and a move behind them the export. False when fewer than two write
 * it, or one does it in a way that does not allow it. */
bool
gather_export(const struct mir_block *block, unsigned index, uint32_t temporary,
              struct mir_block *out);

#endif
