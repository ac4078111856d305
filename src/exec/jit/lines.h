/* SPDX-License-Identifier: MIT
 *
 * Line tables of LLVM's code, where GDB is to see it.
 */
#ifndef TG_EXEC_JIT_LINES_H
#define TG_EXEC_JIT_LINES_H

#include "exec/jit/emit.h"

/* Begins and ends the line table of the function that is being emitted, if it
 * is to have one; instructions between these are located by their origins. */
void
jit_begin_lines(struct jit_emitter *e);
void
jit_end_lines(struct jit_emitter *e);

void
jit_locate_line_at(struct jit_emitter *e, uint32_t origin);

static inline void
jit_locate(struct jit_emitter *e, const struct lir_inst *inst)
{
   if (e->lines)
      jit_locate_line_at(e, inst->origin);
}

#endif
