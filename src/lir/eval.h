/* SPDX-License-Identifier: MIT
 *
 * What the expressions of ops.def are made of. Only files that expand those
 * expressions include this header, because of the short names.
 *
 * Every function is defined for every input. There is no branch in them, only
 * selects, and no cast whose operand does not fit, so that a loop over lanes
 * becomes vector code wherever the machine has the instructions. Where it has
 * not, floor, fma and their kin are calls of the C library, which are exact.
 * The rounding mode is the default one: to nearest, ties to even.
 */
#ifndef LIR_EVAL_H
#define LIR_EVAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "util/bits.h"

/* ---- the same bits as another type --------------------------------------- */

static inline float
f(uint32_t bits)
{
   return tg_float_of_bits(bits);
}

static inline uint32_t
F(float value)
{
   return tg_bits_of_float(value);
}

static inline double
d(uint64_t bits)
{
   return tg_double_of_bits(bits);
}

static inline uint64_t
D(double value)
{
   return tg_bits_of_double(value);
}

static inline int32_t
s(uint32_t bits)
{
   return (int32_t)bits;
}

static inline int64_t
l(uint64_t bits)
{
   return (int64_t)bits;
}

/* ---- 32-bit integers ----------------------------------------------------- */

static inline uint32_t
lir_imulhi(uint32_t a, uint32_t b)
{
   return (uint32_t)((uint64_t)((int64_t)s(a) * s(b)) >> 32);
}

static inline uint32_t
lir_umulhi(uint32_t a, uint32_t b)
{
   return (uint32_t)((uint64_t)a * b >> 32);
}

/* Divisors that trap, 0 and (for INT_MIN) -1, are replaced by 1, and their
 * results by what the table says. */

static inline uint32_t
lir_idiv(uint32_t a, uint32_t b)
{
   bool traps = b + 1 <= 1;
   uint32_t quotient = (uint32_t)(s(a) / (traps ? 1 : s(b)));

   return b == 0 ? 0 : traps ? 0 - a : quotient;
}

static inline uint32_t
lir_udiv(uint32_t a, uint32_t b)
{
   uint32_t quotient = a / (b == 0 ? 1 : b);

   return b == 0 ? UINT32_MAX : quotient;
}

static inline uint32_t
lir_irem(uint32_t a, uint32_t b)
{
   bool traps = b + 1 <= 1;
   uint32_t remainder = (uint32_t)(s(a) % (traps ? 1 : s(b)));

   return b == 0 ? UINT32_MAX : remainder;
}

static inline uint32_t
lir_urem(uint32_t a, uint32_t b)
{
   uint32_t remainder = a % (b == 0 ? 1 : b);

   return b == 0 ? UINT32_MAX : remainder;
}

static inline uint32_t
lir_ishr(uint32_t a, uint32_t b)
{
   return (uint32_t)(s(a) >> (b & 31));
}

static inline uint32_t
lir_bitrev(uint32_t a)
{
   a = (a & 0x55555555) << 1 | (a >> 1 & 0x55555555);
   a = (a & 0x33333333) << 2 | (a >> 2 & 0x33333333);
   a = (a & 0x0f0f0f0f) << 4 | (a >> 4 & 0x0f0f0f0f);
   a = (a & 0x00ff00ff) << 8 | (a >> 8 & 0x00ff00ff);
   return a << 16 | a >> 16;
}

/* Sums of 2, 4, 8, then all bits. The well-known end, a multiplication, is not
 * used: gcc sees a popcount in it, and has no vector instruction for that. */
static inline uint32_t
lir_popcnt(uint32_t a)
{
   a -= a >> 1 & 0x55555555;
   a = (a & 0x33333333) + (a >> 2 & 0x33333333);
   a = (a + (a >> 4)) & 0x0f0f0f0f;
   a += a >> 8;
   a += a >> 16;
   return a & 63;
}

static inline uint32_t
lir_lsb(uint32_t a)
{
   uint32_t below = (a & (0 - a)) - 1; /* ones below the lowest set bit */

   return a == 0 ? UINT32_MAX : lir_popcnt(below);
}

