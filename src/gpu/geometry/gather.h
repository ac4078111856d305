/* SPDX-License-Identifier: MIT
 *
 * Inputs of stages that read vertices: which register of the stage before is
 * which input, and the words of one vertex, laid out as abi/layout.h has it.
 *
 * Linking is by semantic name and index. An input that no output feeds reads 0,
 * but FOG (0, 0, 0, 1).
 */
#ifndef TG_GPU_GATHER_H
#define TG_GPU_GATHER_H

#include "gpu/core/worker.h"
#include "gpu/state/shader.h"

struct gpu_gather {
   uint32_t num_inputs;            /* registers */
   uint8_t from[ABI_MAX_INPUTS];   /* register of a record, or
                                    * GPU_NO_REGISTER */
   bool is_fog[ABI_MAX_INPUTS];
};

void
gpu_gather_init(struct gpu_gather *gather, const struct tg_gpu_shader *producer,
                const struct tg_gpu_shader *consumer);

/* The inputs of a vertex, `num_inputs` * 4 words. */
void
gpu_gather_vertex(const struct gpu_gather *gather, const uint32_t *record,
                  uint32_t *words);

/* Words of the records that a shader makes; never 0. */
static inline uint32_t
gpu_record_words(const struct tg_gpu_shader *shader)
{
   return shader->layout.num_outputs ? shader->layout.num_outputs * 4 : 4;
}

/* From lanes to records: the outputs of lanes 0 to count - 1. Registers that
 * the shader does not declare become 0. */
void
gpu_gather_store_records(const struct tg_gpu_shader *shader,
                         const uint32_t (*output)[LIR_LANES], uint32_t count,
                         uint32_t *records);

/* ---- system values ------------------------------------------------------- */

/* Sets the first `num_channels` channels of a register in all lanes. */
void
gpu_gather_spread(uint32_t (*channels)[LIR_LANES], const uint32_t *words,
                  unsigned num_channels);

/* Zeroes the lanes of a wave's system values, and sets those that go by the
 * lane alone: SUBGROUP_*. */
void
gpu_gather_clear_sysvals(const struct tg_gpu_shader *shader,
                         uint32_t (*words)[LIR_LANES]);

#endif
