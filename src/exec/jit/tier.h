/* SPDX-License-Identifier: MIT
 *
 * Tiered compilation: code of a module at once, or in a background thread when
 * it is hot, which the runs of it until then tell.
 */
#ifndef TG_EXEC_JIT_TIER_H
#define TG_EXEC_JIT_TIER_H

#include <stdatomic.h>

#include "exec/jit/code.h"

enum jit_job_state {
   JIT_JOB_COLD,
   JIT_JOB_QUEUED,
   JIT_JOB_RUNNING,
   JIT_JOB_DONE,
};

/* The code of a module, or what it will be made from. It stays where it is. */
struct jit_job {
   struct jit_request request;
   const struct jit_shape *shape;  /* of the module */
   struct lir_module module;       /* a copy, of a job that waits */
   uint64_t patience;              /* steps after which it is hot; 0: never */
   struct jit_code *code;          /* or NULL */
   _Atomic(jit_function) function; /* the best that there is; or NULL */
   atomic_uint_fast64_t steps;     /* that were run while it waited */
   enum jit_job_state state;       /* of a job that waits */
   struct jit_job *next;           /* in the queue */
};

/* Finds or makes the code of a module now. TG_ERROR_MEMORY; it is TG_OK too
 * where LLVM refuses, or the module is too large, and no code is made. */
enum tg_result
jit_tier_compile_now(struct jit_job *job, const struct lir_module *module,
                     const struct tg_allocator *allocator);

/* Finds the code of a module, or else keeps a copy until enough steps were
 * noted; of a job that has a function it takes more. TG_ERROR_MEMORY. */
enum tg_result
jit_tier_compile_later(struct jit_job *job, const struct lir_module *module);

/* Counts steps of waves, of which a job that waits may have seen enough. Any
 * thread. */
void
jit_tier_note_steps(struct jit_job *job, uint64_t steps);

/* Frees what the job has, code too, which nobody runs any more. A job that is
 * running is waited for. A zeroed one is good. */
void
jit_tier_finish_job(struct jit_job *job);

/* Starts the background thread of this process, once. False where the system
 * gives none. */
bool
jit_tier_start_thread(void);

#endif
