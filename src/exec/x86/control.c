/* SPDX-License-Identifier: MIT
 *
 * Control flow: what lir/lir.h says of lanes that enter, leave and go on. Each
 * construct has a mask of the lanes that go on after it. Where an end finds
 * none left, control goes to the next else or end outwards, the escape. A
 * branch on a uniform condition changes no mask, and a br that all launched
 * lanes take is a jump. Masks are on the stack: no register is in use here.
 */
#include "exec/x86/block.h"
#include "exec/x86/emitter.h"

#define FRAME(field) offsetof(struct jit_frame, field)

enum { MASK_BYTES = 2 * X86_VECTOR_BYTES };

static struct x86_level *
current_level(const struct x86_emitter *e)
{
   return &e->levels[e->level];
}

bool
x86_is_control(const struct x86_inst *inst)
{
   return inst->op == X86_OP_leave ||
          lir_op_row(inst->op)->flags & LIR_FLAG_CONTROL;
}

/* ---- masks --------------------------------------------------------------- */

int32_t
x86_active_place(const struct x86_emitter *e)
{
   return e->is_full ? X86_LAUNCHED : X86_ACTIVE;
}

static struct x86_operand
half_of(int32_t mask, unsigned half)
{
   return x86_stack(mask + (int32_t)(half * X86_VECTOR_BYTES));
}

void
x86_bits_of_mask(struct x86_emitter *e, int32_t mask, enum x86_general to,
                 enum x86_general other)
{
   const enum x86_general bits[2] = {to, other};

   for (unsigned half = 0; half < 2; half++) {
      x86_asm_vector(&e->a, X86_vmovaps_load, half, 0, half_of(mask, half));
      x86_asm_vector(&e->a, X86_vmovmskps, bits[half], 0, x86_register(half));
   }
   x86_asm_shift(&e->a, X86_WORD, other, X86_HALF_LANES);
   x86_asm_compute(&e->a, X86_OR, X86_WORD, to, x86_register(other));
}

static void
copy_mask(struct x86_emitter *e, int32_t to, int32_t from)
{
   for (unsigned half = 0; half < 2; half++) {
      x86_asm_vector(&e->a, X86_vmovaps_load, half, 0, half_of(from, half));
      x86_asm_vector(&e->a, X86_vmovaps_store, half, 0, half_of(to, half));
   }
}

/* Lanes of `mask` that are not among `lanes`. */
static void
remove_lanes(struct x86_emitter *e, int32_t mask, int32_t lanes)
{
   for (unsigned half = 0; half < 2; half++) {
      x86_asm_vector(&e->a, X86_vmovaps_load, half, 0, half_of(lanes, half));
      x86_asm_vector(&e->a, X86_vandnps, half, half, half_of(mask, half));
      x86_asm_vector(&e->a, X86_vmovaps_store, half, 0, half_of(mask, half));
   }
}

/* Goes to `label` if a mask, which is in registers 0 and 1, has no lane. */
static void
go_if_none(struct x86_emitter *e, uint32_t label)
{
   x86_asm_vector(&e->a, X86_vorps, 2, 0, x86_register(1));
   x86_asm_vector(&e->a, X86_vtestps, 2, 0, x86_register(2));
   x86_asm_jump_if(&e->a, X86_EQUAL, label);
}

static void
go_if_none_in(struct x86_emitter *e, int32_t mask, uint32_t label)
{
   for (unsigned half = 0; half < 2; half++)
      x86_asm_vector(&e->a, X86_vmovaps_load, half, 0, half_of(mask, half));
   go_if_none(e, label);
}

/* ---- where control goes -------------------------------------------------- */

/* Counts the instructions since the last branch as run. */
void
x86_control_count_steps(struct x86_emitter *e)
{
   if (e->is_dead || e->uncounted == 0)
      return;
   x86_asm_compute_imm(&e->a, X86_ADD, X86_PAIR, x86_field(FRAME(steps)),
                       (int32_t)e->uncounted);
   e->uncounted = 0;
}

