/* SPDX-License-Identifier: MIT
 *
 * Handlers of the operations that compute: the expression of each row of
 * lir/ops.def in a loop over INTERP_LANES lanes, which the includer defines.
 * Included once by each rendering of the handlers.
 */
#ifndef TG_EXEC_INTERP_HANDLERS_ALU_H
#define TG_EXEC_INTERP_HANDLERS_ALU_H

#include "exec/interp/interp.h"
#include "lir/eval.h"

/* How each type lies in its slot, and what expressions see of it. */
#define STORED_B1 uint32_t
#define STORED_B32 uint32_t
#define STORED_B64 uint64_t
#define VALUE_B1 bool
#define VALUE_B32 uint32_t
#define VALUE_B64 uint64_t
#define GET_B1(stored) ((stored) != 0)
#define GET_B32(stored) (stored)
#define GET_B64(stored) (stored)
#define PUT_B1(value) ((value) ? UINT32_MAX : 0)
#define PUT_B32(value) (value)
#define PUT_B64(value) (value)

#define SLOT(offset)                                                           \
   __builtin_assume_aligned(scratch + (offset), INTERP_LANES * 4)

#define FOR_LANES(i) for (unsigned i = 0; i < INTERP_LANES; i++)

/* The head of every handler. */
#define HANDLER(name)                                                          \
   static const struct interp_inst *run_##name(struct interp_state *state,     \
                                               unsigned char *scratch,         \
                                               const struct interp_inst *inst)

/* Going on with another instruction. */
#define NEXT(next)                                                             \
   do {                                                                        \
      (void)state;                                                             \
      (void)scratch;                                                           \
      return (next);                                                           \
   } while (0)

/* A value's slot is never that of an operand, so results may be `restrict`. */
#define RESULT(R) STORED_##R *restrict result = SLOT(inst->result)
#define OPERAND(X, name) const STORED_##X *name##s = SLOT(inst->name)
#define IN_LANE(X, name, i) const VALUE_##X name = GET_##X(name##s[i])

#define LIR_ALU1(op, R, A, expression, title)                                  \
   HANDLER(op)                                                                 \
   {                                                                           \
      RESULT(R);                                                               \
      OPERAND(A, a);                                                           \
      FOR_LANES(i)                                                             \
      {                                                                        \
         IN_LANE(A, a, i);                                                     \
         result[i] = PUT_##R(expression);                                      \
      }                                                                        \
      NEXT(inst + 1);                                                          \
   }
#define LIR_ALU2(op, R, A, B, expression, title)                               \
   HANDLER(op)                                                                 \
   {                                                                           \
      RESULT(R);                                                               \
      OPERAND(A, a);                                                           \
      OPERAND(B, b);                                                           \
      FOR_LANES(i)                                                             \
      {                                                                        \
         IN_LANE(A, a, i);                                                     \
         IN_LANE(B, b, i);                                                     \
         result[i] = PUT_##R(expression);                                      \
      }                                                                        \
      NEXT(inst + 1);                                                          \
   }
#define LIR_ALU3(op, R, A, B, C, expression, title)                            \
   HANDLER(op)                                                                 \
   {                                                                           \
      RESULT(R);                                                               \
      OPERAND(A, a);                                                           \
      OPERAND(B, b);                                                           \
      OPERAND(C, c);                                                           \
      FOR_LANES(i)                                                             \
      {                                                                        \
         IN_LANE(A, a, i);                                                     \
         IN_LANE(B, b, i);                                                     \
         IN_LANE(C, c, i);                                                     \
         result[i] = PUT_##R(expression);                                      \
      }                                                                        \
      NEXT(inst + 1);                                                          \
   }
#include "lir/ops.def"

#endif
