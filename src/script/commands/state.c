/* SPDX-License-Identifier: MIT
 *
 * The state of draws: rows of run/state.def, and what is more than a row: shaders
 * of stages, attachments, elements of vertices and their buffers.
 */
#include <string.h>

#include "script/commands/commands.h"
#include "script/text/words.h"

/* ---- the rows of run/state.def ------------------------------------------- */

bool
script_read_state(struct script_cursor *cursor, const struct script *script,
                  struct script_command *command)
{
   (void)script;
   return script_state_read(cursor, &command->change);
}

enum tg_result
script_do_state(struct script_runner *runner,
                const struct script_command *command)
{
   struct script_drawing *drawing = &runner->drawing;

   script_apply_rule(&command->change, &drawing->state);
   drawing->has_state = false;
   if (script_state_changes_framebuffer(&command->change))
      drawing->has_framebuffer = false;
   return TG_OK;
}

/* ---- STAGE shader NAME --------------------------------------------------- */

bool
script_read_stage(struct script_cursor *cursor, const struct script *script,
                  struct script_command *command)
{
   struct script_cursor words = *cursor;

   words.at = script->source.text + command->position.offset;
   command->shader_stage = script_accept_stage(&words);
   command->shader = SCRIPT_NO_SHADER;
   return script_accept_words(cursor, "none") ||
          script_read_shader_name(cursor, script, &command->shader);
}

enum tg_result
script_do_stage(struct script_runner *runner,
                const struct script_command *command)
{
   runner->drawing.stages[command->shader_stage].shader = command->shader;
   return TG_OK;
}

/* ---- attach -------------------------------------------------------------- */

/* target N, or depth */
static bool
read_attachment(struct script_cursor *cursor, unsigned *number_out)
{
   uint32_t number = SCRIPT_DEPTH;

   if (!script_accept_words(cursor, "depth") &&
       (!script_accept_words(cursor, "target")
           ? !script_complain(cursor, "expected target or depth")
           : !script_read_number(cursor, 0, TG_MAX_COLOR_BUFFERS - 1,
                                 "a colour target", &number)))
      return false;
   *number_out = number;
   return true;
}

/* [level L] [layers A B] [format F] */
static bool
read_part(struct script_cursor *cursor, struct script_attachment *attachment)
{
   if (script_accept_words(cursor, "level") &&
       !script_read_number(cursor, 0, TG_MAX_TEXTURE_LEVELS - 1, "a level",
                           &attachment->level))
      return false;
   if (script_accept_words(cursor, "layers") &&
       !(script_read_number(cursor, 0, TG_MAX_TEXTURE_LAYERS - 1,
                            "the first layer", &attachment->layers[0]) &&
         script_read_number(cursor, 0, TG_MAX_TEXTURE_LAYERS - 1,
                            "the last layer", &attachment->layers[1])))
      return false;
   return !script_accept_words(cursor, "format") ||
          script_read_format(cursor, &attachment->format);
}

/* attach target N texture M PART, ... own, ... nothing */
bool
script_read_attach(struct script_cursor *cursor, const struct script *script,
                   struct script_command *command)
{
   struct script_attachment *attachment = &command->attachment;

   *attachment = (struct script_attachment){
      .layers = {SCRIPT_AS_IS, SCRIPT_AS_IS},
   };
   if (!read_attachment(cursor, &attachment->number))
      return false;
   if (script_accept_words(cursor, "own"))
      return true;
   attachment->kind = SCRIPT_ATTACH_NOTHING;
   if (script_accept_words(cursor, "nothing"))
      return true;
   attachment->kind = SCRIPT_ATTACH_PLACE;
   attachment->place = script_read_owner(cursor, script);
   return attachment->place && read_part(cursor, attachment);
}

enum tg_result
script_do_attach(struct script_runner *runner,
                 const struct script_command *command)
{
   struct script_drawing *drawing = &runner->drawing;

   drawing->attachments[command->attachment.number] = command->attachment;
   drawing->has_framebuffer = false;
   return TG_OK;
}

/* ---- element N FORMAT [buffer B] [offset BYTES] [divisor N] -------------- */

bool
script_read_element(struct script_cursor *cursor, const struct script *script,
                    struct script_command *command)
{
   struct script_element *element = &command->element;
   uint32_t buffer = 0;

   (void)script;
   *element = (struct script_element){0};
   if (!script_read_number(cursor, 0, TG_MAX_VERTEX_ELEMENTS - 1, "an element",
                           &element->number) ||
       !script_read_format(cursor, &element->element.format))
      return false;
   if (script_accept_words(cursor, "buffer") &&
       !script_read_number(cursor, 0, UINT8_MAX, "a vertex buffer", &buffer))
      return false;
   element->element.vertex_buffer_index = (uint8_t)buffer;
   if (script_accept_words(cursor, "offset") &&
       !script_read_number(cursor, 0, UINT32_MAX, "a number of bytes",
                           &element->element.src_offset))
      return false;
   return !script_accept_words(cursor, "divisor") ||
          script_read_number(cursor, 0, UINT32_MAX, "a number of instances",
                             &element->element.instance_divisor);
}

enum tg_result
script_do_element(struct script_runner *runner,
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
   if (!script_read_number(cursor, 0, TG_MAX_VERTEX_BUFFERS - 1,
                           "a vertex buffer", &element->number))
      return false;
   element->is_nothing = script_accept_words(cursor, "nothing");
   if (element->is_nothing)
      return true;
   if (!script_accept_words(cursor, "vertex data")) {
      element->buffer = script_expect_buffer(cursor, script);
      element->stride = 0;
      if (!element->buffer)
         return false;
   }
   if (script_accept_words(cursor, "offset") &&
       !script_read_number(cursor, 0, UINT32_MAX, "a number of bytes",
                           &element->offset))
      return false;
   return !script_accept_words(cursor, "stride") ||
          script_read_number(cursor, 0, UINT32_MAX, "a number of bytes",
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
