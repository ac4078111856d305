/* SPDX-License-Identifier: MIT
 *
 * Accesses to tiled surfaces, as LLVM IR: a wave that is a block of 4 by 4
 * pixels looks at a vector, one of quads at four units a quad. Whether it does
 * is found out when the code runs, else it gathers and scatters.
 */
#include "exec/jit/emit.h"

enum { QUAD = 4 };

/* What is there stays in lanes that are not active: nobody else looks at it, as
 * what is drawn of a tile is one thread's. */
static void
store_blended(struct jit_emitter *e, LLVMValueRef value, LLVMValueRef active,
              LLVMValueRef pointer, unsigned alignment)
{
   const LLVMValueRef old = jit_load(e, llvm.TypeOf(value), pointer, alignment);

   llvm.SetAlignment(
      llvm.BuildStore(e->b, llvm.BuildSelect(e->b, active, value, old, ""),
                      pointer),
      alignment);
}

/* A masked store at a place. An instruction does not wait for what is there. */
static void
store_masked(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
             LLVMValueRef active, LLVMValueRef pointer)
{
   const unsigned bits = llvm.GetIntTypeWidth(unit);

   if (!e->has_avx512 || bits < 32) {
      store_blended(e, value, active, pointer, bits / 8);
      return;
   }
   LLVMTypeRef types[] = {llvm.TypeOf(value), llvm.TypeOf(pointer)};
   LLVMValueRef arguments[] = {
      value,
      pointer,
      llvm.ConstInt(e->i32, bits / 8, false),
      active,
   };
   jit_intrinsic(e, "llvm.masked.store", types, 2, arguments, 4);
}

/* Quad by quad, each loaded when those before it are stored: two may be at one
 * place. */
static void
store_quads(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
            const struct jit_binding *binding, LLVMValueRef index)
{
   const LLVMValueRef active = jit_active(e);

   for (unsigned i = 0; i < LIR_LANES; i += QUAD)
      store_masked(e, unit, jit_take_lanes(e, value, value, i, QUAD),
                   jit_take_lanes(e, active, active, i, QUAD),
                   jit_group_pointer(e, unit, binding, index, i));
}

static LLVMValueRef
load_quads_or_gather(struct jit_emitter *e, LLVMTypeRef unit,
                     const struct jit_binding *binding, LLVMValueRef index)
{
   struct jit_either either = jit_either(
      e, jit_mostly(e, jit_are_groups(e, unit, binding, index, QUAD)));
   LLVMValueRef result = jit_load_groups(e, unit, binding, index, QUAD);

   jit_or_else(e, &either, &result, 1);
   result = jit_gather_units(e, unit, binding, index);
   jit_after_either(e, &either, &result, 1);
   return result;
}

static void
store_quads_or_scatter(struct jit_emitter *e, LLVMTypeRef unit,
                       LLVMValueRef value, const struct jit_binding *binding,
                       LLVMValueRef index)
{
   struct jit_either either = jit_either(
      e, jit_mostly(e, jit_are_groups(e, unit, binding, index, QUAD)));

   store_quads(e, unit, value, binding, index);
   jit_or_else(e, &either, NULL, 0);
   jit_scatter_units(e, unit, value, binding, index);
   jit_after_either(e, &either, NULL, 0);
}

LLVMValueRef
jit_load_tile(struct jit_emitter *e, LLVMTypeRef unit,
              const struct jit_binding *binding, LLVMValueRef index)
{
   const struct jit_row row = jit_find_row(e, unit, binding, index);
   struct jit_either either = jit_either(e, row.is_there);
   LLVMValueRef result = jit_load(e, llvm.VectorType(unit, LIR_LANES),
                                  row.pointer, llvm.GetIntTypeWidth(unit) / 8);

   jit_or_else(e, &either, &result, 1);
   result = load_quads_or_gather(e, unit, binding, index);
   jit_after_either(e, &either, &result, 1);
   return result;
}

void
jit_store_tile(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
               const struct jit_binding *binding, LLVMValueRef index)
{
   const struct jit_row row = jit_find_row(e, unit, binding, index);
   struct jit_either either = jit_either(e, row.is_there);

   store_masked(e, unit, value, jit_active(e), row.pointer);
   jit_or_else(e, &either, NULL, 0);
   store_quads_or_scatter(e, unit, value, binding, index);
   jit_after_either(e, &either, NULL, 0);
}
