/* SPDX-License-Identifier: MIT
 *
 * Handlers of the operations that compute: the expression of each row of
 * lir/ops.def in a loop over lanes, once for each choice of operands that are
 * carried. run_<name>_<abc> has a 1 for each of them.
 */
#ifndef TG_EXEC_INTERP_HANDLERS_ALU_H
#define TG_EXEC_INTERP_HANDLERS_ALU_H

#include "exec/interp/handlers_next.h"
#include "lir/eval.h"

/* An operand of type X from its slot (0), or carried (1). Pairs never are. */
#define SOURCE_0(X, name) OPERAND(X, name)
#if defined(INTERP_TAIL_CALLS) && !defined(INTERP_CARRY_NOTHING)
#define SOURCE_1(X, name) CARRIED_##X(name)
#else
#define SOURCE_1(X, name) OPERAND(X, name)
#endif
#define CARRIED_B1(name) CARRIED_B32(name)
#define CARRIED_B32(name)                                                      \
   const union carry name##_carry = {.parts = {CARRY_LIST}};                   \
   const uint32_t *name##s = name##_carry.words
#define CARRIED_B64(name) OPERAND(B64, name)

#if CARRY_PARTS == 1
#define CARRY_LIST carry0
#elif CARRY_PARTS == 2
#define CARRY_LIST carry0, carry1
#else
#define CARRY_LIST carry0, carry1, carry2, carry3
#endif

/* Part by part, since GCC copies a whole union in other pieces than those that
 * it holds in registers. */
static inline void
store_carry(carry_part *slot, const union carry *carry)
{
   for (unsigned i = 0; i < CARRY_PARTS; i++)
      slot[i] = carry->parts[i];
}

/* Words are computed in registers, stored and carried on; pairs in place. */
#define BEGIN_B1 BEGIN_B32
#define BEGIN_B32                                                              \
   union carry computed;                                                       \
   uint32_t *result = computed.words
#define BEGIN_B64 RESULT(B64)
#define FINISH_B1 FINISH_B32
#define FINISH_B32                                                             \
   store_carry(SLOT(inst->result), &computed);                                 \
   NEXT_CARRYING(inst + 1, computed)
#define FINISH_B64 NEXT(inst + 1)

#define ALU1(op, x, R, A, expression)                                          \
   HANDLER(op##_##x)                                                           \
   {                                                                           \
      BEGIN_##R;                                                               \
      SOURCE_##x(A, a);                                                        \
      FOR_LANES (i) {                                                          \
         IN_LANE(A, a, i);                                                     \
         result[i] = PUT_##R(expression);                                      \
      }                                                                        \
      FINISH_##R;                                                              \
   }
#define ALU2(op, x, y, R, A, B, expression)                                    \
   HANDLER(op##_##x##y)                                                        \
   {                                                                           \
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
#define ALU3(op, x, y, z, R, A, B, C, expression)                              \
   HANDLER(op##_##x##y##z)                                                     \
   {                                                                           \
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

#define LIR_ALU1(op, R, A, expression, title)                                  \
   ALU1(op, 0, R, A, expression)                                               \
   ALU1(op, 1, R, A, expression)
#define LIR_ALU2(op, R, A, B, expression, title)                               \
   ALU2(op, 0, 0, R, A, B, expression)                                         \
   ALU2(op, 1, 0, R, A, B, expression)                                         \
   ALU2(op, 0, 1, R, A, B, expression)                                         \
   ALU2(op, 1, 1, R, A, B, expression)
#define LIR_ALU3(op, R, A, B, C, expression, title)                            \
   ALU3(op, 0, 0, 0, R, A, B, C, expression)                                   \
   ALU3(op, 1, 0, 0, R, A, B, C, expression)                                   \
   ALU3(op, 0, 1, 0, R, A, B, C, expression)                                   \
   ALU3(op, 1, 1, 0, R, A, B, C, expression)                                   \
   ALU3(op, 0, 0, 1, R, A, B, C, expression)                                   \
   ALU3(op, 1, 0, 1, R, A, B, C, expression)                                   \
   ALU3(op, 0, 1, 1, R, A, B, C, expression)                                   \
   ALU3(op, 1, 1, 1, R, A, B, C, expression)
#include "lir/ops.def"

/* The entries of these handlers in an interp_set. */
#define ALU1_ENTRY(op) [INTERP_##op] = {ENTRY(op##_0), ENTRY(op##_1)},
#define ALU2_ENTRY(op)                                                         \
   [INTERP_##                                                                  \
      op] = {ENTRY(op##_00), ENTRY(op##_10), ENTRY(op##_01), ENTRY(op##_11)},
#define ALU3_ENTRY(op)                                                         \
   [INTERP_##op] = {ENTRY(op##_000), ENTRY(op##_100), ENTRY(op##_010),         \
                    ENTRY(op##_110), ENTRY(op##_001), ENTRY(op##_101),         \
                    ENTRY(op##_011), ENTRY(op##_111)},

#endif
