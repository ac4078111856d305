/* SPDX-License-Identifier: MIT
 *
 * Operations that compute, as LLVM IR: a function each, from the rows of
 * ops.def. They give the bits of the expressions in lir/ops.def; no fast-math
 * flag is ever set.
 */
#include "exec/jit/emit.h"

#define EMIT(name)                                                             \
   static LLVMValueRef emit_##name(struct jit_emitter *e,                      \
                                   const LLVMValueRef *operand)

/* ---- types --------------------------------------------------------------- */

static LLVMTypeRef
element_type(LLVMValueRef value)
{
   const LLVMTypeRef type = llvm.TypeOf(value);

   return jit_is_vector(value) ? llvm.GetElementType(type) : type;
}

static bool
is_pair(const struct jit_emitter *e, LLVMValueRef value)
{
   return element_type(value) == e->i64;
}

/* The bits of integers as floats, and back. */
static LLVMValueRef
to_float(struct jit_emitter *e, LLVMValueRef value)
{
   const LLVMTypeRef element = is_pair(e, value) ? e->f64 : e->f32;

   return llvm.BuildBitCast(e->b, value, jit_shaped(e, value, element), "");
}

static LLVMValueRef
to_bits(struct jit_emitter *e, LLVMValueRef value)
{
   const LLVMTypeRef element = element_type(value) == e->f64 ? e->i64 : e->i32;

   return llvm.BuildBitCast(e->b, value, jit_shaped(e, value, element), "");
}

/* Are these the bits of floats, as to_bits() makes them? */
static bool
is_of_floats(const struct jit_emitter *e, LLVMValueRef value)
{
   if (!llvm.IsABitCastInst(value))
      return false;
   const LLVMTypeRef from = element_type(llvm.GetOperand(value, 0));
   return from == e->f32 || from == e->f64;
}

/* Floats are chosen as such: so LLVM finds the minima and maxima, which are one
 * instruction. */
static LLVMValueRef
choose(struct jit_emitter *e, LLVMValueRef condition, LLVMValueRef a,
       LLVMValueRef b)
{
   if (!is_of_floats(e, a) && !is_of_floats(e, b))
      return llvm.BuildSelect(e->b, condition, a, b, "");
   return to_bits(
      e, llvm.BuildSelect(e->b, condition, to_float(e, a), to_float(e, b), ""));
}

static LLVMValueRef
compare(struct jit_emitter *e, LLVMIntPredicate predicate, LLVMValueRef a,
        LLVMValueRef b)
{
   return llvm.BuildICmp(e->b, predicate, a, b, "");
}

static LLVMValueRef
compare_floats(struct jit_emitter *e, LLVMRealPredicate predicate,
               LLVMValueRef a, LLVMValueRef b)
{
   return llvm.BuildFCmp(e->b, predicate, to_float(e, a), to_float(e, b), "");
}

/* ---- rows ---------------------------------------------------------------- */

#define BINARY(b, x, name) llvm.Build##name(b, (x)[0], (x)[1], "")
#define INSTRUCTION_Not(b, x) llvm.BuildNot(b, (x)[0], "")
#define INSTRUCTION_Neg(b, x) llvm.BuildNeg(b, (x)[0], "")
#define INSTRUCTION_And(b, x) BINARY(b, x, And)
#define INSTRUCTION_Or(b, x) BINARY(b, x, Or)
#define INSTRUCTION_Xor(b, x) BINARY(b, x, Xor)
#define INSTRUCTION_Add(b, x) BINARY(b, x, Add)
#define INSTRUCTION_Sub(b, x) BINARY(b, x, Sub)
#define INSTRUCTION_Mul(b, x) BINARY(b, x, Mul)

