/* SPDX-License-Identifier: MIT
 *
 * Operations on pairs of words, 64-bit integers and doubles, that are several
 * instructions of AVX2, and conversions of them.
 */
#include "exec/x86/alu.h"

/* ---- pairs of words ------------------------------------------------------ */

/* The instructions take four lanes of each half of a register. */
EMIT(sel64)
{
   const struct x86_inst *inst = x86_current(e);
   for (unsigned part = 0; part < num_parts(e); part++) {
      const unsigned words = words_of_part(e, word_of(e, 0), part);
      const unsigned wide = x86_reg_scratch(e);
      const unsigned no = pair_of(e, 2, part);
      const struct x86_operand yes = x86_reg_source(e, inst->operand[1], part);

      op1(e, X86_vpmovsxdq, wide, words);
      x86_asm_vector_imm(&e->a, X86_vblendvpd, x86_reg_result(e, part), no, yes,
                         (uint8_t)(wide << 4));
   }
}

EMIT(pack64)
{
   const unsigned a = word_of(e, 0), b = word_of(e, 1);
   const unsigned low = x86_reg_scratch(e), high = x86_reg_scratch(e);

   op2(e, X86_vunpcklps, low, a, b);
   op2(e, X86_vunpckhps, high, a, b);
   for (unsigned part = 0; part < num_parts(e); part++)
      op2_imm(e, X86_vperm2f128, x86_reg_result(e, part), low, high,
              part ? 0x31 : 0x20);
}

EMIT(lo64)
{
   const unsigned low = pair_of(e, 0, 0), high = pair_of(e, 0, 1);

   narrow(e, x86_reg_result(e, 0), low, high);
}

EMIT(hi64)
{
   const unsigned low = pair_of(e, 0, 0), high = pair_of(e, 0, 1);

   narrow_high(e, x86_reg_result(e, 0), low, high);
}

EMIT(lneg)
{
   const struct x86_inst *inst = x86_current(e);
   const unsigned none = zero(e);

   for (unsigned part = 0; part < num_parts(e); part++) {
      const struct x86_operand a = x86_reg_source(e, inst->operand[0], part);

      x86_asm_vector(&e->a, X86_vpsubq, x86_reg_result(e, part), none, a);
   }
}

/* ---- comparisons of pairs ------------------------------------------------ */

/* Unsigned numbers are ordered like signed ones whose top bits are flipped. */
static void
compare_unsigned(struct x86_emitter *e, unsigned target, unsigned a, unsigned b)
{
   const unsigned other = x86_reg_scratch(e);

   op_pair(e, X86_vpxor, target, a, UINT64_C(1) << 63);
   op_pair(e, X86_vpxor, other, b, UINT64_C(1) << 63);
   op2(e, X86_vpcmpgtq, target, target, other);
}

/* Where operand `first` is greater than the other one. */
static unsigned
find_greater(struct x86_emitter *e, unsigned first, unsigned part,
             bool is_signed)
{
   const unsigned a = pair_of(e, first, part), b = pair_of(e, !first, part);
   const unsigned reg = x86_reg_scratch(e);

   if (is_signed)
      op2(e, X86_vpcmpgtq, reg, a, b);
   else
      compare_unsigned(e, reg, a, b);
   return reg;
}

static void
compare_greater(struct x86_emitter *e, bool is_signed)
{
   const unsigned low = find_greater(e, 1, 0, is_signed);
   const unsigned high = find_greater(e, 1, 1, is_signed);

   narrow(e, x86_reg_result(e, 0), low, high);
}

EMIT(leq)
{
   unsigned same[2];

   for (unsigned part = 0; part < 2; part++) {
      const unsigned a = pair_of(e, 0, part), b = pair_of(e, 1, part);

      same[part] = x86_reg_scratch(e);
      op2(e, X86_vpcmpeqq, same[part], a, b);
   }
   narrow(e, x86_reg_result(e, 0), same[0], same[1]);
}

EMIT(lne)
{
   x86_emit_leq(e);
   flip_result(e);
}

EMIT(llt)
{
   compare_greater(e, true);
}

EMIT(lge)
{
   x86_emit_llt(e);
   flip_result(e);
}

EMIT(ullt)
{
   compare_greater(e, false);
}

EMIT(ulge)
{
   x86_emit_ullt(e);
   flip_result(e);
}

