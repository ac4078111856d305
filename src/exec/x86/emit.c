/* SPDX-License-Identifier: MIT
 *
 * The function around the waves: what comes before them, the loops over rounds
 * and over the waves of each, and segments of their instructions.
 */
#include <string.h>

#include "exec/jit/names.h"
#include "exec/x86/emitter.h"
#include "exec/x86/memory.h"
#include "util/length.h"

#define FRAME(field) offsetof(struct jit_frame, field)
#define ROUND(field) offsetof(struct exec_round, field)

/* Registers that a function has to give back as they were. */
static const enum x86_general saved[] = {X86_RBP, X86_RBX, X86_R12,
                                         X86_R13, X86_R14, X86_R15};
enum { NUM_SAVED = sizeof(saved) / sizeof(saved[0]), STACK_ALIGNMENT = 64 };
_Static_assert(TG_LENGTH(saved) <= JIT_MAX_SAVES, "debuggers know of all");

/* ---- calls and ends ------------------------------------------------------ */

static void
move(struct x86_emitter *e, enum x86_general to, enum x86_general from)
{
   x86_asm_load(&e->a, X86_PAIR, to, x86_register(from));
}

void
x86_emit_helper_call(struct x86_emitter *e, enum jit_helper helper)
{
   x86_asm_forget_upper(&e->a);
   move(e, X86_RDI, X86_FRAME);
   x86_asm_load(&e->a, X86_PAIR, X86_RAX, x86_field(FRAME(helpers)));
   x86_asm_call(&e->a, x86_at(X86_RAX, (int32_t)(helper * sizeof(jit_helper))));
}

void
x86_emit_keep_live(struct x86_emitter *e)
{
   x86_bits_of_mask(e, X86_LIVE, X86_RAX, X86_RCX);
   x86_asm_store(&e->a, X86_WORD, x86_at(X86_ROUND, ROUND(live)), X86_RAX);
   x86_asm_count_ones(&e->a, X86_RAX, X86_RAX);
   x86_asm_compute(&e->a, X86_ADD, X86_WORD, X86_RAX, x86_stack(X86_NUM_LIVE));
   x86_asm_store(&e->a, X86_WORD, x86_stack(X86_NUM_LIVE), X86_RAX);
   x86_asm_store(&e->a, X86_WORD, x86_at(X86_ROUND, ROUND(num_live)), X86_RAX);
}

void
x86_emit_leave(struct x86_emitter *e, enum jit_end how)
{
   x86_asm_forget_upper(&e->a);
   x86_asm_set(&e->a, X86_RAX, how);
   move(e, X86_RSP, X86_RBP);
   for (unsigned i = NUM_SAVED; i-- > 0;)
      x86_asm_pop(&e->a, saved[i]);
   x86_asm_return(&e->a);
}

/* ---- before the waves ---------------------------------------------------- */

static void
push(struct x86_emitter *e, enum x86_general reg)
{
   x86_asm_push(&e->a, reg);
   x86_note_save_for_lines(e, reg);
}

static void
begin_function(struct x86_emitter *e)
{
   for (unsigned i = 0; i < NUM_SAVED; i++)
      push(e, saved[i]);
   move(e, X86_RBP, X86_RSP);
   e->prologue.frame_offset = e->a.num_bytes;
   e->stack_fixup = x86_asm_take_stack(&e->a);
   x86_asm_compute_imm(&e->a, X86_AND, X86_PAIR, x86_register(X86_RSP),
                       -STACK_ALIGNMENT);
   move(e, X86_FRAME, X86_RDI);
   x86_asm_store_imm(&e->a, X86_WORD, x86_field(FRAME(num_run)), 0);
   x86_asm_load(&e->a, X86_PAIR, X86_RAX, x86_field(FRAME(budget)));
   x86_asm_store(&e->a, X86_PAIR, x86_stack(X86_FIRST_BUDGET), X86_RAX);
}

static void
emit(struct x86_emitter *e, uint32_t at)
{
   const struct x86_inst *inst = &e->unit.insts[at];

   e->at = at;
   x86_locate(e, inst->origin);
   if (x86_alus[inst->op])
      x86_alus[inst->op](e);
   else
      x86_find_action(inst)(e, inst);
   x86_reg_finish(e);
}

/* Loop-invariant code motion: what is computed from constants, constant buffers
 * and textures alone is computed once for all waves. Nothing that computes
 * traps, so that it may run where no lane would come to it. */
