/* SPDX-License-Identifier: MIT
 *
 * Execution of a single wave: lane memory in one block, laid out as
 * abi/layout.h says, and one wave over it.
 */
#include <assert.h>
#include <string.h>

#include "check/check.h"
#include "resource/bindings.h"
#include "run/memory.h"
#include "run/program.h"
#include "run/variant.h"
#include "util/work.h"

struct tg_run {
   const struct tg_program *program;
   size_t size; /* of the whole block, which this begins */
   struct exec_wave wave;
   uint64_t loop_budget; /* of each execution */

   struct tg_bindings *bindings; /* a reference, or NULL */
   /* What tg_run_set() gives, and what the wave sees. */
   struct exec_memory own_constants[ABI_MAX_CONST_BUFFERS];
   /* Of the block that the wave is: shared memory, and a patch's outputs. */
   struct exec_memory shared[ABI_NUM_SHARED_BINDINGS];
   struct exec_memory constants[ABI_NUM_CONST_BINDINGS];

   /* As much as any variant of the program has needed. */
   unsigned char *scratch;
   size_t scratch_size;
   struct check *check; /* of a checked program, else NULL */
   uint32_t num_findings;

   struct exec_listener listener;
   tg_trace_function trace;
   void *trace_user;
   tg_emit_function emit;
   void *emit_user;
   uint32_t max_emitted;
   uint32_t num_emitted[LIR_LANES]; /* to all streams */
};

/* ---- events -------------------------------------------------------------- */

static void
on_trace(void *user, uint64_t tag, uint32_t lanes,
         const uint32_t value[LIR_LANES])
{
   const struct tg_run *run = user;
   unsigned detail = abi_tag_detail(tag);

   if (run->check)
      check_trace_event(run->check, 0, tag, lanes, value);
   if (run->trace && abi_tag_event(tag) == ABI_EVENT_WRITE)
      run->trace(run->trace_user, abi_tag_instruction(tag), detail >> 2,
                 detail & 3, lanes, value);
}

/* Vertices beyond the bound that the shader declares do not exist. */
static void
on_emit(void *user, uint32_t lanes, const uint32_t stream[LIR_LANES])
{
   struct tg_run *run = user;

   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      if (!(lanes >> lane & 1) || run->num_emitted[lane] >= run->max_emitted)
         continue;
      run->num_emitted[lane]++;
      if (run->emit)
         run->emit(run->emit_user, lane, stream[lane], false);
   }
}

static void
on_endprim(void *user, uint32_t lanes, const uint32_t stream[LIR_LANES])
{
   const struct tg_run *run = user;

   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      if ((lanes >> lane & 1) && run->emit)
         run->emit(run->emit_user, lane, stream[lane], true);
   }
}

/* ---- memory -------------------------------------------------------------- */

/* Where the pieces of a run lie. */
struct pieces {
   size_t run, input, sysval, output, shared, patch;
   size_t constants[ABI_MAX_CONST_BUFFERS];
   size_t size;
};

static size_t
add_registers(struct run_memory_layout *layout, uint32_t num_vertices,
              uint32_t num_registers)
{
   return run_memory_add(layout, (size_t)num_vertices * num_registers,
                         4 * sizeof(lane_words));
}

/* Do all lanes have one set of outputs, those of a patch? */
static bool
shares_outputs(const struct tg_program *program)
{
   return tg_shader_file_is_per_vertex(program->shader->processor, TG_FILE_OUT);
}

/* Bytes of those. At most 32 vertices and 128 registers: no overflow. */
static size_t
patch_bytes(const struct tg_program *program)
{
   const struct abi_layout *layout = &program->layout;

   if (!shares_outputs(program))
      return 0;
   return (size_t)layout->num_output_vertices * layout->num_outputs * 4 *
          sizeof(uint32_t);
}

/* Output registers of a lane's own. */
static uint32_t
num_own_outputs(const struct tg_program *program)
{
   return shares_outputs(program) ? 0 : program->layout.num_outputs;
}

