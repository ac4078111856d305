/* SPDX-License-Identifier: MIT
 *
 * The scalar executor. A program is a copy of the module; a row of `actions`
 * says what each operation does. Which lanes are active, and what constructs
 * remember, is as lir/lir.h describes it.
 *
 * Scratch, from its beginning, in rows of one value for each lane:
 *   struct state
 *   variables, then words of arrays   zeroed when the wave starts
 *   frames                            one for each call that is open: struct
 *                                     frame, its constructs, its values
 */
#include "scalar.h"

#include <assert.h>
#include <string.h>

#include "lir/eval.h"
#include "lir/evaluate.h"
#include "lir/passes.h"

typedef uint64_t row[LIR_LANES];
typedef uint32_t words[LIR_LANES];

#define FOR_LANES(i) for (unsigned i = 0; i < LIR_LANES; i++)

/* ---- the program --------------------------------------------------------- */

struct function {
   const struct lir_inst *insts;
   uint32_t num_insts;
   uint32_t num_levels; /* constructs in each other, at most */
   size_t frame_size;
};

struct array {
   uint32_t first, num_words; /* rows */
};

struct program {
   struct tg_arena arena; /* owns everything, the program too */
   struct function *functions;
   struct array *arrays;
   uint32_t num_functions, num_vars, num_array_words;
   size_t vars, words, frames; /* offsets in the scratch */
   uint64_t scratch_size;
   bool has_barriers, may_wait;
};

struct construct {
   uint32_t opener;
   uint32_t remembered; /* lanes that go on after its end */
   uint32_t otherwise;  /* lanes that go on after its else */
   uint64_t turns;      /* of a loop */
};

struct frame {
   const struct function *function;
   uint32_t at;      /* the next instruction */
   uint32_t entered; /* lanes that go on after the call */
   uint32_t level;   /* constructs that are open */
   struct construct *constructs;
   row *values;
};

enum stop { RUNNING, ENDED, AT_BARRIER, PAUSED, FAULTED };

struct state {
   const struct program *program;
   struct exec_wave *wave;
   row *vars;
   words *array_words;
   uint32_t active, live;
   uint64_t budget, count, steps;
   enum stop stop;
   const char *fault;
   uint32_t depth; /* of calls */
   struct frame *frames[LIR_MAX_CALL_DEPTH + 1];
};

static struct frame *
top(const struct state *state)
{
   return state->frames[state->depth];
}

static bool
has_lane(uint32_t lanes, unsigned lane)
{
   return lanes >> lane & 1;
}

/* ---- values -------------------------------------------------------------- */

static uint64_t *
result_of(const struct state *state, const struct lir_inst *inst)
{
   const struct frame *frame = top(state);

   return frame->values[inst - frame->function->insts];
}

static const uint64_t *
operand(const struct state *state, const struct lir_inst *inst, unsigned index)
{
   return top(state)->values[inst->operand[index].index];
}

static uint32_t
lanes_where(const uint64_t *condition)
{
   uint32_t lanes = 0;

   FOR_LANES (i)
      lanes |= (uint32_t)(condition[i] != 0) << i;
   return lanes;
}

static void
run_compute(struct state *state, const struct lir_inst *inst)
{
   uint64_t *result = result_of(state, inst);

   FOR_LANES (i) {
      uint64_t operands[3] = {0};

      for (unsigned k = 0; k < lir_ops[inst->op].num_operands; k++)
         operands[k] = operand(state, inst, k)[i];
      const bool has_meaning =
         lir_evaluate((enum lir_op)inst->op, operands, &result[i]);
      assert(has_meaning);
      (void)has_meaning;
   }
}

static void
run_const(struct state *state, const struct lir_inst *inst)
{
   FOR_LANES (i)
      result_of(state, inst)[i] = inst->imm;
}

static void
run_lane(struct state *state, const struct lir_inst *inst)
{
   FOR_LANES (i)
      result_of(state, inst)[i] = i;
}

static void
run_getvar(struct state *state, const struct lir_inst *inst)
{
   memcpy(result_of(state, inst), state->vars[inst->imm], sizeof(row));
}