/* Where the first operand is greater than the second, the one numbered so, else
 * the other. */
static void
choose_pairs(struct x86_emitter *e, unsigned greater, bool is_signed)
{
   for (unsigned part = 0; part < num_parts(e); part++) {
      const unsigned holds = find_greater(e, 0, part, is_signed);
      const unsigned yes = pair_of(e, greater, part);
      const unsigned no = pair_of(e, !greater, part);

      op2_imm(e, X86_vblendvpd, x86_reg_result(e, part), no, yes, holds << 4);
   }
}

EMIT(lmin)
{
   choose_pairs(e, 1, true);
}

EMIT(lmax)
{
   choose_pairs(e, 0, true);
}

EMIT(ulmin)
{
   choose_pairs(e, 1, false);
}

EMIT(ulmax)
{
   choose_pairs(e, 0, false);
}

/* Of the low words whole, of the others what reaches the high word. */
EMIT(lmul)
{
   for (unsigned part = 0; part < num_parts(e); part++) {
      const unsigned a = pair_of(e, 0, part), b = pair_of(e, 1, part);
      const unsigned high = x86_reg_scratch(e), other = x86_reg_scratch(e);
      const unsigned target = x86_reg_result(e, part);

      shift_pairs(e, SHIFT_RIGHT, high, a, 32);
      op2(e, X86_vpmuludq, high, high, b);
      shift_pairs(e, SHIFT_RIGHT, other, b, 32);
      op2(e, X86_vpmuludq, other, other, a);
      op2(e, X86_vpaddq, high, high, other);
      shift_pairs(e, SHIFT_LEFT, high, high, 32);
      op2(e, X86_vpmuludq, target, a, b);
      op2(e, X86_vpaddq, target, target, high);
   }
}

/* The counts of a part, in pairs. */
static unsigned
counts_of_part(struct x86_emitter *e, unsigned part)
{
   const unsigned words = words_of_part(e, word_of(e, 1), part);
   const unsigned reg = x86_reg_scratch(e);

   op1(e, X86_vpmovzxdq, reg, words);
   op_pair(e, X86_vpand, reg, reg, 63);
   return reg;
}

static void
shift_pairs_by(struct x86_emitter *e, enum x86_instruction by_lane)
{
   for (unsigned part = 0; part < num_parts(e); part++) {
      const unsigned counts = counts_of_part(e, part);
      const unsigned a = pair_of(e, 0, part);

      op2(e, by_lane, x86_reg_result(e, part), a, counts);
   }
}

EMIT(lshl)
{
   shift_pairs_by(e, X86_vpsllvq);
}

EMIT(ulshr)
{
   shift_pairs_by(e, X86_vpsrlvq);
}

/* Bits of a negative number are flipped before and after, so that ones come
 * in. */
EMIT(lshr)
{
   for (unsigned part = 0; part < num_parts(e); part++) {
      const unsigned counts = counts_of_part(e, part);
      const unsigned a = pair_of(e, 0, part);
      const unsigned sign = zero(e), target = x86_reg_result(e, part);

      op2(e, X86_vpcmpgtq, sign, sign, a);
      op2(e, X86_vpxor, target, a, sign);
      op2(e, X86_vpsrlvq, target, target, counts);
      op2(e, X86_vpxor, target, target, sign);
   }
}

static void
compare_doubles(struct x86_emitter *e, unsigned predicate)
{
   unsigned holds[2];

   for (unsigned part = 0; part < 2; part++) {
      const unsigned a = pair_of(e, 0, part), b = pair_of(e, 1, part);

      holds[part] = x86_reg_scratch(e);
      op2_imm(e, X86_vcmppd, holds[part], a, b, predicate);
   }
   narrow(e, x86_reg_result(e, 0), holds[0], holds[1]);
}

EMIT(deq)
{
   compare_doubles(e, EQ);
}

EMIT(dne)
{
   compare_doubles(e, NE);
}

EMIT(dlt)
{
   compare_doubles(e, LT);
}

EMIT(dge)
{
   compare_doubles(e, GE);
}

