/* SPDX-License-Identifier: MIT
 *
 * Execution of blits: blocks that stay as they are are moved row by row, and
 * bytes resolved so; others go through the kernel, 16 at a time. Threads share
 * rows or waves; no two write to the same texel, and nobody writes to what is
 * read.
 */
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "gpu/blit/blit.h"
#include "gpu/core/grow.h"
#include "gpu/core/waves.h"
#include "resource/bindings.h"
#include "util/minmax.h"

/* Positions or bytes that are worth another thread. */
enum { GRAIN_WAVES = 256, GRAIN_BYTES = 1 << 18 };

/* ---- rows ---------------------------------------------------------------- */

/* The positions of a row on all axes but X; rows are numbered through those of
 * Y, the samples, and Z. */
static void
find_row_positions(const struct gpu_blit *blit, uint64_t row,
                   uint32_t positions_out[GPU_BLIT_AXES])
{
   const uint32_t num_rows = blit->count[GPU_BLIT_Y];
   const uint32_t num_samples = blit->count[GPU_BLIT_SAMPLES];
   const uint64_t slice = row < num_rows ? 0 : row / num_rows;

   positions_out[GPU_BLIT_Y] = (uint32_t)(row - slice * num_rows);
   positions_out[GPU_BLIT_SAMPLES] = positions_out[GPU_BLIT_Z] = 0;
   if (!slice)
      return; /* a division takes longer than all else */
   positions_out[GPU_BLIT_SAMPLES] = (uint32_t)(slice % num_samples);
   positions_out[GPU_BLIT_Z] = (uint32_t)(slice / num_samples);
}

uint32_t
gpu_blit_row_place(const struct gpu_blit *blit, uint64_t row,
                   enum gpu_blit_word word)
{
   uint32_t positions[GPU_BLIT_AXES];
   uint32_t place = 0;

   find_row_positions(blit, row, positions);
   for (unsigned axis = 1; axis < GPU_BLIT_AXES; axis++)
      place += blit->words[axis][positions[axis]][word];
   return place;
}

uint64_t
gpu_blit_num_rows(const struct gpu_blit *blit)
{
   return (uint64_t)blit->count[GPU_BLIT_Y] * blit->count[GPU_BLIT_Z] *
          blit->count[GPU_BLIT_SAMPLES];
}

size_t
gpu_blit_address(const struct gpu_blit *blit, uint64_t row, uint32_t x)
{
   const uint32_t place = gpu_blit_row_place(blit, row, GPU_BLIT_TO) +
                          blit->words[GPU_BLIT_X][x][GPU_BLIT_TO];

   return (size_t)place * blit->unit_bytes;
}

/* ---- moving -------------------------------------------------------------- */

/* Do blocks of the source's row lie after each other, and those of the
 * target's? */
static bool
rows_are_straight(const struct gpu_blit *blit)
{
   const uint32_t last = blit->count[GPU_BLIT_X] - 1;
   const uint32_t step = blit->block_bytes / blit->unit_bytes;
   const uint32_t(*words)[GPU_BLIT_WORDS] =
      (const uint32_t(*)[GPU_BLIT_WORDS])blit->words[GPU_BLIT_X];

   for (uint32_t i = 0; i < last; i++) {
      if (words[i + 1][GPU_BLIT_FROM] - words[i][GPU_BLIT_FROM] != step ||
          words[i + 1][GPU_BLIT_TO] - words[i][GPU_BLIT_TO] != step)
         return false;
   }
   return true;
}

struct moves {
   const struct gpu_blit *blit;
   bool is_straight;
   struct gpu_blit_whole whole; /* of a mean of bytes */
   struct tg_profile *profile;  /* or NULL */
   uint64_t call;
};

