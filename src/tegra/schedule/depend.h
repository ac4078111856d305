/* SPDX-License-Identifier: MIT
 *
 * Dependences between the operations of a block: RAW, WAR, WAW and control.
 */
#ifndef TEGRA_SCHEDULE_DEPEND_H
#define TEGRA_SCHEDULE_DEPEND_H

#include "tegra/mir/reads_writes.h"
#include "tegra/schedule/rows.h"

/* A row for each operation of the block: j in that of i comes before i. */
struct depend {
   uint32_t num_ops, row_size; /* words of 64 bits in a row */
   uint64_t *strict;           /* j in an earlier word */
   uint64_t *weak;             /* in an earlier one or the same */
};

/* Finds the dependences between the operations of a block. False when out of
 * memory, of which it takes what it needs from `arena`. */
bool
depend_find(struct depend *depend, const struct mir *mir,
            const struct mir_block *block, struct tg_arena *arena);

static inline uint64_t *
depend_strict(const struct depend *depend, uint32_t op)
{
   return depend->strict + (size_t)op * depend->row_size;
}
static inline uint64_t *
depend_weak(const struct depend *depend, uint32_t op)
{
   return depend->weak + (size_t)op * depend->row_size;
}

#endif
