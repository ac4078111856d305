/* SPDX-License-Identifier: MIT
 *
 * Scalar arithmetic of the lane IR, as functions alu_NAME(): the simulator's
 * arithmetic is theirs, so that neither can drift from the other.
 */
#ifndef TEGRA_ISA_ALU_H
#define TEGRA_ISA_ALU_H

#include "lir/eval.h"

typedef bool B1;
typedef uint32_t B32;
typedef uint64_t B64;

#define LIR_ALU1(name, r, ta, expression, title)                               \
   static inline r alu_##name(ta a)                                            \
   {                                                                           \
      return (r)(expression);                                                  \
   }
#define LIR_ALU2(name, r, ta, tb, expression, title)                           \
   static inline r alu_##name(ta a, tb b)                                      \
   {                                                                           \
      return (r)(expression);                                                  \
   }
#define LIR_ALU3(name, r, ta, tb, tc, expression, title)                       \
   static inline r alu_##name(ta a, tb b, tc c)                                \
   {                                                                           \
      return (r)(expression);                                                  \
   }
#include "lir/ops.def"

#define ALU_ONE 0x3f800000u /* 1.0f */

#endif
