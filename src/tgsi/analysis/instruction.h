/* SPDX-License-Identifier: MIT
 *
 * Channels read by an instruction: by which row it is to be read, and which
 * channels of its sources it needs.
 */
#ifndef TG_TGSI_ANALYSIS_INSTRUCTION_H
#define TG_TGSI_ANALYSIS_INSTRUCTION_H

#include "tgsi/shader/shader.h"

/* The row that says how an instruction's operands are read: that of its
 * opcode, but that of SAMPLE_I for a LOAD of 2011, from a resource. */
const struct tg_opcode_info *
tg_instruction_row(const struct tg_shader *shader,
                   const struct tg_instruction *instruction);

/* Does a LOAD from a register of CONST read a constant buffer by addresses? A
 * register that holds the handle of an image comes with a target or a format.
 */
bool
tg_instruction_loads_constants(const struct tg_instruction *instruction);

/* The channels, TG_MASK_*, of source `src` that an instruction needs, before
 * its swizzle: channel x is the one that swizzle[0] names. `row` is that of
 * the function above. It may be more than matters, never less. */
unsigned
tg_instruction_reads(const struct tg_instruction *instruction,
                     const struct tg_opcode_info *row, unsigned src);

/* Are products with the sums after them fused multiply-adds? Those of opcodes
 * that fuse, in a dialect that does, unless the instruction is PRECISE. */
bool
tg_instruction_is_fused(const struct tg_instruction *instruction,
                        const struct tg_opcode_info *row,
                        enum tg_dialect dialect);

#endif
