/* SPDX-License-Identifier: MIT
 *
 * The command that draws.
 */
#include <string.h>

#include "script/commands/check.h"
#include "tgsi/tables/tables.h"

/* ---- reading ------------------------------------------------------------- */

static bool
read_primitive(struct script_cursor *cursor, uint8_t *mode_out)
{
   const struct script_word word = cursor_peek_word(cursor);
   const int primitive = tg_primitive_find(word.text, word.length);

   if (primitive < 0)
      return cursor_complain(cursor, "expected a primitive: points, lines, "
                                     "triangles, patches, ...");
   cursor_read_word(cursor);
   *mode_out = (uint8_t)primitive;
   return true;
}

/* FIRST COUNT [base B] */
static bool
read_range(struct script_cursor *cursor, struct tg_draw_range *range)
{
   double base = 0;

   if (!cursor_read_number(cursor, 0, UINT32_MAX, "the first vertex",
                           &range->start) ||
       !cursor_read_number(cursor, 0, UINT32_MAX, "a number of vertices",
                           &range->count))
      return false;
   if (cursor_accept_words(cursor, "base") &&
       !script_read_double_value(cursor, "a number of vertices", &base))
      return false;
   if (!(base >= INT32_MIN && base <= INT32_MAX))
      return cursor_complain(cursor, "expected a number of vertices");
   range->index_bias = (int32_t)base;
   return true;
}

/* Ranges with commas between them. They are read once more when they are
 * drawn. */
static bool
read_ranges(struct script_cursor *cursor, struct script_draw *draw)
{
   struct tg_draw_range range;

   draw->ranges = *cursor;
   do {
      if (draw->num_draws++ == SCRIPT_MAX_DRAWS)
         return cursor_complain(cursor, "there are more than %d draws",
                                SCRIPT_MAX_DRAWS);
      if (!read_range(cursor, &range))
         return false;
   } while (cursor_accept_char(cursor, ','));
   return true;
}

/* buffer N BYTE */
static bool
read_buffer(struct script_cursor *cursor, const struct script *script,
            const struct script_place **place_out, uint32_t *offset_out)
{
   *place_out = script_read_place_buffer(cursor, script);
   return *place_out && cursor_read_number(cursor, 0, UINT32_MAX,
                                           "a byte of the buffer", offset_out);
}

/* What may follow, in any order. */
static bool
read_option(struct script_cursor *cursor, const struct script *script,
            struct script_draw *draw)
{
   static const struct {
      const char *words, *what;
      size_t offset; /* in struct script_draw */
   } options[] = {
      {"instances", "a number of instances",
       offsetof(struct script_draw, num_instances)},
      {"start instance", "an instance",
       offsetof(struct script_draw, start_instance)},
      {"draw id", "a number", offsetof(struct script_draw, first_draw_id)},
      {"draws", "a number of draws", offsetof(struct script_draw, num_draws)},
      {"stride", "a number of bytes",
       offsetof(struct script_draw, indirect_stride)},
   };

   if (cursor_accept_words(cursor, "indices"))
      return read_buffer(cursor, script, &draw->indices, &draw->index_offset);
   if (cursor_accept_words(cursor, "count"))
      return read_buffer(cursor, script, &draw->count, &draw->count_offset);
   for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
      uint32_t *number = (uint32_t *)(void *)((char *)draw + options[i].offset);

      if (cursor_accept_words(cursor, options[i].words))
         return cursor_read_number(cursor, 0, UINT32_MAX, options[i].what,
                                   number);
   }
   return cursor_complain(cursor, "expected one of instances, start instance, "
                                  "draw id, indices, draws, stride, count");
}

/* draw [indexed] PRIMITIVE RANGES, ... indirect buffer N BYTE, ... from stream
 * target N; then options */
bool
script_read_draw(struct script_cursor *cursor, const struct script *script,
                 struct script_command *command)
{
   struct script_draw *draw = &command->draw;
   bool good;

