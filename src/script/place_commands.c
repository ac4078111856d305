/* SPDX-License-Identifier: MIT
 *
 * The commands that change how a place is bound, and those that look at what
 * its memory holds.
 */
#include <math.h>
#include <string.h>

#include "format/format.h"
#include "script/runner.h"
#include "script/words.h"

enum { MAX_TEXEL_SIZE = 32 /* bytes: four channels of 64 bits */ };

/* ---- PLACE N LINE -------------------------------------------------------- */

bool
script_read_place(struct script_cursor *cursor, const struct script *script,
                  struct script_command *command)
{
   const struct script_place *place =
      script_read_place_name(cursor, script, command->rule->words);
   bool good = false;
   if (!place)
      return false;

   const enum script_plain plain =
      script_holds_integers(script_place_format(place)) ? SCRIPT_PLAIN_INTEGER
                                                        : SCRIPT_PLAIN_FLOAT;
   command->place = place;
   if (!script_accept_change(cursor, place->kind, plain, &command->change,
                             &good))
      return script_complain(cursor, "expected a line of a view or sampler");
   return good;
}

enum tg_result
script_do_place(struct script_runner *runner,
                const struct script_command *command)
{
   struct script_bound_place *place =
      &runner->bound.places[command->place->index];

   script_apply_change(&command->change, &place->binding);
   place->position = command->position;
   runner->bound.is_current = false;
   return TG_OK;
}

/* ---- expect BUFFER ------------------------------------------------------- */

static bool
read_tolerance(struct script_cursor *cursor, bool is_float,
               struct script_tolerance *tolerance)
{
   struct script_cursor before = *cursor;

   if (!script_read_tolerance(cursor, tolerance))
      return false;
   return is_float || tolerance->kind == SCRIPT_EXACT ||
          script_complain(&before, "only floats have a tolerance");
}

/* The rest of a line of values, which is read twice: when the script is, and
 * when they are compared, value by value. */
static bool
skip_values(struct script_cursor *cursor, const struct script_type *type,
            uint32_t *count_out)
{
   for (*count_out = 0;;) {
      struct script_values value = {0};

      if (!script_read_typed(cursor, type, &value))
         return false;
      ++*count_out;
      script_accept_char(cursor, ',');

      const struct script_word word = script_peek_word(cursor);
      if (script_at_end(cursor) || script_word_is(word, "within"))
         return true;
   }
}

/* [at BYTE] [all] TYPE VALUE ... [within T] */
static bool
read_data(struct script_cursor *cursor, struct script_data *data)
{
   *data = (struct script_data){0};
   if (script_accept_words(cursor, "at") &&
       !script_read_number(cursor, 0, UINT32_MAX, "a byte", &data->offset))
      return false;
   data->is_all = script_accept_words(cursor, "all");
   data->type = script_accept_type(cursor);
   if (!data->type)
      return script_complain_of_type(cursor);
   data->values = *cursor;
   if (!skip_values(cursor, data->type, &data->count))
      return false;
   if (data->is_all && data->count != 1)
      return script_complain(cursor, "all of a buffer is one value");
   return read_tolerance(cursor, script_type_is_float(data->type),
                         &data->tolerance);
}

/* A value of a buffer. */
static void
get_value(const uint8_t *bytes, unsigned size, uint32_t words[2])
{
   uint64_t bits = 0;

   for (unsigned i = 0; i < size; i++)
      bits |= (uint64_t)bytes[i] << i * 8;
   words[0] = (uint32_t)bits;
   words[1] = (uint32_t)(bits >> 32);
}

static enum tg_result
fail_value(struct script_runner *runner, const struct script_command *command,
           uint64_t offset, const uint32_t words[2], uint64_t num_wrong)
{
   struct tg_strbuf message = {0};

   tg_strbuf_printf(&message, "byte %llu is ", (unsigned long long)offset);
   script_format_typed(&message, command->data.type, words);
   if (num_wrong > 1)
      tg_strbuf_printf(&message, "; %llu values are wrong in all",
                       (unsigned long long)num_wrong);
   enum tg_result result = script_fail(
      runner, command, "%s", message.data ? message.data : "out of memory");
   tg_strbuf_finish(&message);
   return result;
}

