/* SPDX-License-Identifier: MIT
 *
 * Command streams extracted from logs: the words that the kernel's debug file
 * of host1x lists, and those that grate's wrapper of a driver prints. Commands
 * and their data are taken out of their lines, and other lines stepped over.
 *
 *     02d42000: 22060004: NONINCR(offset=206, [401f9c6c, 0040000d, ...])
 *
 *     HOST1X_OPCODE_NONINCR: offset:206 count:4
 *       206 <= 0x401f9c6c
 */
#include <assert.h>
#include <string.h>

#include "tegra/host1x/host1x.h"
#include "tegra/isa/program.h"
#include "util/ascii.h"

enum { WORD_DIGITS = 8 };

/* A part of a line. */
struct span {
   const char *at, *end;
};

struct reader {
   struct tg_arena arena;
   uint32_t *words;
   uint32_t count, capacity;
   uint32_t missing, total;    /* words of data of the last command */
   struct tg_position command; /* where that is */
   bool has_memory;
};

/* ---- parts of lines ------------------------------------------------------ */

static bool
is_name_char(char c)
{
   return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static int
digit_of(char c)
{
   const char low = tg_ascii_lower(c);

   if (c >= '0' && c <= '9')
      return c - '0';
   return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/* Takes up to eight hexadecimal digits, of which there is one at least. */
static bool
take_hex(struct span *span, uint32_t *word_out)
{
   unsigned count = 0;

   for (*word_out = 0; span->at < span->end && digit_of(*span->at) >= 0;
        span->at++, count++)
      *word_out = *word_out << 4 | (uint32_t)digit_of(*span->at);
   return count >= 1 && count <= WORD_DIGITS;
}

static void
skip(struct span *span, const char *chars)
{
   while (span->at < span->end && *span->at && strchr(chars, *span->at))
      span->at++;
}

/* Steps after `text`, if it is in the span. */
static bool
find(struct span *span, const char *text)
{
   const size_t length = strlen(text);
   const char *found =
      memmem(span->at, (size_t)(span->end - span->at), text, length);

   if (found)
      span->at = found + length;
   return found != NULL;
}

/* Takes `text`, which may be NULL, if it comes next. */
static bool
take(struct span *span, const char *text)
{
   const size_t length = text ? strlen(text) : 0;

   if (!length || (size_t)(span->end - span->at) < length ||
       memcmp(span->at, text, length) != 0)
      return false;
   span->at += length;
   return true;
}

/* Takes the name of a command. */
static bool
take_name(struct span *span, enum host1x_number *number_out)
{
   struct span name = *span;

   while (span->at < span->end && is_name_char(*span->at))
      span->at++;
   name.end = span->at;
   for (unsigned i = 0; i < HOST1X_NUM_COMMANDS; i++) {
      struct span rest = name;

      *number_out = (enum host1x_number)i;
      if (take(&rest, host1x_name(*number_out)) && rest.at == rest.end)
         return true;
   }
   return false;
}

/* ---- commands ------------------------------------------------------------ */

/* What may be in a line of grate's, and where in the command it is. */
static const struct {
   const char *name;
   unsigned shift;
} grate_fields[] = {
   {" offset:", 16}, {" classid:", 6}, {" mask:", 0},
   {" count:", 0},   {" value:", 0},   {" subop:", 24},
};

/* `HOST1X_OPCODE_INCR: offset:e20 count:1` */
static bool
find_grate_command(struct span *line, uint32_t *word_out)
{
   struct span rest = *line;
   enum host1x_number number;

   if (!find(&rest, "HOST1X_OPCODE_") || !take_name(&rest, &number))
      return false;
   line->at = rest.at;
   *word_out = (uint32_t)number << 28;
   for (size_t i = 0; i < sizeof(grate_fields) / sizeof(*grate_fields); i++) {
      struct span field = rest;
      uint32_t value;

      if (find(&field, grate_fields[i].name) && take_hex(&field, &value))
         *word_out |= value << grate_fields[i].shift & 0x0fffffff;
   }
   return true;
}

/* `22060004: NONINCR(`, maybe with an address before it. */
static bool
find_kernel_command(struct span *line, uint32_t *word_out)
{
   struct span rest = *line;

   while (find(&rest, ":")) {
      const char *colon = rest.at - 1;
      struct span word = {colon - WORD_DIGITS, colon};

      if (colon - line->at < WORD_DIGITS || !take_hex(&word, word_out) ||
          word.at != colon)
         continue;
      skip(&rest, " ");
      if (take(&rest, host1x_name(host1x_number(*word_out))) &&
          take(&rest, "(")) {
         line->at = rest.at;
         return true;
      }
   }
   return false;
}

/* The line goes on after the command, if any. */
static bool
find_command(struct span *line, uint32_t *word_out)
{
   return find_kernel_command(line, word_out) ||
          find_grate_command(line, word_out);
}

/* ---- data ---------------------------------------------------------------- */

static void
add(struct reader *reader, uint32_t word)
{
   reader->has_memory =
      reader->has_memory &&
      tg_arena_reserve(&reader->arena, (void **)&reader->words,
                       &reader->capacity, reader->count, sizeof(word));
   if (reader->has_memory)
      reader->words[reader->count++] = word;
}

/* Words of all their digits with a comma between them, as many as are missing.
 */
static void
add_list(struct reader *reader, struct span span)
{
   uint32_t word;

   while (reader->missing) {
      skip(&span, " \t,");
      const char *start = span.at;
      if (!take_hex(&span, &word) || span.at - start != WORD_DIGITS)
         return;
      add(reader, word);
      reader->missing--;
   }
}

/* What a line has of the data of the last command. */
static void
add_data(struct reader *reader, struct span line)
{
   struct span value = line;
   uint32_t word;

   if (!reader->missing)
      return;
   if (!find(&value, " <= 0x") && !find(&value, " base:")) {
      find(&line, "[");
      add_list(reader, line);
   } else if (take_hex(&value, &word)) {
      add(reader, word);
      reader->missing--;
   }
}

/* ---- lines --------------------------------------------------------------- */

/* Takes a line. False when it begins a command before the data of another is
 * there. */
static bool
read_line(struct reader *reader, struct span line, struct tg_position position)
{
   uint32_t word;

   if (find_command(&line, &word)) {
      if (reader->missing)
         return false;
      reader->command = position;
      reader->missing = reader->total = host1x_num_data(word);
      add(reader, word);
   }
   add_data(reader, line);
   return true;
}

/* Takes the next line out of a text. */
static struct span
next_line(struct span *text)
{
   const char *end = memchr(text->at, '\n', (size_t)(text->end - text->at));
   const struct span line = {text->at, end ? end : text->end};

   text->at = end ? end + 1 : text->end;
   return line;
}

static enum tg_result
read_lines(struct reader *reader, const struct tg_source *source,
           struct tg_diagnostics *diagnostics)
{
   struct span text = {source->text, source->text + source->length};
   struct tg_position position = {.column = 1};
   bool is_good = true;

   while (is_good && reader->has_memory && text.at < text.end) {
      position.line++;
      position.offset = (uint32_t)(text.at - source->text);
      is_good = read_line(reader, next_line(&text), position);
   }
   if (!reader->has_memory)
      return TG_ERROR_MEMORY;
   if (!reader->missing)
      return TG_OK;
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "host1x", source,
               reader->command, NULL,
               "the data of this command is cut: %u of %u words are there",
               reader->total - reader->missing, reader->total);
   return TG_ERROR_INPUT;
}

enum tg_result
tg_tegra_decode_host1x_log(const struct tg_allocator *allocator,
                           const char *name, const char *text, size_t length,
                           uint32_t number, struct tg_diagnostics *diagnostics,
                           struct tg_tegra_program **program_out)
{
   assert(program_out);
   const struct tg_source source = {name, text, length};
   struct reader reader = {.has_memory = true};

   if (length > UINT32_MAX) {
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "too-long", &source,
                  (struct tg_position){0}, NULL,
                  "a log has at most %u bytes, not %zu", UINT32_MAX, length);
      return TG_ERROR_INPUT;
   }
   tg_arena_init(&reader.arena, allocator);
   enum tg_result result = read_lines(&reader, &source, diagnostics);
   if (result == TG_OK)
      result =
         tg_tegra_decode_host1x(allocator, name, reader.words, reader.count,
                                number, diagnostics, program_out);
   tg_arena_finish(&reader.arena);
   return result;
}

bool
tg_tegra_is_host1x_log(const char *text, size_t length)
{
   struct span rest = {text, text + length};

   while (rest.at < rest.end) {
      struct span line = next_line(&rest);
      uint32_t word;

      if (find_command(&line, &word))
         return true;
   }
   return false;
}
