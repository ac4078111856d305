/* SPDX-License-Identifier: MIT
 *
 * Software pipelining of the waves of a round: texels of the next wave are
 * loaded before those of this one are filtered. From a wave's pixels to the
 * addresses of its texels it is one operation after the other, and a processor
 * whose scheduler is full of what waits for the texels does not come to the
 * next wave meanwhile.
 *
 * What is ahead is that on which loads of texels depend, up to the last one of
 * the body before anything that has an effect, or that reads what is written.
 * So no wave sees another, in whatever order they run. A turn of the loop over
 * waves is what is ahead of the next wave, if any, and the rest of this wave,
 * if any; then the next is this one (rotation). Values and
 * variables that pass from one part to the other are in allocas, which LLVM
 * makes values of.
 */
#include "exec/jit/emit.h"

/* Words of each lane that pass from what is ahead to the rest: AVX-512 has 32
 * registers, and what is spilled costs more than is gained. Other instruction
 * sets have 16, of half a wave at the most. */
enum { MOST_KEPT = 24 };

/* ---- what is ahead ------------------------------------------------------- */

static bool
loads_from(const struct lir_inst *inst, enum lir_space space)
{
   const struct lir_op_info *info = lir_op_row(inst->op);

   return info->imm == LIR_IMM_MEM && !(info->flags & LIR_FLAG_WRITE) &&
          lir_mem_space(inst->imm) == space;
}

/* May it run before the rest of the wave before? */
static bool
may_be_ahead(const struct lir_inst *inst)
{
   const struct lir_op_info *info = lir_op_row(inst->op);

   if (info->imm == LIR_IMM_MEM)
      return lir_inst_is_pure(inst);
   if (info->imm == LIR_IMM_VAR || inst->op == LIR_OP_if ||
       inst->op == LIR_OP_else || inst->op == LIR_OP_end)
      return true;
   return !(info->flags & (LIR_FLAG_WRITE | LIR_FLAG_CONTROL));
}

/* The instruction after the last load of texels that may be ahead, or 0. */
static uint32_t
find_end(const struct lir_function *function)
{
   uint32_t end = 0;
   int level = 0;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];

      if (!may_be_ahead(inst))
         break;
      level += lir_level_step(inst);
      if (level == 0 && loads_from(inst, LIR_SPACE_TEXTURE))
         end = i + 1;
   }
   return end;
}

/* Words of INPUT at an index that is not known may be any: those that move are
 * another wave's by the time that the rest runs. */
static bool
knows_inputs(const struct lir_function *function)
{
   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];

      if (loads_from(inst, LIR_SPACE_INPUT) &&
          function->insts[inst->operand[0].index].op != LIR_OP_const32)
         return false;
   }
   return true;
}

/* What an instruction that is ahead depends on: of the first of a run, all that
 * are loaded with it. */
static void
mark_operands(const struct lir_function *function, uint32_t index,
              bool *is_ahead)
{
   const struct lir_inst *inst = &function->insts[index];
   const uint32_t num_words = inst->num_words > 1 ? inst->num_words : 1;

   for (uint32_t i = 0; i < num_words; i++) {
      for (unsigned k = 0; k < lir_op_row(inst[i].op)->num_operands; k++)
         is_ahead[inst[i].operand[k].index] = true;
      is_ahead[index + i] = true;
   }
}

/* Loads of texels, what they depend on, constructs with all that is in them,
 * and all that is not computed. */
static void
mark_ahead(const struct lir_function *function, uint32_t end, bool *is_ahead)
{
   int level = 0;

   for (uint32_t i = 0; i < end; i++) {
      const struct lir_inst *inst = &function->insts[i];
      const bool is_outer = level == 0;

      level += lir_level_step(inst);
      is_ahead[i] = !is_outer || level > 0 || !lir_inst_is_pure(inst) ||
                    loads_from(inst, LIR_SPACE_TEXTURE);
   }
   for (uint32_t i = end; i-- > 0;) {
      if (is_ahead[i])
         mark_operands(function, i, is_ahead);
   }
}

