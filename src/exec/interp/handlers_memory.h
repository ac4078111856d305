/* SPDX-License-Identifier: MIT
 *
 * Handlers of loads and stores. Loads read in all lanes, stores write in active
 * lanes, the lowest first; outside the bounds loads give 0 and stores do
 * nothing. Included once by each rendering for 16 lanes.
 */
#ifndef TG_EXEC_INTERP_HANDLERS_MEMORY_H
#define TG_EXEC_INTERP_HANDLERS_MEMORY_H

#include "exec/interp/handlers_wave.h"

/* What is not bound has no words. */
static inline struct exec_memory
uniform_memory(const struct interp_state *state, uint64_t imm)
{
   const struct exec_wave *wave = state->wave;
   enum lir_space space = lir_mem_space(imm);
   uint32_t binding = lir_mem_binding(imm);

   if (binding >= wave->num_memories[space])
      return (struct exec_memory){.num_words = 0};
   return wave->memory[space][binding];
}

/* Here `imm` is an index of the table of lane memory. */
static inline struct exec_lane_memory
lane_memory(const struct interp_state *state, uint64_t imm)
{
   return state->lane_memory[imm];
}

/* An index that is the same in all active lanes. */
static inline uint32_t
uniform_index(const struct interp_state *state, const uint32_t *as)
{
   return as[__builtin_ctz(state->active)];
}

HANDLER(load)
{
   struct exec_memory memory = uniform_memory(state, inst->imm);
   uint32_t index = uniform_index(state, SLOT(inst->a));

   broadcast(SLOT(inst->result),
             index < memory.num_words ? memory.data[index] : 0);
   NEXT(inst + 1);
}

HANDLER(load_each)
{
   RESULT(B32);
   OPERAND(B32, a);
   struct exec_memory memory = uniform_memory(state, inst->imm);

   FOR_LANES (i)
      result[i] = as[i] < memory.num_words ? memory.data[as[i]] : 0;
   NEXT(inst + 1);
}

HANDLER(load_lane)
{
   RESULT(B32);
   struct exec_lane_memory memory = lane_memory(state, inst->imm);
   uint32_t index = uniform_index(state, SLOT(inst->a));

   if (index < memory.num_words)
      memcpy(result, memory.data[index], INTERP_LANES * sizeof(*result));
   else
      broadcast(result, 0);
   NEXT(inst + 1);
}

HANDLER(load_lane_each)
{
   RESULT(B32);
   OPERAND(B32, a);
   struct exec_lane_memory memory = lane_memory(state, inst->imm);

   FOR_LANES (i)
      result[i] = as[i] < memory.num_words ? memory.data[as[i]][i] : 0;
   NEXT(inst + 1);
}

HANDLER(store_each)
{
   OPERAND(B32, a);
   OPERAND(B32, b);
   struct exec_memory memory = uniform_memory(state, inst->imm);

   for (uint32_t lanes = state->active; lanes != 0; lanes &= lanes - 1) {
      unsigned i = (unsigned)__builtin_ctz(lanes);

      if (as[i] < memory.num_words)
         memory.data[as[i]] = bs[i];
   }
   NEXT(inst + 1);
}

HANDLER(store_lane)
{
   OPERAND(B32, b);
   struct exec_lane_memory memory = lane_memory(state, inst->imm);
   uint32_t index = uniform_index(state, SLOT(inst->a));
   const uint32_t active = state->active;

   if (index < memory.num_words) {
      uint32_t *words = memory.data[index];

      FOR_LANES (i) {
         const uint32_t now = bs[i];
         const uint32_t old = words[i];
         words[i] = HAS_LANE(active, i) ? now : old;
      }
   }
   NEXT(inst + 1);
}

HANDLER(store_lane_each)
{
   OPERAND(B32, a);
   OPERAND(B32, b);
   struct exec_lane_memory memory = lane_memory(state, inst->imm);
   const uint32_t active = state->active;

   FOR_LANES (i) {
      if (HAS_LANE(active, i) && as[i] < memory.num_words)
         memory.data[as[i]][i] = bs[i];
   }
   NEXT(inst + 1);
}

#endif
