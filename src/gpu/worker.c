/* SPDX-License-Identifier: MIT
 *
 * What a thread needs to run waves: memory of its own, and where to write down
 * what went wrong and what was done.
 */
#include <string.h>

#include "gpu/context.h"
#include "gpu/fragment.h"

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

/* Scratch for a kernel, or NULL when out of memory. */
static void *
scratch_for(struct gpu_worker *worker, const struct gpu_kernel *kernel)
{
   const size_t size = kernel->scratch_size + SCRATCH_ALIGNMENT;
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

static bool
fail_in_shader(struct gpu_worker *worker, enum tg_result result,
               const struct tg_shader *shader, const struct exec_fault *fault)
{
   if (worker->fault.result != TG_OK)
      return false;
   worker->fault = (struct gpu_fault){
      .result = result,
      .shader = shader,
      .what = fault->what ? fault->what : tg_result_name(result),
   };
   if (fault->origin < shader->num_instructions)
      worker->fault.position = shader->instructions[fault->origin].position;
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

/* ---- waves --------------------------------------------------------------- */

static void
hear(void *user, uint64_t tag, uint32_t lanes, const uint32_t value[LIR_LANES])
{
   check_hear(user, 0, tag, lanes, value);
}

/* The wave and the turns of its loops that what is left of the work allows; 0:
 * not even the wave. */
static uint64_t
find_budget(struct tg_gpu *gpu, uint64_t cost)
{
   const int64_t left =
      atomic_load_explicit(&gpu->work_left, memory_order_relaxed);
   const uint64_t steps = left > 0 ? (uint64_t)left / cost : 0;
   return steps <= GPU_LOOP_BUDGET ? steps : GPU_LOOP_BUDGET + 1;
}

static enum tg_result
run_checked(struct gpu_worker *worker, const struct gpu_kernel *kernel,
            struct check *check, struct exec_wave *wave, void *scratch,
            struct exec_fault *fault)
{
   const struct exec_listener listener = {.trace = hear, .user = check};
   wave->listener = &listener;
   check_begin_wave(check, 0, wave);
   const enum tg_result result =
      worker->gpu->executor->run(kernel->program, wave, scratch, fault);
   if (result == TG_OK)
      check_end_wave(check, 0);
   else
      check_stop_wave(check, 0, fault);
   return result;
}

bool
gpu_run_wave(struct gpu_worker *worker, const struct gpu_kernel *kernel,
             struct check *check, struct exec_wave *wave)
{
   struct tg_gpu *gpu = worker->gpu;
   struct exec_fault fault = {.origin = LIR_NO_ORIGIN};
   const uint64_t cost = kernel->shader->num_instructions / 64 + 1;
   if (worker->fault.result != TG_OK)
      return false;
   void *scratch = scratch_for(worker, kernel);
   if (!scratch)
      return gpu_fail(worker, TG_ERROR_MEMORY, "out of memory");
   const uint64_t steps = find_budget(gpu, cost);
   if (!steps)
      return gpu_fail(worker, TG_ERROR_LIMIT, "the draws take too long");

   wave->loop_budget = steps - 1;
   const enum tg_result result =
      check ? run_checked(worker, kernel, check, wave, scratch, &fault)
            : gpu->executor->run(kernel->program, wave, scratch, &fault);
   if (gpu->options.max_work)
      atomic_fetch_sub_explicit(&gpu->work_left,
                                (int64_t)((steps - wave->loop_budget) * cost),
                                memory_order_relaxed);
   if (check || result == TG_OK)
      return result == TG_OK || check;
   return fail_in_shader(worker, result, kernel->shader, &fault);
}
