/* SPDX-License-Identifier: MIT
 *
 * The command that clears attachments of the framebuffer.
 */
#include "script/commands/commands.h"

/* ---- reading ------------------------------------------------------------- */

bool
script_accept_clear_scissor(struct script_cursor *cursor, bool *has_scissor,
                            uint32_t scissor[4], bool *good_out)
{
   if (!cursor_accept_words(cursor, "within"))
      return false;
   *has_scissor = true;
   *good_out = true;
   for (unsigned i = 0; i < 4 && *good_out; i++)
      *good_out = cursor_read_number(cursor, 0, INT16_MAX,
                                     "a side of a rectangle", &scissor[i]);
   return true;
}

struct tg_scissor
script_clear_scissor(const uint32_t scissor[4])
{
   return (struct tg_scissor){
      .min_x = (uint16_t)scissor[0],
      .min_y = (uint16_t)scissor[1],
      .max_x = (uint16_t)(scissor[0] + scissor[2]),
      .max_y = (uint16_t)(scissor[1] + scissor[3]),
   };
}

/* color R G B A, target N R G B A, depth D, stencil S */
static bool
read_cleared(struct script_cursor *cursor, struct script_clear *clear)
{
   uint32_t number;

   if (cursor_accept_words(cursor, "color")) {
      clear->targets |= (1u << TG_MAX_COLOR_BUFFERS) - 1;
      return script_read_double_values(cursor, 4, clear->color);
   }
   if (cursor_accept_words(cursor, "target")) {
      if (!cursor_read_number(cursor, 0, TG_MAX_COLOR_BUFFERS - 1,
                              "a colour target", &number))
         return false;
      clear->targets |= 1u << number;
      return script_read_double_values(cursor, 4, clear->color);
   }
   if (cursor_accept_words(cursor, "depth")) {
      clear->targets |= 1u << SCRIPT_DEPTH;
      return script_read_double_values(cursor, 1, &clear->depth);
   }
   if (cursor_accept_words(cursor, "stencil")) {
      clear->targets |= 1u << SCRIPT_STENCIL;
      if (!cursor_read_number(cursor, 0, UINT8_MAX, "a stencil", &number))
         return false;
      clear->stencil = (uint8_t)number;
      return true;
   }
   return cursor_complain(cursor,
                          "expected one of color, target, depth, stencil");
}

bool
script_read_clear(struct script_cursor *cursor, const struct script *script,
                  struct script_command *command)
{
   struct script_clear *clear = &command->clear;
   bool good;

   (void)script;
   *clear = (struct script_clear){0};
   do {
      if (!script_accept_clear_scissor(cursor, &clear->has_scissor,
                                       clear->scissor, &good))
         good = read_cleared(cursor, clear);
   } while (good && !cursor_at_end(cursor));
   return good;
}

/* Colours are numbers of the format of each target. */
static enum tg_result
clear_target(struct script_runner *runner, const struct script_clear *clear,
             unsigned number, const struct tg_scissor *scissor)
{
   const struct tg_surface surface = script_drawing_surface(runner, number);
   union tg_color color;
   if (!surface.resource)
      return TG_OK;

   const uint32_t format = surface.format
                              ? surface.format
                              : tg_resource_get_desc(surface.resource)->format;
   for (unsigned i = 0; i < 4; i++)
      color.u[i] = script_expect_target_color_word(format, clear->color[i]);
   return tg_context_clear(runner->drawing.gpu, TG_CLEAR_COLOR0 << number,
                           scissor, &color, 0, 0, runner->diagnostics);
}

enum tg_result
script_do_clear(struct script_runner *runner,
                const struct script_command *command)
{
   const struct script_clear *clear = &command->clear;
   const struct script_state *state = &runner->drawing.state;
   const struct tg_scissor box = script_clear_scissor(clear->scissor);
   const struct tg_scissor *scissor = clear->has_scissor ? &box : NULL;
   uint32_t mask = 0;
   enum tg_result result = script_drawing_begin(runner, command);
   if (result == TG_OK)
      result =
         script_runner_touch_pixels(runner, command,
                                    (uint64_t)state->width * state->height *
                                       state->layers * state->samples);
   if (result == TG_OK)
      result = script_state_apply_windows(state, runner->drawing.gpu,
                                          runner->diagnostics);
   if (result != TG_OK)
      return result;

   runner->drawing.last_draw = command;
   for (unsigned i = 0; i < state->num_targets && result == TG_OK; i++) {
      if (clear->targets >> i & 1)
         result = clear_target(runner, clear, i, scissor);
   }
   if (clear->targets >> SCRIPT_DEPTH & 1)
      mask |= TG_CLEAR_DEPTH;
   if (clear->targets >> SCRIPT_STENCIL & 1)
      mask |= TG_CLEAR_STENCIL;
   if (result == TG_OK && mask)
      result =
         tg_context_clear(runner->drawing.gpu, mask, scissor, NULL,
                          clear->depth, clear->stencil, runner->diagnostics);
   return script_drawing_result(runner, command, result, "nothing was cleared");
}
