/* SPDX-License-Identifier: MIT
 *
 * Names of code for debuggers and profilers, as the environment variable
 * TUNGSTEN_JIT_DEBUG asks for them: "perf" writes the map that perf(1) reads,
 * "gdb" has LLVM register objects with GDB, and line tables emitted; a comma is
 * between several. Code that has been named stays until the process ends.
 */
#ifndef TG_EXEC_JIT_DEBUG_H
#define TG_EXEC_JIT_DEBUG_H

#include <stdbool.h>
#include <stddef.h>

#include "exec/jit/emit.h"

struct exec_digest;
struct jit_linked;

bool
jit_wants_perf(void);
bool
jit_wants_gdb(void);

/* The name of a module for users, of letters, digits and underscores:
 * "FRAG_shader_7". */
enum { JIT_TITLE_BYTES = 128 };
void
jit_print_title(const struct lir_module *module, char title[JIT_TITLE_BYTES]);

/* ---- perf ---------------------------------------------------------------- */

/* Opens the map of this process, /tmp/perf-PID.map, if it is wanted and was not
 * yet: before a sandbox forbids that. Not several threads at a time, as of the
 * next. */
void
jit_open_map(void);

/* Adds code that was linked to the map, if there is one. */
void
jit_add_to_map(const struct lir_module *module,
               const struct exec_digest *digest,
               const struct jit_linked *linked);

/* ---- GDB ----------------------------------------------------------------- */

/* Begins and ends the line table of the function that is being emitted, where
 * GDB is to see it; instructions between these are located by their origins. */
void
jit_begin_lines(struct jit_emitter *e);
void
jit_end_lines(struct jit_emitter *e);

void
jit_locate_at(struct jit_emitter *e, uint32_t origin);

static inline void
jit_locate(struct jit_emitter *e, const struct lir_inst *inst)
{
   if (e->lines)
      jit_locate_at(e, inst->origin);
}

#endif