static bool
find_pieces(const struct tg_program *program, struct pieces *pieces)
{
   const struct abi_layout *sizes = &program->layout;
   struct run_memory_layout layout = {0};

   pieces->run = run_memory_add(&layout, 1, sizeof(struct tg_run));
   pieces->input =
      add_registers(&layout, sizes->num_input_vertices, sizes->num_inputs);
   pieces->sysval = add_registers(&layout, 1, sizes->num_sysvals);
   pieces->output = add_registers(&layout, 1, num_own_outputs(program));
   pieces->patch = run_memory_add(&layout, 1, patch_bytes(program));
   for (uint32_t i = 0; i < sizes->num_const_buffers; i++)
      pieces->constants[i] = run_memory_add(
         &layout, sizes->num_const_registers[i], 4 * sizeof(uint32_t));
   pieces->shared =
      run_memory_add(&layout, 1, run_program_shared_bytes(program));
   pieces->size = layout.size;
   return !layout.overflowed;
}

static struct exec_lane_memory
lane_memory(unsigned char *block, size_t offset, uint32_t num_vertices,
            uint32_t num_registers)
{
   return (struct exec_lane_memory){
      .data = (lane_words *)(void *)(block + offset),
      .num_words = num_vertices * num_registers * 4,
   };
}

static void
lay_out(struct tg_run *run, unsigned char *block, const struct pieces *pieces)
{
   const struct abi_layout *sizes = &run->program->layout;
   struct exec_wave *wave = &run->wave;

   wave->input = lane_memory(block, pieces->input, sizes->num_input_vertices,
                             sizes->num_inputs);
   wave->sysval = lane_memory(block, pieces->sysval, 1, sizes->num_sysvals);
   wave->output =
      lane_memory(block, pieces->output, 1, num_own_outputs(run->program));
   for (uint32_t i = 0; i < sizes->num_const_buffers; i++) {
      run->own_constants[i] = (struct exec_memory){
         .data = (uint32_t *)(void *)(block + pieces->constants[i]),
         .num_bytes = sizes->num_const_registers[i] * UINT64_C(16),
      };
   }
   run->shared[0] = (struct exec_memory){
      .data = (uint32_t *)(void *)(block + pieces->shared),
      .num_bytes = run_program_shared_bytes(run->program),
   };
   run->shared[ABI_SHARED_PATCH] = (struct exec_memory){
      .data = (uint32_t *)(void *)(block + pieces->patch),
      .num_bytes = patch_bytes(run->program),
   };
   wave->memory[LIR_SPACE_SHARED] = run->shared;
   wave->num_memories[LIR_SPACE_SHARED] = ABI_NUM_SHARED_BINDINGS;
   wave->memory[LIR_SPACE_CONST] = run->constants;
   wave->num_memories[LIR_SPACE_CONST] = ABI_NUM_CONST_BINDINGS;
}

/* ---- the run ------------------------------------------------------------- */

enum tg_result
tg_run_create(const struct tg_program *program, unsigned num_lanes,
              struct tg_run **run_out)
{
   assert(program);
   assert(run_out);
   struct pieces pieces;

   if (num_lanes == 0 || num_lanes > TG_MAX_LANES)
      return TG_ERROR_INPUT;
   if (!find_pieces(program, &pieces))
      return TG_ERROR_MEMORY;
   unsigned char *block = run_memory_allocate(program->allocator, pieces.size);
   if (!block)
      return TG_ERROR_MEMORY;

   memset(block, 0, pieces.size);
   struct tg_run *run = (struct tg_run *)(void *)(block + pieces.run);
   *run = (struct tg_run){
      .program = program,
      .size = pieces.size,
      .wave.launched = (UINT32_C(1) << num_lanes) - 1,
      .wave.stops_at_barriers = true,
      .loop_budget = run_program_default_loop_budget(program),
      .listener = {on_trace, on_emit, on_endprim, run},
      .max_emitted = tg_shader_property(
         program->shader, TG_PROPERTY_GS_MAX_OUTPUT_VERTICES, UINT32_MAX),
   };
   run->wave.live = run->wave.launched;
   run->wave.listener = &run->listener;
   lay_out(run, block, &pieces);
   enum tg_result result = TG_OK;
   if (program->options.check)
      result = check_create(program->allocator, program->shader,
                            &program->layout, 1, &run->check);
   if (result != TG_OK) {
      tg_run_destroy(run);
      return result;
   }
   *run_out = run;
   return TG_OK;
}

