/* SPDX-License-Identifier: MIT
 *
 * Bit sets of operations, as rows: bit j % 64 of word j / 64 is that of
 * operation j.
 */
#ifndef TEGRA_SCHEDULE_ROWS_H
#define TEGRA_SCHEDULE_ROWS_H

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

/* The first operation from `op` on, or num_ops. */
static inline uint32_t
row_next(const uint64_t *row, uint32_t op, uint32_t num_ops)
{
   while (op < num_ops) {
      uint64_t rest = row[op / 64] >> op % 64;

      if (rest)
         return op + (uint32_t)__builtin_ctzll(rest);
      op = (op / 64 + 1) * 64;
   }
   return num_ops;
}

#define ROW_FOR_EACH(row, op, num_ops)                                         \
   for (uint32_t op = row_next(row, 0, num_ops); op < (num_ops);               \
        op = row_next(row, op + 1, num_ops))

static inline void
row_add(uint64_t *row, const uint64_t *more, uint32_t row_size)
{
   for (uint32_t i = 0; i < row_size; i++)
      row[i] |= more[i];
}

#endif
