/* SPDX-License-Identifier: MIT
 *
 * Lookups in constant tables, as LLVM IR: loads that are proven to be inside of
 * a declared size. Those of a texel's channels, and of the texels of a filter,
 * are done together. Where lanes agree on what all of them look up, as they do
 * in flat colours and near by, each is one load; else each is one gather.
 * Which of the two is found out when the code runs.
 */
#include "exec/jit/emit.h"

/* What an index is made of, by constants alone: all lanes that agree on it look
 * up the same. The channels of a texel have theirs in common. */
static LLVMValueRef
source_of(struct jit_emitter *e, const struct lir_inst *inst)
{
   const struct lir_inst *insts = e->scope->function->insts;
   const struct lir_inst *index = &insts[inst->operand[0].index];

   while ((index->op == LIR_OP_iand || index->op == LIR_OP_iadd ||
           index->op == LIR_OP_ushr) &&
          insts[index->operand[1].index].op == LIR_OP_const32) {
      inst = index;
      index = &insts[inst->operand[0].index];
   }
   return jit_vector_operand(e, inst, 0);
}

static LLVMValueRef
agree_on(struct jit_emitter *e, LLVMValueRef words)
{
   const LLVMValueRef first = jit_splat(e, jit_word_of_lane(e, words, 0));

   return llvm.BuildICmp(e->b, LLVMIntEQ, words, first, "");
}

/* Do all lanes look up the same, in each of the loads? */
static LLVMValueRef
agree(struct jit_emitter *e, const struct jit_loads *loads)
{
   LLVMValueRef source = NULL, bits = NULL;

   for (unsigned i = 0; i < loads->count; i++) {
      const LLVMValueRef last = source;

      source = source_of(e, &e->scope->function->insts[loads->inst[i]]);
      if (source == last)
         continue;
      const LLVMValueRef more = agree_on(e, source);
      bits = bits ? llvm.BuildAnd(e->b, bits, more, "") : more;
   }
   return jit_all(e, bits);
}

static LLVMValueRef
load_one(struct jit_emitter *e, const struct jit_binding *binding,
         LLVMValueRef index)
{
   const LLVMValueRef wide = llvm.BuildZExt(e->b, index, e->i64, "");

   return jit_load(e, e->i32, jit_at(e, e->i32, binding->data, wide),
                   sizeof(uint32_t));
}

LLVMValueRef
jit_look_up(struct jit_emitter *e, const struct jit_binding *binding,
            const struct lir_inst *inst)
{
   LLVMValueRef results[JIT_MAX_RESULTS];
   struct jit_loads loads;

   assert(inst->is_inside);
   jit_find_loads(e, inst, JIT_MAX_RESULTS, &loads);
   struct jit_either either = jit_either(e, agree(e, &loads));
   for (unsigned i = 0; i < loads.count; i++)
      results[i] = jit_splat(
         e, load_one(e, binding, jit_word_of_lane(e, loads.index[i], 0)));
   jit_or_else(e, &either, results, loads.count);
   for (unsigned i = 0; i < loads.count; i++)
      results[i] =
         jit_gather(e, e->i32, jit_at(e, e->i32, binding->data, loads.index[i]),
                    sizeof(uint32_t));
   jit_after_either(e, &either, results, loads.count);
   return jit_give_loads(e, &loads, results);
}
