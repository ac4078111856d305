/* SPDX-License-Identifier: MIT
 *
 * Legal operands of the memory opcodes: memory_rules.def as a table.
 */
#ifndef TG_TGSI_ANALYSIS_MEMORY_H
#define TG_TGSI_ANALYSIS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "tgsi/shader/shader.h"

/* Files whose registers may hold a handle, where an object is expected. */
#define TG_HANDLE_FILES                                                        \
   (1u << TG_FILE_TEMP | 1u << TG_FILE_CONST | 1u << TG_FILE_IN |              \
    1u << TG_FILE_IMM | 1u << TG_FILE_OUT)

/* The files that the object operand of a memory opcode may name, as a set of 1
 * << enum tg_file; 0 when the opcode has none. */
uint32_t
tg_memory_files(enum tg_opcode opcode);

/* Can a memory opcode work on an image of this format? Any will do where the
 * opcode does not work on single words. */
bool
tg_memory_has_format(enum tg_opcode opcode, enum tg_format format);

/* What a RES is. */
enum tg_resource_kind {
   TG_RESOURCE_VIEW,   /* of 2011: it has types */
   TG_RESOURCE_BUFFER, /* RAW, of the target BUFFER */
   TG_RESOURCE_ROWS,   /* RAW, of another target: an image, whose x is bytes */
   TG_RESOURCE_IMAGE,
};

enum tg_resource_kind
tg_memory_resource_kind(const struct tg_declaration *declaration);

/* "R32_UINT or R32_SINT": the formats that it can work on; NULL if any. */
const char *
tg_memory_formats_text(enum tg_opcode opcode);

#endif
