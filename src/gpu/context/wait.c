/* SPDX-License-Identifier: MIT
 *
 * Waits for the scenes that an immediate access must come after.
 */
#include <assert.h>

#include "gpu/context/context.h"
#include "gpu/context/uses.h"
#include "gpu/geometry/stream_output.h"
#include "gpu/queue/queue.h"
#include "util/minmax.h"

static void
wait_for_scene(struct tg_context *context, uint64_t scene)
{
   if (scene > gpu_queue_last(context->queue))
      gpu_flush_scene(context);
   if (scene > gpu_queue_done(context->queue))
      gpu_queue_wait(context->queue, scene);
}

void
gpu_wait_for(struct tg_context *context, const struct tg_resource *resource,
             enum gpu_access access)
{
   wait_for_scene(context, gpu_find_use(context, resource, access));
}

void
gpu_wait_for_bytes(struct tg_context *context, const struct tg_resource *buffer,
                   uint32_t offset, uint32_t num_bytes, enum gpu_access access)
{
   wait_for_scene(context, gpu_find_use_of_bytes(context, buffer, offset,
                                                 num_bytes, access));
}

void
gpu_wait_for_bindings(struct tg_context *context,
                      const struct tg_bindings *bindings,
                      enum gpu_access access)
{
   wait_for_scene(context,
                  gpu_find_use_of_bindings(context, bindings, NULL, access));
}

static uint64_t
find_read(const struct tg_context *context, const struct tg_resource *buffer)
{
   return buffer ? gpu_find_use(context, buffer, GPU_READS) : 0;
}

/* Fragments that wait may read what vertices are about to overwrite. */
static uint64_t
find_streams(const struct tg_context *context)
{
   const struct gpu_state *state = &context->state;
   uint64_t scene = 0;

   for (uint32_t i = 0; i < state->num_stream_targets; i++) {
      const struct tg_stream_target *target = state->stream_targets[i];

      if (target)
         scene = tg_max_u64(scene,
                            gpu_find_use(context, target->buffer, GPU_WRITES));
   }
   return scene;
}

/* What the stages before fragments see and write. */
static uint64_t
find_stages(const struct tg_context *context)
{
   const struct gpu_state *state = &context->state;
   uint64_t scene = 0;

   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++) {
      const struct tg_gpu_shader *shader = state->shader[i];

      if (shader && i != TG_GPU_FRAGMENT)
         scene = tg_max_u64(scene,
                            gpu_find_use_of_bindings(
                               context, state->bindings[i], &shader->seen,
                               shader->writes_memory ? GPU_WRITES : GPU_READS));
      if (shader && shader->has_stream_output)
         scene = tg_max_u64(scene, find_streams(context));
   }
   return scene;
}

void
gpu_wait_for_geometry(struct tg_context *context,
                      const struct tg_draw_info *info)
{
   const struct gpu_state *state = &context->state;
   uint64_t scene = find_stages(context);

   for (unsigned i = 0; i < state->num_vertex_buffers; i++)
      scene =
         tg_max_u64(scene, find_read(context, state->vertex_buffers[i].buffer));
   if (info->index_size)
      scene = tg_max_u64(scene, find_read(context, info->index_buffer));
   if (info->indirect) {
      scene = tg_max_u64(scene, find_read(context, info->indirect));
      scene = tg_max_u64(scene, find_read(context, info->indirect_count));
   }
   wait_for_scene(context, scene);
}

static enum gpu_access
access_of(enum tg_access access)
{
   return access == TG_ACCESS_READ ? GPU_READS : GPU_WRITES;
}

bool
tg_context_is_busy(struct tg_context *context,
                   const struct tg_resource *resource, enum tg_access access)
{
   assert(context);
   assert(resource);
   return gpu_has_busy_use(context, resource, access_of(access));
}

bool
tg_context_wait(struct tg_context *context, const struct tg_resource *resource,
                enum tg_access access, uint64_t nanoseconds)
{
   assert(context);
   assert(resource);
   gpu_flush_scene(context);
   return gpu_queue_wait_at_most(
      context->queue, gpu_find_use(context, resource, access_of(access)),
      nanoseconds);
}
