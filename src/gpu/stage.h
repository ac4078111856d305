/* SPDX-License-Identifier: MIT
 *
 * What a vertex and a fragment stage have in common: constant buffers,
 * textures and samplers, as keys and as memory for the executor.
 */
#ifndef TG_GPU_STAGE_H
#define TG_GPU_STAGE_H

#include "gpu/context.h"

/* The memory that a stage's waves read, made once for a draw. The STAGE and
 * FRAME bindings of `constants` are left to the caller. */
struct gpu_stage_memory {
   struct exec_memory constants[GPU_NUM_CONST_BINDINGS];
   struct exec_memory textures[GPU_MAX_SAMPLERS];
   uint32_t views[GPU_MAX_SAMPLERS * LOWER_UNIT_WORDS];
};

/* TG_ERROR_INPUT when a resource is of the wrong kind; TG_ERROR_UNSUPPORTED
 * when a view or sampler cannot be sampled yet. */
enum tg_result
gpu_stage_sampler_keys(const struct gpu_stage_state *state,
                       struct tg_diagnostics *diagnostics,
                       struct lower_unit_key keys[GPU_MAX_SAMPLERS]);

/* `memory` must not move while waves use it. */
void
gpu_stage_memory_init(struct gpu_stage_memory *memory,
                      const struct gpu_stage_state *state);

/* Points a wave at it. */
void
gpu_stage_memory_bind(const struct gpu_stage_memory *memory,
                      struct exec_wave *wave);

#endif