static void
run_setvar(struct state *state, const struct lir_inst *inst)
{
   FOR_LANES (i) {
      if (has_lane(state->active, i))
         state->vars[inst->imm][i] = operand(state, inst, 0)[i];
   }
}

static void
run_putvar(struct state *state, const struct lir_inst *inst)
{
   memcpy(state->vars[inst->imm], operand(state, inst, 0), sizeof(row));
}

/* ---- other lanes and the wave -------------------------------------------- */

static void
derive(struct state *state, const struct lir_inst *inst, unsigned step)
{
   const uint64_t *a = operand(state, inst, 0);

   FOR_LANES (i)
      result_of(state, inst)[i] =
         F(f((uint32_t)a[i | step]) - f((uint32_t)a[i & ~step]));
}

static void
run_fddx(struct state *state, const struct lir_inst *inst)
{
   derive(state, inst, 1);
}

static void
run_fddy(struct state *state, const struct lir_inst *inst)
{
   derive(state, inst, 2);
}

static void
run_read_quad(struct state *state, const struct lir_inst *inst)
{
   const uint64_t *a = operand(state, inst, 0), *b = operand(state, inst, 1);

   FOR_LANES (i)
      result_of(state, inst)[i] = a[i / 4 * 4 + b[i] % 4];
}

static void
run_ballot(struct state *state, const struct lir_inst *inst)
{
   const uint32_t lanes = lanes_where(operand(state, inst, 0)) & state->active;

   FOR_LANES (i)
      result_of(state, inst)[i] = lanes;
}

static void
run_read_first(struct state *state, const struct lir_inst *inst)
{
   unsigned first = 0;

   while (!has_lane(state->active, first))
      first++;
   FOR_LANES (i)
      result_of(state, inst)[i] = operand(state, inst, 0)[first];
}

static void
run_read_lane(struct state *state, const struct lir_inst *inst)
{
   const uint64_t *a = operand(state, inst, 0), *b = operand(state, inst, 1);

   FOR_LANES (i) {
      const bool is_there =
         b[i] < LIR_LANES && has_lane(state->active, (unsigned)b[i]);

      result_of(state, inst)[i] = is_there ? a[b[i]] : 0;
   }
}

static void
run_live(struct state *state, const struct lir_inst *inst)
{
   FOR_LANES (i)
      result_of(state, inst)[i] = has_lane(state->live, i);
}

static void
run_kill(struct state *state, const struct lir_inst *inst)
{
   state->live &= ~(lanes_where(operand(state, inst, 0)) & state->active);
}

static void
run_clock(struct state *state, const struct lir_inst *inst)
{
   FOR_LANES (i)
      result_of(state, inst)[i] = state->count;
}

/* ---- memory -------------------------------------------------------------- */

/* What is not bound has no words. */
static struct exec_memory
uniform_memory(const struct state *state, uint64_t imm)
{
   const struct exec_wave *wave = state->wave;
   const enum lir_space space = lir_mem_space(imm);
   const uint32_t binding = lir_mem_binding(imm);

   if (binding >= wave->num_memories[space])
      return (struct exec_memory){.num_bytes = 0};
   return wave->memory[space][binding];
}

static struct exec_lane_memory
lane_memory(const struct state *state, uint64_t imm)
{
   const struct array *array = &state->program->arrays[lir_mem_binding(imm)];

   switch (lir_mem_space(imm)) {
   case LIR_SPACE_INPUT: return state->wave->input;
   case LIR_SPACE_SYSVAL: return state->wave->sysval;
   case LIR_SPACE_OUTPUT: return state->wave->output;
   default:
      return (struct exec_lane_memory){state->array_words + array->first,
                                       array->num_words};
   }
}

/* A lane's unit of `size` bytes at `index`, or NULL where there is none. */
static void *
find_unit(const struct state *state, uint64_t imm, unsigned lane,
          uint64_t index, size_t size)
{
   if (lir_mem_space(imm) >= LIR_NUM_UNIFORM_SPACES) {
      const struct exec_lane_memory memory = lane_memory(state, imm);

      return index < memory.num_words ? &memory.data[index][lane] : NULL;
   }
   const struct exec_memory memory = uniform_memory(state, imm);

   return index < memory.num_bytes / size
             ? (unsigned char *)memory.data + index * size
             : NULL;
}

