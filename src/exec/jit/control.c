/* SPDX-License-Identifier: MIT
 *
 * Control flow as LLVM IR: what lir/lir.h says of lanes that enter, leave and
 * go on. Each construct has a mask of the lanes that go on after it. Where an
 * end finds none left, control goes to the next else or end outwards, the
 * escape. A branch on a uniform condition changes no mask, and a br that all
 * launched lanes take is a jump.
 */
#include "exec/jit/emit.h"
#include "exec/jit/lines.h"

#define ACTION(name)                                                           \
   LLVMValueRef jit_emit_##name(struct jit_emitter *e,                         \
                                const struct lir_inst *inst)

#define FRAME(field) offsetof(struct jit_frame, field)

static struct jit_level *
current_level(const struct jit_emitter *e)
{
   return &e->scope->levels[e->scope->level];
}

/* ---- masks --------------------------------------------------------------- */

static LLVMValueRef
load_mask(struct jit_emitter *e, LLVMValueRef place)
{
   return llvm.BuildLoad2(e->b, e->mask, place, "");
}

static LLVMValueRef
both(struct jit_emitter *e, LLVMValueRef mask, LLVMValueRef other)
{
   const LLVMValueRef masks[] = {mask, other};

   return jit_alus[LIR_OP_band](e, masks);
}

static LLVMValueRef
without(struct jit_emitter *e, LLVMValueRef mask, LLVMValueRef other)
{
   return both(e, mask, jit_alus[LIR_OP_bnot](e, &other));
}

static LLVMValueRef
any(struct jit_emitter *e, LLVMValueRef mask)
{
   return llvm.BuildICmp(e->b, LLVMIntNE, jit_lanes_of_mask(e, mask),
                         llvm.ConstInt(e->i16, 0, false), "");
}

/* Sets the active lanes. */
static void
activate(struct jit_emitter *e, LLVMValueRef mask)
{
   llvm.BuildStore(e->b, mask, e->active);
   e->active_mask = mask;
}

/* ---- where control goes -------------------------------------------------- */

void
jit_control_count_steps(struct jit_emitter *e)
{
   if (e->is_dead || e->uncounted == 0)
      return;
   const LLVMValueRef steps = llvm.BuildLoad2(e->b, e->i64, e->steps, "");
   const LLVMValueRef more = llvm.ConstInt(e->i64, e->uncounted, false);

   llvm.BuildStore(e->b, llvm.BuildAdd(e->b, steps, more, ""), e->steps);
   e->uncounted = 0;
}

static void
go_to(struct jit_emitter *e, LLVMBasicBlockRef block)
{
   jit_control_count_steps(e);
   if (!e->is_dead)
      llvm.BuildBr(e->b, block);
   e->is_dead = true;
}

/* Goes on here if a condition holds, else at `other`. */
static void
go_on_if(struct jit_emitter *e, LLVMValueRef condition, LLVMBasicBlockRef other)
{
   const LLVMBasicBlockRef here = jit_block(e, "");

   jit_control_count_steps(e);
   llvm.BuildCondBr(e->b, condition, here, other);
   jit_enter_block(e, here);
}

/* Where no lane is left in the innermost construct. */
static LLVMBasicBlockRef
escape(const struct jit_emitter *e)
{
   const struct jit_level *level = current_level(e);

   return level->op == LIR_OP_if && level->in_then && !level->is_plain_if
             ? level->other
             : level->end;
}

/* ---- ends of the wave ---------------------------------------------------- */

/* A block that ends the wave with a fault. */
static LLVMBasicBlockRef
fault_block(struct jit_emitter *e, const struct lir_inst *inst,
            enum jit_end how)
{
   const LLVMBasicBlockRef here = llvm.GetInsertBlock(e->b);
   const LLVMBasicBlockRef block = jit_block(e, "fault");

   const LLVMValueRef active = jit_active(e);
   llvm.PositionBuilderAtEnd(e->b, block);
   jit_set_field(e, FRAME(fault_origin),
                 llvm.ConstInt(e->i32, inst->origin, false));
   jit_set_field(e, FRAME(fault_lanes), jit_bits_of_mask(e, active));
   jit_leave_round_wave(e, how);
   llvm.PositionBuilderAtEnd(e->b, here);
   return block;
}

