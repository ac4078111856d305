/* SPDX-License-Identifier: MIT
 *
 * Doing a blit: blocks that stay as they are are moved row by row, others go
 * through the kernel, 16 at a time. Threads share rows or waves; no two write
 * to the same texel, and nobody writes to what is read.
 */
#include <string.h>

#include "gpu/blit/blit.h"
#include "gpu/core/memory.h"
#include "gpu/core/waves.h"
#include "resource/bindings.h"

/* Positions or bytes that are worth another thread. */
enum { GRAIN_WAVES = 256, GRAIN_BYTES = 1 << 18 };

/* ---- rows ---------------------------------------------------------------- */

/* The position of a row on an axis but X; rows are numbered through those of Y,
 * the samples, and Z. */
static uint32_t
row_position(const struct gpu_blit *blit, uint64_t row, unsigned axis)
{
   const uint32_t num_rows = blit->count[GPU_BLIT_Y];
   const uint32_t num_samples = blit->count[GPU_BLIT_SAMPLES];

   switch (axis) {
   case GPU_BLIT_Y: return (uint32_t)(row % num_rows);
   case GPU_BLIT_SAMPLES: return (uint32_t)(row / num_rows % num_samples);
   default: return (uint32_t)(row / num_rows / num_samples);
   }
}

/* Units from the beginning of the source or the target to a row. */
static uint32_t
row_place(const struct gpu_blit *blit, uint64_t row, enum gpu_blit_word word)
{
   uint32_t place = 0;

   for (unsigned axis = 1; axis < GPU_BLIT_AXES; axis++)
      place += blit->words[axis][row_position(blit, row, axis)][word];
   return place;
}

uint64_t
gpu_blit_num_rows(const struct gpu_blit *blit)
{
   return (uint64_t)blit->count[GPU_BLIT_Y] * blit->count[GPU_BLIT_Z] *
          blit->count[GPU_BLIT_SAMPLES];
}

size_t
gpu_blit_row_address(const struct gpu_blit *blit, uint64_t row)
{
   const uint32_t place = row_place(blit, row, GPU_BLIT_TO) +
                          blit->words[GPU_BLIT_X][0][GPU_BLIT_TO];

   return (size_t)place * blit->unit_bytes;
}

/* ---- moving -------------------------------------------------------------- */

/* Does the source's row lie there as the target's will? */
static bool
rows_are_straight(const struct gpu_blit *blit)
{
   const uint32_t last = blit->count[GPU_BLIT_X] - 1;
   const uint32_t(*words)[GPU_BLIT_WORDS] =
      (const uint32_t(*)[GPU_BLIT_WORDS])blit->words[GPU_BLIT_X];

   for (uint32_t i = 0; i < last; i++) {
      if (words[i + 1][GPU_BLIT_FROM] - words[i][GPU_BLIT_FROM] !=
          words[i + 1][GPU_BLIT_TO] - words[i][GPU_BLIT_TO])
         return false;
   }
   return true;
}

struct moves {
   const struct gpu_blit *blit;
   bool is_straight;
};

static void
move_row(const struct moves *moves, uint64_t row)
{
   const struct gpu_blit *blit = moves->blit;
   const size_t unit = blit->unit_bytes;
   const uint32_t count = blit->count[GPU_BLIT_X];
   const uint32_t to_row = row_place(blit, row, GPU_BLIT_TO);
   const uint32_t from_row = row_place(blit, row, GPU_BLIT_FROM);
   char *to = (char *)blit->to.data;
   const char *from = (const char *)blit->from[0].data;

   for (uint32_t i = 0; i < (moves->is_straight ? 1 : count); i++) {
      const uint32_t *words = blit->words[GPU_BLIT_X][i];
      const uint32_t to_place = to_row + words[GPU_BLIT_TO];
      const uint32_t from_place = from_row + words[GPU_BLIT_FROM];

      memcpy(to + to_place * unit, from + from_place * unit,
             (moves->is_straight ? count : 1) * (size_t)blit->block_bytes);
   }
}

