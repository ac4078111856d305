/* SPDX-License-Identifier: MIT
 *
 * Operations on values that are not computed, on variables, on other lanes and
 * on the wave, as LLVM IR.
 */
#include "exec/jit/emit.h"

#define ACTION(name)                                                           \
   LLVMValueRef jit_emit_##name(struct jit_emitter *e,                         \
                                const struct lir_inst *inst)

/* ---- operands ------------------------------------------------------------ */

LLVMValueRef
jit_operand(const struct jit_emitter *e, const struct lir_inst *inst,
            unsigned index)
{
   const struct jit_scope *scope = e->scope;
   const uint32_t number = inst->operand[index].index;

   if (scope->places && scope->places[number])
      return llvm.BuildLoad2(e->b, llvm.TypeOf(scope->values[number]),
                             scope->places[number], "");
   return scope->values[number];
}

LLVMValueRef
jit_vector_operand(struct jit_emitter *e, const struct lir_inst *inst,
                   unsigned index)
{
   return jit_splat(e, jit_operand(e, inst, index));
}

LLVMValueRef
jit_active(struct jit_emitter *e)
{
   if (e->is_full)
      return e->launched;
   return e->active_mask ? e->active_mask
                         : llvm.BuildLoad2(e->b, e->mask, e->active, "");
}

/* ---- values and variables ------------------------------------------------ */

static LLVMTypeRef
scalar_type(const struct jit_emitter *e, enum lir_type type)
{
   const LLVMTypeRef types[] = {
      [LIR_TYPE_B1] = e->i1,
      [LIR_TYPE_B32] = e->i32,
      [LIR_TYPE_B64] = e->i64,
   };

   assert(type != LIR_TYPE_V);
   return types[type];
}

ACTION(constant)
{
   return llvm.ConstInt(
      scalar_type(e, (enum lir_type)lir_op_row(inst->op)->type), inst->imm,
      false);
}

ACTION(lane)
{
   (void)inst;
   return e->lane_numbers;
}

/* A scalar, if only uniform values are ever written to it by all lanes. */
static LLVMTypeRef
var_type(const struct jit_emitter *e, uint32_t var)
{
   const LLVMTypeRef type =
      scalar_type(e, (enum lir_type)e->module->vars[var].type);

   return e->var_is_scalar[var] ? type : llvm.VectorType(type, LIR_LANES);
}

/* The place of a variable, which is zero when the wave starts. */
static LLVMValueRef
var_place(struct jit_emitter *e, uint32_t var)
{
   assert(var < e->module->num_vars);
   return e->vars[var];
}

ACTION(getvar)
{
   const uint32_t var = (uint32_t)inst->imm;

   return llvm.BuildLoad2(e->b, var_type(e, var), var_place(e, var), "");
}

/* Lanes that were not launched may change: nobody looks at them. */
ACTION(setvar)
{
   const uint32_t var = (uint32_t)inst->imm;
   const LLVMValueRef place = var_place(e, var);
   LLVMValueRef value = jit_operand(e, inst, 0);

   if (!e->var_is_scalar[var])
      value = jit_splat(e, value);
   if (!e->var_is_scalar[var] && !e->is_full && inst->op != LIR_OP_putvar32) {
      const LLVMValueRef old =
         llvm.BuildLoad2(e->b, llvm.TypeOf(value), place, "");

      value = llvm.BuildSelect(e->b, jit_active(e), value, old, "");
   }
   llvm.BuildStore(e->b, value, place);
   return NULL;
}

/* ---- other lanes --------------------------------------------------------- */

/* Each lane has the value of lane (i & ~clear) | set. */
static LLVMValueRef
shuffle(struct jit_emitter *e, LLVMValueRef value, unsigned clear, unsigned set)
{
   LLVMValueRef lanes[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++)
      lanes[i] = llvm.ConstInt(e->i32, (i & ~clear) | set, false);
   return llvm.BuildShuffleVector(e->b, value,
                                  llvm.GetPoison(llvm.TypeOf(value)),
                                  llvm.ConstVector(lanes, LIR_LANES), "");
}

/* Lane by lane in a quad: that with `step` in its number minus that without. */
static LLVMValueRef
difference(struct jit_emitter *e, const struct lir_inst *inst, unsigned step)
{
   const LLVMValueRef value = jit_vector_operand(e, inst, 0);
   const LLVMValueRef ends[3] = {shuffle(e, value, step, step),
                                 shuffle(e, value, step, 0)};

   return jit_alus[LIR_OP_fsub](e, ends);
}

ACTION(fddx)
{
   return difference(e, inst, 1);
}

ACTION(fddy)
{
   return difference(e, inst, 2);
}

