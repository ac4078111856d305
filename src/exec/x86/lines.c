/* SPDX-License-Identifier: MIT
 *
 * What debuggers are to know, noted as code is emitted: line tables, which have
 * where lines of TGSI begin in the code, and registers that have been pushed.
 */
#include <assert.h>

#include "exec/jit/names.h"
#include "exec/jit/source.h"
#include "exec/x86/emitter.h"

void
x86_begin_lines(struct x86_emitter *e)
{
   e->lines.is_wanted = jit_names_are_for_gdb();
   x86_locate(e, 0);
}

static bool
ends_with(const struct x86_lines *lines, uint32_t line)
{
   return lines->num_rows && lines->rows[lines->num_rows - 1].line == line;
}

/* Forgets the last row where no code is of it. */
static void
drop_empty(struct x86_lines *lines, uint32_t offset)
{
   if (lines->num_rows && lines->rows[lines->num_rows - 1].offset == offset)
      lines->num_rows--;
}

/* When memory runs out, rows are missing: code without them is as good. */
void
x86_locate_line_at(struct x86_emitter *e, uint32_t origin)
{
   struct x86_lines *lines = &e->lines;
   const uint32_t line = jit_find_source_line(&e->module->symbols, origin);
   const uint32_t offset = e->a.num_bytes;
   void *rows = lines->rows;

   if (!line)
      return;
   drop_empty(lines, offset);
   if (ends_with(lines, line) ||
       !tg_arena_reserve(e->arena, &rows, &lines->capacity, lines->num_rows,
                         sizeof(*lines->rows)))
      return;
   lines->rows = rows;
   lines->rows[lines->num_rows++] = (struct jit_line_row){offset, line};
}

uint32_t
x86_find_end_of_line(const struct x86_emitter *e, uint32_t at, uint32_t end)
{
   uint32_t line = 0;

   for (; at < end; at++) {
      const uint32_t here =
         jit_find_source_line(&e->module->symbols, e->unit.insts[at].origin);

      if (line && here && here != line)
         break;
      line = here ? here : line;
   }
   return at;
}

/* DWARF's numbers of registers, as the psABI has them. */
static const uint8_t dwarf_number[] = {
   [X86_RAX] = 0,  [X86_RDX] = 1,  [X86_RCX] = 2,  [X86_RBX] = 3,
   [X86_RSI] = 4,  [X86_RDI] = 5,  [X86_RBP] = 6,  [X86_RSP] = 7,
   [X86_R8] = 8,   [X86_R9] = 9,   [X86_R10] = 10, [X86_R11] = 11,
   [X86_R12] = 12, [X86_R13] = 13, [X86_R14] = 14, [X86_R15] = 15,
};

void
x86_note_save_for_lines(struct x86_emitter *e, enum x86_general reg)
{
   struct jit_prologue *prologue = &e->prologue;

   assert(prologue->num_saves < JIT_MAX_SAVES);
   prologue->saves[prologue->num_saves].offset = e->a.num_bytes;
   prologue->saves[prologue->num_saves++].reg = dwarf_number[reg];
}
