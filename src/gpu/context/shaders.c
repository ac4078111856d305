/* SPDX-License-Identifier: MIT
 *
 * Creation and destruction of shaders that draws use.
 */
#include "gpu/context/context.h"
#include "gpu/core/memory.h"
#include "gpu/queue/queue.h"

enum tg_result
tg_gpu_shader_create(struct tg_context *gpu, const struct tg_shader *source,
                     const struct tg_stream_output_info *stream_output,
                     struct tg_diagnostics *diagnostics,
                     struct tg_gpu_shader **shader_out)
{
   void *memory = NULL;
   if (!gpu_grow(&gpu->allocator, &memory, 0, sizeof(struct tg_gpu_shader)))
      return TG_ERROR_MEMORY;
   struct tg_gpu_shader *shader = memory;
   const enum tg_result result =
      gpu_shader_init(shader, source, stream_output, diagnostics);
   if (result != TG_OK) {
      gpu_grow(&gpu->allocator, &memory, sizeof(*shader), 0);
      return result;
   }
   shader->gpu = gpu;
   shader->next = gpu->shaders;
   shader->id = gpu->next_shader_id++;
   gpu->shaders = shader;
   *shader_out = shader;
   return TG_OK;
}

void
tg_gpu_shader_destroy(struct tg_gpu_shader *shader)
{
   if (!shader)
      return;
   struct tg_context *gpu = shader->gpu;
   struct tg_gpu_shader **link = &gpu->shaders;
   void *memory = shader;
   gpu_wait(gpu);
   gpu_queue_forget(gpu->queue, shader->shader);
   while (*link != shader)
      link = &(*link)->next;
   *link = shader->next;
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++) {
      if (gpu->state.shader[i] == shader)
         gpu->state.shader[i] = NULL;
   }
   gpu_grow(&gpu->allocator, &memory, sizeof(*shader), 0);
}
