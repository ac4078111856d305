/* SPDX-License-Identifier: MIT
 *
 * The command `attach`: attachments of the framebuffer.
 */
#include "script/commands/commands.h"
#include "script/text/choices.h"

/* target N, or depth */
static bool
read_attachment(struct script_cursor *cursor, unsigned *number_out)
{
   uint32_t number = SCRIPT_DEPTH;

   if (!cursor_accept_words(cursor, "depth") &&
       (!cursor_accept_words(cursor, "target")
           ? !cursor_complain(cursor, "expected target or depth")
           : !cursor_read_number(cursor, 0, TG_MAX_COLOR_BUFFERS - 1,
                                 "a colour target", &number)))
      return false;
   *number_out = number;
   return true;
}

/* [level L] [layers A B] [format F] */
static bool
read_part(struct script_cursor *cursor, struct script_attachment *attachment)
{
   if (cursor_accept_words(cursor, "level") &&
       !cursor_read_number(cursor, 0, TG_MAX_TEXTURE_LEVELS - 1, "a level",
                           &attachment->level))
      return false;
   if (cursor_accept_words(cursor, "layers") &&
       !(cursor_read_number(cursor, 0, TG_MAX_TEXTURE_LAYERS - 1,
                            "the first layer", &attachment->layers[0]) &&
         cursor_read_number(cursor, 0, TG_MAX_TEXTURE_LAYERS - 1,
                            "the last layer", &attachment->layers[1])))
      return false;
   return !cursor_accept_words(cursor, "format") ||
          script_read_format_choice(cursor, &attachment->format);
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
   if (cursor_accept_words(cursor, "own"))
      return true;
   attachment->kind = SCRIPT_ATTACH_NOTHING;
   if (cursor_accept_words(cursor, "nothing"))
      return true;
   attachment->kind = SCRIPT_ATTACH_PLACE;
   attachment->place = script_read_place_owner(cursor, script);
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
