/* SPDX-License-Identifier: MIT
 *
 * Machine code of LLVM by the digest of its module: the process has it once,
 * for all programs of the same LIR; it comes from the store, if there is one,
 * or is generated. A build without LLVM has without_llvm.c in place of code.c.
 */
#ifndef TG_EXEC_JIT_CODE_H
#define TG_EXEC_JIT_CODE_H

#include "exec/jit/frame.h"
#include "exec/jit/jit.h"
#include "exec/jit/shape.h"
#include "exec/store.h"

/* Loads LLVM; once, any thread may ask again. False when it is not there, and
 * then nothing below is called. */
bool
jit_load_llvm_for_code(void);

/* Whose code is asked for. */
struct jit_request {
   const struct jit_set *set;
   const struct exec_store *store; /* or NULL */
   struct exec_counters *counters; /* or NULL */
   struct tg_profile *profile;     /* or NULL */
   uint32_t profile_shader;        /* see struct exec_build */
   struct exec_digest digest;
};

/* Code that is in use. */
struct jit_code;

/* Sets the digest to that of a module. False when out of memory. */
bool
jit_request_code_of_module(struct jit_request *request,
                           const struct lir_module *module);

/* The code that the process or the store has; NULL: none. The module is the
 * request's. */
struct jit_code *
jit_find_code(const struct jit_request *request,
              const struct lir_module *module);

/* Makes the code of the request's module. TG_ERROR_MEMORY; TG_OK too where LLVM
 * refuses, or the module is too large, and then the code is NULL. `shape` is as
 * jit_survey() left it. */
enum tg_result
jit_make_code(const struct jit_request *request,
              const struct lir_module *module, const struct jit_shape *shape,
              const struct tg_allocator *allocator, struct jit_code **code_out);

jit_function
jit_code_function(const struct jit_code *code);

/* The caller runs it no more. Takes NULL. */
void
jit_release_code(struct jit_code *code);

/* See struct exec_executor. */
void
jit_digest_of_code(const struct jit_set *set, const void *bytes,
                   size_t num_bytes, struct exec_digest *digest_out);
bool
jit_make_code_object(const struct jit_set *set, const void *bytes,
                     size_t num_bytes, struct exec_object *object_out);

/* In a child of fork(): no other thread is at work on code. */
void
jit_forget_threads_of_code(void);

#endif
