/* SPDX-License-Identifier: MIT
 *
 * Atomic operations and fences. An atomic operation calls a helper: it takes
 * long anyway.
 */
#include "exec/x86/memory.h"

#define FRAME(field) offsetof(struct jit_frame, field)
#define CALL_FIELD(field) (FRAME(call) + offsetof(struct jit_call, field))

static const uint8_t helpers[LIR_NUM_OPS] = {
#define LIR_ATOMIC(name, n, expression, title)                                 \
   [LIR_OP_##name] = JIT_HELPER_##name,
#include "lir/ops.def"
};

void
x86_give_row(struct x86_emitter *e, uint32_t value, size_t field)
{
   for (e->half = 0; e->half < 2; e->half++) {
      const unsigned reg = x86_reg_value(e, value, 0);

      x86_asm_vector(&e->a, X86_vmovups_store, reg, 0,
                     x86_field(field + e->half * X86_VECTOR_BYTES));
      x86_reg_forget(e);
   }
}

static void
take_row(struct x86_emitter *e, size_t field)
{
   for (e->half = 0; e->half < 2; e->half++) {
      x86_asm_vector(&e->a, X86_vmovups_load, x86_reg_result(e, 0), 0,
                     x86_field(field + e->half * X86_VECTOR_BYTES));
      x86_reg_finish(e);
      x86_reg_forget(e);
   }
}

void
x86_give_active(struct x86_emitter *e)
{
   x86_bits_of_mask(e, x86_active_place(e), X86_RAX, X86_RCX);
   x86_asm_store(&e->a, X86_WORD, x86_field(CALL_FIELD(active)), X86_RAX);
}

void
x86_atomic(struct x86_emitter *e, const struct x86_inst *inst)
{
   const unsigned last = x86_num_operands(inst) - 1;
   const bool is_array = lir_mem_space(inst->imm) == LIR_SPACE_ARRAY;
   const uint32_t memory = is_array
                              ? e->first_array_word[lir_mem_binding(inst->imm)]
                              : jit_find_place(e->shape, inst->imm);

   x86_give_row(e, inst->operand[0], CALL_FIELD(a));
   x86_give_row(e, inst->operand[last], CALL_FIELD(b));
   x86_give_row(e, inst->operand[last - 1], CALL_FIELD(c));
   x86_give_active(e);
   x86_asm_store_imm(&e->a, X86_WORD, x86_field(CALL_FIELD(memory)), memory);
   x86_asm_store_imm(&e->a, X86_WORD, x86_field(CALL_FIELD(num_words)),
                     is_array ? x86_array_words(e, inst->imm) : 0);
   x86_emit_helper_call(e, (enum jit_helper)helpers[inst->op]);
   take_row(e, CALL_FIELD(result));
}

void
x86_fence_memory(struct x86_emitter *e, const struct x86_inst *inst)
{
   (void)inst;
   x86_asm_fence(&e->a);
}
