/* SPDX-License-Identifier: MIT
 *
 * Compute dispatch: a grid of blocks over the threads of a pool. Blocks are
 * numbered x first, then y, then z, and begun in that order. The grid may have
 * up to 2^96 blocks, so nothing here is as large as it, and the pool gets a
 * span of it at a time.
 */
#include "run/dispatch.h"

#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

#include "profile/profile.h"
#include "resource/bindings.h"
#include "run/block.h"
#include "run/memory.h"
#include "run/variant.h"
#include "util/pool.h"
#include "util/sized.h"

_Static_assert((int)TG_MAX_DISPATCH_THREADS <= (int)TG_MAX_POOL_THREADS,
               "a pool will do");

__extension__ typedef unsigned __int128 block_number;

static const uint64_t span_size = UINT64_C(1) << 62;

/* Blocks that a thread takes at a time: enough that taking them costs nothing,
 * and few enough that the threads end together. */
enum { MAX_GRAIN = 64, PIECES_PER_THREAD = 32 };

/* Bytes of one block, and of the blocks of all threads: where these do not fit
 * there are fewer threads. */
static const uint64_t max_block_memory = UINT64_C(4) << 30;
static const uint64_t max_total_memory = UINT64_C(1) << 30;

/* The memory of one thread at work: a thread of the pool takes one that is free
 * for each piece, and there are as many as the pool may have at work. After a
 * fault only blocks before it are begun, so the last that a worker meets is its
 * lowest. */
struct dispatch_worker {
   atomic_bool is_taken;
   struct run_block *block;
   struct tg_purse purse;
   uint64_t fault_at; /* item of the span; UINT64_MAX: none */
   uint32_t fault_id[3];
   struct run_block_fault fault;
};

struct dispatch {
   const struct tg_grid *grid;
   struct run_block_shape shape;
   unsigned num_workers;
   struct dispatch_worker workers[TG_MAX_DISPATCH_THREADS];
   struct tg_pool *pool;        /* NULL: one of its own, of num_workers */
   struct tg_pool_share *share; /* of it; or NULL */
   struct tg_work *work;        /* that pays for its blocks, or NULL */

   block_number num_blocks;
   block_number base; /* the first block of the span */
   /* Items from here on need not be done. */
   _Atomic uint64_t end;
   atomic_bool is_stopped;          /* by progress(), or the work has ended */
   struct profile_subject profiled; /* of its spans */
};

/* ---- what is asked for --------------------------------------------------- */

static enum tg_result
refuse(const struct tg_program *program, struct tg_diagnostics *diagnostics,
       const char *format, ...) __attribute__((format(printf, 3, 4)));

static enum tg_result
refuse(const struct tg_program *program, struct tg_diagnostics *diagnostics,
       const char *format, ...)
{
   va_list args;

   va_start(args, format);
   tg_vdiagnose(diagnostics, TG_SEVERITY_ERROR, "grid",
                &program->shader->source, (struct tg_position){0}, NULL, format,
                args);
   va_end(args);
   return TG_ERROR_INPUT;
}

/* Sizes that the shader fixes are the grid's, which may leave them open. */
static enum tg_result
find_block_size(struct run_block_shape *shape, const struct tg_grid *grid,
                struct tg_diagnostics *diagnostics)
{
   static const enum tg_property_name names[3] = {
      TG_PROPERTY_CS_FIXED_BLOCK_WIDTH,
      TG_PROPERTY_CS_FIXED_BLOCK_HEIGHT,
      TG_PROPERTY_CS_FIXED_BLOCK_DEPTH,
   };
   const struct tg_program *program = shape->program;
   uint64_t num_threads = 1;

   for (unsigned i = 0; i < 3; i++) {
      uint32_t fixed = tg_shader_property(program->shader, names[i], 0);
      uint32_t size = grid->block[i];

      if (fixed && size && size != fixed)
         return refuse(program, diagnostics,
                       "a block has %u threads along %c, and the shader says "
                       "%u",
                       (unsigned)size, "xyz"[i], (unsigned)fixed);
      shape->size[i] = fixed ? fixed : size ? size : 1;
      if (shape->size[i] <= TG_MAX_BLOCK_THREADS)
         num_threads *= shape->size[i];
      if (shape->size[i] > TG_MAX_BLOCK_THREADS ||
          num_threads > TG_MAX_BLOCK_THREADS)
         return refuse(program, diagnostics, "a block has more than %d threads",
                       TG_MAX_BLOCK_THREADS);
   }
   shape->num_threads = (uint32_t)num_threads;
   shape->num_waves = (shape->num_threads + LIR_LANES - 1) / LIR_LANES;
   return TG_OK;
}