static inline uint32_t
lir_umsb(uint32_t a)
{
   a |= a >> 1;
   a |= a >> 2;
   a |= a >> 4;
   a |= a >> 8;
   a |= a >> 16;
   return lir_popcnt(a) - 1;
}

static inline uint32_t
lir_imsb(uint32_t a)
{
   return lir_umsb(a ^ lir_ishr(a, 31));
}

/* ---- 64-bit integers ----------------------------------------------------- */

static inline uint64_t
lir_ldiv(uint64_t a, uint64_t b)
{
   bool traps = b + 1 <= 1;
   uint64_t quotient = (uint64_t)(l(a) / (traps ? 1 : l(b)));

   return b == 0 ? 0 : traps ? 0 - a : quotient;
}

static inline uint64_t
lir_uldiv(uint64_t a, uint64_t b)
{
   uint64_t quotient = a / (b == 0 ? 1 : b);

   return b == 0 ? UINT64_MAX : quotient;
}

static inline uint64_t
lir_lrem(uint64_t a, uint64_t b)
{
   bool traps = b + 1 <= 1;
   uint64_t remainder = (uint64_t)(l(a) % (traps ? 1 : l(b)));

   return b == 0 ? UINT64_MAX : remainder;
}

static inline uint64_t
lir_ulrem(uint64_t a, uint64_t b)
{
   uint64_t remainder = a % (b == 0 ? 1 : b);

   return b == 0 ? UINT64_MAX : remainder;
}

static inline uint64_t
lir_lshr(uint64_t a, uint32_t b)
{
   return (uint64_t)(l(a) >> (b & 63));
}

/* ---- floats and doubles -------------------------------------------------- */

#define LIR_ROUNDING(name)                                                     \
   static inline float lir_##name##f(float x)                                  \
   {                                                                           \
      return __builtin_##name##f(x);                                           \
   }                                                                           \
   static inline double lir_##name(double x)                                   \
   {                                                                           \
      return __builtin_##name(x);                                              \
   }
LIR_ROUNDING(floor)
LIR_ROUNDING(ceil)
LIR_ROUNDING(trunc)
LIR_ROUNDING(sqrt)
#undef LIR_ROUNDING

/* C's round() takes ties away from zero; rint() follows the rounding mode. */
static inline float
lir_roundf(float x)
{
   return __builtin_rintf(x);
}

static inline double
lir_round(double x)
{
   return __builtin_rint(x);
}

static inline float
lir_fmaf(float a, float b, float c)
{
   return __builtin_fmaf(a, b, c);
}

static inline double
lir_fma(double a, double b, double c)
{
   return __builtin_fma(a, b, c);
}

/* ---- the lesser and the greater ------------------------------------------ */

/* Equal operands have equal bits unless they are zeros: of those a sign that
 * either has makes the lesser, a sign that both have the greater. */

static inline uint32_t
lir_fmin(uint32_t a, uint32_t b)
{
   uint32_t least = f(a) == f(b) ? a | b : b;

   return f(a) < f(b) ? a : least;
}

static inline uint32_t
lir_fmax(uint32_t a, uint32_t b)
{
   uint32_t greatest = f(a) == f(b) ? a & b : b;

   return f(a) > f(b) ? a : greatest;
}

static inline uint64_t
lir_dmin(uint64_t a, uint64_t b)
{
   uint64_t least = d(a) == d(b) ? a | b : b;

   return d(a) < d(b) ? a : least;
}

static inline uint64_t
lir_dmax(uint64_t a, uint64_t b)
{
   uint64_t greatest = d(a) == d(b) ? a & b : b;

   return d(a) > d(b) ? a : greatest;
}

/* ---- to integers --------------------------------------------------------- */

/* Comparisons with NaN are false, so NaN becomes 0 before each cast. Unsigned
 * results have their top bit taken out before the cast, since vector units
 * have the signed conversion only; the subtraction is exact. */

