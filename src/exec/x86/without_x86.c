/* SPDX-License-Identifier: MIT
 *
 * On machines that are no x86-64: there is no code.
 */
#include "exec/x86/x86.h"

bool
x86_is_there(void)
{
   return false;
}

enum tg_result
x86_compile(const struct lir_module *module, const struct jit_shape *shape,
            const struct tg_allocator *allocator, struct x86_code *code_out)
{
   (void)module;
   (void)shape;
   (void)allocator;
   (void)code_out;
   return TG_OK;
}

void
x86_release(struct x86_code *code)
{
   (void)code;
}