static enum tg_result
read_indirect(struct run_block_shape *shape, const struct tg_grid *grid,
              struct tg_diagnostics *diagnostics)
{
   const uint64_t size = tg_resource_get_size(grid->indirect);
   uint32_t words[3];

   if (!resource_is_buffer(grid->indirect) || grid->indirect_offset % 4 ||
       grid->indirect_offset + (uint64_t)sizeof(words) > size)
      return refuse(shape->program, diagnostics,
                    "the size of the grid is not in the buffer: offset %u of "
                    "%llu bytes",
                    (unsigned)grid->indirect_offset, (unsigned long long)size);
   struct resource_hold hold = resource_hold(grid->indirect);
   memcpy(words, (const char *)hold.memory.data + grid->indirect_offset,
          sizeof(words));
   resource_release(&hold);
   for (unsigned i = 0; i < 3; i++)
      shape->grid[i] = words[i];
   return TG_OK;
}

static enum tg_result
find_grid_size(struct run_block_shape *shape, const struct tg_grid *grid,
               struct tg_diagnostics *diagnostics)
{
   if (grid->indirect)
      return read_indirect(shape, grid, diagnostics);
   for (unsigned i = 0; i < 3; i++) {
      if (grid->grid[i] > TG_MAX_GRID_SIZE)
         return refuse(shape->program, diagnostics,
                       "a grid has more than 2^32 blocks along %c", "xyz"[i]);
      shape->grid[i] = grid->grid[i];
   }
   return TG_OK;
}

static enum tg_result
check_rest(const struct tg_program *program, const struct tg_grid *grid,
           struct tg_diagnostics *diagnostics)
{
   if (program->shader->processor != TG_PROCESSOR_COMP)
      return refuse(program, diagnostics, "only compute shaders have a grid");
   if (grid->shared_size > TG_MAX_SHARED_MEMORY)
      return refuse(program, diagnostics,
                    "a block has more than %d bytes of shared memory",
                    TG_MAX_SHARED_MEMORY);
   if (grid->num_threads > TG_MAX_DISPATCH_THREADS)
      return refuse(program, diagnostics, "there are more than %d threads",
                    TG_MAX_DISPATCH_THREADS);
   return TG_OK;
}

static enum tg_result
find_shape(struct run_block_shape *shape, const struct tg_grid *grid,
           struct tg_diagnostics *diagnostics)
{
   enum tg_result result = check_rest(shape->program, grid, diagnostics);

   if (result == TG_OK)
      result = find_block_size(shape, grid, diagnostics);
   if (result == TG_OK)
      result = find_grid_size(shape, grid, diagnostics);
   if (result == TG_OK)
      result = run_get_variant(shape->program, shape->bindings, grid->entry,
                               diagnostics, &shape->code);
   if (result != TG_OK)
      return result;
   shape->work_dim = grid->work_dim ? grid->work_dim : 3;
   shape->shared_bytes = run_program_shared_bytes(shape->program);
   if (shape->shared_bytes && grid->shared_size)
      shape->shared_bytes = grid->shared_size;
   shape->loop_budget = grid->loop_budget
                           ? grid->loop_budget
                           : run_program_default_loop_budget(shape->program);
   resource_bind_constants(shape->bindings, shape->constants);
   return TG_OK;
}

static block_number
count_blocks(const struct run_block_shape *shape)
{
   const uint64_t *size = shape->grid;

   return (block_number)size[0] * size[1] * size[2];
}

/* ---- working ------------------------------------------------------------- */

static void
find_block_id(const struct dispatch *dispatch, uint64_t item, uint32_t id[3])
{
   const uint64_t *grid = dispatch->shape.grid;
   block_number number = dispatch->base + item;

   id[0] = (uint32_t)(number % grid[0]);
   number /= grid[0];
   id[1] = (uint32_t)(number % grid[1]);
   id[2] = (uint32_t)(number / grid[1]);
}

static void
next_block_id(const struct dispatch *dispatch, uint32_t id[3])
{
   const uint64_t *grid = dispatch->shape.grid;

   if (id[0] + UINT64_C(1) < grid[0]) {
      id[0]++;
      return;
   }
   id[0] = 0;
   if (id[1] + UINT64_C(1) < grid[1]) {
      id[1]++;
      return;
   }
   id[1] = 0;
   id[2]++;
}

