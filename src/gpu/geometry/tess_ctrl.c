/* SPDX-License-Identifier: MIT
 *
 * The tessellation control stage. Its inputs are memory of the patch, the STAGE
 * binding; so are its outputs, which are records as they lie.
 */
#include "gpu/geometry/tess_ctrl.h"

#include <string.h>

_Static_assert(GPU_MAX_WAVES *LIR_LANES >= ABI_MAX_VERTICES,
               "a lane for each vertex");

enum tg_result
gpu_tess_ctrl_init(struct gpu_tess_ctrl *ctrl,
                   const struct gpu_compiler *compiler,
                   const struct gpu_state *state,
                   const struct tg_gpu_shader *producer,
                   struct tg_diagnostics *diagnostics)
{
   const enum tg_result result =
      gpu_stage_init(&ctrl->stage, compiler, state, TG_GPU_TESS_CTRL,
                     lir_mem(LIR_SPACE_CONST, GPU_BINDING_STAGE), diagnostics);
   if (result != TG_OK)
      return result;

   const struct tg_gpu_shader *shader = ctrl->stage.shader;
   gpu_gather_init(&ctrl->gather, producer, shader);
   ctrl->outer = gpu_find_output(shader, TG_SEMANTIC_TESSOUTER, 0);
   ctrl->inner = gpu_find_output(shader, TG_SEMANTIC_TESSINNER, 0);
   return TG_OK;
}

void
gpu_bind_tess_ctrl_patch(struct gpu_tess_memory *memory,
                         const struct gpu_stage *stage, uint32_t num_vertices)
{
   memcpy(memory->constants, stage->memory.constants,
          stage->memory.num_constants * sizeof(*memory->constants));
   memory->constants[GPU_BINDING_STAGE] = (struct exec_memory){
      .data = memory->inputs,
      .num_bytes =
         UINT64_C(16) * num_vertices * stage->shader->layout.num_inputs,
   };
}

/* PRIM_ID can be an input, too. */
static void
gather(const struct gpu_tess_ctrl *ctrl, const struct gpu_patch *patch,
       uint32_t *inputs)
{
   const struct tg_gpu_shader *shader = ctrl->stage.shader;
   const uint32_t num_inputs = ctrl->gather.num_inputs;
   for (uint32_t v = 0; v < patch->num_vertices; v++)
      gpu_gather_vertex(&ctrl->gather, patch->record[v],
                        inputs + v * num_inputs * 4);
   for (uint32_t i = 0; i < num_inputs; i++) {
      if (shader->input[i].declared &&
          shader->input[i].name == TG_SEMANTIC_PRIM_ID)
         inputs[i * 4] = patch->id;
   }
}

static void
fill_sysvals(const struct tg_gpu_shader *shader, const struct gpu_patch *patch,
             uint32_t first_invocation, uint32_t (*words)[LIR_LANES])
{
   uint32_t outer[4], inner[2];
   memcpy(outer, patch->levels.outer, sizeof(outer));
   memcpy(inner, patch->levels.inner, sizeof(inner));
   gpu_gather_clear_sysvals(shader, words);
   for (uint32_t i = 0; i < shader->layout.num_sysvals; i++) {
      uint32_t(*channels)[LIR_LANES] = words + i * 4;
      if (!shader->sysval[i].declared)
         continue;
      switch (shader->sysval[i].name) {
      case TG_SEMANTIC_PRIM_ID:
         gpu_gather_spread(channels, &patch->id, 1);
         break;
      case TG_SEMANTIC_VERTICESIN:
         gpu_gather_spread(channels, &patch->num_vertices, 1);
         break;
      case TG_SEMANTIC_TESS_DEFAULT_OUTER_LEVEL:
         gpu_gather_spread(channels, outer, 4);
         break;
      case TG_SEMANTIC_TESS_DEFAULT_INNER_LEVEL:
         gpu_gather_spread(channels, inner, 2);
         break;
      case TG_SEMANTIC_INVOCATIONID:
         for (uint32_t lane = 0; lane < LIR_LANES; lane++)
            channels[0][lane] = first_invocation + lane;
         break;
      default: break;
      }
   }
}

