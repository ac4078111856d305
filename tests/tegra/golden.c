/* SPDX-License-Identifier: MIT
 *
 * Reads golden tests; golden.h has their lines. What starts like such a line
 * and is none is a mistake, so that no expectation is lost to a misspelling.
 */
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
   struct golden_file *file;
   const char *start; /* of the line */
   unsigned line;
};

/* ---- memory -------------------------------------------------------------- */

/* Room for one more element, zeroed. */
static void *
grow(void **array, size_t *count, size_t size)
{
   char *bigger = realloc(*array, (*count + 1) * size);

   if (!bigger)
      abort();
   *array = bigger;
   return memset(bigger + (*count)++ * size, 0, size);
}

static struct golden_case *
current_case(struct reader *reader)
{
   return &reader->file->cases[reader->file->num_cases - 1];
}

static void
add_case(struct reader *reader, const char *text)
{
   struct golden_file *file = reader->file;
   struct golden_case *added =
      grow((void **)&file->cases, &file->num_cases, sizeof(*file->cases));

   added->text = text;
   added->line = reader->line;
}

static void
add_vertex(struct reader *reader)
{
   struct golden_case *owner = current_case(reader);
   struct golden_vertex *vertex =
      grow((void **)&owner->vertices, &owner->num_vertices, sizeof(*vertex));

   vertex->line = reader->line;
}

static struct golden_vertex *
current_vertex(struct reader *reader)
{
   struct golden_case *owner = current_case(reader);

   if (owner->num_vertices == 0)
      add_vertex(reader);
   return &owner->vertices[owner->num_vertices - 1];
}

void
golden_finish(struct golden_file *file)
{
   for (size_t i = 0; i < file->num_cases; i++) {
      for (size_t j = 0; j < file->cases[i].num_vertices; j++)
         free(file->cases[i].vertices[j].expectations);
      free(file->cases[i].vertices);
   }
   free(file->cases);
   free(file->covers);
   free(file->text);
}

/* ---- values -------------------------------------------------------------- */

/* The text behind blanks. */
static const char *
skip_blanks(const char *text)
{
   return text + strspn(text, " \t");
}

static const char *
read_float(const char *text, struct golden_value *value)
{
   char *end;
   float number;

   if (strncmp(text, "0x", 2) == 0) {
      value->word = (uint32_t)strtoul(text, &end, 16);
      return end;
   }
   number = strtof(text, &end);
   memcpy(&value->word, &number, sizeof(number));
   if (number != number)
      value->match = GOLDEN_NAN;
   if (*end == '~') {
      value->match = GOLDEN_ULPS;
      value->ulps = (uint32_t)strtoul(end + 1, &end, 10);
   }
   return end;
}

/* One value; NULL when there is none. */
static const char *
read_value(const char *text, enum golden_kind kind, struct golden_value *value)
{
   const char *end = text + 1;
   char *number_end = NULL;

   *value = (struct golden_value){.match = GOLDEN_BITS};
   if (*text == '*') {
      value->match = GOLDEN_ANY;
   } else if (kind == GOLDEN_CONDITION) {
      value->word = (uint8_t)*text;
      end = strchr("<=>?", *text) ? end : text;
   } else if (kind == GOLDEN_ADDRESS || kind == GOLDEN_WORDS) {
      int base = kind == GOLDEN_WORDS ? 16 : 10;
      value->word = (uint32_t)strtoll(text, &number_end, base);
      end = number_end;
   } else {
      end = read_float(text, value);
   }
   return end == text || (*end && !strchr(" \t", *end)) ? NULL : end;
}

/* "= A B C D" to the end of the line. */
static bool
read_values(const char *text, enum golden_kind kind,
            struct golden_value values[4])
{
   text = skip_blanks(text);
   if (*text++ != '=')
      return false;
   for (unsigned i = 0; i < 4; i++) {
      text = skip_blanks(text);
      text = *text ? read_value(text, kind, &values[i]) : NULL;
      if (!text)
         return false;
   }
   return *skip_blanks(text) == 0;
}

/* "N]" below `limit`; the text behind it, or NULL. */
static const char *
read_index(const char *text, uint32_t limit, uint32_t *index)
{
   char *end;

   *index = (uint32_t)strtoul(text, &end, 10);
   return end != text && *end == ']' && *index < limit ? end + 1 : NULL;
}