/* Is a unit there for certain? Of a declared size less may be bound. */
static bool
has_unit(const struct lir_inst *inst)
{
   return inst->is_inside && lir_mem_space(inst->imm) == LIR_SPACE_ARRAY;
}

/* Loads read in all lanes, stores write in active ones, the lowest first; other
 * threads see a unit whole. */
#define UNIT(name, type)                                                       \
   static void run_load##name(struct state *state,                             \
                              const struct lir_inst *inst)                     \
   {                                                                           \
      FOR_LANES (i) {                                                          \
         const type *unit = find_unit(                                         \
            state, inst->imm, i, operand(state, inst, 0)[i], sizeof(type));    \
                                                                               \
         assert(unit || !has_unit(inst));                                      \
         result_of(state, inst)[i] =                                           \
            unit ? __atomic_load_n(unit, __ATOMIC_RELAXED) : 0;                \
      }                                                                        \
   }                                                                           \
   static void run_store##name(struct state *state,                            \
                               const struct lir_inst *inst)                    \
   {                                                                           \
      FOR_LANES (i) {                                                          \
         type *unit = find_unit(state, inst->imm, i,                           \
                                operand(state, inst, 0)[i], sizeof(type));     \
                                                                               \
         assert(unit || !has_unit(inst));                                      \
         if (unit && has_lane(state->active, i))                               \
            __atomic_store_n(unit, (type)operand(state, inst, 1)[i],           \
                             __ATOMIC_RELAXED);                                \
      }                                                                        \
   }
UNIT(8, uint8_t)
UNIT(16, uint16_t)
UNIT(32, uint32_t)
#undef UNIT

static void
run_memsize(struct state *state, const struct lir_inst *inst)
{
   const uint64_t size = uniform_memory(state, inst->imm).num_bytes;

   FOR_LANES (i)
      result_of(state, inst)[i] = size < UINT32_MAX ? size : UINT32_MAX;
}

/* What an atomic operation leaves of a word. */
static uint32_t
word_after(enum lir_op op, uint32_t a, uint32_t b, uint32_t c)
{
   switch (op) {
#define LIR_ATOMIC(name, n, expression, title)                                 \
   case LIR_OP_##name: {                                                       \
      return expression;                                                       \
   }
#include "lir/ops.def"
   default: return a;
   }
}