void
tg_run_destroy(struct tg_run *run)
{
   if (!run)
      return;

   const struct tg_allocator *allocator = run->program->allocator;
   check_destroy(run->check);
   tg_bindings_destroy(run->bindings);
   if (run->scratch)
      run_memory_free(allocator, run->scratch, run->scratch_size);
   run_memory_free(allocator, run, run->size);
}

void
tg_run_set_bindings(struct tg_run *run, struct tg_bindings *bindings)
{
   assert(run);
   struct tg_bindings *before = run->bindings;

   run->bindings = tg_bindings_ref(bindings);
   tg_bindings_destroy(before);
}

/* ---- values -------------------------------------------------------------- */

/* The words of a register of lane memory, or NULL. */
static lane_words *
find_register(const struct exec_lane_memory *memory, uint32_t num_vertices,
              uint32_t num_registers, uint32_t vertex, uint32_t index)
{
   if (vertex >= num_vertices || index >= num_registers)
      return NULL;
   return &memory->data[((size_t)vertex * num_registers + index) * 4];
}

static enum tg_result
set_lanes(const struct tg_run *run, lane_words *channels, int lane,
          const uint32_t words[4])
{
   assert(lane < LIR_LANES);
   uint32_t lanes = lane < 0 ? run->wave.launched : UINT32_C(1) << lane;

   if (!channels)
      return TG_ERROR_INPUT;
   for (unsigned i = 0; i < LIR_LANES; i++) {
      for (unsigned channel = 0; channel < 4 && (lanes >> i & 1); channel++)
         channels[channel][i] = words[channel];
   }
   return TG_OK;
}

static enum tg_result
set_constant(struct tg_run *run, uint32_t buffer, uint32_t index,
             const uint32_t words[4])
{
   const struct abi_layout *layout = &run->program->layout;

   if (buffer >= layout->num_const_buffers ||
       index >= layout->num_const_registers[buffer])
      return TG_ERROR_INPUT;
   memcpy(&run->own_constants[buffer].data[(size_t)index * 4], words,
          4 * sizeof(*words));
   return TG_OK;
}

/* Is it a lane of the run? */
static bool
has_lane(const struct tg_run *run, unsigned lane)
{
   return lane < LIR_LANES && (run->wave.launched >> lane & 1) != 0;
}

enum tg_result
tg_run_set(struct tg_run *run, enum tg_run_file file, uint32_t dimension,
           uint32_t index, int lane, const uint32_t words[4])
{
   assert(run);
   assert(words);
   const struct abi_layout *layout = &run->program->layout;

   if (lane != -1 && (lane < 0 || !has_lane(run, (unsigned)lane)))
      return TG_ERROR_INPUT;
   switch (file) {
   case TG_RUN_INPUT:
      return set_lanes(run,
                       find_register(&run->wave.input,
                                     layout->num_input_vertices,
                                     layout->num_inputs, dimension, index),
                       lane, words);
   case TG_RUN_SYSVAL:
      return set_lanes(run,
                       find_register(&run->wave.sysval, 1, layout->num_sysvals,
                                     dimension, index),
                       lane, words);
   case TG_RUN_CONSTANT: return set_constant(run, dimension, index, words);
   }
   return TG_ERROR_INPUT;
}

uint32_t
tg_run_num_outputs(const struct tg_run *run)
{
   assert(run);
   return run->program->layout.num_outputs;
}

uint32_t
tg_run_num_output_vertices(const struct tg_run *run)
{
   assert(run);
   return run->program->layout.num_output_vertices;
}

