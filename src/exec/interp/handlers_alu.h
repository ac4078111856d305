/* SPDX-License-Identifier: MIT
 *
 * Handlers of the operations that compute: the expression of each row of
 * lir/ops.def in a loop over lanes, once for each choice of its operands'
 * sources, which are the digits of run_<name>_<abc>.
 */
#ifndef TG_EXEC_INTERP_HANDLERS_ALU_H
#define TG_EXEC_INTERP_HANDLERS_ALU_H

#include "exec/interp/handlers_next.h"
#include "exec/interp/steps.h"
#include "lir/eval.h"

/* Part by part, since GCC copies a whole union in other pieces than those that
 * it holds in registers. */
static inline void
store_carry(carry_part *slot, const union carry *carry)
{
   for (unsigned i = 0; i < CARRY_PARTS; i++)
      slot[i] = carry->parts[i];
}

/* Nothing is done where it is 0. */
#define CHARGE(op)                                                             \
   do {                                                                        \
      if (interp_more_steps[LIR_OP_##op])                                      \
         INTERP_CHARGE(interp_more_steps[LIR_OP_##op]);                        \
   } while (0)

/* Words are computed in registers, stored and carried on; pairs in place. */
#define BEGIN_B1 BEGIN_B32
#define BEGIN_B32                                                              \
   union carry computed;                                                       \
   uint32_t *result = computed.words
#define BEGIN_B64 RESULT(B64)
#define FINISH_B1 FINISH_B32
#define FINISH_B32                                                             \
   store_carry(SLOT(inst->result), &computed);                                 \
   NEXT_COMPUTED(inst + 1)
#define FINISH_B64 NEXT(inst + 1)

#define ALU1(x, op, R, A, expression)                                          \
   HANDLER(op##_##x)                                                           \
   {                                                                           \
      CHARGE(op);                                                              \
      BEGIN_##R;                                                               \
      SOURCE_##x(A, a);                                                        \
      FOR_LANES (i) {                                                          \
         IN_LANE(A, a, i);                                                     \
         result[i] = PUT_##R(expression);                                      \
      }                                                                        \
      FINISH_##R;                                                              \
   }
#define ALU2(x, y, op, R, A, B, expression)                                    \
   HANDLER(op##_##x##y)                                                        \
   {                                                                           \
      CHARGE(op);                                                              \
      BEGIN_##R;                                                               \
      SOURCE_##x(A, a);                                                        \
      SOURCE_##y(B, b);                                                        \
      FOR_LANES (i) {                                                          \
         IN_LANE(A, a, i);                                                     \
         IN_LANE(B, b, i);                                                     \
         result[i] = PUT_##R(expression);                                      \
      }                                                                        \
      FINISH_##R;                                                              \
   }
#define ALU3(x, y, z, op, R, A, B, C, expression)                              \
   HANDLER(op##_##x##y##z)                                                     \
   {                                                                           \
      CHARGE(op);                                                              \
      BEGIN_##R;                                                               \
      SOURCE_##x(A, a);                                                        \
      SOURCE_##y(B, b);                                                        \
      SOURCE_##z(C, c);                                                        \
      FOR_LANES (i) {                                                          \
         IN_LANE(A, a, i);                                                     \
         IN_LANE(B, b, i);                                                     \
         IN_LANE(C, c, i);                                                     \
         result[i] = PUT_##R(expression);                                      \
      }                                                                        \
      FINISH_##R;                                                              \
   }

/* One handler for each choice of sources: EACHn_X makes those of the n-th
 * operand, of type X, and hands them on. */
#define EACH1_B1(...) EACH1_B32(__VA_ARGS__)
#define EACH1_B32(next, ...)                                                   \
   next(0, __VA_ARGS__) next(1, __VA_ARGS__) next(2, __VA_ARGS__)
#define EACH1_B64(next, ...) next(0, __VA_ARGS__)
#define EACH2_B1(...) EACH2_B32(__VA_ARGS__)
#define EACH2_B32(x, next, ...)                                                \
   next(x, 0, __VA_ARGS__) next(x, 1, __VA_ARGS__) next(x, 2, __VA_ARGS__)
#define EACH2_B64(x, next, ...) next(x, 0, __VA_ARGS__)
#define EACH3_B1(...) EACH3_B32(__VA_ARGS__)
#define EACH3_B32(x, y, next, ...)                                             \
   next(x, y, 0, __VA_ARGS__) next(x, y, 1, __VA_ARGS__)                       \
      next(x, y, 2, __VA_ARGS__)
#define EACH3_B64(x, y, next, ...) next(x, y, 0, __VA_ARGS__)

#define LIR_ALU1(op, R, A, expression, title)                                  \
   EACH1_##A(ALU1, op, R, A, expression)
#define LIR_ALU2(op, R, A, B, expression, title)                               \
   EACH1_##A(EACH2_##B, ALU2, op, R, A, B, expression)
#define LIR_ALU3(op, R, A, B, C, expression, title)                            \
   EACH1_##A(EACH2_##B, EACH3_##C, ALU3, op, R, A, B, C, expression)
#include "lir/ops.def"

/* The entries of these handlers in an interp_set. */
#define ALU1_ENTRY(op, A) [INTERP_##op] = HANDLERS(FROM_##A(op##_)),
#define ALU2_ENTRY(op, A, B)                                                   \
   [INTERP_##op] = HANDLERS(FROM2_##A(FROM_##B, op##_)),
#define ALU3_ENTRY(op, A, B, C)                                                \
   [INTERP_##op] = HANDLERS(FROM3_##A(FROM2_##B, FROM_##C, op##_)),

#endif
