/* SPDX-License-Identifier: MIT
 *
 * Flushes: scenes are opened, and go into the queue when somebody wants to see
 * what they draw.
 */
#include "gpu/context/context.h"
#include "gpu/core/memory.h"
#include "gpu/queue/queue.h"

enum tg_result
gpu_open_scene(struct tg_context *gpu)
{
   if (gpu->scene)
      return TG_OK;
   return gpu_scene_create(gpu->allocator, &gpu->state.framebuffer, gpu->epoch,
                           &gpu->scene);
}

void
gpu_flush_scene(struct tg_context *gpu)
{
   struct gpu_scene *scene = gpu->scene;
   gpu->scene = NULL;
   if (scene)
      gpu_queue_add(gpu->queue, scene);
}

void
gpu_wait(struct tg_context *gpu)
{
   gpu_flush_scene(gpu);
   gpu_queue_wait(gpu->queue, gpu_queue_last(gpu->queue));
}

enum tg_result
tg_context_finish(struct tg_context *gpu, struct tg_diagnostics *diagnostics)
{
   struct tg_shader *shader;
   gpu_wait(gpu);
   const struct gpu_fault fault = gpu_queue_take_fault(gpu->queue, &shader);
   const enum tg_result result = gpu_report(gpu->work, &fault, diagnostics);
   tg_shader_destroy(shader);
   return result;
}

enum tg_result
tg_context_flush(struct tg_context *gpu, struct tg_fence **fence_out)
{
   gpu_flush_scene(gpu);
   return fence_out ? gpu_queue_add_fence(gpu->queue, gpu->device, fence_out) : TG_OK;
}
