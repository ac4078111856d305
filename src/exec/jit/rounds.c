/* SPDX-License-Identifier: MIT
 *
 * The loop of compiled code over the waves of its frame, which have all but
 * masks and inputs in common, and loop-invariant code motion out of it: what is
 * computed from constants, constant buffers and textures alone is computed once
 * for all of them. Nothing that computes traps, so that it may run where no
 * lane would come to it.
 */
#include <string.h>

#include "exec/jit/emit.h"

#define FRAME(field) offsetof(struct jit_frame, field)
#define ROUND(field) offsetof(struct exec_round, field)

/* ---- the loop ------------------------------------------------------------ */

static LLVMValueRef
round_field(struct jit_emitter *e, LLVMTypeRef type, size_t offset)
{
   LLVMValueRef index = llvm.ConstInt(e->i64, offset, false);

   return llvm.BuildLoad2(
      e->b, type, llvm.BuildGEP2(e->b, e->i8, e->round, &index, 1, ""), "");
}

/* Where the wave's masks and inputs are. */
static void
find_round(struct jit_emitter *e, LLVMValueRef rounds)
{
   const LLVMValueRef number = llvm.BuildLoad2(e->b, e->i32, e->number, "");
   const LLVMValueRef wide = llvm.BuildZExt(e->b, number, e->i64, "");
   LLVMValueRef offset = llvm.BuildMul(
      e->b, wide, llvm.ConstInt(e->i64, sizeof(struct exec_round), false), "");

   e->round = llvm.BuildGEP2(e->b, e->i8, rounds, &offset, 1, "");
}

/* Goes on with the wave if it has lanes, else to the end. */
static void
enter_wave(struct jit_emitter *e, LLVMValueRef launched)
{
   const LLVMBasicBlockRef body = jit_block(e, "body");
   const LLVMValueRef zero = llvm.ConstInt(e->i32, 0, false);

   llvm.BuildCondBr(e->b, llvm.BuildICmp(e->b, LLVMIntNE, launched, zero, ""),
                    body, e->done);
   jit_enter_block(e, body);
}

/* Where the wave's inputs, system values and outputs are. There is something
 * even where there are no words. */
static void
find_lane_memory(struct jit_emitter *e)
{
   static const size_t data[] = {ROUND(input), ROUND(sysval), ROUND(output)};
   const LLVMValueRef zero = llvm.ConstInt(e->i32, 0, false);

   for (unsigned i = 0; i < 3; i++) {
      const LLVMValueRef rows = round_field(e, e->pointer, data[i]);
      const LLVMValueRef has_words =
         llvm.BuildICmp(e->b, LLVMIntNE, e->lane_words[i], zero, "");

      e->lane_data[i] =
         e->shape->static_lane_words[i] > 0
            ? rows
            : llvm.BuildSelect(e->b, has_words, rows,
                               jit_field_pointer(e, FRAME(zeros)), "");
   }
}

void
jit_begin_waves(struct jit_emitter *e)
{
   e->start = jit_block(e, "start");
   e->wave = jit_block(e, "wave");
   e->done = jit_block(e, "done");
   llvm.PositionBuilderAtEnd(e->b, e->start);
   const LLVMValueRef rounds = jit_field(e, e->pointer, FRAME(rounds));
   const LLVMValueRef budget = jit_field(e, e->i64, FRAME(budget));
   e->number = jit_alloca(e, e->i32, llvm.ConstInt(e->i32, 0, false));
   e->num_waves = jit_field(e, e->i32, FRAME(num_rounds));
   e->steps = jit_alloca(e, e->i64, jit_field(e, e->i64, FRAME(steps)));
   e->budget = jit_alloca(e, e->i64, budget);
   jit_emit_bindings(e);

   jit_enter_block(e, e->wave);
   find_round(e, rounds);
   const LLVMValueRef launched = round_field(e, e->i32, ROUND(launched));
   enter_wave(e, launched);
   e->launched = jit_mask_of_bits(e, launched);
   e->active = jit_alloca(e, e->mask, e->launched);
   e->live = jit_alloca(
      e, e->mask, jit_mask_of_bits(e, round_field(e, e->i32, ROUND(live))));
   find_lane_memory(e);
   llvm.BuildStore(e->b, budget, e->budget);
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
   LLVMValueRef index = llvm.ConstInt(e->i64, ROUND(live), false);
   const LLVMValueRef live = llvm.BuildLoad2(e->b, e->mask, e->live, "");

   llvm.BuildStore(e->b, jit_bits_of_mask(e, live),
                   llvm.BuildGEP2(e->b, e->i8, e->round, &index, 1, ""));
}

void
jit_fault_wave(struct jit_emitter *e, enum jit_end how)
{
   keep_live(e);
   leave(e, how);
}

void
jit_end_waves(struct jit_emitter *e)
{
   keep_live(e);
   const LLVMValueRef number = llvm.BuildLoad2(e->b, e->i32, e->number, "");
   const LLVMValueRef next =
      llvm.BuildAdd(e->b, number, llvm.ConstInt(e->i32, 1, false), "");
   llvm.BuildStore(e->b, next, e->number);
   llvm.BuildCondBr(e->b,
                    llvm.BuildICmp(e->b, LLVMIntULT, next, e->num_waves, ""),
                    e->wave, e->done);
   jit_enter_block(e, e->done);
   leave(e, JIT_END_OK);

   llvm.PositionBuilderAtEnd(e->b, e->entry);
   llvm.BuildBr(e->b, e->start);
   llvm.PositionBuilderAtEnd(e->b, e->start);
   llvm.BuildBr(e->b, e->wave);
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
 * instructions see the one that dominates all. */
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
   jit_emit_value(e, index);
   llvm.PositionBuilderAtEnd(e->b, here);
   scope->is_hoisted[index] = true;
}

bool
jit_try_to_hoist(struct jit_emitter *e, uint32_t index)
{
   struct jit_scope *scope = e->scope;
   const struct lir_inst *inst = &scope->function->insts[index];

   scope->is_invariant[index] = is_invariant(scope, inst);
   if (!scope->is_invariant[index] || !jit_alus[inst->op])
      return false;
   hoist(e, index);
   return true;
}
