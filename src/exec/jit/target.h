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
struct jit_linked {
   LLVMOrcResourceTrackerRef tracker;
   jit_function function;
   size_t size; /* bytes, where perf wants them; else 0 */
};

/* Improves a module and makes an object file of it. NULL when LLVM refuses, or
 * has given up on a fatal error: then `*is_lost_out` is set, and the module and
 * its context can not be used or freed any more. Else they stay the caller's.
 * Any thread. */
LLVMMemoryBufferRef
jit_target_generate(const struct jit_set *set, LLVMModuleRef module,
                    bool *is_lost_out);

/* Links an object file, which it takes over, and finds its function `name`, of
 * which the process must have no other. False when LLVM refuses. Any thread. */
bool
jit_target_link(LLVMMemoryBufferRef object, const char *name,
                struct jit_linked *linked_out);

/* Frees code that nobody runs any more. */
void
jit_target_unlink(struct jit_linked *linked);

/* Adds to a digest what the objects of a set depend on beside their modules:
 * LLVM, what it is asked for, and the machine. */
void
jit_target_identify(const struct jit_set *set, llvm_blake3_hasher *hasher);

/* Does the machine, or the set, convert halves? */
bool
jit_target_has_half(const struct jit_set *set);

/* Likewise: has it AVX2, whose permutations of eight words (VPERMD) and gathers
 * the emitter uses? */
bool
jit_target_has_avx2(const struct jit_set *set);

/* Likewise: has it AVX-512F, of which the emitter uses permutations of sixteen
 * words out of two vectors (VPERMI2D), and conversions that round down? */
bool
jit_target_has_avx512(const struct jit_set *set);

/* Likewise: does it scatter words in less time than lane by lane? */
bool
jit_target_has_scatter(const struct jit_set *set);

/* The processor whose model code is scheduled with; NULL: the set's own. */
const char *
jit_target_tuning(const struct jit_set *set);

#endif
