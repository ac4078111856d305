/* SPDX-License-Identifier: MIT
 *
 * The lexer of the parsers. Nothing here allocates or complains.
 */
#include "util/lexer.h"

#include <stdio.h>
#include <string.h>

#include "util/ascii.h"

static bool
is_space(char c)
{
   return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool
is_word(char c)
{
   return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
          (c >= 'A' && c <= 'Z') || c == '_';
}

void
tg_lexer_init(struct tg_lexer *lexer, const struct tg_source *source)
{
   const struct tg_place start = {
      .at = source->text,
      .line_start = source->text,
      .line = source->first_line ? source->first_line : 1,
   };

   *lexer = (struct tg_lexer){
      .source = source,
      .end = source->text + source->length,
      .here = start,
      .previous = start,
      .before = start,
   };
}

struct tg_position
tg_lexer_position(const struct tg_lexer *lexer, struct tg_place place)
{
   return (struct tg_position){
      .line = place.line,
      .column = (uint32_t)(place.at - place.line_start) + 1,
      .offset = (uint32_t)(place.at - lexer->source->text),
   };
}

static const char *
skip_to_newline(const struct tg_lexer *lexer, const char *at)
{
   const char *newline = memchr(at, '\n', (size_t)(lexer->end - at));

   return newline ? newline : lexer->end;
}

/* After the comment that begins at `at`, or `at` if none does. One that is
 * never closed goes to the end of the text. */
static const char *
skip_comment(const struct tg_lexer *lexer, const char *at)
{
   const char *end = lexer->end;

   if (lexer->has_hash_comments && at < end && *at == '#')
      return skip_to_newline(lexer, at);
   if (!lexer->has_comments || end - at < 2 || at[0] != '/')
      return at;
   if (at[1] == '/')
      return skip_to_newline(lexer, at);
   if (at[1] != '*')
      return at;
   for (at += 2; end - at >= 2; at++) {
      if (at[0] == '*' && at[1] == '/')
         return at + 2;
   }
   return end;
}

/* After the white space and the comments at `at`. */
static const char *
skip_blank(const struct tg_lexer *lexer, const char *at)
{
   for (;;) {
      const char *start = at;

      while (at < lexer->end && is_space(*at))
         at++;
      at = skip_comment(lexer, at);
      if (at == start)
         return at;
   }
}

int
tg_lexer_peek(struct tg_lexer *lexer)
{
   struct tg_place *here = &lexer->here;
   const char *end = skip_blank(lexer, here->at);

   while (here->at < end) {
      if (*here->at++ == '\n') {
         here->line++;
         here->line_start = here->at;
      }
   }
   return here->at < lexer->end ? (unsigned char)*here->at : TG_LEXER_END;
}

static void
take(struct tg_lexer *lexer, size_t length)
{
   lexer->before = lexer->previous;
   lexer->here.at += length;
   lexer->previous = lexer->here;
}

void
tg_lexer_untake(struct tg_lexer *lexer)
{
   lexer->here = lexer->before;
   lexer->previous = lexer->before;
}

bool
tg_lexer_accept(struct tg_lexer *lexer, char c)
{
   if (tg_lexer_peek(lexer) != (unsigned char)c)
      return false;
   take(lexer, 1);
   return true;
}

bool
tg_lexer_accept_touching(struct tg_lexer *lexer, const char *text)
{
   size_t length = strlen(text);

   if ((size_t)(lexer->end - lexer->here.at) < length ||
       memcmp(lexer->here.at, text, length) != 0)
      return false;
   take(lexer, length);
   return true;
}

struct tg_word
tg_lexer_peek_word(struct tg_lexer *lexer)
{
   tg_lexer_peek(lexer);

   const char *at = lexer->here.at;
   while (at < lexer->end && is_word(*at))
      at++;
   return (struct tg_word){
      .text = lexer->here.at,
      .length = (size_t)(at - lexer->here.at),
      .position = tg_lexer_position(lexer, lexer->here),
   };
}

struct tg_word
tg_lexer_word(struct tg_lexer *lexer)
{
   struct tg_word word = tg_lexer_peek_word(lexer);

   if (word.length)
      take(lexer, word.length);
   return word;
}

int
tg_lexer_after(const struct tg_lexer *lexer, struct tg_word word)
{
   const char *at = skip_blank(lexer, word.text + word.length);

   return at < lexer->end ? (unsigned char)*at : TG_LEXER_END;
}

/* `'word'`, `the end of the line`, `the end of the text`. */
static void
describe(const struct tg_lexer *lexer, struct tg_word word, int c, char *text,
         size_t size)
{
   if (lexer->here.line != lexer->previous.line) {
      snprintf(text, size, "the end of the line");
   } else if (c == TG_LEXER_END) {
      snprintf(text, size, "the end of the text");
   } else {
      int length = word.length ? tg_lexer_word_shown(word) : 1; /* 1: a sign */
      snprintf(text, size, "'%.*s'", length, word.text);
   }
}

struct tg_unexpected
tg_lexer_unexpected(struct tg_lexer *lexer, const char *what, const char *note,
                    const char *byte_note)
{
   int c = tg_lexer_peek(lexer);
   struct tg_word word = tg_lexer_peek_word(lexer);
   bool line_has_ended = lexer->here.line != lexer->previous.line;
   struct tg_unexpected unexpected = {
      .position = line_has_ended ? tg_lexer_position(lexer, lexer->previous)
                                 : word.position,
      .code = "syntax",
      .note = note,
   };
   size_t size = sizeof(unexpected.message);
   char found[64];

   if (!line_has_ended && c != TG_LEXER_END && (c <= ' ' || c >= 0x7f)) {
      unexpected.code = "bad-byte";
      unexpected.note = byte_note;
      snprintf(unexpected.message, size,
               "byte 0x%02x is not part of the language", (unsigned)c);
   } else {
      describe(lexer, word, c, found, sizeof(found));
      snprintf(unexpected.message, size, "expected %s, found %s", what, found);
   }
   return unexpected;
}

bool
tg_lexer_open_comment(const struct tg_lexer *lexer,
                      struct tg_position *position_out)
{
   struct tg_place place = lexer->previous;

   while (place.at < lexer->end) {
      const char *after = skip_comment(lexer, place.at);
      bool is_block = after > place.at && place.at[1] == '*';

      if (is_block && after == lexer->end &&
          (after - place.at < 4 || after[-1] != '/' || after[-2] != '*')) {
         *position_out = tg_lexer_position(lexer, place);
         return true;
      }
      if (after == place.at)
         after++;
      for (; place.at < after; place.at++) {
         if (*place.at == '\n') {
            place.line++;
            place.line_start = place.at + 1;
         }
      }
   }
   return false;
}

/* A sign stands at the start of a literal or after the letter of its
 * exponent. */
static bool
continues_literal(const char *start, const char *at)
{
   if (is_word(*at) || *at == '.')
      return true;
   if (*at != '+' && *at != '-')
      return false;
   return at == start || strchr("eEpP", at[-1]) != NULL;
}

/* After `nan` may stand letters in parentheses, without white space. */
static const char *
skip_nan_letters(const char *at, const char *end)
{
   const char *letter = at + 1;

   if (at == end || *at != '(')
      return at;
   while (letter < end && is_word(*letter))
      letter++;
   return letter < end && *letter == ')' ? letter + 1 : at;
}

struct tg_word
tg_lexer_literal(struct tg_lexer *lexer)
{
   tg_lexer_peek(lexer);

   const char *start = lexer->here.at;
   const char *at = start;
   while (at < lexer->end && continues_literal(start, at))
      at++;
   if (at > start)
      at = skip_nan_letters(at, lexer->end);

   struct tg_word literal = {
      .text = start,
      .length = (size_t)(at - start),
      .position = tg_lexer_position(lexer, lexer->here),
   };
   if (literal.length)
      take(lexer, literal.length);
   return literal;
}

void
tg_lexer_skip_line(struct tg_lexer *lexer)
{
   char last = '\0'; /* the last byte that is not white space */

   lexer->here = lexer->previous;
   if (lexer->here.at > lexer->source->text)
      last = lexer->here.at[-1];
   for (; lexer->here.at < lexer->end; lexer->here.at++) {
      char c = *lexer->here.at;

      if (c == '\n') {
         if (last != ',')
            break;
         last = '\0';
         lexer->here.line++;
         lexer->here.line_start = lexer->here.at + 1;
      } else if (!is_space(c)) {
         last = c;
      }
   }
   lexer->previous = lexer->here;
}

bool
tg_lexer_word_is(struct tg_word word, const char *text)
{
   return tg_ascii_compare(word.text, text, word.length) == 0 &&
          !text[word.length];
}

int
tg_lexer_word_shown(struct tg_word word)
{
   enum { MOST = 40 };

   return word.length < MOST ? (int)word.length : MOST;
}