static void
emit_invariants(struct x86_emitter *e)
{
   e->is_before_waves = true;
   e->end = e->unit.num_insts;
   for (uint32_t i = 0; i < e->unit.num_insts; i++) {
      const struct x86_inst *inst = &e->unit.insts[i];

      if (inst->is_invariant && !x86_is_constant(inst))
         emit(e, i);
   }
   x86_reg_forget(e);
   e->is_before_waves = false;
}

/* ---- rounds and waves ---------------------------------------------------- */

/* The lanes whose bits are in ECX. */
static void
emit_mask(struct x86_emitter *e, int32_t place)
{
   x86_asm_vector(&e->a, X86_vmovd_load, 0, 0, x86_register(X86_RCX));
   x86_asm_vector(&e->a, X86_vpbroadcastd, 0, 0, x86_register(0));
   for (unsigned half = 0; half < 2; half++) {
      uint32_t bits[X86_HALF_LANES];

      for (unsigned i = 0; i < X86_HALF_LANES; i++)
         bits[i] = UINT32_C(1) << (half * X86_HALF_LANES + i);
      const struct x86_operand constant = x86_asm_constant(&e->a, bits);
      x86_asm_vector(&e->a, X86_vpand, 1, 0, constant);
      x86_asm_vector(&e->a, X86_vpcmpeqd, 1, 1, constant);
      x86_asm_vector(&e->a, X86_vmovaps_store, 1, 0,
                     x86_stack(place + (int32_t)(half * X86_VECTOR_BYTES)));
   }
}

/* Finds the next round; ends where it has no lanes. */
static void
find_round(struct x86_emitter *e)
{
   x86_asm_load(&e->a, X86_WORD, X86_RAX, x86_field(FRAME(num_run)));
   x86_asm_multiply_imm(&e->a, X86_RAX, x86_register(X86_RAX),
                        sizeof(struct exec_round));
   x86_asm_compute(&e->a, X86_ADD, X86_PAIR, X86_RAX, x86_field(FRAME(rounds)));
   move(e, X86_ROUND, X86_RAX);
   x86_asm_load(&e->a, X86_WORD, X86_RCX, x86_at(X86_ROUND, ROUND(launched)));
   x86_asm_compute(&e->a, X86_OR, X86_WORD, X86_RCX, x86_register(X86_RCX));
   x86_asm_jump_if(&e->a, X86_EQUAL, e->done);
}

static bool
has_var(const struct x86_inst *inst)
{
   return inst->op != X86_OP_leave && lir_op_row(inst->op)->imm == LIR_IMM_VAR;
}

/* Variables that are in use are zero when a wave starts. */
static void
clear_vars(struct x86_emitter *e)
{
   x86_asm_vector(&e->a, X86_vxorps, 0, 0, x86_register(0));
   for (uint32_t i = 0; i < e->unit.num_insts; i++) {
      const uint64_t var = e->unit.insts[i].imm;

      if (!has_var(&e->unit.insts[i]) || e->vars[var] != X86_NO_SLOT)
         continue;
      const unsigned bytes = e->unit.var_is_scalar[var] ? X86_VECTOR_BYTES
                             : e->module->vars[var].type == LIR_TYPE_B64
                                ? 4 * X86_VECTOR_BYTES
                                : 2 * X86_VECTOR_BYTES;
      e->vars[var] = x86_reg_take_slot(e, bytes);
      for (unsigned k = 0; k < bytes; k += X86_VECTOR_BYTES)
         x86_asm_vector(&e->a, X86_vmovaps_store, 0, 0,
                        x86_stack(e->vars[var] + (int32_t)k));
   }
}

/* What all waves of a round begin with. */
static void
begin_round(struct x86_emitter *e)
{
   x86_asm_place(&e->a, e->round);
   find_round(e);
   emit_mask(e, X86_LAUNCHED);
   x86_asm_load(&e->a, X86_WORD, X86_RCX, x86_at(X86_ROUND, ROUND(live)));
   emit_mask(e, X86_FIRST_LIVE);
   x86_asm_load(&e->a, X86_WORD, X86_RAX, x86_at(X86_ROUND, ROUND(num_more)));
   x86_asm_store(&e->a, X86_WORD, x86_stack(X86_NUM_MORE), X86_RAX);
   x86_asm_store_imm(&e->a, X86_WORD, x86_stack(X86_NUM_LIVE), 0);
   x86_asm_load(&e->a, X86_PAIR, X86_INPUT, x86_at(X86_ROUND, ROUND(input)));
   x86_asm_load(&e->a, X86_PAIR, X86_SYSVAL, x86_at(X86_ROUND, ROUND(sysval)));
   x86_asm_load(&e->a, X86_PAIR, X86_OUTPUT, x86_at(X86_ROUND, ROUND(output)));
}

