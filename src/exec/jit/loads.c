/* SPDX-License-Identifier: MIT
 *
 * Load clustering: those of the same kind that come after a load are emitted
 * with it, so that one branch does for all. Their indices are hoisted.
 */
#include "exec/jit/emit.h"

enum {
   MAX_AHEAD = 64, /* instructions that are looked at for more loads */
};

/* Can a value be made here, of values that there are? `budget` is how many
 * instructions may be looked at. */
static bool
is_within_reach(const struct jit_emitter *e, uint32_t index, unsigned *budget)
{
   const struct lir_inst *inst = &e->scope->function->insts[index];

   if (e->scope->values[index])
      return true;
   if (*budget == 0 ||
       (!jit_alus[inst->op] && lir_op_row(inst->op)->imm != LIR_IMM_CONST))
      return false;
   --*budget;
   for (unsigned k = 0; k < lir_op_row(inst->op)->num_operands; k++) {
      if (!is_within_reach(e, inst->operand[k].index, budget))
         return false;
   }
   return true;
}

/* Makes it, before it is its turn. */
static void
make_early(struct jit_emitter *e, uint32_t index)
{
   const struct lir_inst *inst = &e->scope->function->insts[index];

   if (e->scope->values[index])
      return;
   for (unsigned k = 0; k < lir_op_row(inst->op)->num_operands; k++)
      make_early(e, inst->operand[k].index);
   jit_emit_or_hoist(e, index);
}

static void
add_load(struct jit_emitter *e, struct jit_loads *loads, uint32_t inst)
{
   const struct lir_function *function = e->scope->function;
   const unsigned number = loads->count++;

   make_early(e, function->insts[inst].operand[0].index);
   loads->inst[number] = inst;
   loads->index[number] = jit_vector_operand(e, &function->insts[inst], 0);
}

static bool
are_alike(const struct lir_inst *a, const struct lir_inst *b)
{
   return a->op == b->op && a->imm == b->imm && a->is_inside == b->is_inside &&
          a->is_uniform == b->is_uniform;
}

void
jit_find_loads(struct jit_emitter *e, const struct lir_inst *inst,
               unsigned most, struct jit_loads *loads)
{
   const struct lir_function *function = e->scope->function;
   const uint32_t first = (uint32_t)(inst - function->insts);
   uint32_t end = first + MAX_AHEAD;

   assert(most > 0 && most <= JIT_MAX_RESULTS);
   if (end > function->num_insts)
      end = function->num_insts;
   loads->count = 0;
   add_load(e, loads, first);
   for (uint32_t i = first + 1; i < end && loads->count < most; i++) {
      const struct lir_inst *other = &function->insts[i];
      unsigned budget = MAX_AHEAD;

      if (lir_op_row(other->op)->flags & (LIR_FLAG_CONTROL | LIR_FLAG_WRITE))
         break;
      if (other->num_words)
         i += other->num_words - 1u; /* which runs.c does */
      else if (are_alike(inst, other) && !e->scope->values[i] &&
               is_within_reach(e, other->operand[0].index, &budget))
         add_load(e, loads, i);
   }
}

LLVMValueRef
jit_give_loads(struct jit_emitter *e, const struct jit_loads *loads,
               const LLVMValueRef *results)
{
   for (unsigned i = 0; i < loads->count; i++)
      e->scope->values[loads->inst[i]] = results[i];
   return results[0];
}
