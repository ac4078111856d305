/* SPDX-License-Identifier: MIT
 *
 * Diagnostics: the list of complaints, its two printed forms, and the guess at
 * what a misspelt word was meant to be.
 */
#include "util/diagnostics.h"

#include <string.h>

#include "util/arena.h"
#include "util/ascii.h"
#include "util/controls.h"
#include "util/json.h"
#include "util/strbuf.h"

enum {
   MAX_KEPT = 1000,
   MAX_SHOWN = 160, /* bytes of a source line that are worth showing */
   MAX_WORD = 63,   /* longest word that is spell-checked */
};

struct tg_diagnostics {
   struct tg_arena arena;
   struct tg_diagnostic *list;
   uint32_t count;
   uint32_t capacity;
   size_t num_said; /* kept or not */
   size_t num_errors;
};

struct tg_diagnostics *
tg_diagnostics_create(const struct tg_allocator *allocator)
{
   if (!allocator)
      allocator = tg_default_allocator();

   struct tg_diagnostics *diagnostics =
      allocator->resize(allocator->user, NULL, 0, sizeof(*diagnostics));
   if (!diagnostics)
      return NULL;
   *diagnostics = (struct tg_diagnostics){0};
   tg_arena_init(&diagnostics->arena, allocator);
   return diagnostics;
}

void
tg_diagnostics_destroy(struct tg_diagnostics *diagnostics)
{
   if (!diagnostics)
      return;

   const struct tg_allocator *allocator = diagnostics->arena.allocator;
   tg_arena_finish(&diagnostics->arena);
   allocator->resize(allocator->user, diagnostics, sizeof(*diagnostics), 0);
}

void
tg_diagnostics_clear(struct tg_diagnostics *diagnostics)
{
   tg_arena_finish(&diagnostics->arena);
   diagnostics->list = NULL;
   diagnostics->count = 0;
   diagnostics->capacity = 0;
   diagnostics->num_said = 0;
   diagnostics->num_errors = 0;
}

size_t
tg_diagnostics_count(const struct tg_diagnostics *diagnostics)
{
   return diagnostics->count;
}

size_t
tg_diagnostics_num_errors(const struct tg_diagnostics *diagnostics)
{
   return diagnostics->num_errors;
}

const struct tg_diagnostic *
tg_diagnostics_get(const struct tg_diagnostics *diagnostics, size_t index)
{
   return index < diagnostics->count ? &diagnostics->list[index] : NULL;
}

const struct tg_allocator *
tg_diagnostics_allocator(const struct tg_diagnostics *diagnostics)
{
   return diagnostics ? diagnostics->arena.allocator : tg_default_allocator();
}

/* ---- making -------------------------------------------------------------- */

bool
tg_source_copy(struct tg_arena *arena, const struct tg_source *source,
               struct tg_source *copy_out)
{
   *copy_out = (struct tg_source){
      .name = tg_arena_strndup(arena, source->name, strlen(source->name)),
      .text = source->text
                 ? tg_arena_strndup(arena, source->text, source->length)
                 : NULL,
      .length = source->text ? source->length : 0,
      .first_line = source->first_line,
   };
   return copy_out->name && (copy_out->text || !source->text);
}

/* The line around a position, cut to what is worth showing. */
static char *
copy_line(struct tg_arena *arena, const struct tg_source *source,
          struct tg_position position)
{
   if (!source->text || !position.line || position.offset > source->length)
      return NULL;

   size_t start = position.offset - (position.column - 1);
   size_t end = position.offset;
   while (end < source->length && source->text[end] != '\n' &&
          end - start < MAX_SHOWN)
      end++;
   if (end - start > MAX_SHOWN)
      end = start + MAX_SHOWN;

   char *line = tg_arena_strndup(arena, source->text + start, end - start);
   for (char *c = line; c && c < line + (end - start); c++) {
      if (!tg_ascii_is_printable(*c))
         *c = ' ';
   }
   return line;
}

/* Where a complaint goes: after the others or, where no more are kept, an
 * error in the place of the latest warning. NULL: it is not kept. */
static struct tg_diagnostic *
find_room(struct tg_diagnostics *diagnostics, enum tg_severity severity)
{
   uint32_t place = diagnostics->count;

   if (place < MAX_KEPT)
      return tg_arena_reserve(&diagnostics->arena, (void **)&diagnostics->list,
                              &diagnostics->capacity, diagnostics->count,
                              sizeof(*diagnostics->list))
                ? &diagnostics->list[place]
                : NULL;
   if (severity != TG_SEVERITY_ERROR ||
       diagnostics->num_errors > diagnostics->count)
      return NULL;
   while (place > 0 &&
          diagnostics->list[place - 1].severity == TG_SEVERITY_ERROR)
      place--;
   return place ? &diagnostics->list[place - 1] : NULL;
}

