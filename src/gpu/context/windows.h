/* SPDX-License-Identifier: MIT
 *
 * Window rectangles as disjoint pieces of what may change, for clears and
 * blits. Draws leave pixels out in the rasteriser.
 */
#ifndef TG_GPU_WINDOWS_H
#define TG_GPU_WINDOWS_H

#include "gpu/state/state.h"

enum {
   /* Rectangles cut an area into rows of pieces, and each row into runs. */
   GPU_MAX_WINDOW_ROWS = 2 * TG_MAX_WINDOW_RECTANGLES + 1,
   GPU_MAX_WINDOW_PIECES = GPU_MAX_WINDOW_ROWS * (TG_MAX_WINDOW_RECTANGLES + 1),
};

struct gpu_window_pieces {
   uint32_t count;
   struct tg_scissor piece[GPU_MAX_WINDOW_PIECES];
};

/* Cuts an area by the window rectangles into the parts that may change: no two
 * overlap, none is empty. */
void
gpu_cut_windows(const struct gpu_window_rectangles *windows,
                const struct tg_scissor *area,
                struct gpu_window_pieces *pieces_out);

#endif