/* ---- lines --------------------------------------------------------------- */

/* Of a register of the caller: "N] = A B C D". */
static bool
read_input(const char *text, uint32_t limit, uint32_t (*registers)[4])
{
   struct golden_value values[4];
   uint32_t index;

   text = read_index(text, limit, &index);
   if (!text || !read_values(text, GOLDEN_EXPORT, values))
      return false;
   for (unsigned i = 0; i < 4; i++) {
      if (values[i].match == GOLDEN_ANY || values[i].match == GOLDEN_ULPS)
         return false;
      registers[index][i] = values[i].word;
   }
   return true;
}

/* The first such line names the program that every file has, and before it
 * there are only comments. */
static bool
read_case(struct reader *reader, const char *text)
{
   struct golden_case *first = current_case(reader);

   if (reader->file->num_cases > 1 || first->name[0])
      add_case(reader, reader->start);
   else if (first->num_vertices > 0)
      return false;
   struct golden_case *named = current_case(reader);
   named->line = reader->line;
   named->text = reader->start;
   return snprintf(named->name, sizeof(named->name), "%s", text) > 0;
}

static bool
read_vertex(struct reader *reader, const char *text)
{
   add_vertex(reader);
   return *text == 0;
}

static bool
read_constant(struct reader *reader, const char *text)
{
   return read_input(text, TG_TEGRA_NUM_CONSTANTS,
                     current_case(reader)->constants);
}

static bool
read_attribute(struct reader *reader, const char *text)
{
   return read_input(text, TG_TEGRA_NUM_ATTRIBUTES,
                     current_vertex(reader)->attributes);
}

static bool
read_max_steps(struct reader *reader, const char *text)
{
   char *end;

   current_case(reader)->max_steps = (uint32_t)strtoul(text, &end, 10);
   return end != text && *end == 0;
}

static bool
read_nv_dst_dph(struct reader *reader, const char *text)
{
   current_case(reader)->nv_dst_dph = true;
   return *text == 0;
}

static bool
read_any_finding(struct reader *reader, const char *text)
{
   current_case(reader)->any_finding = true;
   return *text == 0;
}

static bool
read_covers(struct reader *reader, const char *text)
{
   char **covers = &reader->file->covers;
   size_t old = *covers ? strlen(*covers) : 0;
   size_t room = old + strlen(text) + 2;

   *covers = realloc(*covers, room);
   if (!*covers)
      abort();
   snprintf(*covers + old, room - old, "%s,", text);
   return true;
}

static bool
read_end(struct golden_vertex *vertex, const char *text)
{
   text = skip_blanks(text);
   if (*text != '=')
      return false;
   text = skip_blanks(text + 1);
   for (unsigned i = 0; i < TG_TEGRA_NUM_ENDS; i++) {
      if (strcmp(text, tg_tegra_end_name((enum tg_tegra_end)i)) == 0) {
         vertex->end = (enum tg_tegra_end)i;
         return true;
      }
   }
   return false;
}

static bool
add_expectation(struct reader *reader, enum golden_kind kind, uint32_t limit,
                const char *text)
{
   struct golden_expectation read = {.line = reader->line, .kind = kind};

   if (limit)
      text = read_index(text, limit, &read.index);
   if (!text || !read_values(text, kind, read.values))
      return false;
   struct golden_vertex *vertex = current_vertex(reader);
   struct golden_expectation *added =
      grow((void **)&vertex->expectations, &vertex->num_expectations,
           sizeof(*vertex->expectations));
   *added = read;
   return true;
}

static bool
read_expectation(struct reader *reader, const char *text)
{
   static const struct {
      const char *start;
      uint32_t limit; /* 0: has no index */
      enum golden_kind kind;
   } kinds[] = {
      {"export[", TG_TEGRA_NUM_EXPORTS, GOLDEN_EXPORT},
      {"r[", TG_TEGRA_NUM_TEMPORARIES, GOLDEN_TEMPORARY},
      {"A0 ", 0, GOLDEN_ADDRESS},
      {"CR[", 2, GOLDEN_CONDITION},
      {"words[", TG_TEGRA_MAX_INSTRUCTIONS, GOLDEN_WORDS},
   };

   if (strcmp(text, "finding") == 0)
      return current_case(reader)->finding = true;
   if (strncmp(text, "end ", 4) == 0)
      return read_end(current_vertex(reader), text + 4);
   for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
      size_t length = strlen(kinds[i].start);
      if (strncmp(text, kinds[i].start, length) == 0)
         return add_expectation(reader, kinds[i].kind, kinds[i].limit,
                                text + length);
   }
   return false;
}