static void
extreme_pairs(struct x86_emitter *e, enum x86_instruction instruction,
              enum x86_instruction join)
{
   for (unsigned part = 0; part < num_parts(e); part++) {
      const unsigned a = pair_of(e, 0, part), b = pair_of(e, 1, part);
      const unsigned same = x86_reg_scratch(e), joined = x86_reg_scratch(e);
      const unsigned target = x86_reg_result(e, part);

      op2_imm(e, X86_vcmppd, same, a, b, EQ);
      op2(e, join, joined, a, b);
      op2(e, instruction, target, a, b);
      op2_imm(e, X86_vblendvpd, target, target, joined, same << 4);
   }
}

EMIT(dmin)
{
   extreme_pairs(e, X86_vminpd, X86_vorps);
}

EMIT(dmax)
{
   extreme_pairs(e, X86_vmaxpd, X86_vandps);
}

/* ---- conversions of pairs ------------------------------------------------ */

static void
widen(struct x86_emitter *e, enum x86_instruction instruction)
{
   const unsigned a = word_of(e, 0);

   for (unsigned part = 0; part < num_parts(e); part++) {
      const unsigned words = words_of_part(e, a, part);

      op1(e, instruction, x86_reg_result(e, part), words);
   }
}

EMIT(f2d)
{
   widen(e, X86_vcvtps2pd);
}

EMIT(i2d)
{
   widen(e, X86_vcvtdq2pd);
}

EMIT(i2l)
{
   widen(e, X86_vpmovsxdq);
}

EMIT(u2l)
{
   widen(e, X86_vpmovzxdq);
}

EMIT(u2d)
{
   const unsigned a = word_of(e, 0);

   for (unsigned part = 0; part < num_parts(e); part++) {
      const unsigned words = words_of_part(e, a, part);
      const unsigned target = x86_reg_result(e, part);

      op1(e, X86_vpmovzxdq, target, words);
      op_pair(e, X86_vpor, target, target, TWO_52);
      op_pair(e, X86_vsubpd, target, target, TWO_52);
   }
}

EMIT(d2f)
{
   const unsigned low = x86_reg_scratch(e), high = x86_reg_scratch(e);

   op1(e, X86_vcvtpd2ps, low, pair_of(e, 0, 0));
   op1(e, X86_vcvtpd2ps, high, pair_of(e, 0, 1));
   op2_imm(e, X86_vinsertf128, x86_reg_result(e, 0), low, high, 1);
}

#define TWO_31_D UINT64_C(0x41e0000000000000)

static void
narrow_where(struct x86_emitter *e, unsigned target, unsigned predicate)
{
   unsigned holds[2];

   for (unsigned part = 0; part < 2; part++) {
      const unsigned a = pair_of(e, 0, part);

      holds[part] = x86_reg_scratch(e);
      if (predicate == ORDERED)
         op2_imm(e, X86_vcmppd, holds[part], a, a, ORDERED);
      else
         x86_asm_vector_imm(&e->a, X86_vcmppd, holds[part], a,
                            x86_pair(e, TWO_31_D), (uint8_t)predicate);
   }
   narrow(e, target, holds[0], holds[1]);
}

/* As f2i. */
EMIT(d2i)
{
   const unsigned above = x86_reg_scratch(e), ordered = x86_reg_scratch(e);
   const unsigned low = x86_reg_scratch(e), high = x86_reg_scratch(e);

   narrow_where(e, above, GE);
   narrow_where(e, ordered, ORDERED);
   op1(e, X86_vcvttpd2dq, low, pair_of(e, 0, 0));
   op1(e, X86_vcvttpd2dq, high, pair_of(e, 0, 1));
   op2_imm(e, X86_vinsertf128, low, low, high, 1);
   op2(e, X86_vpxor, low, low, above);
   op2(e, X86_vpand, x86_reg_result(e, 0), low, ordered);
}

/* Clamped, NaN to 0, and truncated, it is the low word of 2^52 and itself. */
EMIT(d2u)
{
   unsigned words[2];

   for (unsigned part = 0; part < 2; part++) {
      const unsigned a = pair_of(e, 0, part), reg = x86_reg_scratch(e);

      op_pair(e, X86_vmaxpd, reg, a, 0);
      op_pair(e, X86_vminpd, reg, reg, UINT64_C(0x41efffffffe00000));
      op2_imm(e, X86_vroundpd, reg, 0, reg, TO_ZERO);
      op_pair(e, X86_vaddpd, reg, reg, TWO_52);
      words[part] = reg;
   }
   narrow(e, x86_reg_result(e, 0), words[0], words[1]);
}
