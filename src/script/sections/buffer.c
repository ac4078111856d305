/* SPDX-License-Identifier: MIT
 *
 * Parsing of sections that hold bytes, [buffer N] and the like.
 */
#include "script/sections/section.h"

/* Appends a value's bytes, the low ones first. */
static bool
append(struct script_parser *parser, struct script_memory *memory,
       const struct script_values *value, unsigned size)
{
   const uint64_t bits = value->words[0] | (uint64_t)value->words[1] << 32;

   if (!script_section_reserve(parser, (void **)&memory->bytes,
                               &memory->byte_capacity, memory->num_bytes, size,
                               SCRIPT_MAX_BYTES, 1))
      return false;
   for (unsigned i = 0; i < size; i++)
      memory->bytes[memory->num_bytes++] = (uint8_t)(bits >> i * 8);
   return true;
}

/* TYPE VALUE ... */
static bool
read_data(struct script_parser *parser, struct script_memory *memory)
{
   struct script_cursor *cursor = &parser->cursor;
   const struct script_type *type = script_accept_value_type(cursor);
   if (!type)
      return script_complain_of_value_type(cursor);

   do {
      struct script_values value = {0};

      if (!script_read_typed_value(cursor, type, &value) ||
          !append(parser, memory, &value, script_value_type_size(type)))
         return false;
      cursor_accept_char(cursor, ',');
   } while (!cursor_at_end(cursor));
   return true;
}

/* fill TYPE VALUE */
static bool
read_fill(struct script_cursor *cursor, struct script_memory *memory)
{
   const struct script_type *type = script_accept_value_type(cursor);
   struct script_values value = {0};

   if (!type)
      return script_complain_of_value_type(cursor);
   if (script_value_type_size(type) != sizeof(memory->fill))
      return cursor_complain(cursor, "a buffer is filled with words");
   if (!script_read_typed_value(cursor, type, &value))
      return false;
   memory->fill = value.words[0];
   return true;
}

bool
script_read_buffer_line(struct script_parser *parser,
                        struct script_memory *memory)
{
   struct script_cursor *cursor = &parser->cursor;

   if (cursor_accept_words(cursor, "size"))
      return cursor_read_number(cursor, 4, TG_MAX_RESOURCE_SIZE,
                                "a number of bytes", &memory->desc.width);
   if (cursor_accept_words(cursor, "numbered")) {
      memory->contents = SCRIPT_CONTENTS_NUMBERED;
      return true;
   }
   if (cursor_accept_words(cursor, "fill"))
      return read_fill(cursor, memory);
   return read_data(parser, memory);
}

bool
script_finish_buffer(struct script_cursor *head, struct script_memory *memory)
{
   uint32_t *size = &memory->desc.width;

   if (!*size)
      *size = (memory->num_bytes + 3) & ~3u;
   if (!*size)
      return cursor_complain(head, "the buffer has no size");
   return *size >= memory->num_bytes ||
          cursor_complain(head,
                          "the data are %u bytes, more than the buffer's %u",
                          memory->num_bytes, *size);
}
