/* SPDX-License-Identifier: MIT
 *
 * Validation of stream output declarations against a shader.
 */
#include "gpu/core/fault.h"
#include "gpu/state/shader.h"

/* What is wrong with one of its outputs, or NULL. */
static const char *
fault_of(const struct tg_shader *shader, const struct abi_layout *layout,
         const struct tg_stream_output_info *info, uint32_t number)
{
   const struct tg_stream_output *output = &info->outputs[number];
   if (output->register_index >= layout->num_outputs)
      return "is of a register that it does not have";
   if (!output->num_components ||
       output->start_component + output->num_components > 4)
      return "is of no components of a register";
   if (output->buffer >= TG_MAX_STREAM_BUFFERS)
      return "goes to a buffer that there cannot be";
   if (output->dst_offset + output->num_components >
       info->stride[output->buffer])
      return "does not fit the stride of its buffer";
   if (output->stream >= TG_MAX_STREAMS ||
       (output->stream && shader->processor != TG_PROCESSOR_GEOM))
      return "is of a stream that there cannot be";
   for (uint32_t i = 0; i < number; i++) {
      if (info->outputs[i].buffer == output->buffer &&
          info->outputs[i].stream != output->stream)
         return "goes to the buffer of another stream";
   }
   return NULL;
}

enum tg_result
gpu_check_stream_output_info(const struct tg_shader *shader,
                             const struct abi_layout *layout,
                             const struct tg_stream_output_info *info,
                             struct tg_diagnostics *diagnostics)
{
   if (info->num_outputs > TG_MAX_STREAM_OUTPUTS)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "shader",
                                "%s: %u stream outputs; there can be %u",
                                shader->source.name, info->num_outputs,
                                (unsigned)TG_MAX_STREAM_OUTPUTS);
   for (uint32_t i = 0; i < info->num_outputs; i++) {
      const char *fault = fault_of(shader, layout, info, i);
      if (fault)
         return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "shader",
                                   "%s: stream output %u %s",
                                   shader->source.name, i, fault);
   }
   return TG_OK;
}