/* Takes one from the loop budget. */
static void
charge(struct jit_emitter *e, const struct lir_inst *inst)
{
   const LLVMBasicBlockRef fault = fault_block(e, inst, JIT_END_BUDGET);
   const LLVMValueRef budget = llvm.BuildLoad2(e->b, e->i64, e->budget, "");
   const LLVMValueRef zero = llvm.ConstInt(e->i64, 0, false);

   go_on_if(e, llvm.BuildICmp(e->b, LLVMIntNE, budget, zero, ""), fault);
   llvm.BuildStore(
      e->b, llvm.BuildSub(e->b, budget, llvm.ConstInt(e->i64, 1, false), ""),
      e->budget);
}

/* Pays for what has been run, if that is a slice. */
static void
pay_if_due(struct jit_emitter *e, const struct lir_inst *inst)
{
   const LLVMBasicBlockRef pay = jit_block(e, "pay");
   const LLVMBasicBlockRef on = jit_block(e, "");
   const LLVMBasicBlockRef fault = fault_block(e, inst, JIT_END_PAY);
   const LLVMValueRef steps = llvm.BuildLoad2(e->b, e->i64, e->steps, "");
   const LLVMValueRef slice = jit_field(e, e->i64, FRAME(slice));
   const LLVMValueRef zero = llvm.ConstInt(e->i32, 0, false);

   llvm.BuildCondBr(e->b, llvm.BuildICmp(e->b, LLVMIntUGE, steps, slice, ""),
                    pay, on);
   jit_enter_block(e, pay);
   jit_set_field(e, FRAME(steps), steps);
   jit_set_field(e, FRAME(call) + offsetof(struct jit_call, origin),
                 llvm.ConstInt(e->i32, inst->origin, false));
   const LLVMValueRef may = jit_call_helper(e, JIT_HELPER_pay);
   llvm.BuildStore(e->b, llvm.ConstInt(e->i64, 0, false), e->steps);
   llvm.BuildCondBr(e->b, llvm.BuildICmp(e->b, LLVMIntNE, may, zero, ""), on,
                    fault);
   jit_enter_block(e, on);
}

/* ---- constructs ---------------------------------------------------------- */

static struct jit_level *
open_level(struct jit_emitter *e, uint16_t op)
{
   struct jit_level *level = &e->scope->levels[++e->scope->level];

   *level = (struct jit_level){
      .op = op,
      .in_then = op == LIR_OP_if,
      .was_full = e->is_full,
      .end = jit_block(e, "end"),
      .remembered = jit_keep_at_stop(e, e->mask, jit_active(e)),
      .active_mask = e->active_mask,
   };
   level->exit = level->end;
   return level;
}

/* The lanes that a construct remembered. */
static LLVMValueRef
remembered_lanes(struct jit_emitter *e, const struct jit_level *level)
{
   if (level->was_full && !level->is_lossy)
      return e->launched;
   return level->active_mask && !level->is_lossy
             ? level->active_mask
             : load_mask(e, level->remembered);
}

/* After the end of a construct: the lanes that it remembered, if there are
 * any. */
static void
close_level(struct jit_emitter *e)
{
   const struct jit_level *level = current_level(e);
   const LLVMValueRef remembered = remembered_lanes(e, level);

   activate(e, remembered);
   e->is_full = level->was_full && !level->is_lossy;
   e->scope->level--;
   if (level->is_lossy)
      go_on_if(e, any(e, remembered), escape(e));
}

ACTION(block)
{
   open_level(e, inst->op);
   return NULL;
}

ACTION(if)
{
   const LLVMValueRef condition = jit_operand(e, inst, 0);
   struct jit_level *level = open_level(e, LIR_OP_if);

   level->other = jit_block(e, "else");
   level->is_plain_if = !jit_is_vector(condition);
   if (level->is_plain_if) {
      go_on_if(e, condition, level->other);
      return NULL;
   }
   const LLVMValueRef active = jit_active(e);
   const LLVMValueRef entered = both(e, active, condition);
   level->otherwise =
      jit_keep_at_stop(e, e->mask, without(e, active, condition));
   activate(e, entered);
   e->is_full = false;
   go_on_if(e, any(e, entered), level->other);
   return NULL;
}

