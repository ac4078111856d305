/* SPDX-License-Identifier: MIT
 *
 * Contexts, from creation to destruction, and what they have counted.
 */
#include <string.h>

#include "gpu/context/context.h"
#include "gpu/context/query.h"
#include "gpu/core/memory.h"
#include "gpu/queue/queue.h"
#include "util/sized.h"

/* ---- counters ------------------------------------------------------------ */

static enum tg_result
create_epoch(struct tg_context *gpu)
{
   void *memory = NULL;
   if (!gpu_grow(gpu->allocator, &memory, 0, sizeof(struct gpu_epoch)))
      return TG_ERROR_MEMORY;
   memset(memory, 0, sizeof(struct gpu_epoch));
   gpu->oldest_epoch = gpu->epoch = memory;
   return TG_OK;
}

static void
destroy_epochs(struct tg_context *gpu)
{
   for (struct gpu_epoch *epoch = gpu->oldest_epoch, *next; epoch;
        epoch = next) {
      void *memory = epoch;
      next = epoch->next;
      gpu_grow(gpu->allocator, &memory, sizeof(*epoch), 0);
   }
}

static uint64_t
total(const struct tg_context *gpu, enum gpu_counter counter)
{
   uint64_t count = gpu->count[counter];
   for (const struct gpu_epoch *epoch = gpu->oldest_epoch; epoch;
        epoch = epoch->next)
      count +=
         atomic_load_explicit(&epoch->count[counter], memory_order_relaxed);
   return count;
}

enum tg_result
tg_context_get_statistics(const struct tg_context *gpu,
                      struct tg_context_statistics *statistics_out)
{
   const struct tg_context_statistics statistics = {
      .pipeline =
         {
            .ia_vertices = total(gpu, GPU_COUNT_IA_VERTICES),
            .ia_primitives = total(gpu, GPU_COUNT_IA_PRIMITIVES),
            .vs_invocations = total(gpu, GPU_COUNT_VS_INVOCATIONS),
            .gs_invocations = total(gpu, GPU_COUNT_GS_INVOCATIONS),
            .gs_primitives = total(gpu, GPU_COUNT_GS_PRIMITIVES),
            .c_invocations = total(gpu, GPU_COUNT_C_INVOCATIONS),
            .c_primitives = total(gpu, GPU_COUNT_C_PRIMITIVES),
            .ps_invocations = total(gpu, GPU_COUNT_PS_INVOCATIONS),
            .hs_invocations = total(gpu, GPU_COUNT_HS_INVOCATIONS),
            .ds_invocations = total(gpu, GPU_COUNT_DS_INVOCATIONS),
            .cs_invocations = total(gpu, GPU_COUNT_CS_INVOCATIONS),
         },
      .draws = total(gpu, GPU_COUNT_DRAWS),
      .kernels = gpu->num_kernels,
      .vertex_waves = total(gpu, GPU_COUNT_VERTEX_WAVES),
      .fragment_waves = total(gpu, GPU_COUNT_FRAGMENT_WAVES),
      .triangles = total(gpu, GPU_COUNT_TRIANGLES),
      .lines = total(gpu, GPU_COUNT_LINES),
      .points = total(gpu, GPU_COUNT_POINTS),
      .fragments = total(gpu, GPU_COUNT_FRAGMENTS),
      .samples_passed = total(gpu, GPU_COUNT_SAMPLES_PASSED),
      .tiles = total(gpu, GPU_COUNT_TILES),
      .hidden_blocks = total(gpu, GPU_COUNT_HIDDEN_BLOCKS),
   };
   return tg_context_statistics_give(&statistics, statistics_out);
}

enum tg_result
tg_context_set_pixel_counters(struct tg_context *gpu,
                          const struct tg_pixel_counters *given)
{
   struct tg_pixel_counters counters;
   const enum tg_result result = tg_pixel_counters_take(&counters, given, NULL);
   if (result != TG_OK)
      return result;
   gpu_wait(gpu);
   gpu->pixels = counters;
   return TG_OK;
}

/* ---- creation and destruction -------------------------------------------- */

static void
set_up_work(struct tg_context *gpu)
{
   struct tg_work_options options = TG_WORK_OPTIONS_INIT;
   options.max_work = gpu->options.max_work;
   options.max_seconds = gpu->options.max_seconds;
   tg_work_init(&gpu->own_work, &options);
   gpu->work = gpu->options.work ? gpu->options.work : &gpu->own_work;
}

static void
set_up_compiler(struct tg_context *gpu)
{
   gpu->compiler = gpu_device_compiler(gpu->device, gpu->work);
   gpu->compiler.num_compiled = &gpu->num_kernels;
   gpu->fragment_source = (struct gpu_fragment_source){
      .compiler = &gpu->compiler,
      .state = &gpu->state,
      .pixels = &gpu->pixels,
      .last = &gpu->fragment_kernels,
   };
}

enum tg_result
tg_context_create(struct tg_device *device,
                  const struct tg_context_options *given,
                  struct tg_context **context_out)
{
   struct tg_context_options options;
   void *memory = NULL;
   if (tg_context_options_take(&options, given, NULL) != TG_OK ||
       !tg_work_is_duration(options.max_seconds))
      return TG_ERROR_INPUT;
   if (!gpu_grow(&device->allocator, &memory, 0, sizeof(struct tg_context)))
      return TG_ERROR_MEMORY;
   struct tg_context *gpu = memory;
   *gpu = (struct tg_context){
      .device = tg_device_ref(device),
      .allocator = &device->allocator,
      .options = options,
   };
   set_up_work(gpu);
   set_up_compiler(gpu);
   gpu_state_init(&gpu->state);
   enum tg_result result = create_epoch(gpu);
   if (result == TG_OK)
      result = gpu_queue_create(gpu->allocator, &device->workers, gpu->work,
                                &gpu->queue);
   if (result != TG_OK) {
      tg_context_destroy(gpu);
      return result;
   }
   *context_out = gpu;
   return TG_OK;
}

void
tg_context_destroy(struct tg_context *gpu)
{
   void *memory = gpu;
   if (!gpu)
      return;
   struct tg_device *device = gpu->device;
   if (gpu->queue)
      tg_context_finish(gpu, NULL);
   gpu_state_finish(&gpu->state);
   while (gpu->stream_targets)
      tg_stream_target_destroy(gpu->stream_targets);
   gpu_queries_destroy(gpu);
   gpu_queue_destroy(gpu->queue);
   gpu_busy_finish(gpu);
   destroy_epochs(gpu);
   gpu_grow(&device->allocator, &memory, sizeof(*gpu), 0);
   tg_device_destroy(device);
}

struct tg_device *
tg_context_get_device(const struct tg_context *gpu)
{
   return gpu->device;
}

/* ---- work ---------------------------------------------------------------- */

struct tg_work *
tg_context_get_work(const struct tg_context *gpu)
{
   return gpu->work;
}

void
tg_context_cancel(struct tg_context *gpu)
{
   tg_work_cancel(gpu->work);
}