static enum tg_result
compare_values(struct script_runner *runner,
               const struct script_command *command, const uint8_t *bytes,
               uint64_t count)
{
   const struct script_data *data = &command->data;
   const unsigned size = script_type_size(data->type);
   struct script_cursor cursor = data->values;
   struct script_values expected = {0};
   uint64_t num_wrong = 0, wrong_offset = 0;
   uint32_t words[2], wrong[2] = {0};

   for (uint64_t i = 0; i < count; i++) {
      const uint64_t offset = data->offset + i * size;

      if (!i || !data->is_all) {
         expected.count = 0;
         script_read_typed(&cursor, data->type, &expected);
         script_accept_char(&cursor, ',');
      }
      get_value(bytes + offset, size, words);
      if (script_values_match(&expected, words, &data->tolerance) ||
          num_wrong++)
         continue;
      wrong_offset = offset;
      memcpy(wrong, words, sizeof(wrong));
   }
   return num_wrong
             ? fail_value(runner, command, wrong_offset, wrong, num_wrong)
             : TG_OK;
}

static enum tg_result
expect_data(struct script_runner *runner, const struct script_command *command)
{
   const struct script_data *data = &command->data;
   const unsigned type_size = script_type_size(data->type);
   struct tg_resource *resource = script_bound_resource(runner, command->place);
   const uint8_t *bytes = tg_resource_map_buffer(resource);
   const uint64_t size = tg_resource_get_size(resource);

   if (!bytes)
      return script_fail(runner, command, "this is a texture, not a buffer");
   const uint64_t rest = size > data->offset ? size - data->offset : 0;
   const uint64_t count = data->is_all ? rest / type_size : data->count;

   if (count * type_size > rest || !count)
      return script_fail(runner, command, "it has %llu bytes",
                         (unsigned long long)size);
   enum tg_result result = script_touch_pixels(runner, command, count);
   return result == TG_OK ? compare_values(runner, command, bytes, count)
                          : result;
}

/* ---- expect TEXTURE ------------------------------------------------------ */

/* pixel X Y, rect X Y W H, all */
static bool
read_area(struct script_cursor *cursor, struct script_area *area)
{
   const bool is_rect = script_accept_words(cursor, "rect");

   if (!is_rect && script_accept_words(cursor, "all"))
      return true;
   if (!is_rect && !script_accept_words(cursor, "pixel"))
      return script_complain(cursor, "expected one of pixel, rect, all");
   area->width = area->height = 1;
   return script_read_number(cursor, 0, UINT32_MAX / 2, "a column", &area->x) &&
          script_read_number(cursor, 0, TG_MAX_TEXTURE_SIZE - 1, "a row",
                             &area->y) &&
          (!is_rect || (script_read_number(cursor, 1, UINT32_MAX / 2, "a width",
                                           &area->width) &&
                        script_read_number(cursor, 1, TG_MAX_TEXTURE_SIZE,
                                           "a height", &area->height)));
}

/* rgba R G B A, depth D or stencil S */
static bool
read_texel(struct script_cursor *cursor, const struct script_place *place,
           struct script_area *area)
{
   const struct script_place *owner = place->of ? place->of : place;
   enum script_plain plain = script_holds_integers(owner->memory.desc.format)
                                ? SCRIPT_PLAIN_INTEGER
                                : SCRIPT_PLAIN_FLOAT;

   area->num_words = 1;
   if (script_accept_words(cursor, "rgba")) {
      area->num_words = 4;
   } else if (script_accept_words(cursor, "stencil")) {
      area->is_stencil = true;
      plain = SCRIPT_PLAIN_INTEGER;
   } else if (!script_accept_words(cursor, "depth")) {
      return script_complain(cursor, "expected one of rgba, depth, stencil");
   }
   area->is_integer = plain == SCRIPT_PLAIN_INTEGER;
   return script_read_words(cursor, plain, area->num_words, area->words) &&
          read_tolerance(cursor, !area->is_integer, &area->tolerance);
}

