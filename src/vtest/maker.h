/* SPDX-License-Identifier: MIT
 *
 * Sandboxed compilation: the object of a module that may be hostile is made by
 * a process that has nothing but the module. See docs/code-cache.md.
 */
#ifndef VTEST_MAKER_H
#define VTEST_MAKER_H

#include "exec/exec.h"
#include "exec/store.h"

/* Has an executor make the object of a serialized module, which may take ten
 * seconds of a processor, and waits for it. Any thread. False: there is none,
 * or no sandbox. */
bool
vtest_make_object(const struct exec_executor *executor, const void *module,
                  size_t num_bytes, struct exec_object *object_out);

#endif
