/* SPDX-License-Identifier: MIT
 *
 * What a vertex and a fragment stage have in common: the memory that waves see
 * of what is bound.
 */
#ifndef TG_GPU_STAGE_H
#define TG_GPU_STAGE_H

#include "gpu/context.h"

/* Made once for a draw. The bindings of the stage itself, kernel.h's, are left
 * to the caller. */
struct gpu_stage_memory {
   const struct tg_bindings *bindings;
   struct exec_memory constants[GPU_NUM_CONST_BINDINGS];
};

/* `memory` must not move while waves use it. */
void
gpu_stage_memory_init(struct gpu_stage_memory *memory,
                      const struct tg_bindings *bindings);

/* Points a wave at it. */
void
gpu_stage_memory_bind(const struct gpu_stage_memory *memory,
                      struct exec_wave *wave);

#endif
