/* SPDX-License-Identifier: MIT
 *
 * What compiled code calls: atomic operations, listeners, and payment for long
 * runs. All take the frame, and find their operands in its `call`.
 */
#include "exec/jit/frame.h"

#include "lir/eval.h"

/* ---- atomic operations --------------------------------------------------- */

#define LIR_ATOMIC(name, n, expression, title)                                 \
   static uint32_t after_##name(uint32_t a, uint32_t b, uint32_t c)            \
   {                                                                           \
      (void)c;                                                                 \
      (void)a;                                                                 \
      return expression;                                                       \
   }
#include "lir/ops.def"

typedef uint32_t
meaning(uint32_t a, uint32_t b, uint32_t c);

static uint32_t
replace(uint32_t *word, meaning *after, uint32_t b, uint32_t c)
{
   uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);

   while (!__atomic_compare_exchange_n(word, &old, after(old, b, c), false,
                                       __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      ;
   return old;
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

static uint32_t
replace_words(struct jit_frame *frame, meaning *after)
{
   struct jit_call *call = &frame->call;

   for (unsigned i = 0; i < LIR_LANES; i++) {
      uint32_t *word = call->active >> i & 1 ? find_word(frame, i) : NULL;

      call->result[i] = word ? replace(word, after, call->b[i], call->c[i]) : 0;
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
   [JIT_HELPER_trace] = help_trace,
   [JIT_HELPER_emit] = help_emit,
   [JIT_HELPER_endprim] = help_endprim,
   [JIT_HELPER_pay] = help_pay,
};
