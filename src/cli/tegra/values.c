/* SPDX-License-Identifier: MIT
 *
 * Attributes and constants from files and the command line.
 */
#include "cli/tegra/values.h"

#include <stdlib.h>
#include <string.h>

#include "cli/io/files.h"
#include "script/text/values.h"
#include "util/arena.h"

enum { MAX_SETTINGS = 1 << 20, ALL_VERTICES = -1 };

/* One line, or one --set. */
struct setting {
   bool is_constant;
   uint32_t index;
   int vertex; /* or ALL_VERTICES */
   uint32_t words[4];
   const struct tg_source *source;
   struct tg_position position;
};

/* All that are read, in their order; sources and texts are in the arena. */
struct settings {
   const struct tg_tegra_program *program;
   struct tg_diagnostics *diagnostics;
   struct tg_arena arena;
   struct setting *items;
   uint32_t count, capacity;
};

/* ---- one setting --------------------------------------------------------- */

/* Where registers are from. CONST may have the number of its buffer, which is
 * 0, in front. */
static const struct file {
   const char *name;
   bool is_constant, is_output, has_buffer;
} files[] = {
   {"a", false, false, false},  {"c", true, false, false},
   {"IN", false, false, false}, {"CONST", true, false, true},
   {"OUT", false, true, false}, {"export", false, true, false},
};

enum { NUM_OWN = 2 /* a and c, which no name of a program hides */ };

/* The file among the first `count` that comes next, or NULL; it is not taken.
 */
static const struct file *
peek_file(struct script_cursor *cursor, unsigned count)
{
   const struct script_word word = cursor_peek_word(cursor);

   for (unsigned i = 0; i < count; i++) {
      if (cursor_word_is(word, files[i].name))
         return &files[i];
   }
   return NULL;
}

/* Does this name stand at a place, and nothing of a longer one? */
static bool
is_name(const struct script_cursor *cursor, const char *at, const char *name)
{
   const size_t length = name ? strlen(name) : 0;

   if (!length || (size_t)(cursor->end - at) < length ||
       memcmp(at, name, length) != 0)
      return false;
   return at + length == cursor->end || strchr(" \t=:", at[length]);
}

/* Reads what the program calls an attribute or a constant. */
static bool
read_name(struct script_cursor *cursor, const struct tg_tegra_program *program,
          struct setting *setting)
{
   const char *at = cursor_peek_word(cursor).text;

   for (unsigned i = 0; i < TG_TEGRA_NUM_ATTRIBUTES + TG_TEGRA_NUM_CONSTANTS;
        i++) {
      const bool is_constant = i >= TG_TEGRA_NUM_ATTRIBUTES;
      const uint32_t index = is_constant ? i - TG_TEGRA_NUM_ATTRIBUTES : i;
      const char *name = tg_tegra_name(
         program, is_constant ? TG_TEGRA_UNIFORM : TG_TEGRA_ATTRIBUTE, index);

      if (!is_name(cursor, at, name))
         continue;
      setting->is_constant = is_constant;
      setting->index = index;
      cursor->at = at + strlen(name);
      return true;
   }
   return false;
}

static bool
read_brackets(struct script_cursor *cursor, uint32_t count, uint32_t *index_out)
{
   return cursor_expect_char(cursor, '[') &&
          cursor_read_number(cursor, 0, count - 1, "a register's number",
                             index_out) &&
          cursor_expect_char(cursor, ']');
}

static bool
read_index(struct script_cursor *cursor, const struct file *file,
           uint32_t *index_out)
{
   const uint32_t count =
      file->is_constant ? TG_TEGRA_NUM_CONSTANTS : TG_TEGRA_NUM_ATTRIBUTES;

   if (!read_brackets(cursor, count, index_out))
      return false;

   const bool is_buffer = file->has_buffer && *index_out == 0 &&
                          cursor->at < cursor->end && *cursor->at == '[';
   return !is_buffer || read_brackets(cursor, count, index_out);
}

