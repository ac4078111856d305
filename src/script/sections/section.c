/* SPDX-License-Identifier: MIT
 *
 * Iteration over the lines of sections, and room for what they give.
 */
#include "script/sections/section.h"

/* Units of work of a line; most take less. */
enum { LINE_WORK = 512 };

static bool
is_head(const struct script_cursor *cursor)
{
   return cursor->at < cursor->end && *cursor->at == '[';
}

bool
script_next_section_line(struct script_parser *parser)
{
   if (!parser->has_line)
      parser->has_line = tg_work_pay(&parser->work, LINE_WORK) &&
                         cursor_next_line(&parser->cursor);
   if (!parser->has_line || is_head(&parser->cursor))
      return false;
   parser->has_line = false;
   return true;
}

bool
script_next_section_words(struct script_parser *parser)
{
   while (script_next_section_line(parser)) {
      if (!cursor_at_end(&parser->cursor))
         return true;
   }
   return false;
}

void
script_skip_section(struct script_parser *parser)
{
   while (script_next_section_line(parser))
      ;
}

void
script_section_check(struct script_parser *parser, bool good)
{
   if (!good)
      parser->failed = true;
}

bool
script_section_reserve(struct script_parser *parser, void **items,
                       uint32_t *capacity, uint32_t count, uint32_t num_more,
                       uint32_t most, size_t size)
{
   if (num_more > most || count > most - num_more)
      return cursor_complain(&parser->cursor, "there are more than %u of these",
                             most);
   for (uint32_t i = 0; i < num_more; i++) {
      if (!tg_arena_reserve(&parser->script->arena, items, capacity, count + i,
                            size)) {
         parser->out_of_memory = true;
         return false;
      }
   }
   return true;
}
