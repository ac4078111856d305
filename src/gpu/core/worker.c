/* SPDX-License-Identifier: MIT
 *
 * Per-thread state of the pipeline: memory of its own, and where to write down
 * what went wrong and what was done.
 */
#include "gpu/core/worker.h"

#include <string.h>

#include "gpu/core/grow.h"

/* ---- workers ------------------------------------------------------------- */

static void
init_worker(struct gpu_worker *worker, const struct gpu_workers *workers)
{
   memset(worker, 0, sizeof(*worker));
   worker->allocator = workers->allocator;
   worker->recycler = &workers->recycler.allocator;
   worker->pool = workers->pool;
   worker->profile = workers->profile;
}

/* Of so many rows, and of what aligns the first. */
static size_t
lane_bytes(uint32_t num_words)
{
   return num_words ? (num_words + (size_t)1) * sizeof(uint32_t[LIR_LANES]) : 0;
}

static void
drop_words(struct gpu_worker *worker, struct gpu_lane_words *words)
{
   gpu_grow(worker->allocator, &words->block, lane_bytes(words->num_words), 0);
}

static void
finish_worker(struct gpu_worker *worker)
{
   if (worker->pipeline)
      worker->finish_pipeline(worker);
   if (worker->fragments)
      worker->finish_fragments(worker);
   if (worker->draw)
      worker->finish_draw(worker);
   drop_words(worker, &worker->input);
   drop_words(worker, &worker->sysval);
   drop_words(worker, &worker->output);
   gpu_grow(worker->allocator, &worker->scratch_block,
            worker->scratch_block_size, 0);
}

enum tg_result
gpu_workers_init(struct gpu_workers *workers,
                 const struct tg_allocator *allocator, struct tg_pool *pool,
                 struct tg_profile *profile, size_t most_recycled)
{
   const unsigned count = tg_pool_num_places(pool);
   void *memory = NULL;
   *workers = (struct gpu_workers){
      .allocator = allocator,
      .pool = pool,
      .profile = profile,
      .count = count,
   };
   if (!gpu_grow(allocator, &memory, 0, count * sizeof(struct gpu_worker)))
      return TG_ERROR_MEMORY;
   workers->workers = memory;
   tg_recycler_init(&workers->recycler, allocator, most_recycled);
   pthread_mutex_init(&workers->mutex, NULL);
   for (unsigned i = 0; i < count; i++) {
      init_worker(&workers->workers[i], workers);
      workers->workers[i].thread = i;
   }
   return TG_OK;
}

void
gpu_workers_finish(struct gpu_workers *workers)
{
   void *memory = workers->workers;
   if (!memory)
      return;
   for (unsigned i = 0; i < workers->count; i++)
      finish_worker(&workers->workers[i]);
   gpu_grow(workers->allocator, &memory,
            workers->count * sizeof(*workers->workers), 0);
   for (struct gpu_worker *worker = workers->idle, *next; worker;
        worker = next) {
      memory = worker;
      next = worker->next;
      finish_worker(worker);
      gpu_grow(workers->allocator, &memory, sizeof(*worker), 0);
   }
   tg_recycler_finish(&workers->recycler);
   pthread_mutex_destroy(&workers->mutex);
   *workers = (struct gpu_workers){0};
}

struct gpu_worker *
gpu_workers_borrow(struct gpu_workers *workers)
{
   void *memory = NULL;
   pthread_mutex_lock(&workers->mutex);
   struct gpu_worker *worker = workers->idle;
   if (worker)
      workers->idle = worker->next;
   pthread_mutex_unlock(&workers->mutex);
   if (worker)
      return worker;
   if (!gpu_grow(workers->allocator, &memory, 0, sizeof(struct gpu_worker)))
      return NULL;
   init_worker(memory, workers);
   return memory;
}

void
gpu_workers_return(struct gpu_workers *workers, struct gpu_worker *worker)
{
   if (!worker)
      return;
   pthread_mutex_lock(&workers->mutex);
   worker->next = workers->idle;
   workers->idle = worker;
   pthread_mutex_unlock(&workers->mutex);
}

void
gpu_worker_begin(struct gpu_worker *worker, struct tg_work *work)
{
   worker->purse = tg_purse_of(work);
   worker->fault = (struct gpu_fault){.result = TG_OK};
   if (work && tg_work_has_ended(work))
      gpu_worker_fail(worker, TG_ERROR_LIMIT, NULL);
}

void
gpu_worker_end(struct gpu_worker *worker)
{
   tg_work_settle_purse(&worker->purse);
}

uint32_t (*gpu_worker_lane_words(struct gpu_worker *worker,
                                 struct gpu_lane_words *words,
                                 uint32_t num_words))[LIR_LANES]
{
   if (num_words > words->num_words) {
      if (!gpu_grow(worker->allocator, &words->block,
                    lane_bytes(words->num_words), lane_bytes(num_words))) {
         gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");
         return NULL;
      }
      words->num_words = num_words;
      words->data = gpu_align_lanes(words->block);
   }
   return words->data;
}

void *
gpu_worker_scratch(struct gpu_worker *worker, size_t size)
{
   size += GPU_LANE_ALIGNMENT;
   if (size > worker->scratch_block_size) {
      if (!gpu_grow(worker->allocator, &worker->scratch_block,
                    worker->scratch_block_size, size))
         return NULL;
      worker->scratch_block_size = size;
      worker->scratch = gpu_align_lanes(worker->scratch_block);
   }
   return worker->scratch;
}

/* ---- faults and counters ------------------------------------------------- */

bool
gpu_worker_fail(struct gpu_worker *worker, enum tg_result result,
                const char *what)
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

void
gpu_worker_count_own(struct gpu_worker *worker, struct gpu_epoch *epoch)
{
   for (unsigned i = 0; i < GPU_NUM_COUNTERS; i++)
      epoch->own[i] += worker->count[i];
   memset(worker->count, 0, sizeof(worker->count));
}

bool
gpu_pay(struct gpu_worker *worker, uint64_t cost)
{
   return tg_purse_pay(&worker->purse, cost) ||
          gpu_worker_fail(worker, TG_ERROR_LIMIT, NULL);
}
