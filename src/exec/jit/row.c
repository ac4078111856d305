/* SPDX-License-Identifier: MIT
 *
 * Unit-stride accesses to buffers, images and shared memory, as LLVM IR: lanes
 * that look at units which are next to each other, as threads mostly do, look
 * at a vector: all sixteen, or each four of them, as where a block is narrow.
 * Whether they do is found out when the code runs, else they gather and
 * scatter.
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

/* ---- rows of four lanes -------------------------------------------------- */

enum { QUARTER = LIR_LANES / 4 };

/* Does each four lanes look at units next to each other, all of them inside of
 * the bounds? */
static LLVMValueRef
are_quarters(struct jit_emitter *e, LLVMTypeRef unit,
             const struct jit_binding *binding, LLVMValueRef index)
{
   uint32_t firsts[LIR_LANES], steps[LIR_LANES];

   for (uint32_t i = 0; i < LIR_LANES; i++) {
      firsts[i] = i / QUARTER * QUARTER;
      steps[i] = i % QUARTER;
   }
   const LLVMValueRef first = llvm.BuildShuffleVector(
      e->b, index, index, jit_constant_lanes(e, firsts, LIR_LANES), "");
   const LLVMValueRef in_quarters =
      llvm.BuildAdd(e->b, first, jit_constant_lanes(e, steps, LIR_LANES), "");
   const LLVMValueRef are_inside =
      jit_all(e, jit_is_inside(e, index, jit_count_units(e, unit, binding)));

   return llvm.BuildAnd(
      e->b, jit_all(e, llvm.BuildICmp(e->b, LLVMIntEQ, index, in_quarters, "")),
      are_inside, "");
}

static LLVMValueRef
quarter_pointer(struct jit_emitter *e, LLVMTypeRef unit,
                const struct jit_binding *binding, LLVMValueRef index,
                unsigned quarter)
{
   const LLVMValueRef first = jit_word_of_lane(e, index, quarter * QUARTER);

   return jit_at(e, unit, binding->data,
                 llvm.BuildZExt(e->b, first, e->i64, ""));
}

/* Two vectors as one, of `count` units. */
static LLVMValueRef
join(struct jit_emitter *e, LLVMValueRef low, LLVMValueRef high, unsigned count)
{
   uint32_t lanes[LIR_LANES];

   for (uint32_t i = 0; i < count; i++)
      lanes[i] = i;
   return llvm.BuildShuffleVector(e->b, low, high,
                                  jit_constant_lanes(e, lanes, count), "");
}

static LLVMValueRef
load_quarters(struct jit_emitter *e, LLVMTypeRef unit,
              const struct jit_binding *binding, LLVMValueRef index)
{
   LLVMValueRef quarters[4];

   for (unsigned i = 0; i < 4; i++)
      quarters[i] = jit_load(e, llvm.VectorType(unit, QUARTER),
                             quarter_pointer(e, unit, binding, index, i),
                             llvm.GetIntTypeWidth(unit) / 8);
   const LLVMValueRef low = join(e, quarters[0], quarters[1], 2 * QUARTER);
   const LLVMValueRef high = join(e, quarters[2], quarters[3], 2 * QUARTER);
   return join(e, low, high, LIR_LANES);
}

/* The lowest lane first. */
static void
store_quarters(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
               const struct jit_binding *binding, LLVMValueRef index)
{
   for (unsigned i = 0; i < 4; i++) {
      uint32_t lanes[QUARTER];

      for (uint32_t k = 0; k < QUARTER; k++)
         lanes[k] = i * QUARTER + k;
      const LLVMValueRef quarter = llvm.BuildShuffleVector(
         e->b, value, value, jit_constant_lanes(e, lanes, QUARTER), "");
      llvm.SetAlignment(
         llvm.BuildStore(e->b, quarter,
                         quarter_pointer(e, unit, binding, index, i)),
         llvm.GetIntTypeWidth(unit) / 8);
   }
}

static LLVMValueRef
load_others(struct jit_emitter *e, LLVMTypeRef unit,
            const struct jit_binding *binding, LLVMValueRef index)
{
   struct jit_either either =
      jit_either(e, are_quarters(e, unit, binding, index));
   LLVMValueRef result = load_quarters(e, unit, binding, index);

   jit_or_else(e, &either, &result, 1);
   result = jit_load_units(e, unit, binding, index);
   jit_after_either(e, &either, &result, 1);
   return result;
}

static void
store_others(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
             const struct jit_binding *binding, LLVMValueRef index,
             LLVMValueRef is_full)
{
   const LLVMValueRef are = are_quarters(e, unit, binding, index);
   struct jit_either either =
      jit_either(e, llvm.BuildAnd(e->b, are, is_full, ""));

   store_quarters(e, unit, value, binding, index);
   jit_or_else(e, &either, NULL, 0);
   jit_scatter_units(e, unit, value, binding, index);
   jit_after_either(e, &either, NULL, 0);
}

/* ---- accesses ------------------------------------------------------------ */

LLVMValueRef
jit_load_row(struct jit_emitter *e, LLVMTypeRef unit,
             const struct jit_binding *binding, LLVMValueRef index)
{
   const struct row row = find_row(e, unit, binding, index);
   struct jit_either either = jit_either(e, jit_mostly(e, row.is_there));
   LLVMValueRef result = jit_load(e, llvm.VectorType(unit, LIR_LANES),
                                  row.pointer, llvm.GetIntTypeWidth(unit) / 8);

   jit_or_else(e, &either, &result, 1);
   result = load_others(e, unit, binding, index);
   jit_after_either(e, &either, &result, 1);
   return result;
}

void
jit_store_row(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
              const struct jit_binding *binding, LLVMValueRef index)
{
   const struct row row = find_row(e, unit, binding, index);
   const LLVMValueRef is_full = jit_all(e, jit_active(e));
   const LLVMValueRef can_be_row =
      llvm.BuildAnd(e->b, row.is_there, is_full, "");
   struct jit_either either = jit_either(e, jit_mostly(e, can_be_row));

   llvm.SetAlignment(llvm.BuildStore(e->b, value, row.pointer),
                     llvm.GetIntTypeWidth(unit) / 8);
   jit_or_else(e, &either, NULL, 0);
   store_others(e, unit, value, binding, index, is_full);
   jit_after_either(e, &either, NULL, 0);
}
