/* SPDX-License-Identifier: MIT
 *
 * Operations that compute, as instructions of AVX2: a function each, from the
 * rows of ops.def. They give the bits of the expressions in lir/ops.def.
 */
#include "exec/x86/emitter.h"

#define EMIT(name) static void emit_##name(struct x86_emitter *e)

/* Immediates of comparisons, ordered and quiet but NE, and of roundings. */
enum { EQ = 0x00, NE = 0x04, ORDERED = 0x07, LT = 0x11, GE = 0x1d };
enum { TO_NEAREST = 8, DOWN = 9, UP = 10, TO_ZERO = 11 };

/* Of shifts by an immediate, which stand where others have a target. */
enum { SHIFT_RIGHT = 2, SHIFT_SIGNED = 4, SHIFT_LEFT = 6 };

/* ---- instructions -------------------------------------------------------- */

static void
op2(struct x86_emitter *e, enum x86_instruction instruction, unsigned target,
    unsigned a, unsigned b)
{
   x86_vector(&e->a, instruction, target, a, x86_register(b));
}

static void
op1(struct x86_emitter *e, enum x86_instruction instruction, unsigned target,
    unsigned a)
{
   x86_vector(&e->a, instruction, target, 0, x86_register(a));
}

static void
op2_imm(struct x86_emitter *e, enum x86_instruction instruction,
        unsigned target, unsigned a, unsigned b, unsigned immediate)
{
   x86_vector_imm(&e->a, instruction, target, a, x86_register(b),
                  (uint8_t)immediate);
}

static void
op_word(struct x86_emitter *e, enum x86_instruction instruction,
        unsigned target, unsigned a, uint32_t word)
{
   x86_vector(&e->a, instruction, target, a, x86_word(e, word));
}

static void
op_pair(struct x86_emitter *e, enum x86_instruction instruction,
        unsigned target, unsigned a, uint64_t pair)
{
   x86_vector(&e->a, instruction, target, a, x86_pair(e, pair));
}

static void
compare_word(struct x86_emitter *e, unsigned target, unsigned a, uint32_t word,
             unsigned predicate)
{
   x86_vector_imm(&e->a, X86_vcmpps, target, a, x86_word(e, word),
                  (uint8_t)predicate);
}

static void
shift(struct x86_emitter *e, unsigned kind, unsigned target, unsigned a,
      unsigned count)
{
   op2_imm(e, X86_vpshiftd_imm, kind, target, a, count);
}

static void
shift_pairs(struct x86_emitter *e, unsigned kind, unsigned target, unsigned a,
            unsigned count)
{
   op2_imm(e, X86_vpshiftq_imm, kind, target, a, count);
}

static unsigned
zero(struct x86_emitter *e)
{
   const unsigned reg = x86_scratch(e);

   op2(e, X86_vxorps, reg, reg, reg);
   return reg;
}

static void
flip(struct x86_emitter *e, unsigned target, unsigned a)
{
   op_word(e, X86_vxorps, target, a, UINT32_MAX);
}

static void
flip_result(struct x86_emitter *e)
{
   const unsigned reg = x86_value(e, e->at, 0);

   flip(e, reg, reg);
}

/* By a mask: `yes` where it is set, else `no`. */
static void
blend(struct x86_emitter *e, unsigned target, unsigned mask, unsigned yes,
      unsigned no)
{
   op2_imm(e, X86_vblendvps, target, no, yes, mask << 4);
}

/* ---- operands ------------------------------------------------------------ */

static unsigned
word_of(struct x86_emitter *e, unsigned k)
{
   return x86_value(e, x86_current(e)->operand[k], 0);
}

/* Is an operand a constant? */
static bool
is_constant(const struct x86_emitter *e, unsigned k, uint64_t *value_out)
{
   const struct x86_inst *inst = &e->unit.insts[x86_current(e)->operand[k]];

   if (!x86_is_constant(inst))
      return false;
   *value_out = inst->imm;
   return true;
}

static unsigned
num_parts(const struct x86_emitter *e)
{
   return x86_num_parts(e, e->at);
}

/* An operand that may change places with the next one is in a register, if
 * either is. */
