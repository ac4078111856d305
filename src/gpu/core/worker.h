/* SPDX-License-Identifier: MIT
 *
 * Workers: what a thread needs to run waves, for itself. All else that workers
 * see does not change while they work.
 */
#ifndef TG_GPU_WORKER_H
#define TG_GPU_WORKER_H

#include "exec/exec.h"
#include "gpu/core/counters.h"
#include "gpu/core/fault.h"
#include "util/pool.h"

/* Words of lanes, as many as any kernel has needed. */
struct gpu_lane_words {
   uint32_t (*data)[LIR_LANES];
   uint32_t num_words;
};

struct gpu_worker {
   const struct tg_allocator *allocator;
   const struct exec_executor *executor;
   struct gpu_fault fault;           /* the first of what it is at work on */
   struct tg_purse purse;
   uint64_t count[GPU_NUM_COUNTERS]; /* since gpu_worker_count() */
   struct gpu_lane_words input, sysval, output;
   void *scratch; /* of kernels, 64-byte aligned */
   void *scratch_block;
   size_t scratch_block_size;
   struct gpu_pipeline_worker *pipeline;  /* see pipeline.h; or NULL */
   struct gpu_fragment_worker *fragments; /* see fragment.h; or NULL */
};

/* The threads of a pool, and a worker for each. */
struct gpu_workers {
   struct tg_pool *pool;
   struct gpu_worker *workers; /* by the number of the thread */
   unsigned count;
   struct tg_work *work; /* that they pay to, or NULL */
};

/* TG_ERROR_MEMORY. The pool is the caller's. */
enum tg_result
gpu_workers_init(struct gpu_workers *workers,
                 const struct tg_allocator *allocator, struct tg_pool *pool,
                 const struct exec_executor *executor, struct tg_work *work);

/* Takes what gpu_workers_init() has left behind after an error, too. */
void
gpu_workers_finish(struct gpu_workers *workers);

/* Lane memory of so many words at least, or NULL when out of memory. */
uint32_t (*gpu_lane_words(struct gpu_worker *worker,
                          struct gpu_lane_words *words,
                          uint32_t num_words))[LIR_LANES];

/* So many bytes for kernels to work in, 64-byte aligned, or NULL when out of
 * memory. */
void *
gpu_scratch(struct gpu_worker *worker, size_t size);

/* A fault that no shader has. Keeps the first; returns false. */
bool
gpu_fail(struct gpu_worker *worker, enum tg_result result, const char *what);

/* Hands over to an epoch what the worker has counted. */
void
gpu_worker_count(struct gpu_worker *worker, struct gpu_epoch *epoch);

#endif
