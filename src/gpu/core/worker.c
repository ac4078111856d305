/* SPDX-License-Identifier: MIT
 *
 * What a thread needs to run waves: memory of its own, and where to write down
 * what went wrong and what was done.
 */
#include <string.h>

#include "gpu/context.h"
#include "gpu/fragment/fragment.h"

enum { SCRATCH_ALIGNMENT = 64 };

/* ---- workers ------------------------------------------------------------- */

enum tg_result
gpu_workers_create(struct tg_gpu *gpu, struct gpu_worker **workers_out)
{
   void *memory = NULL;
   const size_t size = gpu->num_workers * sizeof(struct gpu_worker);
   if (!gpu_grow(&gpu->allocator, &memory, 0, size))
      return TG_ERROR_MEMORY;
   struct gpu_worker *workers = memory;
   memset(workers, 0, size);
   for (unsigned i = 0; i < gpu->num_workers; i++) {
      workers[i].gpu = gpu;
      workers[i].number = i;
      workers[i].purse = tg_purse_of(gpu->work);
   }
   *workers_out = workers;
   return TG_OK;
}

static void
drop_words(struct tg_gpu *gpu, struct gpu_lane_words *words)
{
   void *data = words->data;
   gpu_grow(&gpu->allocator, &data, words->num_words * sizeof(*words->data), 0);
}

void
gpu_workers_destroy(struct tg_gpu *gpu, struct gpu_worker *workers)
{
   void *memory = workers;
   if (!workers)
      return;
   for (unsigned i = 0; i < gpu->num_workers; i++) {
      struct gpu_worker *worker = &workers[i];
      void *fragments = worker->fragments;
      drop_words(gpu, &worker->input);
      drop_words(gpu, &worker->sysval);
      drop_words(gpu, &worker->output);
      gpu_grow(&gpu->allocator, &worker->scratch_block,
               worker->scratch_block_size, 0);
      gpu_grow(&gpu->allocator, &fragments, sizeof(*worker->fragments), 0);
   }
   gpu_grow(&gpu->allocator, &memory, gpu->num_workers * sizeof(*workers), 0);
}

uint32_t (*gpu_lane_words(struct gpu_worker *worker,
                          struct gpu_lane_words *words,
                          uint32_t num_words))[LIR_LANES]
{
   void *data = words->data;
   if (num_words > words->num_words) {
      if (!gpu_grow(&worker->gpu->allocator, &data,
                    words->num_words * sizeof(*words->data),
                    num_words * sizeof(*words->data))) {
         gpu_fail(worker, TG_ERROR_MEMORY, "out of memory");
         return NULL;
      }
      words->data = data;
      words->num_words = num_words;
   }
   return words->data;
}

void *
gpu_scratch(struct gpu_worker *worker, size_t size)
{
   size += SCRATCH_ALIGNMENT;
   if (size > worker->scratch_block_size) {
      if (!gpu_grow(&worker->gpu->allocator, &worker->scratch_block,
                    worker->scratch_block_size, size))
         return NULL;
      worker->scratch_block_size = size;
      const uintptr_t address = (uintptr_t)worker->scratch_block;
      const uintptr_t up = -address & (SCRATCH_ALIGNMENT - 1);
      worker->scratch = (char *)worker->scratch_block + up;
   }
   return worker->scratch;
}

/* ---- faults and counters ------------------------------------------------- */

bool
gpu_fail(struct gpu_worker *worker, enum tg_result result, const char *what)
{
   if (worker->fault.result == TG_OK)
      worker->fault = (struct gpu_fault){.result = result, .what = what};
   return false;
}

void
gpu_worker_count(struct gpu_worker *worker, struct gpu_epoch *epoch)
{
   for (unsigned i = 0; i < GPU_NUM_COUNTERS; i++) {
      if (!worker->count[i])
         continue;
      atomic_fetch_add_explicit(&epoch->count[i], worker->count[i],
                                memory_order_relaxed);
      worker->count[i] = 0;
   }
}
