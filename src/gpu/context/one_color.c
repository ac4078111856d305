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

static void
settle_seen(struct tg_context *context, const struct tg_bindings *bindings,
            const struct abi_keys *seen)
{
   struct tg_resource *const *views = bindings->compressible;
   struct tg_resource *const *images = &bindings->compressible[ABI_MAX_VIEWS];

   for (unsigned i = 0; i < ABI_MAX_VIEWS; i++) {
      if (abi_sees_view(seen, i))
         gpu_settle_one_color(context, views[i]);
   }
   for (unsigned i = 0; i < ABI_NUM_IMAGE_BINDINGS; i++) {
      if (abi_sees_image(seen, i))
         gpu_settle_one_color(context, images[i]);
   }
}

void
gpu_settle_one_color_of_bindings(struct tg_context *context)
{
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++) {
      const struct tg_gpu_shader *shader = context->state.shader[i];
      const struct tg_bindings *bindings = context->state.bindings[i];

      if (shader && bindings && bindings->num_compressible)
         settle_seen(context, bindings, &shader->seen);
   }
}
