/* SPDX-License-Identifier: MIT
 *
 * Handlers of loads and stores. Loads read in all lanes, stores write in active
 * lanes, the lowest first; outside the bounds loads give 0 and stores do
 * nothing. What other threads may write is read and written by whole units, so
 * that a lane never sees half of a value. Included once by each rendering for
 * 16 lanes.
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
      return (struct exec_memory){.num_bytes = 0};
   return wave->memory[space][binding];
}

/* What caches do not hold takes longer than an instruction. */
static inline void
charge_access(struct interp_state *state, struct exec_memory memory)
{
   if (memory.num_bytes > INTERP_CACHED_BYTES)
      INTERP_CHARGE(INTERP_ACCESS_STEPS);
}

/* A word of memory that others may be writing. */
static inline uint32_t
word_now(struct exec_memory memory, uint32_t index)
{
   if (index >= memory.num_bytes / sizeof(uint32_t))
      return 0;
   return __atomic_load_n(&memory.data[index], __ATOMIC_RELAXED);
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
   broadcast(result, word_now(uniform_memory(state, imm), index));
}

HANDLER(load_at)
{
   load_word(state, inst->imm, inst->a, SLOT(inst->result));
   NEXT(inst + 1);
}

HANDLER(load)
{
   charge_access(state, uniform_memory(state, inst->imm));
   load_word(state, inst->imm, uniform_index(state, SLOT(inst->a)),
             SLOT(inst->result));
   NEXT(inst + 1);
}

HANDLER(load_each)
{
   RESULT(B32);
   OPERAND(B32, a);
   struct exec_memory memory = uniform_memory(state, inst->imm);
   const uint64_t num_words = memory.num_bytes / sizeof(uint32_t);

   charge_access(state, memory);
   FOR_LANES (i)
      result[i] = as[i] < num_words ? memory.data[as[i]] : 0;
   NEXT(inst + 1);
}

HANDLER(load_each_now)
{
   RESULT(B32);
   OPERAND(B32, a);
   struct exec_memory memory = uniform_memory(state, inst->imm);

   charge_access(state, memory);
   FOR_LANES (i)
      result[i] = word_now(memory, as[i]);
   NEXT(inst + 1);
}

