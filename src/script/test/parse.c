/* SPDX-License-Identifier: MIT
 *
 * The parser of .tgsi_test files: its sections. Each kind has a row in the
 * table of sections and a function that reads its lines.
 */
#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "script/commands/commands.h"
#include "script/sections/section.h"
#include "tgsi/tables/tables.h"
#include "util/length.h"

/* ---- [require] ----------------------------------------------------------- */

static bool
read_requirement(struct script_cursor *cursor, struct script *script)
{
   static const struct script_choice dialects[] = {
#define TG_DIALECT(name, ...) {#name, TG_DIALECT_##name},
#include "tgsi/tables/dialects.def"
   };
   uint32_t number;

   if (!cursor_accept_words(cursor, "dialect"))
      return cursor_complain(cursor, "expected dialect");
   if (!script_read_choice(cursor, dialects, TG_LENGTH(dialects), &number))
      return false;
   script->dialect = (enum tg_dialect)number;
   return cursor_expect_end(cursor);
}

static void
parse_require(struct script_parser *parser, struct script_word name)
{
   (void)name;
   while (script_next_section_words(parser))
      script_section_check(parser,
                           read_requirement(&parser->cursor, parser->script));
}

/* ---- [shader] ------------------------------------------------------------ */

static char *
copy_name(struct script_parser *parser, struct script_word name)
{
   char *copy =
      tg_arena_strndup(&parser->script->arena, name.text, name.length);
   if (!copy)
      parser->out_of_memory = true;
   return copy;
}

static void
parse_shader(struct script_parser *parser, struct script_word name)
{
   struct script *script = parser->script;

   if (script_model_find_shader(script, name))
      script_section_check(
         parser, cursor_complain(&parser->cursor,
                                 "there is a shader of this name already"));
   if (!script_section_reserve(parser, (void **)&script->shaders,
                               &script->shader_capacity, script->num_shaders, 1,
                               SCRIPT_MAX_SHADERS, sizeof(*script->shaders))) {
      script_section_check(parser, false);
      script_skip_section(parser);
      return;
   }
   const char *start = parser->cursor.end;
   uint32_t line = parser->cursor.line;

   script_skip_section(parser);
   const char *end =
      parser->has_line ? parser->cursor.line_start : parser->cursor.end;
   script->shaders[script->num_shaders++] = (struct script_shader){
      .name = copy_name(parser, name),
      .line = line,
      .text = start,
      .length = (size_t)(end - start),
   };
}

/* ---- [state] and [test] -------------------------------------------------- */

/* Reads a command and appends it to a list. */
static bool
read_command(struct script_parser *parser, struct script_commands *commands,
             unsigned flags)
{
   struct script_cursor *cursor = &parser->cursor;
   struct script_command command = {.position = cursor_position(cursor)};

   command.rule = script_find_command(cursor, flags);
   if (!command.rule)
      return cursor_complain(cursor, "there is no such command");
   if (!command.rule->read(cursor, parser->script, &command) ||
       !cursor_expect_end(cursor) ||
       !script_section_reserve(parser, (void **)&commands->items,
                               &commands->capacity, commands->count, 1,
                               SCRIPT_MAX_COMMANDS, sizeof(*commands->items)))
      return false;
   commands->items[commands->count++] = command;
   return true;
}

static void
read_commands(struct script_parser *parser, struct script_commands *commands,
              unsigned flags)
{
   while (script_next_section_words(parser) && !parser->out_of_memory)
      script_section_check(parser, read_command(parser, commands, flags));
}

static void
parse_state(struct script_parser *parser, struct script_word name)
{
   (void)name;
   read_commands(parser, &parser->script->state, SCRIPT_COMMAND_STATE);
}

static void
parse_test(struct script_parser *parser, struct script_word name)
{
   struct script *script = parser->script;
   struct script_test test = {
      .name = copy_name(parser, name),
      .line = parser->cursor.line,
   };

   if (!script_section_reserve(parser, (void **)&script->tests,
                               &script->test_capacity, script->num_tests, 1,
                               SCRIPT_MAX_TESTS, sizeof(*script->tests))) {
      script_section_check(parser, false);
      script_skip_section(parser);
      return;
   }
   read_commands(parser, &test.commands, 0);
   script->tests[script->num_tests++] = test;
}

/* ---- heads --------------------------------------------------------------- */

static const struct section {
   const char *words;
   bool takes_name;
   void (*parse)(struct script_parser *parser, struct script_word name);
} sections[] = {
   {"require", false, parse_require},
   {"shader", true, parse_shader},
   {"state", false, parse_state},
   {"vertex data", false, script_parse_vertex_data},
   {"index data", false, script_parse_index_data},
   {"stream output", true, script_parse_stream_output},
#define SCRIPT_PLACE(id, words, ...) {words, true, script_parse_place},
#include "script/sections/places.def"
   {"test", true, parse_test},
};

/* The bytes up to the closing bracket. */
static bool
read_name(struct script_cursor *cursor, struct script_word *name_out)
{
   struct tg_position start = cursor_position(cursor);
   const char *text = cursor->source->text + start.offset;
   const char *end = memchr(text, ']', (size_t)(cursor->end - text));

   if (!end)
      return cursor_complain(cursor, "expected ']' at the end of the line");
   if (end - text > SCRIPT_MAX_NAME)
      return cursor_complain(cursor, "a name has no more than %d characters",
                             SCRIPT_MAX_NAME);
   cursor->at = end + 1;
   while (end > text && end[-1] == ' ')
      end--;
   *name_out = (struct script_word){text, (size_t)(end - text)};
   return cursor_expect_end(cursor);
}

