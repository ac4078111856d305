/* SPDX-License-Identifier: MIT
 *
 * The commands that fill, copy and blit memory of the file and attachments.
 */
#include <string.h>

#include "format/format.h"
#include "script/commands/commands.h"
#include "script/text/words.h"

/* ---- sides --------------------------------------------------------------- */

/* box X Y Z W H D */
static bool
read_box(struct script_cursor *cursor, int32_t box[6])
{
   for (unsigned i = 0; i < 6; i++) {
      double value;

      if (!script_read_double(cursor, "a side of a box", &value))
         return false;
      if (!(value >= INT32_MIN && value <= INT32_MAX))
         return script_complain(cursor, "a box has sides of 32 bits");
      box[i] = (int32_t)value;
   }
   return true;
}

/* [level L] [format F] [box X Y Z W H D] */
static bool
read_part(struct script_cursor *cursor, struct script_side *side)
{
   if (script_accept_words(cursor, "level") &&
       !script_read_number(cursor, 0, TG_MAX_TEXTURE_LEVELS - 1, "a level",
                           &side->level))
      return false;
   if (script_accept_words(cursor, "format") &&
       !script_read_format(cursor, &side->format))
      return false;
   side->has_box = script_accept_words(cursor, "box");
   return !side->has_box || read_box(cursor, side->box);
}

/* target N, depth, or texture N and the like; its part */
static bool
read_side(struct script_cursor *cursor, const struct script *script,
          struct script_side *side)
{
   *side = (struct script_side){.target = SCRIPT_DEPTH};
   if (script_accept_words(cursor, "target")) {
      if (!script_read_number(cursor, 0, TG_MAX_COLOR_BUFFERS - 1,
                              "a colour target", &side->target))
         return false;
   } else if (!script_accept_words(cursor, "depth")) {
      side->place = script_read_owner(cursor, script);
      if (!side->place)
         return false;
   }
   return read_part(cursor, side);
}

/* Its resource, NULL if there is none, and the box if one was not said: the
 * whole level. */
static struct tg_resource *
find_side(const struct script_runner *runner, struct script_side *side)
{
   struct tg_resource *resource =
      side->place ? script_bound_resource(runner, side->place)
                  : script_drawing_surface(runner, side->target).resource;
   if (!resource || side->has_box)
      return resource;

   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   const struct script_extent extent = script_level_extent(desc, side->level);
   side->box[3] = (int32_t)extent.width;
   side->box[4] = (int32_t)extent.height;
   side->box[5] = (int32_t)extent.slices;
   return resource;
}

static uint64_t
count_texels(const int32_t box[6])
{
   uint64_t count = 1;

   for (unsigned i = 3; i < 6; i++) {
      const int64_t size = box[i] < 0 ? -(int64_t)box[i] : box[i];

      if (__builtin_mul_overflow(count, (uint64_t)size, &count))
         return UINT64_MAX;
   }
   return count;
}

static struct tg_box
to_box(const int32_t box[6])
{
   return (struct tg_box){
      .x = (uint32_t)box[0],
      .y = (uint32_t)box[1],
      .z = (uint32_t)box[2],
      .width = (uint32_t)box[3],
      .height = (uint32_t)box[4],
      .depth = (uint32_t)box[5],
   };
}

/* ---- clear texture ------------------------------------------------------- */

/* texture N [level L] [box ...] rgba R G B A */
bool
script_read_clear_texture(struct script_cursor *cursor,
                          const struct script *script,
                          struct script_command *command)
{
   struct script_clear *clear = &command->clear;

   *clear = (struct script_clear){0};
   clear->side.place = script_read_place_name(cursor, script, "texture");
   if (!clear->side.place || !read_part(cursor, &clear->side))
      return false;
   return script_accept_words(cursor, "rgba")
             ? script_read_doubles(cursor, 4, clear->color)
             : script_complain(cursor, "expected rgba");
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

   struct tg_resource *resource = find_side(runner, &clear.side);
   const struct tg_box box = to_box(clear.side.box);
   const uint32_t format = tg_resource_get_desc(resource)->format;
   for (unsigned i = 0; i < 4; i++)
      words[i] = script_color_word(format, clear.color[i]);
   if (!format_is_compressed((enum tg_format)format))
      format_pack((enum tg_format)format, words, texel);
   result = script_touch_pixels(runner, command, count_texels(clear.side.box));
   if (result != TG_OK)
      return result;
   result =
      tg_context_clear_texture(runner->drawing.gpu, resource, clear.side.level,
                               &box, texel, runner->diagnostics);
   return script_drawing_result(runner, command, result, "nothing was cleared");
}

/* ---- clear buffer -------------------------------------------------------- */

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
   if (!script_accept_words(cursor, "at"))
      return script_complain(cursor, "expected at");
   if (!script_read_number(cursor, 0, INT32_MAX, "a byte", &offset))
      return false;
   if (!script_accept_words(cursor, "size"))
      return script_complain(cursor, "expected size");
   if (!script_read_number(cursor, 0, INT32_MAX, "a number of bytes", &size))
      return false;
   while (!script_at_end(cursor) && clear->num_words < 4) {
      if (!script_read_words(cursor, SCRIPT_PLAIN_INTEGER, 1,
                             &clear->words[clear->num_words++]))
         return false;
   }
   clear->side.box[0] = (int32_t)offset;
   clear->side.box[3] = (int32_t)size;
   return clear->num_words > 0 ||
          script_complain(cursor, "expected one to four words");
}