static void
run_atomic(struct state *state, const struct lir_inst *inst)
{
   const unsigned last = lir_ops[inst->op].num_operands - 1;

   FOR_LANES (i) {
      uint32_t *word = find_unit(state, inst->imm, i,
                                 operand(state, inst, 0)[i], sizeof(*word));
      const uint32_t b = (uint32_t)operand(state, inst, last)[i];
      const uint32_t c = (uint32_t)operand(state, inst, last - 1)[i];
      uint32_t old = 0;

      if (word && has_lane(state->active, i)) {
         old = __atomic_load_n(word, __ATOMIC_RELAXED);
         while (!__atomic_compare_exchange_n(
            word, &old, word_after((enum lir_op)inst->op, old, b, c), false,
            __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            ;
      }
      result_of(state, inst)[i] = old;
   }
}

/* An exchange and no fence, of which the thread sanitizer knows nothing. */
static void
run_fence(struct state *state, const struct lir_inst *inst)
{
   uint32_t word = 0;

   (void)state;
   (void)inst;
   __atomic_exchange_n(&word, 1, __ATOMIC_SEQ_CST);
   __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* ---- control ------------------------------------------------------------- */

static void
fail(struct state *state, const char *what)
{
   state->fault = what;
   state->stop = FAULTED;
}

/* Pays for going back to the top of a loop, or a call. Whether to do it: if
 * not, the wave pauses before it, or has failed. */
static bool
pay(struct state *state)
{
   if (state->budget == 0) {
      fail(state, "the loop budget is used up");
      return false;
   }
   if (state->wave->slice && state->steps > state->wave->slice) {
      state->stop = PAUSED;
      return false;
   }
   state->budget--;
   return true;
}

static struct construct *
innermost(const struct state *state)
{
   const struct frame *frame = top(state);

   return &frame->constructs[frame->level - 1];
}

static void
run_block(struct state *state, const struct lir_inst *inst)
{
   struct frame *frame = top(state);

   frame->constructs[frame->level++] = (struct construct){
      .opener = (uint32_t)(inst - frame->function->insts),
      .remembered = state->active,
   };
}

static void
run_if(struct state *state, const struct lir_inst *inst)
{
   const uint32_t entered =
      lanes_where(operand(state, inst, 0)) & state->active;

   run_block(state, inst);
   innermost(state)->otherwise = state->active & ~entered;
   state->active = entered;
}

static void
run_else(struct state *state, const struct lir_inst *inst)
{
   (void)inst;
   state->active = innermost(state)->otherwise;
}

static void
run_end(struct state *state, const struct lir_inst *inst)
{
   struct frame *frame = top(state);
   struct construct *construct = innermost(state);

   (void)inst;
   if (frame->function->insts[construct->opener].op == LIR_OP_loop &&
       state->active) {
      if (!pay(state))
         return;
      construct->turns++;
      frame->at = construct->opener + 1;
      return;
   }
   state->active = construct->remembered;
   frame->level--;
}

static void
run_br(struct state *state, const struct lir_inst *inst)
{
   struct frame *frame = top(state);

   for (uint32_t level = (uint32_t)inst->imm; level < frame->level; level++)
      frame->constructs[level].remembered &= ~state->active;
   state->active = 0;
}

/* A frame after the one that begins at `frame`. */
static struct frame *
push_frame(const struct function *function, void *frame_memory,
           uint32_t entered)
{
   struct frame *frame = frame_memory;
   struct construct *constructs = (void *)(frame + 1);

   *frame = (struct frame){
      .function = function,
      .entered = entered,
      .constructs = constructs,
      .values = (row *)(void *)(constructs + function->num_levels),
   };
   return frame;
}

static void
run_call(struct state *state, const struct lir_inst *inst)
{
   struct frame *caller = top(state);

   if (state->depth == LIR_MAX_CALL_DEPTH) {
      fail(state, "calls are nested more than 64 deep");
      return;
   }
   if (!pay(state))
      return;
   state->frames[++state->depth] = push_frame(
      &state->program->functions[inst->imm],
      (unsigned char *)caller + caller->function->frame_size, state->active);
}

static void
run_barrier(struct state *state, const struct lir_inst *inst)
{
   (void)inst;
   if (state->wave->stops_at_barriers)
      state->stop = AT_BARRIER;
}

/* With no lane active nothing is done up to the else or end of the innermost
 * construct, or the end of the function. */
static void
skip(struct frame *frame)
{
   uint32_t level = 0;

   for (; frame->at < frame->function->num_insts; frame->at++) {
      const uint8_t flags = lir_ops[frame->function->insts[frame->at].op].flags;

      if (flags & LIR_FLAG_CLOSE && level == 0)
         return;
      level -= (flags & LIR_FLAG_CLOSE) != 0;
      level += (flags & LIR_FLAG_OPEN) != 0;
   }
}

/* ---- listeners ----------------------------------------------------------- */

static void
to_words(const uint64_t *values, words out)
{
   FOR_LANES (i)
      out[i] = (uint32_t)values[i];
}

static void
run_trace(struct state *state, const struct lir_inst *inst)
{
   const struct exec_listener *listener = state->wave->listener;
   words value;

   to_words(operand(state, inst, 0), value);
   if (listener && listener->trace)
      listener->trace(listener->user, inst->imm, state->active, value);
}

static void
run_emit(struct state *state, const struct lir_inst *inst)
{
   const struct exec_listener *listener = state->wave->listener;
   words stream;

   to_words(operand(state, inst, 0), stream);
   if (listener && listener->emit)
      listener->emit(listener->user, state->active, stream);
}

static void
run_endprim(struct state *state, const struct lir_inst *inst)
{
   const struct exec_listener *listener = state->wave->listener;
   words stream;

   to_words(operand(state, inst, 0), stream);
   if (listener && listener->endprim)
      listener->endprim(listener->user, state->active, stream);
}

/* ---- the table ----------------------------------------------------------- */

typedef void (*action)(struct state *state, const struct lir_inst *inst);

static const action actions[LIR_NUM_OPS] = {
#define LIR_ALU1(name, r, a, expression, title) [LIR_OP_##name] = run_compute,
#define LIR_ALU2(name, r, a, b, expression, title)                             \
   [LIR_OP_##name] = run_compute,
#define LIR_ALU3(name, r, a, b, c, expression, title)                          \
   [LIR_OP_##name] = run_compute,
#define LIR_ATOMIC(name, n, expression, title) [LIR_OP_##name] = run_atomic,
#include "lir/ops.def"
   [LIR_OP_const1] = run_const,
   [LIR_OP_const32] = run_const,
   [LIR_OP_const64] = run_const,
   [LIR_OP_lane] = run_lane,
   [LIR_OP_getvar1] = run_getvar,
   [LIR_OP_getvar32] = run_getvar,
   [LIR_OP_getvar64] = run_getvar,
   [LIR_OP_setvar1] = run_setvar,
   [LIR_OP_setvar32] = run_setvar,
   [LIR_OP_setvar64] = run_setvar,
   [LIR_OP_putvar32] = run_putvar,
   [LIR_OP_fddx] = run_fddx,
   [LIR_OP_fddy] = run_fddy,
   [LIR_OP_read_quad] = run_read_quad,
   [LIR_OP_ballot] = run_ballot,
   [LIR_OP_read_first] = run_read_first,
   [LIR_OP_read_lane] = run_read_lane,
   [LIR_OP_live] = run_live,
   [LIR_OP_kill] = run_kill,
   [LIR_OP_clock] = run_clock,
   [LIR_OP_barrier] = run_barrier,
   [LIR_OP_fence] = run_fence,
   [LIR_OP_load8] = run_load8,
   [LIR_OP_load16] = run_load16,
   [LIR_OP_load32] = run_load32,
   [LIR_OP_store8] = run_store8,
   [LIR_OP_store16] = run_store16,
   [LIR_OP_store32] = run_store32,
   [LIR_OP_memsize] = run_memsize,
   [LIR_OP_block] = run_block,
   [LIR_OP_loop] = run_block,
   [LIR_OP_if] = run_if,
   [LIR_OP_else] = run_else,
   [LIR_OP_end] = run_end,
   [LIR_OP_br] = run_br,
   [LIR_OP_call] = run_call,
   [LIR_OP_trace] = run_trace,
   [LIR_OP_emit] = run_emit,
   [LIR_OP_endprim] = run_endprim,
};

/* ---- a run --------------------------------------------------------------- */

static void
return_from_function(struct state *state)
{
   if (state->depth == 0) {
      state->stop = ENDED;
      return;
   }
   state->active = top(state)->entered;
   state->depth--;
}

static void
step(struct state *state)
{
   struct frame *frame = top(state);

   if (!state->active)
      skip(frame);
   if (frame->at == frame->function->num_insts) {
      return_from_function(state);
      return;
   }
   const struct lir_inst *inst = &frame->function->insts[frame->at++];
   state->steps++;
   actions[inst->op](state, inst);
   if (state->stop == PAUSED) { /* it is still to be done */
      state->steps--;
      frame->at--;
   }
   if (!(lir_ops[inst->op].flags & LIR_FLAG_CONTROL))
      state->count++;
}

static uint64_t
mix(uint64_t hash, uint64_t word)
{
   return (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15) >> 7 ^ hash << 57;
}

/* Follows from the calls that are open, the turns of the loops around each, and
 * the barrier. */
static uint64_t
current_visit(const struct state *state)
{
   uint64_t visit = 0;

   for (uint32_t depth = 0; depth <= state->depth; depth++) {
      const struct frame *frame = state->frames[depth];

      visit = mix(visit, frame->at);
      for (uint32_t i = 0; i < frame->level; i++)
         visit = mix(visit, frame->constructs[i].turns);
   }
   return visit;
}

static enum tg_result
go_on(struct state *state, struct exec_fault *fault_out)
{
   struct exec_wave *wave = state->wave;

   state->stop = RUNNING;
   while (state->stop == RUNNING)
      step(state);

   const struct frame *frame = top(state);
   const uint32_t at = state->stop == PAUSED ? frame->at : frame->at - 1;
   const bool has_origin = state->stop != ENDED;
   wave->live = state->live;
   wave->loop_budget = state->budget;
   wave->steps = state->steps;
   wave->is_paused = state->stop == PAUSED;
   wave->wait = (struct exec_wait){
      .origin = has_origin ? frame->function->insts[at].origin : LIR_NO_ORIGIN,
   };
   if (state->stop == AT_BARRIER) {
      wave->wait.lanes = state->active;
      wave->wait.visit = current_visit(state);
   }
   if (state->stop != FAULTED)
      return TG_OK;
   *fault_out =
      (struct exec_fault){wave->wait.origin, state->active, state->fault};
   return TG_ERROR_LIMIT;
}

static enum tg_result
run(const struct exec_program *exec_program, struct exec_wave *wave,
    void *scratch_memory, struct exec_fault *fault_out)
{
   const struct program *program = (const void *)exec_program;
   unsigned char *scratch = scratch_memory;
   struct state *state = scratch_memory;

   wave->wait = (struct exec_wait){.origin = LIR_NO_ORIGIN};
   wave->is_paused = false;
   wave->steps = 0;
   if (wave->launched == 0)
      return TG_OK;
   memset(scratch + program->vars, 0, program->frames - program->vars);
   *state = (struct state){
      .program = program,
      .wave = wave,
      .vars = (row *)(void *)(scratch + program->vars),
      .array_words = (words *)(void *)(scratch + program->words),
      .active = wave->launched,
      .live = wave->live,
      .budget = wave->loop_budget,
      .steps = program->num_vars + program->num_array_words,
   };
   state->frames[0] =
      push_frame(&program->functions[0], scratch + program->frames, 0);
   return go_on(state, fault_out);
}

static enum tg_result
resume(const struct exec_program *program, struct exec_wave *wave,
       void *scratch, struct exec_fault *fault_out)
{
   struct state *state = scratch;

   (void)program;
   assert(wave == state->wave);
   assert(wave->is_paused || wave->wait.lanes == state->active);
   state->steps = 0;
   return go_on(state, fault_out);
}

/* ---- compiling ----------------------------------------------------------- */

static size_t
round_up(size_t size)
{
   return (size + 63) / 64 * 64;
}

static bool
copy_function(struct program *program, const struct lir_function *from,
              struct function *to)
{
   struct lir_inst *insts =
      tg_arena_array(&program->arena, from->num_insts, sizeof(*insts));
   uint32_t level = 0;

   if (!insts)
      return false;
   memcpy(insts, from->insts, from->num_insts * sizeof(*insts));
   *to = (struct function){.insts = insts, .num_insts = from->num_insts};
   for (uint32_t i = 0; i < from->num_insts; i++) {
      const uint8_t flags = lir_ops[insts[i].op].flags;

      level -= (flags & LIR_FLAG_CLOSE) != 0;
      level += (flags & LIR_FLAG_OPEN) != 0;
      to->num_levels = level > to->num_levels ? level : to->num_levels;
      program->has_barriers |= insts[i].op == LIR_OP_barrier;
   }
   to->frame_size = round_up(sizeof(struct frame) +
                             to->num_levels * sizeof(struct construct)) +
                    from->num_insts * sizeof(row);
   return true;
}

static bool
copy_module(struct program *program, const struct lir_module *module)
{
   struct tg_arena *arena = &program->arena;

   program->num_functions = module->num_functions;
   program->num_vars = module->num_vars;
   program->functions =
      tg_arena_array(arena, module->num_functions, sizeof(*program->functions));
   program->arrays =
      tg_arena_array(arena, module->num_arrays + 1, sizeof(*program->arrays));
   if (!program->functions || !program->arrays)
      return false;
   for (uint32_t i = 0; i < module->num_arrays; i++) {
      program->arrays[i] =
         (struct array){program->num_array_words, module->arrays[i].num_words};
      program->num_array_words += module->arrays[i].num_words;
   }
   if (lir_find_waits(module, &program->may_wait) != TG_OK)
      return false;
   for (uint32_t i = 0; i < module->num_functions; i++) {
      if (!copy_function(program, &module->functions[i],
                         &program->functions[i]))
         return false;
   }
   return true;
}

/* Of the functions that each one calls, the deepest stack. */
static uint64_t
deepest_callee(const struct function *function, const uint64_t *depths)
{
   uint64_t deepest = 0;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      if (function->insts[i].op == LIR_OP_call &&
          depths[function->insts[i].imm] > deepest)
         deepest = depths[function->insts[i].imm];
   }
   return deepest;
}

/* Bytes of the frames of the first function and what it calls, found call by
 * call, up to as many as there can be. */
static bool
measure_frames(struct program *program, uint64_t *size_out)
{
   const uint32_t count = program->num_functions;
   uint64_t *depths = tg_arena_array(&program->arena, count, sizeof(*depths));
   uint64_t *deeper = tg_arena_array(&program->arena, count, sizeof(*deeper));
   bool changed = true;

   if (!depths || !deeper)
      return false;
   for (unsigned i = 0; i <= LIR_MAX_CALL_DEPTH && changed; i++) {
      for (uint32_t k = 0; k < count; k++)
         deeper[k] = program->functions[k].frame_size +
                     deepest_callee(&program->functions[k], depths);
      changed = memcmp(depths, deeper, count * sizeof(*depths)) != 0;
      memcpy(depths, deeper, count * sizeof(*depths));
   }
   *size_out = depths[0];
   return true;
}

static enum tg_result
fill_in(struct program *program, const struct lir_module *module)
{
   uint64_t frames;

   if (!copy_module(program, module) || !measure_frames(program, &frames))
      return TG_ERROR_MEMORY;
   program->vars = round_up(sizeof(struct state));
   program->words = program->vars + program->num_vars * sizeof(row);
   program->frames = program->words + program->num_array_words * sizeof(words);
   program->scratch_size = program->frames + frames;
   return program->scratch_size <= EXEC_MAX_SCRATCH ? TG_OK : TG_ERROR_LIMIT;
}

static void
destroy(struct exec_program *exec_program)
{
   if (!exec_program)
      return;
   struct tg_arena arena = ((struct program *)exec_program)->arena;
   tg_arena_finish(&arena);
}

static enum tg_result
compile(const struct exec_build *build, const struct lir_module *module,
        struct exec_program **program_out)
{
   struct tg_arena arena;
   tg_arena_init(&arena, exec_build_allocator(build));
   struct program *program = tg_arena_alloc(&arena, sizeof(*program));

   if (!program)
      return TG_ERROR_MEMORY;
   program->arena = arena;
   const enum tg_result result = fill_in(program, module);
   if (result == TG_OK)
      *program_out = (struct exec_program *)program;
   else
      destroy((struct exec_program *)program);
   return result;
}

static size_t
scratch_size(const struct exec_program *program)
{
   return ((const struct program *)program)->scratch_size;
}

static bool
has_barriers(const struct exec_program *program)
{
   return ((const struct program *)program)->has_barriers;
}

static bool
may_wait(const struct exec_program *program)
{
   return ((const struct program *)program)->may_wait;
}

const struct exec_executor scalar_executor = {
   .name = "scalar",
   .compile = compile,
   .destroy = destroy,
   .scratch_size = scratch_size,
   .has_barriers = has_barriers,
   .may_wait = may_wait,
   .run = run,
   .resume = resume,
};

const struct exec_executor *const exec_others[] = {&scalar_executor, NULL};