static void
enter(struct x86_emitter *e, uint32_t label)
{
   x86_asm_place(&e->a, label);
   e->is_dead = false;
}

static void
go_to(struct x86_emitter *e, uint32_t label)
{
   x86_control_count_steps(e);
   if (!e->is_dead)
      x86_asm_jump(&e->a, label);
   e->is_dead = true;
}

/* Where no lane is left in the innermost construct. */
static uint32_t
escape(const struct x86_emitter *e)
{
   const struct x86_level *level = current_level(e);

   return level->op == LIR_OP_if && level->in_then && !level->is_plain_if
             ? level->other
             : level->end;
}

/* ---- ends of the wave ---------------------------------------------------- */

/* Where the wave ends with a fault. */
static uint32_t
fault(struct x86_emitter *e, const struct x86_inst *inst, enum jit_end how)
{
   void *faults = e->faults;
   const uint32_t label = x86_asm_label(&e->a);

   if (!tg_arena_reserve(e->arena, &faults, &e->fault_capacity, e->num_faults,
                         sizeof(*e->faults))) {
      e->result = TG_ERROR_MEMORY;
      return label;
   }
   e->faults = faults;
   e->faults[e->num_faults++] = (struct x86_fault){
      .label = label,
      .origin = inst->origin,
      .is_full = e->is_full,
      .how = how,
   };
   return label;
}

void
x86_control_emit_faults(struct x86_emitter *e)
{
   for (uint32_t i = 0; i < e->num_faults; i++) {
      const struct x86_fault *end = &e->faults[i];

      x86_asm_place(&e->a, end->label);
      x86_locate(e, end->origin);
      e->is_full = end->is_full;
      x86_asm_store_imm(&e->a, X86_WORD, x86_field(FRAME(fault_origin)),
                        end->origin);
      x86_bits_of_mask(e, x86_active_place(e), X86_RAX, X86_RCX);
      x86_asm_store(&e->a, X86_WORD, x86_field(FRAME(fault_lanes)), X86_RAX);
      x86_emit_keep_live(e);
      x86_emit_leave(e, end->how);
   }
}

/* Takes one from the loop budget. */
static void
charge(struct x86_emitter *e, const struct x86_inst *inst)
{
   x86_control_count_steps(e);
   x86_asm_compute_imm(&e->a, X86_CMP, X86_PAIR, x86_field(FRAME(budget)), 0);
   x86_asm_jump_if(&e->a, X86_EQUAL, fault(e, inst, JIT_END_BUDGET));
   x86_asm_compute_imm(&e->a, X86_SUB, X86_PAIR, x86_field(FRAME(budget)), 1);
}

/* Pays for what has been run, if that is a slice. */
static void
pay_if_due(struct x86_emitter *e, const struct x86_inst *inst)
{
   const uint32_t on = x86_asm_label(&e->a);

   x86_asm_load(&e->a, X86_PAIR, X86_RAX, x86_field(FRAME(steps)));
   x86_asm_compute(&e->a, X86_CMP, X86_PAIR, X86_RAX, x86_field(FRAME(slice)));
   x86_asm_jump_if(&e->a, X86_BELOW, on);
   x86_asm_store_imm(&e->a, X86_WORD,
                     x86_field(FRAME(call) + offsetof(struct jit_call, origin)),
                     inst->origin);
   x86_emit_helper_call(e, JIT_HELPER_pay);
   x86_asm_store_imm(&e->a, X86_PAIR, x86_field(FRAME(steps)), 0);
   x86_asm_compute(&e->a, X86_OR, X86_WORD, X86_RAX, x86_register(X86_RAX));
   x86_asm_jump_if(&e->a, X86_EQUAL, fault(e, inst, JIT_END_PAY));
   x86_asm_place(&e->a, on);
}

/* ---- constructs ---------------------------------------------------------- */

