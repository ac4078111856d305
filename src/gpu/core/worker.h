/* SPDX-License-Identifier: MIT
 *
 * Workers: the per-thread state that running waves takes. All else that workers
 * see does not change while they work.
 */
#ifndef TG_GPU_WORKER_H
#define TG_GPU_WORKER_H

#include <pthread.h>

#include "exec/exec.h"
#include "gpu/core/counters.h"
#include "gpu/core/fault.h"
#include "util/pool.h"
#include "util/recycle.h"

/* Bytes: a row of lanes is a cache line, and a vector that is loaded as one. */
enum { GPU_LANE_ALIGNMENT = 64 };

/* The first place in a block that is aligned so. */
static inline void *
gpu_align_lanes(void *block)
{
   return (char *)block + (-(uintptr_t)block & (GPU_LANE_ALIGNMENT - 1));
}

/* From one scratch of so many bytes to the next one. */
static inline size_t
gpu_scratch_stride(size_t size)
{
   return (size + GPU_LANE_ALIGNMENT - 1) & ~(size_t)(GPU_LANE_ALIGNMENT - 1);
}

/* Words of lanes, as many as any kernel has needed; 64-byte aligned. */
struct gpu_lane_words {
   uint32_t (*data)[LIR_LANES]; /* within the block */
   uint32_t num_words;
   void *block;
};

struct gpu_worker {
   const struct tg_allocator *allocator;
   const struct tg_allocator *recycler; /* of batches: see struct gpu_workers */
   struct tg_pool *pool;
   struct tg_profile *profile; /* or NULL */
   unsigned thread;            /* of a pool, or 0 */
   struct gpu_call *call;      /* that it is at work on, or NULL */
   struct gpu_fault fault;     /* the first of what it is at work on */
   struct tg_purse purse;
   struct tg_purse outer; /* the context's, while a call has one of its own */
   uint64_t count[GPU_NUM_COUNTERS]; /* since gpu_worker_count() */
   struct gpu_lane_words input, sysval, output;
   void *scratch; /* of kernels, 64-byte aligned */
   void *scratch_block;
   size_t scratch_block_size;

   /* What stages keep for themselves, made when they first need it, and how it
    * is given back; or NULL. */
   struct gpu_pipeline_worker *pipeline;  /* see pipeline.h */
   struct gpu_fragment_worker *fragments; /* see fragment.h */
   struct gpu_draw *draw;                 /* see context/draw.c */
   void (*finish_pipeline)(struct gpu_worker *worker);
   void (*finish_fragments)(struct gpu_worker *worker);
   void (*finish_draw)(struct gpu_worker *worker);

   struct gpu_worker *next; /* of those that are idle */
};

/* A worker for each place of a pool, and as many more as threads outside of it
 * have been at work at once. */
struct gpu_workers {
   const struct tg_allocator *allocator;
   struct tg_pool *pool;
   struct tg_profile *profile;  /* of the device, or NULL */
   struct tg_recycler recycler; /* of what goes from worker to worker */
   unsigned count;              /* places, one outside of the pool included */
   struct gpu_worker *workers;  /* by the number of the thread; 0: not used */
   pthread_mutex_t mutex;
   struct gpu_worker *idle; /* of threads outside of the pool */
};

/* Makes a worker for each thread of a pool, which stays the caller's, as the
 * profile does, which may be NULL. They keep so many bytes of what batches have
 * freed. TG_ERROR_MEMORY. */
enum tg_result
gpu_workers_init(struct gpu_workers *workers,
                 const struct tg_allocator *allocator, struct tg_pool *pool,
                 struct tg_profile *profile, size_t most_recycled);

/* Frees all workers, also what gpu_workers_init() has left after an error. All
 * workers have been returned. */
void
gpu_workers_finish(struct gpu_workers *workers);

/* A worker for a thread that is not the pool's; NULL when out of memory. Any
 * thread. */
struct gpu_worker *
gpu_workers_borrow(struct gpu_workers *workers);

/* Puts a borrowed worker back. Takes NULL. */
void
gpu_workers_return(struct gpu_workers *workers, struct gpu_worker *worker);

/* The worker of a thread in a job of the pool, whose thread 0 is `caller`'s. */
static inline struct gpu_worker *
gpu_worker_of(const struct gpu_workers *workers, struct gpu_worker *caller,
              unsigned thread)
{
   return thread ? &workers->workers[thread] : caller;
}

/* Begins and ends a worker's use of the budget `work`, or of none with NULL: it
 * has no fault at first unless the work has ended, and at the end it has paid
 * for all. */
void
gpu_worker_begin(struct gpu_worker *worker, struct tg_work *work);
void
gpu_worker_end(struct gpu_worker *worker);

/* Lane memory of so many words at least, or NULL when out of memory. */
uint32_t (*gpu_worker_lane_words(struct gpu_worker *worker,
                                 struct gpu_lane_words *words,
                                 uint32_t num_words))[LIR_LANES];

/* Scratch memory of so many bytes for kernels, 64-byte aligned, or NULL when
 * out of memory. */
void *
gpu_worker_scratch(struct gpu_worker *worker, size_t size);

/* Raises a fault that is not a shader's. Keeps the first; returns false. */
bool
gpu_worker_fail(struct gpu_worker *worker, enum tg_result result,
                const char *what);

/* Adds a worker's counters to an epoch and resets them: one of any thread, or
 * that of the thread that calls. */
void
gpu_worker_count(struct gpu_worker *worker, struct gpu_epoch *epoch);
void
gpu_worker_count_own(struct gpu_worker *worker, struct gpu_epoch *epoch);

/* Charges the work budget for what is done without waves. False after a fault:
 * the work has ended. */
bool
gpu_pay(struct gpu_worker *worker, uint64_t cost);

#endif
