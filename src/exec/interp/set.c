/* SPDX-License-Identifier: MIT
 *
 * The interpreter for one instruction set. The build compiles this file once
 * for each, with INTERP_SET defined to the set's name, and interpreter.c picks
 * one.
 */
#include "exec/interp/sets.h"

#include <assert.h>

#define INTERP_LANES 16
_Static_assert(INTERP_LANES == LIR_LANES, "a handler runs a wave");

#include "exec/interp/handlers_alu.inc"
#include "exec/interp/handlers_control.inc"
#include "exec/interp/handlers_memory.inc"
#include "exec/interp/handlers_wave.inc"

static const struct interp_set set = {
   .handlers =
      {
#define LIR_ALU1(name, r, a, expression, title) ALU1_ENTRY(name, a)
#define LIR_ALU2(name, r, a, b, expression, title) ALU2_ENTRY(name, a, b)
#define LIR_ALU3(name, r, a, b, c, expression, title) ALU3_ENTRY(name, a, b, c)
#include "lir/ops.def"
#define LIR_ATOMIC(name, n, expression, title)                                 \
   [INTERP_##name] = HANDLERS(ENTRY(name)),
#include "lir/ops.def"
#define INTERP_OP(name, title) [INTERP_##name] = HANDLERS(ENTRY(name)),
#define INTERP_OP_FROM(name, title)                                            \
   [INTERP_##name] = HANDLERS(FROM_B32(name##_)),
#include "exec/interp/ops.def"
      },
   .slot_size = INTERP_LANES * sizeof(uint32_t),
};

/* ---- a run --------------------------------------------------------------- */

static void
fill_in_constants(const struct interp_program *program, unsigned char *scratch)
{
   for (uint32_t i = 0; i < program->num_constants; i++) {
      const struct interp_constant *constant = &program->constants[i];

      if (constant->is_wide) {
         uint64_t *pairs = SLOT(constant->slot);
         FOR_LANES (lane)
            pairs[lane] = constant->value;
      } else {
         broadcast(SLOT(constant->slot), (uint32_t)constant->value);
      }
   }
}

/* Makes the table of lane memory. */
static const struct exec_lane_memory *
list_lane_memory(const struct interp_program *program,
                 const struct exec_wave *wave, unsigned char *scratch)
{
   struct exec_lane_memory *table =
      (struct exec_lane_memory *)(void *)(scratch + program->lane_memory);

   table[LIR_SPACE_INPUT - LIR_NUM_UNIFORM_SPACES] = wave->input;
   table[LIR_SPACE_SYSVAL - LIR_NUM_UNIFORM_SPACES] = wave->sysval;
   table[LIR_SPACE_OUTPUT - LIR_NUM_UNIFORM_SPACES] = wave->output;
   for (uint32_t i = 0; i < program->num_arrays; i++) {
      table[LIR_SPACE_ARRAY - LIR_NUM_UNIFORM_SPACES + i] =
         (struct exec_lane_memory){
            .data = SLOT(program->arrays[i].slot),
            .num_words = program->arrays[i].num_words,
         };
   }
   return table;
}

/* Says where and why the wave has stopped. */
static enum tg_result
report_stop(const struct interp_program *program,
            const struct interp_state *state, struct exec_fault *fault_out)
{
   struct exec_wave *wave = state->wave;
   const struct interp_inst *at = state->stopped_at;
   const uint32_t origin = program->origins[at - program->insts];

   wave->wait = (struct exec_wait){.origin = LIR_NO_ORIGIN};
   wave->is_paused = state->stop == INTERP_PAUSE;
   if (state->stop == INTERP_END)
      return TG_OK;
   wave->wait.origin = origin;
   if (state->stop == INTERP_FAULT) {
      *fault_out = (struct exec_fault){
         .origin = origin,
         .lanes = state->active,
         .what = state->fault,
      };
      return TG_ERROR_LIMIT;
   }
   if (state->stop == INTERP_BARRIER) {
      wave->wait.lanes = state->active;
      wave->wait.visit =
         extend_path(state->path, (const unsigned char *)state, at);
   }
   return TG_OK;
}

/* Goes on from an instruction, `steps` having been paid already, and says how
 * that ended. */
static enum tg_result
go_on(const struct interp_program *program, struct interp_state *state,
      const struct interp_inst *inst, uint32_t steps,
      struct exec_fault *fault_out)
{
   const uintptr_t size = sizeof(*inst);
   struct exec_wave *wave = state->wave;

   state->since = (uintptr_t)inst - steps * size;
   state->slice = wave->slice ? wave->slice * size : UINTPTR_MAX;
   run_from(state, (unsigned char *)state, inst);
   wave->live = state->live;
   wave->loop_budget = state->budget;
   wave->steps = ((uintptr_t)state->stopped_at - state->since) / size +
                 (state->stop != INTERP_PAUSE);
   return report_stop(program, state, fault_out);
}

/* Begins a wave in scratch that has the constants, which nothing writes. */
static enum tg_result
begin_wave(const struct interp_program *program, struct exec_wave *wave,
           unsigned char *scratch, struct exec_fault *fault_out)
{
   struct interp_state *state = (struct interp_state *)(void *)scratch;

   memset(scratch + program->zeroed, 0, program->zeroed_end - program->zeroed);
   state->active = wave->launched;
   state->live = wave->live;
   state->budget = wave->loop_budget;
   state->count = 0;
   state->depth = 0;
   state->path = 0;
   state->saved = scratch + program->saved;
   state->wave = wave;
   state->lane_memory = list_lane_memory(program, wave, scratch);
   return go_on(program, state, program->insts + program->entry,
                program->start_steps, fault_out);
}

static enum tg_result
run(const struct exec_program *exec_program, struct exec_wave *wave,
    void *scratch, struct exec_fault *fault_out)
{
   const struct interp_program *program = interp_program(exec_program);

   wave->wait = (struct exec_wait){.origin = LIR_NO_ORIGIN};
   wave->is_paused = false;
   wave->steps = 0;
   if (wave->launched == 0)
      return TG_OK;
   fill_in_constants(program, scratch);
   return begin_wave(program, wave, scratch, fault_out);
}

static enum tg_result
resume(const struct exec_program *exec_program, struct exec_wave *wave,
       void *scratch, struct exec_fault *fault_out)
{
   struct interp_state *state = scratch;
   const struct interp_inst *at = state->stopped_at;

   (void)wave;
   assert(wave == state->wave);
   assert(wave->is_paused || wave->wait.lanes == state->active);
   return go_on(interp_program(exec_program), state,
                state->stop == INTERP_PAUSE ? at : at + 1, 0, fault_out);
}

/* ---- rounds -------------------------------------------------------------- */

/* Waves that stop or take turns need scratches of their own. */
static bool
can_run_rounds(const struct interp_program *program,
               const struct exec_wave *wave)
{
   return !(program->has_barriers && wave->stops_at_barriers) &&
          !wave->takes_turns && (wave->pay || !wave->slice);
}

/* Runs a wave to its end; it pays where it would pause. */
static enum tg_result
run_and_pay(const struct exec_program *program, struct exec_wave *wave,
            void *scratch, struct exec_fault *fault_out)
{
   enum tg_result result =
      begin_wave(interp_program(program), wave, scratch, fault_out);

   while (result == TG_OK && wave->is_paused) {
      if (!wave->pay(wave->payer, wave)) {
         *fault_out = (struct exec_fault){.origin = wave->wait.origin};
         wave->steps = 0;
         return TG_ERROR_LIMIT;
      }
      result = resume(program, wave, scratch, fault_out);
   }
   return result;
}

/* Runs the waves of a round, of which `wave` is a copy for itself. Returns what
 * they took in `*steps`. */
static enum tg_result
run_round(const struct exec_program *program, struct exec_wave wave,
          struct exec_round *round, void *scratch, uint64_t *steps,
          struct exec_fault *fault_out)
{
   const uint64_t budget = wave.loop_budget;
   enum tg_result result = TG_OK;

   wave.launched = round->launched;
   wave.input.data = round->input;
   wave.sysval.data = round->sysval;
   wave.output.data = round->output;
   round->num_live = 0;
   for (uint32_t i = 0; i <= round->num_more && result == TG_OK; i++) {
      if (i > 0)
         exec_advance_round(&wave, round);
      wave.live = round->live;
      wave.loop_budget = budget;
      result = run_and_pay(program, &wave, scratch, fault_out);
      *steps += wave.steps;
      round->num_live += (uint32_t)__builtin_popcount(wave.live);
   }
   round->live = wave.live;
   round->wait = (struct exec_wait){.origin = LIR_NO_ORIGIN};
   return result;
}

/* The constants are filled in once. */
static enum tg_result
run_rounds(const struct exec_program *exec_program, struct exec_wave *wave,
           struct exec_round *rounds, uint32_t count, void *scratch,
           uint32_t *num_run, struct exec_fault *fault_out)
{
   const struct interp_program *program = interp_program(exec_program);
   enum tg_result result = TG_OK;

   *num_run = 0;
   wave->steps = 0;
   wave->wait = (struct exec_wait){.origin = LIR_NO_ORIGIN};
   wave->is_paused = false;
   if (!can_run_rounds(program, wave))
      return TG_OK;
   fill_in_constants(program, scratch);
   while (*num_run < count && rounds[*num_run].launched) {
      result = run_round(exec_program, *wave, &rounds[*num_run], scratch,
                         &wave->steps, fault_out);
      if (result != TG_OK)
         break;
      ++*num_run;
   }
   return result;
}

/* ---- the executor -------------------------------------------------------- */

static enum tg_result
compile(const struct exec_build *build, const struct lir_module *module,
        struct exec_program **program_out)
{
   struct interp_program *program;
   enum tg_result result =
      interp_compile(exec_build_allocator(build), module, &set, &program);

   if (result == TG_OK)
      *program_out = (struct exec_program *)program;
   return result;
}

static void
destroy(struct exec_program *program)
{
   interp_destroy((struct interp_program *)program);
}

static size_t
scratch_size(const struct exec_program *program)
{
   return interp_program(program)->scratch_size;
}

static bool
has_barriers(const struct exec_program *program)
{
   return interp_program(program)->has_barriers;
}

static bool
may_wait(const struct exec_program *program)
{
   return interp_program(program)->may_wait;
}

#define TEXT(name) TEXT_(name)
#define TEXT_(name) #name

const struct exec_executor INTERP_EXECUTOR(INTERP_SET) = {
   .name = TEXT(INTERP_SET),
   .compile = compile,
   .destroy = destroy,
   .scratch_size = scratch_size,
   .has_barriers = has_barriers,
   .may_wait = may_wait,
   .run = run,
   .resume = resume,
   .run_rounds = run_rounds,
};
