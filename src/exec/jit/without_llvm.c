/* SPDX-License-Identifier: MIT
 *
 * What code.c is where Tungsten is built without LLVM: there is none to load,
 * and so nobody asks for the rest.
 */
#include "exec/jit/code.h"

bool
jit_load_llvm_for_code(void)
{
   return false;
}

bool
jit_request_code_of_module(struct jit_request *request,
                           const struct lir_module *module)
{
   (void)request;
   (void)module;
   return false;
}

struct jit_code *
jit_find_code(const struct jit_request *request,
              const struct lir_module *module)
{
   (void)request;
   (void)module;
   return NULL;
}

enum tg_result
jit_make_code(const struct jit_request *request,
              const struct lir_module *module, const struct jit_shape *shape,
              const struct tg_allocator *allocator, struct jit_code **code_out)
{
   (void)request;
   (void)module;
   (void)shape;
   (void)allocator;
   *code_out = NULL;
   return TG_OK;
}

jit_function
jit_code_function(const struct jit_code *code)
{
   (void)code;
   return NULL;
}

void
jit_release_code(struct jit_code *code)
{
   (void)code;
}

void
jit_digest_of_code(const struct jit_set *set, const void *bytes,
                   size_t num_bytes, struct exec_digest *digest_out)
{
   (void)set;
   (void)bytes;
   (void)num_bytes;
   *digest_out = (struct exec_digest){{0}};
}

bool
jit_make_code_object(const struct jit_set *set, const void *bytes,
                     size_t num_bytes, struct exec_object *object_out)
{
   (void)set;
   (void)bytes;
   (void)num_bytes;
   (void)object_out;
   return false;
}

void
jit_forget_threads_of_code(void)
{
}