/* [level L] [layer Z] [sample S] AREA TEXEL [within T] */
static bool
read_area_of(struct script_cursor *cursor, const struct script_place *place,
             struct script_area *area)
{
   *area = (struct script_area){.layer = SCRIPT_AS_IS};
   if (script_accept_words(cursor, "level") &&
       !script_read_number(cursor, 0, TG_MAX_TEXTURE_LEVELS - 1, "a level",
                           &area->level))
      return false;
   if (script_accept_words(cursor, "layer") &&
       !script_read_number(cursor, 0, TG_MAX_TEXTURE_LAYERS - 1, "a layer",
                           &area->layer))
      return false;
   if (script_accept_words(cursor, "sample") &&
       !script_read_number(cursor, 0, TG_MAX_TEXTURE_SAMPLES - 1, "a sample",
                           &area->sample))
      return false;
   return read_area(cursor, area) && read_texel(cursor, place, area);
}

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
      if (script_values_match(&rows->expected, words, &area->tolerance) ||
          rows->num_wrong++)
         continue;
      memcpy(rows->wrong, words, sizeof(words));
      rows->wrong_place[0] = box->x + x;
      rows->wrong_place[1] = box->y;
      rows->wrong_place[2] = box->z;
   }
}

static enum tg_result
compare_rows(const struct tg_resource *resource, const struct script_area *area,
             const struct tg_box *box, struct rows *rows)
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
         enum tg_result result = tg_resource_read(
            resource, area->level, area->sample, &bytes, rows->row, 0, 0);
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
   struct tg_strbuf message = {0};

   tg_strbuf_printf(&message, "texel %u %u of layer %u is",
                    rows->wrong_place[0], rows->wrong_place[1],
                    rows->wrong_place[2]);
   for (unsigned i = 0; i < command->area.num_words; i++) {
      tg_strbuf_add(&message, " ");
      if (command->area.is_integer)
         tg_strbuf_printf(&message, "%d", (int)rows->wrong[i]);
      else
         script_format_float(&message, rows->wrong[i]);
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
   struct script_extent extent = script_level_extent(desc, area->level);
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

static enum tg_result
expect_texels(struct script_runner *runner,
              const struct script_command *command)
{
   const struct script_place *place = command->place;
   const struct script_area *area = &command->area;
   const struct tg_resource *resource = script_bound_resource(runner, place);
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   const struct script_place *owner = place->of ? place->of : place;
   const enum tg_format format = (enum tg_format)(
      desc->format ? desc->format : script_place_format(owner));
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
   if (!find_box(desc, rows.texel_size, area, &box))
      return script_fail(runner, command, "there are no such texels");

   enum tg_result result = script_touch_pixels(
      runner, command, (uint64_t)box.width * box.height * box.depth);
   if (result != TG_OK)
      return result;
   round_words(format, area, rows.expected.words);
   memset(rows.expected.kinds, area->is_integer ? SCRIPT_BITS : SCRIPT_FLOAT,
          sizeof(rows.expected.kinds));

   const struct tg_allocator *allocator = runner->allocator;
   const size_t row_size = (size_t)box.width * rows.texel_size;
   rows.row = allocator->resize(allocator->user, NULL, 0, row_size);
   if (!rows.row)
      return TG_ERROR_MEMORY;
   result = compare_rows(resource, area, &box, &rows);
   allocator->resize(allocator->user, rows.row, row_size, 0);
   if (result != TG_OK)
      return script_fail(runner, command, "there are no such texels");
   return rows.num_wrong ? fail_texel(runner, command, &rows) : TG_OK;
}

/* ---- expect PLACE -------------------------------------------------------- */

bool
script_read_expect_place(struct script_cursor *cursor,
                         const struct script *script,
                         struct script_command *command)
{
   const char *words = command->rule->words + strlen("expect ");
   const struct script_place *place =
      script_read_place_name(cursor, script, words);
   if (!place)
      return false;

   command->place = place;
   switch (script_place_rules[place->kind].holds) {
   case SCRIPT_HOLDS_TEXELS: return read_area_of(cursor, place, &command->area);
   case SCRIPT_HOLDS_BYTES: return read_data(cursor, &command->data);
   }
   return script_complain(cursor, "a sampler holds nothing");
}

enum tg_result
script_do_expect_place(struct script_runner *runner,
                       const struct script_command *command)
{
   enum tg_result result = script_bound_create(runner);

   if (result != TG_OK)
      return result;
   return script_place_rules[command->place->kind].holds == SCRIPT_HOLDS_TEXELS
             ? expect_texels(runner, command)
             : expect_data(runner, command);
}
