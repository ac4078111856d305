/* SPDX-License-Identifier: MIT
 *
 * Operations that compute, as instructions of AVX2: a function each, from the
 * rows of ops.def, and the table of them. They give the bits of the expressions
 * in lir/ops.def.
 */
#include "exec/x86/alu.h"

/* ---- rows ---------------------------------------------------------------- */

static void
binary(struct x86_emitter *e, enum x86_instruction instruction)
{
   const struct x86_inst *inst = x86_current(e);

   for (unsigned part = 0; part < num_parts(e); part++) {
      const bool swap = is_swapped(e, part);
      const unsigned a = x86_reg_value(e, inst->operand[swap], part);
      const struct x86_operand b =
         x86_reg_source(e, inst->operand[!swap], part);

      x86_asm_vector(&e->a, instruction, x86_reg_result_over(e, part), a, b);
   }
}

static void
compare(struct x86_emitter *e, enum x86_instruction instruction,
        unsigned predicate)
{
   const struct x86_inst *inst = x86_current(e);
   const bool swap = is_swapped(e, 0);
   const unsigned a = x86_reg_value(e, inst->operand[swap], 0);
   const struct x86_operand b = x86_reg_source(e, inst->operand[!swap], 0);

   x86_asm_vector_imm(&e->a, instruction, x86_reg_result_over(e, 0), a, b,
                      (uint8_t)predicate);
}

static void
unary(struct x86_emitter *e, enum x86_instruction instruction)
{
   const struct x86_inst *inst = x86_current(e);

   for (unsigned part = 0; part < num_parts(e); part++) {
      const struct x86_operand a = x86_reg_source(e, inst->operand[0], part);

      x86_asm_vector(&e->a, instruction, x86_reg_result_over(e, part), 0, a);
   }
}

static void
round_to(struct x86_emitter *e, enum x86_instruction instruction, unsigned mode)
{
   const struct x86_inst *inst = x86_current(e);

   for (unsigned part = 0; part < num_parts(e); part++) {
      const struct x86_operand a = x86_reg_source(e, inst->operand[0], part);

      x86_asm_vector_imm(&e->a, instruction, x86_reg_result_over(e, part), 0, a,
                         (uint8_t)mode);
   }
}

static void
mask(struct x86_emitter *e, enum x86_instruction instruction,
     struct x86_operand constant)
{
   const struct x86_inst *inst = x86_current(e);

   for (unsigned part = 0; part < num_parts(e); part++) {
      const unsigned a = x86_reg_value(e, inst->operand[0], part);

      x86_asm_vector(&e->a, instruction, x86_reg_result_over(e, part), a,
                     constant);
   }
}

/* Forms of a fused multiply-add, by what they write over: a factor, a factor
 * where the other is in memory, the term. */
struct fused {
   enum x86_instruction over_factor, over_factor_of_memory, over_term;
};

/* a * b + c over a factor that is used no more, with c in memory: so a
 * polynomial takes an instruction a coefficient. False where there is none. */
static bool
fuse_memory(struct x86_emitter *e, const struct fused *fused, unsigned part)
{
   const struct x86_inst *inst = x86_current(e);

   if (x86_reg_is_held(e, inst->operand[2], part) ||
       !x86_reg_is_held(e, inst->operand[0], part) ||
       !x86_reg_is_held(e, inst->operand[1], part))
      return false;
   const unsigned a = x86_reg_value(e, inst->operand[0], part);
   const unsigned b = x86_reg_value(e, inst->operand[1], part);
   const bool takes_b = x86_reg_take_over(e, 1, part);
   if (!takes_b && !x86_reg_take_over(e, 0, part))
      return false;
   const struct x86_operand c = x86_reg_source(e, inst->operand[2], part);
   x86_asm_vector(&e->a, fused->over_factor, takes_b ? b : a, takes_b ? a : b,
                  c);
   return true;
}

