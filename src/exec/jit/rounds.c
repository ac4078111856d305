/* SPDX-License-Identifier: MIT
 *
 * The loops of compiled code over the rounds of its frame, which have all but
 * masks and inputs in common, and over the waves of each; and loop-invariant
 * code motion out of them: what is
 * computed from constants, constant buffers and textures alone is computed once
 * for all of them. Nothing that computes traps, so that it may run where no
 * lane would come to it.
 */
#include <string.h>

#include "exec/jit/emit.h"

#define FRAME(field) offsetof(struct jit_frame, field)
#define ROUND(field) offsetof(struct exec_round, field)

/* ---- the loops ----------------------------------------------------------- */

LLVMValueRef
jit_round_field(struct jit_emitter *e, LLVMTypeRef type, size_t offset)
{
   LLVMValueRef index = llvm.ConstInt(e->i64, offset, false);

   return llvm.BuildLoad2(
      e->b, type, llvm.BuildGEP2(e->b, e->i8, e->place, &index, 1, ""), "");
}

void
jit_set_round_field(struct jit_emitter *e, size_t offset, LLVMValueRef value)
{
   LLVMValueRef index = llvm.ConstInt(e->i64, offset, false);

   llvm.BuildStore(e->b, value,
                   llvm.BuildGEP2(e->b, e->i8, e->place, &index, 1, ""));
}

/* Where the round's masks and inputs are. */
static void
find_round(struct jit_emitter *e, LLVMValueRef rounds)
{
   const LLVMValueRef number = llvm.BuildLoad2(e->b, e->i32, e->number, "");
   const LLVMValueRef wide = llvm.BuildZExt(e->b, number, e->i64, "");
   LLVMValueRef offset = llvm.BuildMul(
      e->b, wide, llvm.ConstInt(e->i64, sizeof(struct exec_round), false), "");

   e->place = llvm.BuildGEP2(e->b, e->i8, rounds, &offset, 1, "");
}

/* Goes on with the waves if they have lanes, else to the end. */
static void
enter_waves(struct jit_emitter *e, LLVMValueRef launched)
{
   const LLVMValueRef zero = llvm.ConstInt(e->i32, 0, false);

   llvm.BuildCondBr(e->b, llvm.BuildICmp(e->b, LLVMIntNE, launched, zero, ""),
                    e->wave, e->done);
   jit_enter_block(e, e->wave);
}

/* Where the inputs, system values and outputs of a round are. There is
 * something even where there are no words. */
static void
find_lane_memory(struct jit_emitter *e)
{
   static const size_t data[] = {ROUND(input), ROUND(sysval), ROUND(output)};
   const LLVMValueRef zero = llvm.ConstInt(e->i32, 0, false);

   for (unsigned i = 0; i < 3; i++) {
      const LLVMValueRef rows = jit_round_field(e, e->pointer, data[i]);
      const LLVMValueRef has_words =
         llvm.BuildICmp(e->b, LLVMIntNE, e->lane_words[i], zero, "");

      e->lane_data[i] =
         e->shape->static_lane_words[i] > 0
            ? rows
            : llvm.BuildSelect(e->b, has_words, rows,
                               jit_field_pointer(e, FRAME(zeros)), "");
   }
}

static LLVMValueRef
lanes_of_bits(struct jit_emitter *e, LLVMValueRef bits)
{
   return llvm.BuildTrunc(e->b, bits, e->i16, "");
}

/* What all waves of a round begin with. */
static LLVMValueRef
begin_round(struct jit_emitter *e, LLVMValueRef rounds)
{
   jit_enter_block(e, e->round);
   find_round(e, rounds);
   const LLVMValueRef launched = jit_round_field(e, e->i32, ROUND(launched));
   const LLVMValueRef live = jit_round_field(e, e->i32, ROUND(live));
   const LLVMValueRef num_more = jit_round_field(e, e->i32, ROUND(num_more));

   e->launched = jit_mask_of_lanes(e, lanes_of_bits(e, launched));
   e->num_more = jit_alloca(e, e->i32, num_more);
   e->num_live = jit_alloca(e, e->i32, llvm.ConstInt(e->i32, 0, false));
   e->has_next = jit_alloca(e, e->i1, llvm.ConstInt(e->i1, 1, false));
   e->has_current = jit_alloca(e, e->i1, llvm.ConstInt(e->i1, 0, false));
   find_lane_memory(e);
   jit_find_memory_kept_at_stops(e);
   enter_waves(e, launched);
   return lanes_of_bits(e, live);
}

