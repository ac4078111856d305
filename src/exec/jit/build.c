/* SPDX-License-Identifier: MIT
 *
 * What all of the emitter builds with: types by shape, constants, lanes,
 * splats, intrinsics, blocks, calls of helpers.
 */
#include <assert.h>
#include <string.h>

#include "exec/jit/emit.h"

/* ---- shapes -------------------------------------------------------------- */

bool
jit_is_vector(LLVMValueRef value)
{
   return llvm.GetTypeKind(llvm.TypeOf(value)) == LLVMVectorTypeKind;
}

/* The element type in the shape of a value. */
LLVMTypeRef
jit_shaped(const struct jit_emitter *e, LLVMValueRef like, LLVMTypeRef element)
{
   (void)e;
   return jit_is_vector(like) ? llvm.VectorType(element, LIR_LANES) : element;
}

/* A constant of an integer type, in all lanes of a vector. */
LLVMValueRef
jit_constant(const struct jit_emitter *e, LLVMTypeRef type, uint64_t value)
{
   LLVMValueRef lanes[LIR_LANES];

   (void)e;
   if (llvm.GetTypeKind(type) != LLVMVectorTypeKind)
      return llvm.ConstInt(type, value, false);
   for (unsigned i = 0; i < LIR_LANES; i++)
      lanes[i] = llvm.ConstInt(llvm.GetElementType(type), value, false);
   return llvm.ConstVector(lanes, LIR_LANES);
}

/* A constant of a value's type. */
LLVMValueRef
jit_integer(const struct jit_emitter *e, LLVMValueRef like, uint64_t value)
{
   return jit_constant(e, llvm.TypeOf(like), value);
}

LLVMValueRef
jit_constant_lanes(struct jit_emitter *e, const uint32_t *lanes, unsigned count)
{
   LLVMValueRef constants[LIR_LANES];

   assert(count <= LIR_LANES);
   for (unsigned i = 0; i < count; i++)
      constants[i] = llvm.ConstInt(e->i32, lanes[i], false);
   return llvm.ConstVector(constants, count);
}

LLVMValueRef
jit_word_of_lane(struct jit_emitter *e, LLVMValueRef index, unsigned lane)
{
   return llvm.BuildExtractElement(e->b, index,
                                   llvm.ConstInt(e->i32, lane, false), "");
}

/* The vector of a scalar; a vector as it is. */
LLVMValueRef
jit_splat(struct jit_emitter *e, LLVMValueRef value)
{
   const LLVMTypeRef type = llvm.TypeOf(value);

   if (jit_is_vector(value))
      return value;
   if (llvm.IsAConstantInt(value))
      return jit_constant(e, llvm.VectorType(type, LIR_LANES),
                          llvm.ConstIntGetZExtValue(value));
   const LLVMTypeRef vector = llvm.VectorType(type, LIR_LANES);
   const LLVMValueRef poison = llvm.GetPoison(vector);
   const LLVMValueRef first = llvm.BuildInsertElement(
      e->b, poison, value, llvm.ConstInt(e->i32, 0, false), "");

   return llvm.BuildShuffleVector(e->b, first, poison,
                                  jit_constant(e, e->words, 0), "");
}

LLVMValueRef
jit_intrinsic(struct jit_emitter *e, const char *name, LLVMTypeRef *overloads,
              unsigned num_overloads, LLVMValueRef *arguments,
              unsigned num_arguments)
{
   const unsigned id = llvm.LookupIntrinsicID(name, strlen(name));
   const LLVMValueRef function =
      llvm.GetIntrinsicDeclaration(e->llvm, id, overloads, num_overloads);

   return llvm.BuildCall2(e->b, llvm.GlobalGetValueType(function), function,
                          arguments, num_arguments, "");
}

/* ---- blocks and allocas -------------------------------------------------- */

LLVMBasicBlockRef
jit_block(struct jit_emitter *e, const char *name)
{
   return llvm.AppendBasicBlockInContext(e->context, e->function, name);
}

void
jit_enter_block(struct jit_emitter *e, LLVMBasicBlockRef block)
{
   llvm.MoveBasicBlockAfter(block, llvm.GetInsertBlock(e->b));
   llvm.PositionBuilderAtEnd(e->b, block);
   e->is_dead = false;
}

/* An alloca in the entry block, which only allocas are in. It holds `first` at
 * this place of the code. */
LLVMValueRef
jit_alloca(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef first)
{
   const LLVMBasicBlockRef here = llvm.GetInsertBlock(e->b);

   llvm.PositionBuilderAtEnd(e->b, e->entry);
   const LLVMValueRef place = llvm.BuildAlloca(e->b, type, "");
   llvm.PositionBuilderAtEnd(e->b, here);
   if (first)
      llvm.BuildStore(e->b, first, place);
   return place;
}

/* ---- helpers ------------------------------------------------------------- */

/* Calls a helper, whose operands are in the frame's call. */
LLVMValueRef
jit_call_helper(struct jit_emitter *e, enum jit_helper helper)
{
   const LLVMTypeRef type = llvm.FunctionType(e->i32, &e->pointer, 1, false);
   const LLVMValueRef table =
      jit_field(e, e->pointer, offsetof(struct jit_frame, helpers));
   LLVMValueRef index = llvm.ConstInt(e->i64, helper, false);
   const LLVMValueRef place =
      llvm.BuildGEP2(e->b, e->pointer, table, &index, 1, "");
   const LLVMValueRef function = llvm.BuildLoad2(e->b, e->pointer, place, "");

   return llvm.BuildCall2(e->b, type, function, &e->frame, 1, "");
}