ACTION(read_quad)
{
   const LLVMValueRef value = jit_vector_operand(e, inst, 0);
   const LLVMValueRef from = jit_operand(e, inst, 1);

   if (llvm.IsAConstantInt(from))
      return shuffle(e, value, 3, llvm.ConstIntGetZExtValue(from) & 3);
   const LLVMValueRef which =
      llvm.BuildAnd(e->b, jit_splat(e, from), jit_constant(e, e->words, 3), "");
   LLVMValueRef result = shuffle(e, value, 3, 0);
   for (unsigned i = 1; i < 4; i++) {
      const LLVMValueRef is_it = llvm.BuildICmp(
         e->b, LLVMIntEQ, which, jit_constant(e, e->words, i), "");

      result =
         llvm.BuildSelect(e->b, is_it, shuffle(e, value, 3, i), result, "");
   }
   return result;
}

ACTION(ballot)
{
   const LLVMValueRef masks[] = {jit_vector_operand(e, inst, 0), jit_active(e)};

   return jit_bits_of_mask(e, jit_alus[LIR_OP_band](e, masks));
}

/* Code runs only while a lane is active. */
ACTION(read_first)
{
   const LLVMValueRef value = jit_operand(e, inst, 0);
   LLVMValueRef arguments[] = {jit_bits_of_mask(e, jit_active(e)),
                               llvm.ConstInt(e->i1, 1, false)};

   if (!jit_is_vector(value))
      return value;
   return llvm.BuildExtractElement(
      e->b, value, jit_intrinsic(e, "llvm.cttz", &e->i32, 1, arguments, 2), "");
}

/* Gathered from memory, since the lane is not known. */
ACTION(read_lane)
{
   const LLVMValueRef value = jit_vector_operand(e, inst, 0);
   const LLVMValueRef from = jit_vector_operand(e, inst, 1);
   const LLVMValueRef low =
      llvm.BuildAnd(e->b, from, jit_constant(e, e->words, LIR_LANES - 1), "");
   const LLVMValueRef active = jit_splat(e, jit_bits_of_mask(e, jit_active(e)));
   const LLVMValueRef bit =
      llvm.BuildAnd(e->b, llvm.BuildLShr(e->b, active, low, ""),
                    jit_constant(e, e->words, 1), "");
   const LLVMValueRef is_there = llvm.BuildAnd(
      e->b,
      llvm.BuildICmp(e->b, LLVMIntEQ, bit, jit_constant(e, e->words, 1), ""),
      llvm.BuildICmp(e->b, LLVMIntULT, from,
                     jit_constant(e, e->words, LIR_LANES), ""),
      "");
   LLVMValueRef index = low;

   if (!e->row)
      e->row = jit_alloca(e, e->words, NULL);
   llvm.BuildStore(e->b, value, e->row);
   LLVMTypeRef types[] = {e->words, llvm.VectorType(e->pointer, LIR_LANES)};
   LLVMValueRef arguments[] = {
      llvm.BuildGEP2(e->b, e->i32, e->row, &index, 1, ""),
      llvm.ConstInt(e->i32, 4, false), is_there, jit_constant(e, e->words, 0)};
   return jit_intrinsic(e, "llvm.masked.gather", types, 2, arguments, 4);
}

/* ---- the wave ------------------------------------------------------------ */

ACTION(live)
{
   (void)inst;
   return jit_mask_of_lanes(e, llvm.BuildLoad2(e->b, e->i16, e->live, ""));
}

ACTION(kill)
{
   const LLVMValueRef masks[] = {jit_vector_operand(e, inst, 0), jit_active(e)};
   const LLVMValueRef killed =
      jit_lanes_of_mask(e, jit_alus[LIR_OP_band](e, masks));
   const LLVMValueRef live = llvm.BuildLoad2(e->b, e->i16, e->live, "");

   llvm.BuildStore(
      e->b, llvm.BuildAnd(e->b, live, llvm.BuildNot(e->b, killed, ""), ""),
      e->live);
   return NULL;
}

/* ---- listeners ----------------------------------------------------------- */

#define CALL_FIELD(field)                                                      \
   (offsetof(struct jit_frame, call) + offsetof(struct jit_call, field))

static LLVMValueRef
tell(struct jit_emitter *e, const struct lir_inst *inst, enum jit_helper helper)
{
   jit_set_field(e, CALL_FIELD(a), jit_vector_operand(e, inst, 0));
   jit_set_field(e, CALL_FIELD(active), jit_bits_of_mask(e, jit_active(e)));
   jit_set_field(e, CALL_FIELD(tag), llvm.ConstInt(e->i64, inst->imm, false));
   jit_call_helper(e, helper);
   return NULL;
}

ACTION(trace)
{
   return tell(e, inst, JIT_HELPER_trace);
}

ACTION(emit)
{
   return tell(e, inst, JIT_HELPER_emit);
}

ACTION(endprim)
{
   return tell(e, inst, JIT_HELPER_endprim);
}
