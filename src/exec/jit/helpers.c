/* SPDX-License-Identifier: MIT
 *
 * What compiled code calls: atomic operations, listeners, rare operations that
 * compute, and payment for long runs. All take the frame, and find their
 * operands in its `call`.
 */
#include "exec/jit/frame.h"

#include "lir/eval.h"
#include "lir/evaluate.h"

/* ---- atomic operations --------------------------------------------------- */

#define LIR_ATOMIC(name, n, expression, title)                                 \
   static uint32_t after_##name(uint32_t a, uint32_t b, uint32_t c)            \
   {                                                                           \
      (void)c;                                                                 \
      (void)a;                                                                 \
      return expression;                                                       \
   }
#include "lir/ops.def"

/* So that the meaning of each operation is compiled into its helper. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef uint32_t
meaning(uint32_t a, uint32_t b, uint32_t c);

/* What several lanes make of a word, one after the other; each one's result is
 * what it finds. */
ALWAYS_INLINE uint32_t
replace_in_turn(uint32_t word, meaning *after, struct jit_call *call,
                unsigned first, unsigned end)
{
   for (unsigned i = first; i < end; i++) {
      call->result[i] = word;
      word = after(word, call->b[i], call->c[i]);
   }
   return word;
}

/* All at once, for which no one else can come between them. */
ALWAYS_INLINE void
replace(uint32_t *word, meaning *after, struct jit_call *call, unsigned first,
        unsigned end)
{
   uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);

   while (!__atomic_compare_exchange_n(
      word, &old, replace_in_turn(old, after, call, first, end), false,
      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      ;
}

/* A lane's word, or NULL where there is none. */
static uint32_t *
find_word(struct jit_frame *frame, unsigned lane)
{
   const struct jit_call *call = &frame->call;
   const uint32_t index = call->a[lane];

   if (call->num_words)
      return index < call->num_words
                ? &frame->arrays[call->memory + index][lane]
                : NULL;
   const struct jit_memory *memory = &frame->memory[call->memory];
   return index < memory->num_bytes / sizeof(uint32_t)
             ? (uint32_t *)memory->data + index
             : NULL;
}

static void
find_words(struct jit_frame *frame, uint32_t *words[LIR_LANES])
{
   for (unsigned i = 0; i < LIR_LANES; i++)
      words[i] = frame->call.active >> i & 1 ? find_word(frame, i) : NULL;
}

/* Lanes next to each other that have the same word are one operation. */
ALWAYS_INLINE uint32_t
replace_words(struct jit_frame *frame, meaning *after)
{
   struct jit_call *call = &frame->call;
   uint32_t *words[LIR_LANES];

   find_words(frame, words);
   for (unsigned i = 0, end; i < LIR_LANES; i = end) {
      end = i + 1;
      call->result[i] = 0;
      if (!words[i])
         continue;
      while (end < LIR_LANES && words[end] == words[i])
         end++;
      replace(words[i], after, call, i, end);
   }
   return 0;
}

#define LIR_ATOMIC(name, n, expression, title)                                 \
   static uint32_t help_##name(struct jit_frame *frame)                        \
   {                                                                           \
      return replace_words(frame, after_##name);                               \
   }
#include "lir/ops.def"

/* ---- listeners ----------------------------------------------------------- */

static uint32_t
help_trace(struct jit_frame *frame)
{
   const struct exec_listener *listener = frame->wave->listener;
   const struct jit_call *call = &frame->call;

   if (listener && listener->trace)
      listener->trace(listener->user, call->tag, call->active, call->a);
   return 0;
}

static uint32_t
help_emit(struct jit_frame *frame)
{
   const struct exec_listener *listener = frame->wave->listener;

   if (listener && listener->emit)
      listener->emit(listener->user, frame->call.active, frame->call.a);
   return 0;
}

static uint32_t
help_endprim(struct jit_frame *frame)
{
   const struct exec_listener *listener = frame->wave->listener;

   if (listener && listener->endprim)
      listener->endprim(listener->user, frame->call.active, frame->call.a);
   return 0;
}

/* ---- operations that compute --------------------------------------------- */

static uint32_t
help_evaluate(struct jit_frame *frame)
{
   struct jit_pairs *pairs = &frame->pairs;

   for (unsigned i = 0; i < LIR_LANES; i++) {
      const uint64_t operands[3] = {pairs->operand[0][i], pairs->operand[1][i]};

      lir_evaluate((enum lir_op)pairs->op, operands, &pairs->result[i]);
   }
   return 0;
}

/* ---- payment ------------------------------------------------------------- */

static uint32_t
help_pay(struct jit_frame *frame)
{
   struct exec_wave *wave = frame->wave;

   wave->steps = frame->steps;
   wave->wait.origin = frame->call.origin;
   return !wave->pay || wave->pay(wave->payer, wave);
}

/* ---- the table ----------------------------------------------------------- */

const jit_helper jit_helpers[JIT_NUM_HELPERS] = {
#define LIR_ATOMIC(name, n, expression, title)                                 \
   [JIT_HELPER_##name] = help_##name,
#include "lir/ops.def"
   [JIT_HELPER_trace] = help_trace,       [JIT_HELPER_emit] = help_emit,
   [JIT_HELPER_endprim] = help_endprim,   [JIT_HELPER_pay] = help_pay,
   [JIT_HELPER_evaluate] = help_evaluate,
};
