/* SPDX-License-Identifier: MIT
 *
 * Atomic operations, as LLVM IR. Additions and exchanges are instructions of
 * the machine where each lane has a word of its own, as in a histogram; else,
 * and for all others, the code calls a helper, which makes one operation of
 * lanes with the same word.
 */
#include "exec/jit/emit.h"

#define CALL_FIELD(field)                                                      \
   (offsetof(struct jit_frame, call) + offsetof(struct jit_call, field))

static const uint8_t helpers[LIR_NUM_OPS] = {
#define LIR_ATOMIC(name, n, expression, title)                                 \
   [LIR_OP_##name] = JIT_HELPER_##name,
#include "lir/ops.def"
};

/* ---- by a helper --------------------------------------------------------- */

static LLVMValueRef
call_helper(struct jit_emitter *e, const struct lir_inst *inst)
{
   const unsigned last = lir_op_row(inst->op)->num_operands - 1u;
   const uint32_t binding = lir_mem_binding(inst->imm);
   uint32_t memory, num_words = 0;

   if (lir_mem_space(inst->imm) == LIR_SPACE_ARRAY) {
      memory = e->first_array_word[binding];
      num_words = e->module->arrays[binding].num_words;
   } else {
      memory = jit_find_place(e->shape, inst->imm);
   }
   jit_set_field(e, CALL_FIELD(a), jit_vector_operand(e, inst, 0));
   jit_set_field(e, CALL_FIELD(b), jit_vector_operand(e, inst, last));
   jit_set_field(e, CALL_FIELD(c), jit_vector_operand(e, inst, last - 1));
   jit_set_field(e, CALL_FIELD(active), jit_bits_of_mask(e, jit_active(e)));
   jit_set_field(e, CALL_FIELD(memory), llvm.ConstInt(e->i32, memory, false));
   jit_set_field(e, CALL_FIELD(num_words),
                 llvm.ConstInt(e->i32, num_words, false));
   jit_call_helper(e, (enum jit_helper)helpers[inst->op]);
   return jit_field(e, e->words, CALL_FIELD(result));
}

/* ---- by instructions ----------------------------------------------------- */

/* Those that the machine has. */
static bool
find_operation(enum lir_op op, LLVMAtomicRMWBinOp *operation_out)
{
   *operation_out =
      op == LIR_OP_atomic_add ? LLVMAtomicRMWBinOpAdd : LLVMAtomicRMWBinOpXchg;
   return op == LIR_OP_atomic_add || op == LIR_OP_atomic_xchg;
}

/* Has each lane another index than the one before it? */
static LLVMValueRef
differ_from_neighbours(struct jit_emitter *e, LLVMValueRef index)
{
   uint32_t lanes[LIR_LANES];

   for (uint32_t i = 0; i < LIR_LANES; i++)
      lanes[i] = (i + LIR_LANES - 1) % LIR_LANES;
   const LLVMValueRef before = llvm.BuildShuffleVector(
      e->b, index, index, jit_constant_lanes(e, lanes, LIR_LANES), "");
   return jit_all(e, llvm.BuildICmp(e->b, LLVMIntNE, index, before, ""));
}

static LLVMValueRef
can_be_separate(struct jit_emitter *e, const struct jit_binding *binding,
                LLVMValueRef index)
{
   const LLVMValueRef inside = jit_is_inside(e, index, binding->num_words);
   const LLVMValueRef are_inside = jit_all(e, inside);
   const LLVMValueRef is_full = jit_all(e, jit_active(e));

   return llvm.BuildAnd(e->b, llvm.BuildAnd(e->b, are_inside, is_full, ""),
                        differ_from_neighbours(e, index), "");
}

/* Lane by lane, the lowest first. */
static LLVMValueRef
operate(struct jit_emitter *e, LLVMAtomicRMWBinOp operation, LLVMValueRef data,
        LLVMValueRef index, LLVMValueRef words)
{
   LLVMValueRef result = llvm.GetPoison(e->words);
   LLVMValueRef scalars[LIR_LANES];

   jit_split_indices(e, index, scalars);
   for (unsigned i = 0; i < LIR_LANES; i++) {
      const LLVMValueRef old = llvm.BuildAtomicRMW(
         e->b, operation, jit_at(e, e->i32, data, scalars[i]),
         jit_word_of_lane(e, words, i),
         LLVMAtomicOrderingSequentiallyConsistent, false);

      result = llvm.BuildInsertElement(e->b, result, old,
                                       llvm.ConstInt(e->i32, i, false), "");
   }
   return result;
}

LLVMValueRef
jit_emit_atomic(struct jit_emitter *e, const struct lir_inst *inst)
{
   const LLVMValueRef index = jit_operand(e, inst, 0);
   LLVMAtomicRMWBinOp operation;

   if (lir_mem_space(inst->imm) == LIR_SPACE_ARRAY || !jit_is_vector(index) ||
       !find_operation((enum lir_op)inst->op, &operation))
      return call_helper(e, inst);
   const struct jit_binding *binding = jit_find_binding(e, inst->imm);
   struct jit_either either = jit_either(e, can_be_separate(e, binding, index));
   LLVMValueRef result = operate(e, operation, binding->data, index,
                                 jit_vector_operand(e, inst, 1));

   jit_or_else(e, &either, &result, 1);
   result = call_helper(e, inst);
   jit_after_either(e, &either, &result, 1);
   return result;
}
