/* SPDX-License-Identifier: MIT
 *
 * Evaluating a function of src/lower/math/functions.h on an executor, 16 floats
 * at a time, and how far a float is from the value it should be.
 */
#ifndef TESTS_LOWER_EVALUATOR_H
#define TESTS_LOWER_EVALUATOR_H

#include "exec/exec.h"
#include "lir/builder.h"

typedef lir_value (*unary_function)(struct lir_builder *builder, lir_value x);
typedef lir_value (*binary_function)(struct lir_builder *builder, lir_value x,
                                     lir_value y);

struct evaluator {
   const struct exec_executor *executor;
   struct exec_program *program;
   void *scratch;
   unsigned num_operations; /* that are no constants */
   /* Operands and result of each lane, as bits. */
   uint32_t input[2][LIR_LANES];
   uint32_t output[1][LIR_LANES];
};

/* Compile a function. False: out of memory, or the module is not right. Finish
 * in either case. */
bool
evaluator_init_unary(struct evaluator *evaluator,
                     const struct exec_executor *executor,
                     unary_function function);
bool
evaluator_init_binary(struct evaluator *evaluator,
                      const struct exec_executor *executor,
                      binary_function function);
void
evaluator_finish(struct evaluator *evaluator);

/* From `input` to `output`, in all lanes. */
bool
evaluator_run(struct evaluator *evaluator);

uint32_t
float_bits(float value);
float
bits_float(uint32_t bits);

/* The distance of `got` from `expected` in units of the last place of floats of
 * that size. 0 between NaNs and when both overflow; HUGE_VAL between a number
 * and what is none. */
double
ulp_distance(float got, long double expected);

#endif