/* Keeps items from `end` on from being begun. */
static void
lower_end(struct dispatch *dispatch, uint64_t end)
{
   uint64_t now = atomic_load(&dispatch->end);

   while (end < now && !atomic_compare_exchange_weak(&dispatch->end, &now, end))
      continue;
}

/* Keeps all further items from being begun. */
static void
stop(struct dispatch *dispatch)
{
   atomic_store(&dispatch->is_stopped, true);
   lower_end(dispatch, 0);
}

static void
report_progress(struct dispatch *dispatch, uint64_t items)
{
   const struct tg_grid *grid = dispatch->grid;
   double done = (double)(dispatch->base + items);

   if (!grid->progress ||
       !grid->progress(grid->user, done / (double)dispatch->num_blocks))
      return;
   stop(dispatch);
}

/* There is always a free one. A thread comes back to the same if it can, whose
 * memory is in its caches. */
static struct dispatch_worker *
take_worker(struct dispatch *dispatch, unsigned thread)
{
   unsigned i = thread % dispatch->num_workers;

   while (atomic_exchange(&dispatch->workers[i].is_taken, true))
      i = (i + 1) % dispatch->num_workers;
   return &dispatch->workers[i];
}

/* Runs blocks one after the other. False: none is to be begun any more. A fault
 * ends what comes after it, and nothing before. */
static bool
run_blocks(struct dispatch *dispatch, struct dispatch_worker *worker,
           uint64_t first, uint64_t end)
{
   struct run_block_fault fault;
   uint32_t id[3];

   find_block_id(dispatch, first, id);
   for (uint64_t i = first; i < end; i++) {
      if (i >= atomic_load_explicit(&dispatch->end, memory_order_relaxed))
         return false;
      if (!run_block_run(worker->block, id, &worker->purse, &fault)) {
         if (fault.has_ended) {
            stop(dispatch);
            return false;
         }
         worker->fault = fault;
         worker->fault_at = i;
         memcpy(worker->fault_id, id, sizeof(id));
         lower_end(dispatch, i);
         return false;
      }
      next_block_id(dispatch, id);
   }
   return true;
}

/* A tg_pool_function. */
static bool
work(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct dispatch *dispatch = user;
   struct dispatch_worker *worker = take_worker(dispatch, thread);
   struct tg_profile *profile = dispatch->shape.program->options.profile;
   run_block_set_thread(worker->block, dispatch->pool, thread);
   profile_begin(profile, TG_PROFILE_COMPUTE, dispatch->profiled);
   const bool goes_on = run_blocks(dispatch, worker, first, end);

   profile_end(profile);
   atomic_store(&worker->is_taken, false);
   if (goes_on && thread == 0)
      report_progress(dispatch, end);
   return goes_on;
}

static uint32_t
choose_grain(const struct dispatch *dispatch, uint64_t num_items)
{
   uint64_t grain = num_items / dispatch->num_workers / PIECES_PER_THREAD;

   return grain > MAX_GRAIN ? MAX_GRAIN : grain ? (uint32_t)grain : 1;
}

/* The worker with the lowest fault, or NULL. */
static const struct dispatch_worker *
find_fault(const struct dispatch *dispatch)
{
   const struct dispatch_worker *lowest = NULL;

   for (unsigned i = 0; i < dispatch->num_workers; i++) {
      const struct dispatch_worker *worker = &dispatch->workers[i];

      if (worker->fault_at != UINT64_MAX &&
          (!lowest || worker->fault_at < lowest->fault_at))
         lowest = worker;
   }
   return lowest;
}

/* Span by span, until all is done or something ends it. */
static void
run_grid(struct dispatch *dispatch, struct tg_pool *pool)
{
   while (dispatch->base < dispatch->num_blocks && !find_fault(dispatch) &&
          !atomic_load(&dispatch->is_stopped)) {
      block_number left = dispatch->num_blocks - dispatch->base;
      uint64_t num_items = left < span_size ? (uint64_t)left : span_size;

      struct tg_pool_job job = {
         .work = work,
         .user = dispatch,
         .num_items = num_items,
         .grain = choose_grain(dispatch, num_items),
         .max_threads = dispatch->num_workers,
         .share = dispatch->share,
      };

      atomic_store(&dispatch->end, num_items);
      tg_pool_run_job(pool, &job);
      dispatch->base += num_items;
   }
}

/* ---- workers ------------------------------------------------------------- */

