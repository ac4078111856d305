/* SPDX-License-Identifier: MIT
 *
 * The passes over LIR, the gate through which they run, the verifier, the
 * printer, and what can be asked of a module.
 *
 * A pass takes a module that verifies, rewrites it in place and leaves one
 * that verifies and does the same. It sets `*changed_out` when the code is not
 * what it was, and never clears it. TG_ERROR_MEMORY, the one way to fail,
 * leaves a module that does the same too, though perhaps half improved. No
 * pass recurses, and none takes longer than the size of the module lets expect.
 */
#ifndef LIR_PASSES_H
#define LIR_PASSES_H

#include <stdio.h>

#include "lir/lir.h"
#include "tungsten/work.h"

/* Inlining: replaces calls of functions that one place calls, and of small ones
 * that call nothing, by their code. */
enum tg_result
lir_pass_inline(struct lir_module *module, bool *changed_out);

/* Lowering of signatures: makes parameters and results of functions variables,
 * which is all that executors know. Passes that inline go before it. */
enum tg_result
lir_pass_signatures(struct lir_module *module, bool *changed_out);

/* Constant folding and algebraic simplification: computes operations on
 * constants, and applies the rules of fold.def. */
enum tg_result
lir_pass_fold(struct lir_module *module, bool *changed_out);

/* Copy propagation: replaces reads of variables by what was written to or read
 * from them before, and drops writes of what a variable already holds. */
enum tg_result
lir_pass_copy(struct lir_module *module, bool *changed_out);

/* Common subexpression elimination: merges equal operations, loads from
 * read-only memory among them. */
enum tg_result
lir_pass_cse(struct lir_module *module, bool *changed_out);

/* Value range propagation: drops clamps that change nothing, and computes what
 * ranges alone decide. */
enum tg_result
lir_pass_vrp(struct lir_module *module, bool *changed_out);

/* Dead store elimination: drops writes to variables that nobody reads before
 * the next write. */
enum tg_result
lir_pass_dead_store(struct lir_module *module, bool *changed_out);

/* Control flow simplification: drops code that no lane runs, and constructs
 * that make no difference. */
enum tg_result
lir_pass_flow(struct lir_module *module, bool *changed_out);

/* Dead code elimination: drops values, variables and functions that nobody
 * uses. */
enum tg_result
lir_pass_dce(struct lir_module *module, bool *changed_out);

/* Loop-invariant code motion: takes out of loops what gives the same in each
 * turn. */
enum tg_result
lir_pass_licm(struct lir_module *module, bool *changed_out);

/* Bounds check elimination: sets lir_inst.is_inside where an access is proven
 * to be in bounds. Never changes the code. */
enum tg_result
lir_pass_bounds(struct lir_module *module, bool *changed_out);

/* Uniformity analysis: sets lir_inst.is_uniform. Never changes the code. */
enum tg_result
lir_pass_uniformity(struct lir_module *module, bool *changed_out);

/* Load vectorization: makes loads of words that are next to each other runs,
 * and sets lir_inst.num_words. Expects marks of the pass before it. */
enum tg_result
lir_pass_vectorize(struct lir_module *module, bool *changed_out);

/* What is wrong with a module after a pass: see lir_verify(). */
struct lir_pass_fault {
   const char *pass;
   const char *what;
};

/* How lir_optimize() runs. Zero is the usual way. */
struct lir_pass_options {
   bool disable;         /* run only the passes after the rounds */
   bool verify_each;     /* verify after each pass */
   FILE *print_after;    /* list the module after each pass, or NULL */
   const char *after;    /* name of the one pass to list it after, or NULL */
   const char *skip;     /* name of one pass to leave out, or NULL */
   const char *only;     /* name of the one pass to run, or NULL */
   struct tg_work *work; /* that pays for the passes, or NULL */
   struct lir_pass_fault *fault_out; /* of TG_ERROR_UNSUPPORTED, or NULL */
};

/* The pipeline: all passes, until nothing changes or a bound is reached. NULL
 * for the usual options. TG_ERROR_LIMIT when the work has ended,
 * TG_ERROR_UNSUPPORTED when the module does not verify after a pass, in which
 * it then ends. */
enum tg_result
lir_optimize(struct lir_module *module, const struct lir_pass_options *options);

/* The names of the passes in the order of the pipeline, then NULL. */
extern const char *const lir_pass_names[];

/* Checks all rules of lir.h: types, visibility, levels, bounds, indices. NULL
 * when the module is right, else what is wrong, in the module's arena or
 * static. */
const char *
lir_verify(struct lir_module *module);

/* What lir_verify() returns when memory did not suffice to look. */
extern const char lir_verify_no_memory[];

/* A listing of a module that verifies, to be freed with tg_string_free(); NULL
 * when out of memory. */
char *
lir_print(const struct lir_module *module);

/* How many instructions a module has, and how many of each operation, the most
 * frequent first: a line each, which begins with `indent`. To be freed
 * likewise. */
char *
lir_print_counts(const struct lir_module *module, const char *indent);

/* Sets a flag for each word of a lane memory that the module loads, of the
 * first `num_words`; flags of others stay as they are. False when it may load
 * others, too: words beyond these, or words whose index is computed. */
bool
lir_find_loads(const struct lir_module *module, enum lir_space space,
               bool *is_loaded, uint32_t num_words);

/* Busy waiting: may a wave stay in a loop until another has written something?
 * True also where the module is too intricate to tell. TG_ERROR_MEMORY. */
enum tg_result
lir_find_waits(const struct lir_module *module, bool *may_wait_out);

#endif
