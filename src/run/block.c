/* SPDX-License-Identifier: MIT
 *
 * Execution of a block of compute threads: its memory, their system values, and
 * their way from barrier to barrier. Waves take turns: one that loops for long
 * lets the others go on, so that it may wait for what they write.
 */
#include "run/block.h"

#include <assert.h>
#include <string.h>

#include "abi/layout.h"
#include "abi/subgroup.h"
#include "resource/bindings.h"
#include "run/memory.h"

enum {
   MAX_WAVES = TG_MAX_BLOCK_THREADS / LIR_LANES,
   TURN = 1 << 13, /* instructions, roughly, until the next wave's turn */
};

/* Bytes of scratches, beyond which waves do not take turns. */
static const size_t max_turn_memory = (size_t)64 << 20;

/* The listener of a wave of a checked program. */
struct tracer {
   struct exec_listener listener;
   struct check *check;
   uint32_t wave;
};

struct run_block {
   const struct run_block_shape *shape;
   size_t size; /* of all that follows this in memory, and this */
   struct exec_memory shared;
   /* As many as waves, or one, in which they then run one after the other. A
    * wave takes the one that was given back last, which is in the cache. */
   unsigned char *scratch;
   size_t scratch_stride;
   uint32_t num_scratches, num_free;
   uint8_t free[MAX_WAVES];
   uint8_t scratch_of[MAX_WAVES];
   struct tg_purse *purse;      /* of the thread that runs it */
   struct tg_pool *pool;        /* whose that is, or NULL */
   unsigned thread;             /* of it */
   uint64_t steps;              /* since others had it */
   lane_words *sysvals;         /* of all waves */
   struct tracer *tracers;      /* of all waves, in a checked program */
   uint64_t block_id_registers; /* a bit for each system value that is that */
   /* The waves as rounds, where the executor runs them together. */
   struct exec_round *rounds;
   struct exec_wave common;
   struct exec_wave waves[];
};

_Static_assert(ABI_MAX_SYSVALS <= 64, "a bit for each");

/* ---- system values ------------------------------------------------------- */

/* What a thread finds in a system value that is the same in all blocks. */
static void
thread_value(const struct run_block_shape *shape, enum tg_semantic semantic,
             uint32_t thread, uint32_t words[4])
{
   const uint32_t *size = shape->size;

   memset(words, 0, 4 * sizeof(*words));
   switch (semantic) {
   case TG_SEMANTIC_GRID_SIZE:
      for (unsigned i = 0; i < 3; i++)
         words[i] = (uint32_t)shape->grid[i];
      words[3] = 1;
      break;
   case TG_SEMANTIC_BLOCK_SIZE:
      memcpy(words, size, 3 * sizeof(*words));
      words[3] = 1;
      break;
   case TG_SEMANTIC_THREAD_ID:
      words[0] = thread % size[0];
      words[1] = thread / size[0] % size[1];
      words[2] = thread / size[0] / size[1];
      break;
   case TG_SEMANTIC_WORK_DIM: words[0] = shape->work_dim; break;
   default: words[0] = abi_subgroup_value(semantic, thread % LIR_LANES); break;
   }
}

/* Where a register of a wave's system values is: four rows of lanes. */
static lane_words *
find_sysval(struct run_block *block, uint32_t wave, uint32_t reg)
{
   size_t num_sysvals = block->shape->program->layout.num_sysvals;

   return block->sysvals + (wave * num_sysvals + reg) * 4;
}

static void
fill_register(struct run_block *block, uint32_t reg, enum tg_semantic semantic)
{
   uint32_t words[4];

   if (semantic == TG_SEMANTIC_BLOCK_ID)
      block->block_id_registers |= UINT64_C(1) << reg;
   for (uint32_t t = 0; t < block->shape->num_waves * LIR_LANES; t++) {
      lane_words *channels = find_sysval(block, t / LIR_LANES, reg);

      thread_value(block->shape, semantic, t, words);
      for (unsigned c = 0; c < 4; c++)
         channels[c][t % LIR_LANES] = words[c];
   }
}

