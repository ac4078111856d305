/* SPDX-License-Identifier: MIT
 *
 * What is bound to a stage, as memory.
 */
#include "gpu/state/stage.h"

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

/* ---- stages that are a shader alone -------------------------------------- */

struct key {
   uint64_t shader_id;
   struct lower_keys bound; /* as far as the shader sees it */
};

_Static_assert(sizeof(struct key) == 8 + sizeof(struct lower_keys),
               "no padding");

struct writer {
   const struct tg_gpu_shader *shader;
   struct lower_stage stage;
};

static enum tg_result
write_kernel(void *user, const void *key, struct lir_module *module,
             struct tg_diagnostics *diagnostics)
{
   const struct writer *writer = user;
   const struct lower_options options = {
      .stage = &writer->stage,
      .keys = &((const struct key *)key)->bound,
      .check = writer->shader->gpu->options.check,
   };
   return lower_shader(writer->shader->shader, &options, module, diagnostics);
}

enum tg_result
gpu_stage_init(struct gpu_stage *stage, struct tg_gpu *gpu,
               enum tg_gpu_stage which, uint64_t patch_inputs,
               struct tg_diagnostics *diagnostics)
{
   const struct tg_gpu_shader *shader = gpu->state.shader[which];
   const struct tg_bindings *bindings =
      resource_bindings(gpu->state.bindings[which]);
   struct writer writer = {shader, {.patch_inputs = patch_inputs}};
   struct key key = {.shader_id = shader->id};

   *stage = (struct gpu_stage){.shader = shader};
   gpu_stage_memory_init(&stage->memory, bindings);
   lower_mask_keys(&bindings->keys, &shader->seen, &key.bound);
   const enum tg_result result =
      gpu_kernel_get(gpu, &key, sizeof(key), shader->shader, write_kernel,
                     &writer, diagnostics, &stage->kernel);
   if (result != TG_OK)
      return result;
   return gpu_begin_check(gpu, shader, CHECK_LANES, diagnostics, &stage->check);
}

enum tg_result
gpu_stage_finish(struct gpu_stage *stage)
{
   return gpu_end_check(stage->check);
}

struct exec_wave
gpu_make_wave(const struct gpu_stage *stage, uint32_t count)
{
   const uint32_t lanes =
      count < LIR_LANES ? (UINT32_C(1) << count) - 1 : (1u << LIR_LANES) - 1;
   struct exec_wave wave = {.launched = lanes, .live = lanes};
   gpu_stage_memory_bind(&stage->memory, &wave);
   return wave;
}