static bool
read_vertex(struct script_cursor *cursor, struct setting *setting)
{
   static const char *const names[] = {"vertex", "lane"};
   const uint32_t most =
      (uint32_t)cli_options_info[OPTION_vertices].greatest - 1;
   const struct script_word word = cursor_peek_word(cursor);
   uint32_t vertex;

   setting->vertex = ALL_VERTICES;
   for (unsigned i = 0; i < 2; i++) {
      const size_t length = strlen(names[i]);

      if (word.length < length || memcmp(word.text, names[i], length) != 0)
         continue;
      if (setting->is_constant)
         return cursor_complain(cursor, "all vertices have the same constants");
      cursor->at += length;
      if (!cursor_read_number(cursor, 0, most, "a vertex's number", &vertex))
         return false;
      setting->vertex = (int)vertex;
   }
   return true;
}

static bool
read_register(struct script_cursor *cursor,
              const struct tg_tegra_program *program, bool is_set,
              struct setting *setting)
{
   setting->position = cursor_position(cursor);
   setting->source = cursor->source;

   const struct file *file = peek_file(cursor, NUM_OWN);
   if (!file && read_name(cursor, program, setting))
      return read_vertex(cursor, setting);
   if (!file)
      file = peek_file(cursor, sizeof(files) / sizeof(*files));
   if (!file)
      return cursor_complain(
         cursor, "expected a[...], c[...] or a name in the program");
   if (is_set && file->is_output)
      return cursor_complain(cursor, "an export cannot be set");
   cursor->at += strlen(file->name);
   setting->is_constant = file->is_constant;
   return read_index(cursor, file, &setting->index) &&
          read_vertex(cursor, setting);
}

/* `a[0] vertex 2 = 1, 2, 3, 4` */
static bool
read_set(struct script_cursor *cursor, const struct tg_tegra_program *program,
         struct setting *setting)
{
   struct script_values values;

   if (!read_register(cursor, program, true, setting) ||
       !cursor_expect_char(cursor, '=') ||
       !script_read_values(cursor, SCRIPT_PLAIN_FLOAT, 4, &values) ||
       !cursor_expect_end(cursor))
      return false;
   memcpy(setting->words, values.words, sizeof(setting->words));
   return true;
}

/* `a[0] vertex2: 3f800000 0 0 0`. A word ends at a space or comma. */
static bool
read_line(struct script_cursor *cursor, const struct tg_tegra_program *program,
          struct setting *setting)
{
   if (!read_register(cursor, program, false, setting) ||
       !cursor_expect_char(cursor, ':'))
      return false;
   for (unsigned i = 0; i < 4; i++) {
      struct script_word word = cursor_peek_word(cursor);

      if (!cursor_word_to_hex(word, &setting->words[i]))
         return cursor_complain(
            cursor, "expected a word of up to eight hexadecimal digits");
      cursor->at += word.length;
   }
   return cursor_expect_end(cursor);
}

/* ---- all of them --------------------------------------------------------- */

static enum tg_result
append(struct settings *settings, struct script_cursor *cursor,
       const struct setting *setting)
{
   if (settings->count == MAX_SETTINGS) {
      cursor_complain(cursor, "there are more than %d settings", MAX_SETTINGS);
      return TG_ERROR_LIMIT;
   }
   if (!tg_arena_reserve(&settings->arena, (void **)&settings->items,
                         &settings->capacity, settings->count,
                         sizeof(*settings->items)))
      return TG_ERROR_MEMORY;
   settings->items[settings->count++] = *setting;
   return TG_OK;
}

static struct tg_source *
add_source(struct settings *settings, const char *name, const char *text,
           size_t length)
{
   struct tg_source *source =
      tg_arena_array(&settings->arena, 1, sizeof(*source));
   char *copy = tg_arena_strndup(&settings->arena, text, length);

   if (!source || !copy)
      return NULL;
   *source = (struct tg_source){name, copy, length};
   return source;
}

static enum tg_result
read_values_file(struct settings *settings, const char *path)
{
   enum tg_result result = TG_OK;
   size_t length;
   char *text = cli_read_file(path, &length);
   if (!text)
      return TG_ERROR_IO;
   struct tg_source *source = add_source(settings, path, text, length);
   free(text);
   if (!source)
      return TG_ERROR_MEMORY;

   struct script_cursor cursor = cursor_at_start(source, settings->diagnostics);
   while (cursor_next_line(&cursor)) {
      struct setting setting;

      if (cursor_at_end(&cursor))
         continue;
      if (!read_line(&cursor, settings->program, &setting)) {
         result = TG_ERROR_INPUT;
         continue;
      }
      enum tg_result appended = append(settings, &cursor, &setting);
      if (appended != TG_OK)
         return appended;
   }
   return result;
}