static unsigned
max_workers(const struct dispatch *dispatch)
{
   const unsigned most = dispatch->pool ? tg_pool_num_threads(dispatch->pool)
                                        : TG_MAX_DISPATCH_THREADS;
   unsigned count = dispatch->grid->num_threads;

   if (dispatch->shape.check)
      return 1;
   if (count == 0)
      count = dispatch->pool ? most : tg_pool_count_processors();
   if (count > most)
      count = most;
   return dispatch->num_blocks < count ? (unsigned)dispatch->num_blocks : count;
}

/* As many as there is memory for, and one at least. */
static enum tg_result
create_workers(struct dispatch *dispatch, struct tg_diagnostics *diagnostics)
{
   const struct run_block_shape *shape = &dispatch->shape;
   unsigned count = max_workers(dispatch);
   size_t size;

   if (!run_block_memory(shape, &size) || size > max_block_memory) {
      refuse(shape->program, diagnostics,
             "a block of %u threads needs more than the %llu bytes of memory "
             "that it may have",
             (unsigned)shape->num_threads,
             (unsigned long long)max_block_memory);
      return TG_ERROR_LIMIT;
   }
   for (unsigned i = 0; i < count; i++) {
      struct dispatch_worker *worker = &dispatch->workers[i];

      if (i > 0 && (i + UINT64_C(1)) * size > max_total_memory)
         break;
      worker->fault_at = UINT64_MAX;
      worker->purse = tg_purse_of(dispatch->work);
      if (run_block_create(shape, &worker->block) != TG_OK)
         break;
      dispatch->num_workers++;
   }
   return dispatch->num_workers ? TG_OK : TG_ERROR_MEMORY;
}

/* What threads owe at the end may be more than is left, which counts unless a
 * block has a fault. */
static void
settle_workers(struct dispatch *dispatch)
{
   bool is_paid = true;

   for (unsigned i = 0; i < dispatch->num_workers; i++) {
      struct tg_purse *purse = &dispatch->workers[i].purse;

      is_paid &= !purse->work || tg_work_settle_purse(purse);
   }
   if (!is_paid && !find_fault(dispatch))
      stop(dispatch);
}

static void
destroy_workers(struct dispatch *dispatch)
{
   for (unsigned i = 0; i < dispatch->num_workers; i++)
      run_block_destroy(dispatch->workers[i].block);
}

/* ---- the dispatch -------------------------------------------------------- */

static void
diagnose_fault(const struct run_block_shape *shape,
               const struct dispatch_worker *worker,
               struct tg_diagnostics *diagnostics)
{
   const struct tg_shader *shader = shape->program->shader;
   const struct run_block_fault *fault = &worker->fault;
   const uint32_t *id = worker->fault_id;
   unsigned x = fault->thread % shape->size[0];
   unsigned y = fault->thread / shape->size[0] % shape->size[1];
   unsigned z = fault->thread / shape->size[0] / shape->size[1];
   struct tg_position position = run_program_position(shader, fault->origin);

   if (fault->what)
      tg_diagnose(
         diagnostics, TG_SEVERITY_ERROR, "limit", &shader->source, position,
         NULL, "%s in thread (%u, %u, %u) of block (%u, %u, %u)", fault->what,
         x, y, z, (unsigned)id[0], (unsigned)id[1], (unsigned)id[2]);
   else
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "barrier", &shader->source,
                  position, run_barrier_note,
                  "thread (%u, %u, %u) of block (%u, %u, %u) does not reach "
                  "this barrier",
                  x, y, z, (unsigned)id[0], (unsigned)id[1], (unsigned)id[2]);
}

/* A fault is one of the findings. */
static void
check_fault(const struct run_block_shape *shape,
            const struct dispatch_worker *worker)
{
   const struct run_block_fault *fault = &worker->fault;
   const unsigned wave = fault->thread / LIR_LANES;
   const uint32_t lanes = UINT32_C(1) << fault->thread % LIR_LANES;
   const struct exec_fault stopped = {fault->origin, lanes, fault->what};

   if (fault->what)
      check_stop_wave(shape->check, wave, &stopped);
   else
      check_miss_barrier(shape->check, wave, fault->origin, lanes);
}

