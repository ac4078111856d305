/* SPDX-License-Identifier: MIT
 *
 * Linking by semantic.
 */
#include "gpu/link.h"

static bool
comes_from_pipeline(const struct gpu_semantic *input)
{
   return input->name == TG_SEMANTIC_POSITION ||
          input->name == TG_SEMANTIC_FACE || input->name == TG_SEMANTIC_PRIM_ID;
}

static enum gpu_interpolation
interpolation_of(const struct gpu_semantic *input, bool flatshade)
{
   switch (input->interpolate) {
   case TG_INTERPOLATE_LINEAR: return GPU_INTERPOLATE_LINEAR;
   case TG_INTERPOLATE_PERSPECTIVE: return GPU_INTERPOLATE_PERSPECTIVE;
   case TG_INTERPOLATE_COLOR:
      return flatshade ? GPU_INTERPOLATE_CONSTANT : GPU_INTERPOLATE_PERSPECTIVE;
   default: return GPU_INTERPOLATE_CONSTANT;
   }
}

enum tg_result
gpu_link(const struct tg_gpu_shader *vs, const struct tg_gpu_shader *fs,
         bool flatshade, struct tg_diagnostics *diagnostics,
         struct gpu_interface *interface_out)
{
   struct gpu_interface interface = {
      .position = gpu_find_output(vs, TG_SEMANTIC_POSITION, 0),
   };
   for (uint32_t i = 0; i < fs->layout.num_inputs; i++) {
      const struct gpu_semantic *input = &fs->input[i];
      if (!input->declared || comes_from_pipeline(input))
         continue;
      if (interface.num_attributes == GPU_MAX_ATTRIBUTES)
         return gpu_complain(
            diagnostics, TG_ERROR_LIMIT, "link", "%s has more than %u inputs",
            fs->shader->source.name, (unsigned)GPU_MAX_ATTRIBUTES);
      const uint32_t attribute = interface.num_attributes++;
      interface.input[attribute] = (uint8_t)i;
      interface.output[attribute] =
         gpu_find_output(vs, input->name, input->index);
      interface.interpolation[attribute] = interpolation_of(input, flatshade);
   }
   *interface_out = interface;
   return TG_OK;
}

int
gpu_interface_find(const struct gpu_interface *interface, uint32_t input)
{
   for (uint32_t i = 0; i < interface->num_attributes; i++) {
      if (interface->input[i] == input)
         return (int)i;
   }
   return -1;
}
