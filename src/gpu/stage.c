/* SPDX-License-Identifier: MIT
 *
 * What is bound to a stage, as memory.
 */
#include "gpu/stage.h"

void
gpu_stage_memory_init(struct gpu_stage_memory *memory,
                      const struct tg_bindings *bindings)
{
   *memory = (struct gpu_stage_memory){.bindings = bindings};
   resource_bind_constants(bindings, memory->constants);
}

void
gpu_stage_memory_bind(const struct gpu_stage_memory *memory,
                      struct exec_wave *wave)
{
   resource_bind_wave(memory->bindings, wave);
   wave->memory[LIR_SPACE_CONST] = memory->constants;
   wave->num_memories[LIR_SPACE_CONST] = GPU_NUM_CONST_BINDINGS;
}
