/* SPDX-License-Identifier: MIT
 *
 * The command `clear texture`.
 */
#include "format/format.h"
#include "script/commands/sides.h"

/* texture N [level L] [box ...] rgba R G B A */
bool
script_read_clear_texture(struct script_cursor *cursor,
                          const struct script *script,
                          struct script_command *command)
{
   struct script_clear *clear = &command->clear;

   *clear = (struct script_clear){0};
   clear->side.place = script_read_place_name(cursor, script, "texture");
   if (!clear->side.place || !script_read_side_part(cursor, &clear->side))
      return false;
   return cursor_accept_words(cursor, "rgba")
             ? script_read_double_values(cursor, 4, clear->color)
             : cursor_complain(cursor, "expected rgba");
}

enum tg_result
script_do_clear_texture(struct script_runner *runner,
                        const struct script_command *command)
{
   struct script_clear clear = command->clear;
   uint8_t texel[32] = {0};
   uint32_t words[4];
   enum tg_result result = script_drawing_begin(runner, command);
   if (result != TG_OK)
      return result;

   struct tg_resource *resource = script_find_side(runner, &clear.side);
   const struct tg_box box = script_side_box(clear.side.box);
   const uint32_t format = tg_resource_get_desc(resource)->format;
   for (unsigned i = 0; i < 4; i++)
      words[i] = script_expect_target_color_word(format, clear.color[i]);
   if (!format_is_compressed((enum tg_format)format))
      format_pack((enum tg_format)format, words, texel);
   result = script_runner_touch_pixels(runner, command,
                                       script_side_texels(clear.side.box));
   if (result != TG_OK)
      return result;
   result =
      tg_context_clear_texture(runner->drawing.gpu, resource, clear.side.level,
                               &box, texel, runner->diagnostics);
   return script_drawing_result(runner, command, result, "nothing was cleared");
}
