/* SPDX-License-Identifier: MIT
 *
 * The JIT: an executor that compiles LIR with LLVM. A program is also one of
 * the interpreter, which runs what code can not be made for.
 */
#ifndef TG_EXEC_JIT_JIT_H
#define TG_EXEC_JIT_JIT_H

#include "exec/exec.h"

/* Who generates the code of a set, and when. */
enum jit_mode {
   JIT_LLVM,  /* LLVM, at once */
   JIT_X86,   /* exec/x86, at once */
   JIT_TIERS, /* exec/x86 at once, and LLVM in the background what is hot */
};

/* What code is generated for. */
struct jit_set {
   const char *cpu;      /* as LLVM names it; NULL: that of this machine */
   const char *features; /* likewise */
   bool has_half;        /* converts halves; where `cpu` is NULL, not set */
   bool has_avx2;        /* likewise: AVX2 */
   bool has_avx512;      /* likewise: AVX-512F */
   bool has_scatter;     /* likewise: scatters faster than lane by lane */
   enum jit_mode mode;
};

#endif
