/* SPDX-License-Identifier: MIT
 *
 * Running modules on every executor of this machine and comparing. Whatever a
 * test builds here, all executors that there are run.
 */
#ifndef TESTS_EXEC_HARNESS_H
#define TESTS_EXEC_HARNESS_H

#include "exec/exec.h"
#include "lir/builder.h"

enum { MAX_EXECUTORS = 16, MAX_OUTPUTS = 32 };

/* The executors to compare: all that tg_executor_name() lists, each once, also
 * where it has two names. Returns how many. */
unsigned
all_executors(const struct exec_executor *executors[MAX_EXECUTORS]);

/* A module under construction, with one function and room for its results. */
struct harness {
   struct lir_module module;
   struct lir_builder b;
   uint32_t output[MAX_OUTPUTS][LIR_LANES];
   struct exec_wave wave; /* all lanes, a budget of 1000, `output` */
   struct exec_fault fault;
   enum tg_result result;
};

void
begin(struct harness *harness);

/* Frees the module. */
void
end(struct harness *harness);

/* Appends a store of `value` to output `index`. */
void
give(struct harness *harness, uint32_t index, lir_value value);

/* Verifies the module, compiles it unless it was lately, and runs one wave.
 * `output` is zero before; `result` and `fault` say how it ended. */
void
run_on(struct harness *harness, const struct exec_executor *executor);

/* Destroys the programs that run_on() has kept. */
void
forget_compiled(void);

/* Runs `check` after a run on each executor. */
void
run_on_all(struct harness *harness, void (*check)(struct harness *harness));

/* Fails unless output `index` is as expected in all lanes. */
void
expect(const struct harness *harness, uint32_t index,
       const uint32_t expected[LIR_LANES]);

/* The same for a value that is the same in all lanes. */
void
expect_all(const struct harness *harness, uint32_t index, uint32_t expected);

/* A program, and scratch for a wave of it. */
struct compiled {
   const struct exec_executor *executor;
   struct exec_program *program;
   void *scratch;
};

void
open_compiled(struct compiled *compiled, const struct exec_executor *executor,
              const struct lir_module *module);

void
close_compiled(struct compiled *compiled);

/* Scratch for a program, full of garbage. Free it with free(). */
void *
make_scratch(const struct exec_executor *executor,
             const struct exec_program *program);

#endif
