/* SPDX-License-Identifier: MIT
 *
 * Reference counts: on shaders, and those that state holds.
 */
#include "gpu/core/grow.h"
#include "gpu/device/device.h"
#include "gpu/state/shader.h"
#include "gpu/state/state.h"

struct tg_gpu_shader *
tg_gpu_shader_ref(struct tg_gpu_shader *shader)
{
   if (shader)
      tg_refcount_add(&shader->refs);
   return shader;
}

void
tg_gpu_shader_destroy(struct tg_gpu_shader *shader)
{
   void *memory = shader;
   if (!shader || !tg_refcount_drop(&shader->refs))
      return;
   struct tg_device *device = shader->device;
   exec_cache_drop(&device->kernels, &shader->id, sizeof(shader->id));
   tg_shader_destroy(shader->shader);
   gpu_grow(&device->allocator, &memory, sizeof(*shader), 0);
   tg_device_destroy(device);
}

void
gpu_framebuffer_ref(const struct tg_framebuffer_state *framebuffer)
{
   for (uint32_t i = 0; i < framebuffer->num_colors; i++)
      tg_resource_ref(framebuffer->colors[i].resource);
   tg_resource_ref(framebuffer->depth_stencil.resource);
}

void
gpu_framebuffer_unref(const struct tg_framebuffer_state *framebuffer)
{
   for (uint32_t i = 0; i < framebuffer->num_colors; i++)
      tg_resource_destroy(framebuffer->colors[i].resource);
   tg_resource_destroy(framebuffer->depth_stencil.resource);
}

void
gpu_state_finish(struct gpu_state *state)
{
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++) {
      tg_gpu_shader_destroy(state->shader[i]);
      tg_bindings_destroy(state->bindings[i]);
   }
   gpu_framebuffer_unref(&state->framebuffer);
   gpu_object_drop(&state->blend->object, sizeof(*state->blend));
   gpu_object_drop(&state->rasterizer->object, sizeof(*state->rasterizer));
   gpu_object_drop(&state->depth_stencil_alpha->object,
                   sizeof(*state->depth_stencil_alpha));
   gpu_object_drop(&state->vertex_elements->object,
                   sizeof(*state->vertex_elements));
   for (unsigned i = 0; i < TG_MAX_VERTEX_BUFFERS; i++)
      tg_resource_destroy(state->vertex_buffers[i].buffer);
}
