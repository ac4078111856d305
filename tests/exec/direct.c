/* SPDX-License-Identifier: MIT
 *
 * The expressions of lir/ops.def as functions of one lane.
 */
#include "direct.h"

#include <string.h>

#include "lir/eval.h"

#define TYPE_B1 bool
#define TYPE_B32 uint32_t
#define TYPE_B64 uint64_t
#define LIR_ALU1(name, r, A, expression, title)                                \
   static uint64_t eval_##name(const uint64_t *operands)                       \
   {                                                                           \
      const TYPE_##A a = (TYPE_##A)operands[0];                                \
      return (TYPE_##r)(expression);                                           \
   }
#define LIR_ALU2(name, r, A, B, expression, title)                             \
   static uint64_t eval_##name(const uint64_t *operands)                       \
   {                                                                           \
      const TYPE_##A a = (TYPE_##A)operands[0];                                \
      const TYPE_##B b = (TYPE_##B)operands[1];                                \
      return (TYPE_##r)(expression);                                           \
   }
#define LIR_ALU3(name, r, A, B, C, expression, title)                          \
   static uint64_t eval_##name(const uint64_t *operands)                       \
   {                                                                           \
      const TYPE_##A a = (TYPE_##A)operands[0];                                \
      const TYPE_##B b = (TYPE_##B)operands[1];                                \
      const TYPE_##C c = (TYPE_##C)operands[2];                                \
      return (TYPE_##r)(expression);                                           \
   }
#include "lir/ops.def"

const struct direct_row direct_rows[] = {
#define LIR_ALU1(name, r, a, expression, title)                                \
   {LIR_OP_##name, eval_##name, #expression},
#define LIR_ALU2(name, r, a, b, expression, title)                             \
   {LIR_OP_##name, eval_##name, #expression},
#define LIR_ALU3(name, r, a, b, c, expression, title)                          \
   {LIR_OP_##name, eval_##name, #expression},
#include "lir/ops.def"
};

const unsigned direct_num_rows = sizeof(direct_rows) / sizeof(direct_rows[0]);

bool
direct_same(unsigned index, uint64_t x, uint64_t y)
{
   const char *expression = direct_rows[index].expression;

   if (x == y)
      return true;
   if (strncmp(expression, "F(", 2) == 0)
      return f((uint32_t)x) != f((uint32_t)x) &&
             f((uint32_t)y) != f((uint32_t)y);
   if (strncmp(expression, "D(", 2) == 0)
      return d(x) != d(x) && d(y) != d(y);
   return false;
}
