/* SPDX-License-Identifier: MIT
 *
 * Dispatch of waves: one by itself, or those of a block, in turn from barrier
 * to barrier. What they do is charged to the work of the GPU, and what goes
 * wrong becomes the worker's fault.
 */
#include "gpu/core/waves.h"

#include <assert.h>
#include <string.h>

#include "gpu/core/call.h"
#include "tgsi/shader/shader.h"

/* The listener of a wave of a checked shader: passes events to the check, and
 * to the listener that the wave has anyhow. */
struct tracer {
   struct exec_listener listener;
   struct check *check; /* NULL: the wave has its own listener only */
   uint32_t wave;
   const struct exec_listener *other; /* or NULL */
};

struct block {
   struct gpu_worker *worker;
   const struct exec_code *code;
   struct exec_wave *waves;
   uint32_t num_waves;
   unsigned char *scratch;
   size_t scratch_stride;
   struct check *check;                  /* or NULL */
   struct tracer tracers[GPU_MAX_WAVES]; /* of a check, else not set */
   struct exec_fault fault;
};

/* ---- checks -------------------------------------------------------------- */

static void
on_trace(void *user, uint64_t tag, uint32_t lanes,
         const uint32_t value[LIR_LANES])
{
   const struct tracer *tracer = user;
   check_trace_event(tracer->check, tracer->wave, tag, lanes, value);
}

static void
on_emit(void *user, uint32_t lanes, const uint32_t stream[LIR_LANES])
{
   const struct exec_listener *other = ((const struct tracer *)user)->other;
   if (other && other->emit)
      other->emit(other->user, lanes, stream);
}

static void
on_endprim(void *user, uint32_t lanes, const uint32_t stream[LIR_LANES])
{
   const struct exec_listener *other = ((const struct tracer *)user)->other;
   if (other && other->endprim)
      other->endprim(other->user, lanes, stream);
}

static void
begin_check(struct block *block)
{
   for (uint32_t i = 0; i < block->num_waves; i++) {
      struct tracer *tracer = &block->tracers[i];
      *tracer = (struct tracer){
         .listener = {on_trace, on_emit, on_endprim, tracer},
         .check = block->check,
         .wave = i,
         .other = block->waves[i].listener,
      };
      block->waves[i].listener = &tracer->listener;
      check_begin_wave(block->check, i, &block->waves[i]);
   }
}

/* ---- from barrier to barrier --------------------------------------------- */

typedef enum tg_result (*wave_function)(const struct exec_program *program,
                                        struct exec_wave *wave, void *scratch,
                                        struct exec_fault *fault_out);

static bool
pay_for_steps(struct gpu_worker *worker, bool is_checked,
              const struct exec_wave *wave)
{
   const uint64_t unit = is_checked ? TG_WORK_CHECKED : 1;

   return tg_purse_pay(&worker->purse, wave->steps * unit);
}

static bool
pay_and_yield(struct gpu_worker *worker, bool is_checked,
              const struct exec_wave *wave)
{
   if (!pay_for_steps(worker, is_checked, wave))
      return false;
   gpu_yield_call(worker);
   return true;
}

/* See exec_wave.pay; the worker pays. */
static bool
pay_plain(void *payer, const struct exec_wave *wave)
{
   return pay_and_yield(payer, false, wave);
}

static bool
pay_checked(void *payer, const struct exec_wave *wave)
{
   return pay_and_yield(payer, true, wave);
}

/* Pays for what the wave has run. False when the work has ended; the fault says
 * where the wave pauses, if it does. */
static bool
pay_for_wave(struct block *block, const struct exec_wave *wave)
{
   if (pay_for_steps(block->worker, block->check, wave))
      return true;
   block->fault = (struct exec_fault){
      .origin = wave->is_paused ? wave->wait.origin : LIR_NO_ORIGIN,
   };
   return false;
}