static enum tg_result
read_set_options(struct settings *settings, const struct cli_list *list)
{
   for (unsigned i = 0; i < list->count; i++) {
      const char *text = list->items[i];
      struct setting setting;
      struct tg_source *source =
         add_source(settings, "--set", text, strlen(text));
      if (!source)
         return TG_ERROR_MEMORY;

      struct script_cursor cursor =
         cursor_at_start(source, settings->diagnostics);
      if (!cursor_next_line(&cursor))
         cursor.line = 1; /* an empty line, to complain about */
      if (!read_set(&cursor, settings->program, &setting))
         return TG_ERROR_INPUT;
      enum tg_result result = append(settings, &cursor, &setting);
      if (result != TG_OK)
         return result;
   }
   return TG_OK;
}

/* ---- to their places ----------------------------------------------------- */

static uint32_t
count_vertices(const struct settings *settings, uint64_t wanted)
{
   int last = 0;

   for (uint32_t i = 0; i < settings->count && !wanted; i++) {
      if (settings->items[i].vertex > last)
         last = settings->items[i].vertex;
   }
   return wanted ? (uint32_t)wanted : (uint32_t)last + 1;
}

/* What the program itself gives goes before what is set. */
static void
warn_of_constant(const struct settings *settings, const struct setting *setting)
{
   char given[5];
   unsigned count = 0;
   uint32_t words[4];
   unsigned mask = tg_tegra_constant(settings->program, setting->index, words);

   for (unsigned i = 0; i < 4; i++) {
      if (mask >> i & 1)
         given[count++] = "xyzw"[i];
   }
   given[count] = '\0';
   if (count)
      tg_diagnose(settings->diagnostics, TG_SEVERITY_WARNING, "constant-given",
                  setting->source, setting->position, NULL,
                  "the program itself gives c[%u].%s", setting->index, given);
}

static enum tg_result
apply(const struct settings *settings, const struct setting *setting,
      struct cli_tegra_values *values)
{
   const size_t size = sizeof(setting->words);

   if (setting->is_constant) {
      warn_of_constant(settings, setting);
      memcpy(values->constants[setting->index], setting->words, size);
      return TG_OK;
   }
   if (setting->vertex >= (int)values->num_vertices) {
      tg_diagnose(settings->diagnostics, TG_SEVERITY_ERROR, "no-such-vertex",
                  setting->source, setting->position, NULL,
                  "the run has no vertex %d", setting->vertex);
      return TG_ERROR_INPUT;
   }
   const bool all = setting->vertex == ALL_VERTICES;
   uint32_t first = all ? 0 : (uint32_t)setting->vertex;
   uint32_t end = all ? values->num_vertices : first + 1;
   for (uint32_t i = first; i < end; i++)
      memcpy(values->attributes[i][setting->index], setting->words, size);
   return TG_OK;
}

static enum tg_result
apply_all(const struct settings *settings, uint64_t num_vertices,
          struct cli_tegra_values *values)
{
   enum tg_result result = TG_OK;

   values->num_vertices = count_vertices(settings, num_vertices);
   values->attributes =
      calloc(values->num_vertices, sizeof(*values->attributes));
   if (!values->attributes)
      return TG_ERROR_MEMORY;
   for (uint32_t i = 0; i < settings->count && result == TG_OK; i++)
      result = apply(settings, &settings->items[i], values);
   return result;
}

enum tg_result
cli_tegra_values_read(struct cli_call *call,
                      const struct tg_tegra_program *program,
                      struct cli_tegra_values *values_out)
{
   const struct cli_options *options = &call->options;
   struct settings settings = {.program = program,
                               .diagnostics = call->diagnostics};
   enum tg_result result = TG_OK;

   *values_out = (struct cli_tegra_values){0};
   tg_arena_init(&settings.arena, NULL);
   if (options->values)
      result = read_values_file(&settings, options->values);
   if (result == TG_OK)
      result = read_set_options(&settings, &options->set);
   if (result == TG_OK)
      result = apply_all(&settings, options->vertices, values_out);
   tg_arena_finish(&settings.arena);
   return result;
}

void
cli_tegra_values_finish(struct cli_tegra_values *values)
{
   free(values->attributes);
   values->attributes = NULL;
}
