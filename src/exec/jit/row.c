/* SPDX-License-Identifier: MIT
 *
 * Unit-stride accesses to buffers, images and shared memory, as LLVM IR: lanes
 * that look at units which are next to each other, as threads mostly do, look
 * at a vector: all sixteen, or each four or two, as where a block is narrow.
 * Whether they do is found out when the code runs, else they gather and
 * scatter.
 */
#include "exec/jit/emit.h"

/* Of a group that is looked at where there is no row. */
enum { MOST_LANES = 4 };

struct jit_row
jit_find_row(struct jit_emitter *e, LLVMTypeRef unit,
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

   return (struct jit_row){
      .pointer = jit_at(e, unit, binding->data, wide),
      .is_there = llvm.BuildAnd(e->b, is_row, is_within, ""),
   };
}

/* ---- rows of fewer lanes ------------------------------------------------- */

LLVMValueRef
jit_are_groups(struct jit_emitter *e, LLVMTypeRef unit,
               const struct jit_binding *binding, LLVMValueRef index,
               unsigned size)
{
   uint32_t firsts[LIR_LANES], steps[LIR_LANES];

   for (uint32_t i = 0; i < LIR_LANES; i++) {
      firsts[i] = i / size * size;
      steps[i] = i % size;
   }
   const LLVMValueRef first = llvm.BuildShuffleVector(
      e->b, index, index, jit_constant_lanes(e, firsts, LIR_LANES), "");
   const LLVMValueRef in_groups =
      llvm.BuildAdd(e->b, first, jit_constant_lanes(e, steps, LIR_LANES), "");
   const LLVMValueRef are_inside =
      jit_all(e, jit_is_inside(e, index, jit_count_units(e, unit, binding)));

   return llvm.BuildAnd(
      e->b, jit_all(e, llvm.BuildICmp(e->b, LLVMIntEQ, index, in_groups, "")),
      are_inside, "");
}

LLVMValueRef
jit_group_pointer(struct jit_emitter *e, LLVMTypeRef unit,
                  const struct jit_binding *binding, LLVMValueRef index,
                  unsigned lane)
{
   const LLVMValueRef first = jit_word_of_lane(e, index, lane);

   return jit_at(e, unit, binding->data,
                 llvm.BuildZExt(e->b, first, e->i64, ""));
}

LLVMValueRef
jit_take_lanes(struct jit_emitter *e, LLVMValueRef low, LLVMValueRef high,
               unsigned first, unsigned count)
{
   uint32_t lanes[LIR_LANES];

   for (uint32_t i = 0; i < count; i++)
      lanes[i] = first + i;
   return llvm.BuildShuffleVector(e->b, low, high,
                                  jit_constant_lanes(e, lanes, count), "");
}

LLVMValueRef
jit_load_groups(struct jit_emitter *e, LLVMTypeRef unit,
                const struct jit_binding *binding, LLVMValueRef index,
                unsigned size)
{
   LLVMValueRef groups[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i += size)
      groups[i] = jit_load(e, llvm.VectorType(unit, size),
                           jit_group_pointer(e, unit, binding, index, i),
                           llvm.GetIntTypeWidth(unit) / 8);
   for (; size < LIR_LANES; size *= 2) {
      for (unsigned i = 0; i < LIR_LANES; i += 2 * size)
         groups[i] =
            jit_take_lanes(e, groups[i], groups[i + size], 0, 2 * size);
   }
   return groups[0];
}

void
jit_store_groups(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
                 const struct jit_binding *binding, LLVMValueRef index,
                 unsigned size)
{
   for (unsigned i = 0; i < LIR_LANES; i += size)
      llvm.SetAlignment(
         llvm.BuildStore(e->b, jit_take_lanes(e, value, value, i, size),
                         jit_group_pointer(e, unit, binding, index, i)),
         llvm.GetIntTypeWidth(unit) / 8);
}

/* In groups of `size` lanes, of less, or lane by lane. */
static LLVMValueRef
load_in_groups(struct jit_emitter *e, LLVMTypeRef unit,
               const struct jit_binding *binding, LLVMValueRef index,
               unsigned size)
{
   if (size == 1)
      return jit_load_units(e, unit, binding, index);
   struct jit_either either =
      jit_either(e, jit_are_groups(e, unit, binding, index, size));
   LLVMValueRef result = jit_load_groups(e, unit, binding, index, size);

   jit_or_else(e, &either, &result, 1);
   result = load_in_groups(e, unit, binding, index, size / 2);
   jit_after_either(e, &either, &result, 1);
   return result;
}

static void
store_in_groups(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
                const struct jit_binding *binding, LLVMValueRef index,
                LLVMValueRef is_full, unsigned size)
{
   if (size == 1) {
      jit_scatter_units(e, unit, value, binding, index);
      return;
   }
   const LLVMValueRef are = jit_are_groups(e, unit, binding, index, size);
   struct jit_either either =
      jit_either(e, llvm.BuildAnd(e->b, are, is_full, ""));

   jit_store_groups(e, unit, value, binding, index, size);
   jit_or_else(e, &either, NULL, 0);
   store_in_groups(e, unit, value, binding, index, is_full, size / 2);
   jit_after_either(e, &either, NULL, 0);
}

/* ---- accesses ------------------------------------------------------------ */

LLVMValueRef
jit_load_row(struct jit_emitter *e, LLVMTypeRef unit,
             const struct jit_binding *binding, LLVMValueRef index)
{
   const struct jit_row row = jit_find_row(e, unit, binding, index);
   struct jit_either either = jit_either(e, jit_mostly(e, row.is_there));
   LLVMValueRef result = jit_load(e, llvm.VectorType(unit, LIR_LANES),
                                  row.pointer, llvm.GetIntTypeWidth(unit) / 8);

   jit_or_else(e, &either, &result, 1);
   result = load_in_groups(e, unit, binding, index, MOST_LANES);
   jit_after_either(e, &either, &result, 1);
   return result;
}

void
jit_store_row(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
              const struct jit_binding *binding, LLVMValueRef index)
{
   const struct jit_row row = jit_find_row(e, unit, binding, index);
   const LLVMValueRef is_full = jit_all(e, jit_active(e));
   const LLVMValueRef can_be_row =
      llvm.BuildAnd(e->b, row.is_there, is_full, "");
   struct jit_either either = jit_either(e, jit_mostly(e, can_be_row));

   llvm.SetAlignment(llvm.BuildStore(e->b, value, row.pointer),
                     llvm.GetIntTypeWidth(unit) / 8);
   jit_or_else(e, &either, NULL, 0);
   store_in_groups(e, unit, value, binding, index, is_full, MOST_LANES);
   jit_after_either(e, &either, NULL, 0);
}
