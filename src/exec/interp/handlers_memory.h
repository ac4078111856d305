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

static inline void
load_word(const struct interp_state *state, uint64_t imm, uint32_t index,
          uint32_t *result)
{
   struct exec_memory memory = uniform_memory(state, imm);

   broadcast(result, index < memory.num_words ? memory.data[index] : 0);
}

HANDLER(load_at)
{
   load_word(state, inst->imm, inst->a, SLOT(inst->result));
   NEXT(inst + 1);
}

HANDLER(load)
{
   load_word(state, inst->imm, uniform_index(state, SLOT(inst->a)),
             SLOT(inst->result));
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

static inline void
load_row(const struct interp_state *state, uint64_t imm, uint32_t index,
         uint32_t *result)
{
   struct exec_lane_memory memory = lane_memory(state, imm);

   if (index >= memory.num_words) {
      broadcast(result, 0);
      return;
   }
   /* In the pieces in which operations read it. */
   carry_part *parts = (carry_part *)(void *)result;
   const unsigned char *row = (const unsigned char *)memory.data[index];
   for (size_t i = 0; i < CARRY_PARTS; i++)
      memcpy(&parts[i], row + i * sizeof(*parts), sizeof(*parts));
}

HANDLER(load_lane_at)
{
   load_row(state, inst->imm, inst->a, SLOT(inst->result));
   NEXT(inst + 1);
}

HANDLER(load_lane)
{
   load_row(state, inst->imm, uniform_index(state, SLOT(inst->a)),
            SLOT(inst->result));
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

static inline void
store_row(const struct interp_state *state, uint64_t imm, uint32_t index,
          const uint32_t *value)
{
   struct exec_lane_memory memory = lane_memory(state, imm);

   if (index < memory.num_words)
      write_active(memory.data[index], value, state->active);
}

#define STORE_LANE(x)                                                          \
   HANDLER(store_lane_at_##x)                                                  \
   {                                                                           \
      SOURCE_##x(B32, b);                                                      \
      store_row(state, inst->imm, inst->a, bs);                                \
      NEXT(inst + 1);                                                          \
   }                                                                           \
   HANDLER(store_lane_##x)                                                     \
   {                                                                           \
      SOURCE_##x(B32, b);                                                      \
      store_row(state, inst->imm, uniform_index(state, SLOT(inst->a)), bs);    \
      NEXT(inst + 1);                                                          \
   }
STORE_LANE(0)
STORE_LANE(1)
STORE_LANE(2)
#undef STORE_LANE

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
