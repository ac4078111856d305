/* SPDX-License-Identifier: MIT
 *
 * Execution of a block of compute threads, from barrier to barrier: all waves
 * in one call of the executor, where it runs them together, or one by one.
 * Those take turns: one that loops for long lets the others go on, so that it
 * may wait for what they write.
 */
#include "run/block_parts.h"

#include <string.h>

/* ---- slices -------------------------------------------------------------- */

typedef enum tg_result (*wave_function)(const struct exec_program *program,
                                        struct exec_wave *wave, void *scratch,
                                        struct exec_fault *fault_out);

static bool
has_stopped(const struct exec_wave *wave)
{
   return !wave->is_paused && !wave->wait.lanes;
}

static uint64_t
cost_of_slices(const struct run_block_shape *shape, uint32_t count,
               uint64_t steps)
{
   return (uint64_t)count * TG_WORK_RESUME +
          steps * (shape->check ? TG_WORK_CHECKED : 1);
}

/* Something long lets others have the thread now and then. */
static void
yield_after(struct run_block *block, uint64_t steps)
{
   block->steps += steps;
   if (!block->pool || block->steps < TG_WORK_SLICE)
      return;
   block->steps = 0;
   tg_pool_yield(block->pool, block->thread);
}

bool
run_block_pay(void *payer, const struct exec_wave *wave)
{
   struct run_block *block = payer;

   if (!tg_purse_pay(block->purse,
                     cost_of_slices(block->shape, 1, wave->steps)))
      return false;
   yield_after(block, wave->steps);
   return true;
}

/* Pays for slices of waves, the last of which was that of wave `number`, or
 * says why it ended. */
static bool
settle(struct run_block *block, uint32_t number, uint32_t count, uint64_t steps,
       enum tg_result result, const struct exec_fault *fault,
       struct run_block_fault *fault_out)
{
   if (result != TG_OK && fault->what) {
      *fault_out = (struct run_block_fault){
         .thread = number * LIR_LANES + (uint32_t)__builtin_ctz(fault->lanes),
         .origin = fault->origin,
         .what = fault->what,
      };
      return false;
   }
   if (result != TG_OK ||
       !tg_purse_pay(block->purse,
                     cost_of_slices(block->shape, count, steps))) {
      *fault_out = (struct run_block_fault){.has_ended = true};
      return false;
   }
   yield_after(block, steps);
   return true;
}

/* Begins a wave or has it go on, to its end, a barrier or a pause, and pays for
 * it. */
static bool
run_slice(struct run_block *block, uint32_t number, wave_function run,
          struct run_block_fault *fault_out)
{
   const struct run_block_shape *shape = block->shape;
   struct exec_wave *wave = &block->waves[number];
   struct exec_fault fault;

   if (run == shape->code->executor->run)
      block->scratch_of[number] = block->free[--block->num_free];
   const uint8_t scratch = block->scratch_of[number];
   const enum tg_result result =
      run(shape->code->program, wave,
          block->scratch + scratch * block->scratch_stride, &fault);
   if (result == TG_OK && has_stopped(wave))
      block->free[block->num_free++] = scratch;
   return settle(block, number, 1, wave->steps, result, &fault, fault_out);
}

void
run_block_set_thread(struct run_block *block, struct tg_pool *pool,
                     unsigned thread)
{
   block->pool = pool;
   block->thread = thread;
}

/* Has each wave from the number `first` on go on to its next barrier or its
 * end, in turns or, where they share a scratch, one after the other. */
static bool
run_waves(struct run_block *block, uint32_t first, wave_function run,
          struct run_block_fault *fault_out)
{
   const struct run_block_shape *shape = block->shape;
   const wave_function resume = shape->code->executor->resume;
   const bool takes_turns = block->waves[0].takes_turns;
   bool is_anyone_paused = false;

   for (uint32_t i = first; i < shape->num_waves; i++) {
      if (!run_slice(block, i, run, fault_out))
         return false;
      while (!takes_turns && block->waves[i].is_paused) {
         if (!run_slice(block, i, resume, fault_out))
            return false;
      }
      is_anyone_paused |= block->waves[i].is_paused;
   }
   while (is_anyone_paused) {
      is_anyone_paused = false;
      for (uint32_t i = 0; i < shape->num_waves; i++) {
         if (block->waves[i].is_paused &&
             !run_slice(block, i, resume, fault_out))
            return false;
         is_anyone_paused |= block->waves[i].is_paused;
      }
   }
   return true;
}

/* Of the barriers where waves wait, the one that stands first in the program;
 * NULL when all have ended. */
static const struct exec_wait *
first_barrier(const struct run_block *block)
{
   const struct exec_wait *first = NULL;

   for (uint32_t i = 0; i < block->shape->num_waves; i++) {
      const struct exec_wait *wait = &block->waves[i].wait;

      if (wait->lanes && (!first || wait->origin < first->origin))
         first = wait;
   }
   return first;
}

/* Whether all threads are at this barrier. */
static bool
check_barrier(const struct run_block *block, const struct exec_wait *barrier,
              struct run_block_fault *fault_out)
{
   for (uint32_t i = 0; i < block->shape->num_waves; i++) {
      const struct exec_wave *wave = &block->waves[i];
      bool is_there = wave->wait.visit == barrier->visit;
      uint32_t missing = wave->launched & ~(is_there ? wave->wait.lanes : 0);

      if (!missing)
         continue;
      *fault_out = (struct run_block_fault){
         .thread = i * LIR_LANES + (uint32_t)__builtin_ctz(missing),
         .origin = barrier->origin,
      };
      return false;
   }
   return true;
}

