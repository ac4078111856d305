/* SPDX-License-Identifier: MIT
 *
 * Helpers of the formulas of formulas.def, and saturation: simulator and
 * compiler compute the same because it is the same.
 */
#ifndef TEGRA_ISA_FORMULAS_H
#define TEGRA_ISA_FORMULAS_H

#include "tegra/isa/alu.h"
#include "util/bits.h"

/* NaN if either operand is, else `value`. */
static inline uint32_t
formula_unless_nan(uint32_t a, uint32_t b, uint32_t value)
{
   bool is_nan = !(alu_flt(a, b) || alu_fge(a, b));

   return is_nan ? alu_fadd(a, b) : value;
}

/* The float 1 if the condition holds, else 0. */
static inline uint32_t
formula_one_if(bool condition)
{
   return condition ? ALU_ONE : 0;
}

/* The sign of a float as a float: -1, 0 or 1. */
static inline uint32_t
formula_sign(uint32_t a)
{
   uint32_t otherwise = alu_flt(a, 0) ? alu_fneg(ALU_ONE) : 0;

   return alu_flt(0, a) ? ALU_ONE : otherwise;
}

/* An address: 0 for what is not finite. */
static inline uint32_t
formula_address(uint32_t a, uint32_t whole)
{
   bool is_finite = alu_feq(alu_fsub(a, a), 0);

   return is_finite ? alu_f2i(whole) : 0;
}

/* 1 / c with its magnitude in [2^-64, 2^64] and the sign of c. NaN stays. */
static inline uint32_t
formula_clamped_reciprocal(uint32_t c)
{
   uint32_t least = tg_bits_of_float(0x1p-64f),
            most = tg_bits_of_float(0x1p64f);
   uint32_t magnitude = alu_fabs(alu_fdiv(ALU_ONE, c));
   uint32_t clamped = alu_fmin(most, alu_fmax(least, magnitude));

   return clamped | (c & 0x80000000);
}

/* min(max(x, 0), 1): of a NaN 0. */
static inline uint32_t
formula_saturate(uint32_t word)
{
   float x = tg_float_of_bits(word);

   x = x > 0 ? x : 0;
   x = x < 1 ? x : 1;
   return tg_bits_of_float(x);
}

#endif
