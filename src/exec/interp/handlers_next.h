/* SPDX-License-Identifier: MIT
 *
 * How one handler comes to the next. Where the compiler makes tail calls of
 * calls in `return`, each handler jumps to the next one, which lets the
 * processor predict each jump by itself, and what was computed last is carried
 * along in registers, since the way through its slot takes several times as
 * long as an addition. Otherwise each returns the next instruction to run()'s
 * loop and carries nothing.
 *
 * Included once by each rendering of the handlers, which defines INTERP_LANES.
 */
#ifndef TG_EXEC_INTERP_HANDLERS_NEXT_H
#define TG_EXEC_INTERP_HANDLERS_NEXT_H

#include <string.h>

#include "exec/interp/interp.h"

/* Sanitizers have work to do when a function returns. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INTERP_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||     \
   __has_feature(memory_sanitizer)
#define INTERP_SANITIZED
#endif
#endif

#if defined(__OPTIMIZE__) && !defined(INTERP_SANITIZED)
#define INTERP_TAIL_CALLS
#endif

/* GCC makes them whenever it optimises; Clang promises to. */
#if defined(__clang__) && defined(INTERP_TAIL_CALLS)
#define RETURN_CALL __attribute__((musttail)) return
#else
#define RETURN_CALL return
#endif

/* ---- what is carried ----------------------------------------------------- */

/* A word for each lane in as many vector registers as that takes. */
#if INTERP_LANES == 1
#define CARRY_PARTS 1
typedef uint32_t carry_part;
#elif defined(__AVX512F__)
#define CARRY_PARTS 1
typedef uint32_t carry_part __attribute__((vector_size(64)));
#elif defined(__AVX2__)
#define CARRY_PARTS 2
typedef uint32_t carry_part __attribute__((vector_size(32)));
#else
#define CARRY_PARTS 4
typedef uint32_t carry_part __attribute__((vector_size(16)));
#endif

union carry {
   carry_part parts[CARRY_PARTS];
   uint32_t words[INTERP_LANES];
};

/* Parameters of a handler, and the arguments made of a union carry.
 * INTERP_CARRY_NOTHING is for measuring what carrying is worth. */
#define CARRY_PARAMETER(i) carry_part carry##i __attribute__((unused))
#if !defined(INTERP_TAIL_CALLS) || defined(INTERP_CARRY_NOTHING)
#define CARRY_PARAMETERS
#define CARRY_PASSED
#define CARRY_OF(carry)
#elif CARRY_PARTS == 1
#define CARRY_PARAMETERS , CARRY_PARAMETER(0)
#define CARRY_PASSED , carry0
#define CARRY_OF(carry) , (carry).parts[0]
#elif CARRY_PARTS == 2
#define CARRY_PARAMETERS , CARRY_PARAMETER(0), CARRY_PARAMETER(1)
#define CARRY_PASSED , carry0, carry1
#define CARRY_OF(carry) , (carry).parts[0], (carry).parts[1]
#else
#define CARRY_PARAMETERS                                                       \
   , CARRY_PARAMETER(0), CARRY_PARAMETER(1), CARRY_PARAMETER(2),               \
      CARRY_PARAMETER(3)
#define CARRY_PASSED , carry0, carry1, carry2, carry3
#define CARRY_OF(carry)                                                        \
   , (carry).parts[0], (carry).parts[1], (carry).parts[2], (carry).parts[3]
#endif

/* ---- handlers ------------------------------------------------------------ */

/* What an interp_handler really is in this rendering. */
typedef const struct interp_inst *(*handler)(
   struct interp_state *state, unsigned char *scratch,
   const struct interp_inst *inst CARRY_PARAMETERS);

/* The head of every handler. */
#define HANDLER(name)                                                          \
   static const struct interp_inst *run_##name(                                \
      struct interp_state *state, unsigned char *scratch,                      \
      const struct interp_inst *inst CARRY_PARAMETERS)

#define ENTRY(name) (interp_handler) run_##name

/* The end of a handler: goes on with another instruction. What is carried
 * stays what it was, or is the handler's result. */
#ifdef INTERP_TAIL_CALLS
#define NEXT_(next, ...)                                                       \
   do {                                                                        \
      const struct interp_inst *next_inst = (next);                            \
      RETURN_CALL((handler)next_inst->run)                                     \
      (state, scratch, next_inst __VA_ARGS__);                                 \
   } while (0)
#define NEXT(next) NEXT_(next, CARRY_PASSED)
#define NEXT_CARRYING(next, carry) NEXT_(next, CARRY_OF(carry))
#else
#define NEXT(next)                                                             \
   do {                                                                        \
      (void)state;                                                             \
      (void)scratch;                                                           \
      return (next);                                                           \
   } while (0)
#define NEXT_CARRYING(next, carry) NEXT(next)
#endif

/* The end of the wave. */
#define STOP()                                                                 \
   do {                                                                        \
      (void)scratch;                                                           \
      (void)inst;                                                              \
      return NULL;                                                             \
   } while (0)

/* Runs from an instruction to the end of the wave. */
static inline void
run_from(struct interp_state *state, unsigned char *scratch,
         const struct interp_inst *inst)
{
   const union carry nothing = {.words = {0}};

   (void)nothing;
   while (inst)
      inst = ((handler)inst->run)(state, scratch, inst CARRY_OF(nothing));
      /* Upper halves of vector registers that are left dirty slow down whoever
       * uses the lower ones next. */
#ifdef __AVX__
   __builtin_ia32_vzeroupper();
#endif
}

/* ---- lanes --------------------------------------------------------------- */

#define FOR_LANES(i) for (unsigned i = 0; i < INTERP_LANES; i++)

#define SLOT(offset)                                                           \
   __builtin_assume_aligned(scratch + (offset), INTERP_LANES * 4)

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

/* A value's slot is never that of an operand, so results may be `restrict`. */
#define RESULT(R) STORED_##R *restrict result = SLOT(inst->result)
#define OPERAND(X, name) const STORED_##X *name##s = SLOT(inst->name)
#define IN_LANE(X, name, i) const VALUE_##X name = GET_##X(name##s[i])

#endif
