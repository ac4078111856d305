/* SPDX-License-Identifier: MIT
 *
 * The lanes of a wave that is a block of 4 by 4 pixels, those of a quad next to
 * each other:
 *
 *     0  1  4  5
 *     2  3  6  7
 *     8  9 12 13
 *    10 11 14 15
 *
 * Executors look for it in the indices of surfaces: that of a lane is the first
 * one, its column, the pitch where its row is odd, and twice the pitch where it
 * is in the lower half.
 */
#ifndef TG_EXEC_BLOCK_H
#define TG_EXEC_BLOCK_H

#include <stdint.h>

#include "lir/lir.h"

enum { EXEC_BLOCK_SIZE = 4 };

/* By row and column. */
static const uint8_t exec_block_lane[EXEC_BLOCK_SIZE][EXEC_BLOCK_SIZE] = {
   {0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};

/* By lane: columns, and masks of odd rows and of the lower half. */
static const uint32_t exec_block_column[LIR_LANES] = {0, 1, 0, 1, 2, 3, 2, 3,
                                                      0, 1, 0, 1, 2, 3, 2, 3};
static const uint32_t exec_block_odd[LIR_LANES] = {0, 0, -1, -1, 0, 0, -1, -1,
                                                   0, 0, -1, -1, 0, 0, -1, -1};
static const uint32_t exec_block_lower[LIR_LANES] = {
   0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1};

#endif
