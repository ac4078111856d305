/* SPDX-License-Identifier: MIT
 *
 * Loads and stores of the fields of struct jit_frame, as LLVM IR.
 */
#include "exec/jit/emit.h"

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
