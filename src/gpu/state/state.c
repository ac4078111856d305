/* SPDX-License-Identifier: MIT
 *
 * What state holds, dropped.
 */
#include "gpu/state/state.h"

#include "gpu/state/shader.h"

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