static void
begin_wave(struct x86_emitter *e)
{
   x86_asm_place(&e->a, e->wave);
   for (int32_t k = 0; k < 2 * X86_VECTOR_BYTES; k += X86_VECTOR_BYTES) {
      x86_asm_vector(&e->a, X86_vmovaps_load, 0, 0,
                     x86_stack(X86_FIRST_LIVE + k));
      x86_asm_vector(&e->a, X86_vmovaps_store, 0, 0, x86_stack(X86_LIVE + k));
   }
   x86_asm_load(&e->a, X86_PAIR, X86_RAX, x86_stack(X86_FIRST_BUDGET));
   x86_asm_store(&e->a, X86_PAIR, x86_field(FRAME(budget)), X86_RAX);
   clear_vars(e);
   e->is_full = true;
   e->levels[0] = (struct x86_level){
      .op = LIR_OP_call,
      .was_full = true,
      .end = x86_asm_label(&e->a),
      .remembered = X86_NO_SLOT,
      .otherwise = X86_NO_SLOT,
   };
   e->levels[0].exit = e->levels[0].end;
}

/* To the next wave of the round, if any: see exec_advance_round(). */
static void
advance_wave(struct x86_emitter *e)
{
   const uint32_t ended = x86_asm_label(&e->a);

   x86_asm_compute_imm(&e->a, X86_SUB, X86_WORD, x86_stack(X86_NUM_MORE), 1);
   x86_asm_jump_if(&e->a, X86_BELOW, ended);
   x86_asm_load(&e->a, X86_WORD, X86_RAX, x86_field(FRAME(moving_word)));
   x86_asm_shift(&e->a, X86_PAIR, X86_RAX, 6); /* of a row */
   x86_asm_vector(&e->a, X86_vbroadcastss, 0, 0, x86_field(FRAME(stride)));
   for (unsigned half = 0; half < 2; half++) {
      const struct x86_operand row = x86_at_index(
         X86_INPUT, X86_RAX, 0, (int32_t)(half * X86_VECTOR_BYTES));

      x86_asm_vector(&e->a, X86_vpaddd, 1, 0, row);
      x86_asm_vector(&e->a, X86_vmovups_store, 1, 0, row);
   }
   x86_asm_jump(&e->a, e->wave);
   x86_asm_place(&e->a, ended);
}

static void
end_wave(struct x86_emitter *e)
{
   x86_control_count_steps(e);
   x86_emit_keep_live(e);
   advance_wave(e);
   x86_asm_load(&e->a, X86_WORD, X86_RAX, x86_field(FRAME(num_run)));
   x86_asm_compute_imm(&e->a, X86_ADD, X86_WORD, x86_register(X86_RAX), 1);
   x86_asm_store(&e->a, X86_WORD, x86_field(FRAME(num_run)), X86_RAX);
   x86_asm_compute(&e->a, X86_CMP, X86_WORD, X86_RAX,
                   x86_field(FRAME(num_rounds)));
   x86_asm_jump_if(&e->a, X86_BELOW, e->round);
   x86_asm_place(&e->a, e->done);
   x86_emit_leave(e, JIT_END_OK);
}

/* ---- segments ------------------------------------------------------------ */

/* Does it run once for both halves: what is uniform, and writes to variables
 * that are? */
static bool
runs_once(const struct x86_emitter *e, const struct x86_inst *inst)
{
   return inst->is_uniform ||
          (has_var(inst) && e->unit.var_is_scalar[inst->imm]);
}

static void
emit_run(struct x86_emitter *e, uint32_t first, uint32_t end)
{
   for (uint32_t i = first; i < end; i++) {
      const struct x86_inst *inst = &e->unit.insts[i];

      if (!inst->is_invariant && !x86_needs_no_register(e, inst) &&
          (e->half == 0 || !runs_once(e, inst)))
         emit(e, i);
   }
}

static uint32_t
find_segment_end(const struct x86_emitter *e, uint32_t first)
{
   uint32_t end = first;

   while (end < e->unit.num_insts &&
          x86_is_action_of_segment(e, &e->unit.insts[end]))
      end++;
   return end;
}

/* Runs begin at multiples of their length; for debuggers they end with a line,
 * too, so that both halves of it come before the next one. */
