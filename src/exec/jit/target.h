/* SPDX-License-Identifier: MIT
 *
 * From LLVM modules to machine code in this process.
 */
#ifndef TG_EXEC_JIT_TARGET_H
#define TG_EXEC_JIT_TARGET_H

#include "exec/jit/frame.h"
#include "exec/jit/jit.h"
#include "exec/jit/llvm.h"

/* Code in memory. Zero: there is none. */
struct jit_code {
   LLVMOrcResourceTrackerRef tracker;
   jit_function function;
};

/* Improves a module, makes code of it and finds its function `name`. The module
 * stays the caller's. False when LLVM refuses. Any thread. */
bool
jit_generate(const struct jit_set *set, LLVMModuleRef module, const char *name,
             struct jit_code *code_out);

/* Frees code that nobody runs any more. */
void
jit_free_code(struct jit_code *code);

/* Does the machine, or the set, convert halves? */
bool
jit_has_half(const struct jit_set *set);

#endif
