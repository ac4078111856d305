/* SPDX-License-Identifier: MIT
 *
 * What compiled code and the C around it say to each other: a frame in the
 * scratch of the run. Code finds its fields by their offsets.
 */
#ifndef TG_EXEC_JIT_FRAME_H
#define TG_EXEC_JIT_FRAME_H

#include "exec/exec.h"

/* A binding of a uniform space, resolved. There is something at `data` even
 * where nothing is bound. */
struct jit_memory {
   void *data;
   uint64_t num_bytes;
};

/* What code calls. Operands and results are in the frame's `call`. */
enum jit_helper {
#define LIR_ATOMIC(name, n, expression, title) JIT_HELPER_##name,
#include "lir/ops.def"
   JIT_HELPER_trace,
   JIT_HELPER_emit,
   JIT_HELPER_endprim,
   JIT_HELPER_pay,      /* gives whether the wave may go on */
   JIT_HELPER_evaluate, /* an operation that computes; see struct jit_pairs */
   JIT_NUM_HELPERS,
};

struct jit_frame;

typedef uint32_t (*jit_helper)(struct jit_frame *frame);

/* Words or masks of a helper. `memory` is an index of the frame's memories or,
 * with JIT_CALL_ARRAY, a word of the arrays and how many there are. */
struct jit_call {
   uint32_t a[LIR_LANES], b[LIR_LANES], c[LIR_LANES];
   uint32_t result[LIR_LANES];
   uint64_t tag; /* of trace */
   uint32_t active;
   uint32_t memory, num_words; /* num_words: of an array, else 0 */
   uint32_t origin;            /* of pay */
};

/* Bytes that a wave leaves at a barrier, at most. */
enum { JIT_MAX_KEPT = 1 << 14 };

/* Words or pairs of words of the helper that computes. */
struct jit_pairs {
   uint64_t operand[2][LIR_LANES];
   uint64_t result[LIR_LANES];
   uint32_t op; /* enum lir_op, of one operand or two */
};

struct jit_frame {
   struct exec_round *rounds; /* the waves: the code is a loop over them */
   uint32_t num_rounds;       /* at least 1 */
   uint32_t num_run;          /* out: of them, to their ends */
   uint64_t budget; /* of back edges and calls, for each; out: the last one's */
   uint64_t steps;  /* since the last payment */
   uint64_t slice;  /* steps after which it pays */
   uint32_t fault_origin, fault_lanes;
   uint32_t (*arrays)[LIR_LANES];
   uint32_t num_input, num_sysval, num_output; /* words */
   uint32_t moving_word, stride;               /* see struct exec_round */
   uint32_t stops;                             /* at barriers? */
   uint32_t resumes; /* do all waves go on from a barrier? */
   uint64_t kept;    /* in a round's scratch: the offset of what it leaves at a
                      * barrier, JIT_MAX_KEPT bytes */
   const jit_helper *helpers;
   struct exec_wave *wave;
   struct jit_call call;
   struct jit_pairs pairs;
   uint32_t zeros[LIR_LANES];  /* what loads outside of the bounds read */
   uint32_t trash[LIR_LANES];  /* where stores outside of them write */
   struct jit_memory memory[]; /* one for each binding that the code names */
};

/* How code ends. */
enum jit_end {
   JIT_END_OK,
   JIT_END_BUDGET, /* the loop budget is used up */
   JIT_END_PAY,    /* it could not pay */
};

/* Compiled code: runs the waves of its frame, each to its end or where it stops
 * at a barrier, up to one that faults or has no lanes. */
typedef uint32_t (*jit_function)(struct jit_frame *frame);

/* The C side of the helpers, by number. */
extern const jit_helper jit_helpers[JIT_NUM_HELPERS];

#endif
