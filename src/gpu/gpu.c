/* SPDX-License-Identifier: MIT
 *
 * The GPU itself: what draws share, from creation to destruction, and the few
 * helpers that every file uses.
 */
#include <stdarg.h>
#include <string.h>

#include "gpu/context.h"
#include "gpu/pipeline.h"
#include "gpu/query.h"
#include "gpu/queue/queue.h"
#include "util/diagnostics.h"
#include "util/sized.h"
#include "util/strbuf.h"

/* ---- helpers ------------------------------------------------------------- */

bool
gpu_grow(const struct tg_allocator *allocator, void **ptr, size_t old_size,
         size_t new_size)
{
   if (!*ptr && !new_size)
      return true;
   void *grown = allocator->resize(allocator->user, *ptr, old_size, new_size);
   if (!grown && new_size)
      return false;
   *ptr = grown;
   return true;
}

bool
gpu_reserve(const struct tg_allocator *allocator, void **elements,
            uint32_t *capacity, uint32_t used, uint32_t count, size_t size)
{
   uint64_t wanted = *capacity ? *capacity : 16;
   if ((uint64_t)used + count <= *capacity)
      return true;
   while (wanted < (uint64_t)used + count)
      wanted *= 2;
   if (wanted > UINT32_MAX ||
       !gpu_grow(allocator, elements, *capacity * size, wanted * size))
      return false;
   *capacity = (uint32_t)wanted;
   return true;
}

enum tg_result
gpu_complain(struct tg_diagnostics *diagnostics, enum tg_result result,
             const char *code, const char *format, ...)
{
   const struct tg_source source = {.name = "draw"};
   va_list args;
   va_start(args, format);
   tg_vdiagnose(diagnostics, TG_SEVERITY_ERROR, code, &source,
                (struct tg_position){0}, NULL, format, args);
   va_end(args);
   return result;
}

enum tg_result
gpu_report(const struct tg_gpu *gpu, const struct gpu_fault *fault,
           struct tg_diagnostics *diagnostics)
{
   if (fault->result == TG_OK || fault->result == TG_ERROR_MEMORY)
      return fault->result;
   if (!fault->what)
      return tg_work_diagnose(gpu->work, diagnostics,
                              fault->shader ? &fault->shader->source : NULL,
                              fault->position);
   if (!fault->shader)
      return gpu_complain(diagnostics, fault->result, "draw", "%s",
                          fault->what);
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "run", &fault->shader->source,
               fault->position, NULL, "%s", fault->what);
   return fault->result;
}

enum tg_result
gpu_charge(struct tg_gpu *gpu, uint64_t cost,
           struct tg_diagnostics *diagnostics)
{
   if (tg_work_pay(gpu->work, cost))
      return TG_OK;
   return tg_work_diagnose(gpu->work, diagnostics, NULL,
                           (struct tg_position){0});
}

enum tg_result
gpu_begin_check(struct tg_gpu *gpu, const struct tg_gpu_shader *shader,
                enum check_lanes lanes, struct tg_diagnostics *diagnostics,
                struct check **check_out)
{
   *check_out = NULL;
   if (!gpu->options.check)
      return TG_OK;

   const enum tg_result result =
      check_create(&gpu->allocator, shader->shader, &shader->layout,
                   GPU_MAX_WAVES, check_out);
   if (result != TG_OK)
      return result;
   check_begin(*check_out, diagnostics);
   check_name_lanes(*check_out, lanes);
   return TG_OK;
}

enum tg_result
gpu_end_check(struct check *check)
{
   uint32_t num_findings;
   if (!check)
      return TG_OK;

   const enum tg_result result = check_end(check, &num_findings);
   check_destroy(check);
   return result;
}

/* ---- counters ------------------------------------------------------------ */

static enum tg_result
create_epoch(struct tg_gpu *gpu)
{
   void *memory = NULL;
   if (!gpu_grow(&gpu->allocator, &memory, 0, sizeof(struct gpu_epoch)))
      return TG_ERROR_MEMORY;
   memset(memory, 0, sizeof(struct gpu_epoch));
   gpu->oldest_epoch = gpu->epoch = memory;
   return TG_OK;
}

static void
destroy_epochs(struct tg_gpu *gpu)
{
   for (struct gpu_epoch *epoch = gpu->oldest_epoch, *next; epoch;
        epoch = next) {
      void *memory = epoch;
      next = epoch->next;
      gpu_grow(&gpu->allocator, &memory, sizeof(*epoch), 0);
   }
}

