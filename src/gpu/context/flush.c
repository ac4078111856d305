/* SPDX-License-Identifier: MIT
 *
 * Flushes: scenes are opened, and submitted to the queue when what they draw is
 * wanted.
 */
#include "gpu/context/context.h"

#include "gpu/core/grow.h"
#include "gpu/queue/queue.h"
#include <assert.h>

enum tg_result
gpu_open_scene(struct tg_context *context)
{
   if (context->scene)
      return TG_OK;
   gpu_state_changed(&context->state);
   return gpu_scene_create(context->allocator, &context->state.framebuffer,
                           context->epoch, &context->scene);
}

void
gpu_flush_scene(struct tg_context *context)
{
   struct gpu_scene *scene = context->scene;
   context->scene = NULL;
   if (scene)
      gpu_queue_add(context->queue, scene);
}

/* What is idle has no worker. */
static void
return_worker(struct tg_context *context)
{
   struct gpu_worker *worker = context->caller;
   context->caller = NULL;
   if (!worker)
      return;
   gpu_worker_count_own(worker, context->epoch);
   gpu_workers_return(&context->device->workers, worker);
}

void
gpu_flush_and_wait(struct tg_context *context)
{
   gpu_flush_scene(context);
   gpu_queue_wait(context->queue, gpu_queue_last(context->queue));
}

enum tg_result
gpu_flush_and_finish(struct tg_context *context,
                     struct tg_diagnostics *diagnostics)
{
   struct tg_shader *shader;
   gpu_flush_and_wait(context);
   const struct gpu_fault fault = gpu_queue_take_fault(context->queue, &shader);
   const enum tg_result result =
      gpu_report_fault(&context->life, &fault, diagnostics);
   tg_shader_destroy(shader);
   return result;
}

enum tg_result
tg_context_finish(struct tg_context *context,
                  struct tg_diagnostics *diagnostics)
{
   assert(context);
   return_worker(context);
   return gpu_flush_and_finish(context, diagnostics);
}

enum tg_result
tg_context_flush(struct tg_context *context, struct tg_fence **fence_out)
{
   assert(context);
   return_worker(context);
   gpu_flush_scene(context);
   return fence_out
             ? gpu_queue_add_fence(context->queue, context->device, fence_out)
             : TG_OK;
}

void
tg_context_flush_if_idle(struct tg_context *context)
{
   assert(context);
   const bool is_alone = tg_device_num_threads(context->device) == 1;
   if (!is_alone &&
       gpu_queue_done(context->queue) == gpu_queue_last(context->queue))
      gpu_flush_scene(context);
}

void
tg_context_help(struct tg_context *context, bool (*goes_on)(void *user),
                void *user)
{
   assert(context && goes_on);
   gpu_queue_help(context->queue, goes_on, user);
}
