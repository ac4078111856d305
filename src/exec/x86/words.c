/* SPDX-License-Identifier: MIT
 *
 * Operations on truth values and 32-bit integers that are several instructions
 * of AVX2.
 */
#include "exec/x86/alu.h"

/* ---- truth values -------------------------------------------------------- */

/* The same bits. */
EMIT(b2i)
{
   const unsigned a = word_of(e, 0);
   const unsigned target = x86_reg_result_over(e, 0);

   if (target != a)
      op1(e, X86_vmovaps_load, target, a);
}

EMIT(i2b)
{
   const unsigned a = word_of(e, 0);
   const unsigned target = x86_reg_result_over(e, 0);

   op_word(e, X86_vpcmpeqd, target, a, 0);
   flip(e, target, target);
}

EMIT(sel32)
{
   const struct x86_inst *inst = x86_current(e);
   const unsigned mask_reg = word_of(e, 0);
   const unsigned no = word_of(e, 2);
   const struct x86_operand yes = x86_reg_source(e, inst->operand[1], 0);

   x86_asm_vector_imm(&e->a, X86_vblendvps, x86_reg_result_over(e, 0), no, yes,
                      (uint8_t)(mask_reg << 4));
}

/* ---- 32-bit integers ----------------------------------------------------- */

/* The high words of products: of even lanes and, moved there and back, of odd
 * ones. */
static void
high_product(struct x86_emitter *e, enum x86_instruction multiply)
{
   const unsigned a = word_of(e, 0), b = word_of(e, 1);
   const unsigned even = x86_reg_scratch(e), odd = x86_reg_scratch(e);
   const unsigned other = x86_reg_scratch(e);

   op2(e, multiply, even, a, b);
   op1(e, X86_vmovshdup, odd, a);
   op1(e, X86_vmovshdup, other, b);
   op2(e, multiply, odd, odd, other);
   op1(e, X86_vmovshdup, even, even);
   op2_imm(e, X86_vpblendd, x86_reg_result(e, 0), even, odd, 0xaa);
}

EMIT(imulhi)
{
   high_product(e, X86_vpmuldq);
}

EMIT(umulhi)
{
   high_product(e, X86_vpmuludq);
}

EMIT(ineg)
{
   const struct x86_inst *inst = x86_current(e);
   const unsigned none = zero(e);
   const struct x86_operand a = x86_reg_source(e, inst->operand[0], 0);

   x86_asm_vector(&e->a, X86_vpsubd, x86_reg_result_over(e, 0), none, a);
}

static void
shift_by(struct x86_emitter *e, unsigned kind, enum x86_instruction by_lane)
{
   uint64_t count;

   if (is_constant(e, 1, &count)) {
      const unsigned a = word_of(e, 0);

      shift(e, kind, x86_reg_result_over(e, 0), a, (unsigned)count & 31);
      return;
   }
   const unsigned a = word_of(e, 0), b = word_of(e, 1);
   const unsigned low = x86_reg_scratch(e);
   op_word(e, X86_vpand, low, b, 31);
   op2(e, by_lane, x86_reg_result_over(e, 0), a, low);
}

EMIT(ishl)
{
   shift_by(e, SHIFT_LEFT, X86_vpsllvd);
}

EMIT(ishr)
{
   shift_by(e, SHIFT_SIGNED, X86_vpsravd);
}

EMIT(ushr)
{
   shift_by(e, SHIFT_RIGHT, X86_vpsrlvd);
}

/* ---- comparisons of integers --------------------------------------------- */

EMIT(ine)
{
   x86_emit_ieq(e);
   flip_result(e);
}

/* b > a */
EMIT(ilt)
{
   const struct x86_inst *inst = x86_current(e);
   const unsigned b = word_of(e, 1);
   const struct x86_operand a = x86_reg_source(e, inst->operand[0], 0);

   x86_asm_vector(&e->a, X86_vpcmpgtd, x86_reg_result_over(e, 0), b, a);
}

EMIT(ige)
{
   x86_emit_ilt(e);
   flip_result(e);
}

/* max(a, b) == a */
EMIT(uge)
{
   const struct x86_inst *inst = x86_current(e);
   const unsigned a = word_of(e, 0);
   const struct x86_operand b = x86_reg_source(e, inst->operand[1], 0);
   const unsigned greater = x86_reg_scratch(e);

   x86_asm_vector(&e->a, X86_vpmaxud, greater, a, b);
   op2(e, X86_vpcmpeqd, x86_reg_result_over(e, 0), greater, a);
}

