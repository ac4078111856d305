/* SPDX-License-Identifier: MIT
 *
 * The commands of vertices: `element` and `vertex buffer`.
 */
#include "script/commands/commands.h"
#include "script/text/choices.h"

/* ---- element N FORMAT [buffer B] [offset BYTES] [divisor N] -------------- */

bool
script_read_vertex_element(struct script_cursor *cursor,
                           const struct script *script,
                           struct script_command *command)
{
   struct script_element *element = &command->element;
   uint32_t buffer = 0;

   (void)script;
   *element = (struct script_element){0};
   if (!cursor_read_number(cursor, 0, TG_MAX_VERTEX_ELEMENTS - 1, "an element",
                           &element->number) ||
       !script_read_format_choice(cursor, &element->element.format))
      return false;
   if (cursor_accept_words(cursor, "buffer") &&
       !cursor_read_number(cursor, 0, UINT8_MAX, "a vertex buffer", &buffer))
      return false;
   element->element.vertex_buffer_index = (uint8_t)buffer;
   if (cursor_accept_words(cursor, "offset") &&
       !cursor_read_number(cursor, 0, UINT32_MAX, "a number of bytes",
                           &element->element.src_offset))
      return false;
   return !cursor_accept_words(cursor, "divisor") ||
          cursor_read_number(cursor, 0, UINT32_MAX, "a number of instances",
                             &element->element.instance_divisor);
}

enum tg_result
script_do_vertex_element(struct script_runner *runner,
                         const struct script_command *command)
{
   struct script_drawing *drawing = &runner->drawing;
   const struct script_element *element = &command->element;

   drawing->elements[element->number] = *element;
   if (drawing->num_elements <= element->number)
      drawing->num_elements = element->number + 1;
   drawing->has_elements = false;
   return TG_OK;
}

/* ---- vertex buffer N buffer M [offset BYTES] [stride BYTES] -------------- */

bool
script_read_vertex_buffer(struct script_cursor *cursor,
                          const struct script *script,
                          struct script_command *command)
{
   struct script_element *element = &command->element;

   *element = (struct script_element){.stride = script->vertices.stride};
   if (!cursor_read_number(cursor, 0, TG_MAX_VERTEX_BUFFERS - 1,
                           "a vertex buffer", &element->number))
      return false;
   element->is_nothing = cursor_accept_words(cursor, "nothing");
   if (element->is_nothing)
      return true;
   if (!cursor_accept_words(cursor, "vertex data")) {
      element->buffer = script_read_place_buffer(cursor, script);
      element->stride = 0;
      if (!element->buffer)
         return false;
   }
   if (cursor_accept_words(cursor, "offset") &&
       !cursor_read_number(cursor, 0, UINT32_MAX, "a number of bytes",
                           &element->offset))
      return false;
   return !cursor_accept_words(cursor, "stride") ||
          cursor_read_number(cursor, 0, UINT32_MAX, "a number of bytes",
                             &element->stride);
}

enum tg_result
script_do_vertex_buffer(struct script_runner *runner,
                        const struct script_command *command)
{
   struct script_drawing *drawing = &runner->drawing;

   drawing->buffers[command->element.number] = command->element;
   drawing->has_elements = false;
   return TG_OK;
}
