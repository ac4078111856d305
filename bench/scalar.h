/* SPDX-License-Identifier: MIT
 *
 * The yardstick for the interpreter: the same decoded programs run one lane at
 * a time, with branches instead of sets of lanes. It shares the decoder and
 * the expressions of lir/ops.def, so that it differs in nothing but width.
 *
 * It has no calls, arrays, other lanes, listener, nor clock: the programs of
 * the benchmark use none.
 */
#ifndef BENCH_SCALAR_H
#define BENCH_SCALAR_H

#include "exec/exec.h"

/* It is compiled for each instruction set that the interpreter is, with and
 * without carrying words in registers: that pays for integers, and costs where
 * floats have to move between two kinds of register. */
struct scalar_program;

struct scalar_engine {
   const char *instruction_set;
   /* NULL when out of memory. */
   struct scalar_program *(*compile)(const struct lir_module *module);
   void (*destroy)(struct scalar_program *program);
   size_t (*scratch_size)(const struct scalar_program *program);
   /* Runs each launched lane to its end. */
   void (*run)(const struct scalar_program *program, struct exec_wave *wave,
               void *scratch);
};

#endif