/* Registers that are not declared can be read by an index, and are 0. */
static void
fill_sysvals(struct run_block *block)
{
   const struct tg_program *program = block->shape->program;
   const struct tg_shader *shader = program->shader;

   memset(block->sysvals, 0,
          (size_t)block->shape->num_waves * program->layout.num_sysvals * 4 *
             sizeof(lane_words));
   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (declaration->file != TG_FILE_SV)
         continue;
      for (uint32_t reg = declaration->first; reg <= declaration->last; reg++)
         fill_register(block, reg, (enum tg_semantic)declaration->semantic);
   }
}

/* ---- memory -------------------------------------------------------------- */

/* Where the pieces of a block lie. */
struct block_layout {
   size_t sysvals, scratch, shared, tracers, rounds;
   size_t scratch_stride;
   uint32_t num_scratches;
   size_t size;
};

/* Waves that wait for each other each have one. */
static uint32_t
count_scratches(const struct run_block_shape *shape, size_t scratch_size)
{
   const struct exec_code *code = shape->code;

   if (code->executor->has_barriers(code->program))
      return shape->num_waves;
   return code->executor->may_wait(code->program) &&
                scratch_size <= max_turn_memory / shape->num_waves
             ? shape->num_waves
             : 1;
}

static bool
lay_out(const struct run_block_shape *shape, struct block_layout *layout_out)
{
   const struct tg_program *program = shape->program;
   struct run_memory_layout layout = {0};

   run_memory_add(&layout, 1,
                  sizeof(struct run_block) +
                     shape->num_waves * sizeof(struct exec_wave));
   layout_out->sysvals = run_memory_add(
      &layout, (size_t)shape->num_waves * program->layout.num_sysvals,
      4 * sizeof(lane_words));
   layout_out->rounds =
      run_memory_add(&layout, shape->num_waves, sizeof(struct exec_round));
   layout_out->shared = run_memory_add(&layout, 1, shape->shared_bytes);
   layout_out->tracers = run_memory_add(
      &layout, shape->check ? shape->num_waves : 0, sizeof(struct tracer));

   struct run_memory_layout one = {0};
   run_memory_add(&one, 1, shape->code->scratch_size);
   layout_out->num_scratches = count_scratches(shape, one.size);
   layout_out->scratch_stride = one.size;
   layout_out->scratch =
      run_memory_add(&layout, layout_out->num_scratches, one.size);
   layout_out->size = layout.size;
   return !one.overflowed && !layout.overflowed;
}

bool
run_block_memory(const struct run_block_shape *shape, size_t *size_out)
{
   struct block_layout layout;

   if (!lay_out(shape, &layout))
      return false;
   *size_out = layout.size;
   return true;
}

/* The lanes of a wave that are threads of the block; the last wave may have
 * fewer than 16. */
static uint32_t
launched_lanes(const struct run_block_shape *shape, uint32_t wave)
{
   uint32_t left = shape->num_threads - wave * LIR_LANES;

   return left >= LIR_LANES ? (UINT32_C(1) << LIR_LANES) - 1
                            : (UINT32_C(1) << left) - 1;
}

static void
on_trace(void *user, uint64_t tag, uint32_t lanes,
         const uint32_t value[LIR_LANES])
{
   const struct tracer *tracer = user;

   check_trace_event(tracer->check, tracer->wave, tag, lanes, value);
}

static const struct exec_listener *
set_up_tracer(struct run_block *block, uint32_t wave)
{
   struct tracer *tracer = &block->tracers[wave];

   *tracer = (struct tracer){
      .listener = {.trace = on_trace, .user = tracer},
      .check = block->shape->check,
      .wave = wave,
   };
   return &tracer->listener;
}

