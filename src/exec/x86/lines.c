/* SPDX-License-Identifier: MIT
 *
 * Line tables: where in the code lines of TGSI begin, noted as it is emitted.
 */
#include "exec/jit/names.h"
#include "exec/jit/source.h"
#include "exec/x86/emitter.h"

void
x86_begin_lines(struct x86_emitter *e)
{
   e->lines.is_wanted = jit_wants_gdb();
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
x86_locate_at(struct x86_emitter *e, uint32_t origin)
{
   struct x86_lines *lines = &e->lines;
   const uint32_t line = jit_find_line(&e->module->symbols, origin);
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
