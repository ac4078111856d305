/* SPDX-License-Identifier: MIT
 *
 * The command `blit`.
 */
#include <string.h>

#include "script/commands/sides.h"

/* mask rgbazs */
static bool
read_mask(struct script_cursor *cursor, uint8_t *mask_out)
{
   static const char letters[] = "rgbazs"; /* in the order of tg_channel_mask */
   const struct script_word word = cursor_peek_word(cursor);

   *mask_out = 0;
   for (size_t i = 0; i < word.length; i++) {
      const char *letter = memchr(letters, word.text[i], sizeof(letters) - 1);
      if (!letter)
         return cursor_complain(cursor, "expected some of rgbazs");
      *mask_out |= (uint8_t)(1u << (letter - letters));
   }
   if (!word.length)
      return cursor_complain(cursor, "expected some of rgbazs");
   cursor_read_word(cursor);
   return true;
}

static bool
read_blit_option(struct script_cursor *cursor, struct script_transfer *transfer)
{
   bool good;

   if (script_accept_clear_scissor(cursor, &transfer->has_scissor,
                                   transfer->scissor, &good))
      return good;
   if (cursor_accept_words(cursor, "mask"))
      return read_mask(cursor, &transfer->mask);
   if (cursor_accept_words(cursor, "linear"))
      transfer->filter = TG_FILTER_LINEAR;
   else if (cursor_accept_words(cursor, "conditional"))
      transfer->is_conditional = true;
   else if (cursor_accept_words(cursor, "blend"))
      transfer->blends = true;
   else if (cursor_accept_words(cursor, "windows"))
      transfer->has_windows = true;
   else
      return cursor_complain(cursor, "expected one of within, mask, linear, "
                                     "conditional, blend, windows");
   return true;
}

/* blit SIDE to SIDE [linear] [mask M] [within X Y W H] [conditional] [blend]
 * [windows] */
bool
script_read_blit(struct script_cursor *cursor, const struct script *script,
                 struct script_command *command)
{
   struct script_transfer *transfer = &command->transfer;
   bool good = script_read_sides(cursor, script, transfer);

   while (good && !cursor_at_end(cursor))
      good = read_blit_option(cursor, transfer);
   return good;
}

static struct tg_blit_side
to_blit_side(const struct script_side *side, struct tg_resource *resource)
{
   return (struct tg_blit_side){
      .resource = resource,
      .format = side->format,
      .level = side->level,
      .x = side->box[0],
      .y = side->box[1],
      .z = side->box[2],
      .width = side->box[3],
      .height = side->box[4],
      .depth = side->box[5],
   };
}

enum tg_result
script_do_blit(struct script_runner *runner,
               const struct script_command *command)
{
   struct script_transfer transfer = command->transfer;
   struct script_side *src = &transfer.src, *dst = &transfer.dst;
   struct tg_resource *from, *to;
   enum tg_result result =
      script_find_sides(runner, command, &transfer, &from, &to);
   if (result != TG_OK)
      return result;

   const struct tg_blit_info info = {
      .size = sizeof(info),
      .dst = to_blit_side(dst, to),
      .src = to_blit_side(src, from),
      .mask = transfer.mask,
      .filter = transfer.filter,
      .scissor_enable = transfer.has_scissor,
      .scissor = script_clear_scissor(transfer.scissor),
      .render_condition_enable = transfer.is_conditional,
      .alpha_blend = transfer.blends,
      .window_rectangle_enable = transfer.has_windows,
   };
   const uint64_t size = tg_resource_get_size(to); /* no more is written */
   const uint64_t count = script_side_texels(dst->box);
   result =
      script_runner_touch_pixels(runner, command, count < size ? count : size);
   if (result == TG_OK)
      result = script_state_apply_windows(
         &runner->drawing.state, runner->drawing.gpu, runner->diagnostics);
   if (result != TG_OK)
      return result;
   return script_drawing_result(
      runner, command,
      tg_context_blit(runner->drawing.gpu, &info, runner->diagnostics),
      "nothing was blitted");
}
