/* SPDX-License-Identifier: MIT
 *
 * Linking of stages: from records to inputs, and from lanes to records.
 */
#include "gpu/geometry/gather.h"

#include <string.h>

#include "abi/subgroup.h"

void
gpu_gather_init(struct gpu_gather *gather, const struct tg_gpu_shader *producer,
                const struct tg_gpu_shader *consumer)
{
   gather->num_inputs = consumer->layout.num_inputs;
   for (uint32_t i = 0; i < gather->num_inputs; i++) {
      const struct gpu_semantic *input = &consumer->input[i];
      const bool is_linked = input->declared && input->name != TG_NUM_SEMANTICS;
      gather->from[i] =
         is_linked ? gpu_find_output(producer, (enum tg_semantic)input->name,
                                     input->index)
                   : GPU_NO_REGISTER;
      gather->is_fog[i] = is_linked && input->name == TG_SEMANTIC_FOG;
   }
}

void
gpu_gather_vertex(const struct gpu_gather *gather, const uint32_t *record,
                  uint32_t *words)
{
   static const uint32_t nothing[4], fog[4] = {0, 0, 0, 0x3f800000 /* 1.0 */};
   for (uint32_t i = 0; i < gather->num_inputs; i++) {
      const uint32_t from = gather->from[i];
      if (from == GPU_NO_REGISTER)
         memcpy(words + i * 4, gather->is_fog[i] ? fog : nothing,
                4 * sizeof(*words));
      else
         memcpy(words + i * 4, record + from * 4, 4 * sizeof(*words));
   }
}

void
gpu_gather_store_records(const struct tg_gpu_shader *shader,
                         const uint32_t (*output)[LIR_LANES], uint32_t count,
                         uint32_t *records)
{
   const uint32_t num_words = gpu_record_words(shader);
   for (uint32_t word = 0; word < num_words; word++) {
      const bool is_declared = shader->output[word / 4].declared;
      for (uint32_t lane = 0; lane < count; lane++)
         records[lane * num_words + word] =
            is_declared ? output[word][lane] : 0;
   }
}

void
gpu_gather_spread(uint32_t (*channels)[LIR_LANES], const uint32_t *words,
                  unsigned num_channels)
{
   for (unsigned c = 0; c < num_channels; c++) {
      for (unsigned lane = 0; lane < LIR_LANES; lane++)
         channels[c][lane] = words[c];
   }
}

void
gpu_gather_clear_sysvals(const struct tg_gpu_shader *shader,
                         uint32_t (*words)[LIR_LANES])
{
   const uint32_t num_sysvals = shader->layout.num_sysvals;
   memset(words, 0, num_sysvals * 4 * sizeof(*words));
   for (uint32_t i = 0; i < num_sysvals; i++) {
      for (unsigned lane = 0; lane < LIR_LANES; lane++)
         words[i * 4][lane] =
            abi_subgroup_value((enum tg_semantic)shader->sysval[i].name, lane);
   }
}