static bool
move_rows(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   (void)thread;
   for (uint64_t i = first; i < end; i++)
      move_row(user, i);
   return true;
}

static uint64_t
cost_of_moves(const struct gpu_blit *blit)
{
   const uint64_t row = blit->count[GPU_BLIT_X] *
                        (blit->block_bytes / (uint64_t)TG_WORK_BYTES + 1);

   return GPU_WORK_CALL + gpu_blit_num_rows(blit) * (row + 1);
}

static void
run_moves(const struct gpu_workers *workers, const struct gpu_blit *blit)
{
   struct moves moves = {blit, rows_are_straight(blit)};
   const size_t row_bytes = (size_t)blit->count[GPU_BLIT_X] * blit->block_bytes;

   tg_pool_run(workers->pool, gpu_blit_num_rows(blit),
               (uint32_t)(GRAIN_BYTES / row_bytes + 1), move_rows, &moves);
}

/* ---- waves --------------------------------------------------------------- */

/* The words of 16 positions on axis X, as lanes read them. */
typedef uint32_t columns[GPU_BLIT_WORDS][LIR_LANES];

struct waves {
   const struct gpu_workers *workers;
   const struct gpu_blit *blit;
   const struct gpu_kernel *kernel;
   columns *columns;
   uint32_t per_row; /* waves, of which the last may have fewer lanes */
};

/* What a thread runs one wave after the other with. */
struct runner {
   const struct waves *waves;
   struct gpu_worker *worker;
   void *scratch;
   uint32_t row[GPU_BLIT_AXES][GPU_BLIT_WORDS];
   struct exec_memory constants[LOWER_NUM_CONST_BINDINGS];
   struct exec_wave wave;
};

static void
init_runner(struct runner *runner, const struct waves *waves)
{
   const struct gpu_blit *blit = waves->blit;

   resource_bind_constants(NULL, runner->constants);
   runner->constants[GPU_BLIT_BINDING_ROW] = (struct exec_memory){
      .data = runner->row[0],
      .num_bytes = sizeof(runner->row),
   };
   runner->constants[GPU_BLIT_BINDING_MEAN] = (struct exec_memory){
      .data = blit->words[GPU_BLIT_SAMPLES][0],
      .num_bytes = blit->words_size[GPU_BLIT_SAMPLES],
   };
   runner->wave = (struct exec_wave){
      .memory =
         {
            [LIR_SPACE_CONST] = runner->constants,
            [LIR_SPACE_TEXTURE] = blit->from,
            [LIR_SPACE_IMAGE] = &blit->to,
         },
      .num_memories =
         {
            [LIR_SPACE_CONST] = LOWER_NUM_CONST_BINDINGS,
            [LIR_SPACE_TEXTURE] = 2,
            [LIR_SPACE_IMAGE] = 1,
         },
   };
}

/* The row's positions on all axes but X. */
static void
set_row(struct runner *runner, uint64_t row)
{
   const struct gpu_blit *blit = runner->waves->blit;

   for (unsigned axis = 1; axis < GPU_BLIT_AXES; axis++) {
      const uint32_t at = row_position(blit, row, axis);

      memcpy(runner->row[axis], blit->words[axis][at],
             sizeof(runner->row[axis]));
   }
}

/* Number `number` of the row. */
static bool
run_wave(struct runner *runner, uint32_t number)
{
   const struct waves *waves = runner->waves;
   const uint32_t left = waves->blit->count[GPU_BLIT_X] - number * LIR_LANES;
   const uint32_t lanes =
      left < LIR_LANES ? (UINT32_C(1) << left) - 1 : UINT32_C(0xffff);
   struct exec_fault fault;

   runner->wave.launched = runner->wave.live = lanes;
   runner->wave.input = (struct exec_lane_memory){
      .data = waves->columns[number],
      .num_words = GPU_BLIT_WORDS,
   };
   const enum tg_result result = runner->worker->executor->run(
      waves->kernel->program, &runner->wave, runner->scratch, &fault);
   if (result != TG_OK)
      return gpu_fail(runner->worker, result, fault.what);
   return gpu_pay(runner->worker, TG_WORK_WAVE + runner->wave.steps);
}

