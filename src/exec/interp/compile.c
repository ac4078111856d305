/* SPDX-License-Identifier: MIT
 *
 * A module becomes a program: constants, variables and arrays get their places
 * in the scratch, functions are decoded callers first, and what came out is
 * packed into one arena.
 */
#include "exec/interp/compiler.h"
#include "exec/interp/lifetime.h"
#include "exec/interp/steps.h"

#include <assert.h>
#include <string.h>

#include "lir/passes.h"

enum {
   /* Filling in a constant costs every wave a store, so there is a bound; the
    * others are instructions where they stand. */
   MAX_CONSTANTS = 1024,
   CONSTANT_TABLE_SIZE = 4 * MAX_CONSTANTS,
   FIRST_ARRAY = LIR_NUM_SPACES - 1 - LIR_NUM_UNIFORM_SPACES,
};

_Static_assert(LIR_MAX_CALL_DEPTH == 64, "a fault of the interpreter says so");

bool
interp_compile_check_scratch(struct interp_compiler *compiler, uint64_t end)
{
   if (end <= EXEC_MAX_SCRATCH)
      return true;
   compiler->result = TG_ERROR_LIMIT;
   return false;
}

/* ---- constants ----------------------------------------------------------- */

uint64_t
interp_compile_constant_value(const struct lir_inst *inst)
{
   if (inst->op == LIR_OP_const1)
      return inst->imm ? UINT32_MAX : 0;
   return inst->op == LIR_OP_const32 ? (uint32_t)inst->imm : inst->imm;
}

/* The entry of the table that has the constant, or the one that it would get.
 * The table never fills up. */
static uint32_t *
constant_entry(const struct interp_compiler *compiler, uint64_t value,
               bool is_wide)
{
   uint64_t hash = (value ^ is_wide) * UINT64_C(0x9e3779b97f4a7c15);

   for (uint32_t i = (uint32_t)(hash >> 40);; i++) {
      uint32_t *entry = &compiler->constant_table[i % CONSTANT_TABLE_SIZE];

      if (*entry == 0)
         return entry;
      const struct interp_constant *found = &compiler->constants[*entry - 1];
      if (found->value == value && found->is_wide == is_wide)
         return entry;
   }
}

uint32_t
interp_compile_find_constant(const struct interp_compiler *compiler,
                             uint64_t value, bool is_wide)
{
   uint32_t entry = *constant_entry(compiler, value, is_wide);

   return entry ? compiler->constants[entry - 1].slot : UINT32_MAX;
}

static void
collect_constant(struct interp_compiler *compiler, const struct lir_inst *inst)
{
   uint64_t value = interp_compile_constant_value(inst);
   bool is_wide = inst->op == LIR_OP_const64;
   uint32_t *entry = constant_entry(compiler, value, is_wide);

   if (*entry || compiler->num_constants == MAX_CONSTANTS)
      return;
   compiler->constants[compiler->num_constants] = (struct interp_constant){
      .value = value,
      .slot = (uint32_t)compiler->scratch_end,
      .is_wide = is_wide,
   };
   *entry = ++compiler->num_constants;
   compiler->scratch_end += (uint64_t)compiler->set->slot_size << is_wide;
}

/* ---- variables and arrays ------------------------------------------------ */

static void
place_var(struct interp_compiler *compiler, uint32_t var)
{
   assert(var < compiler->module->num_vars);
   bool is_wide = compiler->module->vars[var].type == LIR_TYPE_B64;

   if (compiler->slot_of_var[var] != UINT32_MAX)
      return;
   compiler->slot_of_var[var] = (uint32_t)compiler->scratch_end;
   compiler->scratch_end += (uint64_t)compiler->set->slot_size << is_wide;
}

typedef void (*inst_function)(struct interp_compiler *compiler,
                              const struct lir_function *body,
                              const struct lir_inst *inst);

