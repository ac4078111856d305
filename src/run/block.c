/* SPDX-License-Identifier: MIT
 *
 * A block of compute threads: its memory, its waves, and the system values of
 * their threads.
 */
#include "run/block_parts.h"

#include <assert.h>
#include <string.h>

#include "abi/layout.h"
#include "abi/subgroup.h"
#include "resource/bindings.h"

enum {
   TURN = 1 << 13, /* instructions, roughly, until the next wave's turn */
};

/* Bytes of scratches, beyond which waves do not take turns. */
static const size_t max_turn_memory = (size_t)64 << 20;

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

/* Writes a channel of BLOCK_ID for all waves. */
static void
set_block_id_channel(struct run_block *block, unsigned channel, uint32_t word)
{
   for (uint64_t regs = block->block_id_registers; regs; regs &= regs - 1) {
      const uint32_t reg = (uint32_t)__builtin_ctzll(regs);

      for (uint32_t wave = 0; wave < block->shape->num_waves; wave++) {
         uint32_t *row = find_sysval(block, wave, reg)[channel];

         for (unsigned lane = 0; lane < LIR_LANES; lane++)
            row[lane] = word;
      }
   }
   block->id[channel] = word;
}

void
run_block_set_id(struct run_block *block, const uint32_t id[3])
{
   for (unsigned c = 0; c < 3; c++) {
      if (block->id[c] != id[c])
         set_block_id_channel(block, c, id[c]);
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
      &layout, shape->check ? shape->num_waves : 0, sizeof(struct run_tracer));

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
   const struct run_tracer *tracer = user;

   check_trace_event(tracer->check, tracer->wave, tag, lanes, value);
}

static const struct exec_listener *
set_up_tracer(struct run_block *block, uint32_t wave)
{
   struct run_tracer *tracer = &block->tracers[wave];

   *tracer = (struct run_tracer){
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
   const bool takes_turns =
      shape->code->executor->may_wait(shape->code->program) &&
      block->num_scratches > 1;

   *wave = (struct exec_wave){
      .launched = launched_lanes(shape, number),
      .stops_at_barriers = true,
      .takes_turns = takes_turns,
      .slice = takes_turns ? TURN : TG_WORK_SLICE,
      .loop_budget = shape->loop_budget,
      .pay = run_block_pay,
      .payer = block,
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

/* Rounds that do not stop have one scratch. */
static void
set_up_rounds(struct run_block *block)
{
   const size_t stride = block->num_scratches > 1 ? block->scratch_stride : 0;

   block->common = block->waves[0];
   for (uint32_t i = 0; i < block->shape->num_waves; i++)
      block->rounds[i] = (struct exec_round){
         .launched = block->waves[i].launched,
         .sysval = block->waves[i].sysval.data,
         .scratch = block->scratch + i * stride,
      };
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
      .tracers = (struct run_tracer *)(void *)(memory + layout.tracers),
   };
   fill_sysvals(block);
   for (uint32_t i = 0; i < shape->num_waves; i++)
      set_up_wave(block, i);
   set_up_rounds(block);
   *block_out = block;
   return TG_OK;
}

void
run_block_destroy(struct run_block *block)
{
   if (block)
      run_memory_free(block->shape->program->allocator, block, block->size);
}