/* Does the rest need it for each lane: a variable, an input? */
static bool
is_kept_word(const struct lir_inst *inst)
{
   const struct lir_op_info *info = lir_op_row(inst->op);

   return !inst->is_uniform &&
          (loads_from(inst, LIR_SPACE_INPUT) ||
           (info->imm == LIR_IMM_VAR && info->type != LIR_TYPE_V));
}

/* How many words of each lane pass from what is ahead to the rest. */
static uint32_t
count_kept(const struct lir_function *function, uint32_t end,
           const bool *is_ahead, bool *is_kept)
{
   uint32_t num_kept = 0;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];

      if (i < end && is_ahead[i])
         continue;
      num_kept += is_kept_word(inst);
      for (unsigned k = 0; k < lir_op_row(inst->op)->num_operands; k++) {
         const uint32_t from = inst->operand[k].index;

         if (from < end && is_ahead[from] && !is_kept[from]) {
            is_kept[from] = true;
            num_kept += !function->insts[from].is_uniform;
         }
      }
   }
   return num_kept;
}

void
jit_find_ahead(struct jit_emitter *e)
{
   const struct lir_function *function = e->scope->function;
   struct jit_ahead *ahead = &e->ahead;
   const uint32_t end = find_end(function);

   if (!e->has_avx512 || e->shape->has_barriers || end == 0 ||
       end > JIT_MAX_INSTS || !knows_inputs(function))
      return;
   bool *is_kept = tg_arena_array(&e->arena, end, sizeof(bool));
   ahead->is_ahead = tg_arena_array(&e->arena, end, sizeof(bool));
   ahead->next =
      tg_arena_array(&e->arena, function->num_insts, sizeof(*ahead->next));
   ahead->current =
      tg_arena_array(&e->arena, function->num_insts, sizeof(*ahead->current));
   ahead->next_vars =
      tg_arena_array(&e->arena, e->module->num_vars, sizeof(*ahead->next_vars));
   if (!is_kept || !ahead->is_ahead || !ahead->next || !ahead->current ||
       !ahead->next_vars) {
      e->result = TG_ERROR_MEMORY;
      return;
   }
   mark_ahead(function, end, ahead->is_ahead);
   if (count_kept(function, end, ahead->is_ahead, is_kept) <= MOST_KEPT)
      ahead->end = end;
}

/* ---- from one part to the other ------------------------------------------ */

static void
copy(struct jit_emitter *e, LLVMValueRef from, LLVMValueRef to)
{
   const LLVMTypeRef type = llvm.GetAllocatedType(from);

   llvm.BuildStore(e->b, llvm.BuildLoad2(e->b, type, from, ""), to);
}

/* Inputs of which the rest has loads are loaded ahead. */
static void
load_inputs(struct jit_emitter *e)
{
   const struct lir_function *function = e->scope->function;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];

      if (!loads_from(inst, LIR_SPACE_INPUT) || e->scope->values[i])
         continue;
      jit_emit_or_hoist(e, inst->operand[0].index);
      jit_emit_or_hoist(e, i);
   }
}

/* Keeps the values of the outer level, and what else was emitted there; LLVM
 * drops those that nobody uses. */
static void
keep_values(struct jit_emitter *e)
{
   const struct jit_scope *scope = e->scope;
   int level = 0;

   for (uint32_t i = 0; i < scope->function->num_insts; i++) {
      const LLVMValueRef value = scope->values[i];

      if (i < e->ahead.end)
         level += lir_level_step(&scope->function->insts[i]);
      if (!value || level > 0 || scope->is_invariant[i])
         continue;
      e->ahead.next[i] = jit_alloca(e, llvm.TypeOf(value), value);
      e->ahead.current[i] = jit_alloca(e, llvm.TypeOf(value), NULL);
   }
}