static void
for_each_inst(struct interp_compiler *compiler, inst_function function)
{
   const struct lir_module *module = compiler->module;

   for (uint32_t k = 0; k < module->num_functions; k++) {
      const struct lir_function *body = &module->functions[k];

      for (uint32_t i = 0; i < body->num_insts; i++)
         function(compiler, body, &body->insts[i]);
   }
}

static void
collect_constants(struct interp_compiler *compiler,
                  const struct lir_function *body, const struct lir_inst *inst)
{
   for (unsigned k = interp_first_use(body, inst);
        k < lir_op_row(inst->op)->num_operands; k++) {
      const struct lir_inst *operand = &body->insts[inst->operand[k].index];

      if (lir_op_row(operand->op)->imm == LIR_IMM_CONST)
         collect_constant(compiler, operand);
   }
   if (inst->op == LIR_OP_clock)
      compiler->has_clock = true;
   if (inst->op == LIR_OP_barrier)
      compiler->has_barriers = true;
}

static void
collect_var(struct interp_compiler *compiler, const struct lir_function *body,
            const struct lir_inst *inst)
{
   (void)body;
   if (lir_op_row(inst->op)->imm == LIR_IMM_VAR)
      place_var(compiler, (uint32_t)inst->imm);
}

/* Everything of the scratch that is not a frame. */
static void
place_globals(struct interp_compiler *compiler, struct interp_program *program)
{
   const struct lir_module *module = compiler->module;
   uint64_t slot_size = compiler->set->slot_size;

   for_each_inst(compiler, collect_constants);
   program->zeroed = (uint32_t)compiler->scratch_end;
   /* Bounded so far by the number of constants and variables. */
   for_each_inst(compiler, collect_var);
   for (uint32_t i = 0; i < module->num_arrays; i++) {
      compiler->arrays[i] = (struct interp_array){
         .slot = (uint32_t)compiler->scratch_end,
         .num_words = module->arrays[i].num_words,
      };
      compiler->scratch_end += module->arrays[i].num_words * slot_size;
      if (!interp_compile_check_scratch(compiler, compiler->scratch_end))
         return;
   }
   program->zeroed_end = (uint32_t)compiler->scratch_end;

   compiler->scratch_end = interp_round_up(compiler->scratch_end);
   program->lane_memory = (uint32_t)compiler->scratch_end;
   compiler->scratch_end +=
      interp_round_up((FIRST_ARRAY + (uint64_t)module->num_arrays) *
                      sizeof(struct exec_lane_memory));
   interp_compile_check_scratch(compiler, compiler->scratch_end);
}

/* ---- functions ----------------------------------------------------------- */

/* Functions wait here until all their callers are decoded. */
struct queue {
   uint32_t *functions;
   uint32_t begin, end;
   uint32_t *num_callers; /* calls of it that are not decoded yet */
};

static void
count_callers(const struct lir_module *module, struct queue *queue)
{
   for (uint32_t k = 0; k < module->num_functions; k++) {
      const struct lir_function *body = &module->functions[k];

      for (uint32_t i = 0; i < body->num_insts; i++) {
         if (body->insts[i].op == LIR_OP_call)
            queue->num_callers[body->insts[i].imm]++;
      }
   }
   for (uint32_t k = 0; k < module->num_functions; k++) {
      if (queue->num_callers[k] == 0)
         queue->functions[queue->end++] = k;
   }
}

static void
release_callees(struct interp_compiler *compiler, struct queue *queue,
                const struct interp_frame *frame)
{
   const struct lir_function *body =
      &compiler->module->functions[frame->function];
   uint32_t end = frame->begin + frame->size;

   for (uint32_t i = 0; i < body->num_insts; i++) {
      if (body->insts[i].op != LIR_OP_call)
         continue;
      uint32_t callee = (uint32_t)body->insts[i].imm;

      if (compiler->frame[callee] < end)
         compiler->frame[callee] = end;
      if (--queue->num_callers[callee] == 0)
         queue->functions[queue->end++] = callee;
   }
}

