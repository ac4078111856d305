/* SPDX-License-Identifier: MIT
 *
 * Legal operands of the memory opcodes: see memory.h.
 */
#include "tgsi/analysis/memory.h"

#include <assert.h>
#include <stddef.h>

/* Which formats an atomic may work on. */
enum memory_formats {
   ANY,
   INT32,
   WORD,
   FLOAT32,
};

struct memory_row {
   uint32_t files; /* 1 << enum tg_file */
   enum memory_formats formats;
};

enum {
   CONST = 1 << TG_FILE_CONST,
   SAMP = 1 << TG_FILE_SAMP,
   IMAGE = 1 << TG_FILE_IMAGE,
   BUFFER = 1 << TG_FILE_BUFFER,
   MEMORY = 1 << TG_FILE_MEMORY,
   CONSTBUF = 1 << TG_FILE_CONSTBUF,
   HWATOMIC = 1 << TG_FILE_HWATOMIC,
   RES = 1 << TG_FILE_RES,
   HANDLE = TG_HANDLE_FILES,
};

static const struct memory_row rows[TG_NUM_OPCODES] = {
#define TG_MEMORY_RULE(name, files, formats)                                   \
   [TG_OPCODE_##name] = {files, formats},
#include "tgsi/analysis/memory_rules.def"
#include "util/length.h"
};

uint32_t
tg_memory_files(enum tg_opcode opcode)
{
   assert(opcode < TG_LENGTH(rows));
   return rows[opcode].files;
}

bool
tg_memory_has_format(enum tg_opcode opcode, enum tg_format format)
{
   assert(opcode < TG_LENGTH(rows));
   const bool is_integer =
      format == TG_FORMAT_R32_UINT || format == TG_FORMAT_R32_SINT;
   const bool is_float = format == TG_FORMAT_R32_FLOAT;

   switch (rows[opcode].formats) {
   case INT32: return is_integer;
   case WORD: return is_integer || is_float;
   case FLOAT32: return is_float;
   default: return true;
   }
}

enum tg_resource_kind
tg_memory_resource_kind(const struct tg_declaration *declaration)
{
   if (declaration->has_return_type)
      return TG_RESOURCE_VIEW;
   if (!declaration->raw)
      return TG_RESOURCE_IMAGE;
   return declaration->target == TG_TARGET_BUFFER ? TG_RESOURCE_BUFFER
                                                  : TG_RESOURCE_ROWS;
}

const char *
tg_memory_formats_text(enum tg_opcode opcode)
{
   assert(opcode < TG_LENGTH(rows));
   switch (rows[opcode].formats) {
   case INT32: return "R32_UINT or R32_SINT";
   case WORD: return "R32_UINT, R32_SINT or R32_FLOAT";
   case FLOAT32: return "R32_FLOAT";
   default: return NULL;
   }
}
