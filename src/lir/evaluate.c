/* SPDX-License-Identifier: MIT
 *
 * The expressions of ops.def as the cases of one switch.
 */
#include "lir/evaluate.h"

#include "lir/eval.h"

typedef bool B1;
typedef uint32_t B32;
typedef uint64_t B64;

bool
lir_evaluate(enum lir_op op, const uint64_t operands[3], uint64_t *result_out)
{
   switch (op) {
#define LIR_ALU1(name, r, ta, expression, title)                               \
   case LIR_OP_##name: {                                                       \
      const ta a = (ta)operands[0];                                            \
      *result_out = (r)(expression);                                           \
      return true;                                                             \
   }
#define LIR_ALU2(name, r, ta, tb, expression, title)                           \
   case LIR_OP_##name: {                                                       \
      const ta a = (ta)operands[0];                                            \
      const tb b = (tb)operands[1];                                            \
      *result_out = (r)(expression);                                           \
      return true;                                                             \
   }
#define LIR_ALU3(name, r, ta, tb, tc, expression, title)                       \
   case LIR_OP_##name: {                                                       \
      const ta a = (ta)operands[0];                                            \
      const tb b = (tb)operands[1];                                            \
      const tc c = (tc)operands[2];                                            \
      *result_out = (r)(expression);                                           \
      return true;                                                             \
   }
#include "lir/ops.def"
   default: return false;
   }
}