/* [STAGE shader] is another spelling of [shader STAGE]. */
static bool
accept_stage(struct script_cursor *cursor, struct script_word *stage_out)
{
   struct script_cursor before = *cursor;
   const unsigned stage = script_model_accept_stage(cursor);

   if (stage < TG_NUM_GPU_STAGES && cursor_accept_words(cursor, "shader")) {
      const char *name = script_stage_names[stage];

      *stage_out = (struct script_word){name, strlen(name)};
      return true;
   }
   *cursor = before;
   return false;
}

static const struct section *
read_head(struct script_cursor *cursor, struct script_word *name_out)
{
   cursor_expect_char(cursor, '[');
   if (accept_stage(cursor, name_out)) {
      struct script_word nothing;

      return read_name(cursor, &nothing) ? &sections[1] : NULL;
   }
   for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
      if (!cursor_accept_words(cursor, sections[i].words))
         continue;
      if (!read_name(cursor, name_out))
         return NULL;
      if (!name_out->length || sections[i].takes_name)
         return &sections[i];
      cursor_complain(cursor, "[%s] takes no name", sections[i].words);
      return NULL;
   }
   cursor_complain(cursor, "there is no such section");
   return NULL;
}

static void
parse_section(struct script_parser *parser)
{
   struct script_word name;
   const struct section *section = read_head(&parser->cursor, &name);

   parser->has_line = false;
   if (section) {
      parser->head = section->words;
      section->parse(parser, name);
      return;
   }
   parser->failed = true;
   script_skip_section(parser);
}

static void
parse_file(struct script_parser *parser)
{
   while (!parser->out_of_memory) {
      if (script_next_section_words(parser)) {
         script_section_check(
            parser,
            cursor_complain(&parser->cursor, "expected the head of a section"));
         script_skip_section(parser);
      }
      if (!parser->has_line)
         return;
      parse_section(parser);
   }
}

/* ---- the script ---------------------------------------------------------- */

static struct script *
create(const struct tg_allocator *allocator, const struct script_limits *limits)
{
   struct script *script =
      allocator->resize(allocator->user, NULL, 0, sizeof(*script));
   if (!script)
      return NULL;
   memset(script, 0, sizeof(*script));
   script->limits = *limits;
   script->dialect = TG_DIALECT_2019;
   tg_quota_init(&script->quota, allocator, limits->memory);
   tg_arena_init(&script->arena, &script->quota.allocator);
   return script;
}

static bool
copy_source(struct script *script, const char *name, const char *text,
            size_t length)
{
   script->source = (struct tg_source){
      .name = tg_arena_strndup(&script->arena, name, strlen(name)),
      .text = tg_arena_strndup(&script->arena, text, length),
      .length = length,
   };
   return script->source.name && script->source.text;
}

/* Complains about a line of the file, or with line 0 about all of it. */
static enum tg_result
refuse(const char *name, uint32_t line, struct tg_diagnostics *diagnostics,
       const char *format, ...)
{
   const struct tg_source source = {.name = name};
   const struct tg_position position = {.line = line, .column = line > 0};
   va_list args;

   va_start(args, format);
   tg_vdiagnose(diagnostics, TG_SEVERITY_ERROR, "test-file", &source, position,
                NULL, format, args);
   va_end(args);
   return TG_ERROR_LIMIT;
}

enum tg_result
script_parse(const struct tg_allocator *allocator,
             const struct script_limits *limits, const char *name,
             const char *text, size_t length,
             struct tg_diagnostics *diagnostics, struct script **script_out)
{
   static const struct script_limits usual_limits = SCRIPT_LIMITS_INIT;

   if (length > SCRIPT_MAX_LENGTH)
      return refuse(name, 0, diagnostics,
                    "a test file has at most %d bytes, not %zu",
                    SCRIPT_MAX_LENGTH, length);
   struct script *script =
      create(allocator ? allocator : tg_default_allocator(),
             limits ? limits : &usual_limits);
   if (!script)
      return TG_ERROR_MEMORY;

   struct tg_work_options work = TG_WORK_OPTIONS_INIT;
   work.max_seconds = script->limits.seconds;
   work.note = script->limits.note;
   enum tg_result result = TG_OK;
   struct script_parser parser = {
      .script = script,
      .cursor = cursor_at_start(&script->source, diagnostics),
      .out_of_memory = !copy_source(script, name, text, length),
   };
   tg_work_init(&parser.work, &work);
   parse_file(&parser);
   if (parser.out_of_memory && script->quota.refused)
      result =
         refuse(name, parser.cursor.line, diagnostics, SCRIPT_BEYOND_QUOTA,
                (unsigned long long)script->limits.memory);
   else if (parser.out_of_memory)
      result = TG_ERROR_MEMORY;
   else if (tg_work_has_ended(&parser.work))
      result = tg_work_diagnose(
         &parser.work, diagnostics, &script->source,
         (struct tg_position){.line = parser.cursor.line, .column = 1});
   else if (parser.failed)
      result = TG_ERROR_INPUT;
   if (result == TG_OK)
      *script_out = script;
   else
      script_destroy(script);
   return result;
}

void
script_destroy(struct script *script)
{
   if (!script)
      return;
   const struct tg_allocator *allocator = script->quota.below;

   tg_arena_finish(&script->arena);
   allocator->resize(allocator->user, script, sizeof(*script), 0);
}