static inline uint32_t
lir_f2i(float x)
{
   bool fits = (x > -0x1p31f) & (x < 0x1p31f);
   uint32_t integer = (uint32_t)(int32_t)(fits ? x : 0);

   integer = x <= -0x1p31f ? 0x80000000 : integer;
   return x >= 0x1p31f ? 0x7fffffff : integer;
}

static inline uint32_t
lir_f2u(float x)
{
   bool top = x >= 0x1p31f;
   float rest = top ? x - 0x1p31f : x;
   bool fits = (rest > 0) & (rest < 0x1p31f);
   uint32_t integer = (uint32_t)(int32_t)(fits ? rest : 0);

   integer |= top ? 0x80000000 : 0;
   return x >= 0x1p32f ? UINT32_MAX : integer;
}

static inline uint32_t
lir_d2i(double x)
{
   bool fits = (x > -0x1p31) & (x < 0x1p31);
   uint32_t integer = (uint32_t)(int32_t)(fits ? x : 0);

   integer = x <= -0x1p31 ? 0x80000000 : integer;
   return x >= 0x1p31 ? 0x7fffffff : integer;
}

static inline uint32_t
lir_d2u(double x)
{
   bool top = x >= 0x1p31;
   double rest = top ? x - 0x1p31 : x;
   bool fits = (rest > 0) & (rest < 0x1p31);
   uint32_t integer = (uint32_t)(int32_t)(fits ? rest : 0);

   integer |= top ? 0x80000000 : 0;
   return x >= 0x1p32 ? UINT32_MAX : integer;
}

static inline uint64_t
lir_d2l(double x)
{
   bool fits = (x > -0x1p63) & (x < 0x1p63);
   uint64_t integer = (uint64_t)(int64_t)(fits ? x : 0);

   integer = x <= -0x1p63 ? UINT64_C(1) << 63 : integer;
   return x >= 0x1p63 ? ~UINT64_C(0) >> 1 : integer;
}

static inline uint64_t
lir_d2ul(double x)
{
   bool top = x >= 0x1p63;
   double rest = top ? x - 0x1p63 : x;
   bool fits = (rest > 0) & (rest < 0x1p63);
   uint64_t integer = (uint64_t)(int64_t)(fits ? rest : 0);

   integer |= top ? UINT64_C(1) << 63 : 0;
   return x >= 0x1p64 ? UINT64_MAX : integer;
}

/* ---- halves -------------------------------------------------------------- */

/* Of a half: sign in bit 15, 5 bits of exponent with bias 15, 10 of fraction.
 * Of a float: sign in bit 31, 8 bits with bias 127, 23 of fraction. */

static inline uint32_t
lir_f2h(uint32_t a)
{
   uint32_t magnitude = a & 0x7fffffff;
   /* Rebias, then round to even at bit 13: a carry goes into the exponent. */
   uint32_t normal =
      (magnitude - ((127 - 15) << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
   /* A denormal half counts units of 2^-24, as the fraction of 0.5 does. */
   uint32_t denormal = F(f(magnitude) + 0.5f) - F(0.5f);
   uint32_t half = magnitude < F(0x1p-14f) ? denormal : normal;

   half = magnitude >= F(65520.0f) ? 0x7c00 : half;
   half |= a >> 16 & 0x8000;
   return magnitude > 0x7f800000 ? 0x7e00 : half;
}

static inline uint32_t
lir_h2f(uint32_t a)
{
   uint32_t magnitude = a & 0x7fff;
   uint32_t normal = (magnitude << 13) + ((127 - 15) << 23);
   uint32_t denormal = F((float)(int32_t)magnitude * 0x1p-24f);
   uint32_t special = magnitude << 13 | 0x7f800000; /* infinity and NaN */
   uint32_t bits = magnitude < 0x0400 ? denormal : normal;

   bits = magnitude >= 0x7c00 ? special : bits;
   return bits | (a & 0x8000) << 16;
}

#endif