/* Units of 8, 16 or 32 bits. Stores go from lane to lane. */
#define LOAD_UNIT(bits)                                                        \
   HANDLER(load##bits)                                                         \
   {                                                                           \
      RESULT(B32);                                                             \
      OPERAND(B32, a);                                                         \
      struct exec_memory memory = uniform_memory(state, inst->imm);            \
      const uint64_t count = memory.num_bytes / sizeof(uint##bits##_t);        \
      const uint##bits##_t *units = (const void *)memory.data;                 \
                                                                               \
      charge_access(state, memory);                                            \
      FOR_LANES (i)                                                            \
         result[i] = as[i] < count                                             \
                        ? __atomic_load_n(&units[as[i]], __ATOMIC_RELAXED)     \
                        : 0;                                                   \
      NEXT(inst + 1);                                                          \
   }
#define STORE_UNIT(name, bits)                                                 \
   HANDLER(name)                                                               \
   {                                                                           \
      OPERAND(B32, a);                                                         \
      OPERAND(B32, b);                                                         \
      struct exec_memory memory = uniform_memory(state, inst->imm);            \
      const uint64_t count = memory.num_bytes / sizeof(uint##bits##_t);        \
      uint##bits##_t *units = (void *)memory.data;                             \
                                                                               \
      charge_access(state, memory);                                            \
      for (uint32_t lanes = state->active; lanes != 0; lanes &= lanes - 1) {   \
         unsigned i = (unsigned)__builtin_ctz(lanes);                          \
                                                                               \
         if (as[i] < count)                                                    \
            __atomic_store_n(&units[as[i]], (uint##bits##_t)bs[i],             \
                             __ATOMIC_RELAXED);                                \
      }                                                                        \
      NEXT(inst + 1);                                                          \
   }
LOAD_UNIT(8)
LOAD_UNIT(16)
STORE_UNIT(store8, 8)
STORE_UNIT(store16, 16)
STORE_UNIT(store_each, 32)
#undef LOAD_UNIT
#undef STORE_UNIT

HANDLER(memsize)
{
   const uint64_t size = uniform_memory(state, inst->imm).num_bytes;

   broadcast(SLOT(inst->result),
             size < UINT32_MAX ? (uint32_t)size : UINT32_MAX);
   NEXT(inst + 1);
}

/* The new word of each atomic operation: of the old one `a`, the last operand
 * `b`, and the one before it, `c`. */
#define LIR_ATOMIC(name, n, expression, title)                                 \
   static inline uint32_t after_##name(uint32_t a, uint32_t b, uint32_t c)     \
   {                                                                           \
      (void)a;                                                                 \
      (void)c;                                                                 \
      return expression;                                                       \
   }
#include "lir/ops.def"

static inline uint32_t
replace_word(uint32_t *word, uint32_t (*after)(uint32_t, uint32_t, uint32_t),
             uint32_t b, uint32_t c)
{
   uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);

   while (!__atomic_compare_exchange_n(word, &old, after(old, b, c), true,
                                       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      ;
   return old;
}

static inline void
replace_words(const struct interp_state *state, unsigned char *scratch,
              const struct interp_inst *inst, const uint32_t *bs,
              const uint32_t *cs,
              uint32_t (*after)(uint32_t, uint32_t, uint32_t))
{
   RESULT(B32);
   OPERAND(B32, a);
   struct exec_memory memory = uniform_memory(state, inst->imm);

   broadcast(result, 0);
   for (uint32_t lanes = state->active; lanes != 0; lanes &= lanes - 1) {
      unsigned i = (unsigned)__builtin_ctz(lanes);

      if (as[i] < memory.num_bytes / sizeof(uint32_t))
         result[i] = replace_word(&memory.data[as[i]], after, bs[i], cs[i]);
   }
}

/* Of an array, which each lane has for itself. */
static inline void
replace_own_words(const struct interp_state *state, unsigned char *scratch,
                  const struct interp_inst *inst, const uint32_t *bs,
                  const uint32_t *cs,
                  uint32_t (*after)(uint32_t, uint32_t, uint32_t))
{
   RESULT(B32);
   OPERAND(B32, a);
   struct exec_lane_memory memory =
      lane_memory(state, LIR_SPACE_ARRAY - LIR_NUM_UNIFORM_SPACES +
                            lir_mem_binding(inst->imm));

   broadcast(result, 0);
   for (uint32_t lanes = state->active; lanes != 0; lanes &= lanes - 1) {
      unsigned i = (unsigned)__builtin_ctz(lanes);

      if (as[i] >= memory.num_words)
         continue;
      uint32_t *word = &memory.data[as[i]][i];
      result[i] = *word;
      *word = after(*word, bs[i], cs[i]);
   }
}

/* Of two operands the last is the second, of three the third. */
#define LAST_OPERAND_2 inst->b
#define LAST_OPERAND_3 inst->c
#define LIR_ATOMIC(name, n, expression, title)                                 \
   HANDLER(name)                                                               \
   {                                                                           \
      INTERP_CHARGE(INTERP_ATOMIC_STEPS);                                      \
      if (lir_mem_space(inst->imm) == LIR_SPACE_ARRAY)                         \
         replace_own_words(state, scratch, inst, SLOT(LAST_OPERAND_##n),       \
                           SLOT(inst->b), after_##name);                       \
      else                                                                     \
         replace_words(state, scratch, inst, SLOT(LAST_OPERAND_##n),           \
                       SLOT(inst->b), after_##name);                           \
      NEXT(inst + 1);                                                          \
   }
#include "lir/ops.def"
#undef LAST_OPERAND_2
#undef LAST_OPERAND_3

/* GCC's thread sanitizer knows no fences. What it makes of this is one. */
HANDLER(fence)
{
#ifdef __SANITIZE_THREAD__
   uint32_t word = 0;
   __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
#else
   __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
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