enum tg_run_output_kind
tg_run_output_kind(const struct tg_run *run, uint32_t index)
{
   assert(run);
   const struct tg_shader *shader = run->program->shader;

   if (!shares_outputs(run->program))
      return TG_RUN_OUTPUT_OF_LANE;
   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (declaration->file == TG_FILE_OUT && index >= declaration->first &&
          index <= declaration->last &&
          !tg_shader_declaration_is_per_vertex(shader->processor, declaration))
         return TG_RUN_OUTPUT_OF_PATCH;
   }
   return TG_RUN_OUTPUT_OF_VERTEX;
}

enum tg_result
tg_run_get_output(const struct tg_run *run, uint32_t dimension, uint32_t index,
                  unsigned lane, uint32_t words[4])
{
   assert(run);
   assert(words);
   const struct abi_layout *layout = &run->program->layout;
   const enum tg_run_output_kind kind = tg_run_output_kind(run, index);
   const uint32_t num_vertices =
      kind == TG_RUN_OUTPUT_OF_VERTEX ? layout->num_output_vertices : 1;

   if (dimension >= num_vertices || index >= layout->num_outputs ||
       !has_lane(run, lane))
      return TG_ERROR_INPUT;

   const size_t first = ((size_t)dimension * layout->num_outputs + index) * 4;
   for (unsigned channel = 0; channel < 4; channel++)
      words[channel] = kind == TG_RUN_OUTPUT_OF_LANE
                          ? run->wave.output.data[first + channel][lane]
                          : run->shared[ABI_SHARED_PATCH].data[first + channel];
   return TG_OK;
}

uint32_t
tg_run_killed(const struct tg_run *run)
{
   assert(run);
   return run->wave.launched & ~run->wave.live;
}

uint32_t
tg_run_num_emitted(const struct tg_run *run, unsigned lane)
{
   assert(run);
   return lane < LIR_LANES ? run->num_emitted[lane] : 0;
}

/* ---- execution ----------------------------------------------------------- */

void
tg_run_set_loop_budget(struct tg_run *run, uint64_t iterations)
{
   assert(run);
   run->loop_budget = iterations;
}

void
tg_run_set_trace(struct tg_run *run, tg_trace_function trace, void *user)
{
   assert(run);
   run->trace = trace;
   run->trace_user = user;
}

void
tg_run_set_emit(struct tg_run *run, tg_emit_function emit, void *user)
{
   assert(run);
   run->emit = emit;
   run->emit_user = user;
}

/* Room for a variant to work in. */
static enum tg_result
reserve_scratch(struct tg_run *run, size_t size)
{
   const struct tg_allocator *allocator = run->program->allocator;

   if (run->scratch && run->scratch_size >= size)
      return TG_OK;
   unsigned char *scratch = run_memory_allocate(allocator, size);
   if (!scratch)
      return TG_ERROR_MEMORY;
   if (run->scratch)
      run_memory_free(allocator, run->scratch, run->scratch_size);
   run->scratch = scratch;
   run->scratch_size = size;
   return TG_OK;
}

/* Points the wave at what it sees. */
static void
bind(struct tg_run *run)
{
   memset(run->constants, 0, sizeof(run->constants));
   memcpy(run->constants, run->own_constants, sizeof(run->own_constants));
   resource_refresh_snapshot(run->bindings);
   resource_settle_bindings(run->bindings);
   resource_bind_constants(run->bindings, run->constants);
   resource_bind_wave(run->bindings, &run->wave);
}

/* See exec_wave.pay. */
static bool
pay_for_steps(void *payer, const struct exec_wave *wave)
{
   const struct tg_run *run = payer;

   return tg_work_pay(run->program->options.work,
                      wave->steps * (run->check ? TG_WORK_CHECKED : 1));
}

/* Runs to the end, or to a barrier that some lanes do not reach. The wave is
 * alone in its block, so a barrier at which all its lanes are holds none of
 * them. TG_ERROR_LIMIT without a fault's words: the work has ended. */
static enum tg_result
run_wave(struct tg_run *run, const struct exec_code *code,
         struct exec_fault *fault_out)
{
   const struct exec_executor *executor = code->executor;
   const struct exec_program *program = code->program;
   struct exec_wave *wave = &run->wave;