ACTION(else)
{
   struct jit_level *level = current_level(e);

   (void)inst;
   go_to(e, level->is_plain_if ? level->end : level->other);
   jit_enter_block(e, level->other);
   level->in_then = false;
   e->is_full = level->was_full && level->is_plain_if;
   e->active_mask = level->active_mask;
   if (level->is_plain_if)
      return NULL;
   const LLVMValueRef active = load_mask(e, level->otherwise);
   activate(e, active);
   go_on_if(e, any(e, active), level->end);
   return NULL;
}

ACTION(loop)
{
   struct jit_level *level = open_level(e, inst->op);

   level->top = jit_block(e, "loop");
   level->exit = jit_block(e, "exit");
   e->is_full = e->is_full && inst->is_uniform;
   level->stays_full = e->is_full;
   e->active_mask = NULL;
   if (e->shape->has_barriers)
      level->turn =
         jit_keep_at_stop(e, e->i32, llvm.ConstInt(e->i32, 0, false));
   go_to(e, level->top);
   jit_enter_block(e, level->top);
   return NULL;
}

static void
count_turn(struct jit_emitter *e, const struct jit_level *level)
{
   if (!level->turn)
      return;
   const LLVMValueRef turn = llvm.BuildLoad2(e->b, e->i32, level->turn, "");
   const LLVMValueRef one = llvm.ConstInt(e->i32, 1, false);

   llvm.BuildStore(e->b, llvm.BuildAdd(e->b, turn, one, ""), level->turn);
}

/* Lanes that reach the end go back to the top. */
static void
repeat(struct jit_emitter *e, const struct lir_inst *inst)
{
   const struct jit_level *level = current_level(e);

   e->is_full = level->stays_full;
   if (!level->stays_full)
      go_on_if(e, any(e, load_mask(e, e->active)), level->exit);
   charge(e, inst);
   pay_if_due(e, inst);
   count_turn(e, level);
   go_to(e, level->top);
}

ACTION(end)
{
   const struct jit_level *level = current_level(e);

   go_to(e, level->end);
   if (level->in_then) {
      jit_enter_block(e, level->other);
      go_to(e, level->end);
   }
   jit_enter_block(e, level->end);
   e->active_mask = NULL;
   if (level->op == LIR_OP_loop) {
      repeat(e, inst);
      jit_enter_block(e, level->exit);
   }
   close_level(e);
   return NULL;
}

ACTION(br)
{
   struct jit_level *levels = e->scope->levels;
   const uint32_t to = (uint32_t)inst->imm;

   if (e->is_full) {
      go_to(e, levels[to].exit);
      return NULL;
   }
   const LLVMValueRef active = load_mask(e, e->active);
   for (uint32_t i = to + 1; i <= e->scope->level; i++) {
      const LLVMValueRef remembered = load_mask(e, levels[i].remembered);

      llvm.BuildStore(e->b, without(e, remembered, active),
                      levels[i].remembered);
      levels[i].is_lossy = true;
   }
   activate(e, llvm.ConstNull(e->mask));
   go_to(e, escape(e));
   return NULL;
}

/* ---- functions ----------------------------------------------------------- */

static uint32_t
count_levels(const struct lir_function *function)
{
   int level = 0, most = 0;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      level += lir_level_step(&function->insts[i]);
      most = level > most ? level : most;
   }
   return (uint32_t)most + 1;
}

static void
emit_computation(struct jit_emitter *e, const struct lir_inst *inst,
                 LLVMValueRef *value)
{
   LLVMValueRef operand[3] = {0};

   for (unsigned k = 0; k < lir_op_row(inst->op)->num_operands; k++) {
      operand[k] = inst->is_uniform ? jit_operand(e, inst, k)
                                    : jit_vector_operand(e, inst, k);
      e->operand_range[k] = &e->scope->ranges[inst->operand[k].index];
      e->operand_inst[k] = &e->scope->function->insts[inst->operand[k].index];
   }
   *value = jit_alus[inst->op](e, operand);
}

void
jit_control_emit_value(struct jit_emitter *e, uint32_t index)
{
   const struct lir_inst *inst = &e->scope->function->insts[index];
   LLVMValueRef *value = &e->scope->values[index];

   jit_locate(e, inst);
   if (jit_alus[inst->op])
      emit_computation(e, inst, value);
   else
      *value = jit_actions[inst->op](e, inst);
}

