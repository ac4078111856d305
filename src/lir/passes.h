/* SPDX-License-Identifier: MIT
 *
 * The passes over LIR and the gate through which they run. A pass rewrites one
 * module in place, returns whether it changed anything, and leaves values
 * numbered without gaps.
 */
#ifndef LIR_PASSES_H
#define LIR_PASSES_H

#include <stdio.h>

#include "lir/lir.h"
#include "tungsten/base.h"

/* Folds operations on constants, and those with a neutral operand. */
bool
lir_pass_fold(struct lir_module *module);

/* Replaces reads of variables by the value that was written, and drops writes
 * that nobody reads. */
bool
lir_pass_copy(struct lir_module *module);

/* Merges equal operations, loads from read-only memory among them. */
bool
lir_pass_cse(struct lir_module *module);

/* Drops what has no effect, and constructs that became empty. */
bool
lir_pass_dce(struct lir_module *module);

/* Sets lir_inst.is_uniform. Never changes the code. */
bool
lir_pass_uniformity(struct lir_module *module);

/* How lir_optimize() runs. Zero is the usual way. */
struct lir_pass_options {
   bool disable;             /* run no pass but uniformity */
   bool verify_each;         /* verify after each pass, asserting */
   FILE *print_after;        /* list the module after each pass, or NULL */
   const char *skip;         /* name of one pass to leave out, or NULL */
};

/* The pipeline: all passes, until nothing changes or a bound is reached.
 * TG_ERROR_MEMORY leaves the module as good as it was. */
enum tg_result
lir_optimize(struct lir_module *module, const struct lir_pass_options *options);

/* Checks all rules of lir.h: types, visibility, levels, bounds, indices. NULL
 * when the module is right, else what is wrong, in the module's arena or
 * static. */
const char *
lir_verify(struct lir_module *module);

/* A listing of the module, to be freed with tg_string_free(). */
char *
lir_print(const struct lir_module *module);

#endif
