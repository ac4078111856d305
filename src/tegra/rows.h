/* SPDX-License-Identifier: MIT
 *
 * Sets of operations as rows of bits: bit j % 64 of word j / 64 is that of
 * operation j.
 */
#ifndef TEGRA_ROWS_H
#define TEGRA_ROWS_H

#include <stdbool.h>
#include <stdint.h>

/* Words of a row for so many operations. */
static inline uint32_t
row_size_of(uint32_t num_ops)
{
   return (num_ops + 63) / 64;
}

static inline bool
row_has(const uint64_t *row, uint32_t op)
{
   return row[op / 64] >> op % 64 & 1;
}

static inline void
row_set(uint64_t *row, uint32_t op)
{
   row[op / 64] |= UINT64_C(1) << op % 64;
}

static inline void
row_clear(uint64_t *row, uint32_t op)
{
   row[op / 64] &= ~(UINT64_C(1) << op % 64);
}

static inline void
row_add(uint64_t *row, const uint64_t *more, uint32_t row_size)
{
   for (uint32_t i = 0; i < row_size; i++)
      row[i] |= more[i];
}

#endif