static void
move_row(const struct moves *moves, uint64_t row)
{
   const struct gpu_blit *blit = moves->blit;
   const size_t unit = blit->unit_bytes;
   const uint32_t count = blit->count[GPU_BLIT_X];
   const uint32_t to_row = gpu_blit_row_place(blit, row, GPU_BLIT_TO);
   const uint32_t from_row = gpu_blit_row_place(blit, row, GPU_BLIT_FROM);
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

/* Begins a span of a part of a blit. */
static void
begin_span(struct tg_profile *profile, uint64_t call)
{
   profile_begin(profile, TG_PROFILE_BLIT,
                 (struct profile_subject){.call = call});
}

static bool
move_rows(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   const struct moves *moves = user;

   (void)thread;
   begin_span(moves->profile, moves->call);
   if (moves->blit->is_mean_of_bytes)
      gpu_blit_resolve_rows(moves->blit, moves->whole, first, end);
   for (uint64_t i = first; i < end && moves->blit->is_move; i++)
      move_row(moves, i);
   profile_end(moves->profile);
   return true;
}

static uint64_t
cost_of_moves(const struct gpu_blit *blit)
{
   const uint64_t num_bytes =
      (uint64_t)blit->block_bytes * tg_max_u32(blit->key.num_samples, 1);
   const uint64_t row =
      blit->count[GPU_BLIT_X] * (num_bytes / (uint64_t)TG_WORK_BYTES + 1);

   return GPU_WORK_CALL + gpu_blit_num_rows(blit) * (row + 1);
}

static void
run_moves(const struct gpu_compiler *compiler, struct tg_pool *pool,
          const struct gpu_call *call, const struct gpu_blit *blit)
{
   struct moves moves = {
      .blit = blit,
      .is_straight = blit->is_move && rows_are_straight(blit),
      .profile = compiler->exec.profile,
      .call = call->name.number,
   };
   const size_t row_bytes = (size_t)blit->count[GPU_BLIT_X] * blit->block_bytes;
   const uint32_t grain = (uint32_t)(GRAIN_BYTES / row_bytes + 1);

   if (blit->is_mean_of_bytes)
      moves.whole = gpu_blit_find_whole(blit);
   tg_pool_run_for(pool, call->share, gpu_blit_num_rows(blit),
                   resource_whole_microtiles(grain), move_rows, &moves);
}

/* ---- waves --------------------------------------------------------------- */

/* The words of 16 positions on axis X, as lanes read them. */
typedef uint32_t columns[GPU_BLIT_WORDS][LIR_LANES];

struct waves {
   const struct gpu_compiler *compiler;
   const struct gpu_call *call;
   const struct gpu_blit *blit;
   const struct exec_code *code;
   columns *columns;
   uint32_t per_row; /* waves, of which the last may have fewer lanes */
   char *scratch;    /* of all threads */
   size_t scratch_stride;
   atomic_flag has_fault;
   struct gpu_fault fault; /* the first */
};

/* What a thread runs one wave after the other with. */
struct runner {
   struct waves *waves;
   struct tg_purse purse;
   void *scratch;
   uint32_t row[GPU_BLIT_AXES][GPU_BLIT_WORDS];
   struct exec_memory constants[ABI_NUM_CONST_BINDINGS];
   struct exec_wave wave;
};

static bool
fail(struct waves *waves, enum tg_result result, const char *what)
{
   if (!atomic_flag_test_and_set(&waves->has_fault))
      waves->fault = (struct gpu_fault){.result = result, .what = what};
   return false;
}

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
            [LIR_SPACE_CONST] = ABI_NUM_CONST_BINDINGS,
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
   uint32_t positions[GPU_BLIT_AXES];

   find_row_positions(blit, row, positions);
   for (unsigned axis = 1; axis < GPU_BLIT_AXES; axis++)
      memcpy(runner->row[axis], blit->words[axis][positions[axis]],
             sizeof(runner->row[axis]));
}

/* Number `number` of the row. */
static bool
run_wave(struct runner *runner, uint32_t number)
{
   struct waves *waves = runner->waves;
   const uint32_t x = number * LIR_LANES;
   const uint32_t count =
      tg_min_u32(waves->blit->count[GPU_BLIT_X] - x, LIR_LANES);
   struct exec_fault fault;

   const uint32_t lanes = (UINT32_C(1) << count) - 1;
   runner->wave.launched = runner->wave.live = lanes;
   runner->wave.input = (struct exec_lane_memory){
      .data = waves->columns[number],
      .num_words = GPU_BLIT_WORDS,
   };
   const enum tg_result result = waves->code->executor->run(
      waves->code->program, &runner->wave, runner->scratch, &fault);
   if (result != TG_OK)
      return fail(waves, result, fault.what);
   return tg_purse_pay(&runner->purse, TG_WORK_WAVE + runner->wave.steps) ||
          fail(waves, TG_ERROR_LIMIT, NULL);
}