/* The patch that the outputs are. */
static void
take_outputs(const struct gpu_tess_ctrl *ctrl,
             const struct gpu_tess_memory *memory, struct gpu_patch *patch)
{
   const struct abi_layout *layout = &ctrl->stage.shader->layout;
   patch->num_vertices = layout->num_output_vertices;
   for (uint32_t v = 0; v < patch->num_vertices; v++)
      patch->record[v] = memory->outputs + v * layout->num_outputs * 4;
   if (ctrl->outer != GPU_NO_REGISTER)
      memcpy(patch->levels.outer, memory->outputs + ctrl->outer * 4,
             sizeof(patch->levels.outer));
   if (ctrl->inner != GPU_NO_REGISTER)
      memcpy(patch->levels.inner, memory->outputs + ctrl->inner * 4,
             sizeof(patch->levels.inner));
}

/* The waves of all invocations; their number. */
static uint32_t
make_waves(const struct gpu_tess_ctrl *ctrl, const struct gpu_patch *patch,
           uint32_t (*sysvals)[LIR_LANES], const struct exec_memory *constants,
           const struct exec_memory *shared,
           struct exec_wave waves[GPU_MAX_WAVES])
{
   const struct abi_layout *layout = &ctrl->stage.shader->layout;
   const uint32_t num_words = layout->num_sysvals * 4;
   uint32_t num_waves = 0;
   for (uint32_t first = 0; first < layout->num_output_vertices;
        first += LIR_LANES) {
      struct exec_wave *wave = &waves[num_waves++];
      *wave = gpu_stage_wave(&ctrl->stage, layout->num_output_vertices - first);
      wave->memory[LIR_SPACE_CONST] = constants;
      wave->memory[LIR_SPACE_SHARED] = shared;
      wave->num_memories[LIR_SPACE_SHARED] = ABI_NUM_SHARED_BINDINGS;
      wave->sysval = (struct exec_lane_memory){sysvals, num_words};
      fill_sysvals(ctrl->stage.shader, patch, first, sysvals);
      sysvals += num_words;
   }
   return num_waves;
}

bool
gpu_tess_ctrl_run(const struct gpu_tess_ctrl *ctrl, struct gpu_worker *worker,
                  struct gpu_tess_memory *memory, struct gpu_patch *patch)
{
   const struct abi_layout *layout = &ctrl->stage.shader->layout;
   const struct exec_memory shared[ABI_NUM_SHARED_BINDINGS] = {
      [ABI_SHARED_PATCH] =
         {
            .data = memory->outputs,
            .num_bytes =
               UINT64_C(16) * layout->num_output_vertices * layout->num_outputs,
         },
   };
   struct exec_wave waves[GPU_MAX_WAVES];
   uint32_t(*sysvals)[LIR_LANES] = gpu_worker_lane_words(
      worker, &worker->sysval, GPU_MAX_WAVES * layout->num_sysvals * 4 + 1);
   if (!sysvals)
      return false;

   gather(ctrl, patch, memory->inputs);
   gpu_bind_tess_ctrl_patch(memory, &ctrl->stage, patch->num_vertices);
   memset(memory->outputs, 0, shared[ABI_SHARED_PATCH].num_bytes);
   const uint32_t num_waves =
      make_waves(ctrl, patch, sysvals, memory->constants, shared, waves);
   if (!gpu_run_waves(worker, ctrl->stage.kernel, ctrl->stage.check, waves,
                      num_waves))
      return false;
   worker->count[GPU_COUNT_HS_INVOCATIONS]++;
   take_outputs(ctrl, memory, patch);
   return true;
}
