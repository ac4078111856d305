/* SPDX-License-Identifier: MIT
 *
 * Handlers of control flow: sets of lanes, as lir/lir.h describes them. At
 * least one lane is active whenever an instruction runs that is not an else or
 * an end. Included once by each rendering for 16 lanes.
 */
#ifndef TG_EXEC_INTERP_HANDLERS_CONTROL_H
#define TG_EXEC_INTERP_HANDLERS_CONTROL_H

#include "exec/interp/handlers_wave.h"

#define LANES_AT(offset) ((uint32_t *)(void *)(scratch + (offset)))

/* Where a field that is a jump leads. */
#define JUMP_A(inst) ((inst) + (int32_t)(inst)->a)
#define JUMP(inst) ((inst) + (int64_t)(inst)->imm)

/* Goes on elsewhere than with the instruction after this one. */
#define LEAP(target)                                                           \
   do {                                                                        \
      const struct interp_inst *there = (target);                              \
      state->since += (uintptr_t)there - (uintptr_t)(inst + 1);                \
      NEXT(there);                                                             \
   } while (0)

/* Ends this run or resume(). */
#define STOP_FOR(reason)                                                       \
   do {                                                                        \
      state->stop = (reason);                                                  \
      state->stopped_at = inst;                                                \
      STOP();                                                                  \
   } while (0)

#define STOP_WITH(what)                                                        \
   do {                                                                        \
      state->fault = (what);                                                   \
      STOP_FOR(INTERP_FAULT);                                                  \
   } while (0)

/* Stops before an instruction that leads back, which is the one to go on with
 * later. */
#define PAUSE_IF_DUE()                                                         \
   do {                                                                        \
      if ((uintptr_t)inst - state->since >= state->slice)                      \
         STOP_FOR(INTERP_PAUSE);                                               \
   } while (0)

HANDLER(block)
{
   *LANES_AT(inst->result) = state->active;
   NEXT(inst + 1);
}

#define IF(x)                                                                  \
   HANDLER(if_##x)                                                             \
   {                                                                           \
      SOURCE_##x(B1, a);                                                       \
      const uint32_t entered = lanes_of(as) & state->active;                   \
                                                                               \
      *LANES_AT(inst->result) = state->active;                                 \
      *LANES_AT(inst->b) = state->active & ~entered;                           \
      state->active = entered;                                                 \
      if (entered)                                                             \
         NEXT(inst + 1);                                                       \
      LEAP(JUMP(inst));                                                        \
   }
IF(0)
IF(1)
IF(2)
#undef IF

HANDLER(else)
{
   state->active = *LANES_AT(inst->b);
   if (state->active)
      NEXT(inst + 1);
   LEAP(JUMP(inst));
}

HANDLER(end)
{
   state->active = *LANES_AT(inst->result);
   if (state->active)
      NEXT(inst + 1);
   LEAP(JUMP(inst));
}

HANDLER(repeat)
{
   if (state->active) {
      if (state->budget == 0)
         STOP_WITH("the loop budget is used up");
      PAUSE_IF_DUE();
      state->budget--;
      LEAP(JUMP_A(inst));
   }
   state->active = *LANES_AT(inst->result);
   if (state->active)
      NEXT(inst + 1);
   LEAP(JUMP(inst));
}

HANDLER(br)
{
   uint32_t *remembered = LANES_AT(inst->result);

   for (uint32_t i = 0; i < inst->b; i++)
      remembered[i] &= ~state->active;
   state->active = 0;
   LEAP(JUMP(inst));
}

/* What lanes that stay do not notice, so an if around it needs no end. */
#define BR_IF(x)                                                               \
   HANDLER(br_if_##x)                                                          \
   {                                                                           \
      SOURCE_##x(B1, a);                                                       \
      const uint32_t leaving = lanes_of(as) & state->active;                   \
      uint32_t *remembered = LANES_AT(inst->result);                           \
                                                                               \
      if (leaving == 0)                                                        \
         NEXT(inst + 1);                                                       \
      for (uint32_t i = 0; i < inst->b; i++)                                   \
         remembered[i] &= ~leaving;                                            \
      state->active &= ~leaving;                                               \
      if (state->active)                                                       \
         NEXT(inst + 1);                                                       \
      LEAP(JUMP(inst));                                                        \
   }
BR_IF(0)
BR_IF(1)
BR_IF(2)
#undef BR_IF

/* The budget is charged for calls too: a function that calls another twice,
 * which calls another twice, is a loop in disguise. */
HANDLER(call)
{
   if (state->depth == LIR_MAX_CALL_DEPTH)
      STOP_WITH("calls are nested more than 64 deep");
   if (state->budget == 0)
      STOP_WITH("the loop budget is used up");
   PAUSE_IF_DUE();
   state->budget--;
   state->return_to[state->depth++] = inst + 1;
   *LANES_AT(inst->result) = state->active;
   LEAP(JUMP_A(inst));
}

HANDLER(return )
{
   if (state->depth == 0)
      STOP_FOR(INTERP_END);
   state->active = *LANES_AT(inst->result);
   LEAP(state->return_to[--state->depth]);
}

HANDLER(barrier)
{
   if (state->wave->stops_at_barriers)
      STOP_FOR(INTERP_BARRIER);
   NEXT(inst + 1);
}

/* Programs that have barriers know where they are: which visit of a barrier a
 * wave is on follows from the calls that are open, the turns of the loops
 * around each, and the barrier. */
HANDLER(first_turn)
{
   *LANES_AT(inst->result) = 0;
   NEXT(inst + 1);
}

HANDLER(next_turn)
{
   ++*LANES_AT(inst->result);
   NEXT(inst + 1);
}

static inline uint64_t
mix(uint64_t hash, uint64_t word)
{
   hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
   return hash ^ hash >> 32;
}

/* What a barrier or a call adds to the path that leads to it. */
static uint64_t
extend_path(uint64_t path, const unsigned char *scratch,
            const struct interp_inst *inst)
{
   const uint32_t *turns = (const void *)(scratch + inst->a);

   path = mix(path, inst->imm + 1);
   for (uint32_t i = 0; i < inst->b; i++)
      path = mix(path, turns[i]);
   return path;
}

HANDLER(enter)
{
   state->paths[state->depth] = state->path;
   state->path = extend_path(state->path, scratch, inst);
   NEXT(inst + 1);
}

HANDLER(leave)
{
   state->path = state->paths[state->depth];
   NEXT(inst + 1);
}

/* Large frames cost more than an instruction. */
static inline void
charge_bytes(struct interp_state *state, uint32_t num_bytes)
{
   INTERP_CHARGE(num_bytes / INTERP_BYTES_PER_STEP);
}

HANDLER(save)
{
   charge_bytes(state, inst->a);
   memcpy(state->saved, scratch + inst->result, inst->a);
   state->saved += inst->a;
   NEXT(inst + 1);
}

HANDLER(restore)
{
   charge_bytes(state, inst->a);
   state->saved -= inst->a;
   memcpy(scratch + inst->result, state->saved, inst->a);
   NEXT(inst + 1);
}

#endif