static uint64_t
total(const struct tg_gpu *gpu, enum gpu_counter counter)
{
   uint64_t count = gpu->count[counter];
   for (const struct gpu_epoch *epoch = gpu->oldest_epoch; epoch;
        epoch = epoch->next)
      count +=
         atomic_load_explicit(&epoch->count[counter], memory_order_relaxed);
   return count;
}

enum tg_result
tg_gpu_get_statistics(const struct tg_gpu *gpu,
                      struct tg_gpu_statistics *statistics_out)
{
   const struct tg_gpu_statistics statistics = {
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
   return tg_gpu_statistics_give(&statistics, statistics_out);
}

enum tg_result
tg_gpu_set_pixel_counters(struct tg_gpu *gpu,
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

static enum tg_result
create_workers(struct tg_gpu *gpu)
{
   enum tg_result result = tg_pool_create(
      &gpu->allocator, gpu->options.num_threads, &gpu->geometry_pool);
   if (result != TG_OK)
      return result;
   gpu->num_workers = tg_pool_num_threads(gpu->geometry_pool);
   result = gpu_workers_create(gpu, &gpu->geometry_workers);
   if (result == TG_OK)
      result = gpu_pipeline_workers_create(gpu);
   if (result == TG_OK)
      result = gpu_workers_create(gpu, &gpu->tile_workers);
   if (result == TG_OK)
      result = gpu_fragment_workers_create(gpu);
   if (result == TG_OK)
      result = gpu_queue_create(gpu, &gpu->queue);
   return result;
}

static void
set_up_work(struct tg_gpu *gpu)
{
   struct tg_work_options options = TG_WORK_OPTIONS_INIT;
   options.max_work = gpu->options.max_work;
   tg_work_init(&gpu->own_work, &options);
   gpu->work = gpu->options.work;
   if (!gpu->work && options.max_work)
      gpu->work = &gpu->own_work;
}

enum tg_result
tg_gpu_create(const struct tg_allocator *allocator,
              const struct tg_gpu_options *given, struct tg_gpu **gpu_out)
{
   struct tg_gpu_options options;
   void *memory = NULL;
   if (!allocator)
      allocator = tg_default_allocator();
   if (tg_gpu_options_take(&options, given, NULL) != TG_OK ||
       options.num_threads > TG_MAX_GPU_THREADS)
      return TG_ERROR_INPUT;
   if (!gpu_grow(allocator, &memory, 0, sizeof(struct tg_gpu)))
      return TG_ERROR_MEMORY;
   struct tg_gpu *gpu = memory;
   *gpu = (struct tg_gpu){
      .allocator = *allocator,
      .options = options,
      .executor = exec_interpreter(),
   };
   if (options.check)
      gpu->options.num_threads = 1;
   set_up_work(gpu);
   gpu_state_init(&gpu->state);
   enum tg_result result = create_epoch(gpu);
   if (result == TG_OK)
      result = create_workers(gpu);
   if (result != TG_OK) {
      tg_gpu_destroy(gpu);
      return result;
   }
   *gpu_out = gpu;
   return TG_OK;
}

void
tg_gpu_destroy(struct tg_gpu *gpu)
{
   void *memory = gpu;
   if (!gpu)
      return;
   const struct tg_allocator allocator = gpu->allocator;
   if (gpu->queue)
      tg_gpu_finish(gpu, NULL);
   while (gpu->shaders)
      tg_gpu_shader_destroy(gpu->shaders);
   while (gpu->stream_targets)
      tg_stream_target_destroy(gpu->stream_targets);
   gpu_queries_destroy(gpu);
   gpu_queue_destroy(gpu->queue);
   gpu_draw_finish(gpu);
   gpu_pipeline_workers_destroy(gpu);
   gpu_workers_destroy(gpu, gpu->geometry_workers);
   gpu_workers_destroy(gpu, gpu->tile_workers);
   tg_pool_destroy(gpu->geometry_pool);
   gpu_kernel_cache_finish(gpu);
   gpu_busy_finish(gpu);
   destroy_epochs(gpu);
   gpu_grow(&allocator, &memory, sizeof(*gpu), 0);
}

unsigned
tg_gpu_num_threads(const struct tg_gpu *gpu)
{
   return gpu->num_workers;
}