void
jit_begin_round_waves(struct jit_emitter *e)
{
   e->start = jit_block(e, "start");
   e->round = jit_block(e, "round");
   e->wave = jit_block(e, "wave");
   e->next = jit_block(e, "next");
   e->done = jit_block(e, "done");
   llvm.PositionBuilderAtEnd(e->b, e->start);
   const LLVMValueRef rounds = jit_field(e, e->pointer, FRAME(rounds));
   const LLVMValueRef budget = jit_field(e, e->i64, FRAME(budget));
   e->number = jit_alloca(e, e->i32, llvm.ConstInt(e->i32, 0, false));
   e->num_rounds = jit_field(e, e->i32, FRAME(num_rounds));
   e->steps = jit_alloca(e, e->i64, jit_field(e, e->i64, FRAME(steps)));
   jit_emit_bindings(e);

   const LLVMValueRef live = begin_round(e, rounds);
   e->active = jit_keep_at_stop(e, e->mask, e->launched);
   e->live = jit_alloca(e, e->i16, live);
   e->budget = jit_keep_at_stop(e, e->i64, budget);
   e->is_full = true;
}

/* Leaves the code with what the C around it wants to know. */
static void
leave(struct jit_emitter *e, enum jit_end how)
{
   jit_set_field(e, FRAME(num_run),
                 llvm.BuildLoad2(e->b, e->i32, e->number, ""));
   jit_set_field(e, FRAME(budget),
                 llvm.BuildLoad2(e->b, e->i64, e->budget, ""));
   jit_set_field(e, FRAME(steps), llvm.BuildLoad2(e->b, e->i64, e->steps, ""));
   llvm.BuildRet(e->b, llvm.ConstInt(e->i32, how, false));
}

static void
keep_live(struct jit_emitter *e)
{
   LLVMValueRef live = llvm.BuildZExt(
      e->b, llvm.BuildLoad2(e->b, e->i16, e->live, ""), e->i32, "");
   const LLVMValueRef before = llvm.BuildLoad2(e->b, e->i32, e->num_live, "");
   const LLVMValueRef number =
      jit_intrinsic(e, "llvm.ctpop", &e->i32, 1, &live, 1);
   const LLVMValueRef sum = llvm.BuildAdd(e->b, before, number, "");

   llvm.BuildStore(e->b, sum, e->num_live);
   jit_set_round_field(e, ROUND(live), live);
   jit_set_round_field(e, ROUND(num_live), sum);
}

void
jit_leave_round_wave(struct jit_emitter *e, enum jit_end how)
{
   keep_live(e);
   leave(e, how);
}

void
jit_stop_round_wave(struct jit_emitter *e)
{
   keep_live(e);
   llvm.BuildBr(e->b, e->next);
}

void
jit_advance_wave(struct jit_emitter *e, LLVMBasicBlockRef next)
{
   const LLVMBasicBlockRef more = jit_block(e, "more");
   const LLVMBasicBlockRef ended = jit_block(e, "ended");
   const LLVMValueRef one = llvm.ConstInt(e->i32, 1, false);
   const LLVMValueRef num_more = llvm.BuildLoad2(e->b, e->i32, e->num_more, "");

   const LLVMValueRef has_more =
      llvm.BuildICmp(e->b, LLVMIntUGE, num_more, one, "");

   llvm.BuildStore(e->b, has_more, e->has_next);
   llvm.BuildCondBr(e->b, has_more, more, ended);
   jit_enter_block(e, more);
   llvm.BuildStore(e->b, llvm.BuildSub(e->b, num_more, one, ""), e->num_more);
   LLVMValueRef word = llvm.BuildZExt(
      e->b, jit_field(e, e->i32, FRAME(moving_word)), e->i64, "");
   const LLVMValueRef row =
      llvm.BuildGEP2(e->b, e->words, e->lane_data[0], &word, 1, "");
   const LLVMValueRef stride =
      jit_splat(e, jit_field(e, e->i32, FRAME(stride)));
   const LLVMValueRef old = llvm.BuildLoad2(e->b, e->words, row, "");
   llvm.SetAlignment(old, 4);
   llvm.SetAlignment(
      llvm.BuildStore(e->b, llvm.BuildAdd(e->b, old, stride, ""), row), 4);
   llvm.BuildBr(e->b, next);
   jit_enter_block(e, ended);
}

