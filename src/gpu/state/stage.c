/* SPDX-License-Identifier: MIT
 *
 * Resource bindings of a stage, as memory.
 */
#include "gpu/state/stage.h"

#include <assert.h>
#include <string.h>

#include "lower/lower.h"
#include "util/length.h"

void
gpu_stage_memory_init(struct gpu_stage_memory *memory,
                      const struct tg_bindings *bindings)
{
   memory->num_constants = GPU_BINDING_VERTEX;
   if (memory->bindings == bindings && memory->version == bindings->version)
      return;
   memory->bindings = bindings;
   memory->version = bindings->version;
   memset(memory->constants, 0,
          GPU_BINDING_VERTEX * sizeof(*memory->constants));
   resource_bind_constants(bindings, memory->constants);
}

void
gpu_stage_memory_bind(const struct gpu_stage_memory *memory,
                      struct exec_wave *wave)
{
   resource_bind_wave(memory->bindings, wave);
   wave->memory[LIR_SPACE_CONST] = memory->constants;
   wave->num_memories[LIR_SPACE_CONST] = memory->num_constants;
}

/* ---- checks -------------------------------------------------------------- */

enum tg_result
gpu_stage_begin_check(const struct gpu_compiler *compiler,
                      const struct tg_gpu_shader *shader,
                      enum check_lanes lanes,
                      struct tg_diagnostics *diagnostics,
                      struct check **check_out)
{
   *check_out = NULL;
   if (!compiler->check)
      return TG_OK;

   const enum tg_result result =
      check_create(compiler->allocator, shader->shader, &shader->layout,
                   GPU_MAX_WAVES, check_out);
   if (result != TG_OK)
      return result;
   check_begin(*check_out, diagnostics);
   check_name_lanes(*check_out, lanes);
   return TG_OK;
}

enum tg_result
gpu_stage_end_check(struct check *check)
{
   uint32_t num_findings;
   if (!check)
      return TG_OK;

   const enum tg_result result = check_end(check, &num_findings);
   check_destroy(check);
   return result;
}

/* ---- stages that are a shader alone -------------------------------------- */

struct key {
   uint64_t shader_id;
   struct abi_keys bound; /* as far as the shader sees it */
};

_Static_assert(sizeof(struct key) == 8 + sizeof(struct abi_keys), "no padding");

static const struct tg_member key_members[] = {
   TG_NUMBER(key, shader_id),
   TG_STRUCT(key, bound, abi_key_members),
   {0},
};

struct writer {
   const struct tg_gpu_shader *shader;
   struct lower_stage stage;
   bool check;
};

static enum tg_result
write_kernel(void *user, const void *key, struct lir_module *module,
             struct tg_diagnostics *diagnostics)
{
   const struct writer *writer = user;
   const struct lower_options options = {
      .stage = &writer->stage,
      .keys = &((const struct key *)key)->bound,
      .check = writer->check,
   };
   return lower_shader(writer->shader->shader, &options, module, diagnostics);
}

enum tg_result
gpu_stage_init(struct gpu_stage *stage, const struct gpu_compiler *compiler,
               const struct gpu_state *state, enum tg_gpu_stage which,
               uint64_t patch_inputs, struct tg_diagnostics *diagnostics)
{
   assert(which < TG_LENGTH(state->shader));
   const struct tg_gpu_shader *shader = state->shader[which];
   const struct tg_bindings *bindings =
      resource_bindings(state->bindings[which]);
   struct writer writer = {
      shader,
      {.patch_inputs = patch_inputs},
      compiler->check,
   };
   struct key key = {.shader_id = shader->id};

   *stage = (struct gpu_stage){.shader = shader};
   gpu_stage_memory_init(&stage->memory, bindings);
   abi_mask_binding_keys(&bindings->keys, &shader->seen, &key.bound);
   const struct exec_source source = {
      .kind = tg_shader_processor_name(shader->shader),
      .key = &key,
      .key_size = sizeof(key),
      .members = key_members,
      .shader = shader->shader,
      .write = write_kernel,
      .user = &writer,
   };
   const enum tg_result result =
      gpu_kernel_get(compiler, &source, diagnostics, &stage->kernel);
   if (result != TG_OK)
      return result;
   return gpu_stage_begin_check(compiler, shader, CHECK_LANES, diagnostics,
                                &stage->check);
}

enum tg_result
gpu_stage_finish(struct gpu_stage *stage)
{
   return gpu_stage_end_check(stage->check);
}

struct exec_wave
gpu_stage_wave(const struct gpu_stage *stage, uint32_t count)
{
   assert(count > 0);
   const uint32_t lanes =
      count < LIR_LANES ? (UINT32_C(1) << count) - 1 : (1u << LIR_LANES) - 1;
   struct exec_wave wave = {.launched = lanes, .live = lanes};
   gpu_stage_memory_bind(&stage->memory, &wave);
   return wave;
}
