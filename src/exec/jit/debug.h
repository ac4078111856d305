/* SPDX-License-Identifier: MIT
 *
 * Objects for debuggers: an ELF executable in memory of one function, whose
 * code is elsewhere; with DWARF that unwinds its frames and maps the code to
 * lines, if these are known.
 */
#ifndef TG_EXEC_JIT_DEBUG_H
#define TG_EXEC_JIT_DEBUG_H

#include <stddef.h>
#include <stdint.h>

#include "lir/lir.h"

/* A row of a line table: code is of this line up to the next row. */
struct jit_line_row {
   uint32_t offset; /* bytes from the beginning of the code */
   uint32_t line;   /* of module->symbols.file, from 1 */
};

enum { JIT_MAX_SAVES = 6 };

/* How a function begins: it pushes registers, and has RBP point to the last. */
struct jit_prologue {
   struct {
      uint32_t offset; /* after the push, in bytes from the beginning */
      uint8_t reg;     /* by the number that DWARF has for it */
   } saves[JIT_MAX_SAVES];
   unsigned num_saves;
   uint32_t frame_offset; /* from which on RBP does */
};

/* All is borrowed. */
struct jit_debug_info {
   const struct lir_module *module;
   const void *code;
   size_t size; /* bytes of instructions, without constants after them */
   const struct jit_line_row *rows; /* offsets rise, and are less than size */
   uint32_t num_rows;               /* 0: no lines are known */
   struct jit_prologue prologue;    /* offsets rise; the steps are short */
};

/* An object, for the caller to free with tg_string_free(); NULL when out of
 * memory. */
char *
jit_make_debug_object(const struct jit_debug_info *info, size_t *size_out);

#endif