static bool
is_swapped(const struct x86_emitter *e, unsigned part)
{
   const struct x86_inst *inst = x86_current(e);

   return lir_op_commutes[inst->op] &&
          !x86_is_held(e, inst->operand[0], part) &&
          x86_is_held(e, inst->operand[1], part);
}

/* ---- rows ---------------------------------------------------------------- */

static void
binary(struct x86_emitter *e, enum x86_instruction instruction)
{
   const struct x86_inst *inst = x86_current(e);

   for (unsigned part = 0; part < num_parts(e); part++) {
      const bool swap = is_swapped(e, part);
      const unsigned a = x86_value(e, inst->operand[swap], part);
      const struct x86_operand b = x86_source(e, inst->operand[!swap], part);

      x86_vector(&e->a, instruction, x86_result_over(e, part), a, b);
   }
}

static void
compare(struct x86_emitter *e, enum x86_instruction instruction,
        unsigned predicate)
{
   const struct x86_inst *inst = x86_current(e);
   const bool swap = is_swapped(e, 0);
   const unsigned a = x86_value(e, inst->operand[swap], 0);
   const struct x86_operand b = x86_source(e, inst->operand[!swap], 0);

   x86_vector_imm(&e->a, instruction, x86_result_over(e, 0), a, b,
                  (uint8_t)predicate);
}

static void
unary(struct x86_emitter *e, enum x86_instruction instruction)
{
   const struct x86_inst *inst = x86_current(e);

   for (unsigned part = 0; part < num_parts(e); part++) {
      const struct x86_operand a = x86_source(e, inst->operand[0], part);

      x86_vector(&e->a, instruction, x86_result_over(e, part), 0, a);
   }
}

static void
round_to(struct x86_emitter *e, enum x86_instruction instruction, unsigned mode)
{
   const struct x86_inst *inst = x86_current(e);

   for (unsigned part = 0; part < num_parts(e); part++) {
      const struct x86_operand a = x86_source(e, inst->operand[0], part);

      x86_vector_imm(&e->a, instruction, x86_result_over(e, part), 0, a,
                     (uint8_t)mode);
   }
}

static void
mask(struct x86_emitter *e, enum x86_instruction instruction,
     struct x86_operand constant)
{
   const struct x86_inst *inst = x86_current(e);

   for (unsigned part = 0; part < num_parts(e); part++) {
      const unsigned a = x86_value(e, inst->operand[0], part);

      x86_vector(&e->a, instruction, x86_result_over(e, part), a, constant);
   }
}

/* Forms of a fused multiply-add, by what they write over: a factor, a factor
 * where the other is in memory, the term. */
struct fused {
   enum x86_instruction over_factor, over_factor_of_memory, over_term;
};

