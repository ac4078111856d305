/* SPDX-License-Identifier: MIT
 *
 * What a thread needs to run waves: memory of its own, and where to write down
 * what went wrong and what was done.
 */
#include "gpu/core/worker.h"

#include <string.h>

#include "gpu/core/memory.h"

enum { SCRATCH_ALIGNMENT = 64 };

/* ---- workers ------------------------------------------------------------- */

enum tg_result
gpu_workers_init(struct gpu_workers *workers,
                 const struct tg_allocator *allocator, struct tg_pool *pool,
                 const struct exec_executor *executor, struct tg_work *work)
{
   const unsigned count = tg_pool_num_threads(pool);
   void *memory = NULL;
   *workers = (struct gpu_workers){.pool = pool, .work = work};
   if (!gpu_grow(allocator, &memory, 0, count * sizeof(struct gpu_worker)))
      return TG_ERROR_MEMORY;
   workers->workers = memory;
   workers->count = count;
   memset(memory, 0, count * sizeof(struct gpu_worker));
   for (unsigned i = 0; i < count; i++) {
      workers->workers[i].allocator = allocator;
      workers->workers[i].executor = executor;
      workers->workers[i].purse = tg_purse_of(work);
   }
   return TG_OK;
}

static void
drop_words(struct gpu_worker *worker, struct gpu_lane_words *words)
{
   void *data = words->data;
   gpu_grow(worker->allocator, &data, words->num_words * sizeof(*words->data),
            0);
}

void
gpu_workers_finish(struct gpu_workers *workers)
{
   void *memory = workers->workers;
   if (!memory)
      return;
   const struct tg_allocator *allocator = workers->workers[0].allocator;
   for (unsigned i = 0; i < workers->count; i++) {
      struct gpu_worker *worker = &workers->workers[i];
      drop_words(worker, &worker->input);
      drop_words(worker, &worker->sysval);
      drop_words(worker, &worker->output);
      gpu_grow(allocator, &worker->scratch_block, worker->scratch_block_size,
               0);
   }
   gpu_grow(allocator, &memory, workers->count * sizeof(*workers->workers), 0);
   workers->workers = NULL;
}

uint32_t (*gpu_lane_words(struct gpu_worker *worker,
                          struct gpu_lane_words *words,
                          uint32_t num_words))[LIR_LANES]
{
   void *data = words->data;
   if (num_words > words->num_words) {
      if (!gpu_grow(worker->allocator, &data,
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
      if (!gpu_grow(worker->allocator, &worker->scratch_block,
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
