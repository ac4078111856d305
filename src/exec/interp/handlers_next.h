/* SPDX-License-Identifier: MIT
 *
 * How one handler comes to the next. Where the compiler makes tail calls of
 * calls in `return`, each handler jumps to the next one, which lets the
 * processor predict each jump by itself, and the two words computed last are
 * carried along in registers, since the way through a slot takes several times
 * as long as an addition. Otherwise each returns the next instruction to
 * run_from()'s loop and carries nothing.
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

/* A word for each lane in as many vector registers as that takes. With AVX-512
 * too, two narrow ones pass through slots sooner than a wide one. */
#if INTERP_LANES == 1
#define CARRY_PARTS 1
typedef uint32_t carry_part;
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

/* A list of what a macro makes of each part's number. */
#if CARRY_PARTS == 1
#define EACH_PART(macro) macro(0)
#elif CARRY_PARTS == 2
#define EACH_PART(macro) macro(0), macro(1)
#else
#define EACH_PART(macro) macro(0), macro(1), macro(2), macro(3)
#endif

#define LAST_PARAMETER(i) carry_part last##i __attribute__((unused))
#define EARLIER_PARAMETER(i) carry_part earlier##i __attribute__((unused))
#define LAST_PART(i) last##i
#define EARLIER_PART(i) earlier##i
#define COMPUTED_PART(i) computed.parts[i]
/* clang-format off */
#define NO_PART(i) (carry_part){0}
/* clang-format on */

/* Parameters of a handler for the word that was computed last and the one
 * before it, and arguments: the same two; `computed` and the last; nothing.
 * INTERP_CARRY_NOTHING is for measuring what carrying is worth. */
#if defined(INTERP_TAIL_CALLS) && !defined(INTERP_CARRY_NOTHING)
#define INTERP_CARRIES
#define CARRY_PARAMETERS                                                       \
   , EACH_PART(LAST_PARAMETER), EACH_PART(EARLIER_PARAMETER)
#define CARRY_PASSED , EACH_PART(LAST_PART), EACH_PART(EARLIER_PART)
#define CARRY_COMPUTED , EACH_PART(COMPUTED_PART), EACH_PART(LAST_PART)
#define CARRY_NOTHING , EACH_PART(NO_PART), EACH_PART(NO_PART)
#else
#define CARRY_PARAMETERS
#define CARRY_PASSED
#define CARRY_COMPUTED
#define CARRY_NOTHING
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
 * stays what it was, or the union `computed` joins it. */
#ifdef INTERP_TAIL_CALLS
#define NEXT_(next, ...)                                                       \
   do {                                                                        \
      const struct interp_inst *next_inst = (next);                            \
      RETURN_CALL((handler)next_inst->run)                                     \
      (state, scratch, next_inst __VA_ARGS__);                                 \
   } while (0)
#define NEXT(next) NEXT_(next, CARRY_PASSED)
#define NEXT_COMPUTED(next) NEXT_(next, CARRY_COMPUTED)
#else
#define NEXT(next)                                                             \
   do {                                                                        \
      (void)state;                                                             \
      (void)scratch;                                                           \
      return (next);                                                           \
   } while (0)
#define NEXT_COMPUTED(next) NEXT(next)
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
   while (inst)
      inst = ((handler)inst->run)(state, scratch, inst CARRY_NOTHING);
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

/* An operand of type X that lies in its slot (0), was computed last (1), or
 * before that (2): enum interp_source. Pairs are never carried. */
#define SOURCE_0(X, name) OPERAND(X, name)
#ifdef INTERP_CARRIES
#define SOURCE_1(X, name) CARRIED_##X(name, LAST_PART)
#define SOURCE_2(X, name) CARRIED_##X(name, EARLIER_PART)
#else
#define SOURCE_1(X, name) OPERAND(X, name)
#define SOURCE_2(X, name) OPERAND(X, name)
#endif
#define CARRIED_B1(name, part) CARRIED_B32(name, part)
#define CARRIED_B32(name, part)                                                \
   const union carry name##_carry = {.parts = {EACH_PART(part)}};              \
   const uint32_t *name##s = name##_carry.words

/* Rows of an interp_set: handlers whose names begin with `op` and end in the
 * sources of 1, 2 or 3 operands. FROM_X has the choices for one of type X. */
#define HANDLERS(...)                                                          \
   (const interp_handler[])                                                    \
   {                                                                           \
      __VA_ARGS__                                                              \
   }
#define FROM_B1(op) FROM_B32(op)
#define FROM_B32(op) ENTRY(op##0), ENTRY(op##1), ENTRY(op##2)
#define FROM_B64(op) ENTRY(op##0)
#define FROM2_B1(from, op) FROM2_B32(from, op)
#define FROM2_B32(from, op) from(op##0), from(op##1), from(op##2)
#define FROM2_B64(from, op) from(op##0)
#define FROM3_B1(from2, from, op) FROM3_B32(from2, from, op)
#define FROM3_B32(from2, from, op)                                             \
   from2(from, op##0), from2(from, op##1), from2(from, op##2)
#define FROM3_B64(from2, from, op) from2(from, op##0)

#endif