/* What stands in a comment; false if it is like one of the lines, and is
 * none. */
static bool
read_comment(struct reader *reader, const char *text)
{
   static const struct {
      const char *start;
      bool (*read)(struct reader *reader, const char *text);
   } kinds[] = {
      {"case ", read_case},           {"c[", read_constant},
      {"a[", read_attribute},         {"vertex", read_vertex},
      {"max_steps ", read_max_steps}, {"nv_dst_dph", read_nv_dst_dph},
      {"covers: ", read_covers},      {"any finding", read_any_finding},
      {"expect ", read_expectation},
   };

   for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
      size_t length = strlen(kinds[i].start);
      if (strncmp(text, kinds[i].start, length) == 0)
         return kinds[i].read(reader, text + length);
   }
   return true;
}

/* ---- files --------------------------------------------------------------- */

static bool
read_lines(struct reader *reader)
{
   char *text = reader->file->text;
   char line[1024];

   add_case(reader, text);
   for (reader->line = 1; *text; reader->line++) {
      size_t length = strcspn(text, "\n");
      reader->start = text;
      if (length >= sizeof(line))
         return false;
      if (length > 3 && strncmp(text, "// ", 3) == 0) {
         snprintf(line, sizeof(line), "%.*s", (int)(length - 3), text + 3);
         if (!read_comment(reader, line))
            return false;
      }
      text += length + (text[length] == '\n');
   }
   return true;
}

/* A case goes on to the next one. */
static void
set_lengths(struct golden_file *file)
{
   for (size_t i = 0; i < file->num_cases; i++) {
      const char *end = i + 1 < file->num_cases
                           ? file->cases[i + 1].text
                           : file->text + strlen(file->text);
      file->cases[i].length = (size_t)(end - file->cases[i].text);
   }
}

static char *
read_text(const char *path)
{
   FILE *stream = fopen(path, "rb");
   char *text = NULL;

   if (!stream)
      return NULL;
   if (fseek(stream, 0, SEEK_END) == 0) {
      long size = ftell(stream);
      text = size >= 0 ? calloc(1, (size_t)size + 1) : NULL;
      rewind(stream);
      if (text)
         text[fread(text, 1, (size_t)size, stream)] = 0;
   }
   fclose(stream);
   return text;
}

bool
golden_read(const char *path, struct golden_file *file)
{
   struct reader reader = {.file = file};

   memset(file, 0, sizeof(*file));
   file->text = read_text(path);
   if (!file->text) {
      fprintf(stderr, "%s: cannot be read\n", path);
      return false;
   }
   if (!read_lines(&reader)) {
      fprintf(stderr, "%s:%u: no line of a golden test\n", path, reader.line);
      return false;
   }
   for (size_t i = 0; i < file->num_cases; i++) {
      if (file->cases[i].num_vertices > 0)
         continue;
      fprintf(stderr, "%s:%u: expects nothing\n", path, file->cases[i].line);
      return false;
   }
   set_lengths(file);
   return true;
}

/* ---- comparing ----------------------------------------------------------- */

/* Floats in their order, as integers. */
static int64_t
rank(uint32_t word)
{
   return word >> 31 ? -(int64_t)(word & 0x7fffffff) : (int64_t)word;
}

static bool
is_nan(uint32_t word)
{
   return (word & 0x7fffffff) > 0x7f800000;
}

bool
golden_matches(const struct golden_value *value, uint32_t word)
{
   switch ((enum golden_match)value->match) {
   case GOLDEN_BITS: return word == value->word;
   case GOLDEN_NAN: return is_nan(word);
   case GOLDEN_ANY: return true;
   case GOLDEN_ULPS:
      return !is_nan(word) &&
             llabs(rank(word) - rank(value->word)) <= (int64_t)value->ulps;
   }
   return false;
}
