/* SPDX-License-Identifier: MIT
 *
 * What all of the emitter builds with: types by shape, constants, splats,
 * intrinsics, masks, fields of the frame.
 */
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

/* ---- one of two ways ----------------------------------------------------- */

/* A condition that holds more often than not. Else LLVM takes both ways to be
 * as likely, and has what several of the others share computed before. */
LLVMValueRef
jit_mostly(struct jit_emitter *e, LLVMValueRef condition)
{
   LLVMValueRef arguments[] = {
      condition,
      llvm.ConstInt(e->i1, 1, false),
      llvm.ConstReal(e->f64, 0.75),
   };

   return jit_intrinsic(e, "llvm.expect.with.probability", &e->i1, 1, arguments,
                        3);
}

/* Goes on where a condition holds, up to jit_or_else(); from there to
 * jit_after_either() code is what runs where it does not. */
struct jit_either
jit_either(struct jit_emitter *e, LLVMValueRef condition)
{
   const LLVMBasicBlockRef here = jit_block(e, "either");
   const struct jit_either either = {
      .other = jit_block(e, "or"),
      .after = jit_block(e, "after"),
   };

   llvm.BuildCondBr(e->b, condition, here, either.other);
   jit_enter_block(e, here);
   return either;
}

/* The values are the results of the first way. */
void
jit_or_else(struct jit_emitter *e, struct jit_either *either,
            const LLVMValueRef *values, unsigned count)
{
   assert(count <= JIT_MAX_RESULTS);
   for (unsigned i = 0; i < count; i++)
      either->result[i] = jit_alloca(e, llvm.TypeOf(values[i]), values[i]);
   llvm.BuildBr(e->b, either->after);
   jit_enter_block(e, either->other);
}

/* From the results of the second way to those of whichever was taken. */
void
jit_after_either(struct jit_emitter *e, const struct jit_either *either,
                 LLVMValueRef *values, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      llvm.BuildStore(e->b, values[i], either->result[i]);
   llvm.BuildBr(e->b, either->after);
   jit_enter_block(e, either->after);
   for (unsigned i = 0; i < count; i++)
      values[i] =
         llvm.BuildLoad2(e->b, llvm.TypeOf(values[i]), either->result[i], "");
}

/* ---- the frame ----------------------------------------------------------- */

LLVMValueRef
jit_field_pointer(struct jit_emitter *e, size_t offset)
{
   LLVMValueRef index = llvm.ConstInt(e->i64, offset, false);

   return llvm.BuildGEP2(e->b, e->i8, e->frame, &index, 1, "");
}

/* Fields are aligned to their elements. */
LLVMValueRef
jit_field(struct jit_emitter *e, LLVMTypeRef type, size_t offset)
{
   const LLVMValueRef value =
      llvm.BuildLoad2(e->b, type, jit_field_pointer(e, offset), "");

   llvm.SetAlignment(value, type == e->words ? 4 : offset % 8 ? 4 : 8);
   return value;
}

void
jit_set_field(struct jit_emitter *e, size_t offset, LLVMValueRef value)
{
   const LLVMValueRef store =
      llvm.BuildStore(e->b, value, jit_field_pointer(e, offset));

   llvm.SetAlignment(store, offset % 8 ? 4 : jit_is_vector(value) ? 4 : 8);
}

/* ---- masks --------------------------------------------------------------- */

/* What masks are made of that are not compared: an i16 whose bit i is lane i.
 * What is known to be one stays one. */
bool
jit_is_of_lanes(const struct jit_emitter *e, LLVMValueRef mask)
{
   return llvm.IsABitCastInst(mask) &&
          llvm.TypeOf(llvm.GetOperand(mask, 0)) == e->i16;
}

LLVMValueRef
jit_lanes_of_mask(struct jit_emitter *e, LLVMValueRef mask)
{
   return jit_is_of_lanes(e, mask) ? llvm.GetOperand(mask, 0)
                                   : llvm.BuildBitCast(e->b, mask, e->i16, "");
}

LLVMValueRef
jit_mask_of_lanes(struct jit_emitter *e, LLVMValueRef lanes)
{
   return llvm.BuildBitCast(e->b, lanes, e->mask, "");
}

/* The same bits, as an i32. */
LLVMValueRef
jit_bits_of_mask(struct jit_emitter *e, LLVMValueRef mask)
{
   return llvm.BuildZExt(e->b, jit_lanes_of_mask(e, mask), e->i32, "");
}

/* Is it set in all lanes? */
LLVMValueRef
jit_all(struct jit_emitter *e, LLVMValueRef mask)
{
   return llvm.BuildICmp(e->b, LLVMIntEQ, jit_lanes_of_mask(e, mask),
                         llvm.ConstInt(e->i16, 0xffff, false), "");
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