void
tg_vdiagnose(struct tg_diagnostics *diagnostics, enum tg_severity severity,
             const char *code, const struct tg_source *source,
             struct tg_position position, const char *note, const char *format,
             va_list args)
{
   if (!diagnostics)
      return;
   diagnostics->num_said++;
   if (severity == TG_SEVERITY_ERROR)
      diagnostics->num_errors++;
   struct tg_diagnostic *room = find_room(diagnostics, severity);
   if (!room)
      return;

   struct tg_strbuf message = {.allocator = diagnostics->arena.allocator};
   tg_strbuf_vprintf(&message, format, args);
   tg_hide_controls(message.data, message.failed ? 0 : message.length,
                    TG_CONTROLS_NONE);

   struct tg_arena *arena = &diagnostics->arena;
   const struct tg_diagnostic made = {
      .severity = severity,
      .code = code,
      .file = tg_arena_printf(arena, "%s", source->name),
      .line = position.line,
      .column = position.column,
      .message = message.failed
                    ? NULL
                    : tg_arena_strndup(arena, message.data, message.length),
      .note = note ? tg_arena_printf(arena, "%s", note) : NULL,
      .source_line = copy_line(arena, source, position),
   };
   tg_strbuf_finish(&message);
   if (!made.file || !made.message)
      return;
   *room = made;
   if (room == &diagnostics->list[diagnostics->count])
      diagnostics->count++;
}

void
tg_diagnose(struct tg_diagnostics *diagnostics, enum tg_severity severity,
            const char *code, const struct tg_source *source,
            struct tg_position position, const char *note, const char *format,
            ...)
{
   va_list args;

   va_start(args, format);
   tg_vdiagnose(diagnostics, severity, code, source, position, note, format,
                args);
   va_end(args);
}

enum tg_result
tg_vcomplain(struct tg_diagnostics *diagnostics, enum tg_result result,
             const char *code, const char *name, const char *format,
             va_list args)
{
   const struct tg_source source = {.name = name};

   tg_vdiagnose(diagnostics, TG_SEVERITY_ERROR, code, &source,
                (struct tg_position){0}, NULL, format, args);
   return result;
}

enum tg_result
tg_complain(struct tg_diagnostics *diagnostics, enum tg_result result,
            const char *code, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   tg_vcomplain(diagnostics, result, code, code, format, args);
   va_end(args);
   return result;
}

static bool
stands_after(const struct tg_diagnostic *a, const struct tg_diagnostic *b)
{
   return a->line != b->line ? a->line > b->line : a->column > b->column;
}

/* By insertion: there are at most MAX_KEPT, and most are in order. */
void
tg_diagnostics_sort(struct tg_diagnostics *diagnostics, size_t first)
{
   struct tg_diagnostic *list = diagnostics->list;

   for (size_t i = first + 1; i < diagnostics->count; i++) {
      const struct tg_diagnostic moved = list[i];
      size_t place = i;

      for (; place > first && stands_after(&list[place - 1], &moved); place--)
         list[place] = list[place - 1];
      list[place] = moved;
   }
}

/* ---- printing ------------------------------------------------------------ */

static const char *
severity_name(enum tg_severity severity)
{
   return severity == TG_SEVERITY_ERROR ? "error" : "warning";
}

static const struct tg_text_style plain = {"", "", "", "", "", ""};

static void
print_caret(struct tg_strbuf *out, const struct tg_diagnostic *diagnostic,
            const struct tg_text_style *style)
{
   if (!diagnostic->source_line || diagnostic->column > MAX_SHOWN)
      return;
   tg_strbuf_printf(out, "%s\n%*s%s^%s\n", diagnostic->source_line,
                    (int)diagnostic->column - 1, "", style->caret, style->end);
}

static void
print_place(struct tg_strbuf *out, const struct tg_diagnostic *diagnostic)
{
   tg_strbuf_printf(out, "%s:", diagnostic->file);
   if (diagnostic->line)
      tg_strbuf_printf(out, "%u:%u:", diagnostic->line, diagnostic->column);
   else if (diagnostic->column)
      tg_strbuf_printf(out, " word %u:", diagnostic->column);
}

static void
print_one(struct tg_strbuf *out, const struct tg_diagnostic *diagnostic,
          const struct tg_text_style *style)
{
   const bool is_error = diagnostic->severity == TG_SEVERITY_ERROR;

   tg_strbuf_add(out, style->place);
   print_place(out, diagnostic);
   tg_strbuf_printf(out, "%s %s%s:%s %s\n", style->end,
                    is_error ? style->error : style->warning,
                    severity_name(diagnostic->severity), style->end,
                    diagnostic->message);
   print_caret(out, diagnostic, style);
   if (diagnostic->note)
      tg_strbuf_printf(out, "%snote:%s %s\n", style->note, style->end,
                       diagnostic->note);
}