/* Functions that no cycle of calls leads to: a frame after the callers' is
 * free whenever the function is entered. */
static void
decode_acyclic(struct interp_compiler *compiler, struct queue *queue)
{
   while (queue->begin < queue->end && compiler->result == TG_OK) {
      struct interp_frame frame = {.function = queue->functions[queue->begin]};

      queue->begin++;
      frame.begin = compiler->frame[frame.function];
      interp_decode_function(compiler, &frame);
      if (compiler->scratch_end < (uint64_t)frame.begin + frame.size)
         compiler->scratch_end = (uint64_t)frame.begin + frame.size;
      release_callees(compiler, queue, &frame);
   }
}

/* The others may be entered while they run. Each has a frame of its own, which
 * is saved around the calls that it makes. */
static void
decode_cyclic(struct interp_compiler *compiler, const struct queue *queue,
              struct interp_program *program)
{
   uint64_t largest = 0;

   for (uint32_t k = 0; k < compiler->module->num_functions; k++) {
      if (queue->num_callers[k] == 0 || compiler->result != TG_OK)
         continue;
      struct interp_frame frame = {
         .function = k,
         .begin = (uint32_t)compiler->scratch_end,
         .is_recursive = true,
      };
      interp_decode_function(compiler, &frame);
      compiler->frame[k] = frame.begin;
      compiler->scratch_end += frame.size;
      if (largest < frame.size)
         largest = frame.size;
   }
   program->saved = (uint32_t)compiler->scratch_end;
   compiler->scratch_end += largest * LIR_MAX_CALL_DEPTH;
   interp_compile_check_scratch(compiler, compiler->scratch_end);
}

static void
resolve_calls(struct interp_compiler *compiler)
{
   for (uint32_t i = 0; i < compiler->num_calls; i++) {
      const struct interp_pending_call *call = &compiler->calls[i];
      struct interp_inst *inst = &compiler->insts[call->inst];

      inst->result = compiler->frame[call->function];
      inst->a = compiler->entry[call->function] - call->inst;
   }
}

static void
decode_functions(struct interp_compiler *compiler,
                 struct interp_program *program)
{
   uint32_t count = compiler->module->num_functions;
   struct queue queue = {
      .functions = tg_arena_array(&compiler->arena, count, sizeof(uint32_t)),
      .num_callers = tg_arena_array(&compiler->arena, count, sizeof(uint32_t)),
   };
   if (!queue.functions || !queue.num_callers) {
      compiler->result = TG_ERROR_MEMORY;
      return;
   }

   for (uint32_t k = 0; k < count; k++)
      compiler->frame[k] = (uint32_t)compiler->scratch_end;
   count_callers(compiler->module, &queue);
   decode_acyclic(compiler, &queue);
   decode_cyclic(compiler, &queue, program);
   if (compiler->result == TG_OK)
      resolve_calls(compiler);
}

/* ---- the program --------------------------------------------------------- */

static bool
start_compiler(struct interp_compiler *compiler)
{
   const struct lir_module *module = compiler->module;
   struct tg_arena *arena = &compiler->arena;
   size_t num_vars = module->num_vars;
   size_t num_functions = module->num_functions;

   compiler->constants =
      tg_arena_array(arena, MAX_CONSTANTS, sizeof(*compiler->constants));
   compiler->constant_table = tg_arena_array(arena, CONSTANT_TABLE_SIZE,
                                             sizeof(*compiler->constant_table));
   compiler->arrays =
      tg_arena_array(arena, module->num_arrays, sizeof(*compiler->arrays));
   compiler->slot_of_var =
      tg_arena_array(arena, num_vars, sizeof(*compiler->slot_of_var));
   compiler->write_of_var =
      tg_arena_array(arena, num_vars, sizeof(*compiler->write_of_var));
   compiler->entry =
      tg_arena_array(arena, num_functions, sizeof(*compiler->entry));
   compiler->frame =
      tg_arena_array(arena, num_functions, sizeof(*compiler->frame));
   if (!compiler->constants || !compiler->constant_table || !compiler->arrays ||
       !compiler->slot_of_var || !compiler->write_of_var || !compiler->entry ||
       !compiler->frame)
      return false;

   memset(compiler->slot_of_var, 0xff, num_vars * sizeof(uint32_t));
   memset(compiler->write_of_var, 0xff, num_vars * sizeof(uint32_t));
   return true;
}

