/* SPDX-License-Identifier: MIT
 *
 * Constant buffers, textures and samplers of a stage.
 */
#include "gpu/stage.h"

#include <string.h>

#include "gpu/pixel.h"

static bool
wrap_is_known(uint8_t wrap)
{
   return wrap == LOWER_WRAP_REPEAT || wrap == LOWER_WRAP_CLAMP_TO_EDGE;
}

static bool
sampler_is_known(const struct gpu_sampler *sampler)
{
   return wrap_is_known(sampler->wrap_s) && wrap_is_known(sampler->wrap_t) &&
          sampler->min_filter <= LOWER_FILTER_LINEAR &&
          sampler->mag_filter <= LOWER_FILTER_LINEAR &&
          sampler->mip_filter <= LOWER_MIP_NONE;
}

enum tg_result
gpu_stage_sampler_keys(const struct gpu_stage_state *state,
                       struct tg_diagnostics *diagnostics,
                       struct lower_unit_key keys[GPU_MAX_SAMPLERS])
{
   for (unsigned i = 0; i < GPU_MAX_SAMPLERS; i++) {
      const struct tg_resource *view = state->views[i];
      const struct gpu_sampler *sampler = &state->samplers[i];
      keys[i] = (struct lower_unit_key){0};
      if (!view)
         continue;
      if (view->desc.target != TG_TEXTURE_2D || view->desc.samples > 1)
         return gpu_complain(diagnostics, TG_ERROR_UNSUPPORTED, "state",
                             "sampler view %u is not of a 2D texture", i);
      if (!gpu_format_is_supported((enum tg_format)view->desc.format))
         return gpu_complain(diagnostics, TG_ERROR_UNSUPPORTED, "state",
                             "textures of format %u are not supported",
                             view->desc.format);
      if (!sampler_is_known(sampler))
         return gpu_complain(diagnostics, TG_ERROR_UNSUPPORTED, "state",
                             "sampler %u has a wrap mode or filter that is "
                             "not supported",
                             i);
      keys[i] = (struct lower_unit_key){
         .format = (uint16_t)view->desc.format,
         .wrap_s = sampler->wrap_s,
         .wrap_t = sampler->wrap_t,
         .min_filter = sampler->min_filter,
         .mag_filter = sampler->mag_filter,
         .mip_filter = sampler->mip_filter,
      };
   }
   return TG_OK;
}

static uint32_t
bits_of(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

static void
describe_view(const struct tg_resource *view, const struct gpu_sampler *sampler,
              uint32_t words[LOWER_UNIT_WORDS])
{
   words[LOWER_UNIT_WIDTH] = view->desc.width;
   words[LOWER_UNIT_HEIGHT] = view->desc.height;
   words[LOWER_UNIT_LAST_LEVEL] = view->desc.last_level;
   words[LOWER_UNIT_LOD_BIAS] = bits_of(sampler->lod_bias);
   words[LOWER_UNIT_MIN_LOD] = bits_of(sampler->min_lod);
   words[LOWER_UNIT_MAX_LOD] = bits_of(sampler->max_lod);
   for (uint32_t i = 0; i <= view->desc.last_level; i++)
      words[LOWER_UNIT_OFFSETS + i] =
         (uint32_t)(view->written.layout.level[i].offset / 4);
}

void
gpu_stage_memory_init(struct gpu_stage_memory *memory,
                      const struct gpu_stage_state *state)
{
   *memory = (struct gpu_stage_memory){0};
   for (unsigned i = 0; i < GPU_MAX_CONST_BUFFERS; i++) {
      if (state->constants[i])
         memory->constants[i] = resource_memory(state->constants[i]);
   }
   for (unsigned i = 0; i < GPU_MAX_SAMPLERS; i++) {
      if (!state->views[i])
         continue;
      memory->textures[i] = resource_memory(state->views[i]);
      describe_view(state->views[i], &state->samplers[i],
                    memory->views + i * LOWER_UNIT_WORDS);
   }
   memory->constants[GPU_BINDING_VIEWS] = (struct exec_memory){
      .data = memory->views,
      .num_bytes = GPU_MAX_SAMPLERS * LOWER_UNIT_WORDS * 4,
   };
}

void
gpu_stage_memory_bind(const struct gpu_stage_memory *memory,
                      struct exec_wave *wave)
{
   wave->memory[LIR_SPACE_CONST] = memory->constants;
   wave->num_memories[LIR_SPACE_CONST] = GPU_NUM_CONST_BINDINGS;
   wave->memory[LIR_SPACE_TEXTURE] = memory->textures;
   wave->num_memories[LIR_SPACE_TEXTURE] = GPU_MAX_SAMPLERS;
}
