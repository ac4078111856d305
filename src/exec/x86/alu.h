/* SPDX-License-Identifier: MIT
 *
 * Operations that compute, as instructions of AVX2: what the files of them
 * share, and the function of each.
 */
#ifndef TG_EXEC_X86_ALU_H
#define TG_EXEC_X86_ALU_H

#include "exec/x86/emitter.h"

#define EMIT(name) void x86_emit_##name(struct x86_emitter *e)

#define X86_BINARY(name, instruction) EMIT(name);
#define X86_COMPARE_FLOAT(name, instruction, predicate) EMIT(name);
#define X86_UNARY(name, instruction) EMIT(name);
#define X86_ROUNDING(name, instruction, mode) EMIT(name);
#define X86_MASK(name, instruction, word) EMIT(name);
#define X86_MASK_PAIR(name, instruction, pair) EMIT(name);
#define X86_FUSED(name, type) EMIT(name);
#define X86_OWN(name) EMIT(name);
#include "exec/x86/ops.def"

/* Immediates of comparisons, ordered and quiet but NE, and of roundings. */
enum { EQ = 0x00, NE = 0x04, ORDERED = 0x07, LT = 0x11, GE = 0x1d };
enum { TO_NEAREST = 8, DOWN = 9, UP = 10, TO_ZERO = 11 };

/* Of shifts by an immediate, which stand where others have a target. */
enum { SHIFT_RIGHT = 2, SHIFT_SIGNED = 4, SHIFT_LEFT = 6 };

#define TWO_52 UINT64_C(0x4330000000000000) /* 2^52, as a double */

/* ---- instructions -------------------------------------------------------- */

static inline void
op2(struct x86_emitter *e, enum x86_instruction instruction, unsigned target,
    unsigned a, unsigned b)
{
   x86_asm_vector(&e->a, instruction, target, a, x86_register(b));
}

static inline void
op1(struct x86_emitter *e, enum x86_instruction instruction, unsigned target,
    unsigned a)
{
   x86_asm_vector(&e->a, instruction, target, 0, x86_register(a));
}

static inline void
op2_imm(struct x86_emitter *e, enum x86_instruction instruction,
        unsigned target, unsigned a, unsigned b, unsigned immediate)
{
   x86_asm_vector_imm(&e->a, instruction, target, a, x86_register(b),
                      (uint8_t)immediate);
}

static inline void
op_word(struct x86_emitter *e, enum x86_instruction instruction,
        unsigned target, unsigned a, uint32_t word)
{
   x86_asm_vector(&e->a, instruction, target, a, x86_word(e, word));
}

static inline void
op_pair(struct x86_emitter *e, enum x86_instruction instruction,
        unsigned target, unsigned a, uint64_t pair)
{
   x86_asm_vector(&e->a, instruction, target, a, x86_pair(e, pair));
}

static inline void
compare_word(struct x86_emitter *e, unsigned target, unsigned a, uint32_t word,
             unsigned predicate)
{
   x86_asm_vector_imm(&e->a, X86_vcmpps, target, a, x86_word(e, word),
                      (uint8_t)predicate);
}

static inline void
shift(struct x86_emitter *e, unsigned kind, unsigned target, unsigned a,
      unsigned count)
{
   op2_imm(e, X86_vpshiftd_imm, kind, target, a, count);
}

static inline void
shift_pairs(struct x86_emitter *e, unsigned kind, unsigned target, unsigned a,
            unsigned count)
{
   op2_imm(e, X86_vpshiftq_imm, kind, target, a, count);
}

static inline unsigned
zero(struct x86_emitter *e)
{
   const unsigned reg = x86_reg_scratch(e);

   op2(e, X86_vxorps, reg, reg, reg);
   return reg;
}

static inline void
flip(struct x86_emitter *e, unsigned target, unsigned a)
{
   op_word(e, X86_vxorps, target, a, UINT32_MAX);
}

static inline void
flip_result(struct x86_emitter *e)
{
   const unsigned reg = x86_reg_value(e, e->at, 0);

   flip(e, reg, reg);
}

/* By a mask: `yes` where it is set, else `no`. */
static inline void
blend(struct x86_emitter *e, unsigned target, unsigned mask, unsigned yes,
      unsigned no)
{
   op2_imm(e, X86_vblendvps, target, no, yes, mask << 4);
}

/* ---- operands ------------------------------------------------------------ */

static inline unsigned
word_of(struct x86_emitter *e, unsigned k)
{
   return x86_reg_value(e, x86_current(e)->operand[k], 0);
}

/* Is an operand a constant? */
static inline bool
is_constant(const struct x86_emitter *e, unsigned k, uint64_t *value_out)
{
   const struct x86_inst *inst = &e->unit.insts[x86_current(e)->operand[k]];

   if (!x86_is_constant(inst))
      return false;
   *value_out = inst->imm;
   return true;
}

static inline unsigned
num_parts(const struct x86_emitter *e)
{
   return x86_reg_num_parts(e, e->at);
}

/* An operand that may change places with the next one is in a register, if
 * either is. */
static inline bool
is_swapped(const struct x86_emitter *e, unsigned part)
{
   const struct x86_inst *inst = x86_current(e);

   return lir_op_commutes[inst->op] &&
          !x86_reg_is_held(e, inst->operand[0], part) &&
          x86_reg_is_held(e, inst->operand[1], part);
}

/* ---- parts --------------------------------------------------------------- */

/* The words of a part, four lanes, in the low half of a register. */
static inline unsigned
words_of_part(struct x86_emitter *e, unsigned words, unsigned part)
{
   if (part == 0)
      return words;
   const unsigned reg = x86_reg_scratch(e);
   x86_asm_vector_imm(&e->a, X86_vextractf128, words, 0, x86_register(reg), 1);
   return reg;
}

/* The low words of two parts. */
static inline void
narrow(struct x86_emitter *e, unsigned target, unsigned low, unsigned high)
{
   op2_imm(e, X86_vshufps, target, low, high, 0x88);
   x86_asm_vector_imm(&e->a, X86_vpermq, target, 0, x86_register(target), 0xd8);
}

/* Of a pair, the word of all. */
static inline void
narrow_high(struct x86_emitter *e, unsigned target, unsigned low, unsigned high)
{
   op2_imm(e, X86_vshufps, target, low, high, 0xdd);
   x86_asm_vector_imm(&e->a, X86_vpermq, target, 0, x86_register(target), 0xd8);
}

/* The register of an operand's part that the result needs. */
static inline unsigned
pair_of(struct x86_emitter *e, unsigned k, unsigned part)
{
   return x86_reg_value(e, x86_current(e)->operand[k], part);
}

#endif
