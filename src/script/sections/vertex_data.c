/* SPDX-License-Identifier: MIT
 *
 * Parsing of [vertex data], a line that names the columns and then a line for
 * each vertex, and [index data].
 */
#include <string.h>

#include "format/format.h"
#include "script/sections/section.h"
#include "script/text/choices.h"

/* float N, or a format. */
static bool
read_type(struct script_cursor *cursor, uint32_t *format_out)
{
   static const enum tg_format floats[] = {
      TG_FORMAT_R32_FLOAT,
      TG_FORMAT_R32G32_FLOAT,
      TG_FORMAT_R32G32B32_FLOAT,
      TG_FORMAT_R32G32B32A32_FLOAT,
   };
   struct script_cursor before = *cursor;
   uint32_t num_channels;

   if (cursor_accept_words(cursor, "float")) {
      if (!cursor_read_number(cursor, 1, 4, "a number of channels",
                              &num_channels))
         return false;
      *format_out = floats[num_channels - 1];
      return true;
   }
   if (!script_read_format_choice(cursor, format_out))
      return false;
   return !format_is_compressed((enum tg_format) * format_out) ||
          cursor_complain(&before, "a vertex has no compressed format");
}

/* One column: IN[r] TYPE [divisor N]. Registers come in order, as the GPU
 * numbers vertex elements. */
static bool
read_column(struct script_cursor *cursor, struct script_vertex_data *data)
{
   struct script_register reg;
   uint32_t format = 0, divisor = 0;

   if (data->num_columns == SCRIPT_MAX_COLUMNS)
      return cursor_complain(cursor, "there are more than %u columns",
                             SCRIPT_MAX_COLUMNS);
   struct script_cursor before = *cursor;
   if (!script_read_register(cursor, &reg))
      return false;
   if (reg.file != SCRIPT_IN || reg.has_dimension ||
       reg.index != data->num_columns)
      return cursor_complain(&before, "expected IN[%u]", data->num_columns);
   if (!read_type(cursor, &format))
      return false;
   if (cursor_accept_words(cursor, "divisor") &&
       !cursor_read_number(cursor, 0, UINT32_MAX, "a number of instances",
                           &divisor))
      return false;
   data->columns[data->num_columns].format = format;
   data->columns[data->num_columns].divisor = divisor;
   data->columns[data->num_columns].offset = data->stride;
   data->num_columns++;
   data->stride += tg_format_get_block(format).bytes;
   return true;
}

static bool
read_columns(struct script_cursor *cursor, struct script_vertex_data *data)
{
   while (!cursor_at_end(cursor)) {
      if (!read_column(cursor, data))
         return false;
   }
   return true;
}

/* A number for each channel that the format has. */
static bool
read_value(struct script_cursor *cursor, enum tg_format format, uint8_t *bytes)
{
   const struct format_info *info = format_info(format);
   const enum script_plain plain = info->class == FORMAT_CLASS_FLOAT
                                      ? SCRIPT_PLAIN_FLOAT
                                      : SCRIPT_PLAIN_INTEGER;
   uint32_t words[4] = {0};

   for (unsigned i = 0; i < 4; i++) {
      struct script_values value = {0};

      if (!(format_stored_words(info) >> i & 1))
         continue;
      if (!script_read_value(cursor, plain, &value))
         return false;
      if (value.count != 1)
         return cursor_complain(cursor, "a column has values of one word");
      cursor_accept_char(cursor, ',');
      words[i] = value.words[0];
   }
   format_pack(format, words, bytes);
   return true;
}

static bool
read_vertex(struct script_parser *parser, struct script_vertex_data *data)
{
   struct script_cursor *cursor = &parser->cursor;

   if (!script_section_reserve(parser, (void **)&data->bytes,
                               &data->byte_capacity, data->num_bytes,
                               data->stride, SCRIPT_MAX_VERTEX_BYTES, 1))
      return false;
   memset(data->bytes + data->num_bytes, 0, data->stride);
   for (uint32_t i = 0; i < data->num_columns; i++) {
      if (!read_value(cursor, (enum tg_format)data->columns[i].format,
                      data->bytes + data->num_bytes + data->columns[i].offset))
         return false;
   }
   if (!cursor_expect_end(cursor))
      return false;
   data->num_bytes += data->stride;
   return true;
}

void
script_parse_vertex_data(struct script_parser *parser, struct script_word name)
{
   struct script_vertex_data *data = &parser->script->vertices;

   (void)name;
   if (data->num_columns) {
      script_section_check(
         parser,
         cursor_complain(&parser->cursor, "there is vertex data already"));
      script_skip_section(parser);
      return;
   }
   if (script_next_section_words(parser) &&
       !read_columns(&parser->cursor, data)) {
      script_section_check(parser, false);
      script_skip_section(parser);
      return;
   }
   while (script_next_section_words(parser) && !parser->out_of_memory)
      script_section_check(parser, read_vertex(parser, data));
}

static bool
read_indices(struct script_parser *parser, struct script_index_data *data)
{
   while (!cursor_at_end(&parser->cursor)) {
      if (!script_section_reserve(parser, (void **)&data->indices,
                                  &data->capacity, data->count, 1,
                                  SCRIPT_MAX_INDICES, sizeof(*data->indices)) ||
          !cursor_read_number(&parser->cursor, 0, UINT32_MAX, "an index",
                              &data->indices[data->count]))
         return false;
      cursor_accept_char(&parser->cursor, ',');
      data->count++;
   }
   return true;
}

void
script_parse_index_data(struct script_parser *parser, struct script_word name)
{
   (void)name;
   while (script_next_section_words(parser) && !parser->out_of_memory)
      script_section_check(parser,
                           read_indices(parser, &parser->script->indices));
}
