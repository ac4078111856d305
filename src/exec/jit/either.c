/* SPDX-License-Identifier: MIT
 *
 * If-then-else as LLVM IR: two ways, phis of values where they join, and branch
 * weights.
 */
#include "exec/jit/emit.h"

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
