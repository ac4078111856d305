/* SPDX-License-Identifier: MIT
 *
 * Blocks of surfaces: see block.c.
 */
#ifndef TG_EXEC_X86_BLOCK_H
#define TG_EXEC_X86_BLOCK_H

#include "exec/x86/emitter.h"

/* The slot of whether the lanes of an index are a block, see struct x86_block:
 * found out here, unless that is known. */
int32_t
x86_find_block(struct x86_emitter *e, const struct x86_inst *inst);

/* At the end of a construct or an arm: forgets what was found out there. */
void
x86_forget_blocks(struct x86_emitter *e);

/* A half of a block; or it goes to `other`, where lanes are none. A store goes
 * to `done` when it is. */
void
x86_load_rows_of_block(struct x86_emitter *e, int32_t place, unsigned target,
                       uint32_t other);
void
x86_store_half_of_block(struct x86_emitter *e, int32_t place, unsigned value,
                        uint32_t other, uint32_t done);

#endif
