/* SPDX-License-Identifier: MIT
 *
 * Expectations of texels of a texture, an image or a colour buffer.
 */
#include <string.h>

#include "format/format.h"
#include "script/commands/commands.h"

#define NO_SUCH_TEXELS "there are no such texels"

enum { MAX_TEXEL_SIZE = 32 /* bytes: four channels of 64 bits */ };

/* ---- reading ------------------------------------------------------------- */

/* pixel X Y, rect X Y W H, all */
static bool
read_area(struct script_cursor *cursor, struct script_area *area)
{
   const bool is_rect = cursor_accept_words(cursor, "rect");

   if (!is_rect && cursor_accept_words(cursor, "all"))
      return true;
   if (!is_rect && !cursor_accept_words(cursor, "pixel"))
      return cursor_complain(cursor, "expected one of pixel, rect, all");
   area->width = area->height = 1;
   return cursor_read_number(cursor, 0, UINT32_MAX / 2, "a column", &area->x) &&
          cursor_read_number(cursor, 0, TG_MAX_TEXTURE_SIZE - 1, "a row",
                             &area->y) &&
          (!is_rect || (cursor_read_number(cursor, 1, UINT32_MAX / 2, "a width",
                                           &area->width) &&
                        cursor_read_number(cursor, 1, TG_MAX_TEXTURE_SIZE,
                                           "a height", &area->height)));
}

/* rgba R G B A, depth D or stencil S */
static bool
read_texel(struct script_cursor *cursor, const struct script_place *place,
           struct script_area *area)
{
   const struct script_place *owner = place->of ? place->of : place;
   enum script_plain plain =
      script_place_holds_integers(owner->memory.desc.format)
         ? SCRIPT_PLAIN_INTEGER
         : SCRIPT_PLAIN_FLOAT;

   area->num_words = 1;
   if (cursor_accept_words(cursor, "rgba")) {
      area->num_words = 4;
   } else if (cursor_accept_words(cursor, "stencil")) {
      area->is_stencil = true;
      plain = SCRIPT_PLAIN_INTEGER;
   } else if (!cursor_accept_words(cursor, "depth")) {
      return cursor_complain(cursor, "expected one of rgba, depth, stencil");
   }
   area->is_integer = plain == SCRIPT_PLAIN_INTEGER;
   return script_read_word_values(cursor, plain, area->num_words,
                                  area->words) &&
          script_read_place_tolerance(cursor, !area->is_integer,
                                      &area->tolerance);
}

/* [level L] [layer Z] [sample S] AREA TEXEL [within T] */
bool
script_read_expect_texels_area(struct script_cursor *cursor,
                               const struct script_place *place,
                               struct script_area *area)
{
   *area = (struct script_area){.layer = SCRIPT_AS_IS};
   if (cursor_accept_words(cursor, "level") &&
       !cursor_read_number(cursor, 0, TG_MAX_TEXTURE_LEVELS - 1, "a level",
                           &area->level))
      return false;
   if (cursor_accept_words(cursor, "layer") &&
       !cursor_read_number(cursor, 0, TG_MAX_TEXTURE_LAYERS - 1, "a layer",
                           &area->layer))
      return false;
   if (cursor_accept_words(cursor, "sample") &&
       !cursor_read_number(cursor, 0, TG_MAX_TEXTURE_SAMPLES - 1, "a sample",
                           &area->sample))
      return false;
   return read_area(cursor, area) && read_texel(cursor, place, area);
}

/* ---- comparing ----------------------------------------------------------- */

/* The words of a texel that are compared. */
static void
unpack(enum tg_format format, bool is_stencil, const uint8_t *texel,
       uint32_t words[4])
{
   if (is_stencil)
      words[0] = format_unpack_stencil(format, texel);
   else
      format_unpack(format, texel, words);
}

/* What the expected words become when they are written in the format. */
static void
round_words(enum tg_format format, const struct script_area *area,
            uint32_t words[4])
{
   uint8_t texel[MAX_TEXEL_SIZE] = {0};

   memcpy(words, area->words, 4 * sizeof(*words));
   if (area->is_stencil || area->tolerance.kind != SCRIPT_EXACT)
      return;
   format_pack(format, words, texel);
   format_unpack(format, texel, words);
}

/* Rows of an area, one at a time. */
struct rows {
   enum tg_format format;
   uint32_t texel_size;
   uint8_t *row;
   struct script_values expected;
   uint64_t num_wrong;
   uint32_t wrong[4], wrong_place[3];
};

static void
compare_row(const struct script_area *area, const struct tg_box *box,
            struct rows *rows)
{
   for (uint32_t x = 0; x < box->width; x++) {
      uint32_t words[4];

      unpack(rows->format, area->is_stencil,
             rows->row + (size_t)x * rows->texel_size, words);
      if (script_compare_values(&rows->expected, words, &area->tolerance) ||
          rows->num_wrong++)
         continue;
      memcpy(rows->wrong, words, sizeof(words));
      rows->wrong_place[0] = box->x + x;
      rows->wrong_place[1] = box->y;
      rows->wrong_place[2] = box->z;
   }
}