static uint32_t
end_of_run(const struct x86_emitter *e, uint32_t at, uint32_t end)
{
   const uint32_t next = (at | (X86_RUN - 1)) + 1;

   return x86_end_of_line(e, at, next < end ? next : end);
}

static void
emit_segment(struct x86_emitter *e, uint32_t first, uint32_t end)
{
   e->end = end;
   for (uint32_t i = first, next; i < end; i = next) {
      next = end_of_run(e, i, end);
      for (e->half = 0; e->half < 2; e->half++)
         emit_run(e, i, next);
   }
   x86_reg_forget(e);
   e->half = 0;
   e->uncounted += end - first;
}

static void
emit_whole(struct x86_emitter *e, uint32_t at)
{
   const struct x86_inst *inst = &e->unit.insts[at];

   e->at = at;
   e->end = at + 1;
   e->uncounted += inst->op != X86_OP_leave;
   x86_locate(e, inst->origin);
   if (x86_is_control(inst))
      x86_control(e, inst);
   else
      x86_find_whole_action(inst)(e, inst);
   x86_reg_forget(e);
   e->half = 0;
}

static void
emit_wave(struct x86_emitter *e)
{
   uint32_t at = 0;

   while (at < e->unit.num_insts && e->result == TG_OK && !e->a.failed) {
      const uint32_t end = find_segment_end(e, at);

      if (end > at)
         emit_segment(e, at, end);
      else
         emit_whole(e, at);
      x86_reg_free_slots(e);
      at = end > at ? end : at + 1;
      if (e->a.num_bytes > X86_MAX_CODE)
         e->result = TG_ERROR_LIMIT;
   }
}

/* ---- the code ------------------------------------------------------------ */

static bool
can_emit(const struct x86_unit *unit)
{
   for (uint32_t i = 0; i < unit->num_insts; i++) {
      const struct x86_inst *inst = &unit->insts[i];

      if (!x86_is_control(inst) && !x86_is_constant(inst) &&
          !x86_alus[inst->op] && !x86_find_action(inst))
         return false;
   }
   return true;
}

static bool
init_places(struct x86_emitter *e)
{
   const struct lir_module *module = e->module;
   const uint32_t num_bounds = e->shape->num_bindings * 3;

   e->vars = tg_arena_array(e->arena, module->num_vars, sizeof(*e->vars));
   e->bounds = tg_arena_array(e->arena, num_bounds, sizeof(*e->bounds));
   e->first_array_word = tg_arena_array(e->arena, module->num_arrays,
                                        sizeof(*e->first_array_word));
   e->levels =
      tg_arena_array(e->arena, e->unit.most_open + 1, sizeof(*e->levels));
   if (!e->vars || !e->bounds || !e->first_array_word || !e->levels)
      return false;
   for (uint32_t i = 0; i < module->num_vars; i++)
      e->vars[i] = X86_NO_SLOT;
   for (uint32_t i = 0; i < num_bounds; i++)
      e->bounds[i] = X86_NO_SLOT;
   for (uint32_t i = 0, word = 0; i < module->num_arrays; i++) {
      e->first_array_word[i] = word;
      word += module->arrays[i].num_words;
   }
   return x86_reg_init(e);
}

static void
emit_function(struct x86_emitter *e)
{
   e->stack = X86_FIRST_SLOT;
   e->round = x86_asm_label(&e->a);
   e->wave = x86_asm_label(&e->a);
   e->done = x86_asm_label(&e->a);
   x86_begin_lines(e);
   begin_function(e);
   x86_emit_memory_bounds(e);
   emit_invariants(e);
   begin_round(e);
   begin_wave(e);
   emit_wave(e);
   if (e->result != TG_OK || e->a.failed)
      return;
   end_wave(e);
   x86_control_emit_faults(e);
   x86_asm_fill_in(&e->a, e->stack_fixup, (uint32_t)e->stack);
}

enum tg_result
x86_emit(struct x86_emitter *e, const struct lir_module *module,
         const struct jit_shape *shape, struct tg_arena *arena)
{
   *e = (struct x86_emitter){
      .arena = arena,
      .module = module,
      .shape = shape,
   };
   e->result = x86_unit_init(&e->unit, module, jit_names_are_for_gdb(), arena);
   if (e->result != TG_OK)
      return e->result;
   if (!can_emit(&e->unit))
      return TG_ERROR_LIMIT;
   x86_asm_init(&e->a, arena);
   if (!init_places(e))
      return TG_ERROR_MEMORY;
   emit_function(e);
   if (e->result == TG_OK && e->a.failed)
      e->result = TG_ERROR_MEMORY;
   return e->result;
}