static bool
run_rows(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct waves *waves = user;
   struct runner runner = {
      .waves = waves,
      .purse = tg_purse_of(waves->call->work),
      .scratch = waves->scratch + thread * waves->scratch_stride,
   };
   bool is_good = true;

   begin_span(waves->compiler->exec.profile, waves->call->name.number);
   init_runner(&runner, waves);
   for (uint64_t row = first; row < end && is_good; row++) {
      set_row(&runner, row);
      for (uint32_t i = 0; i < waves->per_row && is_good; i++)
         is_good = run_wave(&runner, i);
   }
   profile_end(waves->compiler->exec.profile);
   return (tg_work_settle_purse(&runner.purse) ||
           fail(waves, TG_ERROR_LIMIT, NULL)) &&
          is_good;
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

/* All that can fail does so before anything is drawn: columns and scratch are
 * one block, at a multiple of 64 bytes. */
static void
run_rows_of(struct waves *waves, struct tg_pool *pool, char *memory)
{
   const size_t columns_size = waves->per_row * sizeof(*waves->columns);

   memory = gpu_align_lanes(memory);
   memset(memory, 0, columns_size);
   waves->columns = (columns *)memory;
   waves->scratch = memory + columns_size;
   fill_columns(waves);
   tg_pool_run_for(pool, waves->call->share, gpu_blit_num_rows(waves->blit),
                   GRAIN_WAVES / waves->per_row + 1, run_rows, waves);
}

static enum tg_result
run_kernel(const struct gpu_compiler *compiler, struct tg_pool *pool,
           const struct gpu_call *call, const struct gpu_blit *blit,
           struct tg_diagnostics *diagnostics)
{
   struct waves waves = {
      .compiler = compiler,
      .call = call,
      .blit = blit,
      .per_row = (blit->count[GPU_BLIT_X] - 1) / LIR_LANES + 1,
      .has_fault = ATOMIC_FLAG_INIT,
      .fault = {.result = TG_OK},
   };
   const struct exec_source source = {
      .kind = "BLIT",
      .key = &blit->key,
      .key_size = sizeof(blit->key),
      .members = gpu_blit_key_members,
      .write = gpu_blit_write_kernel,
   };
   const struct exec_kernel *kernel;
   void *memory = NULL;
   const enum tg_result result =
      gpu_kernel_get(compiler, &source, diagnostics, &kernel);

   if (result != TG_OK)
      return result;
   waves.code = exec_kernel_code(kernel);
   waves.scratch_stride = gpu_scratch_stride(waves.code->scratch_size);
   const size_t size = GPU_LANE_ALIGNMENT +
                       waves.per_row * sizeof(*waves.columns) +
                       tg_pool_num_places(pool) * waves.scratch_stride;
   if (!gpu_grow(compiler->allocator, &memory, 0, size))
      return TG_ERROR_MEMORY;
   run_rows_of(&waves, pool, memory);
   gpu_grow(compiler->allocator, &memory, size, 0);
   waves.fault.call = call->name;
   return gpu_report_fault(call->work, &waves.fault, diagnostics);
}

enum tg_result
gpu_blit_run(const struct gpu_compiler *compiler, struct tg_pool *pool,
             const struct gpu_call *call, const struct gpu_blit *blit,
             struct tg_diagnostics *diagnostics)
{
   if (!blit->is_move && !blit->is_mean_of_bytes)
      return run_kernel(compiler, pool, call, blit, diagnostics);
   const enum tg_result result =
      gpu_fault_charge(call->work, cost_of_moves(blit), diagnostics);
   if (result == TG_OK)
      run_moves(compiler, pool, call, blit);
   return result;
}
