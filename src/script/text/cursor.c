/* SPDX-License-Identifier: MIT
 *
 * The text cursor: lines and words.
 */
#include "script/text/cursor.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

/* ---- lines --------------------------------------------------------------- */

struct script_cursor
cursor_at_start(const struct tg_source *source,
                struct tg_diagnostics *diagnostics)
{
   return (struct script_cursor){
      .source = source,
      .diagnostics = diagnostics,
   };
}

bool
cursor_next_line(struct script_cursor *cursor)
{
   const char *source_end = cursor->source->text + cursor->source->length;
   const char *start = cursor->source->text;

   if (cursor->line) {
      start = cursor->end;
      start += start < source_end && *start == '\r';
      start += start < source_end && *start == '\n';
   }
   if (start == source_end)
      return false;

   size_t rest = (size_t)(source_end - start);
   const char *end = memchr(start, '\n', rest);
   if (!end)
      end = source_end;
   else if (end > start && end[-1] == '\r')
      end--;
   cursor->line_start = start;
   cursor->at = start;
   cursor->end = end;
   cursor->line++;
   return true;
}

static void
skip_space(struct script_cursor *cursor)
{
   while (cursor->at < cursor->end && isspace((unsigned char)*cursor->at))
      cursor->at++;
}

bool
cursor_at_end(struct script_cursor *cursor)
{
   skip_space(cursor);
   return cursor->at == cursor->end || *cursor->at == '#';
}

struct tg_position
cursor_position(struct script_cursor *cursor)
{
   skip_space(cursor);
   return (struct tg_position){
      .line = cursor->line,
      .column = (uint32_t)(cursor->at - cursor->line_start) + 1,
      .offset = (uint32_t)(cursor->at - cursor->source->text),
   };
}

/* ---- words --------------------------------------------------------------- */

static bool
ends_word(char c)
{
   return isspace((unsigned char)c) || (c && strchr(",=[]#\"", c));
}

struct script_word
cursor_peek_word(struct script_cursor *cursor)
{
   skip_space(cursor);
   const char *end = cursor->at;

   while (end < cursor->end && !ends_word(*end))
      end++;
   return (struct script_word){cursor->at, (size_t)(end - cursor->at)};
}

struct script_word
cursor_read_word(struct script_cursor *cursor)
{
   struct script_word word = cursor_peek_word(cursor);

   cursor->at += word.length;
   return word;
}

bool
cursor_word_is(struct script_word word, const char *text)
{
   return strlen(text) == word.length &&
          memcmp(text, word.text, word.length) == 0;
}

bool
cursor_word_to_hex(struct script_word word, uint32_t *number_out)
{
   uint32_t number = 0;

   for (size_t i = 0; i < word.length; i++) {
      unsigned char c = (unsigned char)word.text[i];

      if (i == 8 || !isxdigit(c))
         return false;
      number =
         number << 4 | (uint32_t)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
   }
   *number_out = number;
   return word.length > 0;
}

bool
cursor_accept_char(struct script_cursor *cursor, char c)
{
   skip_space(cursor);
   if (cursor->at == cursor->end || *cursor->at != c)
      return false;
   cursor->at++;
   return true;
}

bool
cursor_accept_words(struct script_cursor *cursor, const char *words)
{
   const char *before = cursor->at;

   while (*words) {
      size_t length = strcspn(words, " ");
      struct script_word word = cursor_read_word(cursor);

      if (word.length != length || memcmp(word.text, words, length) != 0) {
         cursor->at = before;
         return false;
      }
      words += length;
      words += *words == ' ';
   }
   return true;
}

/* ---- readers that complain ----------------------------------------------- */

bool
cursor_complain(struct script_cursor *cursor, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   tg_vdiagnose(cursor->diagnostics, TG_SEVERITY_ERROR, "test-file",
                cursor->source, cursor_position(cursor), NULL, format, args);
   va_end(args);
   return false;
}

bool
cursor_complain_with_note(struct script_cursor *cursor, const char *note,
                          const char *format, ...)
{
   va_list args;

   va_start(args, format);
   tg_vdiagnose(cursor->diagnostics, TG_SEVERITY_ERROR, "test-file",
                cursor->source, cursor_position(cursor), note, format, args);
   va_end(args);
   return false;
}

bool
cursor_expect_char(struct script_cursor *cursor, char c)
{
   return cursor_accept_char(cursor, c) ||
          cursor_complain(cursor, "expected '%c'", c);
}

bool
cursor_expect_end(struct script_cursor *cursor)
{
   return cursor_at_end(cursor) ||
          cursor_complain(cursor, "expected the end of the line");
}

bool
cursor_read_number(struct script_cursor *cursor, uint32_t least,
                   uint32_t greatest, const char *what, uint32_t *number_out)
{
   skip_space(cursor);
   const char *c = cursor->at;
   uint64_t number = 0;

   for (; c < cursor->end && isdigit((unsigned char)*c); c++) {
      number = number * 10 + (uint64_t)(*c - '0');
      if (number > greatest)
         break;
   }
   if (c == cursor->at || number < least || number > greatest)
      return cursor_complain(cursor, "expected %s, from %u to %u", what, least,
                             greatest);
   cursor->at = c;
   *number_out = (uint32_t)number;
   return true;
}

bool
cursor_read_string(struct script_cursor *cursor, const char *what,
                   struct script_word *string_out)
{
   skip_space(cursor);
   const char *start = cursor->at + 1;
   const char *end = NULL;

   if (cursor->at < cursor->end && *cursor->at == '"')
      end = memchr(start, '"', (size_t)(cursor->end - start));
   if (!end)
      return cursor_complain(cursor, "expected %s between \" and \"", what);
   *string_out = (struct script_word){start, (size_t)(end - start)};
   cursor->at = end + 1;
   return true;
}

bool
cursor_read_size(struct script_cursor *cursor, unsigned count,
                 uint32_t greatest, uint32_t *size_out)
{
   assert(count <= 3);
   static const char *const what[] = {"a width", "a height", "a depth"};

   for (unsigned i = 0; i < count; i++) {
      if ((i && !cursor_expect_char(cursor, 'x')) ||
          !cursor_read_number(cursor, 1, greatest, what[i], &size_out[i]))
         return false;
   }
   return true;
}