   const uint64_t unit = run->check ? TG_WORK_CHECKED : 1;
   wave->slice = TG_WORK_SLICE;
   wave->pay = pay_for_steps;
   wave->payer = run;
   enum tg_result result =
      executor->run(program, wave, run->scratch, fault_out);
   while (result == TG_OK) {
      if (!tg_work_pay(run->program->options.work,
                       TG_WORK_WAVE + wave->steps * unit)) {
         *fault_out = (struct exec_fault){.origin = wave->wait.origin};
         return TG_ERROR_LIMIT;
      }
      if (!wave->is_paused && wave->wait.lanes != wave->launched)
         break;
      result = executor->resume(program, wave, run->scratch, fault_out);
   }
   return result;
}

static void
diagnose_barrier(const struct tg_run *run, struct tg_diagnostics *diagnostics)
{
   const struct tg_shader *shader = run->program->shader;
   const struct exec_wait *wait = &run->wave.wait;
   uint32_t missing = run->wave.launched & ~wait->lanes;

   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "barrier", &shader->source,
               run_program_position(shader, wait->origin), run_barrier_note,
               "lane %d does not reach this barrier", __builtin_ctz(missing));
}

static void
diagnose_fault(const struct tg_run *run, const struct exec_fault *fault,
               struct tg_diagnostics *diagnostics)
{
   const struct tg_shader *shader = run->program->shader;
   const struct tg_position position =
      run_program_position(shader, fault->origin);

   if (fault->what)
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "limit", &shader->source,
                  position, NULL, "%s", fault->what);
   else
      tg_work_diagnose(run->program->options.work, diagnostics, &shader->source,
                       position);
}

/* Runs the wave and reports what the check found on the way. */
static enum tg_result
run_checked(struct tg_run *run, const struct exec_code *code,
            struct tg_diagnostics *diagnostics)
{
   const struct exec_wave *wave = &run->wave;
   struct exec_fault fault;

   check_begin(run->check, diagnostics);
   check_begin_wave(run->check, 0, wave);
   enum tg_result result = run_wave(run, code, &fault);
   if (result == TG_ERROR_LIMIT && fault.what)
      check_stop_wave(run->check, 0, &fault);
   else if (result == TG_ERROR_LIMIT)
      diagnose_fault(run, &fault, diagnostics);
   else if (wave->wait.lanes)
      check_miss_barrier(run->check, 0, wave->wait.origin,
                         wave->launched & ~wave->wait.lanes);
   else
      check_end_wave(run->check, 0);
   if (result == TG_OK && wave->wait.lanes)
      result = TG_ERROR_LIMIT;

   enum tg_result checked = check_end(run->check, &run->num_findings);
   return checked == TG_OK ? result : checked;
}

enum tg_result
tg_run_execute(struct tg_run *run, struct tg_diagnostics *diagnostics)
{
   assert(run);
   struct exec_lane_memory *output = &run->wave.output;
   const struct exec_code *code;
   struct exec_fault fault;
   enum tg_result result =
      run_get_variant(run->program, run->bindings, 0, diagnostics, &code);

   if (result == TG_OK)
      result = reserve_scratch(run, code->scratch_size);
   if (result != TG_OK)
      return result;
   bind(run);
   memset(output->data, 0, output->num_words * sizeof(*output->data));
   memset(run->num_emitted, 0, sizeof(run->num_emitted));
   for (unsigned i = 0; i < ABI_NUM_SHARED_BINDINGS; i++)
      memset(run->shared[i].data, 0, run->shared[i].num_bytes);
   run->wave.live = run->wave.launched;
   run->wave.loop_budget = run->loop_budget;
   if (run->check)
      return run_checked(run, code, diagnostics);

   result = run_wave(run, code, &fault);
   if (result == TG_ERROR_LIMIT)
      diagnose_fault(run, &fault, diagnostics);
   if (result == TG_OK && run->wave.wait.lanes) {
      diagnose_barrier(run, diagnostics);
      result = TG_ERROR_LIMIT;
   }
   return result;
}

uint32_t
tg_run_num_findings(const struct tg_run *run)
{
   assert(run);
   return run->num_findings;
}
