/* SPDX-License-Identifier: MIT
 *
 * Decompression of textures whose samples are one colour, once the scenes that
 * use them are done.
 */
#include "gpu/context/context.h"
#include "gpu/context/uses.h"

void
gpu_settle_one_color(struct tg_context *context, struct tg_resource *resource)
{
   if (!resource || !resource_is_compressed(resource))
      return;
   gpu_wait_for(context, resource, GPU_WRITES);
   resource_settle_one_color(resource);
}

void
gpu_settle_one_color_of_bindings(struct tg_context *context)
{
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++) {
      const struct tg_bindings *bindings = context->state.bindings[i];

      if (!context->state.shader[i] || !bindings || !bindings->num_compressible)
         continue;
      for (unsigned k = 0; k < RESOURCE_NUM_TEXTURE_PLACES; k++)
         gpu_settle_one_color(context, bindings->compressible[k]);
   }
}