static enum tg_result
compare_rows(struct script_runner *runner, struct tg_resource *resource,
             const struct script_area *area, const struct tg_box *box,
             struct rows *rows)
{
   const bool is_buffer =
      tg_resource_get_desc(resource)->target == TG_TEXTURE_BUFFER;
   struct tg_box row = {
      .x = box->x, .width = box->width, .height = 1, .depth = 1};

   for (row.z = box->z; row.z < box->z + box->depth; row.z++) {
      for (row.y = box->y; row.y < box->y + box->height; row.y++) {
         struct tg_box bytes = row;

         if (is_buffer) {
            bytes.x *= rows->texel_size;
            bytes.width *= rows->texel_size;
         }
         if (!tg_work_pay(&runner->work,
                          (uint64_t)box->width * SCRIPT_TEXEL_WORK))
            return TG_ERROR_LIMIT;
         enum tg_result result = script_drawing_read(
            runner, resource, area->level, area->sample, &bytes, rows->row);
         if (result != TG_OK)
            return result;
         compare_row(area, &row, rows);
      }
   }
   return TG_OK;
}

static enum tg_result
fail_texel(struct script_runner *runner, const struct script_command *command,
           const struct rows *rows)
{
   struct tg_strbuf message = {.allocator = runner->allocator};

   tg_strbuf_printf(&message, "texel %u %u of layer %u is",
                    rows->wrong_place[0], rows->wrong_place[1],
                    rows->wrong_place[2]);
   for (unsigned i = 0; i < command->area.num_words; i++) {
      tg_strbuf_add(&message, " ");
      if (command->area.is_integer)
         tg_strbuf_printf(&message, "%d", (int)rows->wrong[i]);
      else
         script_format_float_value(&message, rows->wrong[i]);
   }
   if (rows->num_wrong > 1)
      tg_strbuf_printf(&message, "; %llu texels are wrong in all",
                       (unsigned long long)rows->num_wrong);
   enum tg_result result = script_fail(
      runner, command, "%s", message.data ? message.data : "out of memory");
   tg_strbuf_finish(&message);
   return result;
}

/* The texels of an area; false when it is not in the level. */
static bool
find_box(const struct tg_resource_desc *desc, uint32_t texel_size,
         const struct script_area *area, struct tg_box *box)
{
   struct script_extent extent = script_place_level_extent(desc, area->level);
   uint32_t layer = area->layer;

   if (desc->target == TG_TEXTURE_BUFFER)
      extent.width = desc->width / texel_size;
   if (area->level > desc->last_level ||
       area->sample >= (desc->samples ? desc->samples : 1))
      return false;
   if (layer == SCRIPT_AS_IS)
      layer = 0;
   *box = (struct tg_box){
      .x = area->x,
      .y = area->y,
      .z = layer,
      .width = area->width ? area->width : extent.width,
      .height = area->height ? area->height : extent.height,
      .depth = area->width || area->layer != SCRIPT_AS_IS ? 1 : extent.slices,
   };
   return box->x <= extent.width && box->width <= extent.width - box->x &&
          box->y <= extent.height && box->height <= extent.height - box->y &&
          box->z <= extent.slices && box->depth <= extent.slices - box->z;
}

/* Compares a box of texels with a row of memory to read them into. */
static enum tg_result
compare_box(struct script_runner *runner, const struct script_command *command,
            struct tg_resource *resource, const struct tg_box *box,
            struct rows *rows)
{
   const struct tg_allocator *allocator = runner->allocator;
   const size_t row_size = (size_t)box->width * rows->texel_size;
   enum tg_result result = script_runner_touch_pixels(
      runner, command, (uint64_t)box->width * box->height * box->depth);
   if (result != TG_OK)
      return result;

   rows->row = allocator->resize(allocator->user, NULL, 0, row_size);
   if (!rows->row)
      return TG_ERROR_MEMORY;
   result = compare_rows(runner, resource, &command->area, box, rows);
   allocator->resize(allocator->user, rows->row, row_size, 0);
   if (tg_work_has_ended(&runner->work))
      return TG_ERROR_LIMIT;
   if (result != TG_OK)
      return script_fail(runner, command, NO_SUCH_TEXELS);
   return rows->num_wrong ? fail_texel(runner, command, rows) : TG_OK;
}

enum tg_result
script_expect_texels(struct script_runner *runner,
                     const struct script_command *command)
{
   const struct script_area *area = &command->area;
   const enum tg_format format =
      (enum tg_format)script_place_texel_format(command->place);
   struct tg_resource *resource = script_bound_resource(runner, command->place);
   struct rows rows = {
      .format = format,
      .texel_size = tg_format_get_block(format).bytes,
      .expected.count = area->num_words,
   };
   struct tg_box box;

   if (format_is_compressed(format) || !rows.texel_size)
      return script_fail(runner, command, "texels of format %s are not read",
                         tg_format_name(format));
   if (area->is_stencil && !format_has_stencil(format))
      return script_fail(runner, command, "the format has no stencil");
   if (!find_box(tg_resource_get_desc(resource), rows.texel_size, area, &box))
      return script_fail(runner, command, NO_SUCH_TEXELS);

   round_words(format, area, rows.expected.words);
   memset(rows.expected.kinds, area->is_integer ? SCRIPT_BITS : SCRIPT_FLOAT,
          sizeof(rows.expected.kinds));
   return compare_box(runner, command, resource, &box, &rows);
}