void
jit_end_round_waves(struct jit_emitter *e)
{
   keep_live(e);
   if (e->ahead.end)
      jit_rotate_waves(e);
   else
      jit_advance_wave(e, e->wave);
   jit_end_waits_at_stops(e);
   llvm.BuildBr(e->b, e->next);
   jit_enter_block(e, e->next);
   const LLVMValueRef number = llvm.BuildLoad2(e->b, e->i32, e->number, "");
   const LLVMValueRef next =
      llvm.BuildAdd(e->b, number, llvm.ConstInt(e->i32, 1, false), "");
   llvm.BuildStore(e->b, next, e->number);
   llvm.BuildCondBr(e->b,
                    llvm.BuildICmp(e->b, LLVMIntULT, next, e->num_rounds, ""),
                    e->round, e->done);
   jit_enter_block(e, e->done);
   leave(e, JIT_END_OK);

   llvm.PositionBuilderAtEnd(e->b, e->entry);
   llvm.BuildBr(e->b, e->start);
   llvm.PositionBuilderAtEnd(e->b, e->start);
   llvm.BuildBr(e->b, e->round);
}

/* ---- loop-invariant code motion ------------------------------------------ */

/* Memory that nothing writes while waves run. */
static bool
reads_constants(const struct lir_inst *inst)
{
   const enum lir_space space = lir_mem_space(inst->imm);

   return lir_op_row(inst->op)->imm == LIR_IMM_MEM &&
          (space == LIR_SPACE_CONST || space == LIR_SPACE_TEXTURE) &&
          lir_op_row(inst->op)->type != LIR_TYPE_V;
}

static bool
is_constant(const struct lir_inst *inst)
{
   return inst->op == LIR_OP_const1 || inst->op == LIR_OP_const32 ||
          inst->op == LIR_OP_const64;
}

/* Are the operands known where the waves have not begun yet, and so the value?
 */
static bool
is_invariant(const struct jit_scope *scope, const struct lir_inst *inst)
{
   if (is_constant(inst))
      return true;
   if (!inst->is_uniform || (!jit_alus[inst->op] && !reads_constants(inst)))
      return false;
   for (unsigned k = 0; k < lir_op_row(inst->op)->num_operands; k++) {
      if (!scope->is_invariant[inst->operand[k].index])
         return false;
   }
   return true;
}

/* An invariant load is emitted where it stands, which the machine may do for
 * nothing, and once more before the waves if something there needs it. Later
 * instructions see the one that dominates all, which is there after stops too.
 */
static void
hoist(struct jit_emitter *e, uint32_t index)
{
   struct jit_scope *scope = e->scope;
   const struct lir_inst *inst = &scope->function->insts[index];
   const LLVMBasicBlockRef here = llvm.GetInsertBlock(e->b);

   if (is_constant(inst) || scope->is_hoisted[index])
      return;
   for (unsigned k = 0; k < lir_op_row(inst->op)->num_operands; k++)
      hoist(e, inst->operand[k].index);
   llvm.PositionBuilderAtEnd(e->b, e->start);
   jit_control_emit_value(e, index);
   llvm.PositionBuilderAtEnd(e->b, here);
   scope->is_hoisted[index] = true;
   if (scope->places)
      scope->places[index] = NULL;
}

void
jit_emit_or_hoist(struct jit_emitter *e, uint32_t index)
{
   struct jit_scope *scope = e->scope;
   const struct lir_inst *inst = &scope->function->insts[index];

   scope->is_invariant[index] = is_invariant(scope, inst);
   if (scope->is_invariant[index] && jit_alus[inst->op])
      hoist(e, index);
   else
      jit_control_emit_value(e, index);
}