static void
set_up_wave(struct run_block *block, uint32_t number)
{
   assert(number < block->shape->num_waves);
   const struct run_block_shape *shape = block->shape;
   struct exec_wave *wave = &block->waves[number];

   *wave = (struct exec_wave){
      .launched = launched_lanes(shape, number),
      .stops_at_barriers = true,
      .sysval =
         {
            .data = find_sysval(block, number, 0),
            .num_words = shape->program->layout.num_sysvals * 4,
         },
   };
   resource_bind_wave(shape->bindings, wave);
   wave->memory[LIR_SPACE_CONST] = shape->constants;
   wave->num_memories[LIR_SPACE_CONST] = ABI_NUM_CONST_BINDINGS;
   wave->memory[LIR_SPACE_SHARED] = &block->shared;
   wave->num_memories[LIR_SPACE_SHARED] = 1;
   if (shape->check)
      wave->listener = set_up_tracer(block, number);
}

enum tg_result
run_block_create(const struct run_block_shape *shape,
                 struct run_block **block_out)
{
   struct block_layout layout;

   if (!lay_out(shape, &layout))
      return TG_ERROR_MEMORY;
   unsigned char *memory =
      run_memory_allocate(shape->program->allocator, layout.size);
   if (!memory)
      return TG_ERROR_MEMORY;

   struct run_block *block = (struct run_block *)(void *)memory;
   *block = (struct run_block){
      .shape = shape,
      .size = layout.size,
      .shared =
         {
            .data = (uint32_t *)(void *)(memory + layout.shared),
            .num_bytes = shape->shared_bytes,
         },
      .scratch_stride = layout.scratch_stride,
      .num_scratches = layout.num_scratches,
      .scratch = memory + layout.scratch,
      .sysvals = (lane_words *)(void *)(memory + layout.sysvals),
      .rounds = (struct exec_round *)(void *)(memory + layout.rounds),
      .tracers = (struct tracer *)(void *)(memory + layout.tracers),
   };
   fill_sysvals(block);
   for (uint32_t i = 0; i < shape->num_waves; i++)
      set_up_wave(block, i);
   *block_out = block;
   return TG_OK;
}

void
run_block_destroy(struct run_block *block)
{
   if (block)
      run_memory_free(block->shape->program->allocator, block, block->size);
}

/* ---- running ------------------------------------------------------------- */

static void
set_block_id(struct run_block *block, const uint32_t id[3])
{
   for (uint64_t regs = block->block_id_registers; regs; regs &= regs - 1) {
      uint32_t reg = (uint32_t)__builtin_ctzll(regs);

      for (uint32_t wave = 0; wave < block->shape->num_waves; wave++) {
         lane_words *channels = find_sysval(block, wave, reg);

         for (unsigned c = 0; c < 3; c++) {
            for (unsigned lane = 0; lane < LIR_LANES; lane++)
               channels[c][lane] = id[c];
         }
      }
   }
}

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

/* See exec_wave.pay. */
static bool
pay_and_yield(void *payer, const struct exec_wave *wave)
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
   block->common = block->waves[0];
   for (uint32_t i = 0; i < block->shape->num_waves; i++)
      block->rounds[i] = (struct exec_round){
         .launched = block->waves[i].launched,
         .live = block->waves[i].live,
         .sysval = block->waves[i].sysval.data,
         .scratch = block->scratch +
                    (block->num_scratches > 1 ? i * block->scratch_stride : 0),
      };
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
   for (uint32_t i = 0; i < block->shape->num_waves; i++)
      block->waves[i].wait = block->rounds[i].wait;
   const struct exec_wait *barrier = first_barrier(block);
   return !barrier || check_barrier(block, barrier, fault_out);
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
   set_block_id(block, id);
   const bool takes_turns =
      shape->code->executor->may_wait(shape->code->program) &&
      block->num_scratches > 1;
   for (uint32_t i = 0; i < shape->num_waves; i++) {
      block->waves[i].live = block->waves[i].launched;
      block->waves[i].loop_budget = shape->loop_budget;
      block->waves[i].takes_turns = takes_turns;
      block->waves[i].slice = takes_turns ? TURN : TG_WORK_SLICE;
      block->waves[i].pay = pay_and_yield;
      block->waves[i].payer = block;
   }
   block->num_free = block->num_scratches;
   for (uint32_t i = 0; i < block->num_free; i++)
      block->free[i] = (uint8_t)(block->num_free - 1 - i);
   if (shape->check)
      begin_check(block);
   return run_to_end(block, fault_out);
}