EMIT(ult)
{
   x86_emit_uge(e);
   flip_result(e);
}

/* ---- division ------------------------------------------------------------ */

/* Quotients of 32-bit integers are exact when they are truncated from those of
 * doubles: the quotient of the double is off by 2^-53 of itself at most, and an
 * integer is 2^-32 of it away at least. */

static unsigned
unsigned_double(struct x86_emitter *e, unsigned words, unsigned part)
{
   const unsigned reg = x86_reg_scratch(e);

   op1(e, X86_vpmovzxdq, reg, words_of_part(e, words, part));
   op_pair(e, X86_vpor, reg, reg, TWO_52);
   op_pair(e, X86_vsubpd, reg, reg, TWO_52);
   return reg;
}

static unsigned
signed_double(struct x86_emitter *e, unsigned words, unsigned part)
{
   const unsigned reg = x86_reg_scratch(e);

   op1(e, X86_vcvtdq2pd, reg, words_of_part(e, words, part));
   return reg;
}

/* Low words of the results of a division of unsigned words, in a pair each. */
static unsigned
divide_part(struct x86_emitter *e, unsigned a, unsigned b, unsigned part)
{
   const unsigned quotient = unsigned_double(e, a, part);
   const unsigned divisor = unsigned_double(e, b, part);

   op2(e, X86_vdivpd, quotient, quotient, divisor);
   op2_imm(e, X86_vroundpd, quotient, 0, quotient, TO_ZERO);
   op_pair(e, X86_vaddpd, quotient, quotient, TWO_52);
   return quotient;
}

/* a / b where b is not 0; a scratch register. */
static unsigned
divide_unsigned(struct x86_emitter *e, unsigned a, unsigned b)
{
   const unsigned low = divide_part(e, a, b, 0);

   narrow(e, low, low, divide_part(e, a, b, 1));
   return low;
}

/* The quotient of INT_MIN and -1, which does not fit, is 0x80000000. */
static unsigned
divide_signed(struct x86_emitter *e, unsigned a, unsigned b)
{
   unsigned quotient[2];

   for (unsigned part = 0; part < 2; part++) {
      quotient[part] = signed_double(e, a, part);
      op2(e, X86_vdivpd, quotient[part], quotient[part],
          signed_double(e, b, part));
      op1(e, X86_vcvttpd2dq, quotient[part], quotient[part]);
   }
   op2_imm(e, X86_vinsertf128, quotient[0], quotient[0], quotient[1], 1);
   return quotient[0];
}

/* Where the divisor is 0. */
static unsigned
find_zeros(struct x86_emitter *e, unsigned b)
{
   const unsigned reg = x86_reg_scratch(e);

   op_word(e, X86_vpcmpeqd, reg, b, 0);
   return reg;
}

typedef unsigned
division(struct x86_emitter *e, unsigned a, unsigned b);

/* a - quotient * b; all ones for 0. */
static void
remainder_of(struct x86_emitter *e, division *divide)
{
   const unsigned a = word_of(e, 0), b = word_of(e, 1);
   const unsigned rest = divide(e, a, b);

   op2(e, X86_vpmulld, rest, rest, b);
   op2(e, X86_vpsubd, rest, a, rest);
   op2(e, X86_vpor, x86_reg_result(e, 0), rest, find_zeros(e, b));
}

EMIT(udiv)
{
   const unsigned a = word_of(e, 0), b = word_of(e, 1);
   const unsigned quotient = divide_unsigned(e, a, b);

   op2(e, X86_vpor, x86_reg_result(e, 0), quotient, find_zeros(e, b));
}

EMIT(idiv)
{
   const unsigned a = word_of(e, 0), b = word_of(e, 1);
   const unsigned quotient = divide_signed(e, a, b);

   op2(e, X86_vpandn, x86_reg_result(e, 0), find_zeros(e, b), quotient);
}

EMIT(urem)
{
   remainder_of(e, divide_unsigned);
}

EMIT(irem)
{
   remainder_of(e, divide_signed);
}

/* ---- bits ---------------------------------------------------------------- */

/* 16 bytes that a nibble chooses from, twice. */
static struct x86_operand
table(struct x86_emitter *e, const uint8_t bytes[16])
{
   uint8_t both[32];

   for (unsigned i = 0; i < 32; i++)
      both[i] = bytes[i % 16];
   return x86_asm_constant(&e->a, both);
}