static void *
keep(struct interp_program *program, const void *data, size_t count,
     size_t size)
{
   void *copy = tg_arena_array(&program->arena, count, size);

   if (copy && count)
      memcpy(copy, data, count * size);
   return copy;
}

/* The instructions, each within one cache line. */
static const struct interp_inst *
keep_insts(struct interp_program *program,
           const struct interp_compiler *compiler)
{
   size_t size = sizeof(struct interp_inst);
   unsigned char *copy =
      tg_arena_array(&program->arena, (size_t)compiler->num_insts + 1, size);

   if (!copy)
      return NULL;
   copy += (size - (uintptr_t)copy % size) % size;
   memcpy(copy, compiler->insts, compiler->num_insts * size);
   return (const struct interp_inst *)(void *)copy;
}

/* Takes what the program needs out of the compiler's arena. */
static void
keep_result(struct interp_compiler *compiler, struct interp_program *program)
{
   program->num_insts = compiler->num_insts;
   program->insts = keep_insts(program, compiler);
   program->origins = keep(program, compiler->origins, compiler->num_insts,
                           sizeof(*compiler->origins));
   program->num_constants = compiler->num_constants;
   program->constants =
      keep(program, compiler->constants, compiler->num_constants,
           sizeof(*compiler->constants));
   program->num_arrays = compiler->module->num_arrays;
   program->arrays = keep(program, compiler->arrays, program->num_arrays,
                          sizeof(*compiler->arrays));
   program->entry = compiler->entry[0];
   program->scratch_size = compiler->scratch_end;
   program->has_barriers = compiler->has_barriers;
   program->start_steps =
      program->num_constants + program->num_arrays +
      (program->zeroed_end - program->zeroed) / INTERP_BYTES_PER_STEP;
   if (!program->insts || !program->origins || !program->constants ||
       !program->arrays)
      compiler->result = TG_ERROR_MEMORY;
   else
      compiler->result = lir_find_waits(compiler->module, &program->may_wait);
}

static struct interp_program *
create_program(const struct tg_allocator *allocator)
{
   struct tg_arena arena;
   tg_arena_init(&arena, allocator);

   struct interp_program *program = tg_arena_alloc(&arena, sizeof(*program));
   if (program)
      program->arena = arena;
   return program;
}

enum tg_result
interp_compile(const struct tg_allocator *allocator,
               const struct lir_module *module, const struct interp_set *set,
               struct interp_program **program_out)
{
   struct interp_program *program = create_program(allocator);
   if (!program)
      return TG_ERROR_MEMORY;

   struct interp_compiler compiler = {
      .module = module,
      .set = set,
      .scratch_end = interp_round_up(sizeof(struct interp_state)),
   };
   tg_arena_init(&compiler.arena, allocator);
   if (!start_compiler(&compiler))
      compiler.result = TG_ERROR_MEMORY;
   if (compiler.result == TG_OK)
      place_globals(&compiler, program);
   if (compiler.result == TG_OK)
      decode_functions(&compiler, program);
   if (compiler.result == TG_OK)
      keep_result(&compiler, program);
   tg_arena_finish(&compiler.arena);

   if (compiler.result != TG_OK) {
      interp_destroy(program);
      return compiler.result;
   }
   *program_out = program;
   return TG_OK;
}

void
interp_destroy(struct interp_program *program)
{
   if (!program)
      return;

   /* The program lies in its own arena. */
   struct tg_arena arena = program->arena;
   tg_arena_finish(&arena);
}