/* a * b + c over an operand that is used no more, or over a copy of c. */
static void
fuse(struct x86_emitter *e, const struct fused *fused, unsigned part)
{
   const struct x86_inst *inst = x86_current(e);

   if (fuse_memory(e, fused, part))
      return;
   const bool swap = !x86_reg_is_held(e, inst->operand[0], part);
   const unsigned a = x86_reg_value(e, inst->operand[swap], part);
   const unsigned c = x86_reg_value(e, inst->operand[2], part);
   const struct x86_operand b = x86_reg_source(e, inst->operand[!swap], part);
   const bool has_register = b.kind == X86_REGISTER;

   if (x86_reg_take_over(e, 2, part)) {
      x86_asm_vector(&e->a, fused->over_term, c, a, b);
   } else if (has_register && x86_reg_take_over(e, swap, part)) {
      x86_asm_vector(&e->a, fused->over_factor, a, b.reg, x86_register(c));
   } else if (has_register && x86_reg_take_over(e, !swap, part)) {
      x86_asm_vector(&e->a, fused->over_factor, b.reg, a, x86_register(c));
   } else if (x86_reg_take_over(e, swap, part)) {
      x86_asm_vector(&e->a, fused->over_factor_of_memory, a, c, b);
   } else {
      const unsigned target = x86_reg_result(e, part);

      op1(e, X86_vmovaps_load, target, c);
      x86_asm_vector(&e->a, fused->over_term, target, a, b);
   }
}

#define X86_BINARY(name, instruction)                                          \
   EMIT(name)                                                                  \
   {                                                                           \
      binary(e, X86_##instruction);                                            \
   }
#define X86_COMPARE_FLOAT(name, instruction, predicate)                        \
   EMIT(name)                                                                  \
   {                                                                           \
      compare(e, X86_##instruction, predicate);                                \
   }
#define X86_UNARY(name, instruction)                                           \
   EMIT(name)                                                                  \
   {                                                                           \
      unary(e, X86_##instruction);                                             \
   }
#define X86_ROUNDING(name, instruction, mode)                                  \
   EMIT(name)                                                                  \
   {                                                                           \
      round_to(e, X86_##instruction, mode);                                    \
   }
#define X86_MASK(name, instruction, word)                                      \
   EMIT(name)                                                                  \
   {                                                                           \
      mask(e, X86_##instruction, x86_word(e, word));                           \
   }
#define X86_MASK_PAIR(name, instruction, pair)                                 \
   EMIT(name)                                                                  \
   {                                                                           \
      mask(e, X86_##instruction, x86_pair(e, pair));                           \
   }
#define X86_FUSED(name, type)                                                  \
   EMIT(name)                                                                  \
   {                                                                           \
      static const struct fused fused = {                                      \
         X86_vfmadd213##type, X86_vfmadd132##type, X86_vfmadd231##type};       \
                                                                               \
      for (unsigned part = 0; part < num_parts(e); part++)                     \
         fuse(e, &fused, part);                                                \
   }
#include "exec/x86/ops.def"

/* ---- the table ----------------------------------------------------------- */

const x86_alu x86_alus[LIR_NUM_OPS] = {
#define ROW(name) [LIR_OP_##name] = x86_emit_##name,
#define X86_BINARY(name, instruction) ROW(name)
#define X86_COMPARE_FLOAT(name, instruction, predicate) ROW(name)
#define X86_UNARY(name, instruction) ROW(name)
#define X86_ROUNDING(name, instruction, mode) ROW(name)
#define X86_MASK(name, instruction, word) ROW(name)
#define X86_MASK_PAIR(name, instruction, pair) ROW(name)
#define X86_FUSED(name, type) ROW(name)
#define X86_OWN(name) ROW(name)
#include "exec/x86/ops.def"
};

bool
x86_is_call(uint16_t op)
{
   static const bool calls[X86_NUM_OPS] = {
#define X86_CALL(name) [LIR_OP_##name] = true,
#include "exec/x86/ops.def"
   };

   return calls[op];
}
