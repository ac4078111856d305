/* SPDX-License-Identifier: MIT
 *
 * Unit-stride accesses to buffers, images and shared memory, as LLVM IR: lanes
 * that look at units which are next to each other, as threads mostly do, look
 * at a vector. Whether they do is found out when the code runs, else they
 * gather and scatter.
 */
#include "exec/jit/emit.h"

/* The first unit of a row that is inside of the bounds, and whether there is
 * one. */
struct row {
   LLVMValueRef pointer;
   LLVMValueRef is_there;
};

static struct row
find_row(struct jit_emitter *e, LLVMTypeRef unit,
         const struct jit_binding *binding, LLVMValueRef index)
{
   const LLVMValueRef first = jit_word_of_lane(e, index, 0);
   const LLVMValueRef in_row =
      llvm.BuildAdd(e->b, jit_splat(e, first), e->lane_numbers, "");
   const LLVMValueRef is_row =
      jit_all(e, llvm.BuildICmp(e->b, LLVMIntEQ, index, in_row, ""));
   const LLVMValueRef wide = llvm.BuildZExt(e->b, first, e->i64, "");
   const LLVMValueRef last = llvm.BuildAdd(
      e->b, wide, llvm.ConstInt(e->i64, LIR_LANES - 1, false), "");
   const LLVMValueRef count =
      llvm.BuildZExt(e->b, jit_count_units(e, unit, binding), e->i64, "");
   const LLVMValueRef is_within =
      llvm.BuildICmp(e->b, LLVMIntULT, last, count, "");

   return (struct row){
      .pointer = jit_at(e, unit, binding->data, wide),
      .is_there = llvm.BuildAnd(e->b, is_row, is_within, ""),
   };
}

LLVMValueRef
jit_load_row(struct jit_emitter *e, LLVMTypeRef unit,
             const struct jit_binding *binding, LLVMValueRef index)
{
   const struct row row = find_row(e, unit, binding, index);
   struct jit_either either = jit_either(e, row.is_there);
   LLVMValueRef result = jit_load(e, llvm.VectorType(unit, LIR_LANES),
                                  row.pointer, llvm.GetIntTypeWidth(unit) / 8);

   jit_or_else(e, &either, &result, 1);
   result = jit_load_units(e, unit, binding, index);
   jit_after_either(e, &either, &result, 1);
   return result;
}

void
jit_store_row(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
              const struct jit_binding *binding, LLVMValueRef index)
{
   const struct row row = find_row(e, unit, binding, index);
   const LLVMValueRef is_full = jit_all(e, jit_active(e));
   struct jit_either either =
      jit_either(e, llvm.BuildAnd(e->b, row.is_there, is_full, ""));

   llvm.SetAlignment(llvm.BuildStore(e->b, value, row.pointer),
                     llvm.GetIntTypeWidth(unit) / 8);
   jit_or_else(e, &either, NULL, 0);
   jit_scatter_units(e, unit, value, binding, index);
   jit_after_either(e, &either, NULL, 0);
}