/* What it remembers is the launched lanes, if nothing changes that. */
static struct x86_level *
open_level(struct x86_emitter *e, const struct x86_inst *inst)
{
   struct x86_level *level = &e->levels[++e->level];

   *level = (struct x86_level){
      .op = inst->op,
      .in_then = inst->op == LIR_OP_if,
      .was_full = e->is_full,
      .has_else = inst->has_else,
      .end = x86_asm_label(&e->a),
      .remembered = X86_NO_SLOT,
      .otherwise = X86_NO_SLOT,
   };
   level->exit = level->end;
   if (!e->is_full || inst->is_crossed) {
      level->remembered = x86_reg_take_slot(e, MASK_BYTES);
      copy_mask(e, level->remembered, x86_active_place(e));
   }
   return level;
}

static void
return_mask(struct x86_emitter *e, int32_t slot)
{
   if (slot != X86_NO_SLOT)
      x86_reg_return_slot(e, slot, MASK_BYTES);
}

/* After the end of a construct: the lanes that it remembered, if there are
 * any. */
static void
close_level(struct x86_emitter *e)
{
   const struct x86_level *level = current_level(e);

   e->is_full = level->was_full && !level->is_lossy;
   if (!e->is_full)
      copy_mask(e, X86_ACTIVE, level->remembered);
   return_mask(e, level->remembered);
   return_mask(e, level->otherwise);
   e->level--;
   if (!level->is_lossy)
      return;
   x86_control_count_steps(e);
   go_if_none_in(e, X86_ACTIVE, escape(e));
}

static void
begin_block(struct x86_emitter *e, const struct x86_inst *inst)
{
   open_level(e, inst);
}

/* A condition that is the same in all lanes. */
static void
begin_plain_if(struct x86_emitter *e, const struct x86_inst *inst,
               struct x86_level *level)
{
   const struct x86_operand condition = x86_reg_source(e, inst->operand[0], 0);

   x86_control_count_steps(e);
   x86_asm_load(&e->a, X86_WORD, X86_RAX, condition);
   x86_asm_compute(&e->a, X86_OR, X86_WORD, X86_RAX, x86_register(X86_RAX));
   x86_asm_jump_if(&e->a, X86_EQUAL, level->other);
}

/* The active lanes without those of the condition, which go on at the else. */
static void
keep_otherwise(struct x86_emitter *e, const struct x86_operand condition[2],
               struct x86_level *level, int32_t active)
{
   level->otherwise = x86_reg_take_slot(e, MASK_BYTES);
   for (unsigned half = 0; half < 2; half++) {
      x86_asm_vector(&e->a, X86_vmovaps_load, half, 0, condition[half]);
      x86_asm_vector(&e->a, X86_vandnps, half, half, half_of(active, half));
      x86_asm_vector(&e->a, X86_vmovaps_store, half, 0,
                     half_of(level->otherwise, half));
   }
}

static void
begin_if(struct x86_emitter *e, const struct x86_inst *inst)
{
   struct x86_level *level = open_level(e, inst);
   const int32_t active = x86_active_place(e);
   struct x86_operand condition[2];

   level->other = x86_asm_label(&e->a);
   level->is_plain_if = e->unit.insts[inst->operand[0]].is_uniform;
   if (level->is_plain_if) {
      begin_plain_if(e, inst, level);
      return;
   }
   for (e->half = 0; e->half < 2; e->half++)
      condition[e->half] = x86_reg_source(e, inst->operand[0], 0);
   e->half = 0;
   if (level->has_else)
      keep_otherwise(e, condition, level, active);
   for (unsigned half = 0; half < 2; half++) {
      x86_asm_vector(&e->a, X86_vmovaps_load, half, 0, condition[half]);
      x86_asm_vector(&e->a, X86_vandps, half, half, half_of(active, half));
      x86_asm_vector(&e->a, X86_vmovaps_store, half, 0,
                     half_of(X86_ACTIVE, half));
   }
   e->is_full = false;
   x86_control_count_steps(e);
   go_if_none(e, level->other);
}

