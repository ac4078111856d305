/* SPDX-License-Identifier: MIT
 *
 * The sections [vertex data], a line that names the columns and then a line
 * for each vertex, and [index data].
 */
#include "script/parse.h"

/* One column: IN[r] float N. Registers come in order, as the GPU numbers
 * vertex elements. */
static bool
read_column(struct script_cursor *cursor, struct script_vertex_data *data)
{
   struct script_register reg;
   uint32_t num_channels;

   if (data->num_columns == SCRIPT_MAX_COLUMNS)
      return script_complain(cursor, "there are more than %u columns",
                             SCRIPT_MAX_COLUMNS);
   struct script_cursor before = *cursor;
   if (!script_read_register(cursor, &reg))
      return false;
   if (reg.file != SCRIPT_IN || reg.has_dimension ||
       reg.index != data->num_columns)
      return script_complain(&before, "expected IN[%u]", data->num_columns);
   if (!script_accept_words(cursor, "float"))
      return script_complain(cursor, "expected float");
   if (!script_read_number(cursor, 1, 4, "a number of channels", &num_channels))
      return false;
   data->num_channels[data->num_columns++] = (uint8_t)num_channels;
   data->words_per_vertex += num_channels;
   return true;
}

static bool
read_columns(struct script_cursor *cursor, struct script_vertex_data *data)
{
   while (!script_at_end(cursor)) {
      if (!read_column(cursor, data))
         return false;
   }
   return true;
}

static bool
read_vertex(struct script_parser *parser, struct script_vertex_data *data)
{
   struct script_cursor *cursor = &parser->cursor;

   if (!script_reserve(parser, (void **)&data->words, &data->word_capacity,
                       data->num_words, data->words_per_vertex,
                       SCRIPT_MAX_VERTEX_WORDS, sizeof(*data->words)))
      return false;
   for (uint32_t i = 0; i < data->words_per_vertex; i++) {
      struct script_values value = {0};

      if (!script_read_value(cursor, SCRIPT_PLAIN_FLOAT, &value))
         return false;
      if (value.count != 1)
         return script_complain(cursor, "a column has values of one word");
      script_accept_char(cursor, ',');
      data->words[data->num_words + i] = value.words[0];
   }
   if (!script_expect_end(cursor))
      return false;
   data->num_words += data->words_per_vertex;
   return true;
}

void
script_parse_vertex_data(struct script_parser *parser, struct script_word name)
{
   struct script_vertex_data *data = &parser->script->vertices;

   (void)name;
   if (data->num_columns) {
      script_check(parser, script_complain(&parser->cursor,
                                           "there is vertex data already"));
      script_skip_section(parser);
      return;
   }
   if (script_next_words(parser) && !read_columns(&parser->cursor, data)) {
      script_check(parser, false);
      script_skip_section(parser);
      return;
   }
   while (script_next_words(parser) && !parser->out_of_memory)
      script_check(parser, read_vertex(parser, data));
}

static bool
read_indices(struct script_parser *parser, struct script_index_data *data)
{
   while (!script_at_end(&parser->cursor)) {
      if (!script_reserve(parser, (void **)&data->indices, &data->capacity,
                          data->count, 1, SCRIPT_MAX_INDICES,
                          sizeof(*data->indices)) ||
          !script_read_number(&parser->cursor, 0, UINT32_MAX, "an index",
                              &data->indices[data->count]))
         return false;
      script_accept_char(&parser->cursor, ',');
      data->count++;
   }
   return true;
}

void
script_parse_index_data(struct script_parser *parser, struct script_word name)
{
   (void)name;
   while (script_next_words(parser) && !parser->out_of_memory)
      script_check(parser, read_indices(parser, &parser->script->indices));
}