static bool
run_rows(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct waves *waves = user;
   struct gpu_worker *worker = &waves->workers->workers[thread];
   struct runner runner = {
      .waves = waves,
      .worker = worker,
      .scratch = gpu_scratch(worker, waves->kernel->scratch_size),
   };

   init_runner(&runner, waves);
   for (uint64_t row = first; row < end; row++) {
      set_row(&runner, row);
      for (uint32_t i = 0; i < waves->per_row; i++) {
         if (!run_wave(&runner, i))
            return false;
      }
   }
   return true;
}

/* All that can fail does so before anything is drawn. */
static bool
prepare_workers(const struct waves *waves)
{
   struct gpu_worker *workers = waves->workers->workers;

   for (unsigned i = 0; i < waves->workers->count; i++) {
      workers[i].fault = (struct gpu_fault){.result = TG_OK};
      if (!gpu_scratch(&workers[i], waves->kernel->scratch_size))
         return gpu_fail(&workers[i], TG_ERROR_MEMORY, "out of memory");
   }
   return true;
}

static void
fill_columns(struct waves *waves)
{
   const struct gpu_blit *blit = waves->blit;

   for (uint32_t i = 0; i < blit->count[GPU_BLIT_X]; i++) {
      for (unsigned w = 0; w < GPU_BLIT_WORDS; w++)
         waves->columns[i / LIR_LANES][w][i % LIR_LANES] =
            blit->words[GPU_BLIT_X][i][w];
   }
}

/* What went wrong first, in any thread. */
static enum tg_result
take_fault(const struct gpu_workers *workers,
           struct tg_diagnostics *diagnostics)
{
   for (unsigned i = 0; i < workers->count; i++) {
      const struct gpu_fault fault = workers->workers[i].fault;

      if (fault.result != TG_OK)
         return gpu_report(workers->work, &fault, diagnostics);
   }
   return TG_OK;
}

static enum tg_result
run_kernel(const struct gpu_compiler *compiler,
           const struct gpu_workers *workers, const struct gpu_blit *blit,
           struct tg_diagnostics *diagnostics)
{
   struct waves waves = {
      .workers = workers,
      .blit = blit,
      .per_row = (blit->count[GPU_BLIT_X] - 1) / LIR_LANES + 1,
   };
   const size_t size = waves.per_row * sizeof(*waves.columns);
   void *memory = NULL;
   const enum tg_result result =
      gpu_kernel_get(compiler, &blit->key, sizeof(blit->key), NULL,
                     gpu_blit_write_kernel, NULL, diagnostics, &waves.kernel);

   if (result != TG_OK)
      return result;
   if (!gpu_grow(compiler->allocator, &memory, 0, size))
      return TG_ERROR_MEMORY;
   memset(memory, 0, size);
   waves.columns = memory;
   fill_columns(&waves);
   if (prepare_workers(&waves))
      tg_pool_run(workers->pool, gpu_blit_num_rows(blit),
                  GRAIN_WAVES / waves.per_row + 1, run_rows, &waves);
   gpu_grow(compiler->allocator, &memory, size, 0);
   return take_fault(workers, diagnostics);
}

enum tg_result
gpu_blit_run(const struct gpu_compiler *compiler,
             const struct gpu_workers *workers, const struct gpu_blit *blit,
             struct tg_diagnostics *diagnostics)
{
   if (!blit->is_move)
      return run_kernel(compiler, workers, blit, diagnostics);
   const enum tg_result result =
      gpu_charge(workers->work, cost_of_moves(blit), diagnostics);
   if (result == TG_OK)
      run_moves(workers, blit);
   return result;
}
