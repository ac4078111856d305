/* SPDX-License-Identifier: MIT
 *
 * Draw ranges of a call (multi-draw): one after the other, from where the
 * caller or an indirect buffer has them. All is checked before anything is
 * drawn: what a buffer says is as hostile as what comes from a file.
 */
#ifndef TG_GPU_DRAWS_H
#define TG_GPU_DRAWS_H

#include "resource/resource.h"
#include "tungsten/gpu.h"

/* One draw. */
struct gpu_range {
   uint32_t start, count;
   int32_t index_bias;
   uint32_t start_instance, instance_count;
   uint32_t draw_id;
};

struct gpu_draws {
   const struct tg_allocator *allocator;
   struct tg_draw_info info;
   uint32_t num_draws;
   uint64_t num_vertices;      /* of all, times their instances */
   struct gpu_range *indirect; /* as the buffer had them at first, or NULL */
   uint32_t num_indirect;
   struct resource_hold indices; /* of the index buffer, if any */
   uint32_t num_streamed;        /* vertices of count_from_stream_output */
};

/* What shaders write to an indirect buffer later does not count, nor what they
 * add to a target. TG_ERROR_INPUT, TG_ERROR_LIMIT, TG_ERROR_MEMORY: there is
 * nothing to be finished then. */
enum tg_result
gpu_draws_init(struct gpu_draws *draws, const struct tg_allocator *allocator,
               const struct tg_draw_info *info,
               struct tg_diagnostics *diagnostics);
void
gpu_draws_finish(struct gpu_draws *draws);

/* Draw `number`, below num_draws. */
struct gpu_range
gpu_draws_get(const struct gpu_draws *draws, uint32_t number);

#endif