static void
emit_instruction(struct jit_emitter *e, uint32_t index)
{
   struct jit_scope *scope = e->scope;

   scope->at = index;
   if (++e->num_insts > JIT_MAX_INSTS)
      e->result = TG_ERROR_LIMIT;
   e->uncounted++;
   if (!scope->values[index])
      jit_emit_or_hoist(e, index);
   if (scope->values[index])
      jit_keep_value_at_stop(e, index);
}

/* Of the entry function what runs a wave ahead, and what comes before the end
 * of that and does not. Returns the instruction that is next. */
static uint32_t
emit_ahead(struct jit_emitter *e)
{
   const struct jit_ahead *ahead = &e->ahead;

   if (e->scope->caller)
      return 0;
   jit_find_ahead(e);
   if (ahead->end == 0)
      return 0;
   jit_begin_ahead(e);
   for (uint32_t i = 0; i < ahead->end; i++) {
      if (ahead->is_ahead[i])
         emit_instruction(e, i);
   }
   jit_end_ahead(e);
   for (uint32_t i = 0; i < ahead->end; i++) {
      if (!ahead->is_ahead[i])
         emit_instruction(e, i);
   }
   return ahead->end;
}

/* Dead code is left out up to the else or end that closes its construct. */
static void
emit_body(struct jit_emitter *e)
{
   const struct lir_function *function = e->scope->function;
   const uint32_t first = emit_ahead(e);
   uint32_t dead_levels = 0;

   for (uint32_t i = first; i < function->num_insts && e->result == TG_OK;
        i++) {
      const uint8_t flags = lir_op_row(function->insts[i].op)->flags;
      const bool closes = flags & LIR_FLAG_CLOSE;
      const bool opens = flags & LIR_FLAG_OPEN;

      if (!e->is_dead || (closes && dead_levels == 0)) {
         emit_instruction(e, i);
      } else {
         dead_levels -= closes;
         dead_levels += opens;
      }
   }
}

static bool
init_scope(struct jit_emitter *e, struct jit_scope *scope, uint32_t function)
{
   scope->function = &e->module->functions[function];
   scope->caller = e->scope;
   scope->ranges = e->ranges[function];
   scope->values = tg_arena_array(&e->arena, scope->function->num_insts,
                                  sizeof(*scope->values));
   scope->levels = tg_arena_array(&e->arena, count_levels(scope->function),
                                  sizeof(*scope->levels));
   scope->is_invariant = tg_arena_array(&e->arena, scope->function->num_insts,
                                        sizeof(*scope->is_invariant));
   scope->is_hoisted = tg_arena_array(&e->arena, scope->function->num_insts,
                                      sizeof(*scope->is_hoisted));
   if (scope->values && scope->levels && scope->is_invariant &&
       scope->is_hoisted &&
       (!e->shape->has_barriers || jit_find_kept_at_stops(e, scope)))
      return true;
   e->result = TG_ERROR_MEMORY;
   return false;
}

/* A function where it is called, with the lanes that are active. */
void
jit_control_emit_function(struct jit_emitter *e, uint32_t function)
{
   struct jit_scope scope = {0};

   if (e->depth == JIT_MAX_DEPTH)
      e->result = TG_ERROR_LIMIT;
   if (e->result != TG_OK || !init_scope(e, &scope, function))
      return;
   struct jit_level *level = &scope.levels[0];
   *level = (struct jit_level){
      .op = LIR_OP_call,
      .was_full = e->is_full,
      .end = jit_block(e, "return"),
      .remembered = jit_keep_at_stop(e, e->mask, jit_active(e)),
      .active_mask = e->active_mask,
   };
   level->exit = level->end;
   e->scope = &scope;
   e->depth++;
   emit_body(e);
   go_to(e, level->end);
   jit_enter_block(e, level->end);
   activate(e, remembered_lanes(e, level));
   e->is_full = level->was_full;
   e->depth--;
   e->scope = scope.caller;
   if (!e->scope) {
      jit_control_count_steps(e);
      jit_end_round_waves(e);
   }
}

ACTION(call)
{
   charge(e, inst);
   jit_control_emit_function(e, (uint32_t)inst->imm);
   return NULL;
}
