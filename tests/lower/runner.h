/* SPDX-License-Identifier: MIT
 *
 * From the text of a shader to what 16 lanes of it give. Each run is done
 * twice, as lowered and optimised, and both must agree.
 *
 * Values that shaders find, lane by lane, unless a test writes others:
 *    IN[0]     lane as integer, as float, lane & 1, lane / 4
 *    IN[r].c   from r = 1 on: 400 * r + 100 * c + lane
 *    SV[r].c   5000 + 400 * r + 100 * c + lane
 *    CONST[b]  word w of buffer b holds the integer 1000 * b + w
 */
#ifndef TESTS_LOWER_RUNNER_H
#define TESTS_LOWER_RUNNER_H

#include "abi/layout.h"
#include "exec/exec.h"
#include "lower/lower.h"

enum {
   RUNNER_WORDS = 1024,   /* of each kind of lane memory */
   RUNNER_BUFFERS = 3,    /* constant buffers that are bound */
   RUNNER_CONSTANTS = 16, /* words of each */
   RUNNER_MEMORIES = 12,
   RUNNER_MEMORY_WORDS = 512, /* at most, of one of them */
};

/* Other memory that a test binds. */
struct runner_memory {
   enum lir_space space;
   uint32_t binding;
   uint32_t num_bytes; /* may leave out part of a word */
   uint32_t
      words[RUNNER_MEMORY_WORDS + 1]; /* what lies behind stays as it is */
};

struct runner {
   struct tg_diagnostics *diagnostics;
   struct tg_shader *shader; /* NULL: it did not parse */
   struct abi_layout layout;
   struct lower_options options;

   uint32_t input[RUNNER_WORDS][LIR_LANES];
   uint32_t sysval[RUNNER_WORDS][LIR_LANES];
   uint32_t output[RUNNER_WORDS][LIR_LANES];
   uint32_t constants[RUNNER_BUFFERS][RUNNER_CONSTANTS];
   uint32_t descriptors[ABI_DESCRIPTOR_WORDS];     /* as abi/bindings.h says */
   struct runner_memory memories[RUNNER_MEMORIES]; /* before and after */
   unsigned num_memories;

   uint32_t launched, live; /* before and after; all at first */
   uint64_t loop_budget;    /* 1000 at first */
   const struct exec_listener *listener;

   enum tg_result result; /* of whatever failed first */
   struct exec_fault fault;
};

/* Parses; `result` tells how it went. Finish in any case. */
void
runner_init(struct runner *runner, enum tg_dialect dialect, const char *text);
void
runner_finish(struct runner *runner);

/* Lowers, verifies, runs. Fails the test when the module is not right, or when
 * the passes change a result. */
void
runner_run(struct runner *runner);

/* The same without looking at the result: false when something is not right,
 * and then `*why_out` says what. */
bool
runner_try(struct runner *runner, const char **why_out);

#endif
