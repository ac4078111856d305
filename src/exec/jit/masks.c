/* SPDX-License-Identifier: MIT
 *
 * Masks of lanes: as vectors of truth values, as vectors of words, and as bits.
 */
#include "exec/jit/emit.h"

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