static enum tg_result
run_dispatch(struct dispatch *dispatch, struct tg_diagnostics *diagnostics)
{
   const struct run_block_shape *shape = &dispatch->shape;
   struct tg_pool *own_pool = NULL;
   enum tg_result result = create_workers(dispatch, diagnostics);

   if (result == TG_OK && !dispatch->pool)
      result = tg_pool_create(shape->program->allocator, dispatch->num_workers,
                              &own_pool);
   if (result == TG_OK) {
      run_grid(dispatch, own_pool ? own_pool : dispatch->pool);
      settle_workers(dispatch);

      /* When it was stopped a lower block may not have come to its fault. */
      const bool is_stopped = atomic_load(&dispatch->is_stopped);
      const struct dispatch_worker *faulty = find_fault(dispatch);
      if (faulty && shape->check)
         check_fault(shape, faulty);
      else if (faulty && !is_stopped)
         diagnose_fault(shape, faulty, diagnostics);
      else if (tg_work_has_ended(dispatch->work))
         tg_work_diagnose(dispatch->work, diagnostics,
                          &shape->program->shader->source,
                          (struct tg_position){0});
      if (faulty || is_stopped)
         result = TG_ERROR_LIMIT;
   }
   tg_pool_destroy(own_pool);
   destroy_workers(dispatch);
   return result;
}

static enum tg_result
run_checked(struct dispatch *dispatch, struct tg_diagnostics *diagnostics)
{
   struct run_block_shape *shape = &dispatch->shape;
   const struct tg_program *program = shape->program;
   uint32_t num_findings;
   enum tg_result result =
      check_create(program->allocator, program->shader, &program->layout,
                   shape->num_waves, &shape->check);

   if (result != TG_OK)
      return result;
   check_begin(shape->check, diagnostics);
   check_begin_dispatch(shape->check, shape->size, shape->grid);
   result = run_dispatch(dispatch, diagnostics);

   enum tg_result checked = check_end(shape->check, &num_findings);
   check_destroy(shape->check);
   return checked == TG_OK ? result : checked;
}

/* UINT64_MAX stands for more. */
static uint64_t
count_threads(const struct run_block_shape *shape)
{
   uint64_t count = shape->num_threads;

   for (unsigned i = 0; i < 3; i++) {
      if (__builtin_mul_overflow(count, shape->grid[i], &count))
         return UINT64_MAX;
   }
   return count;
}

static uint32_t
find_profile_shader(const struct tg_program *program)
{
   char title[TG_SHADER_TITLE];

   if (!program->options.profile)
      return 0;
   tg_shader_title(program->shader, title);
   return profile_shader(program->options.profile, title);
}

enum tg_result
run_dispatch_on(struct tg_pool *pool, struct tg_pool_share *share,
                struct tg_work *work, const struct tg_program *program,
                const struct tg_bindings *bindings,
                const struct tg_grid *given_grid,
                struct tg_diagnostics *diagnostics, uint64_t *num_threads_out)
{
   const struct tg_allocator *allocator = program->allocator;
   struct tg_grid grid;
   enum tg_result result = tg_grid_take(&grid, given_grid, diagnostics);

   if (num_threads_out)
      *num_threads_out = 0;
   if (result != TG_OK)
      return result;
   struct dispatch *dispatch =
      allocator->resize(allocator->user, NULL, 0, sizeof(*dispatch));
   if (!dispatch)
      return TG_ERROR_MEMORY;
   *dispatch = (struct dispatch){
      .grid = &grid,
      .pool = pool,
      .share = share,
      .work = work,
      .shape = {.program = program, .bindings = bindings},
      .profiled.shader = find_profile_shader(program),
   };

   /* What is bound stays; where renamed buffers are is looked up. */
   resource_refresh_snapshot((struct tg_bindings *)(uintptr_t)bindings);
   result = find_shape(&dispatch->shape, &grid, diagnostics);
   if (result == TG_OK && num_threads_out)
      *num_threads_out = count_threads(&dispatch->shape);
   resource_settle_bindings(bindings);
   dispatch->num_blocks = count_blocks(&dispatch->shape);
   if (result == TG_OK && dispatch->num_blocks)
      result = program->options.check ? run_checked(dispatch, diagnostics)
                                      : run_dispatch(dispatch, diagnostics);
   allocator->resize(allocator->user, dispatch, sizeof(*dispatch), 0);
   return result;
}

enum tg_result
tg_dispatch(const struct tg_program *program,
            const struct tg_bindings *bindings, const struct tg_grid *grid,
            struct tg_diagnostics *diagnostics)
{
   assert(program);
   return run_dispatch_on(NULL, NULL, program->options.work, program, bindings,
                          grid, diagnostics, NULL);
}