/* Has a wave go on to its next barrier or its end, slice by slice. */
static enum tg_result
run_slices(struct block *block, uint32_t number, wave_function run)
{
   assert(number < block->num_waves);
   const struct exec_program *program = block->code->program;
   struct exec_wave *wave = &block->waves[number];
   void *scratch = block->scratch + number * block->scratch_stride;
   enum tg_result result = run(program, wave, scratch, &block->fault);
   while (result == TG_OK) {
      if (!pay_for_wave(block, wave))
         return TG_ERROR_LIMIT;
      if (!wave->is_paused)
         break;
      gpu_yield_call(block->worker);
      result =
         block->code->executor->resume(program, wave, scratch, &block->fault);
   }
   return result;
}

/* Has each wave go on to its next barrier or its end. */
static enum tg_result
run_each(struct block *block, wave_function run)
{
   for (uint32_t i = 0; i < block->num_waves; i++) {
      const enum tg_result result = run_slices(block, i, run);
      if (result == TG_OK)
         continue;
      if (block->check && block->fault.what)
         check_stop_wave(block->check, i, &block->fault);
      return result;
   }
   return TG_OK;
}

/* A barrier where a wave waits; NULL when all have ended. */
static const struct exec_wait *
find_barrier(const struct block *block)
{
   for (uint32_t i = 0; i < block->num_waves; i++) {
      if (block->waves[i].wait.lanes)
         return &block->waves[i].wait;
   }
   return NULL;
}

/* Whether all lanes are at this barrier. */
static bool
check_barrier(struct block *block, const struct exec_wait *barrier)
{
   for (uint32_t i = 0; i < block->num_waves; i++) {
      const struct exec_wave *wave = &block->waves[i];
      const bool is_there = wave->wait.visit == barrier->visit;
      const uint32_t there = is_there ? wave->wait.lanes : 0;
      const uint32_t missing = wave->launched & ~there;
      if (!missing)
         continue;
      block->fault = (struct exec_fault){
         .origin = barrier->origin,
         .lanes = missing,
         .what = "an invocation does not reach this barrier",
      };
      if (block->check)
         check_miss_barrier(block->check, i, barrier->origin, missing);
      return false;
   }
   return true;
}

static enum tg_result
run_block(struct block *block)
{
   const struct exec_wait *barrier;
   enum tg_result result = run_each(block, block->code->executor->run);
   while (result == TG_OK && (barrier = find_barrier(block))) {
      if (!check_barrier(block, barrier))
         return TG_ERROR_LIMIT;
      result = run_each(block, block->code->executor->resume);
   }
   for (uint32_t i = 0; block->check && result == TG_OK && i < block->num_waves;
        i++)
      check_end_wave(block->check, i);
   return result;
}

/* ---- the work ------------------------------------------------------------ */

static void
begin_block(struct block *block, struct gpu_worker *worker,
            const struct exec_kernel *kernel, struct check *check,
            struct exec_wave *waves, uint32_t num_waves)
{
   block->worker = worker;
   block->code = exec_kernel_code(kernel);
   block->waves = waves;
   block->num_waves = num_waves;
   block->scratch_stride = gpu_scratch_stride(block->code->scratch_size);
   block->check = check;
   block->fault = (struct exec_fault){.origin = LIR_NO_ORIGIN};
   for (uint32_t i = 0; i < num_waves; i++) {
      waves[i].loop_budget = GPU_LOOP_BUDGET;
      waves[i].slice = TG_WORK_SLICE;
      waves[i].stops_at_barriers = true;
      waves[i].pay = check ? pay_checked : pay_plain;
      waves[i].payer = worker;
   }
}

static bool
fail_in_shader(struct gpu_worker *worker, enum tg_result result,
               const struct tg_shader *shader, const struct exec_fault *fault)
{
   if (worker->fault.result != TG_OK)
      return false;
   if (!fault->what && fault->origin == LIR_NO_ORIGIN)
      return gpu_worker_fail(worker, result, fault->what);
   worker->fault = (struct gpu_fault){
      .result = result,
      .shader = shader,
      .what = fault->what,
   };
   if (fault->origin < shader->num_instructions)
      worker->fault.position = shader->instructions[fault->origin].position;
   return false;
}

