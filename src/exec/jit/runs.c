/* SPDX-License-Identifier: MIT
 *
 * Vector loads of runs, as LLVM IR: the words of a vertex attribute, of a wide
 * texel, of a descriptor. Where all of them are inside of the bounds in all
 * lanes, one gather takes two words of each lane, in the time of a gather of
 * one. Else words are loaded one by one, as each has bounds of its own. Which
 * of the two is found out when the code runs, unless it is proven.
 */
#include "exec/jit/emit.h"

struct run {
   const struct jit_binding *binding;
   LLVMValueRef index[LIR_MAX_RUN];
   unsigned num_words;
   bool is_inside; /* proven of all words */
};

/* ---- where all words are inside of the bounds ---------------------------- */

/* What the first index is below where the last word is inside, and so all are:
 * sums that wrap are none of these. Worked out once for all waves. */
static LLVMValueRef
bound_of_first(struct jit_emitter *e, const struct run *run)
{
   const LLVMBasicBlockRef here = llvm.GetInsertBlock(e->b);
   LLVMValueRef arguments[] = {
      run->binding->num_words,
      llvm.ConstInt(e->i32, run->num_words - 1, false),
   };

   llvm.PositionBuilderAtEnd(e->b, e->start);
   const LLVMValueRef bound =
      jit_intrinsic(e, "llvm.usub.sat", &e->i32, 1, arguments, 2);
   llvm.PositionBuilderAtEnd(e->b, here);
   return bound;
}

/* Where each lane has a word of the run. The distance from the first is in the
 * base, for which machines' gathers have room. */
static LLVMValueRef
pointers_to(struct jit_emitter *e, const struct run *run, unsigned word)
{
   const LLVMValueRef distance = llvm.ConstInt(e->i64, word, false);

   return jit_at(e, e->i32, jit_at(e, e->i32, run->binding->data, distance),
                 run->index[0]);
}

/* In pairs, and what is left of three by itself. */
static void
gather_pairs(struct jit_emitter *e, const struct run *run,
             LLVMValueRef *results)
{
   unsigned i = 0;

   for (; i + 1 < run->num_words; i += 2)
      jit_gather_pairs(e, pointers_to(e, run, i), &results[i], &results[i + 1]);
   if (i < run->num_words)
      results[i] =
         jit_gather(e, e->i32, pointers_to(e, run, i), sizeof(uint32_t));
}

/* ---- all of it ----------------------------------------------------------- */

static void
load_each(struct jit_emitter *e, const struct run *run, LLVMValueRef *results)
{
   const LLVMValueRef are_inside =
      jit_all(e, jit_is_inside(e, run->index[0], bound_of_first(e, run)));
   struct jit_either either = jit_either(e, are_inside);

   gather_pairs(e, run, results);
   jit_or_else(e, &either, results, run->num_words);
   for (unsigned i = 0; i < run->num_words; i++)
      results[i] = jit_gather_units(e, e->i32, run->binding, run->index[i]);
   jit_after_either(e, &either, results, run->num_words);
}

/* Likewise, in lanes that mostly look at the same words. */
static void
load_agreeing(struct jit_emitter *e, const struct run *run,
              LLVMValueRef *results)
{
   LLVMValueRef first;
   struct jit_either either =
      jit_either(e, jit_agree(e, run->index[0], &first));

   for (unsigned i = 0; i < run->num_words; i++) {
      const LLVMValueRef index =
         llvm.BuildAdd(e->b, first, llvm.ConstInt(e->i32, i, false), "");

      results[i] = jit_splat(e, jit_load_unit(e, e->i32, run->binding, index));
   }
   jit_or_else(e, &either, results, run->num_words);
   load_each(e, run, results);
   jit_after_either(e, &either, results, run->num_words);
}

/* The result of the first load of a run, after which those of the others are
 * there, too. */
LLVMValueRef
jit_load_run(struct jit_emitter *e, const struct jit_binding *binding,
             const struct lir_inst *inst)
{
   const size_t first = (size_t)(inst - e->scope->function->insts);
   struct run run = {
      .binding = binding,
      .num_words = inst->num_words,
      .is_inside = true,
   };
   LLVMValueRef results[LIR_MAX_RUN];

   assert(run.num_words > 1 && run.num_words <= LIR_MAX_RUN);
   for (unsigned i = 0; i < run.num_words; i++) {
      run.index[i] = jit_vector_operand(e, &inst[i], 0);
      run.is_inside &= inst[i].is_inside;
   }
   if (run.is_inside)
      gather_pairs(e, &run, results);
   else if (lir_mem_space(inst->imm) == LIR_SPACE_CONST)
      load_agreeing(e, &run, results);
   else
      load_each(e, &run, results);
   for (unsigned i = 1; i < run.num_words; i++)
      e->scope->values[first + i] = results[i];
   return results[0];
}
