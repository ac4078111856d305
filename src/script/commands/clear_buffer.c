/* SPDX-License-Identifier: MIT
 *
 * The command `clear buffer`.
 */
#include "script/commands/commands.h"

/* clear buffer N at BYTE size BYTES u32 V ... */
bool
script_read_clear_buffer(struct script_cursor *cursor,
                         const struct script *script,
                         struct script_command *command)
{
   struct script_clear *clear = &command->clear;
   uint32_t offset = 0, size = 0;

   *clear = (struct script_clear){0};
   clear->side.place = script_read_place_name(cursor, script, "buffer");
   if (!clear->side.place)
      return false;
   if (!cursor_accept_words(cursor, "at"))
      return cursor_complain(cursor, "expected at");
   if (!cursor_read_number(cursor, 0, INT32_MAX, "a byte", &offset))
      return false;
   if (!cursor_accept_words(cursor, "size"))
      return cursor_complain(cursor, "expected size");
   if (!cursor_read_number(cursor, 0, INT32_MAX, "a number of bytes", &size))
      return false;
   while (!cursor_at_end(cursor) && clear->num_words < 4) {
      if (!script_read_word_values(cursor, SCRIPT_PLAIN_INTEGER, 1,
                                   &clear->words[clear->num_words++]))
         return false;
   }
   clear->side.box[0] = (int32_t)offset;
   clear->side.box[3] = (int32_t)size;
   return clear->num_words > 0 ||
          cursor_complain(cursor, "expected one to four words");
}

enum tg_result
script_do_clear_buffer(struct script_runner *runner,
                       const struct script_command *command)
{
   const struct script_clear *clear = &command->clear;
   const struct script_side *side = &clear->side;
   enum tg_result result = script_drawing_begin(runner, command);

   if (result == TG_OK)
      result = script_runner_touch_pixels(runner, command,
                                          (uint64_t)side->box[3] / 4);
   if (result != TG_OK)
      return result;
   result = tg_context_clear_buffer(
      runner->drawing.gpu, script_bound_resource(runner, side->place),
      (uint32_t)side->box[0], (uint32_t)side->box[3], clear->words,
      clear->num_words * (uint32_t)sizeof(uint32_t), runner->diagnostics);
   return script_drawing_result(runner, command, result, "nothing was cleared");
}
