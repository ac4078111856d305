/* SPDX-License-Identifier: MIT
 *
 * Vectors of 16 integers: of the pixels of four quads, or of the blocks of a
 * group.
 */
#ifndef TG_GPU_SIXTEEN_H
#define TG_GPU_SIXTEEN_H

#include <assert.h>

#include "util/four.h"

struct gpu_sixteen {
   tg_eight_ints low, high;
};

/* How an edge changes from the first pixel of a block to each, in the order of
 * quads, where it changes by a and b from pixel to pixel. */
static inline struct gpu_sixteen
gpu_changes_in_block(int32_t a, int32_t b)
{
   static const tg_eight_ints column = {0, 1, 0, 1, 2, 3, 2, 3};
   static const tg_eight_ints row = {0, 0, 1, 1, 0, 0, 1, 1};
   const tg_eight_ints upper = column * a + row * b;
   return (struct gpu_sixteen){upper, upper + b * 2};
}

/* Pixels of a block, as bits in the order of quads, from one column and row to
 * another. */
static inline uint32_t
gpu_pixels_between(int32_t first_column, int32_t first_row, int32_t last_column,
                   int32_t last_row)
{
   static const uint16_t from_column[4] = {0xffff, 0xfafa, 0xf0f0, 0xa0a0};
   static const uint16_t from_row[4] = {0xffff, 0xffcc, 0xff00, 0xcc00};
   static const uint16_t to_column[4] = {0x0505, 0x0f0f, 0x5f5f, 0xffff};
   static const uint16_t to_row[4] = {0x0033, 0x00ff, 0x33ff, 0xffff};
   assert(first_column >= 0 && first_column < 4 && last_column >= 0 &&
          last_column < 4);
   assert(first_row >= 0 && first_row < 4 && last_row >= 0 && last_row < 4);
   return from_column[first_column] & from_row[first_row] &
          to_column[last_column] & to_row[last_row];
}

static inline void
gpu_add_to_all(struct gpu_sixteen *sums, const struct gpu_sixteen *change,
               int32_t first)
{
   sums->low |= change->low + first;
   sums->high |= change->high + first;
}

static inline void
gpu_move(struct gpu_sixteen *numbers, tg_eight_ints change)
{
   numbers->low += change;
   numbers->high += change;
}

/* Clears number i unless bit i is set. */
static inline void
gpu_keep_numbers(struct gpu_sixteen *numbers, uint32_t kept)
{
   static const tg_eight_ints bits = {1, 2, 4, 8, 16, 32, 64, 128};
   numbers->low &= ((int32_t)kept & bits) == bits;
   numbers->high &= ((int32_t)(kept >> 8) & bits) == bits;
}

/* Bit i: number i is negative. */
static inline uint32_t
gpu_negatives(const struct gpu_sixteen *numbers)
{
   return tg_sixteen_signs(numbers->low, numbers->high);
}

#endif
