/* SPDX-License-Identifier: MIT
 *
 * The baseline compiler: machine code for x86-64 with AVX2 in about the time
 * that the interpreter takes to decode a module. Nothing of LLVM is in it.
 */
#ifndef TG_EXEC_X86_X86_H
#define TG_EXEC_X86_X86_H

#include <stdbool.h>

#include "exec/jit/frame.h"
#include "exec/jit/shape.h"

/* Code in memory that is executable and not writable. Zero: there is none. */
struct x86_code {
   void *memory;
   size_t size;
   jit_function function;
};

/* Does this machine have what code needs? */
bool
x86_is_there(void);

/* Makes the code of a verified module, whose shape is that of jit_survey().
 * TG_ERROR_MEMORY; TG_OK too where there is no code for it: it is too large, or
 * has something that is not emitted, or the system gives no executable memory.
 */
enum tg_result
x86_compile(const struct lir_module *module, const struct jit_shape *shape,
            const struct tg_allocator *allocator, struct x86_code *code_out);

/* Frees code that nobody runs any more. */
void
x86_release(struct x86_code *code);

#endif
