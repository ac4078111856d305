/* SPDX-License-Identifier: MIT
 *
 * Where a wave is at a barrier: its `visit` is made of the calls that are open,
 * the turns of the loops around each, and the barrier. Executors that may run
 * waves of the same block make the same of it.
 */
#ifndef TG_EXEC_PATH_H
#define TG_EXEC_PATH_H

#include <stdint.h>

/* A path is mixed with a word: (path ^ word) * EXEC_PATH_FACTOR, of which the
 * high half is added to the low one by exclusive or. It begins as 0. */
#define EXEC_PATH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t
exec_mix_path(uint64_t path, uint64_t word)
{
   path = (path ^ word) * EXEC_PATH_FACTOR;
   return path ^ path >> 32;
}

/* The first word of a call or barrier, which is not 0; those of the turns of
 * loops follow, the outermost first. */
static inline uint64_t
exec_path_place(uint32_t function, uint32_t inst)
{
   return (uint64_t)function << 32 | (inst + 1);
}

#endif
