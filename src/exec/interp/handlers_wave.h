/* SPDX-License-Identifier: MIT
 *
 * Handlers of values that are not computed, of variables, and of what looks at
 * other lanes or at the wave. Included once by each rendering for 16 lanes.
 */
#ifndef TG_EXEC_INTERP_HANDLERS_WAVE_H
#define TG_EXEC_INTERP_HANDLERS_WAVE_H

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "exec/interp/handlers_next.h"
#include "exec/interp/steps.h"
#include "lir/eval.h"

/* The bit of each lane. From a table, because a loop over it is vector code
 * where the machine cannot shift each lane by a number of its own. */
static const uint32_t lane_bits[] = {
   1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
   1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15,
};

_Static_assert(sizeof(lane_bits) == INTERP_LANES * sizeof(uint32_t),
               "a bit for each lane");

#define HAS_LANE(lanes, i) (((lanes)&lane_bits[i]) != 0)

/* The set of lanes in which a stored truth value holds. */
static inline uint32_t
lanes_of(const uint32_t *truth)
{
#if defined(__AVX2__)
   uint32_t lanes = 0;

   for (unsigned i = 0; i < INTERP_LANES; i += 8) {
      __m256i part = _mm256_loadu_si256((const void *)(truth + i));
      int signs = _mm256_movemask_ps(_mm256_castsi256_ps(part));
      lanes |= (uint32_t)signs << i;
   }
   return lanes;
#elif defined(__SSE2__)
   uint32_t lanes = 0;

   for (unsigned i = 0; i < INTERP_LANES; i += 4) {
      __m128i part = _mm_loadu_si128((const void *)(truth + i));
      int signs = _mm_movemask_ps(_mm_castsi128_ps(part));
      lanes |= (uint32_t)signs << i;
   }
   return lanes;
#else
   uint32_t lanes = 0;

   FOR_LANES (i)
      lanes |= truth[i] & lane_bits[i];
   return lanes;
#endif
}

static inline void
broadcast(uint32_t *result, uint32_t word)
{
   FOR_LANES (i)
      result[i] = word;
}

/* Writes words in active lanes. The others' are written back as they are, since
 * what a masked store wrote takes long to read; hence no `?:`, of which the
 * compiler would make one. */
static inline void
write_active(uint32_t *restrict to, const uint32_t *restrict words,
             uint32_t active)
{
   FOR_LANES (i) {
      const uint32_t mask = PUT_B1(HAS_LANE(active, i));

      to[i] ^= (to[i] ^ words[i]) & mask;
   }
}

/* ---- values and variables ------------------------------------------------ */

HANDLER(const32)
{
   broadcast(SLOT(inst->result), (uint32_t)inst->imm);
   NEXT(inst + 1);
}

HANDLER(const64)
{
   RESULT(B64);

   FOR_LANES (i)
      result[i] = inst->imm;
   NEXT(inst + 1);
}

HANDLER(lane)
{
   RESULT(B32);

   FOR_LANES (i)
      result[i] = i;
   NEXT(inst + 1);
}

#define GET(bits)                                                              \
   HANDLER(get##bits)                                                          \
   {                                                                           \
      RESULT(B##bits);                                                         \
      OPERAND(B##bits, a);                                                     \
      FOR_LANES (i)                                                            \
         result[i] = as[i];                                                    \
      NEXT(inst + 1);                                                          \
   }
GET(32)
GET(64)
#undef GET

#define SET32(x)                                                               \
   HANDLER(set32_##x)                                                          \
   {                                                                           \
      SOURCE_##x(B32, a);                                                      \
      write_active(SLOT(inst->result), as, state->active);                     \
      NEXT(inst + 1);                                                          \
   }
SET32(0)
SET32(1)
SET32(2)
#undef SET32

HANDLER(set64)
{
   RESULT(B64);
   OPERAND(B64, a);
   const uint32_t active = state->active;

   FOR_LANES (i) {
      const uint64_t now = as[i];
      const uint64_t old = result[i];
      result[i] = HAS_LANE(active, i) ? now : old;
   }
   NEXT(inst + 1);
}

/* ---- other lanes --------------------------------------------------------- */

/* Lanes 4q to 4q+3: the difference of the lane with `step` in its number and
 * the one without. */
static inline void
differences(uint32_t *restrict result, const uint32_t *as, unsigned step)
{
   FOR_LANES (i)
      result[i] = F(f(as[i | step]) - f(as[i & ~step]));
}

HANDLER(fddx)
{
   differences(SLOT(inst->result), SLOT(inst->a), 1);
   NEXT(inst + 1);
}

HANDLER(fddy)
{
   differences(SLOT(inst->result), SLOT(inst->a), 2);
   NEXT(inst + 1);
}

HANDLER(read_quad)
{
   RESULT(B32);
   OPERAND(B32, a);
   OPERAND(B32, b);

   FOR_LANES (i)
      result[i] = as[(i & ~3u) | (bs[i] & 3)];
   NEXT(inst + 1);
}

HANDLER(ballot)
{
   broadcast(SLOT(inst->result), lanes_of(SLOT(inst->a)) & state->active);
   NEXT(inst + 1);
}

/* Code runs only while a lane is active, so there is a lowest one. */
HANDLER(read_first)
{
   OPERAND(B32, a);

   broadcast(SLOT(inst->result), as[__builtin_ctz(state->active)]);
   NEXT(inst + 1);
}

HANDLER(read_lane)
{
   RESULT(B32);
   OPERAND(B32, a);
   OPERAND(B32, b);
   const uint32_t active = state->active;

   INTERP_CHARGE(interp_more_steps[LIR_OP_read_lane]);
   FOR_LANES (i) {
      uint32_t lane = bs[i];

      result[i] = lane < INTERP_LANES && HAS_LANE(active, lane) ? as[lane] : 0;
   }
   NEXT(inst + 1);
}

/* ---- the wave ------------------------------------------------------------ */

HANDLER(live)
{
   RESULT(B1);
   const uint32_t live = state->live;

   FOR_LANES (i)
      result[i] = PUT_B1(HAS_LANE(live, i));
   NEXT(inst + 1);
}

HANDLER(kill)
{
   state->live &= ~(lanes_of(SLOT(inst->a)) & state->active);
   NEXT(inst + 1);
}

HANDLER(count)
{
   state->count += inst->imm;
   NEXT(inst + 1);
}

HANDLER(clock)
{
   RESULT(B64);
   const uint64_t count = state->count;

   FOR_LANES (i)
      result[i] = count;
   NEXT(inst + 1);
}

/* ---- for whoever listens ------------------------------------------------- */

HANDLER(trace)
{
   const struct exec_listener *listener = state->wave->listener;

   if (listener && listener->trace)
      listener->trace(listener->user, inst->imm, state->active, SLOT(inst->a));
   NEXT(inst + 1);
}

HANDLER(emit)
{
   const struct exec_listener *listener = state->wave->listener;

   if (listener && listener->emit)
      listener->emit(listener->user, state->active, SLOT(inst->a));
   NEXT(inst + 1);
}

HANDLER(endprim)
{
   const struct exec_listener *listener = state->wave->listener;

   if (listener && listener->endprim)
      listener->endprim(listener->user, state->active, SLOT(inst->a));
   NEXT(inst + 1);
}

#endif
