/* SPDX-License-Identifier: MIT
 *
 * The executors that set.c is compiled to.
 */
#ifndef TG_EXEC_INTERP_SETS_H
#define TG_EXEC_INTERP_SETS_H

#include "exec/interp/interp.h"

#define INTERP_EXECUTOR(set) INTERP_EXECUTOR_(set)
#define INTERP_EXECUTOR_(set) interp_executor_##set

#define INTERP_INSTRUCTION_SET(name, is_there)                                 \
   extern const struct exec_executor INTERP_EXECUTOR(name);
#include "exec/interp/sets.def"

/* Executors see programs of the interpreter as opaque. */
static inline const struct interp_program *
interp_program(const struct exec_program *program)
{
   return (const struct interp_program *)program;
}

#endif