/* The rest sees this wave's values and variables. What is the same for all
 * waves and was not emitted before the first is emitted anew. */
static void
use_current(struct jit_emitter *e)
{
   struct jit_scope *scope = e->scope;

   for (uint32_t i = 0; i < scope->function->num_insts; i++) {
      const LLVMValueRef place = e->ahead.current[i];

      if (place)
         scope->values[i] =
            llvm.BuildLoad2(e->b, llvm.GetAllocatedType(place), place, "");
      else if (scope->values[i] && scope->is_invariant[i] &&
               !scope->is_hoisted[i])
         jit_control_emit_value(e, i);
   }
   for (uint32_t i = 0; i < e->module->num_vars; i++) {
      e->ahead.next_vars[i] = e->vars[i];
      e->vars[i] = jit_alloca(e, llvm.GetAllocatedType(e->vars[i]), NULL);
   }
}

/* What ran ahead counts when the rest does: after a fault it does not. */
static void
count_current_steps(struct jit_emitter *e)
{
   const LLVMValueRef before = llvm.BuildLoad2(e->b, e->i64, e->steps, "");
   const LLVMValueRef more =
      llvm.BuildLoad2(e->b, e->i64, e->ahead.current_steps, "");

   llvm.BuildStore(e->b, llvm.BuildAdd(e->b, before, more, ""), e->steps);
}

/* ---- the parts ----------------------------------------------------------- */

void
jit_begin_ahead(struct jit_emitter *e)
{
   struct jit_ahead *ahead = &e->ahead;
   const LLVMBasicBlockRef first = jit_block(e, "ahead");

   ahead->joined = jit_block(e, "joined");
   ahead->rotate = jit_block(e, "rotate");
   ahead->is_next = llvm.BuildLoad2(e->b, e->i1, e->has_next, "");
   llvm.BuildCondBr(e->b, ahead->is_next, first, ahead->joined);
   jit_enter_block(e, first);
   ahead->next_steps = jit_alloca(e, e->i64, llvm.ConstInt(e->i64, 0, false));
   ahead->current_steps = jit_alloca(e, e->i64, NULL);
   ahead->steps = e->steps;
   e->steps = ahead->next_steps;
}

void
jit_end_ahead(struct jit_emitter *e)
{
   struct jit_ahead *ahead = &e->ahead;
   const LLVMBasicBlockRef rest = jit_block(e, "rest");

   assert(e->is_full && e->scope->level == 0);
   load_inputs(e);
   keep_values(e);
   jit_control_count_steps(e);
   e->steps = ahead->steps;
   jit_advance_wave(e, ahead->joined);
   llvm.BuildBr(e->b, ahead->joined);
   jit_enter_block(e, ahead->joined);
   llvm.BuildCondBr(e->b, llvm.BuildLoad2(e->b, e->i1, e->has_current, ""),
                    rest, ahead->rotate);
   jit_enter_block(e, rest);
   e->active_mask = NULL; /* that of the part ahead */
   count_current_steps(e);
   use_current(e);
}

void
jit_rotate_waves(struct jit_emitter *e)
{
   const struct jit_ahead *ahead = &e->ahead;
   const struct lir_function *function = &e->module->functions[0];
   const LLVMBasicBlockRef ended = jit_block(e, "ended");

   llvm.BuildBr(e->b, ahead->rotate);
   jit_enter_block(e, ahead->rotate);
   for (uint32_t i = 0; i < function->num_insts; i++) {
      if (ahead->next[i])
         copy(e, ahead->next[i], ahead->current[i]);
   }
   for (uint32_t i = 0; i < e->module->num_vars; i++)
      copy(e, ahead->next_vars[i], e->vars[i]);
   copy(e, ahead->next_steps, ahead->current_steps);
   llvm.BuildStore(e->b, llvm.ConstInt(e->i1, 1, false), e->has_current);
   llvm.BuildCondBr(e->b, ahead->is_next, e->wave, ended);
   jit_enter_block(e, ended);
}