static void
begin_else(struct x86_emitter *e, const struct x86_inst *inst)
{
   struct x86_level *level = current_level(e);

   (void)inst;
   x86_forget_blocks(e);
   go_to(e, level->is_plain_if ? level->end : level->other);
   enter(e, level->other);
   level->in_then = false;
   e->is_full = level->was_full && level->is_plain_if;
   if (level->is_plain_if)
      return;
   copy_mask(e, X86_ACTIVE, level->otherwise);
   go_if_none_in(e, X86_ACTIVE, level->end);
}

static void
begin_loop(struct x86_emitter *e, const struct x86_inst *inst)
{
   struct x86_level *level = open_level(e, inst);

   level->top = x86_asm_label(&e->a);
   level->exit = x86_asm_label(&e->a);
   if (e->is_full && !inst->is_uniform) {
      copy_mask(e, X86_ACTIVE, X86_LAUNCHED);
      e->is_full = false;
   }
   level->stays_full = e->is_full;
   x86_control_count_steps(e);
   x86_asm_place(&e->a, level->top);
}

/* Lanes that reach the end go back to the top. */
static void
repeat(struct x86_emitter *e, const struct x86_inst *inst)
{
   const struct x86_level *level = current_level(e);

   e->is_full = level->stays_full;
   if (!level->stays_full) {
      x86_control_count_steps(e);
      go_if_none_in(e, X86_ACTIVE, level->exit);
   }
   charge(e, inst);
   pay_if_due(e, inst);
   go_to(e, level->top);
}

static void
end(struct x86_emitter *e, const struct x86_inst *inst)
{
   const struct x86_level *level = current_level(e);

   x86_forget_blocks(e);
   x86_control_count_steps(e);
   if (level->in_then)
      x86_asm_place(&e->a, level->other);
   x86_asm_place(&e->a, level->end);
   e->is_dead = false;
   if (level->op == LIR_OP_loop) {
      repeat(e, inst);
      enter(e, level->exit);
   }
   close_level(e);
}

static void
branch(struct x86_emitter *e, const struct x86_inst *inst)
{
   const uint32_t to = (uint32_t)inst->imm;

   if (e->is_full) {
      go_to(e, e->levels[to].exit);
      return;
   }
   for (uint32_t i = to + 1; i <= e->level; i++) {
      remove_lanes(e, e->levels[i].remembered, X86_ACTIVE);
      e->levels[i].is_lossy = true;
   }
   x86_asm_vector(&e->a, X86_vxorps, 0, 0, x86_register(0));
   for (unsigned half = 0; half < 2; half++)
      x86_asm_vector(&e->a, X86_vmovaps_store, 0, 0, half_of(X86_ACTIVE, half));
   go_to(e, escape(e));
}

/* ---- functions ----------------------------------------------------------- */

static void
call(struct x86_emitter *e, const struct x86_inst *inst)
{
   charge(e, inst);
   open_level(e, inst);
}

/* All lanes that entered go on after it. */
static void
leave(struct x86_emitter *e, const struct x86_inst *inst)
{
   const struct x86_level *level = current_level(e);

   (void)inst;
   x86_forget_blocks(e);
   go_to(e, level->end);
   enter(e, level->end);
   e->is_full = level->was_full;
   if (!e->is_full && e->level > 0)
      copy_mask(e, X86_ACTIVE, level->remembered);
   return_mask(e, level->remembered);
   e->level -= e->level > 0;
}

void
x86_control(struct x86_emitter *e, const struct x86_inst *inst)
{
   switch (inst->op) {
   case LIR_OP_block: begin_block(e, inst); break;
   case LIR_OP_if: begin_if(e, inst); break;
   case LIR_OP_else: begin_else(e, inst); break;
   case LIR_OP_loop: begin_loop(e, inst); break;
   case LIR_OP_end: end(e, inst); break;
   case LIR_OP_br: branch(e, inst); break;
   case LIR_OP_call: call(e, inst); break;
   case X86_OP_leave: leave(e, inst); break;
   }
}