enum tg_result
script_do_clear_buffer(struct script_runner *runner,
                       const struct script_command *command)
{
   const struct script_clear *clear = &command->clear;
   const struct script_side *side = &clear->side;
   enum tg_result result = script_drawing_begin(runner, command);

   if (result == TG_OK)
      result = script_touch_pixels(runner, command, (uint64_t)side->box[3] / 4);
   if (result != TG_OK)
      return result;
   result = tg_context_clear_buffer(
      runner->drawing.gpu, script_bound_resource(runner, side->place),
      (uint32_t)side->box[0], (uint32_t)side->box[3], clear->words,
      clear->num_words * (uint32_t)sizeof(uint32_t), runner->diagnostics);
   return script_drawing_result(runner, command, result, "nothing was cleared");
}

/* ---- copy ---------------------------------------------------------------- */

/* SIDE to SIDE */
static bool
read_sides(struct script_cursor *cursor, const struct script *script,
           struct script_transfer *transfer)
{
   *transfer = (struct script_transfer){.mask = TG_CHANNEL_RGBA};
   if (!read_side(cursor, script, &transfer->src))
      return false;
   if (!script_accept_words(cursor, "to"))
      return script_complain(cursor, "expected to");
   return read_side(cursor, script, &transfer->dst);
}

/* The resources of both sides. */
static enum tg_result
find_sides(struct script_runner *runner, const struct script_command *command,
           struct script_transfer *transfer, struct tg_resource **from_out,
           struct tg_resource **to_out)
{
   enum tg_result result = script_drawing_begin(runner, command);

   if (result != TG_OK)
      return result;
   *from_out = find_side(runner, &transfer->src);
   *to_out = find_side(runner, &transfer->dst);
   if (!*from_out || !*to_out)
      return script_fail(runner, command, "there is no such target");
   return TG_OK;
}

bool
script_read_copy(struct script_cursor *cursor, const struct script *script,
                 struct script_command *command)
{
   return read_sides(cursor, script, &command->transfer);
}

enum tg_result
script_do_copy(struct script_runner *runner,
               const struct script_command *command)
{
   struct script_transfer transfer = command->transfer;
   struct script_side *src = &transfer.src, *dst = &transfer.dst;
   struct tg_resource *from, *to;
   enum tg_result result = find_sides(runner, command, &transfer, &from, &to);
   if (result != TG_OK)
      return result;

   const struct tg_box box = to_box(src->box);
   result = script_touch_pixels(runner, command, count_texels(src->box));
   if (result != TG_OK)
      return result;
   result = tg_context_copy(runner->drawing.gpu, to, dst->level,
                            (uint32_t)dst->box[0], (uint32_t)dst->box[1],
                            (uint32_t)dst->box[2], from, src->level, &box,
                            runner->diagnostics);
   return script_drawing_result(runner, command, result, "nothing was copied");
}

/* ---- blit ---------------------------------------------------------------- */

/* mask rgbazs */
static bool
read_mask(struct script_cursor *cursor, uint8_t *mask_out)
{
   static const char letters[] = "rgbazs"; /* in the order of tg_channel_mask */
   const struct script_word word = script_peek_word(cursor);

   *mask_out = 0;
   for (size_t i = 0; i < word.length; i++) {
      const char *letter = memchr(letters, word.text[i], sizeof(letters) - 1);
      if (!letter)
         return script_complain(cursor, "expected some of rgbazs");
      *mask_out |= (uint8_t)(1u << (letter - letters));
   }
   if (!word.length)
      return script_complain(cursor, "expected some of rgbazs");
   script_read_word(cursor);
   return true;
}

static bool
read_blit_option(struct script_cursor *cursor, struct script_transfer *transfer)
{
   bool good;

   if (script_accept_scissor(cursor, &transfer->has_scissor, transfer->scissor,
                             &good))
      return good;
   if (script_accept_words(cursor, "mask"))
      return read_mask(cursor, &transfer->mask);
   if (script_accept_words(cursor, "linear"))
      transfer->filter = TG_FILTER_LINEAR;
   else if (script_accept_words(cursor, "conditional"))
      transfer->is_conditional = true;
   else if (script_accept_words(cursor, "blend"))
      transfer->blends = true;
   else if (script_accept_words(cursor, "windows"))
      transfer->has_windows = true;
   else
      return script_complain(cursor, "expected one of within, mask, linear, "
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
   bool good = read_sides(cursor, script, transfer);

   while (good && !script_at_end(cursor))
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
   enum tg_result result = find_sides(runner, command, &transfer, &from, &to);
   if (result != TG_OK)
      return result;

   const struct tg_blit_info info = {
      .size = sizeof(info),
      .dst = to_blit_side(dst, to),
      .src = to_blit_side(src, from),
      .mask = transfer.mask,
      .filter = transfer.filter,
      .scissor_enable = transfer.has_scissor,
      .scissor = script_to_scissor(transfer.scissor),
      .render_condition_enable = transfer.is_conditional,
      .alpha_blend = transfer.blends,
      .window_rectangle_enable = transfer.has_windows,
   };
   const uint64_t size = tg_resource_get_size(to); /* no more is written */
   const uint64_t count = count_texels(dst->box);
   result = script_touch_pixels(runner, command, count < size ? count : size);
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