/* a * b + c over an operand that is used no more, or over a copy of c. */
static void
fuse(struct x86_emitter *e, const struct fused *fused, unsigned part)
{
   const struct x86_inst *inst = x86_current(e);
   const bool swap = !x86_is_held(e, inst->operand[0], part);
   const unsigned a = x86_value(e, inst->operand[swap], part);
   const unsigned c = x86_value(e, inst->operand[2], part);
   const struct x86_operand b = x86_source(e, inst->operand[!swap], part);
   const bool has_register = b.kind == X86_REGISTER;

   if (x86_take_over(e, 2, part)) {
      x86_vector(&e->a, fused->over_term, c, a, b);
   } else if (has_register && x86_take_over(e, swap, part)) {
      x86_vector(&e->a, fused->over_factor, a, b.reg, x86_register(c));
   } else if (has_register && x86_take_over(e, !swap, part)) {
      x86_vector(&e->a, fused->over_factor, b.reg, a, x86_register(c));
   } else if (x86_take_over(e, swap, part)) {
      x86_vector(&e->a, fused->over_factor_of_memory, a, c, b);
   } else {
      const unsigned target = x86_result(e, part);

      op1(e, X86_vmovaps_load, target, c);
      x86_vector(&e->a, fused->over_term, target, a, b);
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

/* ---- truth values -------------------------------------------------------- */

/* The same bits. */
EMIT(b2i)
{
   const unsigned a = word_of(e, 0);
   const unsigned target = x86_result_over(e, 0);

   if (target != a)
      op1(e, X86_vmovaps_load, target, a);
}

EMIT(i2b)
{
   const unsigned a = word_of(e, 0);
   const unsigned target = x86_result_over(e, 0);

   op_word(e, X86_vpcmpeqd, target, a, 0);
   flip(e, target, target);
}

EMIT(sel32)
{
   const struct x86_inst *inst = x86_current(e);
   const unsigned mask_reg = word_of(e, 0);
   const unsigned no = word_of(e, 2);
   const struct x86_operand yes = x86_source(e, inst->operand[1], 0);

   x86_vector_imm(&e->a, X86_vblendvps, x86_result_over(e, 0), no, yes,
                  (uint8_t)(mask_reg << 4));
}

/* ---- parts --------------------------------------------------------------- */

/* The words of a part, four lanes, in the low half of a register. */
static unsigned
words_of_part(struct x86_emitter *e, unsigned words, unsigned part)
{
   if (part == 0)
      return words;
   const unsigned reg = x86_scratch(e);
   x86_vector_imm(&e->a, X86_vextractf128, words, 0, x86_register(reg), 1);
   return reg;
}

/* The low words of two parts. */
static void
narrow(struct x86_emitter *e, unsigned target, unsigned low, unsigned high)
{
   op2_imm(e, X86_vshufps, target, low, high, 0x88);
   x86_vector_imm(&e->a, X86_vpermq, target, 0, x86_register(target), 0xd8);
}

/* Of a pair, the word of all. */
static void
narrow_high(struct x86_emitter *e, unsigned target, unsigned low, unsigned high)
{
   op2_imm(e, X86_vshufps, target, low, high, 0xdd);
   x86_vector_imm(&e->a, X86_vpermq, target, 0, x86_register(target), 0xd8);
}

/* The register of an operand's part that the result needs. */
static unsigned
pair_of(struct x86_emitter *e, unsigned k, unsigned part)
{
   return x86_value(e, x86_current(e)->operand[k], part);
}

EMIT(sel64)
{
   const struct x86_inst *inst = x86_current(e);
   for (unsigned part = 0; part < num_parts(e); part++) {
      const unsigned words = words_of_part(e, word_of(e, 0), part);
      const unsigned wide = x86_scratch(e);
      const unsigned no = pair_of(e, 2, part);
      const struct x86_operand yes = x86_source(e, inst->operand[1], part);

      op1(e, X86_vpmovsxdq, wide, words);
      x86_vector_imm(&e->a, X86_vblendvpd, x86_result(e, part), no, yes,
                     (uint8_t)(wide << 4));
   }
}

/* ---- 32-bit integers ----------------------------------------------------- */

/* The high words of products: of even lanes and, moved there and back, of odd
 * ones. */
static void
high_product(struct x86_emitter *e, enum x86_instruction multiply)
{
   const unsigned a = word_of(e, 0), b = word_of(e, 1);
   const unsigned even = x86_scratch(e), odd = x86_scratch(e);
   const unsigned other = x86_scratch(e);

   op2(e, multiply, even, a, b);
   op1(e, X86_vmovshdup, odd, a);
   op1(e, X86_vmovshdup, other, b);
   op2(e, multiply, odd, odd, other);
   op1(e, X86_vmovshdup, even, even);
   op2_imm(e, X86_vpblendd, x86_result(e, 0), even, odd, 0xaa);
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
   const struct x86_operand a = x86_source(e, inst->operand[0], 0);

   x86_vector(&e->a, X86_vpsubd, x86_result_over(e, 0), none, a);
}

static void
shift_by(struct x86_emitter *e, unsigned kind, enum x86_instruction by_lane)
{
   uint64_t count;

   if (is_constant(e, 1, &count)) {
      const unsigned a = word_of(e, 0);

      shift(e, kind, x86_result_over(e, 0), a, (unsigned)count & 31);
      return;
   }
   const unsigned a = word_of(e, 0), b = word_of(e, 1);
   const unsigned low = x86_scratch(e);
   op_word(e, X86_vpand, low, b, 31);
   op2(e, by_lane, x86_result_over(e, 0), a, low);
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
   emit_ieq(e);
   flip_result(e);
}

/* b > a */
EMIT(ilt)
{
   const struct x86_inst *inst = x86_current(e);
   const unsigned b = word_of(e, 1);
   const struct x86_operand a = x86_source(e, inst->operand[0], 0);

   x86_vector(&e->a, X86_vpcmpgtd, x86_result_over(e, 0), b, a);
}

EMIT(ige)
{
   emit_ilt(e);
   flip_result(e);
}

/* max(a, b) == a */
EMIT(uge)
{
   const struct x86_inst *inst = x86_current(e);
   const unsigned a = word_of(e, 0);
   const struct x86_operand b = x86_source(e, inst->operand[1], 0);
   const unsigned greater = x86_scratch(e);

   x86_vector(&e->a, X86_vpmaxud, greater, a, b);
   op2(e, X86_vpcmpeqd, x86_result_over(e, 0), greater, a);
}

EMIT(ult)
{
   emit_uge(e);
   flip_result(e);
}

/* ---- division ------------------------------------------------------------ */

/* Quotients of 32-bit integers are exact when they are truncated from those of
 * doubles: the quotient of the double is off by 2^-53 of itself at most, and an
 * integer is 2^-32 of it away at least. */

#define TWO_52 UINT64_C(0x4330000000000000) /* 2^52 */

static unsigned
unsigned_double(struct x86_emitter *e, unsigned words, unsigned part)
{
   const unsigned reg = x86_scratch(e);

   op1(e, X86_vpmovzxdq, reg, words_of_part(e, words, part));
   op_pair(e, X86_vpor, reg, reg, TWO_52);
   op_pair(e, X86_vsubpd, reg, reg, TWO_52);
   return reg;
}

static unsigned
signed_double(struct x86_emitter *e, unsigned words, unsigned part)
{
   const unsigned reg = x86_scratch(e);

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
   const unsigned reg = x86_scratch(e);

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
   op2(e, X86_vpor, x86_result(e, 0), rest, find_zeros(e, b));
}

EMIT(udiv)
{
   const unsigned a = word_of(e, 0), b = word_of(e, 1);
   const unsigned quotient = divide_unsigned(e, a, b);

   op2(e, X86_vpor, x86_result(e, 0), quotient, find_zeros(e, b));
}

EMIT(idiv)
{
   const unsigned a = word_of(e, 0), b = word_of(e, 1);
   const unsigned quotient = divide_signed(e, a, b);

   op2(e, X86_vpandn, x86_result(e, 0), find_zeros(e, b), quotient);
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
   return x86_constant(&e->a, both);
}

/* The low and the high nibbles of bytes. */
static void
split_nibbles(struct x86_emitter *e, unsigned a, unsigned *low_out,
              unsigned *high_out)
{
   const unsigned low = x86_scratch(e), high = x86_scratch(e);

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
   const unsigned reg = x86_scratch(e);

   x86_vector(&e->a, X86_vmovaps_load, reg, 0, table(e, bytes));
   op2(e, X86_vpshufb, nibbles, reg, nibbles);
}

EMIT(ibitrev)
{
   static const uint8_t order[16] = {3,  2,  1, 0, 7,  6,  5,  4,
                                     11, 10, 9, 8, 15, 14, 13, 12};
   static const uint8_t flipped[16] = {0, 8, 4, 12, 2, 10, 6, 14,
                                       1, 9, 5, 13, 3, 11, 7, 15};
   uint8_t raised[16];
   const unsigned a = word_of(e, 0), bytes = x86_scratch(e);
   unsigned low, high;

   for (unsigned i = 0; i < 16; i++)
      raised[i] = (uint8_t)(flipped[i] << 4);
   x86_vector(&e->a, X86_vpshufb, bytes, a, table(e, order));
   split_nibbles(e, bytes, &low, &high);
   look_up(e, low, raised);
   look_up(e, high, flipped);
   op2(e, X86_vpor, x86_result(e, 0), low, high);
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
   op_word(e, X86_vpmaddwd, x86_result(e, 0), low, 0x00010001);
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
   op_word(e, X86_vpmaxsd, x86_result(e, 0), lowest, UINT32_MAX);
}

/* Of a bit below one that is set nothing is left, so that the float is not
 * rounded up to the next power of two. Bit 31 must not be set. */
static void
find_highest(struct x86_emitter *e, unsigned target, unsigned a)
{
   const unsigned below = x86_scratch(e);

   shift(e, SHIFT_RIGHT, below, a, 1);
   op2(e, X86_vpandn, target, below, a);
   take_exponent(e, target);
   op_word(e, X86_vpmaxsd, target, target, UINT32_MAX);
}

EMIT(imsb)
{
   const unsigned a = word_of(e, 0), bits = x86_scratch(e);

   shift(e, SHIFT_SIGNED, bits, a, 31);
   op2(e, X86_vpxor, bits, bits, a);
   find_highest(e, x86_result(e, 0), bits);
}

EMIT(umsb)
{
   const unsigned a = word_of(e, 0), bits = x86_scratch(e);
   const unsigned top = x86_scratch(e);

   op_word(e, X86_vpand, bits, a, 0x7fffffff);
   find_highest(e, bits, bits);
   x86_vector(&e->a, X86_vmovaps_load, top, 0, x86_word(e, 31));
   blend(e, x86_result(e, 0), a, top, bits);
}

/* ---- floats -------------------------------------------------------------- */

EMIT(flerp)
{
   const unsigned a = word_of(e, 0), c = word_of(e, 2);
   const unsigned difference = x86_scratch(e);
   const unsigned b = word_of(e, 1);

   op2(e, X86_vsubps, difference, b, a);
   op2(e, X86_vfmadd213ps, difference, c, a);
   x86_give(e, 0, difference);
}

/* The second of two zeros, and the second where the first is NaN. */
EMIT(fsat)
{
   const unsigned a = word_of(e, 0);
   const unsigned low = x86_scratch(e);

   op_word(e, X86_vmaxps, low, a, 0);
   op_word(e, X86_vminps, x86_result_over(e, 0), low, 0x3f800000);
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
      const struct x86_operand b = x86_source(e, x86_current(e)->operand[1], 0);

      x86_vector(&e->a, instruction, x86_result_over(e, 0), a, b);
      return;
   }
   const unsigned b = word_of(e, 1);
   const unsigned same = x86_scratch(e), joined = x86_scratch(e);
   op2_imm(e, X86_vcmpps, same, a, b, EQ);
   op2(e, join, joined, a, b);
   const unsigned target = x86_result_over(e, 0);
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
   const unsigned above = x86_scratch(e), ordered = x86_scratch(e);

   compare_word(e, above, a, TWO_31, GE);
   op2_imm(e, X86_vcmpps, ordered, a, a, ORDERED);
   const unsigned target = x86_result_over(e, 0);
   op1(e, X86_vcvttps2dq, target, a);
   op2(e, X86_vpxor, target, target, above);
   op2(e, X86_vpand, target, target, ordered);
}

/* The top bit is taken out before, which is exact, and put in after. */
EMIT(f2u)
{
   const unsigned a = word_of(e, 0);
   const unsigned top = x86_scratch(e), rest = x86_scratch(e);

   compare_word(e, top, a, TWO_31, GE);
   op_word(e, X86_vandps, rest, top, TWO_31);
   op2(e, X86_vsubps, rest, a, rest);
   op_word(e, X86_vmaxps, rest, rest, 0);
   op1(e, X86_vcvttps2dq, rest, rest);
   shift(e, SHIFT_LEFT, top, top, 31);
   op2(e, X86_vpor, rest, rest, top);
   compare_word(e, top, a, TWO_32, GE);
   op2(e, X86_vpor, x86_result_over(e, 0), rest, top);
}

/* Both halves of a word are floats without rounding, and so is the product. */
EMIT(u2f)
{
   const unsigned a = word_of(e, 0);
   const unsigned high = x86_scratch(e);

   shift(e, SHIFT_RIGHT, high, a, 16);
   op1(e, X86_vcvtdq2ps, high, high);
   const unsigned target = x86_result_over(e, 0);
   op_word(e, X86_vpand, target, a, 0xffff);
   op1(e, X86_vcvtdq2ps, target, target);
   op_word(e, X86_vfmadd231ps, target, high, 0x47800000); /* 2^16 */
}

/* The byte that the second operand says, and what is above it. */
static unsigned
shift_to_byte(struct x86_emitter *e)
{
   const unsigned a = word_of(e, 0), byte = x86_scratch(e);
   uint64_t number;

   if (is_constant(e, 1, &number)) {
      shift(e, SHIFT_RIGHT, byte, a, ((unsigned)number & 3) * 8);
   } else {
      op_word(e, X86_vpand, byte, word_of(e, 1), 3);
      shift(e, SHIFT_LEFT, byte, byte, 3);
      op2(e, X86_vpsrlvd, byte, a, byte);
   }
   return byte;
}

EMIT(byte)
{
   const unsigned byte = shift_to_byte(e);

   op_word(e, X86_vpand, x86_result_over(e, 0), byte, 255);
}

EMIT(bytef)
{
   const unsigned byte = shift_to_byte(e);

   op_word(e, X86_vpand, byte, byte, 255);
   op1(e, X86_vcvtdq2ps, x86_result_over(e, 0), byte);
}

EMIT(f2h)
{
   const unsigned a = word_of(e, 0);
   const unsigned half = x86_scratch(e), special = x86_scratch(e);

   x86_vector_imm(&e->a, X86_vcvtps2ph, a, 0, x86_register(half), 0);
   op1(e, X86_vpmovzxwd, half, half);
   op2_imm(e, X86_vcmpps, special, a, a, ORDERED);
   const unsigned target = x86_result_over(e, 0);
   x86_vector(&e->a, X86_vmovaps_load, target, 0, x86_word(e, 0x7e00));
   blend(e, target, special, half, target);
}

EMIT(h2f)
{
   const unsigned low = x86_scratch(e);

   op_word(e, X86_vpand, low, word_of(e, 0), 0xffff);
   op2(e, X86_vpackusdw, low, low, words_of_part(e, low, 1));
   op1(e, X86_vcvtph2ps, x86_result_over(e, 0), low);
}

/* ---- pairs of words ------------------------------------------------------ */

/* The instructions take four lanes of each half of a register. */
EMIT(pack64)
{
   const unsigned a = word_of(e, 0), b = word_of(e, 1);
   const unsigned low = x86_scratch(e), high = x86_scratch(e);

   op2(e, X86_vunpcklps, low, a, b);
   op2(e, X86_vunpckhps, high, a, b);
   for (unsigned part = 0; part < num_parts(e); part++)
      op2_imm(e, X86_vperm2f128, x86_result(e, part), low, high,
              part ? 0x31 : 0x20);
}

EMIT(lo64)
{
   const unsigned low = pair_of(e, 0, 0), high = pair_of(e, 0, 1);

   narrow(e, x86_result(e, 0), low, high);
}

EMIT(hi64)
{
   const unsigned low = pair_of(e, 0, 0), high = pair_of(e, 0, 1);

   narrow_high(e, x86_result(e, 0), low, high);
}

EMIT(lneg)
{
   const struct x86_inst *inst = x86_current(e);
   const unsigned none = zero(e);

   for (unsigned part = 0; part < num_parts(e); part++) {
      const struct x86_operand a = x86_source(e, inst->operand[0], part);

      x86_vector(&e->a, X86_vpsubq, x86_result(e, part), none, a);
   }
}

/* ---- comparisons of pairs ------------------------------------------------ */

/* Unsigned numbers are ordered like signed ones whose top bits are flipped. */
static void
compare_unsigned(struct x86_emitter *e, unsigned target, unsigned a, unsigned b)
{
   const unsigned other = x86_scratch(e);

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
   const unsigned reg = x86_scratch(e);

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

   narrow(e, x86_result(e, 0), low, high);
}

EMIT(leq)
{
   unsigned same[2];

   for (unsigned part = 0; part < 2; part++) {
      const unsigned a = pair_of(e, 0, part), b = pair_of(e, 1, part);

      same[part] = x86_scratch(e);
      op2(e, X86_vpcmpeqq, same[part], a, b);
   }
   narrow(e, x86_result(e, 0), same[0], same[1]);
}

EMIT(lne)
{
   emit_leq(e);
   flip_result(e);
}

EMIT(llt)
{
   compare_greater(e, true);
}

EMIT(lge)
{
   emit_llt(e);
   flip_result(e);
}

EMIT(ullt)
{
   compare_greater(e, false);
}

EMIT(ulge)
{
   emit_ullt(e);
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

      op2_imm(e, X86_vblendvpd, x86_result(e, part), no, yes, holds << 4);
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
      const unsigned high = x86_scratch(e), other = x86_scratch(e);
      const unsigned target = x86_result(e, part);

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
   const unsigned reg = x86_scratch(e);

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

      op2(e, by_lane, x86_result(e, part), a, counts);
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
      const unsigned sign = zero(e), target = x86_result(e, part);

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

      holds[part] = x86_scratch(e);
      op2_imm(e, X86_vcmppd, holds[part], a, b, predicate);
   }
   narrow(e, x86_result(e, 0), holds[0], holds[1]);
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
      const unsigned same = x86_scratch(e), joined = x86_scratch(e);
      const unsigned target = x86_result(e, part);

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

      op1(e, instruction, x86_result(e, part), words);
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
      const unsigned target = x86_result(e, part);

      op1(e, X86_vpmovzxdq, target, words);
      op_pair(e, X86_vpor, target, target, TWO_52);
      op_pair(e, X86_vsubpd, target, target, TWO_52);
   }
}

