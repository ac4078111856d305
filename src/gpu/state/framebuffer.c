/* SPDX-License-Identifier: MIT
 *
 * References on the surfaces of a framebuffer.
 */
#include "gpu/state/state.h"

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