#define JIT_TRUTH(name, instruction)                                           \
   EMIT(name)                                                                  \
   {                                                                           \
      LLVMValueRef lanes[2];                                                   \
                                                                               \
      return are_of_lanes(e, operand, lanes)                                   \
                ? jit_mask_of_lanes(e, INSTRUCTION_##instruction(e->b, lanes)) \
                : INSTRUCTION_##instruction(e->b, operand);                    \
   }
#define JIT_INTEGER(name, instruction)                                         \
   EMIT(name)                                                                  \
   {                                                                           \
      return INSTRUCTION_##instruction(e->b, operand);                         \
   }
#define JIT_FLOAT(name, instruction)                                           \
   EMIT(name)                                                                  \
   {                                                                           \
      return to_bits(e, llvm.Build##instruction(e->b, to_float(e, operand[0]), \
                                                to_float(e, operand[1]), "")); \
   }
#define JIT_COMPARE(name, predicate)                                           \
   EMIT(name)                                                                  \
   {                                                                           \
      return compare(e, LLVMInt##predicate, operand[0], operand[1]);           \
   }
#define JIT_COMPARE_FLOAT(name, predicate)                                     \
   EMIT(name)                                                                  \
   {                                                                           \
      return compare_floats(e, LLVMReal##predicate, operand[0], operand[1]);   \
   }
#define JIT_INTRINSIC(name, intrinsic)                                         \
   EMIT(name)                                                                  \
   {                                                                           \
      return same_type(e, intrinsic, operand,                                  \
                       lir_ops[LIR_OP_##name].num_operands);                   \
   }
#define JIT_FLOAT_INTRINSIC(name, intrinsic)                                   \
   EMIT(name)                                                                  \
   {                                                                           \
      return between_floats(e, intrinsic, operand,                             \
                            lir_ops[LIR_OP_##name].num_operands);              \
   }
#define JIT_TO_FLOAT(name, instruction, type)                                  \
   EMIT(name)                                                                  \
   {                                                                           \
      return to_bits(                                                          \
         e, llvm.Build##instruction(e->b, operand[0],                          \
                                    jit_shaped(e, operand[0], e->type), ""));  \
   }
#define JIT_SATURATE(name, intrinsic, type)                                    \
   EMIT(name)                                                                  \
   {                                                                           \
      return saturate(e, intrinsic, operand[0], e->type);                      \
   }

/* Two masks that are made of an i16 each. */
static bool
are_of_lanes(struct jit_emitter *e, const LLVMValueRef *masks,
             LLVMValueRef lanes_out[2])
{
   if (!jit_is_of_lanes(e, masks[0]) || !jit_is_of_lanes(e, masks[1]))
      return false;
   lanes_out[0] = jit_lanes_of_mask(e, masks[0]);
   lanes_out[1] = jit_lanes_of_mask(e, masks[1]);
   return true;
}

static LLVMValueRef
same_type(struct jit_emitter *e, const char *intrinsic,
          const LLVMValueRef *operand, unsigned count)
{
   LLVMTypeRef type = llvm.TypeOf(operand[0]);
   LLVMValueRef arguments[] = {operand[0], operand[1], operand[2]};

   return jit_intrinsic(e, intrinsic, &type, 1, arguments, count);
}

static LLVMValueRef
between_floats(struct jit_emitter *e, const char *intrinsic,
               const LLVMValueRef *operand, unsigned count)
{
   LLVMValueRef arguments[3] = {0};

   for (unsigned i = 0; i < count; i++)
      arguments[i] = to_float(e, operand[i]);
   return to_bits(e, same_type(e, intrinsic, arguments, count));
}

/* Truncates, clamps to the range of the integer; NaN gives 0. */
static LLVMValueRef
saturate(struct jit_emitter *e, const char *intrinsic, LLVMValueRef operand,
         LLVMTypeRef integer)
{
   LLVMValueRef value = to_float(e, operand);
   LLVMTypeRef types[] = {jit_shaped(e, operand, integer), llvm.TypeOf(value)};

   return jit_intrinsic(e, intrinsic, types, 2, &value, 1);
}

#include "exec/jit/ops.def"

/* ---- truth values -------------------------------------------------------- */

EMIT(bnot)
{
   if (!jit_is_of_lanes(e, operand[0]))
      return llvm.BuildNot(e->b, operand[0], "");
   const LLVMValueRef lanes = jit_lanes_of_mask(e, operand[0]);
   return jit_mask_of_lanes(e, llvm.BuildNot(e->b, lanes, ""));
}

EMIT(b2i)
{
   return llvm.BuildSExt(e->b, operand[0], jit_shaped(e, operand[0], e->i32),
                         "");
}

EMIT(i2b)
{
   return compare(e, LLVMIntNE, operand[0], jit_integer(e, operand[0], 0));
}

EMIT(sel32)
{
   return choose(e, operand[0], operand[1], operand[2]);
}

EMIT(sel64)
{
   return choose(e, operand[0], operand[1], operand[2]);
}

/* ---- integers ------------------------------------------------------------ */

typedef LLVMValueRef
extension(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *);

static LLVMValueRef
high_product(struct jit_emitter *e, const LLVMValueRef *operand,
             extension *extend)
{
   const LLVMTypeRef wide = jit_shaped(e, operand[0], e->i64);
   const LLVMValueRef product =
      llvm.BuildMul(e->b, extend(e->b, operand[0], wide, ""),
                    extend(e->b, operand[1], wide, ""), "");

   return llvm.BuildTrunc(
      e->b, llvm.BuildLShr(e->b, product, jit_constant(e, wide, 32), ""),
      jit_shaped(e, operand[0], e->i32), "");
}

EMIT(imulhi)
{
   return high_product(e, operand, llvm.BuildSExt);
}

EMIT(umulhi)
{
   return high_product(e, operand, llvm.BuildZExt);
}

typedef LLVMValueRef
division(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);

/* Divisors that trap are replaced by 1, and their results by others: that of 0,
 * and for signed division that of -1. */
static LLVMValueRef
divide_unsigned(struct jit_emitter *e, const LLVMValueRef *operand,
                division *build)
{
   const LLVMValueRef zero = jit_integer(e, operand[1], 0);
   const LLVMValueRef is_zero = compare(e, LLVMIntEQ, operand[1], zero);
   const LLVMValueRef divisor =
      choose(e, is_zero, jit_integer(e, operand[1], 1), operand[1]);

   return choose(e, is_zero, jit_integer(e, operand[1], UINT64_MAX),
                 build(e->b, operand[0], divisor, ""));
}

static LLVMValueRef
divide_signed(struct jit_emitter *e, const LLVMValueRef *operand,
              division *build, uint64_t by_zero, LLVMValueRef by_minus_one)
{
   const LLVMValueRef one = jit_integer(e, operand[1], 1);
   const LLVMValueRef is_zero =
      compare(e, LLVMIntEQ, operand[1], jit_integer(e, operand[1], 0));
   const LLVMValueRef traps =
      compare(e, LLVMIntULE, llvm.BuildAdd(e->b, operand[1], one, ""), one);
   const LLVMValueRef result =
      build(e->b, operand[0], choose(e, traps, one, operand[1]), "");

   return choose(e, is_zero, jit_integer(e, operand[1], by_zero),
                 choose(e, traps, by_minus_one, result));
}

#define DIVISIONS(signed, unsigned)                                            \
   EMIT(signed##div)                                                           \
   {                                                                           \
      return divide_signed(e, operand, llvm.BuildSDiv, 0,                      \
                           llvm.BuildNeg(e->b, operand[0], ""));               \
   }                                                                           \
   EMIT(signed##rem)                                                           \
   {                                                                           \
      return divide_signed(e, operand, llvm.BuildSRem, UINT64_MAX,             \
                           jit_integer(e, operand[0], 0));                     \
   }                                                                           \
   EMIT(unsigned##div)                                                         \
   {                                                                           \
      return divide_unsigned(e, operand, llvm.BuildUDiv);                      \
   }                                                                           \
   EMIT(unsigned##rem)                                                         \
   {                                                                           \
      return divide_unsigned(e, operand, llvm.BuildURem);                      \
   }
DIVISIONS(i, u)
DIVISIONS(l, ul)

EMIT(iabs)
{
   const LLVMValueRef zero = jit_integer(e, operand[0], 0);

   return choose(e, compare(e, LLVMIntSLT, operand[0], zero),
                 llvm.BuildNeg(e->b, operand[0], ""), operand[0]);
}

/* The count of a shift, which is a word, as an operand of what is shifted. */
static LLVMValueRef
shift_count(struct jit_emitter *e, const LLVMValueRef *operand)
{
   const bool is_wide = is_pair(e, operand[0]);
   const LLVMValueRef count = llvm.BuildAnd(
      e->b, operand[1], jit_integer(e, operand[1], is_wide ? 63 : 31), "");

   return is_wide ? llvm.BuildZExt(e->b, count, llvm.TypeOf(operand[0]), "")
                  : count;
}

#define SHIFT(name, instruction)                                               \
   EMIT(name)                                                                  \
   {                                                                           \
      return llvm.Build##instruction(e->b, operand[0],                         \
                                     shift_count(e, operand), "");             \
   }
SHIFT(ishl, Shl)
SHIFT(ishr, AShr)
SHIFT(ushr, LShr)
SHIFT(lshl, Shl)
SHIFT(lshr, AShr)
SHIFT(ulshr, LShr)

EMIT(byte)
{
   const LLVMValueRef three = jit_integer(e, operand[1], 3);
   const LLVMValueRef number = llvm.BuildAnd(e->b, operand[1], three, "");
   const LLVMValueRef count = llvm.BuildShl(e->b, number, three, "");

   return llvm.BuildAnd(e->b, llvm.BuildLShr(e->b, operand[0], count, ""),
                        jit_integer(e, operand[0], 255), "");
}

/* Counts zeros at one end of a word; 32 for the word 0. */
static LLVMValueRef
count_zeros(struct jit_emitter *e, const char *intrinsic, LLVMValueRef word)
{
   LLVMTypeRef type = llvm.TypeOf(word);
   LLVMValueRef arguments[] = {word, llvm.ConstInt(e->i1, 0, false)};

   return jit_intrinsic(e, intrinsic, &type, 1, arguments, 2);
}

EMIT(ilsb)
{
   const LLVMValueRef is_zero =
      compare(e, LLVMIntEQ, operand[0], jit_integer(e, operand[0], 0));

   return choose(e, is_zero, jit_integer(e, operand[0], UINT64_MAX),
                 count_zeros(e, "llvm.cttz", operand[0]));
}

EMIT(umsb)
{
   return llvm.BuildSub(e->b, jit_integer(e, operand[0], 31),
                        count_zeros(e, "llvm.ctlz", operand[0]), "");
}

EMIT(imsb)
{
   const LLVMValueRef signs =
      llvm.BuildAShr(e->b, operand[0], jit_integer(e, operand[0], 31), "");
   const LLVMValueRef other[3] = {llvm.BuildXor(e->b, operand[0], signs, "")};

   return emit_umsb(e, other);
}

/* ---- floats -------------------------------------------------------------- */

static uint64_t
sign_bit(const struct jit_emitter *e, LLVMValueRef value)
{
   return UINT64_C(1) << (is_pair(e, value) ? 63 : 31);
}

static LLVMValueRef
flip_sign(struct jit_emitter *e, LLVMValueRef value)
{
   return llvm.BuildXor(e->b, value, jit_integer(e, value, sign_bit(e, value)),
                        "");
}

static LLVMValueRef
clear_sign(struct jit_emitter *e, LLVMValueRef value)
{
   return llvm.BuildAnd(e->b, value,
                        jit_integer(e, value, sign_bit(e, value) - 1), "");
}

EMIT(fneg)
{
   return flip_sign(e, operand[0]);
}

EMIT(dneg)
{
   return flip_sign(e, operand[0]);
}

EMIT(fabs)
{
   return clear_sign(e, operand[0]);
}

EMIT(dabs)
{
   return clear_sign(e, operand[0]);
}

/* One of two floats; where the condition compares them it is a minimum or a
 * maximum, one instruction of a vector unit. */
static LLVMValueRef
choose_float(struct jit_emitter *e, LLVMValueRef condition, LLVMValueRef a,
             LLVMValueRef b)
{
   return to_bits(
      e, llvm.BuildSelect(e->b, condition, to_float(e, a), to_float(e, b), ""));
}

/* The lesser or greater; the second where either is NaN. Of equal operands,
 * which only as zeros have unlike bits, the signs are joined. */
static LLVMValueRef
extreme(struct jit_emitter *e, const LLVMValueRef *operand,
        LLVMRealPredicate is_first, division *join)
{
   const LLVMValueRef a = operand[0], b = operand[1];
   const LLVMValueRef is_equal = compare_floats(e, LLVMRealOEQ, a, b);
   const LLVMValueRef other = choose(e, is_equal, join(e->b, a, b, ""), b);

   return choose_float(e, compare_floats(e, is_first, a, b), a, other);
}

/* Can they be -0 and 0, between which a comparison does not choose? */
static bool
may_be_zeros(const struct lir_range *with_sign, const struct lir_range *other)
{
   return with_sign->may_be_minus_zero && other->low <= 0 && other->high >= 0;
}

EMIT(fmin)
{
   const LLVMValueRef a = operand[0], b = operand[1];

   if (may_be_zeros(e->operand_range[0], e->operand_range[1]))
      return extreme(e, operand, LLVMRealOLT, llvm.BuildOr);
   return choose_float(e, compare_floats(e, LLVMRealOLT, a, b), a, b);
}

EMIT(fmax)
{
   const LLVMValueRef a = operand[0], b = operand[1];

   if (may_be_zeros(e->operand_range[1], e->operand_range[0]))
      return extreme(e, operand, LLVMRealOGT, llvm.BuildAnd);
   return choose_float(e, compare_floats(e, LLVMRealOGT, a, b), a, b);
}

/* A clamp to a number that is not zero. */
static bool
has_constant(const struct jit_emitter *e)
{
   for (unsigned k = 0; k < 2; k++) {
      const struct lir_inst *inst = e->operand_inst[k];

      if (inst->op == LIR_OP_const64 && inst->imm << 1 != 0)
         return true;
   }
   return false;
}

static LLVMValueRef
wide_extreme(struct jit_emitter *e, const LLVMValueRef *operand,
             LLVMRealPredicate is_first, division *join)
{
   const LLVMValueRef a = operand[0], b = operand[1];

   return has_constant(e)
             ? choose_float(e, compare_floats(e, is_first, a, b), a, b)
             : extreme(e, operand, is_first, join);
}

EMIT(dmin)
{
   return wide_extreme(e, operand, LLVMRealOLT, llvm.BuildOr);
}

EMIT(dmax)
{
   return wide_extreme(e, operand, LLVMRealOGT, llvm.BuildAnd);
}

/* -0 and NaN are not above 0; each step is one instruction of a vector unit. */
EMIT(fsat)
{
   const LLVMValueRef zero = jit_integer(e, operand[0], 0);
   const LLVMValueRef one = jit_integer(e, operand[0], 0x3f800000);
   const LLVMValueRef low = choose_float(
      e, compare_floats(e, LLVMRealOGT, operand[0], zero), operand[0], zero);

   return choose_float(e, compare_floats(e, LLVMRealOLT, low, one), low, one);
}

EMIT(flerp)
{
   const LLVMValueRef ends[3] = {operand[1], operand[0]};
   const LLVMValueRef terms[3] = {emit_fsub(e, ends), operand[2], operand[0]};

   return emit_ffma(e, terms);
}

/* ---- conversions --------------------------------------------------------- */

/* LLVM's saturating conversions go lane by lane, so those of words, which are
 * frequent, are made of the plain one, which must fit. */

#define TWO_31 0x4f000000 /* 2^31 */
#define TWO_32 0x4f800000
#define D_INT_MIN UINT64_C(0xc1e0000000000000) /* -2^31 */
#define D_INT_MAX UINT64_C(0x41dfffffffc00000) /* 2^31 - 1 */

static LLVMValueRef
convert_fitting(struct jit_emitter *e, LLVMValueRef value)
{
   return llvm.BuildFPToSI(e->b, to_float(e, value), llvm.TypeOf(value), "");
}

/* What an integer holds, to the one below. */
static LLVMValueRef
convert_down(struct jit_emitter *e, LLVMValueRef value)
{
   const unsigned no_exceptions = 8, to_negative = 1; /* _MM_FROUND_* */
   LLVMValueRef arguments[] = {
      to_float(e, value),
      llvm.ConstNull(llvm.TypeOf(value)),
      llvm.ConstInt(e->i16, UINT16_MAX, false),
      llvm.ConstInt(e->i32, no_exceptions | to_negative, false),
   };

   return jit_intrinsic(e, "llvm.x86.avx512.mask.cvtps2dq.512", NULL, 0,
                        arguments, 4);
}

/* Is it what ffloor gives, within what an integer holds, of 16 lanes? */
static bool
is_floored(const struct jit_emitter *e, LLVMValueRef value)
{
   const struct lir_range *range = e->operand_range[0];

   return e->operand_inst[0]->op == LIR_OP_ffloor && jit_is_vector(value) &&
          !range->may_be_nan && range->low >= -0x1p31f && range->high < 0x1p31f;
}

/* What is not below 2^31, NaN too, is converted as 0; of which only what the
 * operand can be is looked at. */
EMIT(f2i)
{
   const struct lir_range *range = e->operand_range[0];

   if (e->has_avx512 && is_floored(e, operand[0]))
      return convert_down(e, jit_vector_operand(e, e->operand_inst[0], 0));

   const LLVMValueRef top = jit_integer(e, operand[0], TWO_31);
   const LLVMValueRef least = flip_sign(e, top);
   LLVMValueRef x = operand[0];

   if (range->may_be_nan || range->high >= 0x1p31f)
      x = choose(e, compare_floats(e, LLVMRealOLT, x, top), x,
                 jit_integer(e, x, 0));
   if (range->low < -0x1p31f)
      x = choose_float(e, compare_floats(e, LLVMRealOGT, x, least), x, least);
   x = convert_fitting(e, x);
   if (range->high < 0x1p31f)
      return x;
   return choose(e, compare_floats(e, LLVMRealOGE, operand[0], top),
                 jit_integer(e, x, INT32_MAX), x);
}

/* The top bit is taken out before, which is exact, and put in after. */
EMIT(f2u)
{
   const LLVMValueRef x = operand[0];
   const LLVMValueRef zero = jit_integer(e, x, 0);
   const LLVMValueRef top = jit_integer(e, x, TWO_31);
   const LLVMValueRef has_top = compare_floats(e, LLVMRealOGE, x, top);
   const LLVMValueRef both[3] = {x, top};
   const LLVMValueRef rest = choose(e, has_top, emit_fsub(e, both), x);
   const LLVMValueRef does_fit =
      llvm.BuildAnd(e->b, compare_floats(e, LLVMRealOGT, rest, zero),
                    compare_floats(e, LLVMRealOLT, rest, top), "");
   const LLVMValueRef low = convert_fitting(e, choose(e, does_fit, rest, zero));
   const LLVMValueRef bit =
      choose(e, has_top, jit_integer(e, x, UINT32_C(1) << 31), zero);
   const LLVMValueRef is_beyond =
      compare_floats(e, LLVMRealOGE, x, jit_integer(e, x, TWO_32));

   return choose(e, is_beyond, jit_integer(e, x, UINT32_MAX),
                 llvm.BuildOr(e->b, low, bit, ""));
}

/* Within the integers that there are, which are doubles, too; NaN gives 0. */
EMIT(d2i)
{
   const LLVMValueRef least = jit_integer(e, operand[0], D_INT_MIN);
   const LLVMValueRef most = jit_integer(e, operand[0], D_INT_MAX);
   LLVMValueRef x = operand[0];

   x = choose(e, compare_floats(e, LLVMRealORD, x, x), x, jit_integer(e, x, 0));
   x = choose_float(e, compare_floats(e, LLVMRealOGT, x, least), x, least);
   x = choose_float(e, compare_floats(e, LLVMRealOLT, x, most), x, most);
   return llvm.BuildFPToSI(e->b, to_float(e, x), jit_shaped(e, x, e->i32), "");
}

EMIT(bytef)
{
   const LLVMValueRef code[3] = {emit_byte(e, operand)};

   return emit_i2f(e, code);
}

static LLVMValueRef
convert_half(struct jit_emitter *e, LLVMValueRef value)
{
   const LLVMValueRef half = llvm.BuildFPTrunc(
      e->b, to_float(e, value), jit_shaped(e, value, e->f16), "");
   const LLVMValueRef bits =
      llvm.BuildBitCast(e->b, half, jit_shaped(e, value, e->i16), "");

   return llvm.BuildZExt(e->b, bits, llvm.TypeOf(value), "");
}

/* As lir_f2h() does it, without conversions of halves. */
static LLVMValueRef
compute_half(struct jit_emitter *e, LLVMValueRef value)
{
#define K(number) jit_integer(e, value, (number))
   const uint32_t half_bits = 0x3f000000;
   const LLVMValueRef magnitude = clear_sign(e, value);
   const LLVMValueRef odd =
      llvm.BuildAnd(e->b, llvm.BuildLShr(e->b, magnitude, K(13), ""), K(1), "");
   const LLVMValueRef rebiased =
      llvm.BuildSub(e->b, magnitude, K((127 - 15) << 23), "");
   const LLVMValueRef rounded =
      llvm.BuildAdd(e->b, llvm.BuildAdd(e->b, rebiased, K(0xfff), ""), odd, "");
   const LLVMValueRef normal = llvm.BuildLShr(e->b, rounded, K(13), "");
   const LLVMValueRef raised[3] = {magnitude, K(half_bits)};
   const LLVMValueRef denormal =
      llvm.BuildSub(e->b, emit_fadd(e, raised), K(half_bits), "");
   const LLVMValueRef finite = choose(
      e, compare(e, LLVMIntULT, magnitude, K(0x38800000)), denormal, normal);
   const LLVMValueRef half = choose(
      e, compare(e, LLVMIntUGE, magnitude, K(0x477ff000)), K(0x7c00), finite);
   const LLVMValueRef sign = llvm.BuildAnd(
      e->b, llvm.BuildLShr(e->b, value, K(16), ""), K(0x8000), "");
#undef K
   return llvm.BuildOr(e->b, half, sign, "");
}

EMIT(f2h)
{
   const LLVMValueRef is_nan =
      compare_floats(e, LLVMRealUNO, operand[0], operand[0]);
   const LLVMValueRef half =
      e->has_half ? convert_half(e, operand[0]) : compute_half(e, operand[0]);

   return choose(e, is_nan, jit_integer(e, operand[0], 0x7e00), half);
}

static LLVMValueRef
convert_from_half(struct jit_emitter *e, LLVMValueRef value)
{
   const LLVMValueRef low =
      llvm.BuildTrunc(e->b, value, jit_shaped(e, value, e->i16), "");
   const LLVMValueRef half =
      llvm.BuildBitCast(e->b, low, jit_shaped(e, value, e->f16), "");

   return to_bits(
      e, llvm.BuildFPExt(e->b, half, jit_shaped(e, value, e->f32), ""));
}

/* As lir_h2f() does it. */
static LLVMValueRef
compute_from_half(struct jit_emitter *e, LLVMValueRef value)
{
#define K(number) jit_integer(e, value, (number))
   const LLVMValueRef magnitude = llvm.BuildAnd(e->b, value, K(0x7fff), "");
   const LLVMValueRef moved = llvm.BuildShl(e->b, magnitude, K(13), "");
   const LLVMValueRef normal =
      llvm.BuildAdd(e->b, moved, K((127 - 15) << 23), "");
   const LLVMValueRef units[3] = {emit_i2f(e, &magnitude), K(0x33800000)};
   const LLVMValueRef denormal = emit_fmul(e, units);
   const LLVMValueRef special = llvm.BuildOr(e->b, moved, K(0x7f800000), "");
   const LLVMValueRef finite =
      choose(e, compare(e, LLVMIntULT, magnitude, K(0x0400)), denormal, normal);
   const LLVMValueRef bits =
      choose(e, compare(e, LLVMIntUGE, magnitude, K(0x7c00)), special, finite);
   const LLVMValueRef sign =
      llvm.BuildShl(e->b, llvm.BuildAnd(e->b, value, K(0x8000), ""), K(16), "");
#undef K
   return llvm.BuildOr(e->b, bits, sign, "");
}

EMIT(h2f)
{
   return e->has_half ? convert_from_half(e, operand[0])
                      : compute_from_half(e, operand[0]);
}

EMIT(i2l)
{
   return llvm.BuildSExt(e->b, operand[0], jit_shaped(e, operand[0], e->i64),
                         "");
}

EMIT(u2l)
{
   return llvm.BuildZExt(e->b, operand[0], jit_shaped(e, operand[0], e->i64),
                         "");
}

EMIT(f2d)
{
   const LLVMValueRef value = to_float(e, operand[0]);

   return to_bits(
      e, llvm.BuildFPExt(e->b, value, jit_shaped(e, value, e->f64), ""));
}

EMIT(d2f)
{
   const LLVMValueRef value = to_float(e, operand[0]);

   return to_bits(
      e, llvm.BuildFPTrunc(e->b, value, jit_shaped(e, value, e->f32), ""));
}

EMIT(pack64)
{
   const LLVMValueRef low = emit_u2l(e, operand);
   const LLVMValueRef high = emit_u2l(e, operand + 1);

   return llvm.BuildOr(
      e->b, low, llvm.BuildShl(e->b, high, jit_integer(e, high, 32), ""), "");
}

EMIT(lo64)
{
   return llvm.BuildTrunc(e->b, operand[0], jit_shaped(e, operand[0], e->i32),
                          "");
}

EMIT(hi64)
{
   const LLVMValueRef high[3] = {
      llvm.BuildLShr(e->b, operand[0], jit_integer(e, operand[0], 32), "")};

   return emit_lo64(e, high);
}

/* ---- the table ----------------------------------------------------------- */

const jit_alu jit_alus[LIR_NUM_OPS] = {
#define ROW(name) [LIR_OP_##name] = emit_##name,
#define JIT_TRUTH(name, instruction) ROW(name)
#define JIT_INTEGER(name, instruction) ROW(name)
#define JIT_FLOAT(name, instruction) ROW(name)
#define JIT_COMPARE(name, predicate) ROW(name)
#define JIT_COMPARE_FLOAT(name, predicate) ROW(name)
#define JIT_INTRINSIC(name, intrinsic) ROW(name)
#define JIT_FLOAT_INTRINSIC(name, intrinsic) ROW(name)
#define JIT_TO_FLOAT(name, instruction, type) ROW(name)
#define JIT_SATURATE(name, intrinsic, type) ROW(name)
#define JIT_OWN(name) ROW(name)
#include "exec/jit/ops.def"
};