bool
gpu_run_waves(struct gpu_worker *worker, const struct exec_kernel *kernel,
              struct check *check, struct exec_wave *waves, uint32_t num_waves)
{
   struct block block;

   begin_block(&block, worker, kernel, check, waves, num_waves);
   if (worker->fault.result != TG_OK)
      return false;
   if (!gpu_pay(worker, num_waves * (uint64_t)TG_WORK_WAVE))
      return false;
   block.scratch = gpu_worker_scratch(worker, num_waves * block.scratch_stride);
   if (!block.scratch)
      return gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");
   if (check)
      begin_check(&block);
   const enum tg_result result = run_block(&block);
   const bool is_found = check && block.fault.what;
   if (is_found || result == TG_OK)
      return true;
   return fail_in_shader(worker, result, kernel->shader, &block.fault);
}

bool
gpu_run_wave(struct gpu_worker *worker, const struct exec_kernel *kernel,
             struct check *check, struct exec_wave *wave)
{
   return gpu_run_waves(worker, kernel, check, wave, 1);
}

static uint64_t
count_waves(const struct exec_round *rounds, uint32_t num_rounds)
{
   uint64_t sum = num_rounds;

   for (uint32_t i = 0; i < num_rounds; i++)
      sum += rounds[i].num_more;
   return sum;
}

/* As many as the executor runs together. `block` has no check. */
static bool
run_together(struct block *block, const struct exec_kernel *kernel,
             struct exec_round *rounds, uint32_t count, uint32_t *num_run)
{
   const struct exec_executor *executor = block->code->executor;
   struct gpu_worker *worker = block->worker;
   struct exec_wave *wave = block->waves;
   enum tg_result result;

   *num_run = 0;
   if (!executor->run_rounds || worker->fault.result != TG_OK)
      return true;
   block->scratch = gpu_worker_scratch(worker, block->scratch_stride);
   if (!block->scratch)
      return gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");
   result = executor->run_rounds(block->code->program, wave, rounds, count,
                                 block->scratch, num_run, &block->fault);
   if (!gpu_pay(worker, count_waves(rounds, *num_run) * TG_WORK_WAVE))
      return false;
   if (result == TG_OK && !pay_for_wave(block, wave))
      result = TG_ERROR_LIMIT;
   return result == TG_OK ||
          fail_in_shader(worker, result, kernel->shader, &block->fault);
}

/* The waves of a round. */
static bool
run_one_by_one(struct gpu_worker *worker, const struct exec_kernel *kernel,
               struct check *check, struct exec_wave *wave,
               struct exec_round *round)
{
   const uint32_t live = round->live;

   round->num_live = 0;
   wave->launched = round->launched;
   wave->input.data = round->input;
   wave->sysval.data = round->sysval;
   wave->output.data = round->output;
   for (uint32_t i = 0; i <= round->num_more; i++) {
      if (i > 0)
         exec_advance_round(wave, round);
      wave->live = live;
      if (!gpu_run_wave(worker, kernel, check, wave))
         return false;
      round->num_live += (uint32_t)__builtin_popcount(wave->live);
   }
   round->live = wave->live;
   return true;
}

bool
gpu_run_wave_rounds(struct gpu_worker *worker, const struct exec_kernel *kernel,
                    struct check *check, struct exec_wave *wave,
                    struct exec_round *rounds, uint32_t count,
                    uint32_t *num_run)
{
   struct block block;

   *num_run = 0;
   if (!check) {
      begin_block(&block, worker, kernel, NULL, wave, 1);
      if (!run_together(&block, kernel, rounds, count, num_run))
         return false;
   }
   for (; *num_run < count; ++*num_run) {
      if (!run_one_by_one(worker, kernel, check, wave, &rounds[*num_run]))
         return false;
   }
   return true;
}
