/* SPDX-License-Identifier: MIT
 *
 * Creation of shaders for the pipeline.
 */
#include "gpu/core/grow.h"

#include "gpu/device/device.h"
#include "gpu/state/shader.h"
#include "tgsi/shader/shader.h"
#include <assert.h>

static uint32_t
name_shader(const struct tg_device *device, const struct tg_shader *source)
{
   char title[TG_SHADER_TITLE];
   if (!device->options.profile)
      return 0;
   tg_shader_title(source, title);
   return profile_shader(device->options.profile, title);
}

enum tg_result
tg_gpu_shader_create(struct tg_device *device, const struct tg_shader *source,
                     const struct tg_stream_output_info *stream_output,
                     struct tg_diagnostics *diagnostics,
                     struct tg_gpu_shader **shader_out)
{
   assert(device);
   assert(shader_out);
   void *memory = NULL;
   if (!gpu_grow(&device->allocator, &memory, 0, sizeof(struct tg_gpu_shader)))
      return TG_ERROR_MEMORY;
   struct tg_gpu_shader *shader = memory;
   const enum tg_result result =
      gpu_shader_init(shader, source, stream_output, diagnostics);
   if (result != TG_OK) {
      gpu_grow(&device->allocator, &memory, sizeof(*shader), 0);
      return result;
   }
   shader->device = tg_device_ref(device);
   shader->id = atomic_fetch_add(&device->next_shader_id, 1);
   shader->profile_shader = name_shader(device, source);
   *shader_out = shader;
   return TG_OK;
}