EMIT(d2f)
{
   const unsigned low = x86_scratch(e), high = x86_scratch(e);

   op1(e, X86_vcvtpd2ps, low, pair_of(e, 0, 0));
   op1(e, X86_vcvtpd2ps, high, pair_of(e, 0, 1));
   op2_imm(e, X86_vinsertf128, x86_result(e, 0), low, high, 1);
}

#define TWO_31_D UINT64_C(0x41e0000000000000)

static void
narrow_where(struct x86_emitter *e, unsigned target, unsigned predicate)
{
   unsigned holds[2];

   for (unsigned part = 0; part < 2; part++) {
      const unsigned a = pair_of(e, 0, part);

      holds[part] = x86_scratch(e);
      if (predicate == ORDERED)
         op2_imm(e, X86_vcmppd, holds[part], a, a, ORDERED);
      else
         x86_vector_imm(&e->a, X86_vcmppd, holds[part], a,
                        x86_pair(e, TWO_31_D), (uint8_t)predicate);
   }
   narrow(e, target, holds[0], holds[1]);
}

/* As f2i. */
EMIT(d2i)
{
   const unsigned above = x86_scratch(e), ordered = x86_scratch(e);
   const unsigned low = x86_scratch(e), high = x86_scratch(e);

   narrow_where(e, above, GE);
   narrow_where(e, ordered, ORDERED);
   op1(e, X86_vcvttpd2dq, low, pair_of(e, 0, 0));
   op1(e, X86_vcvttpd2dq, high, pair_of(e, 0, 1));
   op2_imm(e, X86_vinsertf128, low, low, high, 1);
   op2(e, X86_vpxor, low, low, above);
   op2(e, X86_vpand, x86_result(e, 0), low, ordered);
}

/* Clamped, NaN to 0, and truncated, it is the low word of 2^52 and itself. */
EMIT(d2u)
{
   unsigned words[2];

   for (unsigned part = 0; part < 2; part++) {
      const unsigned a = pair_of(e, 0, part), reg = x86_scratch(e);

      op_pair(e, X86_vmaxpd, reg, a, 0);
      op_pair(e, X86_vminpd, reg, reg, UINT64_C(0x41efffffffe00000));
      op2_imm(e, X86_vroundpd, reg, 0, reg, TO_ZERO);
      op_pair(e, X86_vaddpd, reg, reg, TWO_52);
      words[part] = reg;
   }
   narrow(e, x86_result(e, 0), words[0], words[1]);
}

/* ---- the table ----------------------------------------------------------- */

const x86_alu x86_alus[LIR_NUM_OPS] = {
#define ROW(name) [LIR_OP_##name] = emit_##name,
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
