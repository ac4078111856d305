/* SPDX-License-Identifier: MIT
 *
 * The sides of copies and blits, and what is filled: a part of a place or of an
 * attachment.
 */
#include "script/commands/sides.h"

#include "script/text/choices.h"

/* box X Y Z W H D */
static bool
read_box(struct script_cursor *cursor, int32_t box[6])
{
   for (unsigned i = 0; i < 6; i++) {
      double value;

      if (!script_read_double_value(cursor, "a side of a box", &value))
         return false;
      if (!(value >= INT32_MIN && value <= INT32_MAX))
         return cursor_complain(cursor, "a box has sides of 32 bits");
      box[i] = (int32_t)value;
   }
   return true;
}

bool
script_read_side_part(struct script_cursor *cursor, struct script_side *side)
{
   if (cursor_accept_words(cursor, "level") &&
       !cursor_read_number(cursor, 0, TG_MAX_TEXTURE_LEVELS - 1, "a level",
                           &side->level))
      return false;
   if (cursor_accept_words(cursor, "format") &&
       !script_read_format_choice(cursor, &side->format))
      return false;
   side->has_box = cursor_accept_words(cursor, "box");
   return !side->has_box || read_box(cursor, side->box);
}

/* target N, depth, or texture N and the like; its part */
static bool
read_side(struct script_cursor *cursor, const struct script *script,
          struct script_side *side)
{
   *side = (struct script_side){.target = SCRIPT_DEPTH};
   if (cursor_accept_words(cursor, "target")) {
      if (!cursor_read_number(cursor, 0, TG_MAX_COLOR_BUFFERS - 1,
                              "a colour target", &side->target))
         return false;
   } else if (!cursor_accept_words(cursor, "depth")) {
      side->place = script_read_place_owner(cursor, script);
      if (!side->place)
         return false;
   }
   return script_read_side_part(cursor, side);
}

struct tg_resource *
script_find_side(const struct script_runner *runner, struct script_side *side)
{
   struct tg_resource *resource =
      side->place ? script_bound_resource(runner, side->place)
                  : script_drawing_surface(runner, side->target).resource;
   if (!resource || side->has_box)
      return resource;

   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   const struct script_extent extent =
      script_place_level_extent(desc, side->level);
   side->box[3] = (int32_t)extent.width;
   side->box[4] = (int32_t)extent.height;
   side->box[5] = (int32_t)extent.slices;
   return resource;
}

uint64_t
script_side_texels(const int32_t box[6])
{
   uint64_t count = 1;

   for (unsigned i = 3; i < 6; i++) {
      const int64_t size = box[i] < 0 ? -(int64_t)box[i] : box[i];

      if (__builtin_mul_overflow(count, (uint64_t)size, &count))
         return UINT64_MAX;
   }
   return count;
}

struct tg_box
script_side_box(const int32_t box[6])
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

bool
script_read_sides(struct script_cursor *cursor, const struct script *script,
                  struct script_transfer *transfer)
{
   *transfer = (struct script_transfer){.mask = TG_CHANNEL_RGBA};
   if (!read_side(cursor, script, &transfer->src))
      return false;
   if (!cursor_accept_words(cursor, "to"))
      return cursor_complain(cursor, "expected to");
   return read_side(cursor, script, &transfer->dst);
}

enum tg_result
script_find_sides(struct script_runner *runner,
                  const struct script_command *command,
                  struct script_transfer *transfer,
                  struct tg_resource **from_out, struct tg_resource **to_out)
{
   enum tg_result result = script_drawing_begin(runner, command);

   if (result != TG_OK)
      return result;
   *from_out = script_find_side(runner, &transfer->src);
   *to_out = script_find_side(runner, &transfer->dst);
   if (!*from_out || !*to_out)
      return script_fail(runner, command, "there is no such target");
   return TG_OK;
}