   *draw = (struct script_draw){
      .num_instances = 1,
      .stream_target = SCRIPT_NO_TARGET,
   };
   draw->indexed = cursor_accept_words(cursor, "indexed");
   if (!read_primitive(cursor, &draw->mode))
      return false;
   if (cursor_accept_words(cursor, "indirect")) {
      draw->num_draws = 1;
      draw->indirect_stride = draw->indexed ? 20 : 16;
      good =
         read_buffer(cursor, script, &draw->indirect, &draw->indirect_offset);
   } else if (cursor_accept_words(cursor, "from stream target")) {
      good = cursor_read_number(cursor, 0, TG_MAX_STREAM_BUFFERS - 1,
                                "a target", &draw->stream_target);
   } else {
      good = read_ranges(cursor, draw);
   }
   while (good && !cursor_at_end(cursor))
      good = read_option(cursor, script, draw);
   return good;
}

/* ---- drawing ------------------------------------------------------------- */

static struct tg_resource *
buffer_of(const struct script_runner *runner, const struct script_place *place)
{
   return place ? script_bound_resource(runner, place) : NULL;
}

/* What the draw takes but for its ranges. */
static enum tg_result
fill_info(struct script_runner *runner, const struct script_draw *draw,
          struct tg_draw_info *info)
{
   struct script_drawing *drawing = &runner->drawing;
   const struct script_state *state = &drawing->state;

   info->mode = draw->mode;
   info->index_size = draw->indexed ? state->index_size : 0;
   info->vertices_per_patch = state->patch_vertices;
   info->primitive_restart = state->primitive_restart;
   info->restart_index = state->restart_index;
   info->index_buffer = buffer_of(runner, draw->indices);
   info->index_offset = draw->index_offset;
   info->start_instance = draw->start_instance;
   info->instance_count = draw->num_instances;
   info->num_draws = draw->num_draws;
   info->first_draw_id = draw->first_draw_id;
   info->indirect = buffer_of(runner, draw->indirect);
   info->indirect_offset = draw->indirect_offset;
   info->indirect_stride = draw->indirect_stride;
   info->indirect_count = buffer_of(runner, draw->count);
   info->indirect_count_offset = draw->count_offset;
   if (draw->stream_target != SCRIPT_NO_TARGET)
      info->count_from_stream_output =
         drawing->stream_targets[draw->stream_target];
   return draw->indexed && !draw->indices
             ? script_drawing_indices(runner, state->index_size,
                                      &info->index_buffer)
             : TG_OK;
}

/* Reads the ranges and draws them. */
static enum tg_result
draw_ranges(struct script_runner *runner, const struct script_draw *draw,
            struct tg_draw_info *info, struct tg_diagnostics *said)
{
   const struct tg_allocator *allocator = runner->allocator;
   const size_t size = (size_t)draw->num_draws * sizeof(struct tg_draw_range);
   struct tg_draw_range *ranges =
      allocator->resize(allocator->user, NULL, 0, size);
   struct script_cursor cursor = draw->ranges;
   if (!ranges)
      return TG_ERROR_MEMORY;

   for (uint32_t i = 0; i < draw->num_draws; i++) {
      ranges[i] = (struct tg_draw_range){0};
      read_range(&cursor, &ranges[i]);
      cursor_accept_char(&cursor, ',');
   }
   info->draws = ranges;
   enum tg_result result = tg_context_draw(runner->drawing.gpu, info, said);
   allocator->resize(allocator->user, ranges, size, 0);
   return result;
}

/* What the library says of the draw goes to `said`. */
static enum tg_result
run_draw(struct script_runner *runner, const struct script_command *command,
         struct tg_diagnostics *diagnostics, struct tg_diagnostics *said)
{
   const struct script_draw *draw = &command->draw;
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   enum tg_result result = script_drawing_prepare(runner, diagnostics);

   if (result == TG_OK)
      result = fill_info(runner, draw, &info);
   if (result != TG_OK)
      return result;
   return draw->ranges.source
             ? draw_ranges(runner, draw, &info, said)
             : tg_context_draw(runner->drawing.gpu, &info, said);
}

enum tg_result
script_do_draw(struct script_runner *runner,
               const struct script_command *command)
{
   enum tg_result result = script_drawing_begin(runner, command);

   if (result != TG_OK)
      return result;
   runner->drawing.last_draw = command;
   return script_check_execution(runner, command, run_draw,
                                 "nothing was drawn");
}