/* Passes barriers, at the first of which waves are, up to the end of all. */
static bool
pass_barriers(struct run_block *block, struct run_block_fault *fault_out)
{
   const struct exec_executor *executor = block->shape->code->executor;
   struct check *check = block->shape->check;
   const struct exec_wait *barrier;

   while ((barrier = first_barrier(block))) {
      if (!check_barrier(block, barrier, fault_out))
         return false;
      if (check)
         check_pass_barrier(check);
      if (!run_waves(block, 0, executor->resume, fault_out))
         return false;
   }
   return true;
}

/* ---- all waves in one call ----------------------------------------------- */

typedef enum tg_result (*rounds_function)(const struct exec_program *program,
                                          struct exec_wave *wave,
                                          struct exec_round *rounds,
                                          uint32_t count, void *scratch,
                                          uint32_t *num_run,
                                          struct exec_fault *fault_out);

/* Those that take turns do so one by one. */
static bool
may_run_together(const struct run_block *block)
{
   return block->shape->code->executor->run_rounds && !block->shape->check &&
          !block->waves[0].takes_turns;
}

static void
begin_rounds(struct run_block *block)
{
   for (uint32_t i = 0; i < block->shape->num_waves; i++) {
      block->rounds[i].live = block->rounds[i].launched;
      block->rounds[i].wait = (struct exec_wait){0};
   }
}

/* Has all waves go on to their next barriers or their ends; the executor may
 * leave some of them. */
static bool
run_rounds(struct run_block *block, rounds_function run, uint32_t *num_run,
           struct run_block_fault *fault_out)
{
   struct exec_fault fault;
   const enum tg_result result =
      run(block->shape->code->program, &block->common, block->rounds,
          block->shape->num_waves, block->scratch, num_run, &fault);

   return settle(block, *num_run, *num_run, block->common.steps, result, &fault,
                 fault_out);
}

/* Are all threads at the same barrier? */
static bool
has_everyone_arrived(const struct run_block *block)
{
   const uint64_t visit = block->rounds[0].wait.visit;

   for (uint32_t i = 0; i < block->shape->num_waves; i++) {
      const struct exec_round *round = &block->rounds[i];

      if (round->wait.lanes != round->launched || round->wait.visit != visit)
         return false;
   }
   return true;
}

static bool
is_anyone_waiting(const struct run_block *block)
{
   uint32_t lanes = 0;

   for (uint32_t i = 0; i < block->shape->num_waves; i++)
      lanes |= block->rounds[i].wait.lanes;
   return lanes != 0;
}

/* Waves that have run together end together, or some are missing. */
static bool
pass_barriers_together(struct run_block *block,
                       struct run_block_fault *fault_out)
{
   const struct exec_executor *executor = block->shape->code->executor;
   uint32_t num_run;

   while (has_everyone_arrived(block)) {
      if (!run_rounds(block, executor->resume_rounds, &num_run, fault_out))
         return false;
   }
   if (!is_anyone_waiting(block))
      return true;
   for (uint32_t i = 0; i < block->shape->num_waves; i++)
      block->waves[i].wait = block->rounds[i].wait;
   return check_barrier(block, first_barrier(block), fault_out);
}

/* ---- a block ------------------------------------------------------------- */

static void
begin_check(const struct run_block *block)
{
   struct check *check = block->shape->check;

   check_begin_block(check);
   for (uint32_t i = 0; i < block->shape->num_waves; i++)
      check_begin_wave(check, i, &block->waves[i]);
}

static void
begin_waves(struct run_block *block)
{
   for (uint32_t i = 0; i < block->shape->num_waves; i++) {
      block->waves[i].live = block->waves[i].launched;
      block->waves[i].loop_budget = block->shape->loop_budget;
      block->waves[i].wait = (struct exec_wait){0};
   }
   block->num_free = block->num_scratches;
   for (uint32_t i = 0; i < block->num_free; i++)
      block->free[i] = (uint8_t)(block->num_free - 1 - i);
   if (block->shape->check)
      begin_check(block);
}

/* Waves that the executor does not run together run one by one. */
static bool
run_to_end(struct run_block *block, struct run_block_fault *fault_out)
{
   const struct run_block_shape *shape = block->shape;
   const struct exec_executor *executor = shape->code->executor;
   uint32_t num_run = 0;

   if (may_run_together(block)) {
      begin_rounds(block);
      if (!run_rounds(block, executor->run_rounds, &num_run, fault_out))
         return false;
   }
   if (num_run == shape->num_waves)
      return pass_barriers_together(block, fault_out);
   begin_waves(block);
   return run_waves(block, num_run, executor->run, fault_out) &&
          pass_barriers(block, fault_out);
}

static uint64_t
cost_of_start(const struct run_block_shape *shape)
{
   return (uint64_t)shape->num_waves * TG_WORK_WAVE +
          shape->shared_bytes / TG_WORK_BYTES;
}

bool
run_block_run(struct run_block *block, const uint32_t id[3],
              struct tg_purse *purse, struct run_block_fault *fault_out)
{
   const struct run_block_shape *shape = block->shape;

   block->purse = purse;
   if (!tg_purse_pay(purse, cost_of_start(shape))) {
      *fault_out = (struct run_block_fault){.has_ended = true};
      return false;
   }
   memset(block->shared.data, 0, shape->shared_bytes);
   run_block_set_id(block, id);
   return run_to_end(block, fault_out);
}