/* The low and the high nibbles of bytes. */
static void
split_nibbles(struct x86_emitter *e, unsigned a, unsigned *low_out,
              unsigned *high_out)
{
   const unsigned low = x86_reg_scratch(e), high = x86_reg_scratch(e);

   shift(e, SHIFT_RIGHT, high, a, 4);
   op_word(e, X86_vpand, high, high, 0x0f0f0f0f);
   op_word(e, X86_vpand, low, a, 0x0f0f0f0f);
   *low_out = low;
   *high_out = high;
}

/* What a table has for each nibble. */
static void
look_up(struct x86_emitter *e, unsigned nibbles, const uint8_t bytes[16])
{
   const unsigned reg = x86_reg_scratch(e);

   x86_asm_vector(&e->a, X86_vmovaps_load, reg, 0, table(e, bytes));
   op2(e, X86_vpshufb, nibbles, reg, nibbles);
}

EMIT(ibitrev)
{
   static const uint8_t order[16] = {3,  2,  1, 0, 7,  6,  5,  4,
                                     11, 10, 9, 8, 15, 14, 13, 12};
   static const uint8_t flipped[16] = {0, 8, 4, 12, 2, 10, 6, 14,
                                       1, 9, 5, 13, 3, 11, 7, 15};
   uint8_t raised[16];
   const unsigned a = word_of(e, 0), bytes = x86_reg_scratch(e);
   unsigned low, high;

   for (unsigned i = 0; i < 16; i++)
      raised[i] = (uint8_t)(flipped[i] << 4);
   x86_asm_vector(&e->a, X86_vpshufb, bytes, a, table(e, order));
   split_nibbles(e, bytes, &low, &high);
   look_up(e, low, raised);
   look_up(e, high, flipped);
   op2(e, X86_vpor, x86_reg_result(e, 0), low, high);
}

EMIT(ipopcnt)
{
   static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3,
                                      1, 2, 2, 3, 2, 3, 3, 4};
   unsigned low, high;

   split_nibbles(e, word_of(e, 0), &low, &high);
   look_up(e, low, counts);
   look_up(e, high, counts);
   op2(e, X86_vpaddb, low, low, high);
   op_word(e, X86_vpmaddubsw, low, low, 0x01010101);
   op_word(e, X86_vpmaddwd, x86_reg_result(e, 0), low, 0x00010001);
}

/* The exponent of a float of at most 31 bits, of 0 what is below -1. */
static void
take_exponent(struct x86_emitter *e, unsigned reg)
{
   op1(e, X86_vcvtdq2ps, reg, reg);
   shift(e, SHIFT_LEFT, reg, reg, 1); /* the sign */
   shift(e, SHIFT_RIGHT, reg, reg, 24);
   op_word(e, X86_vpsubd, reg, reg, 127);
}

/* The lowest bit alone is a float without rounding; bit 31 is a negative one
 * of the same exponent. */
EMIT(ilsb)
{
   const unsigned a = word_of(e, 0), lowest = zero(e);

   op2(e, X86_vpsubd, lowest, lowest, a);
   op2(e, X86_vpand, lowest, lowest, a);
   take_exponent(e, lowest);
   op_word(e, X86_vpmaxsd, x86_reg_result(e, 0), lowest, UINT32_MAX);
}

/* Of a bit below one that is set nothing is left, so that the float is not
 * rounded up to the next power of two. Bit 31 must not be set. */
static void
find_highest(struct x86_emitter *e, unsigned target, unsigned a)
{
   const unsigned below = x86_reg_scratch(e);

   shift(e, SHIFT_RIGHT, below, a, 1);
   op2(e, X86_vpandn, target, below, a);
   take_exponent(e, target);
   op_word(e, X86_vpmaxsd, target, target, UINT32_MAX);
}

EMIT(imsb)
{
   const unsigned a = word_of(e, 0), bits = x86_reg_scratch(e);

   shift(e, SHIFT_SIGNED, bits, a, 31);
   op2(e, X86_vpxor, bits, bits, a);
   find_highest(e, x86_reg_result(e, 0), bits);
}

EMIT(umsb)
{
   const unsigned a = word_of(e, 0), bits = x86_reg_scratch(e);
   const unsigned top = x86_reg_scratch(e);

   op_word(e, X86_vpand, bits, a, 0x7fffffff);
   find_highest(e, bits, bits);
   x86_asm_vector(&e->a, X86_vmovaps_load, top, 0, x86_word(e, 31));
   blend(e, x86_reg_result(e, 0), a, top, bits);
}