char *
tg_diagnostics_styled_text(const struct tg_diagnostics *diagnostics,
                           const struct tg_text_style *style)
{
   struct tg_strbuf out = {.allocator = diagnostics->arena.allocator};

   tg_strbuf_add(&out, "");
   for (uint32_t i = 0; i < diagnostics->count; i++)
      print_one(&out, &diagnostics->list[i], style);
   if (diagnostics->num_said > diagnostics->count)
      tg_strbuf_printf(&out, "%zu complaints; %u are shown\n",
                       diagnostics->num_said, diagnostics->count);
   return tg_strbuf_take(&out);
}

char *
tg_diagnostics_text(const struct tg_diagnostics *diagnostics)
{
   return tg_diagnostics_styled_text(diagnostics, &plain);
}

static void
json_one(struct tg_json *json, const struct tg_diagnostic *diagnostic)
{
   struct tg_json_value *object = tg_json_object(json, json->root, NULL);

   tg_json_string(json, object, "severity",
                  severity_name(diagnostic->severity));
   tg_json_string(json, object, "code", diagnostic->code);
   tg_json_string(json, object, "file", diagnostic->file);
   tg_json_number(json, object, "line", diagnostic->line);
   tg_json_number(json, object, "column", diagnostic->column);
   tg_json_string(json, object, "message", diagnostic->message);
   if (diagnostic->note)
      tg_json_string(json, object, "note", diagnostic->note);
   if (diagnostic->source_line)
      tg_json_string(json, object, "source_line", diagnostic->source_line);
}

char *
tg_diagnostics_json(const struct tg_diagnostics *diagnostics)
{
   struct tg_json json;

   tg_json_init_array(&json, diagnostics->arena.allocator);
   for (uint32_t i = 0; i < diagnostics->count; i++)
      json_one(&json, &diagnostics->list[i]);
   return tg_json_take(&json);
}

/* ---- spelling ------------------------------------------------------------ */

static unsigned
min3(unsigned a, unsigned b, unsigned c)
{
   unsigned least = a < b ? a : b;
   return least < c ? least : c;
}

static bool
same_letter(char a, char b)
{
   return tg_ascii_lower(a) == tg_ascii_lower(b);
}

/* How many letters must be changed, added, removed or swapped with their
 * neighbour to make `b` of `a`; both have at most MAX_WORD letters. */
static unsigned
edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
   unsigned rows[3][MAX_WORD + 1]; /* for i, i - 1 and i - 2, in turn */

   for (size_t j = 0; j <= b_length; j++)
      rows[0][j] = (unsigned)j;
   for (size_t i = 1; i <= a_length; i++) {
      unsigned *row = rows[i % 3];
      const unsigned *above = rows[(i + 2) % 3];
      const unsigned *above2 = rows[(i + 1) % 3];

      row[0] = (unsigned)i;
      for (size_t j = 1; j <= b_length; j++) {
         unsigned change = above[j - 1] + !same_letter(a[i - 1], b[j - 1]);

         row[j] = min3(change, above[j] + 1, row[j - 1] + 1);
         if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
             same_letter(a[i - 2], b[j - 1]) && above2[j - 2] + 1 < row[j])
            row[j] = above2[j - 2] + 1;
      }
   }
   return rows[a_length % 3][b_length];
}

const char *
tg_did_you_mean_of(const char *word, size_t length, size_t num_candidates,
                   const char *(*name)(const void *user, size_t index),
                   const void *user)
{
   const char *best = NULL;
   unsigned best_distance = (unsigned)(length + 2) / 3 + 1;

   if (length > MAX_WORD)
      return NULL;
   for (size_t i = 0; i < num_candidates; i++) {
      const char *candidate = name(user, i);
      size_t candidate_length = candidate ? strlen(candidate) : 0;

      if (!candidate_length || candidate_length > MAX_WORD)
         continue;
      unsigned distance =
         edit_distance(word, length, candidate, candidate_length);
      if (distance < best_distance) {
         best_distance = distance;
         best = candidate;
      }
   }
   return best;
}

/* A function that gives candidates by their index alone. */
struct index_name {
   const char *(*name)(size_t index);
};

static const char *
name_by_index(const void *user, size_t index)
{
   const struct index_name *names = user;

   return names->name(index);
}

const char *
tg_did_you_mean(const char *word, size_t length, size_t num_candidates,
                const char *(*name)(size_t index))
{
   const struct index_name names = {name};

   return tg_did_you_mean_of(word, length, num_candidates, name_by_index,
                             &names);
}
