/* SPDX-License-Identifier: MIT
 *
 * Batched execution of vertices: their memory, and wave after wave of them.
 */
#include "tegra/simulate/simulate.h"

#include <assert.h>
#include <string.h>

#include "util/arena.h"
#include "util/diagnostics.h"
#include "util/minmax.h"
#include "util/sized.h"

enum { MAX_STEPS = 65536, ROW_ALIGNMENT = sizeof(simulate_row) };

/* ---- memory -------------------------------------------------------------- */

/* Zeroed memory for rows, which begin where cache lines do. */
static void *
allocate_rows(struct tg_arena *arena, size_t size)
{
   uintptr_t memory = (uintptr_t)tg_arena_alloc(arena, size + ROW_ALIGNMENT);

   memory += (ROW_ALIGNMENT - memory % ROW_ALIGNMENT) % ROW_ALIGNMENT;
   return memory >= ROW_ALIGNMENT ? (void *)memory : NULL;
}

/* Distinct constants that instructions name are no more than instructions. */
static bool
allocate_tables(struct simulate_machine *machine, struct tg_arena *arena)
{
   uint32_t num = machine->num_instructions;

   machine->instructions =
      tg_arena_array(arena, num, sizeof(*machine->instructions));
   machine->counts = tg_arena_array(arena, num, sizeof(*machine->counts));
   machine->constant_rows =
      allocate_rows(arena, num * sizeof(*machine->constant_rows));
   return machine->instructions && machine->counts && machine->constant_rows;
}

/* What the program gives goes before what the caller gives. */
static void
merge_constants(struct simulate_machine *machine)
{
   const struct tg_tegra_program *program = machine->program;
   const uint32_t *given = machine->batch->constants;

   for (unsigned i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++) {
      for (unsigned k = 0; k < 4; k++) {
         bool is_own = program->constant_masks[i] >> k & 1;

         machine->constants[i][k] = is_own  ? program->constants[i][k]
                                    : given ? given[i * 4 + k]
                                            : 0;
      }
   }
}

static enum tg_result
prepare_kernels(struct simulate_machine *machine, struct tg_arena *arena)
{
   struct simulate_kernels *kernels = &machine->kernels;
   enum tg_result result = TG_OK;

   kernels->allocator = arena->allocator;
   kernels->executor = exec_find_executor(NULL);
   kernels->input = machine->kernel_rows;
   kernels->output = machine->kernel_rows + 2;
   for (uint32_t i = 0; i < machine->num_instructions && result == TG_OK; i++) {
      if (machine->instructions[i].slot[TEGRA_SCALAR].function) {
         union tegra_instruction fields =
            tegra_isa_decode(machine->program->words[i]);
         result = simulate_kernels_add(kernels, fields.s_op);
      }
   }
   if (result != TG_OK)
      return result;
   kernels->scratch =
      allocate_rows(arena, simulate_kernels_scratch_size(kernels));
   return kernels->scratch ? TG_OK : TG_ERROR_MEMORY;
}

/* ---- batches ------------------------------------------------------------- */

static void
run_waves(struct simulate_machine *machine)
{
   const struct tg_tegra_batch *batch = machine->batch;
   uint32_t lanes = batch->trace ? 1 : SIMULATE_LANES;
   size_t num_words = (size_t)batch->num_vertices * TG_TEGRA_NUM_EXPORTS * 4;

   memset(batch->exports, 0, num_words * sizeof(*batch->exports));
   for (uint32_t i = 0; i < batch->num_vertices;) {
      uint32_t num = tg_min_u32(lanes, batch->num_vertices - i);

      machine->set->wave(machine, i, num);
      i += num;
   }
}

/* The set that the interpreter takes, which asks the processor. */
static const struct simulate_set *
choose_set(const char *name)
{
   static const struct simulate_set *const sets[] = {
#define INTERP_INSTRUCTION_SET(name, is_there) &SIMULATE_SET_OF(name),
#include "exec/interp/sets.def"
   };
   unsigned i = 0;

   while (strcmp(sets[i]->name, name ? name : exec_interpreter()->name) != 0)
      i++;
   return sets[i];
}

static bool
is_fused(const struct tg_tegra_program *program,
         const struct tg_tegra_batch *batch)
{
   const enum tg_tegra_mad mad =
      batch->mad == TG_TEGRA_MAD_AS_COMPILED ? program->mad : batch->mad;

   return mad == TG_TEGRA_MAD_FUSED;
}

static enum tg_result
run(const struct simulate_set *set, const struct tg_tegra_program *program,
    const struct tg_tegra_batch *batch, struct tg_arena *arena,
    struct tg_diagnostics *diagnostics)
{
   struct simulate_machine *machine = allocate_rows(arena, sizeof(*machine));

   if (!machine)
      return TG_ERROR_MEMORY;
   machine->set = set;
   machine->program = program;
   machine->batch = batch;
   machine->is_fused = is_fused(program, batch);
   machine->num_instructions = program->num_instructions;
   if (!allocate_tables(machine, arena))
      return TG_ERROR_MEMORY;
   merge_constants(machine);
   simulate_decode(machine);

   enum tg_result result = prepare_kernels(machine, arena);
   if (result == TG_OK) {
      run_waves(machine);
      simulate_report(machine, diagnostics);
   }
   simulate_kernels_finish(&machine->kernels);
   return result;
}

enum tg_result
simulate_run(const char *set, const struct tg_tegra_program *program,
             const struct tg_tegra_batch *given,
             struct tg_diagnostics *diagnostics)
{
   struct tg_tegra_batch batch;
   struct tg_arena arena;
   enum tg_result result = tg_tegra_batch_take(&batch, given, diagnostics);

   if (result != TG_OK)
      return result;
   if (!batch.exports && batch.num_vertices)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "no-exports",
                         "a batch of vertices has no room for exports");
   if (batch.mad > TG_TEGRA_MAD_FUSED)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "bad-mad",
                         "a batch of vertices has MAD round in no known way");
   if (program->num_instructions == 0)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "empty-program",
                         "a program without instructions does not run");
   if (batch.num_vertices == 0)
      return TG_OK;
   if (batch.max_steps == 0)
      batch.max_steps = MAX_STEPS;
   tg_arena_init(&arena, program->arena.allocator);
   result = run(choose_set(set), program, &batch, &arena, diagnostics);
   tg_arena_finish(&arena);
   return result;
}

enum tg_result
tg_tegra_run(const struct tg_tegra_program *program,
             const struct tg_tegra_batch *batch,
             struct tg_diagnostics *diagnostics)
{
   assert(program);
   assert(batch);
   return simulate_run(NULL, program, batch, diagnostics);
}
