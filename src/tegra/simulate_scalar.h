/* SPDX-License-Identifier: MIT
 *
 * What the opcodes of the scalar unit compute. All but MOV and LIT take the
 * first component of their source. Included once for each instruction set.
 */
#ifndef TEGRA_SIMULATE_SCALAR_H
#define TEGRA_SIMULATE_SCALAR_H

#include <math.h>

#include "tegra/simulate.h"
#include "tegra/simulate_alu.h"

#define SCALAR_FUNCTION(name)                                                  \
   static void scalar_##name(struct simulate_machine *machine,                 \
                             const struct simulate_instruction *instruction,   \
                             simulate_row *result)

/* A component of the source with its modifiers. */
static inline void
load(const struct simulate_instruction *instruction, unsigned component,
     uint32_t *row)
{
   const struct simulate_source *source = &instruction->source[TEGRA_RC];
   const uint32_t *from = source->row[component];
   uint32_t keep = source->keep, flip = source->flip;

   FOR_LANES_IN_PLACE (i)
      row[i] = (from[i] & keep) ^ flip;
}

static bool
writes(const struct simulate_instruction *instruction, unsigned component)
{
   return tegra_mask_has(instruction->slot[TEGRA_SCALAR].mask, component);
}

SCALAR_FUNCTION(MOV)
{
   (void)machine;
   for (unsigned k = 0; k < 4; k++) {
      if (writes(instruction, k))
         load(instruction, k, result[k]);
   }
}

/* ---- one value for all --------------------------------------------------- */

#define REPLICATED(name, expression)                                           \
   SCALAR_FUNCTION(name)                                                       \
   {                                                                           \
      simulate_row row;                                                        \
                                                                               \
      (void)machine;                                                           \
      load(instruction, 0, row);                                               \
      FOR_LANES (i) {                                                          \
         uint32_t c = row[i];                                                  \
         result[0][i] = (expression);                                          \
      }                                                                        \
   }

#define TEGRA_SCALAR_FORMULA(name, expression) REPLICATED(name, expression)
#include "tegra/formulas.def"

#define REPLICATED_KERNEL(name, kernel)                                        \
   SCALAR_FUNCTION(name)                                                       \
   {                                                                           \
      simulate_row row;                                                        \
                                                                               \
      load(instruction, 0, row);                                               \
      simulate_kernel_run(&machine->kernels, kernel, row, NULL, result[0]);    \
   }

REPLICATED_KERNEL(LG2, SIMULATE_LOG2)
REPLICATED_KERNEL(EX2, SIMULATE_EXP2)
REPLICATED_KERNEL(SIN, SIMULATE_SIN)
REPLICATED_KERNEL(COS, SIMULATE_COS)

/* ---- a formula for each component ---------------------------------------- */

/* c - floor(c), but 0 where c is infinite. */
static inline uint32_t
finite_fraction(uint32_t c)
{
   bool is_infinite = alu_feq(alu_fabs(c), F(INFINITY));

   return is_infinite ? 0 : alu_fsub(c, alu_ffloor(c));
}

static void
fill(uint32_t *restrict row, uint32_t word)
{
   FOR_LANES (i)
      row[i] = word;
}

/* (2^floor(c), c - floor(c), 2^c, 1). */
SCALAR_FUNCTION(EXP)
{
   struct simulate_kernels *kernels = &machine->kernels;
   simulate_row c, floor;

   load(instruction, 0, c);
   FOR_LANES (i)
      floor[i] = alu_ffloor(c[i]);
   if (writes(instruction, 0))
      simulate_kernel_run(kernels, SIMULATE_EXP2, floor, NULL, result[0]);
   FOR_LANES (i)
      result[1][i] = finite_fraction(c[i]);
   if (writes(instruction, 2))
      simulate_kernel_run(kernels, SIMULATE_EXP2, c, NULL, result[2]);
   fill(result[3], ALU_ONE);
}

/* (exponent, significand, log2, 1) of |c|. The exponent is that of the number
 * itself: a rounded logarithm may have reached the next integer. */
SCALAR_FUNCTION(LOG)
{
   static const enum simulate_kernel kernels[] = {
      SIMULATE_EXPONENT, SIMULATE_SIGNIFICAND, SIMULATE_LOG2};
   simulate_row c;

   load(instruction, 0, c);
   FOR_LANES (i)
      c[i] = alu_fabs(c[i]);
   for (unsigned k = 0; k < 3; k++) {
      if (writes(instruction, k))
         simulate_kernel_run(&machine->kernels, kernels[k], c, NULL, result[k]);
   }
   fill(result[3], ALU_ONE);
}

/* (1, max(x, 0), x > 0 ? max(y, 0) ^ clamp(w, -128, 128) : 0, 1); max of a NaN
 * is 0, and its clamp NaN. */
SCALAR_FUNCTION(LIT)
{
   simulate_row x, base, exponent;

   load(instruction, 0, x);
   fill(result[0], ALU_ONE);
   FOR_LANES (i)
      result[1][i] = alu_fmax(x[i], 0);
   fill(result[3], ALU_ONE);
   if (!writes(instruction, 2))
      return;

   load(instruction, 1, base);
   load(instruction, 3, exponent);
   FOR_LANES (i) {
      base[i] = alu_fmax(base[i], 0);
      exponent[i] = alu_fmin(F(TEGRA_LIT_LIMIT),
                             alu_fmax(F(-TEGRA_LIT_LIMIT), exponent[i]));
   }
   simulate_kernel_run(&machine->kernels, SIMULATE_POW, base, exponent,
                       result[2]);
   FOR_LANES (i)
      result[2][i] = alu_flt(0, x[i]) ? result[2][i] : 0;
}

/* ---- the table ----------------------------------------------------------- */

/* A row without a result has no function. */
#define SCALAR_IF_NONE(function) NULL
#define SCALAR_IF_COMP(function) function
#define SCALAR_IF_REPL(function) function
#define SCALAR_IF_VEC(function) function

static simulate_function *const scalar_functions[TEGRA_NUM_OPCODES] = {
#define TEGRA_SCALAR_OP(name, number, alias, operands, reads, result, ...)     \
   [number] = SCALAR_IF_##result(scalar_##name),
#include "tegra/opcodes.def"
};

#endif
