/* SPDX-License-Identifier: MIT
 *
 * Operations on floats that are several instructions of AVX2, and conversions
 * of words.
 */
#include "exec/x86/alu.h"

/* ---- floats -------------------------------------------------------------- */

EMIT(flerp)
{
   const unsigned a = word_of(e, 0), c = word_of(e, 2);
   const unsigned difference = x86_reg_scratch(e);
   const unsigned b = word_of(e, 1);

   op2(e, X86_vsubps, difference, b, a);
   op2(e, X86_vfmadd213ps, difference, c, a);
   x86_reg_give(e, 0, difference);
}

/* The second of two zeros, and the second where the first is NaN. */
EMIT(fsat)
{
   const unsigned a = word_of(e, 0);
   const unsigned low = x86_reg_scratch(e);

   op_word(e, X86_vmaxps, low, a, 0);
   op_word(e, X86_vminps, x86_reg_result_over(e, 0), low, 0x3f800000);
}

/* The instruction gives the second of equal operands, which are zeros if their
 * bits are not the same. */
static bool
is_no_zero(const struct x86_emitter *e, unsigned k)
{
   uint64_t value;

   return is_constant(e, k, &value) && (value << 1 & UINT32_MAX) != 0;
}

static void
extreme(struct x86_emitter *e, enum x86_instruction instruction,
        enum x86_instruction join)
{
   const unsigned a = word_of(e, 0);

   if (is_no_zero(e, 0) || is_no_zero(e, 1)) {
      const struct x86_operand b =
         x86_reg_source(e, x86_current(e)->operand[1], 0);

      x86_asm_vector(&e->a, instruction, x86_reg_result_over(e, 0), a, b);
      return;
   }
   const unsigned b = word_of(e, 1);
   const unsigned same = x86_reg_scratch(e), joined = x86_reg_scratch(e);
   op2_imm(e, X86_vcmpps, same, a, b, EQ);
   op2(e, join, joined, a, b);
   const unsigned target = x86_reg_result_over(e, 0);
   op2(e, instruction, target, a, b);
   blend(e, target, same, joined, target);
}

EMIT(fmin)
{
   extreme(e, X86_vminps, X86_vorps);
}

EMIT(fmax)
{
   extreme(e, X86_vmaxps, X86_vandps);
}

/* ---- conversions --------------------------------------------------------- */

#define TWO_31 0x4f000000 /* 2^31 */
#define TWO_32 0x4f800000

/* What does not fit becomes 0x80000000: that is right below, all its bits are
 * flipped above, and NaN is cleared. */
EMIT(f2i)
{
   const unsigned a = word_of(e, 0);
   const unsigned above = x86_reg_scratch(e), ordered = x86_reg_scratch(e);

   compare_word(e, above, a, TWO_31, GE);
   op2_imm(e, X86_vcmpps, ordered, a, a, ORDERED);
   const unsigned target = x86_reg_result_over(e, 0);
   op1(e, X86_vcvttps2dq, target, a);
   op2(e, X86_vpxor, target, target, above);
   op2(e, X86_vpand, target, target, ordered);
}

/* The top bit is taken out before, which is exact, and put in after. */
EMIT(f2u)
{
   const unsigned a = word_of(e, 0);
   const unsigned top = x86_reg_scratch(e), rest = x86_reg_scratch(e);

   compare_word(e, top, a, TWO_31, GE);
   op_word(e, X86_vandps, rest, top, TWO_31);
   op2(e, X86_vsubps, rest, a, rest);
   op_word(e, X86_vmaxps, rest, rest, 0);
   op1(e, X86_vcvttps2dq, rest, rest);
   shift(e, SHIFT_LEFT, top, top, 31);
   op2(e, X86_vpor, rest, rest, top);
   compare_word(e, top, a, TWO_32, GE);
   op2(e, X86_vpor, x86_reg_result_over(e, 0), rest, top);
}

/* Both halves of a word are floats without rounding, and so is the product. */
EMIT(u2f)
{
   const unsigned a = word_of(e, 0);
   const unsigned high = x86_reg_scratch(e);

   shift(e, SHIFT_RIGHT, high, a, 16);
   op1(e, X86_vcvtdq2ps, high, high);
   const unsigned target = x86_reg_result_over(e, 0);
   op_word(e, X86_vpand, target, a, 0xffff);
   op1(e, X86_vcvtdq2ps, target, target);
   op_word(e, X86_vfmadd231ps, target, high, 0x47800000); /* 2^16 */
}

/* A byte of each word, and zeros above it: one instruction, if it is the same
 * byte in all lanes. */
static void
take_byte(struct x86_emitter *e, unsigned target, unsigned a, unsigned number)
{
   uint8_t order[X86_CONSTANT_BYTES];

   for (unsigned i = 0; i < X86_CONSTANT_BYTES; i++)
      order[i] = i % 4 ? 0x80 : (uint8_t)(i % 16 + number);
   x86_asm_vector(&e->a, X86_vpshufb, target, a,
                  x86_asm_constant(&e->a, order));
}

/* The byte that the second operand says; a scratch register. */
static unsigned
find_byte(struct x86_emitter *e)
{
   const unsigned a = word_of(e, 0), byte = x86_reg_scratch(e);
   uint64_t number;

   if (is_constant(e, 1, &number)) {
      take_byte(e, byte, a, (unsigned)number & 3);
   } else {
      op_word(e, X86_vpand, byte, word_of(e, 1), 3);
      shift(e, SHIFT_LEFT, byte, byte, 3);
      op2(e, X86_vpsrlvd, byte, a, byte);
      op_word(e, X86_vpand, byte, byte, 255);
   }
   return byte;
}

EMIT(byte)
{
   x86_reg_give(e, 0, find_byte(e));
}

EMIT(bytef)
{
   const unsigned byte = find_byte(e);

   op1(e, X86_vcvtdq2ps, x86_reg_result_over(e, 0), byte);
}

EMIT(f2h)
{
   const unsigned a = word_of(e, 0);
   const unsigned half = x86_reg_scratch(e), special = x86_reg_scratch(e);

   x86_asm_vector_imm(&e->a, X86_vcvtps2ph, a, 0, x86_register(half), 0);
   op1(e, X86_vpmovzxwd, half, half);
   op2_imm(e, X86_vcmpps, special, a, a, ORDERED);
   const unsigned target = x86_reg_result_over(e, 0);
   x86_asm_vector(&e->a, X86_vmovaps_load, target, 0, x86_word(e, 0x7e00));
   blend(e, target, special, half, target);
}

EMIT(h2f)
{
   const unsigned low = x86_reg_scratch(e);

   op_word(e, X86_vpand, low, word_of(e, 0), 0xffff);
   op2(e, X86_vpackusdw, low, low, words_of_part(e, low, 1));
   op1(e, X86_vcvtph2ps, x86_reg_result_over(e, 0), low);
}
