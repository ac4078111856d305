/* SPDX-License-Identifier: MIT
 *
 * LLVM's C API, loaded when a JIT is asked for: the library is large, and a
 * process that interprets needs neither its time to start nor its presence. A
 * function of it is called by a pointer, llvm.BuildAdd() for LLVMBuildAdd().
 */
#ifndef TG_EXEC_JIT_LLVM_H
#define TG_EXEC_JIT_LLVM_H

#include <stdbool.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/LLJITUtils.h>
#include <llvm-c/Object.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm-c/blake3.h>

struct llvm_functions {
#define LLVM_SYMBOL(name, symbol) __typeof__(symbol) *name;
#include "exec/jit/llvm.def"
};

/* Null pointers until llvm_load() has returned true. */
extern struct llvm_functions llvm;

/* Loads the library and initialises the target that this process runs on; once,
 * any thread may ask again. False when it is not there or lacks a function. */
bool
llvm_load(void);

#endif
